"""What a search for moves knows while it runs, as fields of a piece of memory.

In: nothing. Out: fields, and the code that begins a context. What then holds: the code that fills
a context and the code that reads it agree on its fields.

A search walks through all ways in which a turn can be completed, in order, and stops when a way
is the one that is looked for. What it does with a completed way depends on its mode.
"""

from __future__ import annotations

from interpreter.native.emit.ir import Function
from interpreter.native.emit.kinds import I64, PTR, Address, Bit, Integer, Word
from interpreter.native.memory.fields import Field, Pointer
from interpreter.reference.steps import MOST_WAYS

LEFT: Field[Word] = Field(0, 64)
"""How many completed ways are to be passed over before the one that is wanted."""
OUT = Pointer(8, 64)
"""Where the frame of the found way is put."""
MODE: Field[Integer] = Field(16, 32)
"""One of the modes below."""
SHORTCUT: Field[Integer] = Field(20, 32)
"""How much may be counted without being carried out: one of the shortcuts below."""
FOUND: Field[Integer] = Field(24, 32)
"""Whether the way was found."""
KEEPING: Field[Integer] = Field(28, 32)
"""Which round of a search for the best ways this is: 0 none, 1 the first, 2 the second."""
BEST: Field[Word] = Field(32, 64)
"""The best value so far, in the round that looks for it; and whether there is one."""
HAS_BEST: Field[Word] = Field(40, 64)
DECISIONS = Pointer(48, 64)
"""The decisions that are to be made, or null: all are tried."""
DECISION_COUNT: Field[Word] = Field(56, 64)
TRACE = Pointer(64, 64)
"""What has been decided and said on the present way, an i64 each; see `traces`."""
LIST = Pointer(72, 64)
"""In LISTING: where completed ways are put; how many words there are; how many are needed. In
FOLLOWING: where the positions are put that they lead to; both numbers are of bytes."""
LIST_SIZE: Field[Word] = Field(80, 64)
LIST_USED: Field[Word] = Field(88, 64)
CAN: Field[Word] = Field(96, 64)
"""In LOOKING: which condition is wanted, and the values that it depends on."""
VALUES = Pointer(104, 64)
ROOT = Pointer(112, 64)
"""The position in which the turn begins."""
WORLD = Pointer(120, 64)
"""What all searches of a game share."""
PAIRS = Pointer(128, 64)
"""The decisions that may be made in either order: two i32 for each pair."""
DEPTH: Field[Word] = Field(136, 64)
"""In COUNTING_ON: how many further moves are counted, and the sequences so far."""
NODES: Field[Word] = Field(144, 64)
WAYS: Field[Word] = Field(152, 64)
"""How many more ways may be completed in a turn whose ways are compared with one another."""
IS_LATER: Field[Word] = Field(160, 64)
"""Whether the later of the two sides that share their functions is on turn."""
BYTES = 168

SELECTING, LISTING, LOOKING, COUNTING_ON, FOLLOWING = range(5)
NO_SHORTCUT, SETTLED, LIKELY = range(3)
"""SETTLED: a last choice after which nothing can fail is not carried out. LIKELY: neither is one
after which something may fail; what is found is tried afterwards."""

MOST_TRACED = 4096
FOLLOWER_HEAD = 16
"""Bytes behind the frame of a position in FOLLOWING, before what is remembered of it; in the first
eight is a number by which its move is known: the same decisions have the same."""
MOST_PAIRS = 64

STOP = 0
"""Fields of the world: a flag that stops all work; what went wrong (i64, one of the below)."""
ERROR = 8
UNITS_LEFT = 16
"""How many units of work may be done before the next look (see `polls`); how many after that; how
many a turn may take in all; and the number of the place where there were too many."""
WORK_LEFT = 24
WORK = 32
PLACE = 40
STACK_END = 48
"""The lowest address that the stack may come down to."""
SEARCHES_AHEAD = 56
"""How many searches that look ahead are under way, one within the other (i64)."""
MOST_SEARCHES_AHEAD = 2
SCRATCH = 64
"""Traces and pairs: for each number of searches that look ahead, those of one more such search, and
of pairs tried in the other order. The last one looks no further: the search for the next move
itself has what that would need."""
SCRATCH_BYTES = 8 * (MOST_TRACED + MOST_PAIRS)
MAIN_SCRATCH = SCRATCH + 2 * MOST_SEARCHES_AHEAD * SCRATCH_BYTES
TRAIL = MAIN_SCRATCH + 2 * SCRATCH_BYTES
"""On large boards: where the next entry of the trail goes, and where the trail ends; see
`trails`."""
TRAIL_END = TRAIL + 8
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
DIGESTS_COMPARED = 16
"""How many digests are compared at once: behind the last there is room for so many."""

RULES_FAIL, PAST_IS_FULL, STOPPED, TOO_DEEP, BROKEN, NO_SEARCHES, TOO_LONG = range(1, 8)
"""BROKEN: checked code has found a fault of its own. NO_SEARCHES: one is needed, but there is no
code for it yet. TOO_LONG: a turn takes more work than it may."""

UNITS_A_LOOK = 1 << 15
"""How many units of work are done between two looks whether to stop."""


def begin(f: Function, context: Address, root: Address, world: Address, scratch: Address) -> None:
    """Write a context of a search from `root` that selects the first way, without shortcuts."""
    f.clear(context, BYTES)
    ROOT.put(f, root, context)
    WORLD.put(f, world, context)
    WAYS.put(f, MOST_WAYS, context)
    TRACE.put(f, scratch, context)
    PAIRS.put(f, f.at(scratch, 8 * MOST_TRACED), context)


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
    refuse(f, world, is_deep, TOO_DEEP)
    f.is_guarded = True


def refuse(f: Function, world: Address, condition: Bit, why: int) -> None:
    """Write that, if a condition (i1) holds, a call fails and its function ends."""
    with f.when(condition):
        fail(f, world, why)
        f.give(f.nothing)
