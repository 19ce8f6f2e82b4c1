"""The moves that lead to where rules fail, from the beginning of a game.

In: a position, the moves that led to it, and what fails behind it. Out: the same failure, with all
moves. What then holds: they can be made one after the other from the first position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from interpreter.evaluation.evaluator import RuleError
from interpreter.evaluation.moves import Move
from interpreter.positions.position import Position
from interpreter.sessions.spelling import spelled


@contextmanager
def led_by(positions: Sequence[Position], moves: Sequence[Move]) -> Iterator[None]:
    """Add to a RuleError whose moves begin in the last position the moves that led to it.

    `positions` are one more than `moves`.
    """
    try:
        yield
    except RuleError as error:
        if error.moves is None:
            raise
        before = map(spelled, moves, positions)
        raise RuleError(error.diagnostic, (*before, *error.moves), error.move) from None


def led_to(
    position: Position, positions: Sequence[Position], moves: Sequence[Move]
) -> AbstractContextManager[None]:
    """Return `led_by` for one of these positions."""
    number = next(n for n, one in enumerate(positions) if one is position)
    return led_by(positions[: number + 1], moves[:number])
