"""The logarithm and its inverse, for a machine that has no library with them.

In: fractions. Out: fractions. What then holds: the result differs from the true one by a few units
of its last place at most. Code for such a machine is linked with these functions by their names,
which are those that LLVM calls.

A number is brought near 1 by powers of 2, and what is left is a short series: of the inverse
hyperbolic tangent for `log`, of the exponential function for `exp`.
"""

from __future__ import annotations

from gdl.interpreter.search.machine.instructions import native

_LN2_HIGH, _LN2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10
"""The logarithm of 2 as two numbers: the upper has so few digits that its multiples are exact."""
_LOG2_OF_E = 1.44269504088896340736
_ROOT_OF_2 = 1.41421356237309504880
_LEAST, _MOST = -745.0, 709.0
_STEP = 16
_FACTOR = 65536.0
"""Two to the power of `_STEP`."""
_TERMS = 25
"""One more than the highest power of the series of `log`."""
_DEGREE = 14


@native
def log(x: float) -> float:
    """Return the natural logarithm of a number above 0."""
    power = 0
    while x >= _FACTOR:
        x = x / _FACTOR
        power += _STEP
    while x > _ROOT_OF_2:
        x = x * 0.5
        power += 1
    while x * _ROOT_OF_2 < 1.0:
        x = x * 2.0
        power -= 1
    part = (x - 1.0) / (x + 1.0)
    square, found = part * part, 0.0
    for n in range(_TERMS, 1, -2):
        found = (found + 1.0 / n) * square
    return power * _LN2_HIGH + (2.0 * (part + part * found) + power * _LN2_LOW)


@native
def exp(x: float) -> float:
    """Return e to a power; 0 where that is too small, and as much as can be where too large."""
    if x < _LEAST:
        return 0.0
    x = min(x, _MOST)
    power = int(x * _LOG2_OF_E + (0.5 if x > 0.0 else -0.5))
    left = (x - power * _LN2_HIGH) - power * _LN2_LOW
    found = 0.0
    for n in range(_DEGREE, 0, -1):
        found = (found + 1.0) * left / n
    found = found + 1.0
    while power >= _STEP:
        found = found * _FACTOR
        power -= _STEP
    while power > 0:
        found = found * 2.0
        power -= 1
    while power <= -_STEP:
        found = found / _FACTOR
        power += _STEP
    while power < 0:
        found = found * 0.5
        power += 1
    return found
