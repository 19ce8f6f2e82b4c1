"""Boards of squares: the lattice, and its shapes `rectangle` and `diamond`.

In: the sizes of a shape. Out: its `Shape` for `assemble.build`.

Names: `c4` is the cell in the third column and fourth row. Vertices are numbered likewise,
the lower left corner of `c4` being vertex `c4` (where cells are sites too: `vc4`). An edge is
named by its left or lower end and `h` or `v`: `c4h` leads from vertex `c4` to the right,
`c4v` upwards. With row 1 at the top, read "upper" for "lower".
"""

from __future__ import annotations

from gdl.board.lattice import DIAGONAL, ORTHOGONAL, CellShape, Key, Lattice, Shape, Side

_STEPS: dict[str, dict[str, Key]] = {
    "north": {"": (0, 1, "")},
    "northeast": {"": (1, 1, "")},
    "east": {"": (1, 0, "")},
    "southeast": {"": (1, -1, "")},
    "south": {"": (0, -1, "")},
    "southwest": {"": (-1, -1, "")},
    "west": {"": (-1, 0, "")},
    "northwest": {"": (-1, 1, "")},
}

SQUARE = Lattice(
    name="square",
    column_step=(1.0, 0.0),
    row_step=(0.0, 1.0),
    offsets={"cell": {"": (0.0, 0.0)}, "vertex": {"": (-0.5, -0.5)}},
    cells={
        "": CellShape(
            corners=((0, 0, ""), (1, 0, ""), (1, 1, ""), (0, 1, "")),
            edges=((0, 0, "h"), (1, 0, "v"), (0, 1, "h"), (0, 0, "v")),
            neighbours=((0, -1, ""), (1, 0, ""), (0, 1, ""), (-1, 0, "")),
        )
    },
    ends={"h": ((0, 0, ""), (1, 0, "")), "v": ((0, 0, ""), (0, 1, ""))},
    steps={"cell": _STEPS, "vertex": _STEPS},
    families={
        "orthogonal": (("cell", "vertex"), ORTHOGONAL),
        "diagonal": (("cell", "vertex"), DIAGONAL),
    },
    spacing={"cell": 1.0, "vertex": 1.0, "edge": 0.5**0.5},
    mirrored_tags={},
    chequered=True,
)


def rectangle(columns: int, rows: int) -> Shape:
    """Return the rectangle of columns by rows."""
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


def diamond(radius: int) -> Shape:
    """Return the square on its tip with `radius` cells along each of its four stairs."""
    return Shape(
        2 * radius - 1,
        2 * radius - 1,
        (
            Side("upper_right", lambda key: 3 * radius - key[0] - key[1]),
            Side("lower_right", lambda key: radius - key[0] + key[1]),
            Side("lower_left", lambda key: key[0] + key[1] - radius),
            Side("upper_left", lambda key: radius + key[0] - key[1]),
        ),
    )
