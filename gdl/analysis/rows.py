"""Rows of sites in conditions, and the lines on which they lie.

In: a condition that some row of sites, out of a known family, lies in a layer, or in several
together. Out: the rows, and lines of sites of which they are runs. What then holds: where a layer
gains a site and no row was full without it, one is full now if and only if the site is in it.

Of a full row, more may be asked: that it does not lie where other images of the layers do. Then
there can only be such a row now, and was none before, if a row runs through the site.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gdl.analysis.changes import united_layers
from gdl.board.relation import Relation
from gdl.core.nodes import Const, Expression, Get, Op, Slot
from gdl.data_classes import dataclass

_MOST_FAMILIES = 16
_WIDTHS = (16, 32, 64)
_BYTE = 8
_MOST_BYTES = 1 << 15
"""How much memory lines may take."""

Family = frozenset[tuple[int, ...]]
"""Rows, each as its sites in ascending order: as sets, those of a large board take long."""


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
    least is never set; each begins `apart` bytes after the one before. Sites on no line of a family
    have line -1.

    Lines of more sites than a word has bits follow one another, with a bit that is never set
    between them; what is numbered then are the words that begin at each byte. That of a site has
    all rows through it.
    """

    places: tuple[tuple[tuple[int, int], ...], ...]
    number: int
    length: int
    width: int
    apart: int


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
    families = [*families]
    lengths = {len(row) for family in families for row in family}
    if len(lengths) != 1:
        return None
    (length,) = lengths
    lines = [lines for family in families for lines in _divided(family, length)]
    if len(lines) > _MOST_FAMILIES:
        return None
    width = next((w for w in _WIDTHS if w > max(len(x) for found in lines for x in found)), None)
    if length < 2:
        return None
    if width is None:
        found = _long_lines(lines, length, size)
    else:
        found = _short_lines(lines, length, size, width)
    return found if found is not None and found.number * found.apart < _MOST_BYTES else None


def _short_lines(families: Sequence[list[list[int]]], length: int, size: int, width: int) -> Lines:
    """Return lines that have a word each."""
    places: list[tuple[tuple[int, int], ...]] = []
    number = 0
    for found in families:
        where = [(-1, 0)] * size
        for line in found:
            for place, site in enumerate(line):
                where[site] = (number, place)
            number += 1
        places.append(tuple(where))
    return Lines(tuple(places), number, length, width, _WIDTHS[-1] // _BYTE)


def _long_lines(families: Sequence[list[list[int]]], length: int, size: int) -> Lines | None:
    """Return lines of any number of sites; None if not all rows through a site fit into a word."""
    width = _WIDTHS[-1]
    if 2 * (length - 1) + _BYTE > width:
        return None
    places: list[tuple[tuple[int, int], ...]] = []
    begin = 0
    for family in families:
        where = [(-1, 0)] * size
        for line in family:
            for at, site in enumerate(line, begin):
                byte = max(0, at - length + 1) // _BYTE
                where[site] = (byte, at - byte * _BYTE)
            begin += len(line) + 1
        places.append(tuple(where))
    return Lines(tuple(places), begin // _BYTE + width // _BYTE, length, width, 1)


def _divided(rows: Family, length: int) -> list[list[list[int]]]:
    """Return the lines of a family; of rows that are no runs of lines, parts without a common site.

    There, each row is a line.
    """
    lines = _lines(rows, length)
    if lines is not None:
        return [lines]
    apart: list[tuple[set[int], list[list[int]]]] = []
    for row in sorted(rows):
        among = next((among for among in apart if among[0].isdisjoint(row)), None)
        if among is None:
            apart.append(among := (set(), []))
        among[0].update(row)
        among[1].append([*row])
    return [alone for _, alone in apart]


def _lines(rows: Family, length: int) -> list[list[int]] | None:
    """Return the sites of each line, in order; None if its runs are not just the rows."""
    line_of: dict[int, list[int]] = {}
    for row in rows:
        own = line_of.setdefault(row[0], [row[0]])
        for site in row[1:]:
            other = line_of.setdefault(site, [site])
            if other is own:
                continue
            if len(other) > len(own):
                own, other = other, own
            own += other
            line_of.update(dict.fromkeys(other, own))
    lines = [sorted(line) for site, line in line_of.items() if site == line[0]]
    runs = {tuple(line[i : i + length]) for line in lines for i in range(len(line) - length + 1)}
    return lines if runs == rows else None


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
    steps: list[Relation | None] = []
    for part in node.arguments:
        if isinstance(part, Const):
            within &= int(part.value)
        elif isinstance(part, Op) and part.name == "image":
            assert isinstance(part.payload, Relation), "an image has a relation"
            layers.add(united_layers(part.arguments[0]))
            steps.append(part.payload)
        else:
            layers.add(united_layers(part))
            steps.append(None)
    own = layers.pop() if len(layers) == 1 else None
    size = next((step.size for step in steps if step is not None), None)
    if own is None or size is None:
        return None
    rows = _rows(steps, size, within)
    return None if rows is None else (own, rows)


_NONE, _SEVERAL = -1, -2


def _rows(steps: Sequence[Relation | None], size: int, within: int) -> Family | None:
    """Return the row of each site at which all images meet; None if it is not just one."""
    rows = set()
    sources = (range(size) if step is None else _sources(step) for step in steps)
    for site, row in enumerate(zip(*sources, strict=True)):
        if _NONE not in row and within >> site & 1:
            if _SEVERAL in row:
                return None
            rows.add(tuple(sorted({*row})))
    return frozenset(rows)


def _sources(relation: Relation) -> list[int]:
    """Return which site leads to each: `_NONE`, one alone, or one of `_SEVERAL`."""
    sources = [_NONE] * relation.size
    for source, target in relation.pairs():
        sources[target] = source if sources[target] == _NONE else _SEVERAL
    return sources
