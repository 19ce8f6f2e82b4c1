"""Relations by formula: `pairs a, b in R where C`.

In: the syntax and its scope. Out: a relation. If the formula does not depend on the position,
it is worked out here and now, pair by pair; else it stays a formula and is evaluated in play.
"""

from __future__ import annotations

from gdl.board.relation import Relation, bits
from gdl.core.build import TooLarge
from gdl.core.evaluate import Evaluator, slots_in
from gdl.core.nodes import Const, Expression, Get, Slot
from gdl.core.types import SITES
from gdl.diagnostic import Span
from gdl.elaborate import coerce
from gdl.elaborate.coerce import Elaborate
from gdl.elaborate.scope import Scope, problem
from gdl.elaborate.values import Formula, Known, RelationTree, RelationValue
from gdl.syntax import tree as t

_MOST_PAIRS = 1_000_000


def pairs(node: t.Pairs, scope: Scope, elaborate: Elaborate) -> RelationValue:
    """Return the relation of a formula. Raises Problem."""
    size = scope.declarations.board.size
    if node.relation is None:
        base = None
    else:
        value = coerce.to_relation(elaborate(node.relation, scope), node.relation.span)
        base = known(value.tree, node.relation.span)
    first, second = Slot(node.first.name, SITES), Slot(node.second.name, SITES)
    inner = scope.bind(node.first.name, Get(first)).bind(node.second.name, Get(second))
    condition = coerce.to_flag(elaborate(node.condition, inner), node.condition.span)
    if condition.free <= {first, second}:
        return RelationValue(Known(_worked_out(size, base, first, second, condition)))
    if base is None:
        everything = (1 << size) - 1
        base = Relation(size, (everything,) * size)
    return RelationValue(Formula(first, second, base, condition))


def _worked_out(
    size: int, base: Relation | None, first: Slot, second: Slot, condition: Expression
) -> Relation:
    if isinstance(condition, Const) and base is not None:
        return base if condition.value else Relation.empty(size)
    if base is None and size * size > _MOST_PAIRS:
        raise TooLarge
    places = {slot: index for index, slot in enumerate(slots_in(condition) | {first, second})}
    holds = Evaluator(places).function(condition)
    frame: list[object] = [None] * len(places)
    everything = (1 << size) - 1
    successors = []
    for a in range(size):
        frame[places[first]] = 1 << a
        among = everything if base is None else base.image(1 << a)
        reached = 0
        for b in bits(among):
            frame[places[second]] = 1 << b
            if holds(frame):
                reached |= 1 << b
        successors.append(reached)
    return Relation(size, successors)


def known(tree: RelationTree, span: Span) -> Relation:
    """Return a relation that must be known before play."""
    if isinstance(tree, Known):
        return tree.relation
    raise problem(
        "not-constant",
        "This relation depends on the position, and can only be joined, cut or applied.",
        span,
        "Cut it after the other operations. `from`, `into` and `within` take one word only: "
        "write `into (all - own)`.",
    )
