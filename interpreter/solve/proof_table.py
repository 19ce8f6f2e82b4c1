"""What a search for a proof knows: of the positions on its way, and of those it has come to.

In: a position by its keys of 128 bits, and what was found out of it. Out: the same, as long as it
is remembered. What then holds: where there is no room, what took the least work is forgotten.
"""

from __future__ import annotations

from interpreter.search.instructions import Record, Shorts, Words, address, array, copy, native
from interpreter.search.positions import Desk
from interpreter.solve.bench import WORD_BYTES, Bench
from interpreter.solve.images import KEY_OF_TABLES, SECOND_KEY, key, take_least

NODES, PN, DN, PLIES, ABORTED, REPEATED, DRAWS, ARENA, BROKE, STORED = range(10)
NEXT_ONE = 10
"""Fields of `Proof.state`: how many positions were gone on from; what was found out of the last
one; whether the search is given up for now; whether a position came again; whether a draw was met;
how many children are kept; whether a call failed; how many entries are in use; how hard the child
is that comes after the best."""
ENTRIES_OF_BUCKET = 4
WORDS_OF_ENTRY = 4
"""An entry: its keys; the proof number and, above, the disproof number; plies and, above, work."""
_HALF = 32
_LOW = (1 << _HALF) - 1
INFINITE = 1 << 28
DEEPEST, MOST_CHILDREN = 1000, 1 << 21
"""How long a way may be; how many children the positions on it may have in all."""


class Proof(Record):
    """What a search for a win of the seat `goal` knows.

    `entries` are what is remembered of positions, in `mask` + 1 buckets: the proof and disproof
    numbers, in how many plies the game ends at most if one of them is 0, how much work it took. Of
    each position on the way: `path` has its words, `path_keys` its keys; `child_…` have the same of
    the children of all of these. `state` has the fields above.
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
    buckets = 1 << max(
        10, (memory // (WORD_BYTES * WORDS_OF_ENTRY * ENTRIES_OF_BUCKET)).bit_length() - 1
    )
    return Proof(
        goal=goal,
        mask=buckets - 1,
        entries=array("Words", buckets * ENTRIES_OF_BUCKET * WORDS_OF_ENTRY),
        path=array("Words", DEEPEST * words),
        path_keys=array("Words", 2 * DEEPEST),
        child_keys=array("Words", 2 * MOST_CHILDREN),
        child_pn=array("Shorts", MOST_CHILDREN),
        child_dn=array("Shorts", MOST_CHILDREN),
        child_plies=array("Shorts", MOST_CHILDREN),
        state=array("Words", 16),
    )


@native
def entry_of(proof: Proof, first: int, second: int) -> int:
    """Return where the entry with these keys begins, or -1."""
    begin = (first & proof.mask) * (ENTRIES_OF_BUCKET * WORDS_OF_ENTRY)
    for entry in range(begin, begin + ENTRIES_OF_BUCKET * WORDS_OF_ENTRY, WORDS_OF_ENTRY):
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
        entry = (first & proof.mask) * (ENTRIES_OF_BUCKET * WORDS_OF_ENTRY)
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
    for entry in range(0, (proof.mask + 1) * (ENTRIES_OF_BUCKET * WORDS_OF_ENTRY), WORDS_OF_ENTRY):
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
        entry = (first & proof.mask) * (ENTRIES_OF_BUCKET * WORDS_OF_ENTRY)
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
