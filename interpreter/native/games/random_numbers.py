"""The code of random numbers: those of interpreter/evaluation/chance.py.

In: the state of a generator in memory. Out: functions that draw from it, and code for the first
state of a game. What then holds: the numbers are the same as those that the reference interpreter
draws.

Where all moves of a game are made in place, the word that a number is made of is mixed before it
is asked for, and lies behind the state that it is made of: so nothing waits for it.
"""

from __future__ import annotations

from interpreter.evaluation.chance import GOLDEN, MIXING
from interpreter.native.emit.ir import Function, Module

_WORD_BYTES = 8
STATE_BYTES = 2 * _WORD_BYTES
STATE_TYPE = "[2 x i64]"
"""A state, and the word that is made of it."""


def write_random_below(module: Module) -> None:
    """Write `random_below(state, n)`: the next random number (i64) below n."""
    f = _function(module, "random_below")
    state = _step(f, "%random")
    f.give(f"i64 {_scaled(f, _mixed(f, state), '%below')}")


def write_next_below(module: Module, *, is_ahead: bool) -> None:
    """Write `next_below(state, n)`: the same for moves made in place, of a word mixed before."""
    f = _function(module, "next_below")
    f.inline()
    if not is_ahead:
        f.give("i64 " + f.ins("call i64 @random_below(ptr %random, i64 %below)"))
        return
    word = f.get("i64", f.at("%random", _WORD_BYTES))
    mix_ahead(f, "%random")
    f.give(f"i64 {_scaled(f, word, '%below')}")


def mix_ahead(f: Function, random: str) -> None:
    """Write that the next word is mixed: the state becomes the one that it is made of."""
    f.put("i64", _mixed(f, _step(f, random)), f.at(random, _WORD_BYTES))


def state_before(f: Function, state: str) -> str:
    """Return the state (i64) before the one of which a word was mixed ahead."""
    return f.ins(f"sub i64 {state}, {GOLDEN}")


def _function(module: Module, name: str) -> Function:
    return module.function(name, "internal i64", ["ptr %random", "i64 %below"])


def _step(f: Function, random: str) -> str:
    return f.add("i64", str(GOLDEN), random)


def _scaled(f: Function, word: str, below: str) -> str:
    """Write that a random word is scaled to a number below another; return the register (i64)."""
    factors = [f.ins(f"zext i64 {factor} to i128") for factor in (word, below)]
    product = f.ins(f"mul i128 {', '.join(factors)}")
    return f.ins(f"trunc i128 {f.ins(f'lshr i128 {product}, 64')} to i64")


def first_state(f: Function, seed: str, number: str) -> str:
    """Return the state (i64) that the game with this number begins with."""
    place = f.ins(f"add i64 {number}, 1")
    return _mixed(f, f.ins(f"add i64 {seed}, {f.ins(f'mul i64 {place}, {GOLDEN}')}"))


def _mixed(f: Function, state: str) -> str:
    for shift, factor in MIXING:
        state = f.ins(f"xor i64 {state}, {f.ins(f'lshr i64 {state}, {shift}')}")
        state = f.ins(f"mul i64 {state}, {factor}")
    return f.ins(f"xor i64 {state}, {f.ins(f'lshr i64 {state}, 31')}")
