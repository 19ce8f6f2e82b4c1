"""Boards of triangles: the lattice, and its shapes.

In: the sizes of a shape. Out: its `Shape` for `assemble.build`.

Vertices have a column and a row: `c4` lies in the third column and the fourth row; rows are
horizontal, and each lies half a step further to the right than the one before it. Cells are
named after the lower left vertex of the rhombus of two triangles that they are half of: `c4u`
points up and has the corners `c4`, `d4`, `c5`; `c4d` points down and has `d4`, `c5`, `d5`.
Edges are named by their lower vertex and `e`, `n` or `w`, as they lead east, northeast or
northwest from it. With row 1 at the top all this is upside down, and so are the letters `u`
and `d`, which tell how a triangle looks; `n` becomes `s`.
"""

from __future__ import annotations

import math

from gdl.board.hexagonal import HEXAGON
from gdl.board.lattice import CellShape, Key, Lattice, Shape, Side

_HEIGHT = math.sqrt(3) / 2

TRIANGULAR = Lattice(
    name="triangular",
    column_step=(1.0, 0.0),
    row_step=(0.5, _HEIGHT),
    offsets={
        "cell": {"u": (0.5, _HEIGHT / 3), "d": (1.0, 2 * _HEIGHT / 3)},
        "vertex": {"": (0.0, 0.0)},
    },
    cells={
        "u": CellShape(
            corners=((0, 0, ""), (1, 0, ""), (0, 1, "")),
            edges=((0, 0, "e"), (1, 0, "w"), (0, 0, "n")),
            neighbours=((0, -1, "d"), (0, 0, "d"), (-1, 0, "d")),
        ),
        "d": CellShape(
            corners=((1, 0, ""), (1, 1, ""), (0, 1, "")),
            edges=((1, 0, "n"), (0, 1, "e"), (1, 0, "w")),
            neighbours=((1, 0, "u"), (0, 1, "u"), (0, 0, "u")),
        ),
    },
    ends={
        "e": ((0, 0, ""), (1, 0, "")),
        "n": ((0, 0, ""), (0, 1, "")),
        "w": ((0, 0, ""), (-1, 1, "")),
    },
    steps={
        "cell": {
            "north": {"d": (0, 1, "u")},
            "northeast": {"u": (0, 0, "d")},
            "southeast": {"d": (1, 0, "u")},
            "south": {"u": (0, -1, "d")},
            "southwest": {"d": (0, 0, "u")},
            "northwest": {"u": (-1, 0, "d")},
        },
        "vertex": {
            "northeast": {"": (0, 1, "")},
            "east": {"": (1, 0, "")},
            "southeast": {"": (1, -1, "")},
            "southwest": {"": (0, -1, "")},
            "west": {"": (-1, 0, "")},
            "northwest": {"": (-1, 1, "")},
        },
    },
    families={"hexagonal": (("vertex",), HEXAGON)},
    spacing={"cell": 1 / math.sqrt(3), "vertex": 1.0, "edge": 0.5},
    mirrored_tags={"u": "d", "d": "u", "n": "s"},
    tag_regions=True,
    third_axis=True,
)


def _diagonal(key: Key) -> int:
    """Return which of the strips that slant to the left a triangle is in."""
    return key[0] + key[1] + (key[2] == "d")


def triangle(side: int) -> Shape:
    """Return the triangle of `side` squared triangles, standing on row 1."""
    return Shape(
        side,
        side,
        (
            Side("right", lambda key: side + 2 - _diagonal(key)),
            Side("bottom", lambda key: key[1]),
            Side("left", lambda key: key[0]),
        ),
    )


def hexagon(side: int) -> Shape:
    """Return the hexagon of 6 `side` squared triangles, with `side` edges along each side."""
    return Shape(
        2 * side,
        2 * side,
        (
            Side("top", lambda key: 2 * side + 1 - key[1]),
            Side("upper_right", lambda key: 3 * side + 2 - _diagonal(key)),
            Side("lower_right", lambda key: 2 * side + 1 - key[0]),
            Side("bottom", lambda key: key[1]),
            Side("lower_left", lambda key: _diagonal(key) - side - 1),
            Side("upper_left", lambda key: key[0]),
        ),
    )
