"""What is to be told, in a line: of a move that somebody else has made, of what went wrong.

In: the positions before and after a move, or an error. Out: texts.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.diagnostic import GameError
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Position
from gdl.interpreter.positions.position_text import mover_does
from gdl.interpreter.sessions.effects import effect_text
from gdl.visible import visible_line

_MOST_TOLD = 8  # moves of chance in a row


def made_text(before: Position, move: Move, after: Position) -> str:
    """Return who has made a move, and what it took off the board."""
    effect, takes = effect_text(before, move, before, after), mover_does(before, "takes")
    is_taken = effect.lower().startswith(takes.lower())
    done = f" and takes{effect[len(takes) :]}" if is_taken else f". {effect}".rstrip()
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


def chance_text(made: Sequence[Move]) -> str:
    """Return what chance has done, of many moves in a row the first.

    >>> chance_text([Move((number,), str(number)) for number in range(9)])
    'Chance: 0, 1, 2, 3, 4, 5, 6, 7 and 1 more'
    """
    more = f" and {len(made) - _MOST_TOLD} more" if len(made) > _MOST_TOLD else ""
    return f"Chance: {', '.join(map(str, made[:_MOST_TOLD]))}{more}"


def exchange_text(before: Position, after: Position) -> str:
    """Return which seat plays which side now, if that is another one than before; else nothing."""
    sides = after.rules.sides
    if all(before.seat_of(side) == after.seat_of(side) for side in sides):
        return ""
    told = (f"seat {after.seat_of(side)} plays {side}" for side in sides)
    return f"Seats have exchanged sides: {', '.join(told)} now."
