"""When a search looks for quick wins by every way, and how much of its time that may take.

In: how long a search may take, and how much it has seen. Out: a move that is proven to win, or
nothing. What then holds: it takes a small part of the time, and only where that is long enough.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from interpreter.positions.position import Position
from interpreter.search.analysis import Analysis, MoveAnalysis

PART_BEFORE = 0.1
"""Quick wins are looked for when this part of the time is over, and nothing is proven."""
_LONG_ENOUGH = 0.2
"""How many seconds a search must have to look for quick wins."""
_PLIES, _PART = 3, 0.05
_FEW_ITERATIONS = 2000
_PLIES_IF_SLOW, _PART_IF_SLOW = 9, 0.2
"""How long a win may be, and which part of the time it may take to find it; more of both in a
search that has made fewer iterations by then, since it proves little by itself."""
_LEAST_SECONDS = 0.001


class Wins(Protocol):
    """What finds quick wins by every way."""

    def find(
        self, position: Position, plies: int, seconds: float, first: Sequence[int] = ()
    ) -> MoveAnalysis | None:
        """Return the move that begins the quickest win of so many plies, if it is found in time.

        The moves with the numbers in `first` are tried before the others.
        """

    def forget(self) -> None:
        """Forget all that was found out so far."""


def has_time_for_wins(seconds: float | None, iterations: int | None) -> bool:
    """Return whether a search that may take so long looks for quick wins: only if time counts."""
    return iterations is None and seconds is not None and seconds >= _LONG_ENOUGH


def quick_win(
    wins: Wins, position: Position, made: int, seconds: float, best: Sequence[int]
) -> MoveAnalysis | None:
    """Return a move that wins soon, if it is found by a search that has made so many iterations.

    All the search may take so many seconds; `best` are the numbers of moves that it has seen, from
    best to worst.
    """
    if made < _FEW_ITERATIONS:
        return wins.find(position, _PLIES_IF_SLOW, seconds * _PART_IF_SLOW, best)
    return wins.find(position, _PLIES, seconds * _PART, best)


def deepened_with_wins(
    deepen: Callable[..., Analysis],
    best: Callable[[], Sequence[int]],
    wins: Wins,
    position: Position,
    seconds: float,
) -> Analysis:
    """Search for so many seconds by alpha-beta, and between for quick wins, which it may prune.

    `deepen` goes on with the same search, for so many seconds more; `best` are the numbers of the
    moves, from best to worst as far as it has come.
    """
    begun = time.perf_counter()
    found, win = deepen(seconds=seconds * PART_BEFORE, iterations=None), None
    if found.best is not None and not found.verdict:
        win = quick_win(wins, position, found.iterations, seconds, best())
        if win is None:
            left = max(_LEAST_SECONDS, seconds - (time.perf_counter() - begun))
            later = deepen(seconds=left, iterations=None)
            found = replace(later, iterations=found.iterations + later.iterations)
    found = replace(found, seconds=time.perf_counter() - begun)
    return found if win is None else found.with_win(win)
