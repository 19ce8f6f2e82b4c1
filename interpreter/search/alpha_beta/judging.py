"""What a position is worth at first sight, in whole numbers.

In: what the features of a game are worth. Out: a `Judge`, which works out the worth of a position,
or how it differs from that of another. What then holds: the same position has the same worth, on
whatever way it was reached, but for the mobility that its moves are counted by (see `walk`).

A worth is a thousandth of the logarithm of the first side's odds (see `worth`); where nothing is
known, all positions are worth the same.
"""

from __future__ import annotations

from gdl.interpreter.search.alpha_beta.arena import Walk
from gdl.interpreter.search.evaluation.estimate import BYTE_VALUES, Estimate
from gdl.interpreter.search.evaluation.row_worth import UNITS, RowTable
from gdl.interpreter.search.machine.instructions import (
    Record,
    Shorts,
    Words,
    array,
    native,
    ones,
)

_NONE = -1
_MOST = 1 << 16
"""What a byte may be worth, so that sums stay far below what is known to be won."""


class Judge(Record):
    """What bytes of a position are worth.

    A position has so many `words`, of which `masks` has the bits by which positions are told apart.
    `tables` has for each byte the number of its table or -1, `worth` the tables; `kinds` for each
    word the number of the kind of pieces whose sites it has, or -1. Open `rows` count, too,
    if it `has_rows`. Who is on turn gains `on_turn`; `even` is there always.
    """

    words: int
    masks: Words
    tables: Shorts
    worth: Shorts
    kinds: Shorts
    rows: RowTable
    has_rows: bool
    on_turn: int
    even: int
    mobility: int


def new_judge(estimate: Estimate, masks: memoryview, kinds: memoryview) -> Judge:
    """Return what judges by an estimate positions whose words have these masks and kinds."""
    words = len(masks)
    tables: memoryview[int] = array("Shorts", 8 * words)
    for place in range(8 * words):
        tables[place] = _NONE
    worth: memoryview[int] = array("Shorts", estimate.bytes * BYTE_VALUES)
    for n in range(estimate.bytes):
        tables[estimate.places[n]] = n
        for value in range(BYTE_VALUES):
            units = round(UNITS * estimate.worth[n * BYTE_VALUES + value])
            worth[n * BYTE_VALUES + value] = max(-_MOST, min(_MOST, units))
    return Judge(
        words=words,
        masks=masks,
        tables=tables,
        worth=worth,
        kinds=kinds,
        rows=estimate.rows,
        has_rows=estimate.rows.groups > 0,
        on_turn=round(UNITS * estimate.on_turn),
        even=round(UNITS * estimate.even),
        mobility=round(UNITS * estimate.mobility),
    )


@native
def whole_worth(judge: Judge, walk: Walk, begin: int) -> int:
    """Return what stands in the position that begins at a word is worth, but for rows."""
    found = 0
    for place in range(8 * judge.words):
        table = judge.tables[place]
        if table >= 0:
            found += judge.worth[table * 256 + walk.bytes[8 * begin + place]]
    return found


@native
def changed_worth(judge: Judge, walk: Walk, before: int, begin: int) -> int:
    """Return by how much a position is worth more than the one before, but for rows."""
    found = 0
    for n in range(judge.words):
        if walk.words[before + n] != walk.words[begin + n]:
            for place in range(8 * n, 8 * n + 8):
                table = judge.tables[place]
                if table >= 0:
                    found += judge.worth[table * 256 + walk.bytes[8 * begin + place]]
                    found -= judge.worth[table * 256 + walk.bytes[8 * before + place]]
    return found


@native
def is_loss(judge: Judge, walk: Walk, before: int, begin: int) -> bool:
    """Return whether there are fewer pieces of some kind than there were before."""
    kind, more = -1, 0
    for n in range(judge.words):
        if judge.kinds[n] != kind:
            if more < 0 and kind >= 0:
                return True
            kind, more = judge.kinds[n], 0
        if walk.words[before + n] != walk.words[begin + n]:
            more += ones(walk.words[begin + n]) - ones(walk.words[before + n])
    return more < 0 and kind >= 0
