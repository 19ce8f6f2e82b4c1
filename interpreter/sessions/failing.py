"""The moves that lead to where rules fail, where what failed does not know them.

In: a position, and what fails somewhere behind it. Out: the same failure, with moves. What then
holds: no game that leads from the position to a failure is shorter.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from gdl.diagnostic import Span
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Position
from gdl.interpreter.sessions.notation import spelled

_MOST_POSITIONS = 50_000
_MOST_SECONDS = 3.0


@contextmanager
def led_from(position: Position) -> Iterator[None]:
    """Add to a RuleError that tells no moves those of a short game that fails, if one is found."""
    try:
        yield
    except RuleError as error:
        found = None if error.moves is not None else _failure(position)
        is_same = found is not None and _place(found) == _place(error)
        raise (found if found is not None and is_same else error) from None


def _place(error: RuleError) -> tuple[str, Span | None]:
    return error.diagnostic.code, error.diagnostic.span


def _failure(start: Position) -> RuleError | None:
    """Return how the rules fail soonest, with the moves; None if that is not soon."""
    pending: deque[tuple[Position, tuple[str, ...]]] = deque([(start, ())])
    seen = {start}
    end = time.monotonic() + _MOST_SECONDS
    while pending and len(seen) < _MOST_POSITIONS and time.monotonic() < end:
        position, made = pending.popleft()
        move = None
        try:
            for move in () if position.over else position.moves():
                after = position.after(move)
                if after not in seen:
                    seen.add(after)
                    pending.append((after, (*made, spelled(move, position))))
        except RuleError as error:
            failing = None if move is None else spelled(move, position)
            return RuleError(error.diagnostic, made, error.move or failing)
    return None


# ---------------------------- the moves that lead to where rules fail, from the beginning of a game


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
