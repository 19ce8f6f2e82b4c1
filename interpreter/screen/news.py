"""What is to be told of a move that somebody else has made, in a line.

In: the positions before and after a move. Out: texts.
"""

from __future__ import annotations

from interpreter.evaluation.moves import Move
from interpreter.positions.position import Position
from interpreter.positions.position_text import mover_does


def made_text(before: Position, move: Move, after: Position) -> str:
    """Return who has made a move, and how many pieces of others it took off the board."""
    side = before.side
    lost = sum(layer.side != side for _, layer in before.occupied())
    lost -= sum(layer.side != side for _, layer in after.occupied())
    fewer = sum(1 for _ in before.occupied()) - sum(1 for _ in after.occupied())
    taken = min(lost, fewer)
    takes = f" and takes {'a piece' if taken == 1 else f'{taken} pieces'}" if taken > 0 else ""
    return f"{mover_does(before, 'plays')} {move}{takes}."


def exchange_text(before: Position, after: Position) -> str:
    """Return which seat plays which side now, if that is another one than before; else nothing."""
    sides = after.rules.sides
    if all(before.seat_of(side) == after.seat_of(side) for side in sides):
        return ""
    told = (f"seat {after.seat_of(side)} plays {side}" for side in sides)
    return f"Seats have exchanged sides: {', '.join(told)} now."
