"""What a variable runs over: lists are unrolled, everything else is a domain of the core.

In: the value after `in`. Out: its elements, if they are known and few; else the core's domain
and a slot for its elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

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
    if domain.members:
        return domain.members
    if domain.name or domain.part_of or _is_single(domain.tree):
        return (domain,)
    if domain.parts:
        return domain.parts
    hint = (
        "Directions and families joined by `|`, or cut by `within`, are a family, as in `orthogonal"
        " | (diagonal within dark)`. What else is to be run over is a list of relations that each "
        "lead one way: `(north^2, east^2)`. The sites that a relation leads to are `R(s)`."
    )
    if not isinstance(domain.tree, Known | Cut):
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
    found = [_parts(value) for value in values]
    if any(parts is None for parts in found):
        return RelationValue(tree)
    return _family(tree, _merged(pair for parts in found for pair in (parts or {}).items()), board)


def intersection(
    first: RelationValue, other: RelationValue, both: Relation, board: Board
) -> RelationValue:
    """Return what two relations have in common, which is `both`."""
    if _parts(first) is None:  # then it is the other, if any, whose directions are cut
        first, other = other, first
    here, there = _parts(first) or {}, _parts(other)
    if there is None:
        there = dict.fromkeys(here, other.tree)
    common = {
        name: Known(_known(here[name]).intersection(_known(there[name])))
        for name in here
        if name in there
    }
    return _family(Known(both), common, board)


def difference(
    first: RelationValue, other: RelationValue, rest: Relation, board: Board
) -> RelationValue:
    """Return what a relation has and another has not, which is `rest`."""
    there, left = _parts(other), dict[str, RelationTree]()
    for name, part in (_parts(first) or {}).items():
        taken = other.tree if there is None else there.get(name)
        if taken is None:
            left[name] = part
        elif (kept := _known(part).difference(_known(taken))).offset_classes:
            left[name] = Known(kept)
    return _family(Known(rest), left, board)


def inverse(value: RelationValue, board: Board) -> RelationValue:
    """Return a relation with every pair turned round."""
    turned = {
        opposite_name(name, board) or "": relations.inverse(part)
        for name, part in (_parts(value) or {}).items()
    }
    return _family(relations.inverse(value.tree), turned, board)


def cut(
    value: RelationValue, only: Callable[[RelationTree], RelationTree], board: Board
) -> RelationValue:
    """Return the pairs of a relation that `only` leaves; of a family, those of each direction."""
    parts = {name: only(part) for name, part in (_parts(value) or {}).items()}
    return _family(only(value.tree), parts, board)


def _parts(value: RelationValue) -> dict[str, RelationTree] | None:
    """Return what a family has of each direction, by name; None of a relation that is none."""
    of_value = value.members or value.parts
    if of_value or value.name or value.part_of:
        found = _merged((part.name or part.part_of, part.tree) for part in of_value or (value,))
        return None if "" in found else found
    leads = not isinstance(value.tree, Known) or value.tree.relation.offset_classes
    return None if leads else {}


def _merged(pairs: Iterable[tuple[str, RelationTree]]) -> dict[str, RelationTree]:
    merged: dict[str, RelationTree] = {}
    for name, tree in pairs:
        merged[name] = relations.join([merged[name], tree]) if name in merged else tree
    return merged


def _known(tree: RelationTree) -> Relation:
    assert isinstance(tree, Known), "it is part of a relation that is known"
    return tree.relation


def _family(tree: RelationTree, trees: Mapping[str, RelationTree], board: Board) -> RelationValue:
    """Return a relation with what it has of each direction; as no family where that isn't all."""
    found: list[RelationValue] = []
    for name in directions_of(board) if len(trees) > 1 else trees:
        if name not in trees or not name:
            continue
        part, whole = trees[name], board_relation(name, board)
        if part == whole.tree:
            found.append(whole)
        elif not isinstance(part, Known) or part.relation.offset_classes:
            found.append(RelationValue(part, part_of=name))
    is_known = isinstance(tree, Known)
    if not found or "" in trees or (is_known and relations.join([p.tree for p in found]) != tree):
        return RelationValue(tree)
    if len(found) == 1:
        return found[0]
    if all(part.name for part in found):
        return RelationValue(tree, tuple(found))
    return RelationValue(tree, parts=tuple(found))


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
