"""The code of rounds: what a loop keeps between them, and how each begins.

In: a loop. Out: code that begins it, and code that begins a round or leaves the loop. What then
holds: where something is decided in a loop, each round is a call, and each frame keeps which rounds
are left to it, so those that continue different ways of one round don't meet. Other loops keep that
in variables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gdl.analysis.ranges import Uncovered
from gdl.core.nodes import ForEach, GroupsOf, RangeOf, Repeat, SitesOf, Slot, most_rounds
from interpreter.native.emit.blocks import Label
from interpreter.native.emit.ir import Function
from interpreter.native.emit.kinds import I1, I16, I64, Address, Bit, Integer, Word
from interpreter.native.emit.values import Number, Sites
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.memory.fields import Field

_MOST_GROUP_BYTES = 1 << 18
_MOST_COMPARED = 1024
"""How many bytes of a field are compared entry by entry."""

Leave = Callable[[Bit], None]
"""Writes that the loop is left unless a condition (i1) holds."""

Round = Callable[[Place, Leave], None]
"""Writes how a round begins; the code of the body comes next."""

Room = Callable[[Place], Address]
"""Returns the address of something that a loop keeps."""


class Rounds:
    """Writes the rounds of loops."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._sets = expressions.sets
        self._layout = expressions.layout

    def _room(self, f: Function | None, bits: int, count: int = 1) -> Room:
        """Return room for some values, in variables of a function or (None) in the frame."""
        if f is not None:
            address = f.room(f"[{count} x i{bits}]")
            return lambda p: address
        field = self._layout.add(bits, count)
        return lambda p: field.at(p.f, p.frame)

    # ------------------------------------------------------------------ for each

    def each(self, p: Place, statement: ForEach) -> Round:
        """Write what the frame keeps before the first round: the elements that are left."""
        slot, domain = statement.slot, statement.domain
        if isinstance(domain, SitesOf):
            return self._sites(p, slot, domain)
        if isinstance(domain, RangeOf):
            return self._numbers(p, slot, domain)
        return self.groups(p, slot, domain, None)

    def _sites(self, p: Place, slot: Slot, domain: SitesOf) -> Round:
        sites = self._expressions.sites(p, domain.sites)
        listed = self._sets.indices(p.f, sites)
        if listed is not None:
            return self._listed(p, slot, listed)
        rest = self._layout.add_set()
        self._expressions.store(p, sites, rest.at(p.f, p.frame))

        def next_(p: Place, leave_unless: Leave) -> None:
            f, sets = p.f, self._sets
            address = rest.at(f, p.frame)
            left = sets.read(f, address)
            leave_unless(sets.some(f, left))
            first = sets.first(f, left)
            self._expressions.store(p, sets.difference(f, left, first), address)
            self._expressions.write(p, slot, sets.one(sets.index(f, first), is_there=True))

        return next_

    def _listed(self, p: Place, slot: Slot, listed: tuple[Word, ...]) -> Round:
        """A list of indices is kept in the frame, and how many of them are done."""
        count = len(listed)
        entries, done = self._layout.add(16, max(1, count)), self._layout.add(16)
        for place, index in enumerate(listed):
            narrow = p.f.convert("trunc", I64, index, I16)
            p.f.put(I16, narrow, p.f.at(p.frame, entries.offset + 2 * place))
        done.put(p.f, 0, p.frame)

        def next_(p: Place, leave_unless: Leave) -> None:
            f = p.f
            address, found = done.at(f, p.frame), f.variable(I16)
            with f.loop(count) as loop:
                number = f.get(I16, address)
                leave_unless(f.compare("ult", I16, number, count))
                f.put(I16, f.binary("add", I16, number, 1), address)
                offset = f.binary("mul", I64, f.convert("zext", I16, number, I64), 2)
                index = f.get(I16, f.at(entries.at(f, p.frame), offset))
                f.put(I16, index, found)
                f.leave_if(f.compare("sge", I16, index, 0), loop.done)
            site = f.unsigned(I16, found)
            self._expressions.write(p, slot, self._sets.one(site, is_there=True))

        return next_

    def _numbers(self, p: Place, slot: Slot, domain: RangeOf) -> Round:
        self.refuse_long_range(p, domain)
        low, high = self._layout.add(64), self._layout.add(64)
        low.put(p.f, self._expressions.word_within(p, domain.low), p.frame)
        high.put(p.f, self._expressions.word_within(p, domain.high), p.frame)

        def next_(p: Place, leave_unless: Leave) -> None:
            f = p.f
            address = low.at(f, p.frame)
            now, last = f.get(I64, address), high.get(f, p.frame)
            leave_unless(f.compare("sle", I64, now, last))
            is_last = f.compare("eq", I64, now, last)
            f.put(I64, f.select(is_last, I64, 1, f.binary("add", I64, now, 1)), address)
            with f.when(is_last):
                high.put(f, "0", p.frame)
            found = self._expressions.ranges.of_slot(slot)
            self._expressions.write(p, slot, Number(Integer(now), found))

        return next_

    def refuse_long_range(self, p: Place, domain: SitesOf | RangeOf) -> None:
        """Write that a loop over more numbers than there may be rounds fails."""
        if isinstance(domain, SitesOf):
            return
        f, ranges = p.f, self._expressions.ranges
        limit = most_rounds(self._sets.size)
        if ranges.of(domain.high).high - ranges.of(domain.low).low < limit:
            return
        low, high = self._expressions.word(p, domain.low), self._expressions.word(p, domain.high)
        is_long = f.compare("uge", I64, f.binary("sub", I64, high, low), limit)
        some = f.compare("sle", I64, low, high)
        c.refuse(f, p.world, f.binary("and", I1, some, is_long), c.RULES_FAIL)

    def groups(self, p: Place, slot: Slot, domain: GroupsOf, f: Function | None) -> Round:
        """Write all groups one after the other before the first round, since the body may change
        them: into variables of a function, or (None) the frame."""
        sets = self._sets
        if sets.size * sets.bytes > _MOST_GROUP_BYTES:
            raise Uncovered("statements for each group of a set, on a board of this size")
        groups = self._room(f, sets.bits, sets.size)
        count, done = self._room(f, 64), self._room(f, 64)
        p.f.put(I64, 0, count(p))
        p.f.put(I64, 0, done(p))

        def store(inner: Place, after: Label) -> None:
            group = inner.bound[slot]
            assert isinstance(group, Sites), "a group is a set"
            offset = inner.f.binary("mul", I64, inner.f.get(I64, count(p)), sets.bytes)
            sets.write(inner.f, group, inner.f.at(groups(p), offset))
            inner.f.add(I64, 1, count(p))

        self._expressions.over(p, slot, domain, store)

        def next_(p: Place, leave_unless: Leave) -> None:
            now = p.f.get(I64, done(p))
            leave_unless(p.f.compare("slt", I64, now, p.f.get(I64, count(p))))
            p.f.put(I64, p.f.binary("add", I64, now, 1), done(p))
            offset = p.f.binary("mul", I64, now, sets.bytes)
            self._expressions.write(p, slot, sets.read(p.f, p.f.at(groups(p), offset)))

        return next_

    # -------------------------------------------------------------------- repeat

    def repeat(self, p: Place, statement: Repeat, f: Function | None = None) -> Round:
        """Write what is kept before the first round: how many were made, and what is compared.

        It is kept in variables of a function, or (None) in the frame. Each round is work, since
        short loops have no looks.
        """
        made, bound = self._room(f, 64), self._room(f, 64)
        watched = [(slot, self._layout.fields[slot]) for slot in statement.compared]
        earlier = [self._room(f, 8, field.bytes) for _, field in watched]
        p.f.put(I64, 0, made(p))
        if statement.mode == "times":
            assert statement.bound is not None, "`times` has a bound"
            most = self._expressions.word(p, statement.bound)
            c.refuse(p.f, p.world, p.f.compare("sgt", I64, most, statement.limit), c.RULES_FAIL)
            p.f.put(I64, most, bound(p))
            c.charge(p.f, p.world, p.f.select(p.f.compare("sgt", I64, most, 0), I64, most, 0))

        def next_(p: Place, leave_unless: Leave) -> None:
            f = p.f
            pairs = [
                (field, p.address(slot, field), copy(p))
                for (slot, field), copy in zip(watched, earlier, strict=True)
            ]
            now = f.get(I64, made(p))
            if statement.mode == "times":
                leave_unless(f.compare("slt", I64, now, f.get(I64, bound(p))))
            else:
                leave_unless(self._goes_on(p, statement, now, pairs))
                c.refuse(f, p.world, f.compare("sge", I64, now, statement.limit), c.RULES_FAIL)
                c.charge(f, p.world, 1)
            f.put(I64, f.binary("add", I64, now, 1), made(p))
            for field, source, copy in pairs:
                f.copy(source, copy, field.bytes)

        return next_

    def _goes_on(
        self,
        p: Place,
        statement: Repeat,
        made: Word,
        watched: list[tuple[Field[Any], Address, Address]],
    ) -> Bit:
        """Return whether there is another round after those `made`."""
        f = p.f
        if statement.bound is not None:
            holds = self._expressions.flag(p, statement.bound)
            if statement.mode == "while":
                return holds
            return f.binary("or", I1, f.compare("eq", I64, made, 0), f.is_not(holds))
        result = f.compare("eq", I64, made, 0)
        for field, now, before in watched:
            if field.bytes > _MOST_COMPARED:
                differs = f.memory_differs(now, before, field.bytes)
                result = f.binary("or", I1, result, differs)
                continue
            for offset in range(0, field.bytes, field.entry_bytes):
                a = f.get(field.type, f.at(now, offset))
                changed = f.compare("ne", field.type, a, f.get(field.type, f.at(before, offset)))
                result = f.binary("or", I1, result, changed)
        return result
