"""The code of random numbers: those of interpreter/evaluation/chance.py.

In: the state of a generator in memory. Out: functions that draw from it, and code for the first
state of a game. What then holds: the numbers are the same as those that the reference interpreter
draws.

Where all moves of a game are made in place, the word that a number is made of is mixed before it
is asked for, and lies behind the state that it is made of: so nothing waits for it.
"""

from __future__ import annotations

from interpreter.evaluation.chance import GOLDEN, MIXING
from interpreter.native.emit.ir import RANDOM, Function, Module
from interpreter.native.emit.kinds import I64, Address, Word, integer

_WORD_BYTES = 8
STATE_BYTES = 2 * _WORD_BYTES
STATE_TYPE = "[2 x i64]"
"""A state, and the word that is made of it."""


def write_random_below(module: Module) -> None:
    """Write `random_below(state, n)`: the next random number (i64) below n."""
    f = _function(module, "random_below")
    state = _step(f, RANDOM)
    f.give(f"i64 {_scaled(f, _mixed(f, state))}")


def write_next_below(module: Module, *, is_ahead: bool) -> None:
    """Write `next_below(state, n)`: the same for moves made in place, of a word mixed before."""
    f = _function(module, "next_below")
    f.inline()
    if not is_ahead:
        f.give("i64 " + f.call(I64, "@random_below(ptr %random, i64 %below)"))
        return
    word = f.get(I64, f.at(RANDOM, _WORD_BYTES))
    mix_ahead(f, RANDOM)
    f.give(f"i64 {_scaled(f, word)}")


def mix_ahead(f: Function, random: Address) -> None:
    """Write that the next word is mixed: the state becomes the one that it is made of."""
    f.put(I64, _mixed(f, _step(f, random)), f.at(random, _WORD_BYTES))


def state_before(f: Function, state: Word) -> Word:
    """Return the state (i64) before the one of which a word was mixed ahead."""
    return f.binary("sub", I64, state, GOLDEN)


def _function(module: Module, name: str) -> Function:
    return module.function(name, "internal i64", ["ptr %random", "i64 %below"])


def _step(f: Function, random: Address) -> Word:
    return f.add(I64, GOLDEN, random)


def _scaled(f: Function, word: Word) -> Word:
    """Write that a random word is scaled to a number below `%below`; return the register (i64)."""
    wide = integer(128)
    a, b = (f.convert("zext", I64, factor, wide) for factor in (word, Word("%below")))
    product = f.binary("mul", wide, a, b)
    return f.convert("trunc", wide, f.binary("lshr", wide, product, 64), I64)


def first_state(f: Function, seed: Word, number: Word) -> Word:
    """Return the state (i64) that the game with this number begins with."""
    place = f.binary("add", I64, number, 1)
    return _mixed(f, f.binary("add", I64, seed, f.binary("mul", I64, place, GOLDEN)))


def _mixed(f: Function, state: Word) -> Word:
    for shift, factor in MIXING:
        state = f.binary("xor", I64, state, f.binary("lshr", I64, state, shift))
        state = f.binary("mul", I64, state, factor)
    return f.binary("xor", I64, state, f.binary("lshr", I64, state, 31))
