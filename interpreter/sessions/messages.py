"""What is to be told, in a line: of a move that somebody else has made, of what went wrong.

In: the positions before and after a move, or an error. Out: texts.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.diagnostic import GameError
from gdl.interpreter.english import verb_of
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Position
from gdl.interpreter.positions.position_text import mover_does
from gdl.interpreter.sessions.effects import effect_text
from gdl.visible import visible_line

MOST_TOLD = 8
"""How many moves of chance in a row are told one by one."""


DOES_IT_AGAIN = "`redo` does it again."
MOST_STEPS = 8
"""How many moves that a side makes running are told as one."""


def begun(positions: Sequence[Position], number: int) -> int:
    """Return with which move the entry begins that a move belongs to, each by how many come before.

    What a side makes running is one entry, up to `MOST_STEPS`; in a puzzle, each move is one.
    """
    start = number
    while start and _goes_on(positions[start - 1], positions[start]):
        start -= 1
    return number - (number - start) % MOST_STEPS


def _goes_on(one: Position, other: Position) -> bool:
    """Return whether the same player moves in two positions, for the same side."""
    is_puzzle = len(one.rules.sides) == 1
    return (
        one.seat is not None and (one.seat, one.side) == (other.seat, other.side) and not is_puzzle
    )


def made_text(before: Position, move: Move, after: Position, *, is_own: bool = False) -> str:
    """Return who has made a move, and what it took off the board; of an own one only that."""
    effect, takes = effect_text(before, move, before, after), mover_does(before, "takes")
    if is_own:
        return effect
    is_taken = effect.lower().startswith(takes.lower())
    done = (
        f" and {verb_of([before.mover], 'takes')}{effect[len(takes) :]}"
        if is_taken
        else f". {effect}".rstrip()
    )
    return f"{mover_does(before, 'plays')} {move}{done}"


def told_on(
    said: Sequence[str], told: str, positions: Sequence[Position], moves: Sequence[Move]
) -> Sequence[str]:
    """Return what was said with that the last move was made.

    If the one before it was made by the same side and came to nothing, both are told in a sentence.
    """
    number = len(moves) - 1
    if said and number and begun(positions, number) < number:
        who = f"{mover_does(positions[number], 'plays')} "
        if told.startswith(who) and said[-1].endswith(f"{moves[number - 1]}."):
            return (*said[:-1], f"{said[-1][:-1]}, {told.removeprefix(who)}")
    return (*said, told)


def taken_back_text(number: int, positions: Sequence[Position]) -> str:
    """Return that so many moves were taken back, and how many are left of the turn that began."""
    last = len(positions) - 1
    left = last - begun(positions, last)
    more = f" {left} more of this turn can be taken back, too." if left else ""
    return f"Took back {number} move{'' if number == 1 else 's'}. {DOES_IT_AGAIN}{more}"


def trouble(problem: Exception) -> str:
    """Return what went wrong and the ways out, as sentences without codes and places.

    >>> from gdl.diagnostic import Diagnostic
    >>> trouble(GameError([Diagnostic("file-gone", "It is gone.", None, "Take\\nanother.")]))
    'It is gone. Take another.'
    """
    found = problem.diagnostics if isinstance(problem, GameError) else ()
    if isinstance(problem, RuleError):
        found = (problem.diagnostic,)
    told = f"{found[0].message} {found[0].hint}" if found else str(problem)
    more = f" And {len(found) - 1} more." if len(found) > 1 else ""
    return visible_line(" ".join(told.split()) + more)


def chance_text(made: Sequence[Move], before: Position, after: Position) -> str:
    """Return what chance has done between two positions; of many moves in a row, how many."""
    if len(made) <= MOST_TOLD:
        return f"Chance: {', '.join(map(str, made))}"
    return f"Chance: {dealt_text(len(made), before, after)}"


def dealt_text(number: int, before: Position, after: Position) -> str:
    """Return what so many moves of chance have done, where there are too many to tell them."""
    come = sum(map(len, after.piles().values())) - sum(map(len, before.piles().values()))
    return f"{number} {'pieces dealt' if come == number else 'draws'}"


def exchange_text(before: Position, after: Position) -> str:
    """Return which seat plays which side now, if that is another one than before; else nothing."""
    sides = after.rules.sides
    if all(before.seat_of(side) == after.seat_of(side) for side in sides):
        return ""
    told = (f"seat {after.seat_of(side)} plays {side}" for side in sides)
    return f"Seats have exchanged sides: {', '.join(told)} now."
