"""Making a game that shows something as short as can be.

In: a game, and what tells whether another one shows it too. Out: games with fewer and fewer moves
that show it. What then holds of a difference: its moves are legal, one after the other, for the
reference; if `is_shortest`, no game with fewer moves shows one, to the questions that found it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.verify.breadth import look_at_all
from gdl.interpreter.verify.deadline import Deadline, TimeUp, limited
from gdl.interpreter.verify.lockstep import Difference, Differs, Failed, Pair
from gdl.interpreter.verify.two_evaluators import TwoEvaluators

Made = TypeVar("Made")
Shown = TypeVar("Shown")
Tried = TypeVar("Tried")
_MOST_POSITIONS = 50_000
_SHARE_OF_CUTTING = 0.5


def made_shorter(
    game: Shown,
    tries: Callable[[Shown], Iterable[Tried]],
    shown: Callable[[Tried], Shown | None],
    limit: AbstractContextManager[Deadline],
) -> Shown:
    """Return a game made from the last one, as long as one that is tried shows the same in time.

    `tries` are made from a game; of each, `shown` is the game that it comes to, or None if that
    does not show what it should.

    >>> holds = lambda moves: moves if "b" in moves and "d" in moves else None
    >>> "".join(made_shorter(tuple("abcde"), shorter, holds, limited(60)))
    'bd'
    """
    best = game
    with suppress(TimeUp), limit as deadline:
        found: Shown | None = game
        while found is not None:
            best, found = found, None
            for one in tries(best):
                deadline.check()
                found = shown(one)
                if found is not None:
                    break
    return best


def shorter(moves: Sequence[Made]) -> Iterator[tuple[Made, ...]]:
    """Yield the moves without one stretch of them, the longest stretches first."""
    length = len(moves)
    while length:
        for start in range(0, len(moves) - length + 1, max(1, length // 2)):
            yield (*moves[:start], *moves[start + length :])
        length //= 2
    for first in range(len(moves)):
        for second in range(first + 1, len(moves)):
            yield (*moves[:first], *moves[first + 1 : second], *moves[second + 1 :])


# -------------------------------------------------------- a difference between two evaluators


def shrunk(lockstep: TwoEvaluators, difference: Difference, seconds: float) -> Difference:
    """Return the difference of the shortest game that can be found in some seconds."""
    if difference.kind == "playout":
        return difference
    again = _AsksAgain(lockstep, difference.kind, Deadline(seconds))
    limit = limited(seconds * _SHARE_OF_CUTTING)
    best = made_shorter(difference, _fewer, partial(_replayed, again), limit)
    with suppress(TimeUp), limited(seconds * (1 - _SHARE_OF_CUTTING)) as deadline:
        best = _shortest(again, best, deadline)
    return best


class _AsksAgain(TwoEvaluators):
    """Asks in each position what a kind of difference was found by."""

    def __init__(self, found_by: TwoEvaluators, kind: str, deadline: Deadline) -> None:
        super().__init__(found_by.first, found_by.second)
        self._kind, self._deadline = kind, deadline

    def look(self, pair: Pair) -> Sequence[Move]:
        """Return the legal moves, once all is equal that was asked. Raises TimeUp."""
        self._deadline.check()
        legal = super().look(pair)
        if self._kind == "perft":
            self.count(pair, 2)
        if self._kind == "settle":
            self.settle(pair)
        return legal


def _fewer(difference: Difference) -> Iterator[tuple[Move, ...]]:
    return shorter(difference.moves)


def _replayed(lockstep: TwoEvaluators, moves: tuple[Move, ...]) -> Difference | None:
    """Return the first difference that these moves lead to; None if they can't be played."""
    try:
        pair = lockstep.begin()
        for move in moves:
            if move not in lockstep.look(pair):
                return None
            pair = lockstep.advance(pair, move)
        lockstep.look(pair)
    except Differs as found:
        return found.difference
    except Failed:
        pass
    return None


def _shortest(lockstep: TwoEvaluators, best: Difference, deadline: Deadline) -> Difference:
    """Look at all positions that fewer moves lead to, nearer ones first."""
    deepest = len(best.moves) - 1
    if deepest < 0:
        return replace(best, is_shortest=True)
    looked = look_at_all(lockstep, _MOST_POSITIONS, deadline, deepest=deepest)
    is_shortest = looked.difference is not None or looked.is_all or looked.depth == deepest
    return replace(looked.difference or best, is_shortest=is_shortest)
