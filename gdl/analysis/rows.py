"""Rows of sites in conditions: the rows through one site, in place of all of them.

In: a condition that some row of sites, out of a known family, lies in a layer, or in several
together. Out: the condition that one of those rows which run through a given site does. What then
holds: where the layers have the site, and no row was full without it, both are the same.

Of a full row, more may be asked: that it does not lie where other images of the layers do. Then
there can only be such a row now, and was none before, if a row runs through the site.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from gdl.board.relation import Relation, bits
from gdl.core.nodes import Const, Expression, ExpressionNode, Get, Op, Slot
from gdl.core.types import FLAG

MOST_ROWS = 24
"""How many rows through one site are looked at one by one."""

Rows = frozenset[int]
"""Sets of sites, of which each is a row."""


@dataclass(frozen=True)
class RowThrough(ExpressionNode):
    """Whether a row through the one site in `newest` lies in the layers together.

    `families` has the rows of each direction. It is no node of the core: only backends have it.
    """

    layers: tuple[Slot, ...]
    newest: Expression
    families: tuple[Rows, ...]

    def __post_init__(self) -> None:
        """Settle the type."""
        object.__setattr__(self, "type", FLAG)

    def parts(self) -> tuple[Expression, ...]:
        """Return the newest site."""
        return (self.newest,)

    @cached_property
    def free(self) -> frozenset[Slot]:
        """The layers, and what the site depends on."""
        return self.newest.free | frozenset(self.layers)


@dataclass(frozen=True)
class Found:
    """Rows through a site; `is_all`: nothing else is asked of them."""

    rows: RowThrough
    is_all: bool


def row_through(node: Expression, newest: Slot) -> Found | None:
    """Return what a condition on full rows is worth once a site was added; None for no such."""
    parts = node.arguments if isinstance(node, Op) and node.name == "or" else (node,)
    layers: set[tuple[Slot, ...]] = set()
    families: dict[Rows, None] = {}
    is_all = True
    for part in parts:
        whole, taken = _without_taken(part)
        found = _family(whole)
        if found is None:
            return None
        own, rows = found
        if not all(_grows(away, own) for away in taken):
            return None
        is_all = is_all and not taken
        layers.add(own)
        families[rows] = None
    if len(layers) != 1:
        return None
    made = RowThrough(layers.pop(), Get(newest), tuple(families))
    if most_rows(made.families) > MOST_ROWS:
        return None
    return Found(made, is_all)


def _without_taken(node: Expression) -> tuple[Expression, tuple[Expression, ...]]:
    """Return whether there is a set before others are taken away from it, and those others."""
    taken: list[Expression] = []
    if isinstance(node, Op) and node.name == "some":
        (of,) = node.arguments
        while isinstance(of, Op) and of.name == "difference":
            of, away = of.arguments
            taken.append(away)
        if taken:
            return Op("some", (of,), FLAG), tuple(taken)
    return node, ()


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


def _layers_of(node: Expression) -> tuple[Slot, ...] | None:
    """Return the layers that a set is made of."""
    parts = node.arguments if isinstance(node, Op) and node.name == "union" else (node,)
    slots = tuple(part.slot for part in parts if isinstance(part, Get) and part.slot.is_state)
    return slots if len(slots) == len(parts) else None


def _family(node: Expression) -> tuple[tuple[Slot, ...], Rows] | None:
    """Match a condition that layers meet their own images under known relations."""
    if not isinstance(node, Op) or node.name != "some":
        return None
    (of,) = node.arguments
    if not isinstance(of, Op) or of.name != "intersection":
        return None
    within: int | None = None
    layers: set[tuple[Slot, ...] | None] = set()
    sources: list[Sequence[int] | None] = []
    for part in of.arguments:
        if isinstance(part, Const):
            within = int(part.value) if within is None else within & int(part.value)
        elif isinstance(part, Op) and part.name == "image":
            assert isinstance(part.payload, Relation), "an image has a relation"
            layers.add(_layers_of(part.arguments[0]))
            sources.append(part.payload.inverse().successors)
        else:
            layers.add(_layers_of(part))
            sources.append(None)
    sizes = {len(table) for table in sources if table is not None}
    own = layers.pop() if len(layers) == 1 else None
    if own is None or len(sizes) != 1:
        return None
    rows = _rows(sources, sizes.pop(), within)
    return None if rows is None else (own, rows)


def _rows(sources: Sequence[Sequence[int] | None], size: int, within: int | None) -> Rows | None:
    """Return the row of each site at which all images meet; None if it is not just one."""
    rows = set()
    for site in range(size):
        if within is not None and not within >> site & 1:
            continue
        before = [1 << site if table is None else table[site] for table in sources]
        if not all(before):
            continue
        if any(each & each - 1 for each in before):
            return None
        row = 0
        for each in before:
            row |= each
        rows.add(row)
    return frozenset(rows)


def most_rows(families: Iterable[Rows]) -> int:
    """Return the greatest number of rows that run through one site."""
    many: dict[int, int] = {}
    for row in (row for rows in families for row in rows):
        for site in bits(row):
            many[site] = many.get(site, 0) + 1
    return max(many.values(), default=0)
