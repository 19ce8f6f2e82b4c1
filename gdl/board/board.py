"""The packed board: its sites by index, relations, regions, numbers, and how it is drawn.

In: the parts that a builder of boards has made. Out: an immutable `Board`. What then holds:
`sites[i].index == i`, names are unique, every relation has the board's size, every region is
a set of its sites, and every tuple of numbers and the outlines have an entry a site.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cache, cached_property
from typing import NamedTuple

from gdl.board.relation import Relation, bits, site_set
from gdl.data_classes import dataclass
from gdl.diagnostic import Hint

MOST_SITES = 30_000

Point = tuple[float, float]
Label = tuple[str, float, float]


class BoardError(ValueError):
    """A board that cannot be made: one sentence why, and a way out (or nothing)."""

    def __init__(self, message: str, hint: Hint = "") -> None:
        """Keep the sentence and the way out apart, for a diagnostic."""
        super().__init__(message)
        self.message = message
        self.hint = hint


def too_large(most: int = MOST_SITES) -> BoardError:
    """Return the error of a board with more sites than there may be."""
    return BoardError(
        f"the board would have more than {most:,} sites, the most there may be",
        "Take a smaller size.",
    )


@dataclass(frozen=True)
class Site:
    """A place for pieces; `kind` is `cell`, `vertex` or `edge`.

    `column` and `row` are counted from 1 as labelled on the board. `x` (to the right) and `y`
    (upwards) are where it is drawn; neighbours are about 1 apart.
    """

    index: int
    name: str
    kind: str
    column: int
    row: int
    x: float
    y: float


class Drawing(NamedTuple):
    """How a board looks.

    `outlines` has the polygon of each cell, the two ends of each edge, nothing for a vertex.
    `lines` are drawn where pieces stand on points.
    """

    outlines: tuple[tuple[Point, ...], ...]
    lines: tuple[tuple[Point, Point], ...]


@dataclass(frozen=True)
class Drawn:
    """What makes a drawing that is made already."""

    drawing: Drawing

    def __call__(self) -> Drawing:
        """Return the drawing."""
        return self.drawing


@dataclass(frozen=True, eq=False)
class Board:
    """A board; two boards are equal only if they are the same object.

    `relations` holds the directions, the families of directions (the union of theirs) and
    `adjacent`; `families` the directions of each family, clockwise. `regions` are sets of
    sites, `numbers` values for each site. `draw` makes the drawing when it is first asked for:
    that is as much work as all the rest, and needed only where the board is shown. Labels are
    texts with the place outside the board where they are drawn. `top_first` tells that row 1
    is the uppermost; `endless` that the board is a window, drawn where pieces are. A pickled board
    has its drawing in it.
    """

    sites: tuple[Site, ...]
    relations: Mapping[str, Relation]
    families: Mapping[str, tuple[str, ...]]
    regions: Mapping[str, int]
    numbers: Mapping[str, tuple[int, ...]]
    draw: Callable[[], Drawing]
    lattice: str
    top_first: bool
    column_labels: tuple[Label, ...]
    row_labels: tuple[Label, ...]
    endless: bool = False

    @property
    def size(self) -> int:
        """The number of sites."""
        return len(self.sites)

    @property
    def all_sites(self) -> int:
        """The set of all sites."""
        return (1 << len(self.sites)) - 1

    @cached_property
    def _drawing(self) -> Drawing:
        return self.draw()

    @property
    def outlines(self) -> tuple[tuple[Point, ...], ...]:
        """The outline of each site."""
        return self._drawing.outlines

    @property
    def lines(self) -> tuple[tuple[Point, Point], ...]:
        """The lines of the drawing."""
        return self._drawing.lines

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "draw": Drawn(self._drawing)}

    @cached_property
    def _index_by_name(self) -> dict[str, int]:
        return {site.name: site.index for site in self.sites}

    def index(self, name: str) -> int | None:
        """Return the index of the site with this name, or None."""
        return self._index_by_name.get(name)

    def without(self, removed: int) -> Board:
        """Return the board without the sites of the set `removed`, the others renumbered.

        Names, places, numbers and the regions of the remaining sites stay what they were.
        Raises `BoardError` if no site remains.
        """
        kept = list(bits(self.all_sites & ~removed))
        if not kept:
            raise BoardError("no site of the board is left", "Remove fewer sites.")
        if len(kept) == self.size:
            return self
        renumbered = {old: new for new, old in enumerate(kept)}
        sites = tuple(replace(self.sites[old], index=new) for old, new in renumbered.items())
        columns = {column_letters(site.column) for site in sites}
        rows = {str(site.row) for site in sites}
        places = {site.x for site in sites}

        def is_left(label: Label) -> bool:
            """Whether a column is left; of levels, each has columns of its own, and a title."""
            text, x, _ = label
            if "level" not in self.numbers:
                return text in columns
            return " " in text or (text in columns and x in places)

        return replace(
            self,
            sites=sites,
            relations={
                name: _renumber(relation, renumbered) for name, relation in self.relations.items()
            },
            regions={
                name: site_set(renumbered[i] for i in bits(region & ~removed))
                for name, region in self.regions.items()
            },
            numbers={
                name: tuple(values[old] for old in kept) for name, values in self.numbers.items()
            },
            draw=lambda: self._drawing_of(kept),
            column_labels=tuple(filter(is_left, self.column_labels)),
            row_labels=tuple(label for label in self.row_labels if label[0] in rows),
        )

    def _drawing_of(self, kept: Collection[int]) -> Drawing:
        """Return the drawing of the sites `kept` alone, with the lines that lead to no other."""
        gone = {(site.x, site.y) for site in self.sites}
        gone -= {(self.sites[i].x, self.sites[i].y) for i in kept}
        return Drawing(
            tuple(self.outlines[i] for i in kept),
            tuple(line for line in self.lines if gone.isdisjoint(line)),
        )


def _renumber(relation: Relation, renumbered: Mapping[int, int]) -> Relation:
    kept = site_set(renumbered)
    return Relation.from_pairs(
        len(renumbered),
        (
            (renumbered[i], renumbered[i + shift])
            for mask, shift in relation.offset_classes
            for i in bits(mask & kept)
            if i + shift in renumbered
        ),
    )


# ----------------------------------------------------------------------------------- names of sites

_NAME = re.compile(r"([a-z]+)([1-9][0-9]*)")


@cache
def column_letters(column: int) -> str:
    """Return the letters of a column, counted from 1; columns before it have none.

    >>> [column_letters(column) for column in (1, 26, 27, 702, 703)]
    ['a', 'z', 'aa', 'zz', 'aaa']
    """
    letters = ""
    while column > 0:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def site_name(column: int, row: int) -> str:
    """Return the name of a place: its column's letters and its row's number.

    >>> site_name(3, 12)
    'c12'
    """
    return f"{column_letters(column)}{row}"


def place_of(name: str) -> tuple[int, int] | None:
    """Return the column and row that a name of letters and a number tells, or None.

    >>> place_of("aa7"), place_of("north")
    ((27, 7), None)
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - ord("a") + 1
    return column, int(match[2])
