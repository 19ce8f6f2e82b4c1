"""Lattices and shapes: what a board of cells is cut out of.

In: how cells, corners and edges lie to each other, as tables. Out: a `Lattice`, and a `Shape`,
the common part of the half planes that bound a board. `assemble` makes boards of the two.

A place is a `Key`: its column, its row, both counted from 1, and a tag that tells apart the
places of one kind in the same column and row (such as the two triangles of a rhombus).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gdl.board.board import Point
from gdl.data_classes import dataclass

Key = tuple[int, int, str]

KINDS = ("cell", "vertex", "edge")
CLOCKWISE = (
    "north",
    "northeast",
    "east",
    "southeast",
    "south",
    "southwest",
    "west",
    "northwest",
)


ORTHOGONAL = ("north", "east", "south", "west")
DIAGONAL = ("northeast", "southeast", "southwest", "northwest")


@dataclass(frozen=True)
class CellShape:
    """What lies around a cell at (0, 0), counter-clockwise.

    Edge k lies between the corners k and k + 1, and neighbour k is the cell beyond it. The cells
    `above_and_below` share no edge with it, as they are drawn.
    """

    corners: tuple[Key, ...]
    edges: tuple[Key, ...]
    neighbours: tuple[Key, ...]
    above_and_below: tuple[Key, ...] = ()


@dataclass(frozen=True)
class Lattice:
    """A pattern of cells, vertices and edges that repeats with every column and row.

    `column_step` and `row_step` are drawing vectors; `offsets` the drawn place of each tag of
    a kind within its column and row (edges lie midway between their `ends`). `steps` tells,
    for a kind and a direction, the place that it leads to from each tag. `families` are pairs
    of a kind and its directions. `spacing` is the drawn distance of neighbours of a kind.
    `mirrored_tags` are the tags that change when the lattice is drawn upside down.

    The next three say which regions and numbers make sense: `up` and `down` for cells that
    look so, `dark` and `light`, and `diagonal` for the strips that slant to the left.

    `levels` are the tags of levels that lie above one another, from the lowest, and are drawn
    side by side; `directions` the names of all directions, clockwise.
    """

    name: str
    column_step: Point
    row_step: Point
    offsets: Mapping[str, Mapping[str, Point]]
    cells: Mapping[str, CellShape]
    ends: Mapping[str, tuple[Key, Key]]
    steps: Mapping[str, Mapping[str, Mapping[str, Key]]]
    families: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
    spacing: Mapping[str, float]
    mirrored_tags: Mapping[str, str]
    tag_regions: bool = False
    chequered: bool = False
    third_axis: bool = False
    levels: tuple[str, ...] = ()
    directions: tuple[str, ...] = CLOCKWISE

    def tags(self, kind: str) -> tuple[str, ...]:
        """Return the tags of a kind, in the order of the sites."""
        return tuple(self.ends if kind == "edge" else self.offsets[kind])

    def place(self, kind: str, key: Key) -> Point:
        """Return where a place is drawn with the lattice's own unit, rows going up."""
        column, row, tag = key
        if kind == "edge":
            (x1, y1), (x2, y2) = (self.place("vertex", moved(key, end)) for end in self.ends[tag])
            return (x1 + x2) / 2, (y1 + y2) / 2
        x, y = self.offsets[kind][tag]
        return (
            column * self.column_step[0] + row * self.row_step[0] + x,
            column * self.column_step[1] + row * self.row_step[1] + y,
        )


@dataclass(frozen=True)
class Side:
    """A half plane that bounds a board.

    `depth` is 1 for the outermost cells of the board, more further inside, less beyond.
    `axis` is `columns` or `rows` if wrapping these does away with the side.
    """

    name: str
    depth: Callable[[Key], int]
    axis: str = ""


@dataclass(frozen=True)
class Shape:
    """The cells in rows 1 … `rows` that are beyond no side.

    No row has cells in more than `columns` columns, counted from `first_column` of the row.
    The sides are in their order around the board: neighbouring ones meet in a corner.

    A star has a point on each side, of `point` rows of cells (0: it is no star); its sides then
    are the outermost rows of the points, and only the cells that are `within` are on the board
    (None: all are).
    """

    columns: int
    rows: int
    sides: tuple[Side, ...]
    first_column: Callable[[int], int] = lambda row: 1
    point: int = 0
    within: Callable[[Key], bool] | None = None


def of_four_sides(columns: int, rows: int) -> Shape:
    """Return the shape of columns by rows: a rectangle, or a rhombus where rows are slanted."""
    return Shape(
        columns,
        rows,
        (
            Side("top", lambda key: rows + 1 - key[1], "rows"),
            Side("right", lambda key: columns + 1 - key[0], "columns"),
            Side("bottom", lambda key: key[1], "rows"),
            Side("left", lambda key: key[0], "columns"),
        ),
    )


def moved(key: Key, step: Key) -> Key:
    """Return the place that a step leads to: columns and rows add up, the step has the tag."""
    return key[0] + step[0], key[1] + step[1], step[2]
