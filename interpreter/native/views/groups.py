"""Views of what groups touch and enclose: by a flood from the new site, or by trees.

In: conditions on groups (`gdl.analysis.groups`). Out: their views. What then holds: the trees
stand for the groups of the sites that were added.

The trees are those of union by path halving (R. E. Tarjan and J. van Leeuwen, "Worst-case
analysis of set union algorithms", 1984). Beside its parent, a site has the sets that its group
touches, a bit each, and whether it was added. Where a flood over a register is quick (small
boards), it is used instead.

A ring is closed where the site has more runs of neighbours that were added, around it, than there
are groups that it joins; see `gdl.analysis.triangulated_discs`.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.analysis.groups import MOST_TARGETS, Group
from gdl.analysis.touch_conditions import TouchCondition
from gdl.analysis.triangulated_discs import TriangulatedDisc
from gdl.analysis.views import Kept
from gdl.board.relation import bits
from interpreter.native.emit.ir import Function
from interpreter.native.emit.kinds import I8, I16, I64, Address, Bit, Word
from interpreter.native.emit.values import Flag, Sites
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.views.view import KeptView, packed

_ENTRY = 4
_STATE = 2
_ADDED = 1 << 15
_USUAL_DEPTH = 16
"""How long a way to a root usually is at most."""
_MOST_TESTS = 8


class FloodView(KeptView):
    """A condition on groups, of which that of a new site is worked out."""

    reads_layers = True

    def add(self, p: Place, memory: Address, site: Sites) -> list[Bit]:
        """Write what the group of a site does."""
        asks = self.kept[0].asks
        assert isinstance(asks, Group) and asks.with_newest is not None, "the newest site tells"
        return [self._expressions.flag(p.binding(asks.newest, site), asks.with_newest)]

    def fill(self, p: Place) -> None:
        """Write that the condition is worked out."""
        holds = self._expressions.flag(p, self.kept[0].condition)
        self._expressions.write(p, self.kept[0].slot, Flag(holds))


class TreeView(KeptView):
    """All that is asked of the groups of some layers under one relation, kept as trees."""

    follows_sets = False

    def __init__(self, expressions: Expressions, kept: Sequence[Kept], name: str) -> None:
        """Write `name(memory, site)`: it adds a site, and returns a bit for each condition."""
        super().__init__(expressions, kept)
        self._asked = _asked_of(kept)
        self._targets = _targets_of(self._asked)
        discs = (g.test for g in self._asked if isinstance(g.test, TriangulatedDisc))
        self._disc = next(discs, None)
        self._size = self._sets.size
        self.bytes = -(-(self._size + 1) * _ENTRY // 8) * 8
        self.reads_layers = any(group.may_end for group in self._asked)
        self._name = name
        self._write_add()

    def add(self, p: Place, memory: Address, site: Sites) -> list[Bit]:
        """Write that a site joins its neighbours' groups."""
        f = p.f
        index = self._sets.index(f, site)
        found = f.call(I8, f"@{self._name}(ptr {memory}, i64 {index})")
        return [f.has_bit(I8, found, place) for place in range(len(self.kept))]

    def _write_add(self) -> None:
        parameters, site = ["ptr %memory", "i64 %site"], Word("%site")
        f = self._module.function(self._name, "internal i8", parameters, "noinline ")
        touches, root = f.variable(I16), f.variable(I64)
        own = _entry(f, site)
        alone = f.get(I16, f.entry(I16, self._touched_alone(), site))
        is_added = f.binary("or", I16, alone, f.get(I16, f.at(own, _STATE)))
        with f.when(f.compare("slt", I16, is_added, 0)):
            f.give("i8 0")
        f.put(I16, alone, touches)
        f.put(I64, site, root)
        f.put(I16, f.convert("trunc", I64, site, I16), own)
        runs, groups = self._meet_neighbours(f, site, touches, root)
        found = f.get(I16, touches)
        state = f.binary("or", I16, found, _ADDED - (1 << 16))
        f.put(I16, state, f.at(own, _STATE))
        f.put(I16, state, f.at(_entry(f, f.get(I64, root)), _STATE))
        told = f.get(I8, f.at(self._told(), f.convert("zext", I16, found, I64)))
        if self._disc is not None:
            rings = sum(1 << i for i, group in enumerate(self._asked) if group.may_end)
            is_ring = f.compare("ugt", I64, f.get(I64, runs), f.get(I64, groups))
            told = f.binary("or", I8, told, f.select(is_ring, I8, rings, 0))
        f.give(f"i8 {told}")

    def _touched_alone(self) -> Address:
        """Return a table of the sets (i16) that each site has; those in no group are marked."""
        within = self._asked[0].within
        touched = (
            sum(1 << i for i, target in enumerate(self._targets) if target >> site & 1)
            | (0 if within >> site & 1 else _ADDED)
            for site in range(self._size)
        )
        return self._module.tables.add(packed(touched))

    def _told(self) -> Address:
        """Return a table of the conditions that hold of a group, by the sets that it touches."""
        told = bytearray(1 << len(self._targets))
        for place, group in enumerate(self._asked):
            if isinstance(group.test, TouchCondition):
                places = [self._targets.index(target) for target in group.test.targets]
                for touched in range(len(told)):
                    own = sum(1 << i for i, at in enumerate(places) if touched >> at & 1)
                    told[touched] |= (group.test.holds >> own & 1) << place
        return self._module.tables.add(bytes(told))

    def _neighbours(self) -> tuple[Address, int]:
        """Return a table of the neighbours of each site, and how many numbers each has there.

        Where rings are asked for, the first is the neighbour before the others around the site,
        or none: the entry behind all sites, which is never added.
        """
        first, disc = self._asked[0], self._disc
        lists = [list(bits(near & first.within)) for near in first.relation.successors]
        if disc is not None:
            ends = (disc.border >> site & 1 for site in range(self._size))
            lists = [
                [self._size if end else near[-1], *near]
                for end, near in zip(ends, disc.around, strict=True)
            ]
        each = max(map(len, lists), default=0) + 1
        filled = (number for near in lists for number in near + [0xFFFF] * (each - len(near)))
        return self._module.tables.add(packed(filled)), each

    def _meet_neighbours(
        self, f: Function, site: Word, touches: Address, root: Address
    ) -> tuple[Address, Address]:
        """Hang the roots of the neighbours' trees below the site's root, or the other way round.

        Returns the addresses of how many runs of neighbours around the site were added, and how
        many groups they have, where that is asked for.
        """
        table, each = self._neighbours()
        place, runs, groups, before = (f.variable(I64) for _ in range(4))
        begin = f.binary("mul", I64, site, 2 * each)
        has_rings = self._disc is not None
        if has_rings:
            f.put(I64, 0, runs)
            f.put(I64, 0, groups)
            last = f.get(I16, f.at(table, begin))
            f.put(I64, _was_added(f, _entry(f, f.convert("zext", I16, last, I64))), before)
            begin = f.binary("add", I64, begin, 2)
        f.put(I64, begin, place)
        with f.loop(each) as loop:
            now = f.get(I64, place)
            index = f.get(I16, f.at(table, now))
            f.put(I64, f.binary("add", I64, now, 2), place)
            f.leave_if(f.compare("eq", I16, index, -1), loop.done)
            neighbour = f.convert("zext", I16, index, I64)
            added = _was_added(f, _entry(f, neighbour))
            if has_rings:
                begins = f.binary("and", I64, added, f.binary("xor", I64, f.get(I64, before), 1))
                f.add(I64, begins, runs)
                f.put(I64, added, before)
            f.leave_if(f.compare("eq", I64, added, 0), loop.head)
            other = _root(f, neighbour)
            mine = f.get(I64, root)
            f.leave_if(f.compare("eq", I64, other, mine), loop.head)
            if has_rings:
                f.add(I64, 1, groups)
            state = f.get(I16, f.at(_entry(f, other), _STATE))
            theirs = f.binary("and", I16, state, _ADDED - 1)
            f.put(I16, f.binary("or", I16, f.get(I16, touches), theirs), touches)
            f.put(I16, f.convert("trunc", I64, other, I16), _entry(f, mine))
            f.put(I64, other, root)
        return runs, groups


def _entry(f: Function, site: Word) -> Address:
    return f.at(Address("%memory"), f.binary("shl", I64, site, 2))


def _was_added(f: Function, entry: Address) -> Word:
    """Return 1 (i64) if the site of an entry was added, or else 0."""
    state = f.get(I16, f.at(entry, _STATE))
    return f.convert("zext", I16, f.binary("lshr", I16, state, 15), I64)


def _root(f: Function, site: Word) -> Word:
    """Write the way to the root of a site, which becomes half as long."""
    here = f.variable(I64, site)
    with f.loop(_USUAL_DEPTH) as loop:
        now = f.get(I64, here)
        entry = _entry(f, now)
        parent = f.unsigned(I16, entry)
        f.leave_if(f.compare("eq", I64, parent, now), loop.done)
        above = f.get(I16, _entry(f, parent))
        f.put(I16, above, entry)
        f.put(I64, f.convert("zext", I16, above, I64), here)
    return now


def can_share(kept: Sequence[Kept]) -> bool:
    """Return whether conditions can be told by the same trees."""
    asked = _asked_of(kept)
    same = {(group.layers, group.relation, group.within) for group in asked}
    fits = len(_targets_of(asked)) <= MOST_TARGETS and len(asked) <= _MOST_TESTS
    return len(same) == 1 and fits


def _asked_of(kept: Sequence[Kept]) -> list[Group]:
    return [one.asks for one in kept if isinstance(one.asks, Group)]


def _targets_of(asked: Sequence[Group]) -> tuple[int, ...]:
    """Return the known sets that are asked for, each once."""
    return tuple(dict.fromkeys(target for group in asked for target in group.targets))
