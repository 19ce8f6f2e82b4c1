"""What all searches and random games of a thread share: the world, a piece of memory.

In: nothing. Out: where its fields lie, in bytes from its beginning, and the code that asks whether
all work is to stop, counts it, and says what went wrong. What then holds: the code that fills a
world and the code that reads it agree on its fields.
"""

from __future__ import annotations

from gdl.interpreter.native.emit.ir import Function
from gdl.interpreter.native.emit.kinds import I64, PTR, Address, Bit, Word

MOST_TRACED = 4096
"""How many decisions and words a turn may have."""
MOST_PAIRS = 64
"""How many pairs of decisions a turn may have that may be made in either order."""

STOP = 0
"""A flag (i64) that stops all work."""
ERROR = 8
"""What went wrong (i64): 0, or one of the reasons below."""
UNITS_LEFT = 16
"""How many units of work may be done before the next look (see `polls`)."""
WORK_LEFT = 24
"""How many may be done after that."""
WORK = 32
"""How many a turn may take in all."""
PLACE = 40
"""The number of the place where there were too many."""
STACK_END = 48
"""The lowest address that the stack may come down to."""
SEARCHES_AHEAD = 56
"""How many searches that look ahead are under way, one within the other (i64)."""
MOST_SEARCHES_AHEAD = 2
AHEAD = 64
"""The context of the innermost of them; null if there is none."""
SCRATCH = 80
"""Traces and pairs: for each number of searches that look ahead, those of one more such search, and
of pairs tried in the other order. The last one looks no further: the search for the next move
itself has what that would need."""
SCRATCH_BYTES = 8 * (MOST_TRACED + MOST_PAIRS)
MAIN_SCRATCH = SCRATCH + 2 * MOST_SEARCHES_AHEAD * SCRATCH_BYTES
"""The trace and the pairs of the search for the next move, and those tried in the other order."""
TRAIL = MAIN_SCRATCH + 2 * SCRATCH_BYTES
"""On large boards: where the next entry of the trail goes; see `trails`."""
TRAIL_END = TRAIL + 8
"""Where the trail ends."""
OUTSIDE = {
    name: TRAIL + 16 + 8 * place
    for place, name in enumerate(("ply_listed", "count", "stuck", "pass_on"))
}
"""The addresses of functions that the code of random games may need from the other part of the
module, by name; null as long as that has not been compiled."""
PAST = TRAIL + 16 + 8 * len(OUTSIDE)
"""For each memory, `PAST_BYTES` with the address of its keys and, so far on:"""
PAST_ROOM = 8
"""how many keys fit;"""
PAST_DIGESTS = 16
"""the address of their digests;"""
PAST_DIGESTED = 24
"""of how many keys, from the first on, the digest is that of the key. Whoever writes a key makes
this no more than the key's number."""
PAST_BYTES = 32
DIGESTS_COMPARED = 64
"""How many digests are compared at once, a bit of a word each: behind the last there is room for so
many."""

RULES_FAIL = 1
"""The rules fail, or may: the reference says whether, and where."""
NO_ROOM = 2
"""There is no more room for positions to remember, or on the trail: a larger world has it."""
STOPPED = 3
"""All work was to stop."""
LEFT_TO_REFERENCE = 4
"""A turn too deep for the stack, a trace too long or a number too large for native code."""
BROKEN = 5
"""Checked code has found a fault of its own."""
NO_SEARCHES = 6
"""A search is needed, but there is no code for it yet."""
TOO_LONG = 7
"""A turn takes more work than it may."""

UNITS_A_LOOK = 1 << 15
"""How many units of work are done between two looks whether to stop."""


def scratch_ahead(f: Function, world: Address, *, in_other_order: bool) -> Address:
    """Return the memory of one more search that looks ahead, or of a pair in the other order."""
    searches = f.get(I64, f.at(world, SEARCHES_AHEAD))
    first = f.at(world, SCRATCH + SCRATCH_BYTES * in_other_order)
    return f.at(first, f.binary("mul", I64, searches, 2 * SCRATCH_BYTES))


def has_failed(f: Function, world: Address) -> Bit:
    """Write the test whether something went wrong; return its register (i1)."""
    return f.compare("ne", I64, f.get(I64, f.at(world, ERROR)), 0)


def is_stopped(f: Function, world: Address) -> Bit:
    """Write the test whether all work is to stop; return its register (i1).

    Another thread says so: LLVM must not take it for what it was when it was read before.
    """
    return f.compare("ne", I64, f.ins(f"load volatile i64, ptr {f.at(world, STOP)}", I64), 0)


def fail(f: Function, world: Address, why: int) -> None:
    """Write why a call fails into the world."""
    f.put(I64, why, f.at(world, ERROR))


def allow_a_turn(f: Function, world: Address) -> None:
    """Write that a turn begins, which may take as much work as any other."""
    f.put(I64, UNITS_A_LOOK, f.at(world, UNITS_LEFT))
    f.put(I64, f.get(I64, f.at(world, WORK)), f.at(world, WORK_LEFT))


def charge(f: Function, world: Address, units: Word | int) -> Word:
    """Write that so many units of work (i64) are done; return how many are left till the look."""
    address = f.at(world, UNITS_LEFT)
    left = f.binary("sub", I64, f.get(I64, address), units)
    f.put(I64, left, address)
    return left


def refuse_deep(f: Function, world: Address) -> None:
    """Write that a function of a search fails where little is left of the stack."""
    f.declare("ptr @llvm.frameaddress.p0(i32)")
    here = f.call(PTR, "@llvm.frameaddress.p0(i32 0)")
    is_deep = f.compare("ult", PTR, here, f.get(PTR, f.at(world, STACK_END)))
    refuse(f, world, is_deep, LEFT_TO_REFERENCE)
    f.is_guarded = True


def refuse(f: Function, world: Address, condition: Bit, why: int) -> None:
    """Write that, if a condition (i1) holds, a call fails and its function ends."""
    with f.when(condition):
        fail(f, world, why)
        f.give(f.nothing)
