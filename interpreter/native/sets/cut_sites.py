"""The code that tells without which site of a set the others are one group.

In: a set of sites, and a relation between sites that leads back, of which each site has few. Out:
the sites of which it holds, all at once. What then holds: each site of the set was looked at once,
where a flood for each would look at all the others.

It is the depth-first search for articulation points (Hopcroft and Tarjan, Algorithm 447, 1973),
without calls: each site knows from which it was reached.
"""

from __future__ import annotations

from array import array
from itertools import chain

from gdl.board.relation import Relation, bits
from gdl.interpreter.native.emit.ir import Function
from gdl.interpreter.native.emit.kinds import I8, I16, I64, Address, Bit, Integer, Word
from gdl.interpreter.native.emit.values import Sites
from gdl.interpreter.native.sets.registers import RegisterSets

MOST_NEIGHBOURS = 32
"""Of relations that lead from a site to more, nothing is written here."""


def whole_without(sets: RegisterSets, f: Function, relation: Relation, among: Sites) -> Sites:
    """Return the sites of the board without which a set is one group by a symmetric relation."""
    key = "cut sites", relation
    name = sets.module.once("whole_without", key, lambda name: _Search(sets, relation).write(name))
    result = sets.variable(f)
    f.do(f"call void @{name}(ptr {sets.variable(f, among)}, ptr {result})")
    return sets.read(f, result)


class _Search:
    """Writes the search through the groups of a set.

    Of each site it keeps as how many-eth it was reached (`order`, from 1; 0: not yet), the least
    such number that it or what was reached over it is next to (`low`), from which site it was
    reached (-1: it is the first of a group), and which of its neighbours are done.
    """

    def __init__(self, sets: RegisterSets, relation: Relation) -> None:
        self._sets = sets
        rows = [[*bits(targets)] for targets in relation.successors]
        self._most = max(map(len, rows))
        # Where there are fewer neighbours, the site itself stands for more: it changes nothing.
        padded = ([*row, *[site] * (self._most - len(row))] for site, row in enumerate(rows))
        table = [*chain.from_iterable(padded)]
        self._table = sets.module.tables.add(array("h", table).tobytes())

    def write(self, name: str) -> None:
        """Write `NAME(set, result)`."""
        sets, size = self._sets, self._sets.size
        with sets.module.procedure(name, "ptr %set", "ptr noalias %result") as f:
            self._f = f
            self._order, self._low, self._from, self._done = (
                f.room(f"[{size} x i16]") for _ in range(4)
            )
            f.clear(self._order, 2 * size)
            among = sets.read(f, Address("%set"))
            self._left, self._cut, alone = (
                sets.variable(f, one) for one in (among, sets.constant(0), sets.constant(0))
            )
            self._reached, groups = f.variable(I64, 0), f.variable(I64, 0)
            with f.loop(size) as each:
                left = sets.read(f, self._left)
                f.need(sets.some(f, left), each.done)
                f.add(I64, 1, groups)
                first = sets.index(f, left)
                before = f.get(I64, self._reached)
                self._search_from(first)
                more = f.binary("sub", I64, f.get(I64, self._reached), before)
                with f.when(f.compare("eq", I64, more, 1)):
                    sets.include(f, alone, sets.one(first, is_there=True))
            number = f.get(I64, groups)
            lonely = sets.read(f, alone)
            everywhere = sets.constant((1 << size) - 1)
            cut = sets.union(f, [sets.read(f, self._cut), lonely])
            one = sets.difference(f, everywhere, cut)
            none = sets.constant(0)
            two = sets.choose(f, f.compare("eq", I64, number, 2), lonely, none)
            found = sets.choose(f, f.compare("eq", I64, number, 1), one, two)
            sets.write(f, found, Address("%result"))

    def _search_from(self, first: Word) -> None:
        """Write that the group of a site is gone through, and where it would fall apart."""
        f = self._f
        here, branches = f.variable(I64, first), f.variable(I64, 0)
        self._reach(first, Word("-1"))
        with f.loop(self._sets.size * (self._most + 2)) as steps:
            site = f.get(I64, here)
            done = self._get(self._done, site)
            with f.when(f.compare("ult", I64, done, self._most)):
                self._put(self._done, site, f.binary("add", I64, done, 1))
                place = f.binary("add", I64, f.binary("mul", I64, site, self._most), done)
                next_ = self._get(self._table, place)
                order = self._get(self._order, next_)
                with f.when(f.compare("ne", I64, order, 0)):
                    is_back = f.compare("eq", I64, next_, self._get(self._from, site))
                    f.leave_if(is_back, steps.head)
                    self._lower(site, order)
                    f.jump(steps.head)
                f.need(self._is_left(next_), steps.head)
                self._reach(next_, site)
                f.put(I64, next_, here)
                f.jump(steps.head)
            origin = self._get(self._from, site)
            f.need(f.compare("sge", I64, origin, 0), steps.done)
            f.put(I64, origin, here)
            low = self._get(self._low, site)
            self._lower(origin, low)
            with f.when(f.compare("eq", I64, origin, first)):
                f.add(I64, 1, branches)
                f.jump(steps.head)
            with f.when(f.compare("uge", I64, low, self._get(self._order, origin))):
                self._sets.include(f, self._cut, self._sets.one(origin, is_there=True))
        with f.when(f.compare("ugt", I64, f.get(I64, branches), 1)):
            self._sets.include(f, self._cut, self._sets.one(first, is_there=True))

    def _reach(self, site: Word, origin: Word) -> None:
        """Write that a site is reached from another."""
        f = self._f
        number = f.add(I64, 1, self._reached)
        for place, value in ((self._order, number), (self._low, number), (self._from, origin)):
            self._put(place, site, value)
        self._put(self._done, site, Word("0"))
        byte, bit = self._bit(site)
        kept = f.binary("xor", I8, bit, -1)
        f.put(I8, f.binary("and", I8, f.get(I8, byte), kept), byte)

    def _is_left(self, site: Word) -> Bit:
        """Return whether a site of the set is not reached yet."""
        byte, bit = self._bit(site)
        return self._f.compare("ne", I8, self._f.binary("and", I8, self._f.get(I8, byte), bit), 0)

    def _bit(self, site: Word) -> tuple[Address, Integer]:
        """Return the byte in which a site stands among those that are left, and its bit there."""
        f = self._f
        byte = f.at(self._left, f.binary("lshr", I64, site, 3))
        place = f.convert("trunc", I64, f.binary("and", I64, site, 7), I8)
        return byte, f.binary("shl", I8, 1, place)

    def _lower(self, site: Word, order: Word) -> None:
        f = self._f
        least = f.intrinsic("umin", I64, self._get(self._low, site), f"i64 {order}")
        self._put(self._low, site, least)

    def _get(self, place: Address, number: Word) -> Word:
        f = self._f
        return f.convert("sext", I16, f.get(I16, f.entry(I16, place, number)), I64)

    def _put(self, place: Address, number: Word, value: Word) -> None:
        f = self._f
        f.put(I16, f.convert("trunc", I64, value, I16), f.entry(I16, place, number))
