"""Making core expressions: what depends on nothing becomes a constant at once.

In: the parts of an expression. Out: the expression, simplified where a part decides it. What
then holds: no operation on constants alone is left, and folding never takes long (`TooLarge`).

`Algebra` has the rules that hold of any board. The functions of this module make expressions by
just these; `gdl.optimise.algebra.terms` adds rules for one board, and keeps each expression once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import compress
from operator import and_, itemgetter, or_
from typing import Any, TypeVar

from gdl.board.relation import Relation, bits, site_set
from gdl.core.evaluate import evaluate
from gdl.core.nodes import (
    Closure,
    Const,
    ConstantValue,
    Domain,
    Expression,
    Fold,
    Get,
    GroupsOf,
    If,
    Let,
    Op,
    Payload,
    RangeOf,
    Select,
    SitesOf,
    Slot,
)
from gdl.core.operations import OPERATIONS, Overflow
from gdl.core.types import FLAG, FRACTION, NUMBER, SITES, Type
from gdl.resources.budget import budget

Case = TypeVar("Case")
Found = TypeVar("Found")

YES = Const(True, FLAG)
NO = Const(False, FLAG)
NOWHERE = Const(0, SITES)

_MOST_STEPS = 3_000_000
_FEW_PARTS = 8
"""So many parts are compared two by two sooner than each is gone through for its hash."""


class TooLarge(Exception):
    """What is known before play would take too long to work out."""


def number(value: int) -> Const:
    """Return a constant number."""
    return Const(value, NUMBER)


def sites(value: int) -> Const:
    """Return a constant set of sites."""
    return Const(value, SITES)


def flag(value: bool) -> Const:
    """Return a constant condition."""
    return YES if value else NO


class Algebra:
    """Makes expressions that are simplified as they are made."""

    def made(self, node: Expression) -> Expression:
        """Return what stands for a new node of which nothing more is known."""
        return node

    def same(self, a: Expression, b: Expression) -> bool:
        """Whether two expressions are equal."""
        return a == b

    def is_everywhere(self, sites: int) -> bool:
        """Whether a set has all sites of the board, as far as the board is known."""
        return False

    def const(self, value: ConstantValue, of: Type) -> Const:
        """Return a known value."""
        made = self.made(Const(value, of))
        assert isinstance(made, Const), "a value stays one"
        return made

    def operation(
        self, name: str, arguments: tuple[Expression, ...], of: Type, payload: Payload = None
    ) -> Expression:
        """Return an operation, folded if all its arguments are constants."""
        return self.folded(Op(name, arguments, of, payload))

    def folded(self, node: Expression) -> Expression:
        """Return a node, or its value if it depends on nothing. Raises TooLarge."""
        if node.free or isinstance(node, Const):
            return self.made(node)
        if _steps(node) > budget().of(_MOST_STEPS):
            raise TooLarge
        return self.const(evaluate(node), node.type)

    # ----------------------------------------------------------------------- sets

    def union(self, *parts: Expression) -> Expression:
        """Return the union of sets."""
        known, rest = self._divided("union", parts)
        sites = reduce(or_, known, 0)
        if not rest or self.is_everywhere(sites):
            return self.const(sites, SITES)
        bounds = [self.const(sites, SITES)] if sites else []
        return self._several("union", SITES, [*self.joined(rest), *bounds])

    def joined(self, parts: list[Expression]) -> list[Expression]:
        """Return fewer or simpler sets of the same union, if there are."""
        return parts

    def intersection(self, *parts: Expression) -> Expression:
        """Return the intersection of sets (of at least one)."""
        known, rest = self._divided("intersection", parts)
        if not known:
            return self._several("intersection", SITES, rest)
        sites = reduce(and_, known)
        if not rest or not sites:
            return self.const(sites, SITES)
        bounds = [] if self.is_everywhere(sites) else [self.const(sites, SITES)]
        return self._several("intersection", SITES, [*rest, *bounds])

    def difference(self, a: Expression, b: Expression) -> Expression:
        """Return the sites of `a` that are not in `b`."""
        if _is_nowhere(a) or _is_nowhere(b):
            return a
        return self.operation("difference", (a, b), SITES)

    def image(self, relation: Relation, of: Expression) -> Expression:
        """Return the sites that a relation leads to from a set."""
        if _is_nowhere(of) or not relation.offset_classes:
            return self.const(0, SITES)
        return self.operation("image", (of,), SITES, relation)

    # ----------------------------------------------------------------- conditions

    def some(self, of: Expression) -> Expression:
        """Return whether a set is not empty."""
        return self.operation("some", (of,), FLAG)

    def negation(self, of: Expression) -> Expression:
        """Return the opposite of a condition."""
        if isinstance(of, Op) and of.name == "not":
            return of.arguments[0]
        return self.operation("not", (of,), FLAG)

    def conjunction(self, *parts: Expression) -> Expression:
        """Return whether all conditions hold; the first that fails ends it."""
        return self._junction("and", True, parts)

    def disjunction(self, *parts: Expression) -> Expression:
        """Return whether one of the conditions holds; the first that does ends it."""
        return self._junction("or", False, parts)

    def _junction(self, name: str, neutral: bool, parts: tuple[Expression, ...]) -> Expression:
        known, rest = self._divided(name, parts)
        if any(bool(value) is not neutral for value in known):
            return self.const(not neutral, FLAG)
        return self._several(name, FLAG, rest) if rest else self.const(neutral, FLAG)

    def conditional(
        self, condition: Expression, then: Expression, otherwise: Expression
    ) -> Expression:
        """Return one of two values; the one itself where the condition is known."""
        if isinstance(condition, Const):
            return then if condition.value else otherwise
        if self.same(then, otherwise):
            return then
        return self.made(If(condition, then, otherwise))

    # -------------------------------------------------------------------- binders

    def let(self, slot: Slot, value: Expression, body: Expression) -> Expression:
        """Return `body`, in which `slot` has the value."""
        return self.made(Let(slot, value, body)) if slot in body.free else body

    def fold(
        self, combine: str, slot: Slot, domain: Domain, body: Expression, initial: ConstantValue
    ) -> Expression:
        """Return the values of `body` over a domain, combined."""
        if isinstance(domain, SitesOf | GroupsOf) and domain.sites == NOWHERE:
            return self.const(initial, body.type)
        return self.folded(Fold(combine, slot, domain, body, initial))

    def select(self, slot: Slot, among: Expression, condition: Expression) -> Expression:
        """Return the sites of a set for which a condition holds."""
        if isinstance(condition, Const):
            return among if condition.value else self.const(0, SITES)
        node = Select(slot, among, condition)
        if (
            isinstance(among, Const)
            and condition.free == {slot}
            and _steps(node) <= budget().of(_MOST_STEPS)
        ):
            candidates = list(bits(int(among.value)))
            holds = column(condition, slot, candidates)
            if holds is not None:
                return self.const(site_set(compress(candidates, holds)), SITES)
        return self.folded(node)

    def closure(self, seed: Expression, frontier: Slot, step: Expression) -> Expression:
        """Return all that `step` reaches from a set, the set itself included."""
        return self.folded(Closure(seed, frontier, step))

    # ---------------------------------------------------------------------- parts

    def _divided(
        self, name: str, parts: tuple[Expression, ...]
    ) -> tuple[list[Any], list[Expression]]:
        """Return the known values among the parts of an operation, and the other parts."""
        known: list[Any] = []
        rest: list[Expression] = []
        for part in flattened(name, parts):
            if isinstance(part, Const):
                known.append(part.value)
            else:
                rest.append(part)
        return known, rest

    def _several(self, name: str, of: Type, parts: list[Expression]) -> Expression:
        """Return an operation on at least one part, each given once."""
        if len(parts) == 1:
            return parts[0]
        kept = self.needed(name, self.different(parts))
        return kept[0] if len(kept) == 1 else self.made(Op(name, tuple(kept), of))

    def needed(self, name: str, parts: list[Expression]) -> list[Expression]:
        """Return at least one of an operation's parts, those without which its value is another."""
        return parts

    def different(self, parts: list[Expression]) -> list[Expression]:
        """Return parts in their order, each that is equal to another once."""
        if len(parts) == 2:
            return parts[:1] if self.same(*parts) else parts
        if len(parts) > _FEW_PARTS:
            return [*dict.fromkeys(parts)]
        kept: list[Expression] = []
        for part in parts:
            if not any(self.same(part, other) for other in kept):
                kept.append(part)
        return kept


def flattened(name: str, parts: Iterable[Expression]) -> Iterator[Expression]:
    """Yield parts of an operation in any order of brackets: those of such parts in their place."""
    for part in parts:
        if isinstance(part, Op) and part.name == name:
            yield from part.arguments
        else:
            yield part


def _is_nowhere(node: Expression) -> bool:
    return isinstance(node, Const) and node == NOWHERE


def _steps(node: Expression) -> int:
    """Estimate the steps that a value without free slots takes; sizes of sets are bounded."""
    inner = sum(_steps(part) for part in node.parts())
    if isinstance(node, Fold):
        return 1 + inner * max(1, _elements(node.domain))
    if isinstance(node, Select):
        return 1 + inner * max(1, _members(node.sites))
    return 1 + inner


def _elements(domain: Domain) -> int:
    if isinstance(domain, RangeOf):
        if isinstance(domain.low, Const) and isinstance(domain.high, Const):
            return int(domain.high.value) - int(domain.low.value) + 1
        return 1000
    return _members(domain.sites)


def _members(node: Expression) -> int:
    return int(node.value).bit_count() if isinstance(node, Const) else 100


_PLAIN = Algebra()

op = _PLAIN.operation
union = _PLAIN.union
intersection = _PLAIN.intersection
difference = _PLAIN.difference
image = _PLAIN.image
some = _PLAIN.some
negation = _PLAIN.negation
conjunction = _PLAIN.conjunction
disjunction = _PLAIN.disjunction
conditional = _PLAIN.conditional
let = _PLAIN.let
fold = _PLAIN.fold
select = _PLAIN.select
closure = _PLAIN.closure


def equal(a: Expression, b: Expression) -> Expression:
    """Return whether two values are the same."""
    result: Expression = op("equal", (a, b), FLAG)
    return result


def entry(key: Expression, table: tuple[int, ...], of: Type) -> Expression:
    """Return what a table has for a value, in order; its last number is for any other value."""
    if isinstance(key, If):
        then, otherwise = (entry(part, table, of) for part in (key.then, key.otherwise))
        if isinstance(then, Const) or isinstance(otherwise, Const):
            return conditional(key.condition, then, otherwise)
    result: Expression = op("entry", (key,), of, table)
    return result


FEW_CASES = 16
"""So many cases at most are asked for one after the other."""


def by_cases(
    cases: Sequence[tuple[Case, Found]],
    otherwise: Found,
    is_one_of: Callable[[Sequence[Case]], Expression],
    choose: Callable[[Expression, Found, Found], Found],
) -> Found:
    """Return the value of the first of some cases that holds, or else the other value.

    `is_one_of` makes the condition that one of several cases holds; `choose`, a value by one.
    Few cases are asked for one after the other. More are halved again and again, so that the depth
    of the expression hardly grows with their number.
    """
    if len(cases) <= FEW_CASES:
        for case, value in reversed(cases):
            otherwise = choose(is_one_of((case,)), value, otherwise)
        return otherwise
    is_one = is_one_of([case for case, _ in cases])
    return choose(is_one, _halved(cases, is_one_of, choose), otherwise)


def _halved(
    cases: Sequence[tuple[Case, Found]],
    is_one_of: Callable[[Sequence[Case]], Expression],
    choose: Callable[[Expression, Found, Found], Found],
) -> Found:
    """Return the value of the first of some cases that holds; it is known that one does."""
    if len(cases) == 1:
        return cases[0][1]
    half = len(cases) // 2
    parts = [_halved(part, is_one_of, choose) for part in (cases[:half], cases[half:])]
    return choose(is_one_of([case for case, _ in cases[:half]]), *parts)


def by_number(
    key: Expression,
    values: Mapping[int, Found],
    otherwise: Found,
    choose: Callable[[Expression, Found, Found], Found],
) -> Found:
    """Return the value for the number that a key is, or the place in its type; see `by_cases`."""

    def is_one_of(numbers: Sequence[int]) -> Expression:
        first, *_, last = (Const(number, key.type) for number in (numbers[0], numbers[-1]))
        if len(numbers) == 1:
            return equal(key, first)
        if list(numbers) != list(range(numbers[0], numbers[-1] + 1)):
            return disjunction(*(equal(key, Const(number, key.type)) for number in numbers))
        return conjunction(op("not_more", (first, key), FLAG), op("not_more", (key, last), FLAG))

    cases = list(values.items())
    if len(cases) > FEW_CASES:
        cases.sort(key=itemgetter(0))
    return by_cases(cases, otherwise, is_one_of, choose)


def numeric(name: str, a: Expression, b: Expression) -> Expression:
    """Return an arithmetic operation on two numbers."""
    exact = name == "fraction" or FRACTION in (a.type, b.type)
    result: Expression = op(name, (a, b), FRACTION if exact else NUMBER)
    return result


# ------------------------------------------------------------------------------------------ columns

_JUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {"and": operator.and_, "or": operator.or_}


def column(node: Expression, slot: Slot, sites: Sequence[int]) -> list[Any] | None:
    """Return the values of an expression for each of the sites, given by index, or None.

    None if there is more to it than operations on tables of the board and constants. Both sides
    of `and` and `or` are evaluated: None, too, if a number becomes too large.
    """
    try:
        return _column(node, slot, sites)
    except Overflow:
        return None


def _column(node: Expression, slot: Slot, sites: Sequence[int]) -> list[Any] | None:
    if isinstance(node, Const):
        return [node.value] * len(sites)
    if not isinstance(node, Op):
        return None
    if node.name == "lookup" and node.arguments == (Get(slot),):
        table = node.payload
        assert isinstance(table, tuple)
        return [table[site] for site in sites]
    apply: Callable[..., Any] | None = OPERATIONS.get(node.name) or _JUNCTIONS.get(node.name)
    if apply is None:
        return None
    columns: list[list[Any]] = []
    for argument in node.arguments:
        found = _column(argument, slot, sites)
        if found is None:
            return None
        columns.append(found)
    first, *others = columns
    if not others:
        return list(map(apply, first))
    for other in others:
        first = list(map(apply, first, other))
    return first
