"""What a search for moves knows while it runs, as fields of a piece of memory.

In: nothing. Out: fields, and the code that begins a context. What then holds: the code that fills
a context and the code that reads it agree on its fields.

A search walks through all ways in which a turn can be completed, in order, and stops when a way
is the one that is looked for. What it does with a completed way depends on its mode.
"""

from __future__ import annotations

from gdl.interpreter.native.emit.ir import Function
from gdl.interpreter.native.emit.kinds import Address, Integer, Word
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.memory.fields import Field, Pointer
from gdl.interpreter.reference.steps import MOST_WAYS

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
"""What a round of a search for the best ways does: nothing (0), LEARNING, COMPARING, or both."""
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
FOLLOWING: where the positions are put that they lead to; both numbers are of bytes. In GATHERING:
where the frames of ways are put; how many there is room for; how many there are."""
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
OUTER = Pointer(168, 64)
"""In LOOKING: the context of the search that looks ahead around this one; null if there is none."""
ASKING: Field[Word] = Field(176, 64)
"""In LOOKING: the side on turn where it is asked, and whether its turn is not counted there yet."""
UNCOUNTED: Field[Word] = Field(184, 64)
IS_PAST_END: Field[Word] = Field(192, 64)
"""In LOOKING: whether it is known that the game would be over where it is asked."""
COUNTED: Field[Integer] = Field(200, 32)
"""Whether nothing but the number of all ways is asked for, so that they may be met in any order."""
BYTES = 208
QUESTION = Pointer(BYTES, 64)
"""Of a search that asks what goes on: the question; see `turns.asking`. Other contexts end before
it."""
BYTES_ASKING = BYTES + 8

SELECTING, LISTING, LOOKING, COUNTING_ON, FOLLOWING, GATHERING = range(6)
LEARNING, COMPARING = 1, 2
"""LEARNING: the best value is found out. COMPARING: ways that have another are left."""
NO_SHORTCUT, SETTLED, LIKELY = range(3)
"""SETTLED: a last choice after which nothing can fail is not carried out. LIKELY: neither is one
after which something may fail; what is found is tried afterwards."""

FOLLOWER_HEAD = 16
"""Bytes behind the frame of a position in FOLLOWING, before what is remembered of it; in the first
eight is a number by which its move is known: the same decisions have the same."""


def begin(f: Function, context: Address, root: Address, world: Address, scratch: Address) -> None:
    """Write a context of a search from `root` that selects the first way, without shortcuts."""
    f.clear(context, BYTES)
    ROOT.put(f, root, context)
    WORLD.put(f, world, context)
    WAYS.put(f, MOST_WAYS, context)
    TRACE.put(f, scratch, context)
    PAIRS.put(f, f.at(scratch, 8 * w.MOST_TRACED), context)
