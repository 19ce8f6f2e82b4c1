"""The code of random numbers: those of interpreter/chance.py.

In: the state of a generator in memory. Out: `random_below(state, n)`, and code for the first state
of a game. What then holds: the numbers are the same as those that the reference interpreter draws.
"""

from __future__ import annotations

from interpreter.chance import GOLDEN, MIXING
from interpreter.native.code import Function, Module


def write_random_below(module: Module) -> None:
    """Write `random_below(state, n)`: the next random number (i64) below n."""
    f = module.function("random_below", "internal i64", ["ptr %random", "i64 %below"], "nounwind ")
    state = f.ins(f"add i64 {f.get('i64', '%random')}, {GOLDEN}")
    f.put("i64", state, "%random")
    wide = f.ins(f"zext i64 {_mixed(f, state)} to i128")
    below = f.ins("zext i64 %below to i128")
    upper = f.ins(f"lshr i128 {f.ins(f'mul i128 {wide}, {below}')}, 64")
    f.give(f"i64 {f.ins(f'trunc i128 {upper} to i64')}")


def first_state(f: Function, seed: str, number: str) -> str:
    """Return the state (i64) that the game with this number begins with."""
    place = f.ins(f"add i64 {number}, 1")
    return _mixed(f, f.ins(f"add i64 {seed}, {f.ins(f'mul i64 {place}, {GOLDEN}')}"))


def _mixed(f: Function, state: str) -> str:
    for shift, factor in MIXING:
        state = f.ins(f"xor i64 {state}, {f.ins(f'lshr i64 {state}, {shift}')}")
        state = f.ins(f"mul i64 {state}, {factor}")
    return f.ins(f"xor i64 {state}, {f.ins(f'lshr i64 {state}, 31')}")
