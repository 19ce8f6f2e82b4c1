"""Random numbers, one sequence for each game.

In: a seed, and the number of a game. Out: a `Chance`. What then holds: what it draws depends on
the seed and that number alone; native code draws the same numbers.

The generator is SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom
number generators", 2014); a number below n is the upper half of a product with n (D. Lemire,
"Fast random integer generation in an interval", 2019), even to within n/2^64.
"""

from __future__ import annotations

_MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
MIXING = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
"""Constants of SplitMix64: what is added to the state, and the shifts and factors that mix it."""


class Chance:
    """The random numbers of game `number` of a seed; `state` is all that it remembers (64 bits).

    >>> dice = Chance(seed=1)
    >>> [dice.below(6) for _ in range(10)]
    [2, 5, 0, 4, 1, 4, 3, 1, 1, 1]
    """

    __slots__ = ("state",)

    def __init__(self, seed: int, number: int = 0) -> None:
        self.state = _mixed((seed + GOLDEN * (number + 1)) & _MASK)

    def below(self, number: int) -> int:
        """Return the next random number from 0 to `number` - 1; `number` is at most 2^64."""
        self.state = (self.state + GOLDEN) & _MASK
        return _mixed(self.state) * number >> 64


def _mixed(state: int) -> int:
    for shift, factor in MIXING:
        state = (state ^ state >> shift) * factor & _MASK
    return state ^ state >> 31
