"""How many characters there are to a unit of a board, and where its points fall among them.

In: points of a board. Out: places on a canvas, and back. What then holds: a point that lies between
two places has the same on each machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from gdl.board.board import Point
from gdl.data_classes import dataclass
from gdl.interpreter.render.scene import Scene
from gdl.interpreter.render.text.canvas import Canvas, Place


@dataclass(frozen=True)
class Scale:
    """Columns and rows of characters to one unit of a board's drawing."""

    columns: float
    rows: float

    def place(self, point: Point) -> Place:
        """The character position of a point of the board."""
        x, y = point
        return -_nearest(y * self.rows), _nearest(x * self.columns)

    def point(self, place: Place) -> Point:
        """The point of the board in the middle of a character position."""
        row, column = place
        return column / self.columns, -row / self.rows


def places_of(scene: Scene, scale: Scale) -> dict[int, Place]:
    """Return the place of each site, by its drawing position."""
    return {site.index: scale.place((site.x, site.y)) for site in scene.board.sites}


def _nearest(value: float) -> int:
    """The nearest integer; halves go up, whatever the rounding of the last binary digit."""
    return int((value + 0.5 + 1e-6) // 1)


# --------------------------------------------------- the sizes in which a text picture can be drawn


@dataclass(frozen=True)
class Size:
    """One size of a picture: where its sites are written, and what draws it."""

    places: Mapping[int, Place]
    draw: Callable[[], Canvas]

    @cached_property
    def least(self) -> tuple[int, int]:
        """The columns and rows from the first site to the last; a picture has no fewer."""
        rows, columns = (
            [row for row, _ in self.places.values()],
            [c for _, c in self.places.values()],
        )
        return _extent(columns), _extent(rows)


def sized(scene: Scene, scale: Scale, draw: Callable[[Scale], Canvas]) -> Size:
    """Return the size in which sites are drawn at a scale."""
    return Size(places_of(scene, scale), lambda: draw(scale))


def largest(sizes: Iterable[Size], width: int, height: int) -> Canvas | None:
    """Draw the first size that fits so many columns and rows, else the smallest; None of none."""
    known = list(sizes)
    for size in known:
        if size.least[0] <= width and size.least[1] <= height:
            canvas = size.draw()
            if canvas.width <= width and canvas.height <= height:
                return canvas
    return min(reversed(known), key=lambda size: size.least).draw() if known else None


def _extent(places: Iterable[int]) -> int:
    known = list(places)
    return max(known, default=-1) - min(known, default=0) + 1
