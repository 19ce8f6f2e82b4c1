"""Turns of two sides that are the same but for whose pieces are whose: only one need be changed.

In: a program, as it was written. Out: the phases in which the later side's turn is the earlier
one's with slots exchanged; and, for a program after some passes, the later side's turn made from
the earlier one's. What then holds: it does what it would do had the passes changed it itself, for
none of them looks at one side's turn to change another's, but for `can`. Programs that ask for
that are left as they are.

Which slots are exchanged is guessed by their names, in which one side stands for the other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from gdl.analysis.exchanged import exchanged_by_name
from gdl.analysis.sides import BothSides, for_both
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Can,
    Choose,
    Decide,
    Expression,
    ForEach,
    Get,
    GetAt,
    Program,
    Repeat,
    Slot,
    Statement,
    Times,
)
from gdl.core.rebuild import with_blocks, with_expressions, with_parts
from gdl.core.walk import expressions_of, filled_slots, read_slots, statements_in

Mirrors = Mapping[int, BothSides]
"""What is so for both sides in the phases, by number, whose turns are one but for names."""


def mirrors_of(program: Program) -> Mirrors:
    """Return the phases of a program, as it was written, in which two turns are one but for names.

    There are none where the program looks ahead.
    """
    if any(len(phase.turns) != 2 for phase in program.phases):
        return {}
    exchanged, found = exchanged_by_name(program), {}
    for number, phase in enumerate(program.phases):
        first, second = (turn.program for turn in phase.turns)
        both = for_both(first, second, exchanged, exactly=True) if first else None
        if both is not None:
            found[number] = both
    return {} if found and _looks_ahead(program, found) else found


def without_later(program: Program, mirrors: Mirrors) -> Program:
    """Return a program in which the turns are empty that are made from others."""
    if not mirrors:
        return program
    phases = list(program.phases)
    for number in mirrors:
        first, second = phases[number].turns
        phases[number] = replace(phases[number], turns=(first, replace(second, program=())))
    return replace(program, phases=tuple(phases))


def with_later(program: Program, mirrors: Mirrors) -> tuple[Program, Mirrors]:
    """Return a program with the turns that are made from others, and what is so for both sides."""
    if not mirrors:
        return program, {}
    phases = list(program.phases)
    found = {}
    for number, mirror in mirrors.items():
        first, second = phases[number].turns
        later = _Later(mirror, first.program)
        second = replace(second, program=later.block(first.program))
        phases[number] = replace(phases[number], turns=(first, second))
        found[number] = later.both
    return replace(program, phases=tuple(phases)), found


def _looks_ahead(program: Program, compared: Collection[int]) -> bool:
    """Return whether a program looks ahead in what has not been compared."""
    parts = [node for turn in program.turns for one in turn.clauses for node in one.expressions]
    parts += [node for memory in program.memories for node in memory.key]
    for number, phase in enumerate(program.phases):
        if number not in compared:
            blocks = (turn.program for turn in phase.turns)
            parts += [n for b in blocks for s in statements_in(b) for n in expressions_of(s)]
    return any(node.looks_ahead for node in parts)


class _Later:
    """Makes the later side's turn from the earlier one's block, which passes may have changed.

    `both` is what that block is for both sides, of what was known of it before.
    """

    def __init__(self, before: BothSides, block: Block) -> None:
        used = {*read_slots(block), *filled_slots(block)}
        own = [slot for slot in filled_slots(block) if not slot.is_state]
        variables = {a: before.variables.get(a) or replace(a) for a in own}  # or a pass made it
        exchanged = {a: b for a, b in before.exchanged.items() if a in used or b in used}
        self.both = replace(before, block=block, exchanged=exchanged, variables=variables)
        self._names = {**before.exchanged, **before.variables, **variables}
        self._gets = {a: Get(b) for a, b in self._names.items() if a is not b}
        self._done: dict[int, Expression] = {}

    def block(self, block: Block) -> Block:
        """Return a block for the later side."""
        return tuple(map(self._statement, block))

    def _statement(self, statement: Statement) -> Statement:
        made = with_blocks(with_expressions(statement, self._expression), self.block)
        match made:
            case Assign(span, slot, value):
                return Assign(span, self._name(slot), value)
            case AssignAt() | ForEach():
                return replace(made, slot=self._name(made.slot))
            case Repeat():
                return replace(made, compared=tuple(map(self._name, made.compared)))
            case Choose(_, slot):
                partner = made.unordered_with
                return replace(
                    made,
                    slot=self._name(slot),
                    unordered_with=None if partner is None else self._name(partner),
                    decision=self.both.decisions[made.decision],
                )
            case Decide():
                return replace(made, decision=self.both.decisions[made.decision])
        return made

    def _name(self, slot: Slot) -> Slot:
        return self._names.get(slot, slot)

    def _expression(self, node: Expression) -> Expression:
        if isinstance(node, Get):
            return self._gets.get(node.slot, node)
        if node.free.isdisjoint(self._gets):
            return node
        found = self._done.get(id(node))
        if found is None:
            assert not isinstance(node, Times | Can), "turns that ask for other positions stay"
            found = with_parts(node, self._expression)
            if isinstance(found, GetAt):
                found = GetAt(self._name(found.slot), found.sites)
            self._done[id(node)] = found
        return found
