"""What a search for a proof knows: of the positions on its way, and of those it has come to.

In: a position by its keys of 128 bits, and what was found out of it. Out: the same, as long as it
is remembered. What then holds: where there is no room, what took the least work is forgotten. Of
the memory, no more is used than the search has need of: what was never used has to be brought by
the system first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gdl.interpreter.search.machine.instructions import (
    Record,
    Shorts,
    Words,
    address,
    array,
    copy,
    native,
)
from gdl.interpreter.search.memory.positions import Desk
from gdl.interpreter.solve.images import KEY_OF_TABLES, SECOND_KEY, key, take_least
from gdl.interpreter.solve.workspace import WORD_BYTES, Bench

NODES, PN, DN, PLIES, ABORTED, REPEATED, DRAWS, ARENA, BROKE, STORED = range(10)
NEXT_ONE, WIDEN_AT = 10, 11
"""Fields of `Proof.state`: how many positions were gone on from; what was found out of the last
one; whether the search is given up for now; whether a position came again; whether a draw was met;
how many children are kept; whether a call failed; how many entries are in use; how hard the child
is that comes after the best; with how many entries in use the search stops for more buckets."""
ENTRIES_OF_BUCKET = 4
WORDS_OF_ENTRY = 4
"""An entry: its keys; the proof number and, above, the disproof number; plies and, above, work."""
_WORDS_OF_BUCKET = WORDS_OF_ENTRY * ENTRIES_OF_BUCKET
_FEWEST_BUCKETS, _FIRST_BUCKETS = 1 << 10, 1 << 14
_GROWTH = 4
_HALF = 32
_LOW = (1 << _HALF) - 1
INFINITE = 1 << 28
DEEPEST, MOST_CHILDREN = 1000, 1 << 21
"""How long a way may be; how many children the positions on it may have in all."""


class Proof(Record):
    """What a search for a win of the seat `goal` knows.

    `entries` are what is remembered of positions, in `mask` + 1 buckets of those that there are:
    the proof and disproof numbers, in how many plies the game ends at most if one of them is 0, how
    much work it took. Of each position on the way: `path` has its words, `path_keys` its keys;
    `child_…` have the same of the children of all of these. `state` has the fields above.
    """

    goal: int
    mask: int
    entries: Words
    path: Words
    path_keys: Words
    child_keys: Words
    child_pn: Shorts
    child_dn: Shorts
    child_plies: Shorts
    state: Words


def new_proof(goal: int, memory: int, words: int) -> Proof:
    """Return the memory of a search, of so many bytes, that knows nothing yet."""
    fitting = (memory // (WORD_BYTES * _WORDS_OF_BUCKET)).bit_length() - 1
    buckets = max(_FEWEST_BUCKETS, 1 << max(0, fitting))
    proof = Proof(
        goal=goal,
        mask=min(buckets, _FIRST_BUCKETS) - 1,
        entries=array("Words", buckets * _WORDS_OF_BUCKET),
        path=array("Words", DEEPEST * words),
        path_keys=array("Words", 2 * DEEPEST),
        child_keys=array("Words", 2 * MOST_CHILDREN),
        child_pn=array("Shorts", MOST_CHILDREN),
        child_dn=array("Shorts", MOST_CHILDREN),
        child_plies=array("Shorts", MOST_CHILDREN),
        state=array("Words", 16),
    )
    _set_limit(proof)
    return proof


def _set_limit(proof: Proof) -> None:
    """Let a search stop when half of its entries are in use, if there are more buckets."""
    is_whole = (proof.mask + 1) * _WORDS_OF_BUCKET == len(proof.entries)
    half = (proof.mask + 1) * ENTRIES_OF_BUCKET // 2
    proof.state[WIDEN_AT] = (1 << 62) if is_whole else half


def widened(proof: Proof, call: Callable[..., Any], stored: int) -> Proof:
    """Return what a search knows with so many buckets in use that `stored` entries have room."""
    most, buckets = len(proof.entries) // _WORDS_OF_BUCKET, proof.mask + 1
    while buckets < most and stored >= buckets * ENTRIES_OF_BUCKET // 2:
        buckets = min(most, _GROWTH * buckets)
    call(spread_out, proof, buckets - 1)
    proof = proof.replaced(mask=buckets - 1)
    _set_limit(proof)
    return proof


@native
def spread_out(proof: Proof, mask: int) -> int:
    """Bring each entry where it is looked for with a larger mask; return 0.

    What was not in use is empty, and each place of a bucket goes to the same place of another.
    """
    for entry in range(0, (proof.mask + 1) * _WORDS_OF_BUCKET, WORDS_OF_ENTRY):
        bucket = proof.entries[entry] & mask
        if work_of(proof, entry) > 0 and bucket > proof.mask:
            target = bucket * _WORDS_OF_BUCKET + entry % _WORDS_OF_BUCKET
            for n in range(WORDS_OF_ENTRY):
                proof.entries[target + n] = proof.entries[entry + n]
                proof.entries[entry + n] = 0
    return 0


@native
def entry_of(proof: Proof, first: int, second: int) -> int:
    """Return where the entry with these keys begins, or -1."""
    begin = (first & proof.mask) * _WORDS_OF_BUCKET
    for entry in range(begin, begin + _WORDS_OF_BUCKET, WORDS_OF_ENTRY):
        if proof.entries[entry] == first and proof.entries[entry + 1] == second:
            return entry
    return -1


@native
def remember_proof(proof: Proof, depth: int, work: int) -> None:
    """Keep what was found out of a position on the way, in place of what took the least work."""
    first, second = proof.path_keys[2 * depth], proof.path_keys[2 * depth + 1]
    entry = entry_of(proof, first, second)
    if entry >= 0:
        work += work_of(proof, entry)
    else:
        entry = (first & proof.mask) * _WORDS_OF_BUCKET
        end = entry + ENTRIES_OF_BUCKET * WORDS_OF_ENTRY
        for other in range(entry + WORDS_OF_ENTRY, end, WORDS_OF_ENTRY):
            if work_of(proof, other) < work_of(proof, entry):
                entry = other
        if work_of(proof, entry) == 0:
            proof.state[STORED] += 1
    proof.entries[entry] = first
    proof.entries[entry + 1] = second
    proof.entries[entry + 2] = proof.state[PN] | proof.state[DN] << _HALF
    proof.entries[entry + 3] = proof.state[PLIES] | min(INFINITE, work) << _HALF


@native
def work_of(proof: Proof, entry: int) -> int:
    """Return how much work the entry that begins at a word took; 0 if there is none."""
    return proof.entries[entry + 3] >> _HALF


@native
def take_entry(proof: Proof, entry: int) -> None:
    """Say what an entry has."""
    numbers = proof.entries[entry + 2]
    set_found(proof, numbers & _LOW, numbers >> _HALF, proof.entries[entry + 3] & _LOW)


@native
def set_found(proof: Proof, pn: int, dn: int, plies: int) -> None:
    """Say what was found out of a position."""
    proof.state[PN] = pn
    proof.state[DN] = dn
    proof.state[PLIES] = plies


class Packed(Record):
    """Entries of a search that are kept elsewhere: so `count` of them."""

    count: int
    entries: Words


def new_packed(count: int) -> Packed:
    """Return room for so many entries."""
    return Packed(count=count, entries=array("Words", count * WORDS_OF_ENTRY))


@native
def pack(proof: Proof, packed: Packed) -> int:
    """Copy all entries in use to where they are kept, one behind the other; return how many."""
    count, size = 0, WORDS_OF_ENTRY * WORD_BYTES
    for entry in range(0, (proof.mask + 1) * _WORDS_OF_BUCKET, WORDS_OF_ENTRY):
        if work_of(proof, entry) > 0 and count < packed.count:
            source = address(proof.entries) + entry * WORD_BYTES
            copy(address(packed.entries) + count * size, source, size)
            count += 1
    return count


@native
def unpack(proof: Proof, packed: Packed) -> int:
    """Put entries that were kept elsewhere into a search without any; return how many."""
    size = WORDS_OF_ENTRY * WORD_BYTES
    for n in range(packed.count):
        first = packed.entries[n * WORDS_OF_ENTRY]
        entry = (first & proof.mask) * _WORDS_OF_BUCKET
        end = entry + (ENTRIES_OF_BUCKET - 1) * WORDS_OF_ENTRY
        while entry < end and work_of(proof, entry) > 0:
            entry += WORDS_OF_ENTRY
        source = address(packed.entries) + n * size
        copy(address(proof.entries) + entry * WORD_BYTES, source, size)
    return packed.count


@native
def recall(proof: Proof, desk: Desk, bench: Bench) -> int:
    """Say what is remembered of the position in front of a thread; return whether it is."""
    take_least(desk, bench)
    entry = entry_of(proof, key(bench, KEY_OF_TABLES), key(bench, SECOND_KEY))
    if entry < 0:
        return 0
    take_entry(proof, entry)
    return 1
