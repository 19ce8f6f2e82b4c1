"""Views: what is worth being kept beside a position while random games are played.

In: a program, and the choices of which a random move is drawn. Out: conditions of endings, and
sets to choose from, that follow from a few layers. What then holds: all these layers ever do is to
gain chosen sites, and what a view needs to know of such a site is what it is and nothing else.

A condition is kept as a flag. It can only become true as its layers grow: the flag is set when a
row through the newest site is full, or when that site's group does what is asked for. A set to
choose from, a pool, only loses the sites that layers gain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from gdl.analysis.changes import united_layers
from gdl.analysis.groups import Group, group_of
from gdl.analysis.rows import Rows, rows_of
from gdl.core.nodes import Choose, Const, Expression, Get, If, Let, Op, Program, SitesOf, Slot
from gdl.core.rebuild import with_parts
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.core.walk import expressions_in
from gdl.data_classes import dataclass


@dataclass(frozen=True)
class Kept:
    """A condition that is kept in `slot`, a flag: what it `asks` for is told by each new site.

    If what it asks for `may_end`, the new site only tells whether the condition can have become
    true.
    """

    slot: Slot
    condition: Expression
    asks: Rows | Group


@dataclass(frozen=True)
class Pool:
    """A set to choose from, a known one without the sites of some layers; `slot` has its size."""

    slot: Slot
    domain: Expression
    layers: frozenset[Slot]


def kept_conditions(program: Program, growing: AbstractSet[Slot]) -> tuple[Kept, ...]:
    """Return the conditions in a program's endings that are worth being kept."""
    found: dict[Expression, Kept] = {}
    for turn in program.turns:
        for ending in turn.endings:
            _gather(ending.condition, growing, found)
    return tuple(found.values())


def _gather(node: Expression, growing: AbstractSet[Slot], found: dict[Expression, Kept]) -> None:
    """Find what is worth being kept in an expression; nothing inside what is kept itself."""
    if node.type == SITES or node in found:
        return
    if node.type == FLAG:
        whole = without_lets(node)
        asks = group_of(whole) or rows_of(whole)
        if asks is not None:
            if growing >= set(asks.layers):
                found[node] = Kept(Slot(f"kept {len(found) + 1}", FLAG), node, asks)
            return
    if isinstance(node, Op | If):
        for part in node.parts():
            _gather(part, growing, found)


def pools_of(choices: Iterable[Choose | None], growing: AbstractSet[Slot]) -> dict[Choose, Pool]:
    """Return the pools that choices draw from, of those that have one."""
    found: dict[Choose, Pool] = {}
    pools: dict[object, Pool] = {}
    for choice in choices:
        match choice:
            case Choose(domain=SitesOf(Op("difference", (Const(value), taken)) as domain)):
                layers = frozenset(united_layers(taken) or ())
                if layers and layers <= growing:
                    slot = Slot(f"pool {len(pools) + 1}", NUMBER)
                    found[choice] = pools.setdefault((value, layers), Pool(slot, domain, layers))
    return found


def without_lets(node: Expression) -> Expression:
    """Return an expression with each value in place of the word that stands for it."""

    def changed(part: Expression, values: Mapping[Slot, Expression]) -> Expression:
        if isinstance(part, Get):
            return values.get(part.slot, part)
        if isinstance(part, Let):
            value = changed(part.value, values)
            return changed(part.body, {**values, part.slot: value})
        return with_parts(part, lambda inner: changed(inner, values))

    has_lets = any(isinstance(part, Let) for part in expressions_in(node))
    return changed(node, {}) if has_lets else node


def replaced(node: Expression, known: Mapping[Expression, Expression]) -> Expression:
    """Return a condition that reads what is `known` in place of the conditions it stands for."""
    if node in known:
        return known[node]
    if isinstance(node, Op | If) and node.type != SITES:
        return with_parts(node, lambda part: replaced(part, known))
    return node
