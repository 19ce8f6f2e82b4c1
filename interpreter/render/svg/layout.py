"""Where a scene falls on the plane, in pixels.

In: a scene and how far it is turned. Out: a `Layout`: points of the board as points of the picture,
y downwards, and the picture's frame. What then holds: every site, label and piece is inside of the
frame.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from gdl.board.board import Point, Site
from gdl.data_classes import dataclass
from gdl.interpreter.render.arrangement import triangle
from gdl.interpreter.render.scene import DRAWN, Beside, Mark, Scene, farthest_neighbour
from gdl.interpreter.render.svg.elements import between, hull, outer_walk, pair, turn

_SPACING = 46.0  # pixels between the nearest neighbours
_LARGEST = 2400.0  # pixels of the longer side, beyond which the board is drawn smaller
_SHARE = 0.35  # of the shortest of lines that are sites: as far apart as neighbours elsewhere
_ROW = 2.3  # the height of a line beside the board, in radii
_SMALLEST = 0.75  # of its size is a piece drawn there at least
_AROUND_CELLS, _AROUND_POINTS = 0.7, 2.0  # the frame around the board, in radii


@dataclass(frozen=True)
class Layout:
    """The plane of a picture: `turned` are degrees, clockwise; `has_labels` is a wish."""

    scene: Scene
    turned: int = 0
    has_labels: bool = True

    def at(self, point: Point) -> Point:
        """Return where a point of the board is drawn."""
        x, y = point[0] * self.scale, -point[1] * self.scale
        return {0: (x, y), 90: (-y, x), 180: (-x, -y), 270: (y, -x)}[self.turned]

    def site(self, index: int) -> Point:
        """Return where the middle of a site is drawn."""
        return self.middle(self.scene.board.sites[index])

    def middle(self, site: Site) -> Point:
        """Return where the middle of a site is drawn."""
        return self.at((site.x, site.y))

    def outline(self, index: int) -> list[Point]:
        """Return the corners of a site as they are drawn."""
        return [self.at(point) for point in self.scene.board.outlines[index]]

    @cached_property
    def shortest(self) -> float:
        """The distance of the nearest neighbours, in the board's units."""
        board = self.scene.board
        sites, most = board.sites, farthest_neighbour(board)
        if board.lattice == "graph":
            lengths = [math.dist(start, end) for start, end in self.scene.links]
            least = min(lengths, default=0.0) or self._spread / board.size or 1.0
            return _SHARE * least if any(site.kind == "edge" for site in sites) else least
        lengths = [
            math.dist((sites[a].x, sites[a].y), (sites[b].x, sites[b].y))
            for name in DRAWN
            if name in board.relations
            for a, b in board.relations[name].pairs()
            if "edge" not in (sites[a].kind, sites[b].kind)
        ]
        return min((length for length in lengths if length <= most), default=1.0)

    @cached_property
    def _spread(self) -> float:
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        return max(max(xs) - min(xs), max(ys) - min(ys))

    @cached_property
    def points(self) -> list[Point]:
        """The points of the board that the picture has to show."""
        board = self.scene.board
        points = [(site.x, site.y) for site in board.sites]
        if self.scene.on_points:
            return points
        return points + [point for outline in board.outlines for point in outline]

    @cached_property
    def scale(self) -> float:
        """Pixels to the board's unit."""
        scale = _SPACING / self.shortest
        return min(scale, _LARGEST / self._spread) if self._spread else scale

    @cached_property
    def radius(self) -> float:
        """The radius of the circle in which a piece is drawn."""
        return max(3.0, 0.4 * self.shortest * self.scale)

    @cached_property
    def board_box(self) -> tuple[Point, Point]:
        """The upper left and the lower right corner of the board with its labels."""
        board = self.scene.board
        boxes = (self.place_box(place) for place in self.scene.places)
        pixels = [self.at(point) for point in self.points]
        pixels += [corner for box in boxes if box is not None for corner in box]
        texts = [place for *_, place in self.labels] if self.has_labels else []
        of_cells = not self.scene.on_points and all(site.kind == "cell" for site in board.sites)
        around = (_AROUND_CELLS if of_cells else _AROUND_POINTS) * self.radius
        xs = [x + d for x, _ in pixels for d in (-around, around)]
        xs += [x + d for x, _ in texts for d in (-self.radius, self.radius)]
        ys = [y + d for _, y in pixels for d in (-around, around)]
        ys += [y + d for _, y in texts for d in (-self.radius, self.radius)]
        for loop in self.loops:
            (x, y), reach = loop.centre, loop.radius + 2.0
            xs += [x - reach, x + reach]
            ys += [y - reach, y + reach]
        if self.is_named:
            for site in board.sites:
                if site.kind == "vertex":
                    x, y = self.name_place(site)
                    half = 0.5 * _NAME * self.radius * LETTER * len(site.name)
                    xs += [x - half - 0.5 * self.radius, x + half + 0.5 * self.radius]
                    ys += [y - self.radius, y + self.radius]
        return (min(xs), min(ys)), (max(xs), max(ys))

    @cached_property
    def ground(self) -> list[Point]:
        """The corners of the wood under a board of points or lines: it ends where its lines do."""
        most = 1.2 * self.shortest if self.scene.board.lattice != "graph" else math.inf
        links = [ends for ends in self.scene.links if math.dist(*ends) < most]
        around = () if any(s.kind == "edge" for s in self.scene.board.sites) else outer_walk(links)
        return [self.at(point) for point in around or hull(self.points)]

    @property
    def is_named(self) -> bool:
        """Whether each point has its name beside it."""
        board = self.scene.board
        return board.lattice == "graph" and not board.column_labels

    def name_place(self, site: Site) -> Point:
        """Where a point's name stands: below it; where lines are sites, on their outer side."""
        centre, away = self.middle(site), 1.35 * self.radius
        if not any(other.kind == "edge" for other in self.scene.board.sites):
            return centre[0], centre[1] + away
        xs, ys = zip(*map(self.at, self.points), strict=True)
        middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        distance = math.dist(middle, centre)
        return between(middle, centre, 1 + away / distance) if distance else centre

    @cached_property
    def labels(self) -> tuple[tuple[str, str, Point], ...]:
        """The names of rows and columns, each behind `row` or `column`, with where it is drawn."""
        board, reach = self.scene.board, max((loop.radius for loop in self.loops), default=0.0)
        away, ((left, low), _) = reach / self.scale, _extent(self.points)
        beside = away + (_PLACE + _APART if "left" in self.scene.places else 0.0)
        return tuple(
            (kind, text, self.at((x - beside * (x < left), y - away * (y < low))))
            for kind, labels in (("row", board.row_labels), ("column", board.column_labels))
            for text, x, y in labels
        )

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        """The lines that join sites outside of the board."""
        middle = self.at(_middle(self.points))
        ends = ((self.site(a), self.site(b), name) for a, b, name in self.scene.loops)
        return tuple(_loop(start, end, middle, name) for start, end, name in ends)

    def triangle(self, index: int) -> list[Point]:
        """The corners of a triangle that fills a site: its base, and its tip."""
        return [self.at(point) for point in triangle(self.scene.board, index)]

    def place_box(self, place: str) -> tuple[Point, Point] | None:
        """Two opposite corners of a place beside the board; None where there is no such place."""
        (left, low), (right, high) = _extent(self.points)
        if place == "gap":
            ends = sorted(_extent(outline) for outline in self.scene.board.outlines)
            gaps = [(b[0][0] - a[1][0], a[1][0], b[0][0]) for a, b in pairwise(ends)]
            width, start, end = max(gaps, default=(0.0, 0.0, 0.0))
            if width <= 0.0:
                return None
        elif place == "left":
            start, end = left - _APART - _PLACE, left - _APART
        else:
            start, end = right + _APART, right + _APART + _PLACE
        return self.at((start, low)), self.at((end, high))

    def lying(self, place: str) -> Iterator[tuple[Mark, Point, float]]:
        """Yield what lies in a place: each piece, where it is drawn, and how large.

        Several lines share the place: the first has the lower part of it.
        """
        box = self.place_box(place)
        lines = [line for line in self.scene.beside if line.place == place]
        if box is None or not lines:
            return
        (x, y), (end_x, end_y) = box
        share = 1 / len(lines)
        for number, line in enumerate(lines):
            is_heap = place != "gap" and len(line.marks) == 1 and line.marks[0].count is not None
            size = _LARGE if is_heap else _LYING
            apart = min(2.1 * self.radius, share * abs(end_y - y) / max(1, len(line.marks)))
            middle = (x + end_x) / 2, y + (number + 0.5) * share * (end_y - y)
            for rank, mark in enumerate(line.marks):
                away = (rank - (len(line.marks) - 1) / 2) * apart
                yield mark, (middle[0], middle[1] - away), size

    @cached_property
    def row_height(self) -> float:
        """The height of a line of what lies beside the board."""
        return _ROW * self.radius

    @cached_property
    def frame(self) -> tuple[Point, Point]:
        """The upper left corner of the picture, and its width and height."""
        (left, top), (right, bottom) = self.board_box
        rows = [row for line in self.beside for row in line]
        if rows:
            bottom += len(rows) * self.row_height + 0.5 * self.radius
            right = max(right, left + max(self._row_width(row) for row in rows))
        return (left, top), (right - left, bottom - top)

    @cached_property
    def beside(self) -> tuple[tuple[Row, ...], ...]:
        """What lies beside the board, each as rows that are as wide as the board if they can be."""
        drawn = [place for place in self.scene.places if self.place_box(place) is not None]
        lines = (line for line in self.scene.beside if line.place not in drawn)
        return tuple(tuple(self._rows(line)) for line in lines)

    def _rows(self, line: Beside) -> Iterator[Row]:
        """Yield a text with its pieces; where that is too wide, the pieces on rows of their own."""
        (left, _), (right, _) = self.board_box
        whole = Row(line.text, line.marks)
        if not line.marks or self._row_width(whole) <= right - left:
            yield whole
            return
        yield Row(line.text)
        room, each = right - left - 2.0 * self.radius, 2.0 * self.radius
        number = math.ceil(len(line.marks) * _SMALLEST * each / max(room, each))
        most = math.ceil(len(line.marks) / number)
        scale = min(1.0, max(_SMALLEST, room / (most * each)))
        for first in range(0, len(line.marks), most):
            yield Row("", line.marks[first : first + most], scale)

    def _row_width(self, row: Row) -> float:
        letters = 0.8 * self.radius * LETTER * len(row.text)
        return 2.0 * self.radius + letters + 2.0 * self.radius * row.scale * len(row.marks)


_APART, _PLACE = 0.3, 1.6  # how far beside the board a place begins, and its width, in units
_LARGE, _LYING = 1.6, 0.9  # of the usual size: a heap that lies there, and pieces
_NAME = 0.6  # the height of a point's name, in radii
LETTER = 0.56
"""The width of a letter, in the height of its font: about as much as most have."""


@dataclass(frozen=True)
class Loop:
    """A part of a circle from one point to another: most of it, or half; `name` is its colour."""

    start: Point
    end: Point
    centre: Point
    is_clockwise: bool
    name: str

    @property
    def radius(self) -> float:
        """The radius of the circle."""
        return math.dist(self.start, self.centre)

    @property
    def path(self) -> str:
        """The line as a path."""
        radius = f"{self.radius:.1f}"
        return (
            f"M{pair(self.start)} A{radius},{radius} 0 1 {int(self.is_clockwise)} {pair(self.end)}"
        )


def _loop(start: Point, end: Point, middle: Point, name: str) -> Loop:
    """Return the line that goes round from one point to another on the outside of the board.

    Points of one row or column are joined by half a circle; others by three quarters of one, around
    the corner where the row of one meets the column of the other.
    """
    (x, y), (end_x, end_y) = start, end
    if min(abs(x - end_x), abs(y - end_y)) < 1.0:
        return Loop(start, end, between(start, end, 0.5), turn(start, end, middle) > 0, name)
    corners = ((x, end_y), (end_x, y))
    centre = max(corners, key=lambda corner: math.dist(corner, middle))
    return Loop(start, end, centre, turn(centre, start, end) < 0, name)


def _extent(points: Iterable[Point]) -> tuple[Point, Point]:
    xs, ys = zip(*points, strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def _middle(points: Iterable[Point]) -> Point:
    return between(*_extent(points), 0.5)


@dataclass(frozen=True)
class Row:
    """A row below the board: a text, and the pieces behind it, drawn at a part of their size."""

    text: str
    marks: tuple[Mark, ...] = ()
    scale: float = 1.0
