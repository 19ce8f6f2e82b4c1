"""Statements about pieces: what they place, remove, move, flip, change and shift.

In: a statement of the syntax and its scope. Out: statements of the core. What then holds: a piece
that there is not is none at all, and what comes from a hand was in it.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import TypeAlias, assert_never

from gdl.core import build
from gdl.core.nodes import Const, Expression, Get, Origin, Require, Slot, Statement
from gdl.core.types import NUMBER
from gdl.elaborate import expressions as ex
from gdl.elaborate import hand_effects, relations
from gdl.elaborate.in_common import InCommon
from gdl.elaborate.named_pieces import by_side, is_named, kind_and_side, piece_layer
from gdl.elaborate.pieces import KindAndSide, PieceEffects
from gdl.elaborate.pile_effects import PileEffects
from gdl.elaborate.piles import piles_of
from gdl.elaborate.scope import Scope, problem
from gdl.syntax import tree as t

AboutPieces: TypeAlias = t.Place | t.Remove | t.MovePiece | t.Flip | t.Change | t.Shift


def piece_statement(
    node: AboutPieces, scope: Scope, chosen: Collection[Slot], in_common: InCommon | None
) -> list[Statement]:
    """Return the core of a statement about pieces; `chosen` are words for one site each.

    What alternatives have `in_common` is made once. Raises Problem.
    """
    match node:
        case t.Place():
            return _place(node, scope, chosen, in_common)
        case t.Remove():
            return _remove(node, scope)
        case t.MovePiece():
            return _move(node, scope, chosen, in_common)
        case t.Flip():
            return _flip(node, scope)
        case t.Change():
            return _change(node, scope, in_common)
        case t.Shift():
            return _shift(node, scope)
        case _:
            assert_never(node)


def _effects(node: t.Statement, scope: Scope, in_common: InCommon | None = None) -> PieceEffects:
    return PieceEffects(scope.declarations, node.span, in_common, Origin(node, scope))


def _piles(node: t.Statement, scope: Scope) -> PileEffects:
    return PileEffects(scope.declarations, piles_of(node.span, scope), node.span)


def _place(
    node: t.Place, scope: Scope, chosen: Collection[Slot], in_common: InCommon | None
) -> list[Statement]:
    sites = ex.sites(node.sites, scope)
    of_hand = node.source is not None and not is_named(node.piece, scope)
    find = kind_and_side if of_hand else piece_layer
    kind, sides = find(node.piece, scope, complete=True)
    assert kind is not None, "a piece is of a kind"
    if node.source is None:
        return _placed(node, kind, sides, sites, scope, in_common)
    if _is_no_piece(kind, sides, scope):
        return [Require(node.span, build.NO)]
    before, at = _effects(node, scope).named(sites, "at")
    is_one = isinstance(sites, Get) and sites.slot in chosen
    amount = build.number(1) if is_one else build.op("count", (at,), NUMBER)
    taken = hand_effects.taken(node, kind, sides, amount, scope)
    return [*before, *taken, *_placed(node, kind, sides, at, scope, in_common)]


def _is_no_piece(kind: Expression, sides: Expression | None, scope: Scope) -> bool:
    """Return whether it is known that a side has no pieces of a kind."""
    if not (isinstance(kind, Const) and isinstance(sides, Const)):
        return False
    return (int(kind.value), int(sides.value)) not in scope.declarations.layers


def _placed(
    node: t.Place,
    kind: Expression,
    sides: Expression | None,
    sites: Expression,
    scope: Scope,
    in_common: InCommon | None,
) -> list[Statement]:
    if node.way != "at":
        return _pile_up(node, kind, sides, sites, scope)
    effects = _effects(node, scope, in_common)
    if not isinstance(kind, Const):
        return effects.place_in_play(kind, sides, sites)
    which = int(kind.value)
    return by_side(node.span, sides, lambda side: effects.place((which, side), sites))


def _pile_up(
    node: t.Place, kind: Expression, sides: Expression | None, sites: Expression, scope: Scope
) -> list[Statement]:
    """Put a piece upon others or under them; one that there is not is none at all."""
    piles, layers = _piles(node, scope), scope.declarations.layers
    neutral = [which.is_neutral for which in scope.declarations.kinds]

    def of_kind(which: int | None) -> list[Statement]:
        def of_side(side: int | None) -> list[Statement]:
            assert which is not None, "a piece is of a kind"
            layer = layers.get((which, None if neutral[which] else side))
            return [] if layer is None else piles.place(layer, sites, node.way)

        return by_side(node.span, sides, of_side)

    return by_side(node.span, kind, of_kind)


def _remove(node: t.Remove, scope: Scope) -> list[Statement]:
    sites = ex.sites(node.sites, scope)
    if node.count is None:
        return _effects(node, scope).remove(sites)
    return _piles(node, scope).remove(ex.whole(node.count, scope), sites)


def _move(
    node: t.MovePiece, scope: Scope, chosen: Collection[Slot], in_common: InCommon | None
) -> list[Statement]:
    if hand_effects.is_to_hand(node, scope):
        return hand_effects.moved(node, scope)
    source, destination = ex.sites(node.source, scope), ex.sites(node.destination, scope)
    if node.count is None and node.way == "to":
        is_one = isinstance(source, Get) and source.slot in chosen
        make = partial(_effects(node, scope).move, is_one=is_one)
        if in_common is None:
            return make(source, destination)
        return in_common.moved(node, scope, source, destination, make)
    count = None if node.count is None else ex.whole(node.count, scope)
    return _piles(node, scope).move(count, source, destination, node.way)


def _flip(node: t.Flip, scope: Scope) -> list[Statement]:
    if len(scope.declarations.sides) != 2:
        raise problem(
            "two-sides-only",
            "`flip` is for games of two sides.",
            node.span,
            "Write `change … to SIDE`.",
        )

    def other(layer: KindAndSide) -> KindAndSide | None:
        kind, side = layer
        return None if side is None else (kind, 1 - side)

    return _effects(node, scope).change(ex.sites(node.sites, scope), other)


def _change(node: t.Change, scope: Scope, in_common: InCommon | None) -> list[Statement]:
    kind, sides = piece_layer(node.piece, scope, complete=False)
    sites = ex.sites(node.sites, scope)
    effects = _effects(node, scope, in_common)
    kinds = scope.declarations.kinds

    def target(layer: KindAndSide, new_kind: int, side: int | None) -> KindAndSide:
        new_side = layer[1] if side is None else side
        return (new_kind, None if kinds[new_kind].is_neutral else new_side)

    def to(side: int | None) -> list[Statement]:
        if kind is None:
            return effects.change(sites, lambda layer: target(layer, layer[0], side))
        if isinstance(kind, Const):
            which = int(kind.value)
            return effects.change(sites, lambda layer: target(layer, which, side))
        return effects.change_in_play(sites, kind, lambda of, to: target(of, to, side))

    return by_side(node.span, sides, to)


def _shift(node: t.Shift, scope: Scope) -> list[Statement]:
    if scope.declarations.piles is not None:
        raise problem(
            "no-shift",
            "`shift` is for games in which a site has one piece at most.",
            node.span,
            "Move piles one by one: `move A to B` in a loop that begins at the far end.",
        )
    tree = ex.relation(node.relation, scope).tree
    sites = ex.sites(node.sites, scope)
    return _effects(node, scope).shift(sites, lambda s: relations.image(tree, s))
