"""What stands on sites that a turn has named: of which sides and kinds a piece there can be.

In: values, and what is known of words at this moment. Out: the layers of which sites can have
pieces, and the sides or kinds that a value may be. What then holds: what is known of a word is so
as long as no piece has changed since it was chosen; a turn then forgets it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gdl.core.layers import Layers, layers_of
from gdl.core.memo import Memo
from gdl.core.nodes import Const, Expression, Get, If, Let, Op, Slot
from gdl.core.types import SITES
from gdl.elaborate.names.scope import Scope
from gdl.elaborate.names.values import Value
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import blocks_of

Standing = Mapping[Slot, frozenset[Any]]
"""Of words for sites the layers that they have pieces of; of sides and kinds their places."""


def knowing(slot: Slot, value: Value, scope: Scope) -> Scope:
    """Return the scope in which a slot is known to hold a value, or one of its sites."""
    if not isinstance(value, Expression):
        return scope
    if value.type == SITES:
        found: frozenset[Any] | None = _layers(value, scope.standing, scope)
    elif value.type in (scope.declarations.side_type, scope.declarations.kind_type):
        pieces = scope.declarations.layers_of, scope.declarations.layers_of_kind
        by_side = value.type == scope.declarations.side_type
        found = possible(value, scope)
        if slot.type == SITES and isinstance(value, Const):
            found = frozenset(pieces[not by_side](int(value.value)))
    else:
        return scope
    return scope if found is None else scope.knowing({slot: found})


def possible(value: Expression, scope: Scope) -> frozenset[int] | None:
    """Return the sides, kinds or names that a value may be, by their places; None is any."""
    return _possible(value, scope.standing, scope)


def _possible(value: Expression, standing: Standing, scope: Scope) -> frozenset[int] | None:
    if not value.type.is_choice:
        return None
    match value:
        case Const(number):
            return frozenset((int(number),)) - {-1}
        case Get(slot):
            return standing.get(slot, slot.among)
        case Let(slot, inner, body):
            layers = _layers(inner, standing, scope) if inner.type == SITES else None
            known = standing if layers is None else {**standing, slot: layers}
            return _possible(body, known, scope)
        case If(Op("some", (asked,)), _, otherwise) if _is_nowhere(asked, standing, scope):
            return _possible(otherwise, standing, scope)
        case If(_, then, otherwise):
            found, rest = (_possible(part, standing, scope) for part in (then, otherwise))
            return None if found is None or rest is None else found | rest
    return None


def _is_nowhere(sites: Expression, standing: Standing, scope: Scope) -> bool:
    """Return whether a set is empty, since its parts have pieces of different layers."""
    return bool(standing) and _layers(sites, standing, scope) == frozenset()


def _layers(sites: Expression, standing: Standing, scope: Scope) -> Layers:
    """Return the layers that a set has sites of at most; None if it may have any."""
    every, found = scope.declarations.all_layers, Memo[Expression, Layers]()

    def of_part(part: Expression) -> Layers:
        if standing.keys().isdisjoint(part.free):
            return scope.layers_within(part)
        match part:
            case Get(slot):
                return standing[slot]
            case Op("first", (among,)):
                return found.of(among, of_part)
        return layers_of(part, every, lambda inner: found.of(inner, of_part))

    return of_part(sites)


def leaves_pieces(statement: t.Statement) -> bool:
    """Return whether a statement surely changes no piece, and no word that was chosen."""
    match statement:
        case t.Choose() | t.ChooseSet() | t.Require() | t.Keep() | t.LetStatement() | t.Pass():
            return True
        case t.Either() | t.If():
            return all(map(leaves_pieces, (s for block in blocks_of(statement) for s in block)))
    return False
