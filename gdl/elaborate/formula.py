"""Relations by formula: `pairs a, b in R where C`.

In: the syntax and its scope. Out: a relation. If the formula does not depend on the position,
it is worked out here and now, pair by pair; else it stays a formula and is evaluated in play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field

from gdl.board.relation import Relation, bits
from gdl.budget import budget, meter_of_loading
from gdl.core.build import TooLarge
from gdl.core.evaluate import ExpressionEvaluator
from gdl.core.nodes import Const, Expression, Get, If, Let, Op, Slot
from gdl.core.operations import Overflow
from gdl.core.rebuild import with_parts
from gdl.core.structure import structure
from gdl.core.types import SITES
from gdl.core.walk import slots_in
from gdl.core.work import units_of_expressions
from gdl.data_classes import dataclass
from gdl.diagnostic import Span
from gdl.elaborate import coerce
from gdl.elaborate.coerce import Elaborate
from gdl.elaborate.pair_numbers import (
    Groups,
    Pair,
    PairNumber,
    grouped,
    pair_number,
    pairs_in,
    values,
)
from gdl.elaborate.scope import Scope, problem
from gdl.elaborate.values import Formula, Known, RelationTree, RelationValue
from gdl.shared_work import shared
from gdl.syntax import tree as t

_MOST_PAIRS = 1_000_000
_CANDIDATES_A_UNIT = 8
_MUCH = 8
"""How many times more there must be to work out than to remember."""


def pairs(node: t.Pairs, scope: Scope, elaborate: Elaborate) -> RelationValue:
    """Return the relation of a formula. Raises Problem."""
    size = scope.declarations.board.size
    if node.relation is None:
        base = None
    else:
        value = coerce.to_relation(elaborate(node.relation, scope), node.relation.span, scope)
        base = known(value.tree, node.relation.span)
    first, second = (Slot(name.name, SITES, span=name.span) for name in (node.first, node.second))
    inner = scope.bind(node.first.name, Get(first)).bind(node.second.name, Get(second))
    condition = coerce.to_flag(elaborate(node.condition, inner), node.condition.span)
    if condition.free <= {first, second}:
        return RelationValue(Known(relation_where(size, base, first, second, condition)))
    if base is None:
        everything = (1 << size) - 1
        base = Relation(size, (everything,) * size)
    return RelationValue(Formula(first, second, base, condition))


def relation_where(
    size: int, base: Relation | None, first: Slot, second: Slot, condition: Expression
) -> Relation:
    """Return the pairs of sites in a relation (None: all) for which a condition on them holds."""
    told = structure(condition, (first, second))
    return _relation(
        _PairFormula(size, base, object() if told is None else told, first, second, condition)
    )


@dataclass(frozen=True)
class _PairFormula:
    """A formula that depends on no position; it is the same as another if they are told alike."""

    size: int
    base: Relation | None
    told: object
    first: Slot = field(compare=False)
    second: Slot = field(compare=False)
    condition: Expression = field(compare=False)


@shared
def _relation(formula: _PairFormula) -> Relation:
    size, base, condition = formula.size, formula.base, formula.condition
    first, second = formula.first, formula.second
    if isinstance(condition, Const) and base is not None:
        return base if condition.value else Relation.empty(size)
    if base is None and size * size > budget().of(_MOST_PAIRS):
        raise TooLarge
    equations = [_matching(part, first, second, size) for part in _conjuncts(condition)]
    matching = [sites for sites in equations if sites is not None]
    candidates = _candidates(size, base, matching)
    numbers: dict[PairNumber, Slot] = {}
    try:
        rest = _of_numbers(condition, (first, second), size, numbers)
    except _Elsewhere:
        rest = None
    if rest is None or not numbers or _size(rest) < _MUCH * len(numbers):
        return Relation.from_pairs(size, _one_by_one(candidates, condition, first, second))
    if matching:
        groups = grouped(candidates, tuple(numbers), size)
    else:
        groups = _grouped(base, tuple(numbers), size)
    holds = _function(rest, tuple(numbers.values()))
    return Relation.from_pairs(size, pairs_in(groups, holds))


@shared
def _grouped(base: Relation | None, numbers: tuple[PairNumber, ...], size: int) -> Groups:
    """Return the pairs of a base by the values of numbers: other formulas may ask for the same."""
    return grouped(_candidates(size, base, ()), numbers, size)


def _candidates(
    size: int, base: Relation | None, matching: Sequence[Sequence[int]]
) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield each site and those that may be related to it, by the base and by equations."""
    everything = (1 << size) - 1
    partners = (everything,) * size if base is None else base.successors
    meter = meter_of_loading()
    for a, fitting in enumerate(partners):
        meter.spend(1 + fitting.bit_count() // _CANDIDATES_A_UNIT)
        for sites in matching:
            fitting &= sites[a]
        yield a, range(size) if fitting == everything else list(bits(fitting))


def _one_by_one(
    candidates: Iterable[tuple[int, Sequence[int]]],
    condition: Expression,
    first: Slot,
    second: Slot,
) -> Iterator[Pair]:
    holds = _function(condition, (first, second))
    meter = meter_of_loading()
    units = units_of_expressions((condition,))
    for a, others in candidates:
        meter.spend(len(others) * units)
        for b in others:
            if holds([1 << a, 1 << b]):
                yield a, b


def _function(condition: Expression, slots: Sequence[Slot]) -> Callable[[list[object]], object]:
    """Return what evaluates a condition, given the values of all slots that it depends on."""
    inner = slots_in(condition).difference(slots)
    room: list[object] = [None] * len(inner)
    places = {slot: place for place, slot in enumerate((*slots, *inner))}
    value = ExpressionEvaluator(places).function(condition)
    return lambda values: value(values + room)


def _conjuncts(condition: Expression) -> tuple[Expression, ...]:
    is_and = isinstance(condition, Op) and condition.name == "and"
    return tuple(condition.parts()) if is_and else (condition,)


def _matching(condition: Expression, first: Slot, second: Slot, size: int) -> list[int] | None:
    """Return for each first site the second ones for which an equation of numbers holds.

    None if the condition is not a number of the one equal to a number of the other.
    """
    if not isinstance(condition, Op) or condition.name != "equal":
        return None
    of_first = next((part for part in condition.parts() if part.free == {first}), None)
    of_second = next((part for part in condition.parts() if part.free == {second}), None)
    if of_first is None or of_second is None or not of_first.type.is_numeric:
        return None
    sites: dict[object, int] = {}
    try:
        for index, value in enumerate(values(of_second, second, size)):
            sites[value] = sites.get(value, 0) | 1 << index
        return [sites.get(value, 0) for value in values(of_first, first, size)]
    except Overflow:
        return None


class _Elsewhere(Exception):
    """Two sites stand elsewhere than in numbers that are asked of both."""


def _of_numbers(
    node: Expression, sites: tuple[Slot, Slot], size: int, numbers: dict[PairNumber, Slot]
) -> Expression:
    """Return an expression with slots in place of the numbers of the two sites.

    Raises _Elsewhere.
    """
    if node.free.isdisjoint(sites):
        return node
    number = pair_number(node, *sites, size)
    if number is not None:
        return Get(numbers.setdefault(number, Slot("number", node.type)))
    if not isinstance(node, Op | If | Let):
        raise _Elsewhere
    return with_parts(node, lambda part: _of_numbers(part, sites, size, numbers))


def _size(node: Expression) -> int:
    return 1 + sum(map(_size, node.parts()))


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
