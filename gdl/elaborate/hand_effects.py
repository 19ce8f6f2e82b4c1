"""What statements do to hands: pieces put on the board from them, and taken off it into them.

In: `place … from hand …` and `move … to hand`, and their scope. Out: statements of the core. What
then holds: a piece that is put from a hand was there; one of a kind that no hand holds is gone.
"""

from __future__ import annotations

from collections.abc import Mapping

from gdl.core import build, nodes
from gdl.core.nodes import Const, Expression, Get, GetAt, Slot, Statement
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.diagnostic import Span
from gdl.elaborate import expressions as ex
from gdl.elaborate.hand_words import HAND
from gdl.elaborate.named_pieces import by_side, is_named
from gdl.elaborate.pieces import KindAndSide, PieceEffects
from gdl.elaborate.pile_effects import ONE, PileEffects
from gdl.elaborate.piles import piles_of
from gdl.elaborate.scope import Hands, Scope, Silent, problem
from gdl.elaborate.values import describe
from gdl.elaborate.variables import index_value
from gdl.syntax import tree as t

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
            "no-hands",
            "In this game no pieces are in hands.",
            span,
            "Which pieces may be in a hand is said by a section `hands`, such as `hands: Pawn`.",
        )
    scope.declarations.used.add(HAND)
    return hands


def _holder(node: t.Expression, hands: Hands, scope: Scope) -> _Holder:
    """Return whose hand an expression names. Raises Problem."""
    if _word_of(node) is None or scope.local(HAND) is not None:
        raise problem(
            "wrong-type",
            "Pieces are placed from a hand.",
            node.span,
            "Write `place Pawn from hand at s`, or `from hand(p)` for the hand of p.",
        )
    if not isinstance(node, t.Call):
        return _OWNER
    if len(node.arguments) != 1:
        raise problem(
            "wrong-number-of-arguments",
            f"Whose hand? It takes one side, not {len(node.arguments)} arguments.",
            node.span,
            "Write `hand(mover)`; the kind is that of the piece.",
        )
    side = index_value(node.arguments[0], hands.variable, scope, ex.elaborate)
    if isinstance(side, Expression) and side.type == scope.declarations.side_type:
        return side
    raise problem(
        "wrong-type",
        f"This should be a side, but it is {describe(side)}.",
        node.arguments[0].span,
        f"Whose hand is it? The sides are: {', '.join(scope.declarations.sides)}.",
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


def taken(
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
            "no-such-piece",
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
            "wrong-type",
            f"Nothing is moved {node.way} a hand.",
            node.span,
            "Write `move s to hand`.",
        )
    holder = _holder(node.destination, hands, scope)
    sites = ex.sites(node.source, scope)
    effects = PieceEffects(scope.declarations, node.span)
    if scope.declarations.piles is None and node.count is None:
        before, at = effects.named(sites, "at")
        return [*before, *_into(holder, at, node.span, hands, scope), *effects.remove(at)]
    piles = piles_of(node.span, scope)
    each, rounds = Slot("site", SITES), Slot("rounds", NUMBER)
    body = (
        *_into(holder, Get(each), node.span, hands, scope),
        *PileEffects(scope.declarations, piles, node.span).remove(ONE, Get(each)),
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
