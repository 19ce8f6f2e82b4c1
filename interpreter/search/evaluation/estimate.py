"""What a position is worth without a search: a sum of numbers, one for each byte of the position.

In: the position in front of a thread. Out: its value for each seat. What then holds: a position's
value lies between 0 and 1, and those of the two seats add up to 1; the same bytes have the same
value.

A set of sites is a bit for each site, so a byte of it stands for eight sites, and one number for
each of its 256 values is all that any worth of pieces on squares comes to.
"""

from __future__ import annotations

from math import exp

from gdl.interpreter.search.evaluation.outlook import OutlookTable, no_outlook, outlook_worth
from gdl.interpreter.search.evaluation.row_worth import (
    UNITS,
    RowTable,
    of_turn,
    row_table,
    rows_worth,
    without_turn,
)
from gdl.interpreter.search.evaluation.territory import (
    TerritoryTable,
    no_territory,
    territory_worth,
)
from gdl.interpreter.search.machine.instructions import (
    Floats,
    Record,
    Words,
    address,
    array,
    native,
)
from gdl.interpreter.search.memory.positions import Desk, Fields, field_value, seat_of

BYTE_VALUES = 256
MOST_AT_ROOT = 1.5
"""What the outlook at the root counts for at most, so that what is better still can be seen."""


class Estimate(Record):
    """What the bytes of a position are worth to the first side, as the logarithm of its odds.

    There are `bytes` of them, at these `places` of a position; `worth` has so many numbers for
    each as a byte has values. What open `rows`, `territory` and the `outlook` are worth is added;
    where none is anything, it does not judge (`judges`). Who is on turn gains `on_turn`;
    `even` is what is worth something always. Alpha-beta adds `mobility` for each move that a side
    had more than the other when it was last on turn. Before a position is looked at, a random game
    goes on for so many `plies`.
    """

    judges: bool
    bytes: int
    places: Words
    worth: Floats
    rows: RowTable
    territory: TerritoryTable
    outlook: OutlookTable
    on_turn: float
    even: float
    mobility: float
    plies: int


def no_estimate() -> Estimate:
    """Return what stands for no estimate: random games are played to their ends."""
    return Estimate(
        judges=False,
        bytes=0,
        places=array("Words", 0),
        worth=array("Floats", 0),
        rows=row_table((), {}, {}, ()),
        territory=no_territory(),
        outlook=no_outlook(),
        on_turn=0.0,
        even=0.0,
        mobility=0.0,
        plies=0,
    )


@native
def estimate_values(desk: Desk, fields: Fields, estimate: Estimate) -> None:
    """Put what the thread's position is worth into its values: for each of two seats."""
    found = estimate.even
    for n in range(estimate.bytes):
        found += estimate.worth[n * BYTE_VALUES + desk.position[estimate.places[n]]]
    rows = rows_worth(estimate.rows, desk.words, 0, desk.held)
    found += without_turn(rows) / UNITS
    on_turn = estimate.on_turn + of_turn(rows) / UNITS
    is_first = field_value(desk, fields.mover, fields.mover_size) == 0
    if is_first:
        found += on_turn
    else:
        found -= on_turn
    if estimate.territory.run != 0:
        position = address(desk.position)
        raced = territory_worth(estimate.territory, position, desk.world, desk.counts, is_first)
        found += raced / UNITS
    if estimate.outlook.run != 0:
        position = address(desk.position)
        promised = outlook_worth(estimate.outlook, position, desk.world, desk.counts)
        found += promised - desk.base[0] + max(0.0 - MOST_AT_ROOT, min(MOST_AT_ROOT, desk.base[0]))
    value = 1.0 / (1.0 + exp(0.0 - found))
    first = seat_of(desk, fields, 0)
    desk.values[first] = value
    desk.values[1 - first] = 1.0 - value
