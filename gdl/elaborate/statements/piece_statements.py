"""Statements about pieces: what they place, remove, move, flip, change and shift.

In: a statement of the syntax and its scope. Out: statements of the core. What then holds: a piece
that there is not is none at all, and what comes from a hand was in it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import TypeAlias, assert_never

from gdl.codes import Code
from gdl.core import build, nodes
from gdl.core.nodes import Const, Expression, Get, GetAt, Require, Slot, Statement
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.diagnostic import Facts, Span
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.names.scope import Hands, Scope, Silent, Written, problem
from gdl.elaborate.names.values import describe
from gdl.elaborate.pieces.hand_words import HAND
from gdl.elaborate.pieces.pieces import KindAndSide, PieceEffects
from gdl.elaborate.pieces.pile_effects import ONE, PileEffects
from gdl.elaborate.pieces.piles import piles_of
from gdl.elaborate.pieces.shared_alternatives import InCommon
from gdl.elaborate.relations import relations
from gdl.elaborate.relations.variables import index_value
from gdl.elaborate.statements.named_pieces import by_side, is_named, kind_and_side, piece_layer
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
    return PieceEffects(scope, node.span, in_common, Written(node, scope))


def _piles(node: t.Statement, scope: Scope) -> PileEffects:
    return PileEffects(scope, piles_of(node.span, scope), node.span)


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
    taken = taken_from_hands(node, kind, sides, amount, scope)
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
    if is_to_hand(node, scope):
        return moved(node, scope)
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
            Code.TWO_SIDES_ONLY,
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
            Code.NO_SHIFT,
            "`shift` is for games in which a site has one piece at most.",
            node.span,
            "Move piles one by one: `move A to B` in a loop that begins at the far end.",
        )
    tree = ex.relation(node.relation, scope).tree
    sites = ex.sites(node.sites, scope)
    return _effects(node, scope).shift(sites, lambda s: relations.image(tree, s))


# ---------------------------------------------------------------------- what statements do to hands

_OWNER = "owner"
_Holder = Expression | str
"""Whose hand is meant: a side (-1: nobody), or `_OWNER`: that of whoever has the piece."""


def is_to_hand(node: t.MovePiece, scope: Scope) -> bool:
    """Return whether pieces are moved off the board into a hand."""
    return scope.local(HAND) is None and _word_of(node.destination) is not None


def _word_of(node: t.Expression) -> t.Name | None:
    """Return the word `hand`, alone or with arguments."""
    name = node.function if isinstance(node, t.Call) else node
    return name if isinstance(name, t.Name) and name.name == HAND else None


def _hands(span: Span, scope: Scope) -> Hands:
    hands = scope.declarations.hands
    if hands is None and HAND in scope.declarations.broken:
        raise Silent
    if hands is None:
        raise problem(
            Code.NO_HANDS,
            "In this game no pieces are in hands.",
            span,
            "Which pieces may be in a hand is said by a section `hands`, such as `hands: Pawn`.",
        )
    scope.elaboration.used.add(HAND)
    return hands


def _holder(node: t.Expression, hands: Hands, scope: Scope) -> _Holder:
    """Return whose hand an expression names. Raises Problem."""
    if _word_of(node) is None or scope.local(HAND) is not None:
        raise problem(
            Code.WRONG_TYPE,
            "Pieces are placed from a hand.",
            node.span,
            "Write `place Pawn from hand at s`, or `from hand(p)` for the hand of p.",
        )
    if not isinstance(node, t.Call):
        return _OWNER
    if len(node.arguments) != 1:
        raise problem(
            Code.WRONG_NUMBER_OF_ARGUMENTS,
            f"Whose hand? It takes one side, not {len(node.arguments)} arguments.",
            node.span,
            "Write `hand(mover)`; the kind is that of the piece.",
        )
    side = index_value(node.arguments[0], hands.variable, scope, ex.elaborate)
    if isinstance(side, Expression) and side.type == scope.declarations.side_type:
        return side
    raise problem(
        Code.WRONG_TYPE,
        f"This should be a side, but it is {describe(side)}.",
        node.arguments[0].span,
        f"Whose hand is it? The sides are: {', '.join(scope.declarations.sides)}.",
        facts=Facts(found=describe(side)),
    )


def _each_holder(side: Expression, hands: Hands) -> list[tuple[Expression, int | None]]:
    """Return the holders that a side may be, each with the condition that it is this one."""
    holders = dict.fromkeys(holder for holder, _ in hands.slots)
    found = [
        (build.equal(side, Const(-1 if holder is None else holder, side.type)), holder)
        for holder in holders
    ]
    return [(condition, holder) for condition, holder in found if condition != build.NO]


# --------------------------------------------------------------------- from a hand


def taken_from_hands(
    node: t.Place,
    kind: Expression,
    sides: Expression | None,
    amount: Expression,
    scope: Scope,
) -> list[Statement]:
    """Return what takes an amount of pieces out of a hand, and requires that they be there."""
    assert node.source is not None, "it says from which hand"
    hands = _hands(node.source.span, scope)
    holder = _holder(node.source, hands, scope)
    _check_kind(node, kind, hands, scope)

    def out_of(slot: Slot | None) -> list[Statement]:
        if slot is None:
            return [nodes.Require(node.span, build.equal(amount, build.number(0)))]
        is_one = amount == build.number(1)
        enough = build.op("less", (build.number(0), Get(slot)), FLAG)
        if not is_one:
            enough = build.negation(build.op("less", (Get(slot), amount), FLAG))
        left = build.numeric("subtract", Get(slot), amount)
        return [nodes.Require(node.span, enough), nodes.Assign(node.span, slot, left)]

    def of_kind(which: int | None) -> list[Statement]:
        assert which is not None, "a piece is of a kind"
        if not isinstance(holder, str):
            made: list[Statement] = []
            cases = _each_holder(holder, hands)
            for condition, one in cases:
                then = out_of(hands.slots.get((one, which)))
                if condition == build.YES:
                    return then
                made.append(nodes.Branch(node.span, condition, tuple(then), ()))
            is_any = build.disjunction(*(condition for condition, _ in cases))
            return [nodes.Require(node.span, is_any), *made]
        if scope.declarations.kinds[which].is_neutral:
            return out_of(hands.holder(None, which, scope.own))
        return by_side(node.span, sides, lambda side: out_of(hands.holder(side, which, side)))

    asked = (kind, sides) if isinstance(holder, str) else (kind,)
    somebody = [_is_known(value) for value in asked if value is not None]
    required = [nodes.Require(node.span, part) for part in somebody if part != build.YES]
    return [*required, *by_side(node.span, kind, of_kind)]


def _is_known(value: Expression) -> Expression:
    """Return whether a side or kind is one at all, and not none."""
    return build.negation(build.equal(value, Const(-1, value.type)))


def _check_kind(node: t.Place, kind: Expression, hands: Hands, scope: Scope) -> None:
    """Raise a Problem if a kind that no hand holds is named outright."""
    if not isinstance(kind, Const) or kind.value in hands.kinds:
        return
    if is_named(node.piece, scope):
        raise problem(
            Code.NO_SUCH_PIECE,
            f"No hand holds a {kind.type.values[int(kind.value)]}.",
            node.piece.span,
            "Which pieces may be in a hand is declared under `hands`.",
            see=[("They are declared here.", hands.variable.span)],
        )


# ----------------------------------------------------------------------- to a hand


def moved(node: t.MovePiece, scope: Scope) -> list[Statement]:
    """Return what takes pieces off the board into a hand. Raises Problem."""
    hands = _hands(node.destination.span, scope)
    if node.way != "to":
        raise problem(
            Code.WRONG_TYPE,
            f"Nothing is moved {node.way} a hand.",
            node.span,
            "Write `move s to hand`.",
        )
    holder = _holder(node.destination, hands, scope)
    sites = ex.sites(node.source, scope)
    effects = PieceEffects(scope, node.span)
    if scope.declarations.piles is None and node.count is None:
        before, at = effects.named(sites, "at")
        return [*before, *_into(holder, at, node.span, hands, scope), *effects.remove(at)]
    piles = piles_of(node.span, scope)
    each, rounds = Slot("site", SITES), Slot("rounds", NUMBER)
    body = (
        *_into(holder, Get(each), node.span, hands, scope),
        *PileEffects(scope, piles, node.span).remove(ONE, Get(each)),
    )
    height: Expression = GetAt(piles.height, Get(each))
    if node.count is not None:
        height = build.numeric("minimum", height, ex.whole(node.count, scope))
    limit = nodes.most_rounds(scope.declarations.board.size)
    lifting = (
        nodes.Assign(node.span, rounds, height),
        nodes.Repeat(node.span, "times", Get(rounds), body, limit, ()),
    )
    return [nodes.ForEach(node.span, each, nodes.SitesOf(sites), lifting)]


def _into(
    holder: _Holder, at: Expression, span: Span, hands: Hands, scope: Scope
) -> list[Statement]:
    """Return what counts the pieces on sites, uppermost ones alone, into a hand."""
    if isinstance(holder, str):
        return _counted(
            {k: hands.holder(k[1], k[0], scope.own) for k in scope.declarations.layers},
            at,
            span,
            scope,
        )
    made: list[Statement] = []
    for condition, one in _each_holder(holder, hands):
        goals = {layer: hands.slots.get((one, layer[0])) for layer in scope.declarations.layers}
        then = _counted(goals, at, span, scope)
        if condition == build.YES:
            return then
        made.append(nodes.Branch(span, condition, tuple(then), ()))
    return made


def _counted(
    goals: Mapping[KindAndSide, Slot | None], at: Expression, span: Span, scope: Scope
) -> list[Statement]:
    """Return what adds to each goal how many pieces of its layers stand on sites."""
    coming: dict[Slot, list[Expression]] = {}
    for layer, goal in goals.items():
        if goal is not None:
            coming.setdefault(goal, []).append(Get(scope.declarations.layers[layer]))
    made: list[Statement] = []
    for slot, layers in coming.items():
        here = build.op("count", (build.intersection(build.union(*layers), at),), NUMBER)
        made.append(nodes.Assign(span, slot, build.numeric("add", Get(slot), here)))
    return made
