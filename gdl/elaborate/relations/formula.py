"""Relations by formula: `pairs a, b in R where C`.

In: the syntax and its scope. Out: a relation. If the formula does not depend on the position,
it is worked out here and now, pair by pair; else it stays a formula and is evaluated in play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from itertools import compress, count
from typing import Any, NamedTuple

from gdl.board.relation import Relation, bits
from gdl.codes import Code
from gdl.core.build import TooLarge, column
from gdl.core.evaluate import ExpressionEvaluator
from gdl.core.nodes import Closure, Const, Expression, Fold, Get, If, Let, Op, Select, Slot
from gdl.core.operations import OPERATIONS, Overflow
from gdl.core.rebuild import with_parts
from gdl.core.types import SITES
from gdl.core.walk import slots_in
from gdl.core.work import units_of_expressions
from gdl.data_classes import dataclass
from gdl.diagnostic import Span
from gdl.elaborate.names.scope import Scope, problem
from gdl.elaborate.names.values import Formula, Known, RelationTree, RelationValue
from gdl.elaborate.relations import coerce
from gdl.elaborate.relations.coerce import Elaborate
from gdl.resources.budget import budget, meter_of_loading
from gdl.resources.scoped_cache import shared
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
        Code.NOT_CONSTANT,
        "This relation depends on the position, and can only be joined, cut or applied.",
        span,
        "Cut it after the other operations. `from`, `into` and `within` take one word only: "
        "write `into (all - own)`.",
    )


# ----- numbers of two sites, such as how far apart they are, and the pairs of sites that share them

Pair = tuple[int, int]


class PairNumber(NamedTuple):
    """An operation on a number of the one site and a number of the other, by their indices.

    `operation` takes the first site's number as its left argument, unless it is `turned`. A
    number of one site alone is the sum of it and 0.
    """

    operation: str
    of_first: tuple[Any, ...]
    of_second: tuple[Any, ...]
    turned: bool = False


class Groups(NamedTuple):
    """Pairs by the values of some numbers.

    `values` has those of each group; `partners` each first site, its partners, and the group of
    the pair that it is with each of them.
    """

    values: tuple[tuple[object, ...], ...]
    partners: list[tuple[int, Sequence[int], list[int]]]


def pair_number(node: Expression, first: Slot, second: Slot, size: int) -> PairNumber | None:
    """Return the number that an expression gives for the sites in two slots, or None.

    None if it is no number, no operation on two values that depend on one site each, or if one
    of these values is too large.
    """
    if not node.type.is_numeric:
        return None
    try:
        if node.free == {first}:
            return PairNumber("add", values(node, first, size), (0,) * size)
        if node.free == {second}:
            return PairNumber("add", (0,) * size, values(node, second, size))
        if not isinstance(node, Op) or node.name not in OPERATIONS or len(node.arguments) != 2:
            return None
        left, right = node.arguments
        if left.free == {first} and right.free == {second}:
            return PairNumber(node.name, values(left, first, size), values(right, second, size))
        if left.free == {second} and right.free == {first}:
            of_first, of_second = values(right, first, size), values(left, second, size)
            return PairNumber(node.name, of_first, of_second, turned=True)
    except Overflow:
        pass
    return None


def values(number: Expression, slot: Slot, size: int) -> tuple[Any, ...]:
    """Return the value of an expression for each single site in a slot."""
    known = column(number, slot, range(size))
    if known is not None:
        return tuple(known)
    places = {slot: 0}
    for inner in slots_in(number) - {slot}:
        places[inner] = len(places)
    frame: list[Any] = [None] * len(places)
    value = ExpressionEvaluator(places).function(number)
    found = []
    for index in range(size):
        frame[0] = 1 << index
        found.append(value(frame))
    return tuple(found)


def grouped(
    candidates: Iterable[tuple[int, Sequence[int]]], numbers: Sequence[PairNumber], size: int
) -> Groups:
    """Return pairs by the values of the numbers; `candidates` has the partners of first sites."""
    rows = [_Rows(number, size) for number in numbers]
    group_of = _Numbering()
    partners: list[tuple[int, Sequence[int], list[int]]] = []
    for a, others in candidates:
        keys = zip(*(row.at(a, others) for row in rows), strict=True)
        partners.append((a, others, list(map(group_of.__getitem__, keys))))
    return Groups(tuple(group_of), partners)


def pairs_in(groups: Groups, holds: Callable[[list[object]], object]) -> Iterator[Pair]:
    """Yield the pairs of the groups for whose values a condition holds."""
    truths = [holds(list(values)) for values in groups.values]
    for a, others, numbers in groups.partners:
        for b in compress(others, map(truths.__getitem__, numbers)):
            yield a, b


class _Numbering(dict[tuple[object, ...], int]):
    """Numbers of what is asked for, in the order in which it is first asked for."""

    def __missing__(self, values: tuple[object, ...]) -> int:
        number = self[values] = len(self)
        return number


class _Rows:
    """The values of a number, remembered by the numbers of the sites."""

    def __init__(self, number: PairNumber, size: int) -> None:
        self._number = number
        self._size = size
        self._rows: dict[object, _Row] = {}
        self._whole: dict[object, list[object]] = {}

    def at(self, a: int, others: Sequence[int]) -> list[object]:
        """Return the values for a first site and each of its partners, in ascending order."""
        of_first, of_second = self._number.of_first[a], self._number.of_second
        row = self._rows.get(of_first)
        if row is None:
            row = self._rows[of_first] = _Row(self._number, of_first)
        if len(others) < self._size:
            return [row[of_second[b]] for b in others]
        whole = self._whole.get(of_first)
        if whole is None:
            whole = self._whole[of_first] = [row[value] for value in of_second]
        return whole


class _Row(dict[Any, Any]):
    """The values of a number by that of the second site, for one number of the first."""

    def __init__(self, number: PairNumber, of_first: object) -> None:
        self._apply = OPERATIONS[number.operation]
        self._turned = number.turned
        self._of_first = of_first

    def __missing__(self, of_second: object) -> object:
        pair = (of_second, self._of_first) if self._turned else (self._of_first, of_second)
        value = self[of_second] = self._apply(*pair)
        return value


# --------------------------------------------------------------------- the structure of expressions


def structure(node: Expression, slots: Sequence[Slot]) -> object:
    """Return the structure of an expression that depends on the slots given, and no others.

    It can be hashed. None if there is a part in it that has a meaning in play alone.
    """
    try:
        return _structure(node, {slot: number for number, slot in enumerate(slots)})
    except LookupError:
        return None


def _structure(node: Expression, numbers: dict[Slot, int]) -> object:
    match node:
        case Const(value, of):
            own: tuple[object, ...] = (type(value), value, of)
        case Get(slot):
            own = (numbers[slot],)
        case Op(name, _, of, payload):
            own = (name, of, payload)
        case Fold(combine, _, domain, _, initial):
            own = (combine, type(domain), type(initial), initial)
        case If() | Let() | Select() | Closure():
            own = ()
        case _:
            raise LookupError
    if node.binds():
        unused = count(1 + max(numbers.values(), default=-1))
        numbers = numbers | dict(zip(node.binds(), unused, strict=False))
    return (type(node), *own, *(_structure(part, numbers) for part in node.parts()))
