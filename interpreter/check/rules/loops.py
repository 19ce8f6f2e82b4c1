"""Loops and counters without progress.

In: the program of a game. Out: findings. What then holds: no round of a loop that is told changes
what the loop asks for; a counter that is told is one more after each turn, whatever is played.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from gdl.core.nodes import Assign, AssignAt, Const, Expression, Get, Op, Program, Repeat, Slot
from gdl.core.walk import filled_slots, program_statements
from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from interpreter.check.places import note, warning


def endless_loops(game: Game) -> Iterator[Diagnostic]:
    """Yield the loops of which no round changes what is asked."""
    asked: dict[Span, list[bool]] = defaultdict(list)
    for statement in program_statements(game.program):
        if isinstance(statement, Repeat) and statement.span is not None:
            asked[statement.span].append(_is_endless(statement))
    for span, found in asked.items():
        if all(found):
            first = span.text.split("\n")[0].rstrip()
            yield warning(
                "endless-loop",
                "No round of this loop changes what it asks for, so that it never ends once it has"
                " gone on.",
                Span(span.source, span.start, span.start + len(first)),
                "Ask for something that the rounds change.",
            )


def _is_endless(loop: Repeat) -> bool:
    """Return whether a loop goes on, if it does after a round."""
    condition = loop.bound
    if loop.mode not in ("while", "until") or condition is None:
        return False
    if isinstance(condition, Const):
        return bool(condition.value) == (loop.mode == "while")
    return not condition.free & filled_slots(loop.body)


def counted_turns(game: Game) -> Iterator[Diagnostic]:
    """Yield the variables that are one more after each turn, whatever is played."""
    for slot in _growing(game.program):
        if slot.span is not None:
            name = slot.name.partition("(")[0]
            yield note(
                "counts-turns",
                f"`{name}` counts the turns: each adds one, and none sets it back.",
                slot.span,
                "Ask for `turns`; or set it back where that is meant.",
            )


def _growing(program: Program) -> list[Slot]:
    assignments: dict[Slot, int] = defaultdict(int)
    for statement in program_statements(program):
        if isinstance(statement, Assign | AssignAt):
            assignments[statement.slot] += 1
    turns = program.turns
    found = []
    for slot in program.state:
        adding = [
            sum(
                isinstance(s, Assign) and s.slot is slot and _is_one_more(s.value, slot)
                for s in turn.program
            )
            for turn in turns
        ]
        if all(number == 1 for number in adding) and assignments[slot] == len(turns):
            found.append(slot)
    return found


def _is_one_more(value: Expression, slot: Slot) -> bool:
    match value:
        case Op("add", (Get(same), Const(value=1))) | Op("add", (Const(value=1), Get(same))):
            return same is slot
    return False
