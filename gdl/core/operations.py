"""What the strict operations of the core mean: one function an operation, one table.

In: values (see types.py). Out: a value. What then holds: every operation is total; the one
way to fail is a number that grows beyond all use (`Overflow`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

Number = int | Fraction

WIDEST = 4096
SMALL = 2**61
"""What numbers without bounds are taken to be at most, either way, before a turn that is looked
at. What adds less than this a turn comes beyond it after more turns than anybody can play."""


class Overflow(ArithmeticError):
    """A number needs more than `WIDEST` bits."""


def first(sites: int) -> int:
    """Return the set of the site with the lowest index, or the empty set."""
    return sites & -sites


def subset(sites: int, of: int) -> bool:
    """Return whether `sites` is not empty and all of it lies in `of`."""
    return sites != 0 and not sites & ~of


def _checked(value: Number) -> Number:
    bits = value.bit_length() if isinstance(value, int) else _width(value)
    if bits > WIDEST:
        raise Overflow
    return value


def _width(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def add(a: Number, b: Number) -> Number:
    """Return the sum."""
    return _checked(a + b)


def subtract(a: Number, b: Number) -> Number:
    """Return the difference."""
    return _checked(a - b)


def multiply(a: Number, b: Number) -> Number:
    """Return the product."""
    return _checked(a * b)


def fraction(a: Number, b: Number) -> Number:
    """Return the exact quotient; 0 where the divisor is 0."""
    return _checked(Fraction(a) / b) if b else Fraction(0)


def divide(a: int, b: int) -> int:
    """Return the quotient, rounded down; 0 where the divisor is 0."""
    return a // b if b else 0


def modulo(a: int, b: int) -> int:
    """Return the remainder of `divide`, which has the divisor's sign; 0 where that is 0."""
    return a % b if b else 0


def power(a: int, b: int) -> int:
    """Return a to the power of b; 1 where b is negative."""
    if abs(a) > 1 and b * a.bit_length() > WIDEST + a.bit_length():
        raise Overflow
    return int(_checked(a ** max(b, 0)))


def shift_left(a: int, b: int) -> int:
    """Return a with b bits of 0 behind it; a negative b is 0."""
    if b > WIDEST:
        raise Overflow
    return int(_checked(a << max(b, 0)))


def shift_right(a: int, b: int) -> int:
    """Return a without its last b bits; a negative b is 0."""
    return a >> max(b, 0)


def low_bits(a: int, b: int) -> int:
    """Return the number that the last b bits of a are; a negative b is 0."""
    return a & (1 << min(max(b, 0), WIDEST)) - 1


OPERATIONS: dict[str, Callable[..., Any]] = {
    "union": operator.or_,
    "intersection": operator.and_,
    "difference": lambda a, b: a & ~b,
    "some": bool,
    "count": int.bit_count,
    "first": first,
    "subset": subset,
    "equal": operator.eq,
    "less": operator.lt,
    "not_more": operator.le,
    "add": add,
    "subtract": subtract,
    "multiply": multiply,
    "fraction": fraction,
    "divide": divide,
    "modulo": modulo,
    "power": power,
    "shift_left": shift_left,
    "shift_right": shift_right,
    "low_bits": low_bits,
    "maximum": max,
    "minimum": min,
    "not": operator.not_,
}
"""The operations without a payload that evaluate all their arguments.

`image` (of a set under a relation), `lookup` (of the first site's number in a tuple, 0 for no
site), and the lazy `and` and `or` stand in evaluate.py. `subtract` is for numbers,
`difference` for sets. The last three are for numbers that are made of digits, as piles of pieces
are.
"""
