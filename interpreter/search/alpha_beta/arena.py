"""The memory of alpha-beta: positions on a way and those that follow them.

In: how much memory there is. Out: a `Walk`, all of whose arrays have a fixed size. What then holds:
the positions after one stand behind one another, and those of deeper plies behind these.
"""

from __future__ import annotations

from gdl.interpreter.native.memory import context as c
from gdl.interpreter.search.evaluation.row_worth import HELD
from gdl.interpreter.search.machine.instructions import Bytes, Record, Shorts, Signs, Words, array

LOST, DRAWN, WON, OPEN = range(4)
"""What a game that is over is worth for the first seat; OPEN, if it goes on."""
MOST_PLIES = 160
"""How many moves from the root a way may go."""
JUDGED, LIMIT, ABORTED, WHOLE, BROKE_AT, CHANGES, FORCING, CHANGE, UNQUIET, FORCED = range(10)
TOLD, MORE = 10, 11
"""Fields of `Walk.state`: how many positions were judged, and how many may be; whether the search
is given up; whether what was found last rests on ends of games alone; after how many moves a call
failed; of all moves seen: how many, how many forcing, how much they changed what a position is
worth; of positions with forcing moves: how many, and in how many there was no other; the two words
that were found last in the table."""
HISTORY_BITS = 13
"""How many groups of moves history tells apart for each seat, as a power of two."""
_STATE = 16
_MOST_RECORDS = 1 << 20
_OF_RECORD = 44
"""How many bytes a record takes in other arrays."""


class Walk(Record):
    """The arena, and what is known of its positions.

    A position takes a record of `size` words, of which the one at `name_at` is a number for the
    move that led there, and from `keys_at` on stands what is remembered of it; there are so many
    `records`. `words` and `bytes` are the same memory.

    Of each ply: `begins`, its first record; `counts`, how many there are; `path`, the record that
    the way goes on from; `keys`, two words by which that position is known; `killers`, two moves
    that were good here.
    Of each record: `seats`, who decides; `results`, how the game is over; `sums`, the worth of what
    stands there to the first side, and `turns` to the side on turn; `values`, all of it for the
    first seat, with who is on turn; `is_forcing`, of its move; `pasts`, a number for all that is
    remembered; `priorities`, how soon it is to be tried.

    `history` has how often moves were good, a number for each of many groups of moves; in `held`
    sets are put together (see `row_worth`). With `prunes`, the search leaves out what is unlikely
    to matter.
    """

    size: int
    records: int
    name_at: int
    keys_at: int
    words: Words
    bytes: Bytes
    begins: Shorts
    counts: Shorts
    path: Shorts
    keys: Words
    killers: Words
    seats: Signs
    results: Signs
    sums: Shorts
    turns: Shorts
    values: Shorts
    is_forcing: Signs
    pasts: Words
    priorities: Words
    history: Shorts
    held: Words
    prunes: bool
    state: Words


def new_walk(memory: int, frame_bytes: int, record_bytes: int, *, prunes: bool) -> Walk:
    """Return an empty arena of so many bytes, of records whose frame takes so many."""
    size = record_bytes // 8
    records = max(64, min(memory // (record_bytes + _OF_RECORD), _MOST_RECORDS))
    words: memoryview[int] = array("Words", records * size)
    return Walk(
        size=size,
        records=records,
        name_at=frame_bytes // 8,
        keys_at=(frame_bytes + c.FOLLOWER_HEAD) // 8,
        words=words,
        bytes=words.cast("B"),
        begins=array("Shorts", MOST_PLIES + 2),
        counts=array("Shorts", MOST_PLIES + 2),
        path=array("Shorts", MOST_PLIES + 2),
        keys=array("Words", 2 * (MOST_PLIES + 2)),
        killers=array("Words", 2 * (MOST_PLIES + 2)),
        seats=array("Signs", records),
        results=array("Signs", records),
        sums=array("Shorts", records),
        turns=array("Shorts", records),
        values=array("Shorts", records),
        is_forcing=array("Signs", records),
        pasts=array("Words", records),
        priorities=array("Words", records),
        history=array("Shorts", 2 << HISTORY_BITS),
        held=array("Words", HELD * size),
        prunes=prunes,
        state=array("Words", _STATE),
    )
