"""What a variable runs over: lists are unrolled, everything else is a domain of the core.

In: the value after `in`. Out: its elements, if they are known and few; else the core's domain
and a slot for its elements.
"""

from __future__ import annotations

from gdl.core import build
from gdl.core.nodes import Const, Expression, Get, GroupsOf, RangeOf, SitesOf, Slot
from gdl.core.types import NUMBER, SITES
from gdl.diagnostic import Span
from gdl.elaborate import coerce, families, relations
from gdl.elaborate.scope import Scope
from gdl.elaborate.values import GroupsValue, ListValue, RangeValue, RelationValue, Value
from gdl.syntax import tree as t

MOST_UNROLLED = 64

INITIAL = {"union": 0, "sum": 0, "product": 1, "max": 0, "min": 0}
"""What the combinations of no elements at all are."""


def unrolled(domain: Value, span: Span) -> tuple[Value, ...] | None:
    """Return the elements of a domain if they are known and few, else None. Raises Problem."""
    if isinstance(domain, ListValue):
        return domain.items
    if isinstance(domain, RelationValue):
        return families.members(domain, span)
    if isinstance(domain, RangeValue):
        low, high = domain.low, domain.high
        if not (isinstance(low, Const) and isinstance(high, Const)):
            return None
        if int(high.value) - int(low.value) < MOST_UNROLLED:
            values = range(int(low.value), int(high.value) + 1)
            return tuple(build.number(value) for value in values)
    return None


def element_slot(variable: t.Name, domain: Value, span: Span, scope: Scope) -> Slot:
    """Return a variable's slot for the elements of a domain. Raises Problem if it is none."""
    if isinstance(domain, RangeValue):
        low, high = (
            int(end.value) if isinstance(end, Const) else None for end in (domain.low, domain.high)
        )
        return Slot(variable.name, NUMBER, low=low, high=high, span=variable.span)
    if not isinstance(domain, GroupsValue):
        coerce.to_sites(domain, span, scope)
    return Slot(variable.name, SITES, span=variable.span)


def core_domain(domain: Value, span: Span, scope: Scope) -> SitesOf | GroupsOf | RangeOf:
    """Return the core's form of a domain that is not unrolled."""
    if isinstance(domain, RangeValue):
        return RangeOf(domain.low, domain.high)
    if isinstance(domain, GroupsValue):
        frontier = Slot("frontier", SITES)
        return GroupsOf(domain.sites, frontier, relations.image(domain.relation, Get(frontier)))
    return SitesOf(coerce.to_sites(domain, span, scope))


def fold_over(
    combine: str, slot: Slot, domain: Value, body: Expression, span: Span, scope: Scope
) -> Expression:
    """Return the values of `body` over a domain that is not unrolled, combined."""
    everything = scope.declarations.board.all_sites
    initial = everything if combine == "intersection" else INITIAL.get(combine, combine == "and")
    return build.fold(combine, slot, core_domain(domain, span, scope), body, initial)
