"""Several sites that are chosen at once: `choose 1..3 stones in empty`.

In: the statement and its scope. Out: statements of the core, and the scope in which the variable is
the set. What then holds: each set is chosen in one way alone: its sites one after another, each
behind the one before in the board's order. So sets are counted and drawn like any decisions.
"""

from __future__ import annotations

from dataclasses import replace

from gdl.board.relation import Relation
from gdl.core import build, nodes
from gdl.core.nodes import (
    Alternative,
    Assign,
    Block,
    Choose,
    Expression,
    Get,
    Origin,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.types import SITES
from gdl.elaborate import coerce
from gdl.elaborate import expressions as ex
from gdl.elaborate.foresight import requirements
from gdl.elaborate.names import check_local
from gdl.elaborate.scope import Scope, problem
from gdl.elaborate.values import RangeValue
from gdl.syntax import tree as t

_MOST_AT_ONCE = 16
_MOST_SITES = 3000
"""On larger boards, what is behind each site takes too much memory."""


def chosen_set(node: t.ChooseSet, scope: Scope) -> tuple[list[Statement], Scope]:
    """Return the statements of a choice of several sites, and the scope of what follows it."""
    check_local(node.variable, scope)
    low, high = _numbers(node, scope)
    board = scope.declarations.board
    if board.size > _MOST_SITES:
        raise problem(
            "too-large",
            f"Several sites at once are chosen on boards of {_MOST_SITES:,} sites at most.",
            node.span,
            "Choose them one after another, `unordered with` the one before.",
        )
    everything = board.all_sites
    behind = Relation(board.size, [everything >> n + 1 << n + 1 for n in range(board.size)])
    among, chosen = Slot("among", SITES), Slot(node.variable.name, SITES, span=node.variable.span)
    made: list[Statement] = [Assign(node.domain.span, among, ex.sites(node.domain, scope))]
    ways = [_so_many(number, node, scope, among, chosen, behind) for number in range(low, high + 1)]
    if len(ways) == 1:
        made += ways[0]
    else:
        made.append(nodes.Decide(node.span, tuple(Alternative(None, way) for way in ways)))
    inner = scope.bind(node.variable.name, Get(chosen))
    if node.condition is not None:
        required = requirements(node.condition.span, ex.flag(node.condition, inner))
        made += [replace(one, origin=Origin(node, inner)) for one in required]
    return made, inner


def _numbers(node: t.ChooseSet, scope: Scope) -> tuple[int, int]:
    """Return how many sites may be chosen, at least and at most."""
    value = ex.elaborate(node.number, scope)
    ends = (value.low, value.high) if isinstance(value, RangeValue) else (value, value)
    low, high = (
        coerce.constant_number(coerce.to_whole(coerce.to_number(end, node.number.span), span), span)
        for end, span in ((end, node.number.span) for end in ends)
    )
    if not 0 <= low <= high or not 1 <= high <= _MOST_AT_ONCE:
        raise problem(
            "out-of-range",
            f"So many sites can't be chosen at once: {node.number.span.text}.",
            node.number.span,
            f"Write a number from 1 to {_MOST_AT_ONCE}, or a range such as `1..3`.",
        )
    return low, high


def _so_many(
    number: int, node: t.ChooseSet, scope: Scope, among: Slot, chosen: Slot, behind: Relation
) -> Block:
    """Return the choices of so many sites, each behind the one before."""
    origin = Origin(node, scope)
    made: list[Statement] = []
    sites: list[Expression] = []
    for rank in range(1, number + 1):
        left: Expression = Get(among)
        if sites:
            left = build.intersection(left, build.image(behind, sites[-1]))
        slot = Slot(node.variable.name, SITES)
        made.append(Choose(node.span, slot, SitesOf(left), rank=rank, origin=origin))
        sites.append(Get(slot))
    return (*made, Assign(node.span, chosen, build.union(*sites)))
