"""Floods on large boards, one site after the other.

In: a seed, and the expression of a step. Out: code that works out all that steps reach. What
then holds: each site is stepped from once. Since a step distributes over union, it may be taken
from single sites, whose successors are few.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.native.emit.ir import Function
from interpreter.native.emit.values import Sites
from interpreter.native.sets.arrays import ArraySets
from interpreter.native.sets.word_arrays import is_listed


def flood_by_site(
    sets: ArraySets, f: Function, reached: str, step: Callable[[Sites], Sites]
) -> None:
    """Write a loop that steps from each site of the set at an address, and adds what is reached."""
    waiting, count = f.variable(f"[{sets.size} x i16]"), f.variable("i64", "0")
    with sets.each_at(f, reached) as loop:
        _push(f, waiting, count, loop.index, "true")
    with f.loop() as rounds:
        now = f.get("i64", count)
        f.leave_if(f.ins(f"icmp eq i64 {now}, 0"), rounds.done)
        last = f.ins(f"sub i64 {now}, 1")
        f.put("i64", last, count)
        index = f.unsigned("i16", f.entry("i16", waiting, last))
        found = step(Sites(None, index, True))
        if is_listed(found):
            for site, there in sets.listed(f, found):
                is_new = sets.add_new(f, reached, site, there)
                _push(f, waiting, count, site, is_new)
        else:
            with sets.each(f, found) as new:
                is_new = sets.add_new(f, reached, new.index, "true")
                _push(f, waiting, count, new.index, is_new)


def _push(f: Function, waiting: str, count: str, site: str, condition: str) -> None:
    """Write that a site waits for its step, if a condition holds."""
    now = f.get("i64", count)
    f.put("i16", f.ins(f"trunc i64 {site} to i16"), f.entry("i16", waiting, now))
    f.put("i64", f.ins(f"add i64 {now}, {f.ins(f'zext i1 {condition} to i64')}"), count)
