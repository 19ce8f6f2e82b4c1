"""The code of random numbers: those of interpreter/evaluation/chance.py.

In: the state of a generator in memory. Out: functions that draw from it, and code for the first
state of a game. What then holds: the numbers are the same as those that the reference interpreter
draws.

Where all moves of a game are made in place, the word that a number is made of is mixed before it
is asked for, and lies behind the state that it is made of: so nothing waits for it.
"""

from __future__ import annotations

from gdl.interpreter.evaluation.chance import GOLDEN, MIXING
from gdl.interpreter.native.emit.ir import RANDOM, WORD_BYTES, Function, Module
from gdl.interpreter.native.emit.kinds import I64, Address, Word, integer
from gdl.interpreter.native.emit.target import Target

STATE_BYTES = 2 * WORD_BYTES
STATE_TYPE = "[2 x i64]"
"""A state, and the word that is made of it."""


class RandomNumbers:
    """Writes the random numbers of a game, whose words are mixed before if it `is_ahead`."""

    def __init__(self, *, is_ahead: bool) -> None:
        self._is_ahead = is_ahead

    def write(self, module: Module) -> None:
        """Write `random_below(state, n)`: the next random number (i64) below n.

        `next_below` is the same for moves made in place, of a word that may have been mixed before.
        """
        parameters = ["ptr %random", "i64 %below"]
        f = module.function("random_below", "internal i64", parameters)
        f.give(f"i64 {_scaled(f, _next_word(f, RANDOM), module.target)}")
        f = module.function("next_below", "internal i64", parameters)
        f.inline()
        if self._is_ahead:
            word = f.get(I64, f.at(RANDOM, WORD_BYTES))
            f.put(I64, _next_word(f, RANDOM), f.at(RANDOM, WORD_BYTES))
            f.give(f"i64 {_scaled(f, word, module.target)}")
        else:
            f.give("i64 " + f.call(I64, "@random_below(ptr %random, i64 %below)"))

    def begin(self, f: Function, state: Word, random: Address) -> None:
        """Write that a generator of moves in place is in a state (i64)."""
        f.put(I64, state, random)
        if self._is_ahead:
            f.put(I64, _next_word(f, random), f.at(random, WORD_BYTES))

    def state(self, f: Function, random: Address) -> Word:
        """Return the state (i64) of a generator of moves in place: before what was mixed ahead."""
        state = f.get(I64, random)
        return f.binary("sub", I64, state, GOLDEN) if self._is_ahead else state


def first_state(f: Function, seed: Word, number: Word) -> Word:
    """Return the state (i64) that the game with this number begins with."""
    place = f.binary("add", I64, number, 1)
    return _mixed(f, f.binary("add", I64, seed, f.binary("mul", I64, place, GOLDEN)))


def _next_word(f: Function, random: Address) -> Word:
    return _mixed(f, f.add(I64, GOLDEN, random))


def _mixed(f: Function, state: Word) -> Word:
    for shift, factor in MIXING:
        state = f.binary("xor", I64, state, f.binary("lshr", I64, state, shift))
        state = f.binary("mul", I64, state, factor)
    return f.binary("xor", I64, state, f.binary("lshr", I64, state, 31))


_HALF = 32


def _scaled(f: Function, word: Word, target: Target) -> Word:
    """Write that a random word is scaled to a number below `%below`; return the register (i64).

    It is the upper word of their product. Where words have none, numbers below 2^32 are multiplied
    with each half.
    """
    if target.has_wide_products:
        return _upper(f, word)
    below = Word("%below")
    found = f.variable(I64, 0)
    is_large = f.compare("ne", I64, f.binary("lshr", I64, below, _HALF), 0)
    with f.when(is_large):
        f.put(I64, _upper(f, word), found)
    with f.unless(is_large):
        low = f.binary("mul", I64, f.binary("and", I64, word, (1 << _HALF) - 1), below)
        high = f.binary("mul", I64, f.binary("lshr", I64, word, _HALF), below)
        both = f.binary("add", I64, high, f.binary("lshr", I64, low, _HALF))
        f.put(I64, f.binary("lshr", I64, both, _HALF), found)
    return f.get(I64, found)


def _upper(f: Function, word: Word) -> Word:
    wide = integer(128)
    a, b = (f.convert("zext", I64, factor, wide) for factor in (word, Word("%below")))
    product = f.binary("mul", wide, a, b)
    return f.convert("trunc", wide, f.binary("lshr", wide, product, 64), I64)
