"""How many characters there are to a unit of a board, and where its points fall among them.

In: points of a board. Out: places on a canvas, and back. What then holds: a point that lies between
two places has the same on each machine.
"""

from __future__ import annotations

from gdl.board.board import Point
from gdl.data_classes import dataclass
from interpreter.render.canvas import Place
from interpreter.render.scene import Scene


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
