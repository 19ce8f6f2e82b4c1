"""Boards of squares in three dimensions: levels that lie above one another.

In: columns, rows and levels. Out: the lattice of such levels, drawn side by side from the lowest,
and the shape of each. What then holds: directions lead within a level, up, and down; a cell has the
name of its column's letter, its row's number and its level's letter (`b3c` is on the third level).
"""

from __future__ import annotations

from gdl.board.lattice import CLOCKWISE, CellShape, Key, Lattice, Shape
from gdl.board.naming import column_letters
from gdl.board.square import SQUARE, rectangle

_APART = 1  # column between two levels

_STEPS: dict[str, tuple[int, int]] = {
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
    across, up = _STEPS.get(level_way if rise else name, (0, 0))
    return {
        tag: (across, up, tags[place + rise])
        for place, tag in enumerate(tags)
        if 0 <= place + rise < len(tags)
    }


def box(columns: int, rows: int, levels: int) -> Shape:
    """Return the shape of each level."""
    return rectangle(columns, rows)
