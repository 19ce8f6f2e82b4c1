"""Rows of sites in conditions: the rows through one site, in place of all of them.

In: a condition that some row of sites, out of a known family, lies in a layer. Out: the condition
that one of those rows which run through a given site does. What then holds: where the layer has
the site, and no row was full without it, both are the same.
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
    """Whether a row through the one site in `newest` lies in the layer.

    `families` has the rows of each direction. It is no node of the core: only backends have it.
    """

    layer: Slot
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
        """The layer, and what the site depends on."""
        return self.newest.free | {self.layer}


def row_through(node: Expression, newest: Slot) -> RowThrough | None:
    """Return what a condition on full rows is worth once a site was added; None for no such."""
    parts = node.arguments if isinstance(node, Op) and node.name == "or" else (node,)
    layers: set[Slot] = set()
    families: dict[Rows, None] = {}
    for part in parts:
        found = _family(part)
        if found is None:
            return None
        layer, rows = found
        layers.add(layer)
        families[rows] = None
    if len(layers) != 1:
        return None
    made = RowThrough(layers.pop(), Get(newest), tuple(families))
    if most_rows(made.families) > MOST_ROWS:
        return None
    return made


def _family(node: Expression) -> tuple[Slot, Rows] | None:
    """Match a condition that a layer meets its own images under known relations."""
    if not isinstance(node, Op) or node.name != "some":
        return None
    (of,) = node.arguments
    if not isinstance(of, Op) or of.name != "intersection":
        return None
    within: int | None = None
    layers: set[Slot] = set()
    sources: list[Sequence[int] | None] = []
    for part in of.arguments:
        if isinstance(part, Const):
            within = int(part.value) if within is None else within & int(part.value)
        elif isinstance(part, Get) and part.slot.is_state:
            layers.add(part.slot)
            sources.append(None)
        elif isinstance(part, Op) and part.name == "image" and isinstance(part.arguments[0], Get):
            assert isinstance(part.payload, Relation), "an image has a relation"
            layers.add(part.arguments[0].slot)
            sources.append(part.payload.inverse().successors)
        else:
            return None
    sizes = {len(table) for table in sources if table is not None}
    if len(layers) != 1 or len(sizes) != 1:
        return None
    return _rows(layers.pop(), sources, sizes.pop(), within)


def _rows(
    layer: Slot, sources: Sequence[Sequence[int] | None], size: int, within: int | None
) -> tuple[Slot, Rows] | None:
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
    return layer, frozenset(rows)


def most_rows(families: Iterable[Rows]) -> int:
    """Return the greatest number of rows that run through one site."""
    many: dict[int, int] = {}
    for row in (row for rows in families for row in rows):
        for site in bits(row):
            many[site] = many.get(site, 0) + 1
    return max(many.values(), default=0)
