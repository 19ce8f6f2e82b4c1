"""Cells that show the colours of their corners, divided by arcs.

In: what stands on the sites of a board whose cells and corners are both sites. Out: for each cell
with a piece the sides of its corners (`corner_sides`), and what lies where in such a cell (`Tile`).
What then holds: neighbouring cells agree along the side that they share, up to its middle.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from gdl.board.board import Board, Point, Site
from gdl.data_classes import dataclass
from gdl.interpreter.render.scene import CornerSides, Mark

_NEARLY = 1e-6
_MOST_BOARDS = 4  # whose corners are kept


def corner_sides(board: Board, marks: Mapping[int, Mark]) -> dict[int, CornerSides]:
    """Return the sides of the pieces on the corners of each cell with a piece, by site index.

    They go as the cell's outline does; None stands for a corner without a piece of a side.
    """
    found = {}
    for cell, sites in corner_sites(board, marks):
        sides = tuple(
            marks[site].side if site is not None and site in marks else None for site in sites
        )
        if any(side is not None for side in sides):
            found[cell] = sides
    return found


def corner_sites(
    board: Board, sites: Iterable[int]
) -> Iterator[tuple[int, tuple[int | None, ...]]]:
    """Yield each cell among some sites with the corners around it, as its outline goes."""
    incident = board.relations.get("incident")
    if incident is None:
        return
    corners = _corners(board)
    for cell in sites:
        if board.sites[cell].kind == "cell":
            around = incident.image(1 << cell)
            yield cell, tuple(corners.site(point, around) for point in board.outlines[cell])


@lru_cache(maxsize=_MOST_BOARDS)
def _corners(board: Board) -> _Corners:
    return _Corners(board)


class _Corners:
    """Which corner of a board a point is; also beyond a border where the board goes on."""

    def __init__(self, board: Board) -> None:
        vertices = [site for site in board.sites if site.kind == "vertex"]
        self._at = {_rounded((site.x, site.y)): site.index for site in vertices}
        self._shifts = list(_periods(vertices))

    def site(self, point: Point, among: int) -> int | None:
        """Return the corner of the set `among` that is drawn at a point, perhaps a period away."""
        for right, up in self._shifts:
            index = self._at.get(_rounded((point[0] - right, point[1] - up)))
            if index is not None and among >> index & 1:
                return index
        return None


def _periods(vertices: Sequence[Site]) -> Iterator[Point]:
    """Yield no shift at first, then those by the width and the height of a wrapping board."""
    yield 0.0, 0.0
    if not vertices:
        return
    columns = max(site.column for site in vertices) - min(site.column for site in vertices) + 1
    rows = max(site.row for site in vertices) - min(site.row for site in vertices) + 1
    places = {(site.column, site.row): (site.x, site.y) for site in vertices}
    across = _step(places, (1, 0), columns)
    along = _step(places, (0, 1), rows)
    yield from (across, along, (across[0] + along[0], across[1] + along[1]))


def _step(places: Mapping[tuple[int, int], Point], way: tuple[int, int], times: int) -> Point:
    """Return the way to the next column or row, taken a number of times; nowhere if unknown."""
    for (column, row), (x, y) in places.items():
        following = places.get((column + way[0], row + way[1]))
        if following is not None:
            return times * (following[0] - x), times * (following[1] - y)
    return 0.0, 0.0


def _rounded(point: Point) -> tuple[int, int]:
    return round(point[0] * 1000), round(point[1] * 1000)


@dataclass(frozen=True)
class Tile:
    """A cell with its corners in order, and the side of each (None: nobody's)."""

    outline: tuple[Point, ...]
    sides: CornerSides

    @cached_property
    def ground(self) -> int | None:
        """The side that most corners have; of several such, the first in the order of sides."""
        known = sorted(side for side in self.sides if side is not None)
        return max(known, key=known.count, default=None)

    @cached_property
    def reach(self) -> float:
        """How far from its corner an arc lies: half of a side of the cell."""
        return math.dist(self.outline[0], self.outline[1]) / 2

    @property
    def cut(self) -> Iterator[tuple[int, int]]:
        """The corners that arcs divide from the rest: place in the outline, and side."""
        for place, side in enumerate(self.sides):
            if side is not None and side != self.ground:
                yield place, side

    def side_at(self, point: Point, slack: float = 0.0) -> int | None:
        """Return whose part of the cell a point lies in; arcs are moved outwards by `slack`."""
        for place, side in self.cut:
            if math.dist(point, self.outline[place]) <= self.reach * (1 + slack) + _NEARLY:
                return side
        return self.ground

    def covers(self, point: Point) -> bool:
        """Whether a point lies in the cell or on its outline."""
        x, y = point
        turns = [across * (y - y1) - up * (x - x1) for x1, y1, across, up in self._edges]
        return min(turns) >= -_NEARLY or max(turns) <= _NEARLY

    @cached_property
    def _edges(self) -> tuple[tuple[float, float, float, float], ...]:
        """Where each side of the cell begins, and how far it leads to the right and upwards."""
        ends = (*self.outline[1:], self.outline[0])
        pairs = zip(self.outline, ends, strict=True)
        return tuple((x1, y1, x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairs)
