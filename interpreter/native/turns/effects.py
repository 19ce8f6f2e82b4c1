"""The code of statements without decisions: what a turn does to its frame.

In: statements, and the place where code is written. Out: instructions, in a function that
returns whether a search is to stop. What then holds: a value that does not fit into its slot, or
a loop that does not end, is an error in the world, and the function returns at once.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    ForEach,
    Get,
    GroupsOf,
    Op,
    Repeat,
    Slot,
    Statement,
)
from gdl.core.types import FRACTION
from interpreter.native.emit.arithmetic import to_range
from interpreter.native.emit.blocks import Label
from interpreter.native.emit.ir import width_of
from interpreter.native.emit.kinds import I1, I64, Integer, integer
from interpreter.native.emit.values import Number, Value
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.numbered_slots import OneForSlots, assigned_by_number
from interpreter.native.expressions.places import Place
from interpreter.native.expressions.repeated_statements import Stretch, stretches
from interpreter.native.memory import context as c
from interpreter.native.sets.arrays import ArraySets
from interpreter.native.turns.rounds import Round, Rounds


class Effects:
    """Writes statements without decisions. `best` is the slot of which the most is kept."""

    def __init__(self, expressions: Expressions, best: Slot | None) -> None:
        self.expressions = expressions
        self.layout = expressions.layout
        self.rounds = Rounds(expressions)
        self._sets = expressions.sets
        self._best = best

    # --------------------------------------------------------------------- effects

    def effect(self, p: Place, statement: Statement) -> None:
        """Write a statement without decisions."""
        p.f.note(statement.span)
        match statement:
            case Assign():
                self._assign(p, statement)
            case AssignAt():
                self._assign_at(p, statement)
            case Branch() if self._assign_one(p, statement):
                pass
            case Branch(_, condition, then, otherwise):
                holds = self.expressions.flag(p, condition)
                for block in p.f.either(holds, then, otherwise):
                    self.effects(p, block)
            case ForEach():
                self._each(p, statement)
            case Repeat():
                self._again(
                    p, statement.body, self.rounds.repeat(p, statement, p.f), statement.limit
                )

    def effects(self, p: Place, block: Block) -> None:
        """Write statements without decisions, those that are alike as a loop: LLVM reads less."""
        for stretch in stretches(block):
            if stretch.times == 1 or not self._rounds(p, stretch):
                for statement in stretch.statements:
                    self.effect(p, statement)

    def _rounds(self, p: Place, stretch: Stretch) -> bool:
        """Write a loop over statements that are alike, if their slots lie evenly spaced."""
        expressions = self.expressions
        for slots in stretch.series:
            if len(set(map(expressions.ranges.limits_of, slots))) > 1:
                return False
            if self._is_kept_otherwise(slots) or not expressions.are_evenly_spaced(p, slots):
                return False
        for slot in stretch.same:
            if slot not in p.bound:
                p = p.binding(slot, expressions.read(p, slot))
        with p.f.rounds(stretch.times) as loop:
            by_round = {
                slots[0]: expressions.offset_of_one(p, slots, loop.number)
                for slots in stretch.series
            }
            inner = replace(p, by_round={**p.by_round, **by_round})
            for slot in stretch.numbers:
                found = expressions.ranges.limits_of(slot)
                number = Number(Integer(p.f.binary("add", I64, loop.number, found.low)), found)
                inner = inner.binding(slot, number)
            for statement in stretch.first:
                self.effect(inner, statement)
        return True

    def _assign(self, p: Place, statement: Assign) -> None:
        slot = statement.slot
        if self._change_in_place(p, statement):
            return
        value = self.expressions.value(p, statement.value)
        self._test(p, slot, value)
        if slot is self._best:
            self.layout.has_best.put(p.f, "1", p.frame)
        self.expressions.write(p, slot, value)

    def _assign_one(self, p: Place, statement: Branch) -> bool:
        """Write what gives a value to the slot that a number tells, if that is all there is."""
        found = assigned_by_number(statement)
        if found is None:
            return False
        slots, value = found.target.slots, found.value
        told = (slots, value.slots) if isinstance(value, OneForSlots) else (slots,)
        if self._is_kept_otherwise(slots) or not all(
            self.expressions.are_evenly_spaced(p, each) for each in told
        ):
            return False
        number = self.expressions.word(p, Get(found.target.number))
        if isinstance(value, OneForSlots):
            new = self.expressions.value_for_one_of(p, value, number)
        else:
            new = self.expressions.value(p, value)
        self._test(p, slots[0], new)
        self.expressions.write_one_of(p, slots, number, new)
        return True

    def _is_kept_otherwise(self, slots: Collection[Slot]) -> bool:
        """Return whether putting a value into some slots is more than to write it."""
        return self._best in slots

    def _change_in_place(self, p: Place, statement: Assign) -> bool:
        """Write that some sites are put into a set or taken out of it, if that is all there is."""
        sets = self._sets
        if not isinstance(sets, ArraySets) or statement.slot in self.layout.singles:
            return False
        match statement.value:
            case Op("union" | "difference" as name, (Get(slot), of)) if slot is statement.slot:
                listed = sets.indices(p.f, self.expressions.sites(p, of))
                if listed is None:
                    return False
                address = p.address(slot, self.layout.fields[slot])
                change = sets.trails.add if name == "union" else sets.trails.drop
                for index in listed:
                    change(p.f, p.world, address, index)
                return True
        return False

    def _test(self, p: Place, slot: Slot, value: Value) -> None:
        """Write the test that a number fits into its slot."""
        if not isinstance(value, Number) or not slot.type.is_numeric:
            return
        field = self.layout.fields[slot]
        if slot.type == FRACTION:
            assert field.range is not None, "the field of a fraction has a range"
            limits = field.range
        else:
            limits = self.expressions.ranges.limits_of(slot)
        bounds = value.range
        both = limits.hull(bounds)
        wanted, found = limits.scaled(both.denominator), bounds.scaled(both.denominator)
        if wanted.low <= found.low and found.high <= wanted.high:
            return
        f = p.f
        register = to_range(f, value, both)
        type_ = integer(width_of(both))
        below = f.compare("slt", type_, register, wanted.low)
        above = f.compare("sgt", type_, register, wanted.high)
        c.refuse(f, p.world, f.binary("or", I1, below, above), c.RULES_FAIL)

    def _assign_at(self, p: Place, statement: AssignAt) -> None:
        f, sets = p.f, self._sets
        field = self.layout.fields[statement.slot]
        value = self.expressions.value(p, statement.value)
        self._test(p, statement.slot, value)
        with sets.each(f, self.expressions.sites(p, statement.sites)) as loop:
            offset = f.binary("mul", I64, loop.index, field.entry_bytes)
            address = f.at(p.address(statement.slot, field), offset)
            self.expressions.write_field(f, field, statement.slot, value, address)

    def _each(self, p: Place, statement: ForEach) -> None:
        slot, domain = statement.slot, statement.domain
        if isinstance(domain, GroupsOf):
            self._again(p, statement.body, self.rounds.groups(p, slot, domain, p.f))
            return

        def body(inner: Place, after: Label) -> None:
            self._test(p, slot, inner.bound[slot])
            self.expressions.write(p, slot, inner.bound[slot])
            self.effects(p, statement.body)

        self.rounds.refuse_long_range(p, domain)
        self.expressions.over(p, slot, domain, body)

    def _again(self, p: Place, body: Block, begin: Round, most: int | None = None) -> None:
        with p.f.loop(most) as loop:
            begin(p, lambda goes_on: p.f.need(goes_on, loop.done))
            self.effects(p, body)
