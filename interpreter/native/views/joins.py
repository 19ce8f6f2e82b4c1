"""Groups that only grow, kept as trees: a new site joins its neighbours' groups.

In: conditions on groups that `newest` has found. Out: code that adds a site to the groups of a
layer and tells which of them hold now of its group: that it touches enough of some known sets, or
that it has closed a ring. What then holds: the trees stand for the groups of the sites that were
added.

The trees are those of union by path halving (R. E. Tarjan and J. van Leeuwen, "Worst-case
analysis of set union algorithms", 1984). Beside its parent, a site has the sets that its group
touches, a bit each, and whether it was added. Where a flood over a register is quick (small
boards), it is used instead.

A ring is closed where the site has more runs of neighbours that were added, around it, than there
are groups that it joins; see `gdl.analysis.discs`.
"""

from __future__ import annotations

from dataclasses import dataclass

from gdl.analysis.discs import Disc
from gdl.analysis.newest import MOST_TARGETS, Join
from gdl.analysis.touching import Touching, touches_all
from gdl.board.relation import bits
from interpreter.native.emit.ir import Function, Module, clear_bytes, copy_bytes
from interpreter.native.memory import context as c
from interpreter.native.views.rails import Rails, write_add

_ENTRY = 4
_PARENT, _STATE = 0, 2
_ADDED = 1 << 15
_USUAL_DEPTH = 16
"""How long a way to a root usually is at most."""
_MOST_TESTS = 8


@dataclass(frozen=True)
class Forest:
    """The groups of one layer under one relation, and all that is asked of them."""

    joins: tuple[Join, ...]

    @property
    def targets(self) -> tuple[int, ...]:
        """The known sets that groups may touch, each once."""
        touched = (j.test.targets for j in self.joins if isinstance(j.test, Touching))
        return tuple(dict.fromkeys(target for targets in touched for target in targets))

    @property
    def around(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each site, in order around it if a ring is asked for."""
        first = self.joins[0]
        disc = self.disc
        if disc is not None:
            return disc.around
        return tuple(tuple(bits(near & first.within)) for near in first.relation.successors)

    @property
    def disc(self) -> Disc | None:
        """The disc on which rings are asked for, if they are."""
        return next((j.test for j in self.joins if isinstance(j.test, Disc)), None)

    def takes(self, join: Join) -> bool:
        """Return whether one more condition can be asked of the same groups."""
        first = self.joins[0]
        same = (join.relation, join.within) == (first.relation, first.within)
        fits = len(Forest((*self.joins, join)).targets) <= MOST_TARGETS
        return same and fits and len(self.joins) < _MOST_TESTS


class Joins:
    """Writes the code of a game's groups, and of its rows on rails; each has a number."""

    def __init__(self, module: Module, size: int, joins: tuple[Forest | Rails, ...]) -> None:
        self._module = module
        self._size = size
        self._sizes = [
            -(-(size + 1) * _ENTRY // 8) * 8
            if isinstance(join, Forest)
            else -(-join.bytes // 8) * 8
            for join in joins
        ]
        for number, join in enumerate(joins):
            if isinstance(join, Forest):
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
            f"join_{number}", "internal i8", ["ptr %world", "i64 %site"], "nounwind "
        )
        full = write_add(self._module, f, rails, f.at(self._trees(f), self._begin(number)))
        f.give(f"i8 {f.ins(f'zext i1 {full} to i8')}")

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
        """Write that a site (i64) is added; return what holds now (i8), a bit for each test."""
        return f.ins(f"call i8 @join_{number}(ptr %world, i64 {site})")

    def _write_add(self, number: int, forest: Forest) -> None:
        f = self._module.function(
            f"join_{number}", "internal i8", ["ptr %world", "i64 %site"], "nounwind noinline "
        )
        trees = f.at(self._trees(f), self._begin(number))
        touches = f.variable("i16")
        f.put("i16", self._touched_alone(f, forest), touches)
        root = f.variable("i64")
        f.put("i64", "%site", root)
        own = self._entry(f, trees, "%site")
        f.put("i16", f.ins("trunc i64 %site to i16"), own)
        runs, groups = self._meet_neighbours(f, forest, trees, touches, root)
        found = f.get("i16", touches)
        state = f.ins(f"or i16 {found}, {_ADDED - (1 << 16)}")
        f.put("i16", state, f.at(own, _STATE))
        f.put("i16", state, f.at(self._entry(f, trees, f.get("i64", root)), _STATE))
        result = "0"
        for place, join in enumerate(forest.joins):
            if isinstance(join.test, Touching):
                holds = self._touches_enough(f, forest, join.test, found)
            else:
                holds = f.ins(f"icmp ugt i64 {f.get('i64', runs)}, {f.get('i64', groups)}")
            bit = f.ins(f"select i1 {holds}, i8 {(1 << place) - (256 if place == 7 else 0)}, i8 0")
            result = f.ins(f"or i8 {result}, {bit}")
        f.give(f"i8 {result}")

    def _touched_alone(self, f: Function, forest: Forest) -> str:
        """Return the sets (i16) that a site has; the function ends if it is in no group."""
        within = forest.joins[0].within
        sides = b"".join(
            (
                sum(1 << i for i, target in enumerate(forest.targets) if target >> site & 1)
                | (0 if within >> site & 1 else _ADDED)
            ).to_bytes(2, "little")
            for site in range(self._size)
        )
        table = self._module.tables.add(sides)
        alone = f.get("i16", f.ins(f"getelementptr i16, ptr {table}, i64 %site"))
        if within != -1:
            with f.when(f.ins(f"icmp slt i16 {alone}, 0")):
                f.give("i8 0")
        return alone

    def _touches_enough(self, f: Function, forest: Forest, test: Touching, found: str) -> str:
        """Return whether (i1) a group that touches these sets (i16) touches enough of them."""
        places = [forest.targets.index(target) for target in test.targets]
        everything = sum(1 << place for place in places)
        if test == touches_all(test.targets):
            if everything + 1 < 1 << len(forest.targets):
                found = f.ins(f"and i16 {found}, {everything}")
            return f.ins(f"icmp eq i16 {found}, {everything}")
        of_all = test.holds
        if places != list(range(len(forest.targets))):
            of_all = _with_more_targets(test, places, len(forest.targets))
        size = -(-(1 << len(forest.targets)) // 8)
        table = self._module.tables.add(of_all.to_bytes(size, "little"))
        index = f.ins(f"zext i16 {found} to i64")
        byte = f.get("i8", f.at(table, f.ins(f"lshr i64 {index}, 3")))
        place = f.ins(f"trunc i64 {f.ins(f'and i64 {index}, 7')} to i8")
        return f.ins(f"trunc i8 {f.ins(f'lshr i8 {byte}, {place}')} to i1")

    def _entry(self, f: Function, trees: str, site: str) -> str:
        return f.at(trees, f.ins(f"shl i64 {site}, 2"))

    def _lists(self, forest: Forest) -> tuple[str, int]:
        """Return a table of the neighbours of each site, and how many bytes each has.

        Where rings are asked for, the first is the neighbour before the others around the site,
        or none: the entry behind all sites, which is never added.
        """
        disc = forest.disc
        lists = [list(near) for near in forest.around]
        if disc is not None:
            for site, near in enumerate(lists):
                near.insert(0, self._size if disc.border >> site & 1 else near[-1])
        most = max((len(found) for found in lists), default=0)
        packed = b"".join(
            b"".join(site.to_bytes(2, "little") for site in found)
            + b"\xff\xff" * (most + 1 - len(found))
            for found in lists
        )
        return self._module.tables.add(packed), 2 * (most + 1)

    def _meet_neighbours(
        self, f: Function, forest: Forest, trees: str, touches: str, root: str
    ) -> tuple[str, str]:
        """Hang the roots of the neighbours' trees below the site's root, or the other way round.

        Returns the addresses of how many runs of neighbours around the site were added, and how
        many groups they have, where that is asked for.
        """
        table, width = self._lists(forest)
        place, runs, groups, before = (f.variable("i64") for _ in range(4))
        begin = f.ins(f"mul i64 %site, {width}")
        has_rings = forest.disc is not None
        if has_rings:
            for counter in (runs, groups):
                f.put("i64", "0", counter)
            last = f.get("i16", f.at(table, begin))
            entry = self._entry(f, trees, f.ins(f"zext i16 {last} to i64"))
            f.put("i64", self._was_added(f, entry), before)
            begin = f.ins(f"add i64 {begin}, 2")
        f.put("i64", begin, place)
        head, near, next_, done = (f.new_label() for _ in range(4))
        f.most_rounds[head] = width // 2
        f.label(head)
        now = f.get("i64", place)
        index = f.get("i16", f.at(table, now))
        f.put("i64", f.ins(f"add i64 {now}, 2"), place)
        f.branch(f.ins(f"icmp eq i16 {index}, -1"), done, near)
        f.label(near)
        neighbour = f.ins(f"zext i16 {index} to i64")
        entry = self._entry(f, trees, neighbour)
        added = self._was_added(f, entry)
        if has_rings:
            others = f.ins(f"xor i64 {f.get('i64', before)}, 1")
            begins = f.ins(f"and i64 {added}, {others}")
            f.put("i64", f.ins(f"add i64 {f.get('i64', runs)}, {begins}"), runs)
            f.put("i64", added, before)
        met = f.new_label()
        f.branch(f.ins(f"icmp eq i64 {added}, 0"), head, met)
        f.label(met)
        other = self._root(f, trees, neighbour)
        mine = f.get("i64", root)
        f.branch(f.ins(f"icmp eq i64 {other}, {mine}"), head, next_)
        f.label(next_)
        if has_rings:
            f.put("i64", f.ins(f"add i64 {f.get('i64', groups)}, 1"), groups)
        state = f.get("i16", f.at(self._entry(f, trees, other), _STATE))
        theirs = f.ins(f"and i16 {state}, {_ADDED - 1}")
        f.put("i16", f.ins(f"or i16 {f.get('i16', touches)}, {theirs}"), touches)
        f.put("i16", f.ins(f"trunc i64 {other} to i16"), self._entry(f, trees, mine))
        f.put("i64", other, root)
        f.jump(head)
        f.label(done)
        return runs, groups

    def _was_added(self, f: Function, entry: str) -> str:
        """Return 1 (i64) if the site of an entry was added, or else 0."""
        state = f.get("i16", f.at(entry, _STATE))
        return f.ins(f"zext i16 {f.ins(f'lshr i16 {state}, 15')} to i64")

    def _root(self, f: Function, trees: str, site: str) -> str:
        """Write the way to the root of a site, which becomes half as long."""
        here = f.variable("i64")
        f.put("i64", site, here)
        head, up, done = f.new_label(), f.new_label(), f.new_label()
        f.most_rounds[head] = _USUAL_DEPTH
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


def _with_more_targets(test: Touching, places: list[int], number: int) -> int:
    """Return the table of a test whose targets are at some places among a number of them."""
    table = 0
    for touched in range(1 << number):
        own = sum(1 << i for i, place in enumerate(places) if touched >> place & 1)
        table |= (test.holds >> own & 1) << touched
    return table
