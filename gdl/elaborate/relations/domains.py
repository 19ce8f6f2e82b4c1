"""What a variable runs over: lists are unrolled, everything else is a domain of the core.

In: the value after `in`. Out: its elements, if they are known and few; else the core's domain
and a slot for its elements.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.board.board import Board
from gdl.board.relation import Relation
from gdl.codes import Code
from gdl.core import build
from gdl.core.nodes import Const, Expression, Get, GroupsOf, RangeOf, SitesOf, Slot
from gdl.core.types import NUMBER, SITES
from gdl.diagnostic import Span
from gdl.elaborate.names.scope import Scope, problem
from gdl.elaborate.names.values import (
    Chain,
    Chosen,
    Cut,
    Directed,
    GroupsValue,
    Known,
    ListValue,
    RangeValue,
    RelationTree,
    RelationValue,
    Repeated,
    Value,
)
from gdl.elaborate.relations import coerce, relations
from gdl.elaborate.relations.directions import board_relation, directions_of, opposite_name
from gdl.syntax import tree as t

MOST_UNROLLED = 64

INITIAL = {"union": 0, "sum": 0, "product": 1, "max": 0, "min": 0}
"""What the combinations of no elements at all are."""


def unrolled(domain: Value, span: Span) -> tuple[Value, ...] | None:
    """Return the elements of a domain if they are known and few, else None. Raises Problem."""
    if isinstance(domain, ListValue):
        return domain.items
    if isinstance(domain, RelationValue):
        return members(domain, span)
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


# --------------------------------------------------------------------------- families of directions


def members(domain: RelationValue, span: Span) -> tuple[RelationValue, ...]:
    """Return what a variable runs over: a family's directions, or a relation that is like one.

    Raises Problem of a relation that leads from a site to several and is no family.
    """
    if domain.members or domain.name or _is_single(domain.tree):
        return domain.members or (domain,)
    hint = (
        "Directions and families joined by `|` are a family, as in `north | south`. What else "
        "is to be run over is a list: `(R, S)`. The sites that a relation leads to are `R(s)`."
    )
    if not isinstance(domain.tree, Known):
        hint = (
            "It depends on the position; what is run over must be known before play. Write `if C "
            "then slides(s, Q, T) else slides(s, R, T)`; for pieces of different kinds "
            "`union k in kinds of slides(s & k, steps(k), T)`; and `d into T` for each direction d."
        )
    raise problem(
        Code.WRONG_TYPE,
        "Here directions are taken one by one, but this relation is no direction and no family of "
        "directions.",
        span,
        hint,
    )


def union(values: Sequence[RelationValue], board: Board) -> RelationValue:
    """Return the union of relations."""
    tree = relations.join([value.tree for value in values])
    names = [_names(value) for value in values]
    if any(some is None for some in names):
        return RelationValue(tree)
    return _family(tree, frozenset[str]().union(*(some for some in names if some)), board)


def intersection(
    first: RelationValue, other: RelationValue, both: Relation, board: Board
) -> RelationValue:
    """Return what two relations have in common, which is `both`."""
    here, there = _names(first), _names(other)
    names = frozenset[str]() if here is None or there is None else here & there
    return _family(Known(both), names, board)


def difference(
    first: RelationValue, other: RelationValue, rest: Relation, board: Board
) -> RelationValue:
    """Return what a relation has and another has not, which is `rest`."""
    here, there = _names(first), _names(other)
    names = frozenset[str]() if here is None or there is None else here - there
    return _family(Known(rest), names, board)


def inverse(value: RelationValue, board: Board) -> RelationValue:
    """Return a relation with every pair turned round."""
    tree = relations.inverse(value.tree)
    turned = frozenset(opposite_name(name, board) or "" for name in _names(value) or ())
    return _family(tree, turned, board)


def _names(value: RelationValue) -> frozenset[str] | None:
    """Return the names of the directions in a family; None of a relation that is none."""
    if value.members or value.name:
        names = frozenset(part.name for part in value.members or (value,))
        return None if "" in names else names
    leads = not isinstance(value.tree, Known) or value.tree.relation.offset_classes
    return None if leads else frozenset()


def _family(tree: RelationTree, names: frozenset[str], board: Board) -> RelationValue:
    found = tuple(board_relation(name, board) for name in directions_of(board) if name in names)
    if not found or relations.join([part.tree for part in found]) != tree:
        return RelationValue(tree)
    return found[0] if len(found) == 1 else RelationValue(tree, found)


def _is_single(tree: RelationTree) -> bool:
    """Return whether a relation surely leads from each site to one at most."""
    match tree:
        case Known(relation):
            seen = 0
            for sites, _ in relation.offset_classes:
                if seen & sites:
                    return False
                seen |= sites
            return True
        case Cut(relation, _, _) | Repeated(relation, _, _):
            return _is_single(relation)
        case Chain(first, second):
            return _is_single(first) and _is_single(second)
        case Chosen(_, then, otherwise):
            return _is_single(then) and _is_single(otherwise)
        case Directed(_, choices):
            return all(_is_single(Known(relation)) for relation in choices)
        case _:
            return False
