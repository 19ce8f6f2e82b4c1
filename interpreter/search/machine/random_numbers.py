"""Random numbers of native functions: those of `gdl.interpreter.evaluation.chance`.

In: the word that a generator is. Out: numbers below another. What then holds: a generator gives the
numbers that `Chance` gives for the same word. The algorithm is S. Vigna's SplitMix64 (2015).
"""

from __future__ import annotations

from gdl.interpreter.evaluation.chance import GOLDEN, MIXING
from gdl.interpreter.search.machine.instructions import Words, native, shifted

_FIRST_SHIFT, _FIRST_FACTOR = MIXING[0][0], MIXING[0][1] - (1 << 64)
_SECOND_SHIFT, _SECOND_FACTOR = MIXING[1][0], MIXING[1][1] - (1 << 64)
_THIRD_SHIFT = 31
_GOLDEN = GOLDEN - (1 << 64)
"""Constants of the generator, as signed numbers."""


@native
def mixed(word: int) -> int:
    """Return a word with its bits mixed."""
    word = (word ^ shifted(word, _FIRST_SHIFT)) * _FIRST_FACTOR
    word = (word ^ shifted(word, _SECOND_SHIFT)) * _SECOND_FACTOR
    return word ^ shifted(word, _THIRD_SHIFT)


@native
def drawn(generators: Words, place: int, number: int) -> int:
    """Return the next random number below another, of less than 32 bits, of a generator."""
    state = generators[place] + _GOLDEN
    generators[place] = state
    return shifted(shifted(mixed(state), 32) * number, 32)
