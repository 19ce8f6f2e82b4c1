"""Floods on large boards, one site after the other.

In: a seed, and the expression of a step. Out: code that works out all that steps reach. What
then holds: each site is stepped from once. Since a step distributes over union, it may be taken
from single sites, whose successors are few.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.native.emit.ir import Function
from interpreter.native.emit.kinds import I1, I16, I64, TRUE, Address, Bit, Word
from interpreter.native.emit.values import Sites
from interpreter.native.sets.arrays import ArraySets
from interpreter.native.sets.word_arrays import is_listed


def flood_by_site(
    sets: ArraySets, f: Function, reached: Address, step: Callable[[Sites], Sites]
) -> None:
    """Write a loop that steps from each site of the set at an address, and adds what is reached."""
    waiting, count = f.room(f"[{sets.size} x i16]"), f.variable(I64, 0)
    with sets.each_at(f, reached) as loop:
        _push(f, waiting, count, loop.index, TRUE)
    with f.loop() as rounds:
        now = f.get(I64, count)
        f.leave_if(f.compare("eq", I64, now, 0), rounds.done)
        last = f.binary("sub", I64, now, 1)
        f.put(I64, last, count)
        index = f.unsigned(I16, f.entry(I16, waiting, last))
        found = step(Sites(None, index, True))
        if is_listed(found):
            for site, there in sets.listed(f, found):
                is_new = sets.add_new(f, reached, site, there)
                _push(f, waiting, count, site, is_new)
        else:
            with sets.each(f, found) as new:
                is_new = sets.add_new(f, reached, new.index, TRUE)
                _push(f, waiting, count, new.index, is_new)


def _push(f: Function, waiting: Address, count: Address, site: Word, condition: Bit) -> None:
    """Write that a site waits for its step, if a condition holds."""
    now = f.get(I64, count)
    f.put(I16, f.convert("trunc", I64, site, I16), f.entry(I16, waiting, now))
    f.put(I64, f.binary("add", I64, now, f.convert("zext", I1, condition, I64)), count)
