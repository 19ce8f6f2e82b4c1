"""Cells that are cut out of a board: where they would be.

In: a board whose sites are cells. Out: the middles of cells that are missing among others. What
then holds: no cell of the board is there, and cells lie around it on more than half of its sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from gdl.board.board import Board, Point, Site

_MOST_BOARDS = 8  # a board is drawn again with each key
_DIGITS = 4  # to which two ways to work out one point agree


@lru_cache(maxsize=_MOST_BOARDS)
def holes_of(board: Board) -> tuple[Point, ...]:
    """Return the middle of each missing cell that shares most of its sides with cells of the board.

    None where sites of other kinds are.
    """
    if any(site.kind != "cell" for site in board.sites):
        return ()
    there = {_rounded((site.x, site.y)) for site in board.sites}
    beside = Counter(point for site in board.sites for point in _across(board, site))
    return tuple(
        point
        for point, number in beside.items()
        if point not in there and 2 * number > len(board.outlines[0])
    )


def _across(board: Board, site: Site) -> Iterator[Point]:
    """The middle of the cell beyond each side, or where it would be: as far behind it as before."""
    corners = board.outlines[site.index]
    for (x, y), (next_x, next_y) in zip(corners, corners[1:] + corners[:1], strict=True):
        yield _rounded((x + next_x - site.x, y + next_y - site.y))


def _rounded(point: Point) -> Point:
    x, y = (round(number, _DIGITS) for number in point)
    return x, y
