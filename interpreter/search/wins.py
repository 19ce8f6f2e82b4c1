"""How far ahead a search looks for quick wins by every way, and how long.

In: a position, how long its search may take, and how many iterations it has made by now. Out: a
move that is proven to win, or nothing. What then holds: it took a small part of the time.
"""

from __future__ import annotations

import time
from typing import Protocol

from interpreter.positions.position import Position
from interpreter.search.analysis import MoveAnalysis

_FEW_ITERATIONS = 2000
_PLIES, _MORE_PLIES = 3, 9
"""How long a win may be."""
_PARTS, _PARTS_IF_SLOW, _PARTS_IF_BLIND = (0.1, 0.05), (0.2, 0.2), (0.4, 0.2)
"""Which part of the time it may take to find a win of three plies, and of more. A search that has
made few iterations by then proves little by itself; another has not even tried each move once."""


class Wins(Protocol):
    """What finds quick wins by every way."""

    def find(self, position: Position, plies: int, seconds: float) -> MoveAnalysis | None:
        """Return a move that begins the quickest win of so many plies, if it is found in time."""


def quick_win(
    wins: Wins, position: Position, seconds: float, iterations: int
) -> MoveAnalysis | None:
    """Return a move that begins a win, if one is found in a part of the time.

    Wins in three plies are mostly overlooked where there are many moves, so these may take longer.
    """
    part, part_for_more = _PARTS
    if iterations < _FEW_ITERATIONS:
        is_blind = iterations < len(position.moves())
        part, part_for_more = _PARTS_IF_BLIND if is_blind else _PARTS_IF_SLOW
    begun = time.perf_counter()
    found = wins.find(position, _PLIES, seconds * part)
    left = seconds * part_for_more - (time.perf_counter() - begun)
    return wins.find(position, _MORE_PLIES, left) if found is None and left > 0 else found
