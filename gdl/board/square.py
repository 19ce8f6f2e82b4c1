"""Boards of squares: the lattices, and the shape `diamond`.

In: the sizes of a shape. Out: its `Shape` for `assemble.build`.

Names: `c4` is the cell in the third column and fourth row. Vertices are numbered likewise,
the lower left corner of `c4` being vertex `c4` (where cells are sites too: `vc4`). An edge is
named by its left or lower end and `h` or `v`: `c4h` leads from vertex `c4` to the right,
`c4v` upwards. With row 1 at the top, read "upper" for "lower".
"""

from __future__ import annotations

from gdl.board.board import column_letters
from gdl.board.lattice import (
    CLOCKWISE,
    DIAGONAL,
    ORTHOGONAL,
    CellShape,
    Key,
    Lattice,
    Shape,
    Side,
)

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


# ------------------------------------------------------------ boards of squares in three dimensions

_APART = 1  # column between two levels

_BETWEEN_LEVELS: dict[str, tuple[int, int]] = {
    name: steps[""][:2] for name, steps in SQUARE.steps["cell"].items()
}
HALF = (*CLOCKWISE[:4], "up", *(f"up_{name}" for name in CLOCKWISE))
"""One of each two directions that are opposite to each other."""
DIRECTIONS = (
    *HALF,
    *CLOCKWISE[4:],
    "down",
    *(f"down_{name}" for name in CLOCKWISE[4:] + CLOCKWISE[:4]),
)
"""All directions, those of the second half opposite to those of the first."""
STRAIGHT = ("north", "east", "up", "south", "west", "down")


def lattice(columns: int, levels: int) -> Lattice:
    """Return the lattice of so many levels, which have so many columns each."""
    tags = [column_letters(level) for level in range(1, levels + 1)]
    across = {tag: (float(level * (columns + _APART)), 0.0) for level, tag in enumerate(tags)}
    return Lattice(
        name=SQUARE.name,
        column_step=SQUARE.column_step,
        row_step=SQUARE.row_step,
        offsets={
            "cell": across,
            "vertex": {tag: (x - 0.5, -0.5) for tag, (x, _) in across.items()},
        },
        cells={tag: _cell(place, tags) for place, tag in enumerate(tags)},
        ends={
            sort + tag: ((0, 0, tag), (x, y, tag))
            for tag in tags
            for sort, x, y in (("h", 1, 0), ("v", 0, 1))
        },
        steps={"cell": {name: _steps(name, tags) for name in DIRECTIONS}},
        families={
            "orthogonal": (("cell",), STRAIGHT),
            "diagonal": (("cell",), tuple(name for name in DIRECTIONS if name not in STRAIGHT)),
        },
        directions=DIRECTIONS,
        spacing=SQUARE.spacing,
        mirrored_tags={},
        chequered=True,
        levels=tuple(tags),
    )


def _cell(place: int, tags: list[str]) -> CellShape:
    """Return what lies around a cell in its level, and the cells above and below it."""
    flat = SQUARE.cells[""]
    tag = tags[place]
    return CellShape(
        corners=tuple((x, y, tag) for x, y, _ in flat.corners),
        edges=tuple((x, y, sort + tag) for x, y, sort in flat.edges),
        neighbours=tuple((x, y, tag) for x, y, _ in flat.neighbours),
        above_and_below=tuple(
            (0, 0, other) for other in tags[max(0, place - 1) : place + 2] if other != tag
        ),
    )


def _steps(name: str, tags: list[str]) -> dict[str, Key]:
    """Return where a direction leads from each level."""
    first, _, level_way = name.partition("_")
    rise = {"up": 1, "down": -1}.get(first, 0)
    across, up = _BETWEEN_LEVELS.get(level_way if rise else name, (0, 0))
    return {
        tag: (across, up, tags[place + rise])
        for place, tag in enumerate(tags)
        if 0 <= place + rise < len(tags)
    }
