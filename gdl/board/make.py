"""Boards by name: from a lattice, a shape, sizes and kinds of sites to a board.

In: a `BoardSpec`. Out: its `Board`. What then holds: all that the board's docstring says, or
a `BoardError` tells why there is no such board. A new shape is one function that returns a
`Shape`, and one line in the table below.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import prod

from gdl.board import hexagonal, square, triangular
from gdl.board.assemble import build
from gdl.board.board import Board, BoardError, too_large
from gdl.board.graph import make_graph_board
from gdl.board.lattice import KINDS, Lattice, Shape, of_four_sides
from gdl.data_classes import dataclass
from gdl.resources.scoped_cache import shared

__all__ = ["LATTICES", "SHAPES", "WRAPPING_SHAPES", "BoardSpec", "make_board", "make_graph_board"]

WRAP_AXES = ("columns", "rows")

LATTICES: dict[str, Lattice] = {
    lattice.name: lattice for lattice in (square.SQUARE, hexagonal.HEXAGONAL, triangular.TRIANGULAR)
}

_BUILDERS: dict[tuple[str, str], tuple[int, Callable[..., Shape]]] = {
    ("square", "rectangle"): (2, of_four_sides),
    ("square", "box"): (3, lambda columns, rows, levels: of_four_sides(columns, rows)),
    ("square", "diamond"): (1, square.diamond),
    ("hexagonal", "rhombus"): (2, of_four_sides),
    ("hexagonal", "hexagon"): (1, hexagonal.hexagon),
    ("hexagonal", "star"): (1, hexagonal.star),
    ("hexagonal", "triangle"): (1, hexagonal.triangle),
    ("hexagonal", "rectangle"): (2, hexagonal.rectangle),
    ("square", "endless"): (1, lambda size: of_four_sides(size, size)),
    ("hexagonal", "endless"): (1, lambda size: of_four_sides(size, size)),
    ("triangular", "endless"): (1, lambda size: of_four_sides(size, size)),
    ("triangular", "rhombus"): (2, of_four_sides),
    ("triangular", "triangle"): (1, triangular.triangle),
    ("triangular", "hexagon"): (1, triangular.hexagon),
}

SHAPES: dict[tuple[str, str], int] = {name: sizes for name, (sizes, _) in _BUILDERS.items()}
"""How many sizes each shape of each lattice takes."""

WRAPPING_SHAPES = (
    ("square", "rectangle"),
    ("hexagonal", "rhombus"),
    ("triangular", "rhombus"),
)
"""The shapes that may wrap around."""

_MOST_IN_LEVELS = 10_000
"""How many sites a board in three dimensions may have: each has 26 directions."""
_MOST_LEVELS = 100

ENDLESS = "endless"
"""The shape without a border, of which a window as large as all that is played wraps around."""


@dataclass(frozen=True)
class BoardSpec:
    """A board in words: a key of `SHAPES`, its sizes, and what its sites are.

    `kinds` are one or more of `cell`, `vertex`, `edge`; `wrap` any of `columns` (the right
    side continues at the left) and `rows`. `top_first` puts row 1 at the top.
    """

    lattice: str
    shape: str
    sizes: tuple[int, ...]
    kinds: tuple[str, ...] = ("cell",)
    wrap: tuple[str, ...] = ()
    top_first: bool = False


@shared
def make_board(spec: BoardSpec) -> Board:
    """Return the board that `spec` describes; `BoardError` tells why there is none."""
    found = _BUILDERS.get((spec.lattice, spec.shape))
    if found is None:
        shapes = ", ".join(f"{lattice} {shape}" for lattice, shape in SHAPES)
        raise BoardError(
            f"there is no board of shape {spec.lattice} {spec.shape}", f"There are: {shapes}."
        )
    expected, shape = found
    _refuse_bad_sizes(spec, expected)
    _refuse_unknown("kind of site", spec.kinds, KINDS)
    if not spec.kinds:
        raise BoardError("the board has no kind of site", f"Kinds are {', '.join(KINDS)}.")
    _refuse_unknown("direction to wrap", spec.wrap, WRAP_AXES)
    if spec.wrap and (spec.lattice, spec.shape) not in WRAPPING_SHAPES:
        shapes = ", ".join(f"{lattice} {name}" for lattice, name in WRAPPING_SHAPES)
        raise BoardError(
            f"a {spec.lattice} {spec.shape} cannot wrap around", f"These can: {shapes}."
        )
    lattice, wrap = LATTICES[spec.lattice], WRAP_AXES if spec.shape == ENDLESS else spec.wrap
    if spec.shape == "box":
        _refuse_levels_of(spec.kinds)
        if prod(spec.sizes) > _MOST_IN_LEVELS:
            raise too_large(_MOST_IN_LEVELS)
        if spec.sizes[2] > _MOST_LEVELS:
            raise BoardError(
                f"the board has more than {_MOST_LEVELS} levels", "Give it fewer levels."
            )
        lattice = square.lattice(spec.sizes[0], spec.sizes[2])
    board = build(lattice, shape(*spec.sizes), spec.kinds, wrap, spec.top_first)
    return replace(board, endless=spec.shape == ENDLESS)


def _refuse_levels_of(kinds: tuple[str, ...]) -> None:
    if kinds != ("cell",):
        raise BoardError(
            "the sites of a board in three dimensions are its cells",
            "Give it two sizes, or leave vertices and edges out.",
        )


def _refuse_bad_sizes(spec: BoardSpec, expected: int) -> None:
    if len(spec.sizes) != expected:
        raise BoardError(
            f"a {spec.lattice} {spec.shape} takes {expected} size{'s' * (expected > 1)},"
            f" not {len(spec.sizes)}",
            "Columns come first, then rows." if expected == 2 else "",
        )
    for size in spec.sizes:
        if size < 1:
            raise BoardError(f"a board cannot have size {size}", "Sizes count from 1.")


def _refuse_unknown(what: str, names: tuple[str, ...], known: tuple[str, ...]) -> None:
    for name in names:
        if name not in known:
            raise BoardError(f"`{name}` is no {what}", f"There are: {', '.join(known)}.")


# ---------------------------------------------------------------------------------- words of boards

_SIZE = 3
_SITE = re.compile(r"v?[a-z]{1,2}\d+[a-z]?")


@cache
def _of_lattices() -> frozenset[str]:
    """Return the names of relations, regions and numbers of all lattices and shapes."""
    found: set[str] = set()
    for (lattice, shape), sizes in SHAPES.items():
        for kinds in (("cell",), KINDS):
            try:
                board = make_board(BoardSpec(lattice, shape, (_SIZE,) * sizes, kinds))
            except BoardError:
                continue
            found.update(board.relations, board.regions, board.numbers)
    return frozenset(found)


def may_be_of_a_lattice(name: str) -> bool:
    """Return whether a board of a lattice may give such a name to something.

    >>> [may_be_of_a_lattice(name) for name in ("d4", "upper_left", "hexagonal", "emty")]
    [True, True, True, False]
    """
    return _SITE.fullmatch(name) is not None or name in _of_lattices()
