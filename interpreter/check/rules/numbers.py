"""Numbers that a game doesn't come to, and numbers that a variable can't hold.

In: the program of a game, and the ranges that analysis finds for its numbers. Out: findings. What
then holds: a value that is told to be out of bounds is so whenever it is stored; a clause that is
told to be far off needs that many moves at least.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.analysis.number_ranges import NumberRanges
from gdl.analysis.ranges import Range, Uncovered
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Const,
    Expression,
    ForEach,
    Get,
    If,
    Op,
    Program,
    Repeat,
    Slot,
    Times,
)
from gdl.core.walk import program_statements, statements_in
from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from gdl.shared_work import shared
from interpreter.check.places import note, warning

MOST_MOVES = 2_000
"""Moves of a game that nobody plays to its end."""


@shared
def ranges_of(game: Game) -> NumberRanges:
    """Return the ranges of the numbers in a game's program, the same for all that ask for them."""
    return NumberRanges(game.program, game.board.size)


def range_in(ranges: NumberRanges, node: Expression) -> Range | None:
    """Return the range of a whole number; None if it is not known."""
    try:
        found = ranges.of(node)
    except (Uncovered, TypeError):
        return None
    return found if found.denominator == 1 else None


def check_numbers(game: Game) -> Iterator[Diagnostic]:
    """Yield what is stored out of bounds, then the clauses that are far off."""
    yield from _out_of_bounds(game)
    yield from _far_off(game.program)


def _out_of_bounds(game: Game) -> Iterator[Diagnostic]:
    ranges = ranges_of(game)
    told: set[Span] = set()
    for statement in program_statements(game.program):
        if not isinstance(statement, Assign | AssignAt) or statement.span in told:
            continue
        slot, span = statement.slot, statement.span
        if span is None or slot.span is None or slot.low is None or slot.high is None:
            continue
        found = range_in(ranges, statement.value)
        if found is not None and (found.low > slot.high or found.high < slot.low):
            told.add(span)
            number = f"{found.low}" if found.low == found.high else f"{found.low} to {found.high}"
            yield warning(
                "out-of-bounds",
                f"This stores {number} in `{slot.name}`, which holds {slot.low} to {slot.high}.",
                span,
                "Declare wider bounds, or store another number.",
                [("It is declared here.", slot.span)],
            )


# ----------------------------------------------------------------------- far off


def _far_off(program: Program) -> Iterator[Diagnostic]:
    slow = _slow_slots(program)
    moves: dict[Span, list[int]] = {}
    parts: dict[Span, list[int]] = {}
    for turn in program.turns:
        for ending in turn.endings:
            if ending.span is not None:
                needed = [_needed(part, slow) for part in _alternatives(ending.condition)]
                moves.setdefault(ending.span, []).append(min(needed))
                parts.setdefault(ending.span, []).append(max(needed))
    for span in moves:
        if min(parts[span]) > MOST_MOVES:
            is_all = min(moves[span]) > MOST_MOVES
            least = min(moves[span] if is_all else parts[span])
            what = "this" if is_all else "a part of this"
            yield note(
                "far-off",
                f"No game of fewer than {least:,} moves comes to {what}.",
                span,
                "See whether the number is the one that is meant.",
            )


def _alternatives(condition: Expression) -> Iterator[Expression]:
    if isinstance(condition, Op) and condition.name == "or":
        for part in condition.arguments:
            yield from _alternatives(part)
    else:
        yield condition


def _needed(condition: Expression, slow: set[Slot]) -> int:
    match condition:
        case Op("and", parts):
            return max(_needed(part, slow) for part in parts)
        case Op("or", parts):
            return min(_needed(part, slow) for part in parts)
        case Op("equal", (node, Const(value=int() as value))) if _is_slow(node, slow):
            return value
        case Op("not_more" | "less" as name, (Const(value=int() as value), node)):
            return value + (name == "less") if _is_slow(node, slow) else 0
    return 0


def _is_slow(node: Expression, slow: set[Slot]) -> bool:
    return isinstance(node, Times) or (isinstance(node, Get) and node.slot in slow)


def _slow_slots(program: Program) -> set[Slot]:
    """Return the numbers that grow by one a turn at most, from one or less."""
    system = program.system
    found = {slot for slot in (system.turns, system.passes) if slot is not None}
    values: dict[Slot, list[Expression]] = {}
    often: set[Slot] = set()
    for statement in program_statements(program):
        if isinstance(statement, Assign):
            values.setdefault(statement.slot, []).append(statement.value)
        elif isinstance(statement, AssignAt):
            often.add(statement.slot)
        elif isinstance(statement, Repeat | ForEach):
            inner = statements_in(statement.body)
            often |= {one.slot for one in inner if isinstance(one, Assign)}
    at_start = dict(zip(program.state, program.initial, strict=True))
    for slot, assigned in values.items():
        begins = at_start.get(slot)
        if slot in often or not isinstance(begins, int) or begins > 1:
            continue
        if all(_grows_slowly(value, slot) for value in assigned):
            found.add(slot)
    return found


def _grows_slowly(value: Expression, slot: Slot) -> bool:
    match value:
        case Const(value=int() as number):
            return number <= 1
        case Get(slot=same) if same == slot:
            return True
        case Op("add", (Get(slot=same), Const(value=int() as number))) if same == slot:
            return number <= 1
        case Op("add", (Const(value=int() as number), Get(slot=same))) if same == slot:
            return number <= 1
        case If():
            return _grows_slowly(value.then, slot) and _grows_slowly(value.otherwise, slot)
    return False
