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

from gdl.analysis.both_sides import BothSides, for_both
from gdl.analysis.exchanged_slots import exchanged_by_name
from gdl.core.nodes import Block, Program
from gdl.core.renaming import Renaming
from gdl.core.walk import block_expressions, filled_slots, read_slots

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
    return _with_later_blocks(program, dict.fromkeys(mirrors, ()))


def with_later(program: Program, mirrors: Mirrors) -> tuple[Program, Mirrors]:
    """Return a program with the turns that are made from others, and what is so for both sides."""
    found, blocks = {}, {}
    for number, mirror in mirrors.items():
        first = program.phases[number].turns[0].program
        blocks[number], found[number] = _later_block(mirror, first)
    return _with_later_blocks(program, blocks), found


def _with_later_blocks(program: Program, blocks: Mapping[int, Block]) -> Program:
    """Return a program with these blocks for the later side, by the numbers of phases."""
    phases = list(program.phases)
    for number, block in blocks.items():
        first, second = phases[number].turns
        phases[number] = replace(phases[number], turns=(first, replace(second, program=block)))
    return replace(program, phases=tuple(phases)) if blocks else program


def _looks_ahead(program: Program, compared: Collection[int]) -> bool:
    """Return whether a program looks ahead in what has not been compared."""
    parts = [node for turn in program.turns for one in turn.clauses for node in one.expressions]
    parts += [node for memory in program.memories for node in memory.key]
    for number, phase in enumerate(program.phases):
        if number not in compared:
            parts += [node for turn in phase.turns for node in block_expressions(turn.program)]
    return any(node.looks_ahead for node in parts)


def _later_block(before: BothSides, block: Block) -> tuple[Block, BothSides]:
    """Return the later side's block for the earlier one's, which passes may have changed.

    Also return what the earlier one is for both sides; `before` is what was known before that.
    """
    used = {*read_slots(block), *filled_slots(block)}
    own = [slot for slot in filled_slots(block) if not slot.is_state]
    variables = {a: before.variables.get(a) or replace(a) for a in own}  # passes may have made some
    exchanged = {a: b for a, b in before.exchanged.items() if a in used or b in used}
    names = {**before.exchanged, **before.variables, **variables}
    later = Renaming(names, before.decisions.__getitem__).block(block)
    return later, replace(before, block=block, exchanged=exchanged, variables=variables)
