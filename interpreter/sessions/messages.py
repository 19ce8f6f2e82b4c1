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


def made_text(before: Position, move: Move, after: Position) -> str:
    """Return who has made a move, and what it took off the board."""
    effect, takes = effect_text(before, move, before, after), mover_does(before, "takes")
    is_taken = effect.lower().startswith(takes.lower())
    done = (
        f" and {verb_of([before.mover], 'takes')}{effect[len(takes) :]}"
        if is_taken
        else f". {effect}".rstrip()
    )
    return f"{mover_does(before, 'plays')} {move}{done}"


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
