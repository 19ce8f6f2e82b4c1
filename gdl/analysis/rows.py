"""Rows of sites in conditions, and the lines on which they lie.

In: a condition that some row of sites, out of a known family, lies in a layer, or in several
together. Out: the rows, and lines of sites of which they are runs. What then holds: where a layer
gains a site and no row was full without it, one is full now if and only if the site is in it.

Of a full row, more may be asked: that it does not lie where other images of the layers do. Then
there can only be such a row now, and was none before, if a row runs through the site.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

from gdl.analysis.changes import united_layers
from gdl.board.relation import Relation, bits
from gdl.core.nodes import Const, Expression, Get, Op, Slot
from gdl.data_classes import dataclass

_MOST_FAMILIES = 16
_WIDTHS = (16, 32, 64)

Family = frozenset[int]
"""Sets of sites, of which each is a row."""


@dataclass(frozen=True)
class Rows:
    """Whether some row lies in layers together; `may_end`: more is asked of it, so it may end.

    `families` has the rows of each direction.
    """

    layers: tuple[Slot, ...]
    families: tuple[Family, ...]
    may_end: bool


@dataclass(frozen=True)
class Lines:
    """Lines of sites: for each family and each site, the number of its line and its place there.

    A row is `length` places side by side, two at least. A line takes `width` bits, of which one at
    least is never set. Sites on no line of a family have line -1.
    """

    places: tuple[tuple[tuple[int, int], ...], ...]
    number: int
    length: int
    width: int


def rows_of(node: Expression) -> Rows | None:
    """Return the rows that a condition asks for; None if it asks for anything else."""
    parts = node.arguments if isinstance(node, Op) and node.name == "or" else (node,)
    layers: set[tuple[Slot, ...]] = set()
    families: dict[Family, None] = {}
    may_end = False
    for part in parts:
        of = part.arguments[0] if isinstance(part, Op) and part.name == "some" else part
        taken: list[Expression] = []
        while isinstance(of, Op) and of.name == "difference":
            of, away = of.arguments
            taken.append(away)
        found = _family(of)
        if found is None or not all(_grows(away, found[0]) for away in taken):
            return None
        own, rows = found
        may_end = may_end or bool(taken)
        layers.add(own)
        families[rows] = None
    return Rows(layers.pop(), tuple(families), may_end) if len(layers) == 1 else None


def lines_of(families: Iterable[Family], size: int) -> Lines | None:
    """Return lines for the rows of families on a board; None if rows differ in length.

    A family whose rows are not just the runs of some lines is divided: each row has its own line.
    """
    apart = [rows for family in families for rows in _divided(family)]
    lengths = {row.bit_count() for rows in apart for row in rows}
    if len(lengths) != 1 or len(apart) > _MOST_FAMILIES:
        return None
    (length,) = lengths
    places: list[tuple[tuple[int, int], ...]] = []
    lines = [_lines(rows, length) or [list(bits(row)) for row in rows] for rows in apart]
    width = next((w for w in _WIDTHS if w > max(len(x) for found in lines for x in found)), None)
    if width is None or length < 2:
        return None
    number = 0
    for found in lines:
        where = [(-1, 0)] * size
        for line in found:
            for place, site in enumerate(line):
                where[site] = (number, place)
            number += 1
        places.append(tuple(where))
    return Lines(tuple(places), number, length, width)


def _divided(rows: Family) -> list[Family]:
    """Return a family, in parts whose rows have no site in common if they are no runs of lines."""
    lengths = {row.bit_count() for row in rows}
    if len(lengths) == 1 and _lines(rows, *lengths) is not None:
        return [rows]
    apart: list[list[int]] = []
    for row in sorted(rows):
        fits = (among for among in apart if not any(row & other for other in among))
        among = next(fits, None)
        if among is None:
            apart.append(among := [])
        among.append(row)
    return [frozenset(among) for among in apart]


def _lines(rows: Family, length: int) -> list[list[int]] | None:
    """Return the sites of each line, in order; None if its runs are not just the rows."""
    merged: list[int] = []
    for row in rows:
        crossed = [line for line in merged if line & row]
        merged = [line for line in merged if not line & row]
        merged.append(reduce(or_, crossed, row))
    lines = [list(bits(line)) for line in merged]
    runs = {
        sum(1 << site for site in line[i : i + length])
        for line in lines
        for i in range(len(line) - length + 1)
    }
    return lines if runs == set(rows) else None


def _grows(node: Expression, layers: tuple[Slot, ...]) -> bool:
    """Whether a set depends on layers alone, and only gains sites as they do."""
    match node:
        case Const():
            return True
        case Get(slot):
            return slot in layers
        case Op("union" | "intersection" | "image", arguments):
            return all(_grows(part, layers) for part in arguments)
    return False


def _family(node: Expression) -> tuple[tuple[Slot, ...], Family] | None:
    """Match what layers have in common with their own images under known relations."""
    if not isinstance(node, Op) or node.name != "intersection":
        return None
    within = -1
    layers: set[tuple[Slot, ...] | None] = set()
    sources: list[Sequence[int] | None] = []
    for part in node.arguments:
        if isinstance(part, Const):
            within &= int(part.value)
        elif isinstance(part, Op) and part.name == "image":
            assert isinstance(part.payload, Relation), "an image has a relation"
            layers.add(united_layers(part.arguments[0]))
            sources.append(part.payload.inverse().successors)
        else:
            layers.add(united_layers(part))
            sources.append(None)
    sizes = {len(table) for table in sources if table is not None}
    own = layers.pop() if len(layers) == 1 else None
    if own is None or len(sizes) != 1:
        return None
    rows = _rows(sources, sizes.pop(), within)
    return None if rows is None else (own, rows)


def _rows(sources: Sequence[Sequence[int] | None], size: int, within: int) -> Family | None:
    """Return the row of each site at which all images meet; None if it is not just one."""
    rows = set()
    for site in range(size):
        before = [1 << site if table is None else table[site] for table in sources]
        if not within >> site & 1 or not all(before):
            continue
        if any(each & each - 1 for each in before):
            return None
        rows.add(reduce(or_, before))
    return frozenset(rows)
