"""What numbers a program's expressions can come to, so that their registers can be wide enough.

In: a program. Out: a `Range` for every expression that is a number, a fraction or a choice:
bounds of the numerator, and a denominator that all its values share. What then holds: no
operation on registers of the widths that follow can overflow; only what is stored in a slot is
tested.

The method is interval arithmetic (R. E. Moore, Interval Analysis, 1966) from the bounds of slots
and boards; a slot without declared bounds holds 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from math import lcm
from typing import Any, assert_never

from gdl.core.memo import Memo
from gdl.core.nodes import (
    GREATEST,
    LEAST,
    Assign,
    AssignAt,
    Block,
    Can,
    Choose,
    Closure,
    Const,
    Domain,
    Expression,
    Fold,
    ForEach,
    Get,
    GetAt,
    If,
    Let,
    Op,
    Program,
    RangeOf,
    Select,
    Slot,
    Times,
)
from gdl.core.operations import SMALL
from gdl.core.types import FRACTION
from gdl.core.walk import program_statements
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Span

WIDEST = 4096
_WIDE_FRACTION = (-(2**511), 2**511)
_MOST_ROUNDS = 5
_MOST_TIMES = 2**40


class Uncovered(Exception):
    """Native code is not to be had for a construct; `diagnostic` says which, and where."""

    def __init__(self, what: str, span: Span | None = None) -> None:
        super().__init__(what)
        self.diagnostic = Diagnostic(
            "not-native",
            f"There is no native code for {what}.",
            span,
            "Use `--backend reference`.",
        )

    def at(self, span: Span | None) -> Uncovered:
        """Return this with a place, if it has none yet."""
        if self.diagnostic.span is None:
            self.diagnostic = replace(self.diagnostic, span=span)
        return self


@dataclass(frozen=True)
class Range:
    """Bounds of a numerator, both included, over a denominator."""

    low: int
    high: int
    denominator: int = 1

    def scaled(self, denominator: int) -> Range:
        """Return the same numbers over a multiple of the denominator."""
        factor = denominator // self.denominator
        return Range(self.low * factor, self.high * factor, denominator)

    def hull(self, other: Range) -> Range:
        """Return the least range that holds both."""
        a, b = self.beside(other)
        return Range(min(a.low, b.low), max(a.high, b.high), a.denominator)

    @property
    def largest(self) -> int:
        """The greatest that a numerator is, whatever its sign."""
        return max(abs(self.low), abs(self.high))

    def plus(self, other: Range) -> Range:
        """Return the range of the sum of two numbers."""
        a, b = self.beside(other)
        return Range(a.low + b.low, a.high + b.high, a.denominator)

    def beside(self, other: Range) -> tuple[Range, Range]:
        """Return two ranges over their least common denominator."""
        common = lcm(self.denominator, other.denominator)
        return self.scaled(common), other.scaled(common)


IN_A_WORD = Range(LEAST, GREATEST)
"""What 64 bits hold."""


def limits_of(slot: Slot) -> Range:
    """Return between which whole numbers a slot holds any."""
    low = LEAST if slot.low is None else slot.low
    return Range(low, GREATEST if slot.high is None else slot.high)


class Ranges:
    """The ranges of the expressions of one program, over a board of `size` sites.

    A slot may be given values that depend on itself. Its range is found by assuming one and asking
    what follows; what other slots hold then is only known for good where it does not rest on that.
    """

    def __init__(
        self,
        program: Program,
        size: int,
        more: Iterable[Block] = (),
        small: AbstractSet[Slot] = frozenset(),
    ) -> None:
        """Take a program, further blocks that give values to its slots, and those that are small.

        What is stored in these has to be at most `SMALL`, either way.
        """
        self._size = size
        self._small = small
        self._state = {slot: place for place, slot in enumerate(program.state)}
        self._initial = program.initial
        self._known: dict[Slot, Range] = {}
        self._bound: dict[Slot, Range] = {}
        self._under_way: dict[Slot, Range] = {}
        self._used: set[Slot] = set()
        self._provisional: dict[Slot, tuple[Range, frozenset[Slot]]] = {}
        self._memo = Memo[Expression, Range]()
        self._assigned: dict[Slot, list[Assign | AssignAt | Choose | ForEach]] = {}
        for statement in program_statements(program, more):
            if isinstance(statement, Assign | AssignAt | Choose | ForEach):
                self._assigned.setdefault(statement.slot, []).append(statement)

    # --------------------------------------------------------------------- slots

    def limits_of(self, slot: Slot) -> Range:
        """Return between which whole numbers what is stored in a slot has to be."""
        return Range(-SMALL, SMALL) if slot in self._small else limits_of(slot)

    def of_slot(self, slot: Slot) -> Range:
        """Return the range of what a slot can hold."""
        if slot in self._bound:
            return self._bound[slot]
        if slot in self._under_way:
            self._used.add(slot)
            return self._under_way[slot]
        if slot in self._known:
            return self._known[slot]
        if slot not in self._provisional:
            outer, self._used = self._used, set()
            found = self._slot(slot)
            self._provisional[slot] = found, frozenset(self._used - {slot})
            self._used = outer
        found, used = self._provisional[slot]
        self._used |= used
        if not used:
            self._known[slot] = found
        return found

    def _all_stored(self, slot: Slot, assumed: Range) -> list[Range]:
        """Return the ranges of what is put into a slot, if it holds what is assumed of it.

        What is found of other slots on the way, and rests on that, is forgotten afterwards; so is
        what expressions bind, which may share variables with those that ask.
        """
        kept = self._memo, self._bound
        self._memo, self._bound = Memo(), {}
        self._under_way[slot] = assumed
        found = [self._stored(statement) for statement in self._assigned.get(slot, ())]
        del self._under_way[slot]
        self._memo, self._bound = kept
        self._provisional = {
            other: known for other, known in self._provisional.items() if slot not in known[1]
        }
        return found

    def _slot(self, slot: Slot) -> Range:
        if slot.type.is_choice:
            return Range(-1, len(slot.type.values) - 1)
        if slot.type == FRACTION:
            return self._fraction_slot(slot)
        limits = self.limits_of(slot)
        if slot in self._state or slot not in self._assigned:
            return limits
        found = self._all_stored(slot, limits)
        low, high = min(r.low for r in found), max(r.high for r in found)
        return Range(max(limits.low, low), min(limits.high, high))

    def _stored(self, statement: Any) -> Range:
        """Return the range of what a statement puts into its slot."""
        try:
            if isinstance(statement, Assign | AssignAt):
                return self.of(statement.value)
            return self._of_domain(statement.domain)
        except Uncovered as problem:
            raise problem.at(statement.span) from None

    def _fraction_slot(self, slot: Slot) -> Range:
        """Bounds over a denominator that suits every value assigned to the slot.

        Raises Uncovered if there is none.
        """
        denominator = 1
        if slot in self._state:
            first: Any = self._initial[self._state[slot]]
            for value in first if slot.per_site else (first,):
                denominator = lcm(denominator, value.denominator)
        for _ in range(_MOST_ROUNDS):
            dividing = self._all_stored(slot, Range(*_WIDE_FRACTION, denominator))
            wanted = lcm(denominator, *(r.denominator for r in dividing))
            if wanted == denominator:
                return self._bounded(slot, dividing, denominator)
            denominator = wanted
        raise Uncovered(f"`{slot.name}`, a fraction without a common denominator", slot.span)

    def _bounded(self, slot: Slot, stored: list[Range], denominator: int) -> Range:
        widest = Range(*_WIDE_FRACTION, denominator)
        if slot in self._state or not stored:
            return widest
        scaled = [part.scaled(denominator) for part in stored]
        low, high = min(part.low for part in scaled), max(part.high for part in scaled)
        return Range(max(low, widest.low), min(high, widest.high), denominator)

    # --------------------------------------------------------------- expressions

    def of(self, node: Expression) -> Range:
        """Return the range of an expression's value. Raises Uncovered."""
        known = self._memo.get(node)
        if known is not None:
            return known
        found = self._found(node)
        if max(found.low.bit_length(), found.high.bit_length()) > WIDEST:
            raise Uncovered("numbers of more than 4,096 bits")
        if not self.are_bound(node.free):
            self._memo.keep(node, found)
        return found

    def _found(self, node: Expression) -> Range:
        match node:
            case Const():
                return self._const(node)
            case Get():
                return self.of_slot(node.slot)
            case GetAt():
                return self.of_slot(node.slot).hull(Range(0, 0))
            case Op():
                return self._op(node)
            case If():
                return self.of(node.then).hull(self.of(node.otherwise))
            case Let():
                return self._let(node)
            case Fold():
                return self._fold(node)
            case Times():
                return Range(0, _MOST_TIMES)
            case Select() | Closure() | Can():
                raise TypeError(f"not a number: {node}")
            case _:
                assert_never(node)

    def bind(self, slot: Slot, found: Range) -> None:
        """Settle the range of a slot that an expression gives a value to, until it is bound again.

        Expressions side by side may share a variable, those within one another never do.
        """
        self._bound[slot] = found

    def are_bound(self, slots: AbstractSet[Slot]) -> bool:
        """Return whether an expression has bound any of some slots."""
        return not slots.isdisjoint(self._bound)

    def _const(self, node: Const) -> Range:
        value: Any = node.value
        if isinstance(value, bool):
            return Range(0, 1)
        return Range(value.numerator, value.numerator, value.denominator)

    def _let(self, node: Let) -> Range:
        if node.slot.type.is_numeric or node.slot.type.is_choice:
            self.bind(node.slot, self.of(node.value))
        return self.of(node.body)

    def _of_domain(self, domain: Domain) -> Range:
        if isinstance(domain, RangeOf):
            low, high = self.of(domain.low), self.of(domain.high)
            if (low.denominator, high.denominator) != (1, 1):
                raise Uncovered("a range that begins or ends with a fraction")
            return Range(low.low, max(low.low, high.high))
        return Range(0, 0)

    def elements(self, domain: Domain) -> int:
        """Return how many elements a domain has at most."""
        if isinstance(domain, RangeOf):
            low, high = self.of(domain.low), self.of(domain.high)
            return max(0, high.high - low.low + 1)
        return self._size

    def bind_variable(self, slot: Slot, domain: Domain) -> None:
        """Settle the range of a variable that runs over a domain."""
        if isinstance(domain, RangeOf):
            self.bind(slot, self._of_domain(domain))

    def _fold(self, node: Fold) -> Range:
        self.bind_variable(node.slot, node.domain)
        body = self.of(node.body)
        initial = self._const(Const(node.initial, node.type))
        most = self.elements(node.domain)
        if node.combine == "sum":
            total = Range(min(0, body.low * most), max(0, body.high * most), body.denominator)
            return total.plus(initial)
        if node.combine == "product":
            return self._product(body, initial, most)
        return body.hull(initial)

    def _product(self, body: Range, initial: Range, most: int) -> Range:
        if body.denominator != 1:
            raise Uncovered("a product of fractions over a set")
        largest = max(body.largest, 1)
        if most * largest.bit_length() > WIDEST:
            raise Uncovered("a product that may grow beyond 4,096 bits")
        bound = largest**most * max(initial.largest, 1)
        return Range(-bound if body.low < 0 or initial.low < 0 else 0, bound, initial.denominator)

    def _op(self, node: Op) -> Range:
        if node.name == "lookup":
            table = node.payload
            assert isinstance(table, tuple), "a lookup has a table"
            return Range(min(0, *table), max(0, *table))
        if node.name == "entry":
            table = node.payload
            assert isinstance(table, tuple), "an entry has a table"
            return Range(min(table), max(table))
        if node.name == "count":
            return Range(0, self._size)
        parts = [self.of(argument) for argument in node.arguments]
        result = parts[0]
        for part in parts[1:]:
            result = self.combined(node.name, result, part)
        return result

    def combined(self, name: str, a: Range, b: Range) -> Range:
        """Return the range of an operation of the core on two numbers. Raises Uncovered."""
        match name:
            case "add":
                return a.plus(b)
            case "subtract":
                return a.plus(Range(-b.high, -b.low, b.denominator))
            case "multiply":
                ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
                return Range(min(ends), max(ends), a.denominator * b.denominator)
            case "fraction":
                return self._fraction(a, b)
            case "divide":
                return self._divide(a, b)
            case "modulo":
                return Range(min(0, b.low), max(0, b.high))
            case "power":
                return self._power(a, b)
            case "shift_left" | "shift_right" | "low_bits":
                return self._of_bits(name, a, b)
            case "maximum":
                a, b = a.beside(b)
                return Range(max(a.low, b.low), max(a.high, b.high), a.denominator)
            case "minimum":
                a, b = a.beside(b)
                return Range(min(a.low, b.low), min(a.high, b.high), a.denominator)
        raise TypeError(f"not an operation on numbers: {name}")

    def _fraction(self, a: Range, b: Range) -> Range:
        multiple = self.multiple(b)
        largest = a.largest * multiple * b.denominator
        return Range(-largest, largest, a.denominator * multiple)

    def multiple(self, divisor: Range) -> int:
        """Return a number that every numerator of a divisor divides. Raises Uncovered."""
        largest = divisor.largest
        if divisor.low == divisor.high:
            return max(1, largest)
        if largest > WIDEST:
            raise Uncovered("a fraction whose divisor may be large")
        result = lcm(*range(1, largest + 1))
        if result.bit_length() > WIDEST:
            raise Uncovered("a fraction whose divisor may be large")
        return result

    def _divide(self, a: Range, b: Range) -> Range:
        largest = a.largest + 1
        return Range(-largest if a.low < 0 or b.low < 0 else 0, largest)

    def _power(self, a: Range, b: Range) -> Range:
        largest = max(a.largest, 1)
        exponent = max(0, b.high)
        if largest > 1 and exponent * largest.bit_length() > WIDEST:
            raise Uncovered("a power that may grow beyond 4,096 bits")
        bound: int = largest**exponent
        return Range(-bound if a.low < 0 else 0, bound)

    def _of_bits(self, name: str, a: Range, b: Range) -> Range:
        least, most = max(0, b.low), max(0, b.high)
        if name == "shift_right":
            ends = (a.low >> least, a.low >> most, a.high >> least, a.high >> most)
            return Range(min(ends), max(ends))
        if name == "shift_left":
            if most > WIDEST:
                raise Uncovered("a number of more than 4,096 bits")
            return Range(min(a.low, a.low << most), max(a.high, a.high << most))
        mask = (1 << min(most, WIDEST)) - 1
        return Range(0, mask if a.low < 0 else min(mask, a.high))
