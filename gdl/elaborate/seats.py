"""Sides and seats: statements that say who plays for whom, and who is next.

In: `again`, `next`, `swap` and `take`, and their scope. Out: statements of the core.
"""

from __future__ import annotations

from gdl.core import build, nodes
from gdl.core.nodes import Const, Expression, Get, Slot, Statement
from gdl.core.types import NUMBER
from gdl.elaborate import coerce
from gdl.elaborate import expressions as ex
from gdl.elaborate.named_pieces import by_side
from gdl.elaborate.scope import Scope, problem
from gdl.syntax import tree as t


def again(node: t.Again | t.Swap, scope: Scope) -> Statement:
    """Return what lets the side on turn have the next turn, too."""
    mover = Const(_mover(node, scope), scope.declarations.side_type)
    return nodes.Assign(node.span, scope.declarations.system.following, mover)


def _mover(node: t.Again | t.Swap | t.Take, scope: Scope) -> int:
    if scope.mover is None:
        raise problem(
            "no-side-here",
            "No side is on turn here.",
            node.span,
            f"Say who is next, such as `next {scope.declarations.sides[0]}`.",
        )
    return scope.mover


def swap(node: t.Swap, scope: Scope) -> list[Statement]:
    """Return what lets two seats change their sides."""
    if len(scope.declarations.sides) != 2:
        raise problem(
            "two-sides-only",
            "`swap` is for games of two sides.",
            node.span,
            "With more sides, nothing says who swaps with whom.",
        )
    system = scope.declarations.system
    system.seats_change = True
    first, second = system.seats
    kept = Slot("seat", NUMBER)
    return [
        nodes.Say(node.span, "swap"),
        nodes.Assign(node.span, kept, Get(first)),
        nodes.Assign(node.span, first, Get(second)),
        nodes.Assign(node.span, second, Get(kept)),
        again(node, scope),
    ]


def next_side(node: t.NextSide, scope: Scope) -> list[Statement]:
    """Return what gives a side the next turn."""
    side = ex.of_type(node.side, scope.declarations.side_type, scope)
    return [nodes.Assign(node.span, scope.declarations.system.following, side)]


def take(node: t.Take, seat: int | None, scope: Scope) -> list[Statement]:
    """Return what gives the seat on turn (`seat`, if the phase names one) a side."""
    side = ex.of_type(node.side, scope.declarations.side_type, scope)
    coerce.check_somebody(side, node.side.span)
    system = scope.declarations.system
    if len(system.seats) != 2:
        raise problem(
            "two-sides-only",
            "`take` is for games of two sides.",
            node.span,
            "With more sides, nothing says who gets which of the others.",
        )
    system.seats_change = True
    if seat is not None:
        me: Expression = build.number(seat)
    else:
        me = Get(system.seats[_mover(node, scope)])
    kept = Slot("seat", NUMBER)

    def taken(side: int | None) -> list[Statement]:
        assert side is not None, "there are as many sides as seats"
        mine, other = system.seats[side], system.seats[1 - side]
        rest = build.numeric("subtract", build.number(1), Get(kept))
        return [nodes.Assign(node.span, mine, Get(kept)), nodes.Assign(node.span, other, rest)]

    return [nodes.Assign(node.span, kept, me), *by_side(node.span, side, taken)]
