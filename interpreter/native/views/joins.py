"""Groups that only grow, kept as trees: a new site joins its neighbours' groups.

In: connections that `newest` has found. Out: code that adds a site to the groups of a layer and
tells whether one of them now has sites of all the sets that are to be joined. What then holds:
the trees stand for the groups of the sites that were added.

The trees are those of union by path halving (R. E. Tarjan and J. van Leeuwen, "Worst-case
analysis of set union algorithms", 1984). Beside its parent, a site has the sets that its group
touches, a bit each, and whether it was added. Where a flood over a register is quick (small
boards), it is used instead.
"""

from __future__ import annotations

from gdl.analysis.newest import MOST_TARGETS, Join
from gdl.board.relation import bits
from interpreter.native.emit.ir import Function, Module, clear_bytes, copy_bytes
from interpreter.native.memory import context as c
from interpreter.native.views.rails import Rails, write_add

_ENTRY = 4
_PARENT, _TOUCHES, _ADDED = 0, 2, 3


class Joins:
    """Writes the code of a game's connections, and of its rows on rails; each has a number."""

    def __init__(self, module: Module, size: int, joins: tuple[Join | Rails, ...]) -> None:
        self._module = module
        self._size = size
        self._sizes = [
            size * _ENTRY if isinstance(join, Join) else -(-join.bytes // 8) * 8 for join in joins
        ]
        for number, join in enumerate(joins):
            if isinstance(join, Join):
                self._write_add(number, join)
            else:
                self._write_add_to_rails(number, join)

    @property
    def bytes(self) -> int:
        """The size of all trees and rails."""
        return sum(self._sizes)

    def _begin(self, number: int) -> int:
        return sum(self._sizes[:number])

    def _write_add_to_rails(self, number: int, rails: Rails) -> None:
        f = self._module.function(
            f"join_{number}", "internal i1", ["ptr %world", "i64 %site"], "nounwind "
        )
        write_add(self._module, f, rails, f.at(self._trees(f), self._begin(number)))

    def clear_one(self, f: Function, number: int) -> None:
        """Write that the groups of one connection are empty."""
        begin = f.at(self._trees(f), self._begin(number))
        clear_bytes(self._module, f, begin, self._sizes[number])

    def copy(self, f: Function, source: str, target: str) -> None:
        """Write that trees are copied."""
        copy_bytes(self._module, f, source, target, self.bytes)

    def use(self, f: Function, trees: str) -> None:
        """Write that these trees are used from now on."""
        f.put("ptr", trees, f.at("%world", c.TREES))

    def _trees(self, f: Function) -> str:
        return f.get("ptr", f.at("%world", c.TREES))

    def add(self, f: Function, number: int, site: str) -> str:
        """Write that a site (i64) is added; return whether the sets are joined by its group."""
        return f.ins(f"call i1 @join_{number}(ptr %world, i64 {site})")

    def _write_add(self, number: int, join: Join) -> None:
        f = self._module.function(
            f"join_{number}", "internal i1", ["ptr %world", "i64 %site"], "nounwind noinline "
        )
        trees = f.at(self._trees(f), self._begin(number))
        everything = (1 << len(join.targets)) - 1
        sides = bytes(
            sum(1 << i for i, target in enumerate(join.targets) if target >> site & 1)
            | (0 if join.within >> site & 1 else 1 << MOST_TARGETS - 1)
            for site in range(self._size)
        )
        table = self._module.tables.add(sides)
        beyond = f.get("i8", f.ins(f"getelementptr i8, ptr {table}, i64 %site"))
        with f.when(f.ins(f"icmp slt i8 {beyond}, 0")):
            f.give("i1 false")
        touches, root = f.variable("i8"), f.variable("i64")
        f.put("i8", beyond, touches)
        f.put("i64", "%site", root)
        own = self._entry(f, trees, "%site")
        f.put("i16", f.ins("trunc i64 %site to i16"), own)
        f.put("i8", "1", f.at(own, _ADDED))
        self._meet_neighbours(f, join, trees, touches, root)
        found = f.get("i8", touches)
        f.put("i8", found, f.at(self._entry(f, trees, f.get("i64", root)), _TOUCHES))
        f.give(f"i1 {f.ins(f'icmp eq i8 {found}, {everything}')}")

    def _entry(self, f: Function, trees: str, site: str) -> str:
        return f.at(trees, f.ins(f"shl i64 {site}, 2"))

    def _meet_neighbours(
        self, f: Function, join: Join, trees: str, touches: str, root: str
    ) -> None:
        """Hang the roots of the neighbours' trees below the site's root, or the other way round."""
        lists = [list(bits(join.relation.successors[s] & join.within)) for s in range(self._size)]
        most = max((len(found) for found in lists), default=0)
        packed = b"".join(
            b"".join(site.to_bytes(2, "little") for site in found)
            + b"\xff\xff" * (most + 1 - len(found))
            for found in lists
        )
        table = self._module.tables.add(packed)
        place = f.variable("i64")
        f.put("i64", f.ins(f"mul i64 %site, {2 * (most + 1)}"), place)
        head, near, next_, done = (f.new_label() for _ in range(4))
        f.label(head)
        now = f.get("i64", place)
        index = f.get("i16", f.ins(f"getelementptr i8, ptr {table}, i64 {now}"))
        f.put("i64", f.ins(f"add i64 {now}, 2"), place)
        f.branch(f.ins(f"icmp eq i16 {index}, -1"), done, near)
        f.label(near)
        neighbour = f.ins(f"zext i16 {index} to i64")
        entry = self._entry(f, trees, neighbour)
        added = f.get("i8", f.at(entry, _ADDED))
        met = f.new_label()
        f.branch(f.ins(f"icmp eq i8 {added}, 0"), head, met)
        f.label(met)
        other = self._root(f, trees, neighbour)
        mine = f.get("i64", root)
        f.branch(f.ins(f"icmp eq i64 {other}, {mine}"), head, next_)
        f.label(next_)
        theirs = self._entry(f, trees, other)
        both = f.ins(f"or i8 {f.get('i8', touches)}, {f.get('i8', f.at(theirs, _TOUCHES))}")
        f.put("i8", both, touches)
        f.put("i16", f.ins(f"trunc i64 {other} to i16"), self._entry(f, trees, mine))
        f.put("i64", other, root)
        f.jump(head)
        f.label(done)

    def _root(self, f: Function, trees: str, site: str) -> str:
        """Write the way to the root of a site, which becomes half as long."""
        here = f.variable("i64")
        f.put("i64", site, here)
        head, up, done = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        now = f.get("i64", here)
        entry = self._entry(f, trees, now)
        parent = f.ins(f"zext i16 {f.get('i16', entry)} to i64")
        f.branch(f.ins(f"icmp eq i64 {parent}, {now}"), done, up)
        f.label(up)
        above = f.get("i16", self._entry(f, trees, parent))
        f.put("i16", above, entry)
        f.put("i64", f.ins(f"zext i16 {above} to i64"), here)
        f.jump(head)
        f.label(done)
        return now
