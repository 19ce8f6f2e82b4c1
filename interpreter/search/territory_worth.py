"""What it is worth to reach sites first.

In: a `Territory`, and what its numbers are worth. Out: a `TerritoryTable`, by which compiled
functions find what the races of a position are worth. What then holds: where nothing is told of
them, they are not run.
"""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.native.races import COUNTS, MOVES
from interpreter.search.instructions import Record, Words, address, call, filled, native
from interpreter.search.row_worth import UNITS
from interpreter.search.territory import ON_TURN, PARTED, SHARES, Territory

_MOST_UNITS = 1 << 16
_REACHED = 3 * MOVES
_SHARE_BITS = SHARES.bit_length() - 1


class TerritoryTable(Record):
    """What the numbers of a game's races are worth to the first side, in units.

    The function at the address `run` puts the numbers of so many `races` into memory; without such
    (0), there is nothing to be counted. `worth` has what each is worth, those of each race twice
    (see `territory`), `turns` what to the side on turn.
    """

    run: int
    races: int
    worth: Words
    turns: Words


@native
def territory_worth(
    table: TerritoryTable, position: int, world: Words, counts: Words, is_first: bool
) -> int:
    """Return what the races are worth in the position that stands at an address.

    The first side is on turn there, or not; there is room for numbers in `counts`.
    """
    call(table.run, position, address(world), address(counts))
    found = 0
    for race in range(table.races):
        begin, reached, alone = race * COUNTS, 0, 0
        for n in range(begin, begin + _REACHED):
            reached += counts[n]
        for n in range(begin + _REACHED, begin + COUNTS):
            alone += counts[n]
        share = SHARES * alone // max(1, reached)
        for n in range(begin, begin + COUNTS):
            place = n + begin
            worth = table.worth[place] * SHARES + table.worth[place + COUNTS] * share
            turns = table.turns[place] * SHARES + table.turns[place + COUNTS] * share
            found += counts[n] * (worth + turns if is_first else worth - turns)
    return found >> _SHARE_BITS


def no_territory() -> TerritoryTable:
    """Return what stands for no races."""
    return TerritoryTable(run=0, races=0, worth=filled("Words", []), turns=filled("Words", []))


def territory_table(territory: Territory, each: Mapping[str, float], run: int) -> TerritoryTable:
    """Return the table of what races are worth, by the names of what is told of them.

    The function that runs them stands at an address.
    """
    units = [(name.removesuffix(PARTED), _units(each.get(name, 0.0))) for name in territory.names]
    return TerritoryTable(
        run=run,
        races=len(territory.races),
        worth=filled("Words", [0 if name.endswith(ON_TURN) else one for name, one in units]),
        turns=filled("Words", [one if name.endswith(ON_TURN) else 0 for name, one in units]),
    )


def _units(worth: float) -> int:
    return max(-_MOST_UNITS, min(_MOST_UNITS, round(UNITS * worth)))
