"""The word `hand`: how many pieces are in a hand, of one kind or in all.

In: its arguments. Out: a number of the core. What then holds: of what a hand never has there is 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.codes import Code
from gdl.core import build
from gdl.core.nodes import Const, Expression, Get
from gdl.diagnostic import Facts, Span
from gdl.elaborate.names.scope import Hands, Scope, problem
from gdl.elaborate.names.values import Value, describe
from gdl.elaborate.relations.coerce import Elaborate
from gdl.elaborate.relations.variables import index_value
from gdl.syntax import tree as t

HAND = "hand"
OUT_OF_HAND = "A piece comes out of a hand by `place P from hand at S`: `place P at S` takes none."
"""What is said of hands that nothing is taken out of."""


def read_hand(
    hands: Hands,
    arguments: Sequence[t.Expression],
    span: Span,
    scope: Scope,
    elaborate: Elaborate,
) -> Expression:
    """Return how many pieces are in a hand: of one kind, or all together. Raises Problem."""
    if len(arguments) not in (1, 2):
        raise problem(
            Code.WRONG_NUMBER_OF_ARGUMENTS,
            f"`hand` takes a side, and perhaps a kind, not {len(arguments)} arguments.",
            span,
            "Write for instance `hand(mover)` or `hand(mover, Pawn)`.",
        )
    d = scope.declarations
    keys = [index_value(one, hands.variable, scope, elaborate) for one in arguments]
    for key, type_, argument in zip(keys, (d.side_type, d.kind_type), arguments, strict=False):
        if not (isinstance(key, Expression) and key.type == type_):
            raise problem(
                Code.WRONG_TYPE,
                f"This should be {type_}, but it is {describe(key)}.",
                argument.span,
                "Write for instance `hand(mover)` or `hand(mover, Pawn)`.",
                facts=Facts(found=describe(key)),
            )
    none = build.number(0)
    held: dict[int | None, Expression] = {}
    for (holder, kind), slot in hands.slots.items():
        number: Expression = Get(slot)
        if len(keys) == 2:
            number = build.conditional(_is(keys[1], kind), number, none)
        others = held.get(holder, none)
        if none in (others, number):
            held[holder] = number if others == none else others
        else:
            held[holder] = build.numeric("add", others, number)
    result: Expression = none
    for holder, number in held.items():
        result = build.conditional(_is(keys[0], -1 if holder is None else holder), number, result)
    return result


def _is(key: Value, value: int) -> Expression:
    assert isinstance(key, Expression), "it is a side or a kind"
    return build.equal(key, Const(value, key.type))
