"""Powers: of numbers, and of relations, also so many times as is known in play only.

In: base and exponent. Out: a value. What then holds: a relation is repeated a bounded number of
times. Where the exponent has no bound of its own, there is none either but for relations that lead
off the board in the end, as directions do where nothing wraps.
"""

from __future__ import annotations

from gdl.board.relation import Relation
from gdl.codes import Code
from gdl.core import build
from gdl.core.nodes import Const, Expression, Get, Op
from gdl.core.types import NUMBER
from gdl.elaborate.names.limits import composed
from gdl.elaborate.names.scope import Scope, problem
from gdl.elaborate.names.values import (
    Chain,
    Chosen,
    Cut,
    Directed,
    Formula,
    Joined,
    Known,
    RelationTree,
    RelationValue,
    Repeated,
    Value,
)
from gdl.elaborate.relations import coerce, relations
from gdl.elaborate.relations.domains import MOST_UNROLLED
from gdl.syntax import tree as t


def power(node: t.Operation, base: Value, exponent: Expression, scope: Scope) -> Value:
    """Return the base to the power of the exponent. Raises Problem."""
    if not isinstance(base, RelationValue):
        value = coerce.to_number(base, node.operands[0].span)
        if value.type != NUMBER or exponent.type != NUMBER:
            raise problem(
                Code.WRONG_TYPE,
                "Powers are for whole numbers.",
                node.span,
                "Multiply, or write the power of numerator and denominator.",
            )
        return build.numeric("power", value, exponent)
    size = scope.declarations.board.size
    if not isinstance(exponent, Const):
        return RelationValue(_in_play(node, base.tree, exponent, size))
    times = coerce.constant_number(exponent, node.operands[1].span)
    if not 0 <= times <= MOST_UNROLLED:
        raise problem(
            Code.OUT_OF_RANGE,
            f"A relation is repeated 0 to {MOST_UNROLLED} times.",
            node.operands[1].span,
            "Any number of steps is `reach(sites, relation)`.",
        )
    return RelationValue(relations.power(base.tree, times, size))


def _in_play(
    node: t.Operation, tree: RelationTree, exponent: Expression, size: int
) -> RelationTree:
    """Return a relation so many times over as the exponent says; of less than 0, no pair."""
    if exponent.type != NUMBER:
        raise problem(
            Code.WRONG_TYPE,
            f"A relation is repeated a whole number of times; this is {exponent.type}.",
            node.operands[1].span,
            "`div` divides whole numbers, rounding down.",
        )
    most = _greatest(exponent)
    if most is None or most > MOST_UNROLLED:
        most = _longest(tree, size)
    if most is None:
        raise problem(
            Code.NOT_CONSTANT,
            f"It isn't known before play that this is at most {MOST_UNROLLED}.",
            node.operands[1].span,
            "Bound it: `min(n, 6)`, `n mod 6`, or a variable declared as `number in 0..6`.",
        )
    if not isinstance(tree, Known):
        return Repeated(tree, exponent, most)
    powers = [Relation.identity(size)]
    while len(powers) <= most:
        powers.append(composed(powers[-1], tree.relation))
    return Directed(exponent, tuple(powers))


def _greatest(exponent: Expression) -> int | None:
    """Return what a number is at most, as it is written; None where that doesn't say."""
    match exponent:
        case Const():
            return int(exponent.value)
        case Get(slot):
            return slot.high
        case Op("minimum", operands):
            bounds = [bound for bound in map(_greatest, operands) if bound is not None]
            return min(bounds, default=None)
        case Op("modulo", (_, Const(divisor))):
            return max(int(divisor) - 1, 0)
    return None


def _longest(tree: RelationTree, size: int) -> int | None:
    """Return how many times over a relation leads anywhere at most; None if very often.

    One that is a direction known in play only is the same direction each time.
    """
    relation, result = _at_most(tree), Relation.identity(size)
    for times in range(MOST_UNROLLED + 1):
        result = composed(result, relation)
        if result == Relation.empty(size):
            return times
    longest = 0
    for one in _cases(tree):
        most = _longest(one, size)
        if most is None:
            return None
        longest = max(longest, most)
    return longest or None


def _cases(tree: RelationTree) -> list[RelationTree]:
    """Return what a relation is for each answer to the first that is asked in it; [] of none."""
    asked = _asked(tree)
    if isinstance(asked, Directed):
        return [_settled(tree, asked, number) for number in range(len(asked.relations))]
    return [] if asked is None else [_settled(tree, asked, number) for number in (0, 1)]


def _asked(tree: RelationTree) -> Directed | Chosen | None:
    """Return the first part of a relation that is one of several by what is known in play."""
    match tree:
        case Directed() | Chosen():
            return tree
        case Cut(inner, _, _) | Repeated(inner, _, _):
            return _asked(inner)
        case Chain(first, second):
            return _asked(first) or _asked(second)
        case Joined(parts):
            return next((found for part in parts if (found := _asked(part))), None)
    return None


def _settled(tree: RelationTree, asked: Directed | Chosen, number: int) -> RelationTree:
    """Return a relation in which each part that asks the same is that one of its relations."""
    match tree:
        case Directed(which, choices):
            if not isinstance(asked, Directed) or which != asked.which:
                return tree
            return Known(choices[number]) if len(choices) == len(asked.relations) else tree
        case Chosen(condition, then, otherwise):
            if isinstance(asked, Chosen) and condition == asked.condition:
                return _settled(otherwise if number else then, asked, number)
            parts = (_settled(part, asked, number) for part in (then, otherwise))
            return Chosen(condition, *parts)
        case Cut(inner, source, target):
            return Cut(_settled(inner, asked, number), source, target)
        case Repeated(inner, times, most):
            return Repeated(_settled(inner, asked, number), times, most)
        case Chain(first, second):
            return Chain(*(_settled(part, asked, number) for part in (first, second)))
        case Joined(parts):
            return Joined(tuple(_settled(part, asked, number) for part in parts))
    return tree


def _at_most(tree: RelationTree) -> Relation:
    """Return all pairs that a relation may have, whatever the position is."""
    match tree:
        case Known(relation) | Formula(_, _, relation, _):
            return relation
        case Cut(inner, _, _):
            return _at_most(inner)
        case Repeated(inner, _, most):
            once = _at_most(inner)
            relations_of = [Relation.identity(once.size)]
            while len(relations_of) <= most:
                relations_of.append(composed(relations_of[-1], once))
        case Chain(first, second):
            return composed(_at_most(first), _at_most(second))
        case Chosen(_, then, otherwise):
            return _at_most(then).union(_at_most(otherwise))
        case Joined(parts):
            relations_of = [_at_most(part) for part in parts]
        case Directed(_, choices):
            relations_of = list(choices)
    result = relations_of[0]
    for one in relations_of[1:]:
        result = result.union(one)
    return result
