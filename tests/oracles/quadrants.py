"""Five connection games at once: on a whole board and on each of its four quadrants.

In: who stands where, the quadrants' bounds, the links. Out: how many of the games a side has won.
What then holds: a chain counts in a quadrant only by stones and links inside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from oracles.oracle import Point, reached

GAMES_TO_WIN = 3


@dataclass(frozen=True)
class Area:
    """A board or a part of one, by its least and greatest column and row."""

    left: int
    right: int
    bottom: int
    top: int

    def holds(self, point: Point) -> bool:
        """Tell whether a point lies in the area."""
        return self.left <= point[0] <= self.right and self.bottom <= point[1] <= self.top


def areas(low: tuple[int, int], high: tuple[int, int]) -> list[Area]:
    """Return the whole board and its quadrants, given the lines of both halves."""
    spans = (low, high)
    quadrants = [Area(*across, *along) for across in spans for along in spans]
    return [Area(low[0], high[1], low[0], high[1]), *quadrants]


def won(
    stones: Mapping[Point, str],
    side: str,
    boards: Iterable[Area],
    links: Callable[[Point], Iterable[Point]],
) -> int:
    """Return on how many boards a side joins its edges: bottom and top for Black."""
    count = 0
    for board in boards:
        own = {at for at, colour in stones.items() if colour == side and board.holds(at)}
        axis, first, last = (
            (1, board.bottom, board.top) if side == "Black" else (0, board.left, board.right)
        )
        chain = reached(
            [point for point in own if point[axis] == first],
            lambda at, own=own: own.intersection(links(at)),  # type: ignore[misc]
        )
        count += any(point[axis] == last for point in chain)
    return count
