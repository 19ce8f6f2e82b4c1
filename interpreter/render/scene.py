"""What is to be drawn, apart from how.

In: a board and what stands on its sites. Out: an immutable `Scene`, the one input of every
renderer. A scene knows nothing of rules, colours or characters; its indices are those of its own
board.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Literal

from gdl.board.board import Board, Point
from gdl.data_classes import dataclass
from gdl.model import Steps

Style = Literal["cells", "points"]

CornerSides = tuple[int | None, ...]
"""The side at each corner of a cell, in the order of its outline; None is nobody's."""

Pair = tuple[int, int, str]
"""Two sites, and the name of a colour or a side."""

_FARTHEST = 1.9  # in sides of a cell: more than a hexagon's width, less than two squares


DRAWN = ("adjacent", "incident")
"""The relations of a board that its drawing asks for."""


def side_length(board: Board) -> float:
    """The length of a side of a lattice's cells, in the board's drawing units; 1 for a point."""
    for outline in board.outlines:
        if len(outline) > 1:
            return math.dist(outline[0], outline[1])
    return math.dist(*board.lines[0]) if board.lines else 1.0


def common_side(board: Board, first: int, second: int) -> tuple[Point, Point] | None:
    """Return the side that the outlines of two cells share; None if they have none."""
    corners = {(round(x, 4), round(y, 4)) for x, y in board.outlines[first]}
    shared = [(x, y) for x, y in board.outlines[second] if (round(x, 4), round(y, 4)) in corners]
    return (shared[0], shared[1]) if len(shared) == 2 else None


def farthest_neighbour(board: Board) -> float:
    """Neighbours of a lattice drawn farther apart than this are so only by wrapping around."""
    return _FARTHEST * side_length(board)


UNKNOWN_KIND = ""
"""The kind of a piece, or of whatever else stands on a site, that the viewer does not see."""


@dataclass(frozen=True)
class Mark:
    """What stands on one site.

    `symbol` is one character; `side` counts from 0, None is neutral; `kind` may be `UNKNOWN_KIND`;
    `count` is a number to show with it (seeds, the height of a pile), None for no number. `under`
    are the pieces that it stands upon, the lowest first; None is one that nothing is known of.
    `figure` is the name of its shape (empty: the usual one), `letters` a short text upon that,
    `steps` are shown by a small board upon it. `flag` is the sign of what is said of this one
    alone, such as that it is promoted: a short text, or a mark that has a name.
    """

    symbol: str
    side: int | None
    kind: str
    count: int | None = None
    under: tuple[Mark | None, ...] = ()
    figure: str = ""
    letters: str = ""
    steps: Steps = ()
    flag: str = ""


@dataclass(frozen=True)
class Beside:
    """A line beside the board: a text, and what is drawn behind it.

    What has a `place` is drawn there: to the `left` or `right` of the board, or in its `gap`.
    """

    text: str
    marks: tuple[Mark, ...] = ()
    place: str = ""


@dataclass(frozen=True)
class Scene:
    """One position to be drawn.

    `marks`, `last` (the sites of the last move, or those that a drawing is about), `highlights` (a
    small character a site, such as the legal targets, or a number), `areas` (the names of the
    colours or sides whose colours a site has), `signs` (a small text on a site) and `tiles` (cells
    that are drawn in the colours of their corners) go by site index. `sides` are the sides' names
    in order. `kinds` are the piece kinds of the whole game, and `stock` has a piece of each kind
    and side, so that a drawing does not change its letters when the last one goes; empty means
    those of the marks.
    `bonds` are pairs of sites that the board itself joins, each with the name of a colour or a
    side; so are `tracks`, which lead from the first to the second, and `borders`, the sides that
    two cells share. `lines` are those that a picture joins, over all that stands there, and
    `arrows` those that lead somewhere. `changed` are sites on which the last move changed something
    without naming them; `way` are the sites that a piece passed in it. `bases` are numbers of
    sites, drawn under pieces; `beside` is what lies beside the board.
    `bridges` are thick bars under the pieces, half of the way from the first to the second of such
    pairs; `loops` are lines outside of the board. `fields` are the shapes of sites that are no
    plain cells or points, `places` those beside the board that are drawn even if empty.
    With `style` "points" the pieces of a board of cells stand on the crossings of lines.
    A text picture keeps `spare` columns for numbers and flags with pieces, also where there are
    none yet, and room for areas where it `has_areas` at times: so it keeps its shape.
    """

    board: Board
    marks: Mapping[int, Mark]
    last: frozenset[int] = frozenset()
    sides: tuple[str, ...] = ()
    style: Style = "cells"
    highlights: Mapping[int, str] = field(default_factory=dict)
    areas: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    signs: Mapping[int, str] = field(default_factory=dict)
    bonds: tuple[Pair, ...] = ()
    tracks: tuple[Pair, ...] = ()
    borders: tuple[Pair, ...] = ()
    bridges: tuple[Pair, ...] = ()
    loops: tuple[Pair, ...] = ()
    fields: Mapping[int, str] = field(default_factory=dict)
    places: tuple[str, ...] = ()
    tiles: Mapping[int, CornerSides] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()
    stock: tuple[Mark, ...] = ()
    title: str = ""
    lines: tuple[tuple[int, int], ...] = ()
    arrows: tuple[tuple[int, int], ...] = ()
    changed: frozenset[int] = frozenset()
    way: tuple[int, ...] = ()
    bases: Mapping[int, Mark] = field(default_factory=dict)
    beside: tuple[Beside, ...] = ()
    spare: int = 0
    has_areas: bool = False

    @cached_property
    def pieces(self) -> tuple[Mark, ...]:
        """All pieces on the board, those that others stand upon among them."""
        marks = self.marks.values()
        under = (part for mark in marks for part in mark.under if part is not None)
        return (*under, *marks)

    def is_row(self, index: int) -> bool:
        """Whether the pile on a site is laid out in a row, from the base of a triangle."""
        return self.fields.get(index) == "triangle"

    @property
    def colours_of_bonds(self) -> tuple[str, ...]:
        """The names of the colours that lines of the board have, in the order of the file."""
        return tuple(dict.fromkeys(name for *_, name in self.bonds))

    @cached_property
    def links(self) -> tuple[tuple[Point, Point], ...]:
        """The lines to draw between points: the board's own, else one for each near neighbour."""
        if self.board.lines:
            return self.board.lines
        adjacent = self.board.relations.get("adjacent")
        if adjacent is None:
            return ()
        most = farthest_neighbour(self.board)
        places = [(site.x, site.y) for site in self.board.sites]
        return tuple(
            (places[a], places[b])
            for a, b in adjacent.pairs()
            if a < b and math.dist(places[a], places[b]) <= most
        )

    @cached_property
    def on_points(self) -> bool:
        """Whether pieces stand on points joined by lines rather than in outlined cells."""
        kinds = {site.kind for site in self.board.sites}
        return kinds == {"vertex"} or (kinds == {"cell"} and self.style == "points")
