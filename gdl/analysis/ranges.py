"""Ranges of numbers, and what becomes of them in the operations of the core.

In: ranges, each bounds of a numerator and a denominator. Out: the range of what an operation makes
of numbers in them. What then holds: whatever the numbers are, the result lies in its range.

The method is interval arithmetic (R. E. Moore, Interval Analysis, 1966).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import lcm

from gdl.codes import Code
from gdl.core.nodes import GREATEST, LEAST, Expression, Slot
from gdl.core.operations import WIDEST
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Facts, Span


class Uncovered(Exception):
    """Native code is not to be had for a construct; `diagnostic` says which, and where.

    `node` is the expression whose numbers are it, if that is known: the innermost such one.
    """

    def __init__(self, what: str, span: Span | None = None) -> None:
        super().__init__(what)
        self.node: Expression | None = None
        self.diagnostic = Diagnostic(
            Code.NOT_NATIVE,
            f"There is no native code for {what}.",
            span,
            "Use `--backend reference`.",
            facts=Facts(what),
        )

    def at(self, span: Span | None) -> Uncovered:
        """Return this with a place, if it has none yet."""
        if self.diagnostic.span is None:
            self.diagnostic = replace(self.diagnostic, span=span)
        return self

    def with_notes(self, *notes: tuple[str, Span | None]) -> Uncovered:
        """Return this with more to see at further places, if these are known."""
        known = tuple((text, span) for text, span in notes if span is not None)
        self.diagnostic = replace(self.diagnostic, related=known)
        return self

    def of(self, node: Expression) -> Uncovered:
        """Return this with its expression, if it has no place, and what has no bounds in it."""
        if self.node is None and self.diagnostic.span is None:
            self.node = node
            free = sorted((s for s in node.free if s.is_unbounded), key=lambda slot: slot.name)
            self.with_notes(*((f"`{slot.name}` has no bounds here.", slot.span) for slot in free))
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

    def within(self, limits: Range) -> Range:
        """Return the same numbers over the denominator of limits, those of them within these."""
        own = self.scaled(limits.denominator)
        return Range(max(limits.low, own.low), min(limits.high, own.high), own.denominator)

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


# -------------------------------------------------------------------- operations


def combined(name: str, a: Range, b: Range) -> Range:
    """Return the range of an operation of the core on two numbers. Raises Uncovered."""
    return COMBINED[name](a, b)


def multiple(divisor: Range) -> int:
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


def product(body: Range, initial: Range, most: int) -> Range:
    """Return the range of a product of a number and at most so many others. Raises Uncovered."""
    if body.denominator != 1:
        raise Uncovered("a product of fractions over a set")
    largest = max(body.largest, 1)
    if most * largest.bit_length() > WIDEST:
        raise Uncovered("a product that may grow beyond 4,096 bits")
    bound = largest**most * max(initial.largest, 1)
    return Range(-bound if body.low < 0 or initial.low < 0 else 0, bound, initial.denominator)


def _multiplied(a: Range, b: Range) -> Range:
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Range(min(ends), max(ends), a.denominator * b.denominator)


def _fraction(a: Range, b: Range) -> Range:
    common = multiple(b)
    largest = a.largest * common * b.denominator
    return Range(-largest, largest, a.denominator * common)


def _divided(a: Range, b: Range) -> Range:
    largest = a.largest + 1
    return Range(-largest if a.low < 0 or b.low < 0 else 0, largest)


def _power(a: Range, b: Range) -> Range:
    largest = max(a.largest, 1)
    exponent = max(0, b.high)
    if largest > 1 and exponent * largest.bit_length() > WIDEST:
        raise Uncovered("a power that may grow beyond 4,096 bits")
    bound: int = largest**exponent
    return Range(-bound if a.low < 0 else 0, bound)


def _shifted_left(a: Range, b: Range) -> Range:
    most = max(0, b.high)
    if most > WIDEST:
        raise Uncovered("a number that may grow beyond 4,096 bits")
    return Range(min(a.low, a.low << most), max(a.high, a.high << most))


def _shifted_right(a: Range, b: Range) -> Range:
    least, most = max(0, b.low), max(0, b.high)
    ends = (a.low >> least, a.low >> most, a.high >> least, a.high >> most)
    return Range(min(ends), max(ends))


def _low_bits(a: Range, b: Range) -> Range:
    mask = (1 << min(max(0, b.high), WIDEST)) - 1
    return Range(0, mask if a.low < 0 else min(mask, a.high))


def _end_by_end(choose: Callable[[int, int], int]) -> Callable[[Range, Range], Range]:
    """Return what becomes of ranges where one of two numbers is chosen."""

    def of(a: Range, b: Range) -> Range:
        a, b = a.beside(b)
        return Range(choose(a.low, b.low), choose(a.high, b.high), a.denominator)

    return of


COMBINED: dict[str, Callable[[Range, Range], Range]] = {
    "add": Range.plus,
    "subtract": lambda a, b: a.plus(Range(-b.high, -b.low, b.denominator)),
    "multiply": _multiplied,
    "fraction": _fraction,
    "divide": _divided,
    "modulo": lambda a, b: Range(min(0, b.low), max(0, b.high)),
    "power": _power,
    "shift_left": _shifted_left,
    "shift_right": _shifted_right,
    "low_bits": _low_bits,
    "maximum": _end_by_end(max),
    "minimum": _end_by_end(min),
}
"""What becomes of ranges in each operation on two numbers."""
