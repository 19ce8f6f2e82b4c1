"""The code of statements without decisions, and of the rounds of all loops.

In: statements, and the place where code is written. Out: instructions, in a function that
returns whether a search is to stop. What then holds: a value that does not fit into its slot, or
a loop that does not end, is an error in the world, and the function returns at once.

Where something is decided in a loop, each round is a call, and each frame keeps which rounds are
left to it, so those that continue different ways of one round don't meet. Other loops keep that in
variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from gdl.analysis.ranges import Uncovered
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    Domain,
    Expression,
    ForEach,
    Get,
    GroupsOf,
    Op,
    RangeOf,
    Repeat,
    SitesOf,
    Slot,
    Statement,
    most_rounds,
)
from gdl.core.types import FRACTION
from gdl.interpreter.native.emit.arithmetic import to_range
from gdl.interpreter.native.emit.ir import Function, width_of
from gdl.interpreter.native.emit.kinds import (
    FALSE,
    I1,
    I16,
    I64,
    TRUE,
    Address,
    Bit,
    Integer,
    Word,
    integer,
)
from gdl.interpreter.native.emit.values import Number, Sites, Value
from gdl.interpreter.native.expressions.expressions import Expressions
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.memory.fields import Field
from gdl.interpreter.native.sets.arrays import ArraySets

_MOST_GROUP_BYTES = 1 << 18
_MOST_COMPARED = 1024
"""How many bytes of a field are compared entry by entry."""

_Watched = tuple[Field[Any], Address, Address]
"""A field, where it lies now, and where it was copied to before the last round."""

Leave = Callable[[Bit], None]
"""Writes that the loop is left unless a condition (i1) holds."""

Round = Callable[[Place, Leave], None]
"""Writes how a round begins; the code of the body comes next."""


class Effects:
    """Writes statements without decisions. `best` is the slot of which the most is kept."""

    def __init__(self, expressions: Expressions, best: Slot | None) -> None:
        self.expressions = expressions
        self.layout = expressions.layout
        self.rounds = Rounds(expressions)
        self._sets = expressions.sets
        self._best = best

    def effect(self, p: Place, statement: Statement) -> None:
        """Write a statement without decisions."""
        p.f.note(statement.span)
        counters = self.expressions.counters
        match statement:
            case Assign() | AssignAt() if counters is not None:
                write = partial(self._changed, p, statement)
                counters.effect(p, statement, self.layout, self.expressions.read, write)
            case Assign() | AssignAt():
                self._changed(p, statement)
            case Branch(_, condition, then, otherwise):
                holds = self.expressions.flag(p, condition)
                for block in p.f.either(holds, then, otherwise):
                    self.effects(p, block)
            case ForEach():
                self._each(p, statement)
            case Repeat():
                begin = self.rounds.repeat(p, statement, p.f)
                self._again(p, statement.body, begin, statement.limit)

    def effects(self, p: Place, block: Block) -> None:
        """Write statements without decisions."""
        counters = self.expressions.counters
        if counters is not None:
            counters.effects(p, block, partial(self.effect, p))
            return
        for statement in block:
            self.effect(p, statement)

    def _changed(self, p: Place, statement: Assign | AssignAt) -> None:
        if isinstance(statement, Assign):
            self._assign(p, statement)
        else:
            self._assign_at(p, statement)

    def _assign(self, p: Place, statement: Assign) -> None:
        slot = statement.slot
        if self._change_in_place(p, statement):
            return
        value = self._fitted(p, slot, self.expressions.value(p, statement.value))
        if slot is self._best:
            self.layout.has_best.put(p.f, 1, p.frame)
        self.expressions.write(p, slot, value)

    def _change_in_place(self, p: Place, statement: Assign) -> bool:
        """Write that some sites are put into a set or taken out of it, if that is all there is."""
        sets = self._sets
        if not isinstance(sets, ArraySets) or statement.slot in self.layout.singles:
            return False
        match statement.value:
            case Op("union" | "difference" as name, (Get(slot), of)) if slot is statement.slot:
                changed = self.expressions.sites(p, of)
                listed = sets.indices(p.f, changed)
                if listed is None:
                    before = self.expressions.sites(p, Get(slot))
                    is_union = name == "union"
                    new = (
                        sets.union(p.f, [before, changed])
                        if is_union
                        else sets.difference(p.f, before, changed)
                    )
                    self.expressions.write(p, slot, new)
                    return True
                trails = sets.trails
                change = trails.add if name == "union" else trails.drop
                address = p.address(slot, self.layout.fields[slot])
                for index in listed:
                    change(p.f, p.world, address, index, takes_back=p.takes_back)
                return True
        return False

    def _fitted(self, p: Place, slot: Slot, value: Value) -> Value:
        """Write the test that a number fits into its slot; return it.

        In a turn that is looked at although the game would be over, it stays at its bound.
        """
        if not isinstance(value, Number) or not slot.type.is_numeric:
            return value
        limits = self.expressions.ranges.limits_of(slot)
        if slot.type == FRACTION:
            limits = self.layout.fields[slot].range or limits
        bounds = value.range
        both = limits.hull(bounds)
        wanted, found = limits.scaled(both.denominator), bounds.scaled(both.denominator)
        if wanted.low <= found.low and found.high <= wanted.high:
            return value
        f, type_ = p.f, integer(width_of(both))
        register = to_range(f, value, both)
        below = f.compare("slt", type_, register, wanted.low)
        above = f.compare("sgt", type_, register, wanted.high)
        does_not_fit = f.binary("or", I1, below, above)
        has_bounds = slot.low is not None or slot.high is not None
        if not self.expressions.looks_ahead or not has_bounds:
            w.refuse(f, p.world, does_not_fit, w.RULES_FAIL)
            return value
        with f.when(does_not_fit), f.unless(f.call(I1, f"@is_past_end(ptr {p.world})")):
            w.fail(f, p.world, w.RULES_FAIL)
            f.give(f.nothing)
        within = f.select(above, type_, wanted.high, f.select(below, type_, wanted.low, register))
        return Number(within, both)

    def _assign_at(self, p: Place, statement: AssignAt) -> None:
        f, slot = p.f, statement.slot
        field = self.layout.fields[slot]
        value = self._fitted(p, slot, self.expressions.value(p, statement.value))
        with self._sets.each(f, self.expressions.sites(p, statement.sites)) as loop:
            offset = f.binary("mul", I64, loop.index, field.entry_bytes)
            address = f.at(p.address(slot, field), offset)
            self.expressions.write_field(f, field, slot, value, address)

    def _each(self, p: Place, statement: ForEach) -> None:
        slot, domain = statement.slot, statement.domain
        if isinstance(domain, GroupsOf):
            self._again(p, statement.body, self.rounds.groups(p, statement, domain, p.f))
            return

        self.rounds.refuse_long_range(p, domain)
        counters, f = self.expressions.counters, p.f
        some = None if counters is None else f.variable(I1, FALSE)
        with self.expressions.each_of(p, slot, domain) as (inner, _):
            if some is not None:
                f.put(I1, TRUE, some)
            self.expressions.write(p, slot, self._fitted(p, slot, inner.bound[slot]))
            self.effects(p, statement.body)
        if counters is not None and some is not None:
            counters.elements(p, statement, f.get(I1, some))

    def _again(self, p: Place, body: Block, begin: Round, most: int | None = None) -> None:
        with p.f.loop(most) as loop:
            begin(p, lambda goes_on: p.f.need(goes_on, loop.done))
            self.effects(p, body)


class Rounds:
    """Writes the rounds of loops: what is kept before the first, and how each begins.

    It is kept in variables of a function `f`, or (None) in the frame.
    """

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._sets = expressions.sets
        self._layout = expressions.layout

    def _room(self, f: Function | None, bits: int, count: int = 1) -> Callable[[Place], Address]:
        """Make room for some values; return what returns its address."""
        if f is not None:
            address = f.room(f"[{count} x i{bits}]")
            return lambda p: address
        field = self._layout.add(bits, count)
        return lambda p: field.at(p.f, p.frame)

    def begin(self, p: Place, statement: ForEach | Repeat) -> Round:
        """Write what the frame keeps before the first round, such as the elements that are left."""
        if isinstance(statement, Repeat):
            return self.repeat(p, statement)
        slot, domain = statement.slot, statement.domain
        if isinstance(domain, SitesOf):
            sites = self._expressions.sites(p, domain.sites)
            if self._expressions.counters is not None:
                some = self._sets.some(p.f, sites)
                self._expressions.counters.elements(p, statement, some)
            listed = self._sets.indices(p.f, sites)
            return self._sites(p, slot, sites) if listed is None else self._listed(p, slot, listed)
        if isinstance(domain, RangeOf):
            return self._numbers(p, statement, domain)
        return self.groups(p, statement, domain)

    def _sites(self, p: Place, slot: Slot, sites: Sites) -> Round:
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

    def _numbers(self, p: Place, statement: ForEach, domain: RangeOf) -> Round:
        slot = statement.slot
        self.refuse_long_range(p, domain)
        low, high = self._layout.add(64), self._layout.add(64)
        low.put(p.f, self._expressions.word_within(p, domain.low), p.frame)
        high.put(p.f, self._expressions.word_within(p, domain.high), p.frame)
        if self._expressions.counters is not None:
            ends = low.get(p.f, p.frame), high.get(p.f, p.frame)
            some = p.f.compare("sle", I64, *ends)
            self._expressions.counters.elements(p, statement, some)

        def next_(p: Place, leave_unless: Leave) -> None:
            f = p.f
            address = low.at(f, p.frame)
            now, last = f.get(I64, address), high.get(f, p.frame)
            leave_unless(f.compare("sle", I64, now, last))
            is_last = f.compare("eq", I64, now, last)
            f.put(I64, f.select(is_last, I64, 1, f.binary("add", I64, now, 1)), address)
            with f.when(is_last):
                high.put(f, 0, p.frame)
            found = self._expressions.ranges.of_slot(slot)
            self._expressions.write(p, slot, Number(Integer(now), found))

        return next_

    def refuse_long_range(self, p: Place, domain: Domain) -> None:
        """Write that a loop over more numbers than there may be rounds fails."""
        f, ranges, limit = p.f, self._expressions.ranges, most_rounds(self._sets.size)
        if not isinstance(domain, RangeOf):
            return
        if ranges.of(domain.high).high - ranges.of(domain.low).low < limit:
            return
        low, high = self._expressions.word(p, domain.low), self._expressions.word(p, domain.high)
        is_long = f.compare("uge", I64, f.binary("sub", I64, high, low), limit)
        some = f.compare("sle", I64, low, high)
        w.refuse(f, p.world, f.binary("and", I1, some, is_long), w.RULES_FAIL)

    def groups(
        self, p: Place, statement: ForEach, domain: GroupsOf, f: Function | None = None
    ) -> Round:
        """Write all groups before the first round, since the body may change them."""
        sets, slot = self._sets, statement.slot
        if sets.size * sets.bytes > _MOST_GROUP_BYTES:
            raise Uncovered(
                f"statements for each group of a set, on a board of {sets.size:,} sites"
            )
        groups = self._room(f, sets.bits, sets.size)
        count, done = self._room(f, 64), self._room(f, 64)
        p.f.put(I64, 0, count(p))
        p.f.put(I64, 0, done(p))

        with self._expressions.each_of(p, slot, domain) as (inner, _):
            group = inner.bound[slot]
            assert isinstance(group, Sites), "a group is a set"
            offset = p.f.binary("mul", I64, p.f.get(I64, count(p)), sets.bytes)
            sets.write(p.f, group, p.f.at(groups(p), offset))
            p.f.add(I64, 1, count(p))
        if self._expressions.counters is not None:
            some = p.f.compare("ne", I64, p.f.get(I64, count(p)), 0)
            self._expressions.counters.elements(p, statement, some)

        def next_(p: Place, leave_unless: Leave) -> None:
            now = p.f.get(I64, done(p))
            leave_unless(p.f.compare("slt", I64, now, p.f.get(I64, count(p))))
            p.f.put(I64, p.f.binary("add", I64, now, 1), done(p))
            offset = p.f.binary("mul", I64, now, sets.bytes)
            self._expressions.write(p, slot, sets.read(p.f, p.f.at(groups(p), offset)))

        return next_

    def repeat(self, p: Place, statement: Repeat, f: Function | None = None) -> Round:
        """Write what is kept before the first round: how many were made, and what is compared.

        Each round is work, since short loops have no looks.
        """
        made, bound = self._room(f, 64), self._room(f, 64)
        fields = self._layout.fields
        earlier = {slot: self._room(f, 8, fields[slot].bytes) for slot in statement.compared}
        p.f.put(I64, 0, made(p))
        if statement.mode == "times":
            assert statement.bound is not None, "`times` has a bound"
            most = self._expressions.word(p, statement.bound)
            w.refuse(p.f, p.world, p.f.compare("sgt", I64, most, statement.limit), w.RULES_FAIL)
            p.f.put(I64, most, bound(p))
            w.charge(p.f, p.world, p.f.select(p.f.compare("sgt", I64, most, 0), I64, most, 0))

        def next_(p: Place, leave_unless: Leave) -> None:
            f = p.f
            watched = [
                (fields[slot], p.address(slot, fields[slot]), copy(p))
                for slot, copy in earlier.items()
            ]
            now = f.get(I64, made(p))
            if statement.mode == "times":
                leave_unless(f.compare("slt", I64, now, f.get(I64, bound(p))))
            else:
                leave_unless(self._goes_on(p, statement, now, watched))
                w.refuse(f, p.world, f.compare("sge", I64, now, statement.limit), w.RULES_FAIL)
                w.charge(f, p.world, 1)
            f.put(I64, f.binary("add", I64, now, 1), made(p))
            for field, present, before in watched:
                f.copy(present, before, field.bytes)

        return next_

    def _goes_on(self, p: Place, statement: Repeat, made: Word, watched: Iterable[_Watched]) -> Bit:
        """Return whether there is another round after those `made`."""
        f = p.f
        if statement.bound is not None and self._expressions.counters is not None:
            return self._asked_in_time(p, statement, statement.bound, made)
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

    def _asked_in_time(self, p: Place, statement: Repeat, bound: Expression, made: Word) -> Bit:
        """Return whether there is another round; `until` is not asked before the first."""
        f = p.f
        goes_on = f.variable(I1, TRUE)
        is_asked = TRUE if statement.mode == "while" else f.compare("ne", I64, made, 0)
        with f.when(is_asked):
            holds = self._expressions.flag(p, bound)
            f.put(I1, holds if statement.mode == "while" else f.is_not(holds), goes_on)
        return f.get(I1, goes_on)
