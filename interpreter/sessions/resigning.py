"""How a game ends that somebody gives up."""

from __future__ import annotations

from interpreter.evaluation.evaluator import Outcome
from interpreter.positions.position import Position


def given_up(position: Position, seat: int) -> Outcome:
    """Return how a game ends when a seat (from 1) gives it up: all others but its team win."""
    sides = position.rules.sides
    own_sides = (n for n, side in enumerate(sides) if position.seat_of(side) == seat)
    losing = position.rules.game.program.together(own_sides)
    winners = tuple(side for n, side in enumerate(sides) if n not in losing)
    seats = tuple(position.seat_of(side) for side in winners)
    return Outcome(winners, seats, is_puzzle=not winners)


def result_read(position: Position, text: str) -> Outcome | None:
    """Return how a game has ended by giving up, of which a record tells this result.

    It is None where the game has ended by itself, or nobody's giving up comes to that.
    """
    if not text or position.outcome is not None:
        return None
    seats = range(1, len(position.rules.sides) + 1)
    found = (given_up(position, seat) for seat in seats)
    return next((outcome for outcome in found if outcome.is_told_by(text)), None)
