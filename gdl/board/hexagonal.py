"""Boards of hexagons: the lattice, and its shapes.

In: the sizes of a shape. Out: its `Shape` for `assemble.build`.

Rows are horizontal, and each lies half a cell further to the right than the one before it.
Columns slant accordingly: `c4` is the cell in the third column and the fourth row.

Names of vertices: each is the top (`t`) or the bottom (`b`) of some cell, on the board or
not. Cell `c4` has the vertices `c4t` at its lower left, `d4t` at its lower right, `c5t` at its
top, `d4b` at its bottom, `c5b` at its upper left and `d5b` at its upper right. Edges are named
by their end of sort `t` and `n`, `e` or `w`, as they lead north, southeast or southwest from
it. With row 1 at the top all this is upside down, and so are the letters.
"""

from __future__ import annotations

import math

from gdl.board.lattice import CellShape, Key, Lattice, Shape, Side

HEXAGON = ("northeast", "east", "southeast", "southwest", "west", "northwest")

_ROW_HEIGHT = math.sqrt(3) / 2
_RADIUS = 1 / math.sqrt(3)

HEXAGONAL = Lattice(
    name="hexagonal",
    column_step=(1.0, 0.0),
    row_step=(0.5, _ROW_HEIGHT),
    offsets={
        "cell": {"": (0.0, 0.0)},
        "vertex": {"t": (-0.5, _RADIUS - _ROW_HEIGHT), "b": (-1.0, -_RADIUS)},
    },
    cells={
        "": CellShape(
            corners=(
                (1, 1, "b"),
                (0, 1, "t"),
                (0, 1, "b"),
                (0, 0, "t"),
                (1, 0, "b"),
                (1, 0, "t"),
            ),
            edges=(
                (0, 1, "e"),
                (0, 1, "w"),
                (0, 0, "n"),
                (0, 0, "e"),
                (1, 0, "w"),
                (1, 0, "n"),
            ),
            neighbours=(
                (0, 1, ""),
                (-1, 1, ""),
                (-1, 0, ""),
                (0, -1, ""),
                (1, -1, ""),
                (1, 0, ""),
            ),
        )
    },
    ends={
        "n": ((0, 0, "t"), (0, 1, "b")),
        "e": ((0, 0, "t"), (1, 0, "b")),
        "w": ((0, 0, "t"), (0, 0, "b")),
    },
    steps={
        "cell": {
            "northeast": {"": (0, 1, "")},
            "east": {"": (1, 0, "")},
            "southeast": {"": (1, -1, "")},
            "southwest": {"": (0, -1, "")},
            "west": {"": (-1, 0, "")},
            "northwest": {"": (-1, 1, "")},
        },
        "vertex": {
            "north": {"t": (0, 1, "b")},
            "northeast": {"b": (0, 0, "t")},
            "southeast": {"t": (1, 0, "b")},
            "south": {"b": (0, -1, "t")},
            "southwest": {"t": (0, 0, "b")},
            "northwest": {"b": (-1, 0, "t")},
        },
    },
    families={"hexagonal": (("cell",), HEXAGON)},
    spacing={"cell": 1.0, "vertex": _RADIUS, "edge": 0.5},
    mirrored_tags={"t": "b", "b": "t", "n": "s"},
    third_axis=True,
)


def hexagon(side: int) -> Shape:
    """Return the hexagon with `side` cells along each of its sides."""
    width = 2 * side - 1
    return Shape(
        width,
        width,
        (
            Side("top", lambda key: width + 1 - key[1]),
            Side("upper_right", lambda key: 3 * side - key[0] - key[1]),
            Side("lower_right", lambda key: width + 1 - key[0]),
            Side("bottom", lambda key: key[1]),
            Side("lower_left", lambda key: key[0] + key[1] - side),
            Side("upper_left", lambda key: key[0]),
        ),
    )


def star(point: int) -> Shape:
    """Return the star of six points, each a triangle with `point` cells along each of its sides.

    The hexagon between them has one cell more along each side.
    """
    middle = 2 * point + 1

    def within(key: Key) -> bool:
        """Whether a cell is in one of the two large triangles that make the star."""
        across, up = key[0] - middle, key[1] - middle
        axes = (across, up, -across - up)
        return max(axes) <= point or min(axes) >= -point

    return Shape(
        4 * point + 1,
        4 * point + 1,
        (
            Side("top", lambda key: 2 * middle - key[1]),
            Side("upper_right", lambda key: 3 * middle - key[0] - key[1]),
            Side("lower_right", lambda key: 2 * middle - key[0]),
            Side("bottom", lambda key: key[1]),
            Side("lower_left", lambda key: key[0] + key[1] - middle),
            Side("upper_left", lambda key: key[0]),
        ),
        point=point,
        within=within,
    )


def triangle(side: int) -> Shape:
    """Return the triangle with `side` cells along each of its sides, standing on row 1."""
    return Shape(
        side,
        side,
        (
            Side("right", lambda key: side + 2 - key[0] - key[1]),
            Side("bottom", lambda key: key[1]),
            Side("left", lambda key: key[0]),
        ),
    )


def rectangle(columns: int, rows: int) -> Shape:
    """Return upright `rows` of `columns` cells, every second of them half a cell to the right.

    Columns slant as on any board of hexagons, so that the first is the one of the last row's
    first cell.
    """
    lean = (rows - 1) // 2
    return Shape(
        columns,
        rows,
        (
            Side("top", lambda key: rows + 1 - key[1]),
            Side("right", lambda key: columns + 1 + lean - key[0] - (key[1] - 1) // 2),
            Side("bottom", lambda key: key[1]),
            Side("left", lambda key: key[0] - lean + (key[1] - 1) // 2),
        ),
        first_column=lambda row: 1 + lean - (row - 1) // 2,
    )
