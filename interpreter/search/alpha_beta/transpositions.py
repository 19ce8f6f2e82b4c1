"""What is remembered of positions that were searched: a table of limited size.

In: positions by two words each, and what was found out. Out: the same, if the position comes again
before another took its place. What then holds: what took the least search, in the oldest search,
is forgotten first. Of its memory, no more is used than the search has need of: what was never used
has to be brought by the system first, and what is far apart is slow to read.

Several threads may share a table, and none waits for another: an entry that two have written at
once is that of no position, since its first words are mixed with its last (R. Hyatt and T. Mann, "A
lock-less transposition-table implementation for parallel search", 2002).

Positions are known by words mixed of all that is in them (A. Zobrist, "A new hashing method with
application for game playing", 1970). What the best move was is worth most when a search is made
again, a ply deeper (R. Korf, "Depth-first iterative-deepening", 1985).
"""

from __future__ import annotations

from gdl.interpreter.search.alpha_beta.arena import MORE, TOLD, Walk
from gdl.interpreter.search.machine.compiled import Compiled
from gdl.interpreter.search.machine.instructions import Record, Words, array, native

LEAST, MOST, EXACT = 1, 2, 3
"""What a value is that was found: at least this, at most this, or both."""
WORDS_OF_ENTRY = 4
_ENTRIES_OF_BUCKET = 4
_WORDS_OF_BUCKET = WORDS_OF_ENTRY * _ENTRIES_OF_BUCKET
_BIAS = 1 << 24
_VALUE_BITS, _DEPTH_BITS = 26, 8
_FACTOR = -0x61C8864680B583EB
_HALF = 32
_LOW = (1 << _HALF) - 1
_FIRST_BUCKETS = 1 << 10
_FULLEST = 0.5
"""Which part of the entries in use have something when more come into use."""
_GROWTH = 4
DEEPEST = 250
"""The depth of an entry that rests on ends of games alone; a search goes less deep."""


class TranspositionTable(Record):
    """Entries, in `mask` + 1 buckets of those that there are; `age` has the number of the search
    under way, `filled` how many entries have something.

    An entry: the two words of its position, each mixed with what follows; the value, with how deep
    it was searched, what it is and its age; the number of the best move and a number for all that
    was remembered of the game.
    """

    mask: int
    entries: Words
    age: Words
    filled: Words


def new_table(memory: int) -> TranspositionTable:
    """Return an empty table of so many bytes; of memory that is never used, nothing is taken."""
    buckets = 1 << max(8, (memory // (8 * _WORDS_OF_BUCKET)).bit_length() - 1)
    return TranspositionTable(
        mask=min(buckets, _FIRST_BUCKETS) - 1,
        entries=array("Words", buckets * _WORDS_OF_BUCKET),
        age=array("Words", 1),
        filled=array("Words", 1),
    )


def widened(table: TranspositionTable, compiled: Compiled) -> TranspositionTable:
    """Return the table with more buckets in use, if there are more and those in use are full.

    Of what another thread remembers meanwhile, some is forgotten.
    """
    most, used = len(table.entries) // _WORDS_OF_BUCKET, table.mask + 1
    if used == most or table.filled[0] < _FULLEST * _ENTRIES_OF_BUCKET * used:
        return table
    mask = min(most, _GROWTH * used) - 1
    compiled(spread_out, table, mask)
    return table.replaced(mask=mask)


@native
def spread_out(table: TranspositionTable, mask: int) -> int:
    """Bring each entry where it is looked for with a larger mask; return 0.

    What was not in use is empty, and each place of a bucket goes to the same place of another.
    """
    for entry in range(0, (table.mask + 1) * _WORDS_OF_BUCKET, WORDS_OF_ENTRY):
        told, more = table.entries[entry + 2], table.entries[entry + 3]
        bucket = (table.entries[entry] ^ _mixed(told, more)) & mask
        if told != 0 and bucket > table.mask:
            target = bucket * _WORDS_OF_BUCKET + entry % _WORDS_OF_BUCKET
            for n in range(WORDS_OF_ENTRY):
                table.entries[target + n] = table.entries[entry + n]
                table.entries[entry + n] = 0
    return 0


@native
def _mixed(told: int, more: int) -> int:
    """Return a word that both words depend on which tell what was found out."""
    return told ^ more * _FACTOR


@native
def _entry_of(table: TranspositionTable, first: int, second: int) -> int:
    """Return where the entry of a position begins, or -1."""
    begin = (first & table.mask) * _WORDS_OF_BUCKET
    for entry in range(begin, begin + _WORDS_OF_BUCKET, WORDS_OF_ENTRY):
        mixed = _mixed(table.entries[entry + 2], table.entries[entry + 3])
        is_first = table.entries[entry] ^ mixed == first
        if is_first and table.entries[entry + 1] ^ mixed == second:
            return entry
    return -1


@native
def look_up(walk: Walk, table: TranspositionTable, first: int, second: int) -> bool:
    """Put what is remembered of a position into the `state` of a walk; return whether it is any."""
    begin = (first & table.mask) * _WORDS_OF_BUCKET
    for entry in range(begin, begin + _WORDS_OF_BUCKET, WORDS_OF_ENTRY):
        told, more = table.entries[entry + 2], table.entries[entry + 3]
        mixed = _mixed(told, more)
        is_first = table.entries[entry] ^ mixed == first
        if is_first and table.entries[entry + 1] ^ mixed == second:
            walk.state[TOLD], walk.state[MORE] = told, more
            return True
    return False


@native
def value_in(told: int) -> int:
    """Return the value of an entry."""
    return (told & ((1 << _VALUE_BITS) - 1)) - _BIAS


@native
def depth_in(told: int) -> int:
    """Return how deep the search was that an entry tells of; DEEPEST if it came to all ends."""
    return told >> _VALUE_BITS & ((1 << _DEPTH_BITS) - 1)


@native
def kind_in(told: int) -> int:
    """Return whether the value of an entry is the LEAST, the MOST or EXACT."""
    return told >> (_VALUE_BITS + _DEPTH_BITS) & 3


@native
def _age_in(told: int) -> int:
    return told >> (_VALUE_BITS + _DEPTH_BITS + 2)


@native
def move_in(more: int) -> int:
    """Return the number of the best move of an entry."""
    return more & _LOW


@native
def is_of_past(more: int, past: int) -> bool:
    """Return whether the same was remembered of the game when an entry was made."""
    return (more >> _HALF & _LOW) == (past & _LOW)


@native
def remember(
    table: TranspositionTable,
    first: int,
    second: int,
    value: int,
    depth: int,
    kind: int,
    move: int,
    past: int,
) -> None:
    """Keep what was found out of a position."""
    entry = _entry_of(table, first, second)
    if entry < 0:
        begin = (first & table.mask) * _WORDS_OF_BUCKET
        entry = begin
        least = DEEPEST * 4
        for other in range(begin, begin + _WORDS_OF_BUCKET, WORDS_OF_ENTRY):
            kept = depth_in(table.entries[other + 2])
            if _age_in(table.entries[other + 2]) == table.age[0]:
                kept += DEEPEST + 1
            if kept < least:
                least = kept
                entry = other
        if table.entries[entry + 2] == 0:
            table.filled[0] += 1
    told = value + _BIAS | depth << _VALUE_BITS | kind << (_VALUE_BITS + _DEPTH_BITS)
    told = told | table.age[0] << (_VALUE_BITS + _DEPTH_BITS + 2)
    more = move | (past & _LOW) << _HALF
    mixed = _mixed(told, more)
    table.entries[entry] = first ^ mixed
    table.entries[entry + 1] = second ^ mixed
    table.entries[entry + 2] = told
    table.entries[entry + 3] = more
