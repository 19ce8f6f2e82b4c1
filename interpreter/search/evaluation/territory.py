"""Which of two sides reaches a site first: features of a game whose pieces move over the board.

In: a game, its native code. Out: `Territory`: races of the two sides for the sites that no piece
stands on, by the moves that turns offer and by steps to neighbours. What then holds: a race is
won by who needs fewer moves, if each side went on and on alone while all else stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gdl.analysis.reach import Reach, reach_of
from gdl.core.nodes import Const, Expression, Get, Op, Program, Slot
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from gdl.interpreter.native.races import COUNTS, MOVES, Race
from gdl.interpreter.native.runtime.compiled import CompiledGame
from gdl.interpreter.search.evaluation.row_worth import in_units
from gdl.interpreter.search.machine.instructions import Record, Words, address, call, filled, native
from gdl.model import Game

BY_MOVES, BY_STEPS = "moves", "steps"
ON_TURN, PARTED = ", on turn", ", once all is parted"
MOST_COUNTS = 2 * COUNTS
"""How many numbers there may be of a position."""
SHARES = 256
"""How many parts a share is counted in."""


@dataclass(frozen=True)
class Territory:
    """The races of two sides, each by its way to go.

    Each of their numbers is told twice: as it is, and times the share of all sites that are reached
    which one side alone reaches. Where that is all of them, the board is parted, and a site more is
    worth much more than it was before.
    """

    sides: tuple[str, ...]
    ways: tuple[str, ...]
    races: tuple[Race, ...]

    @property
    def names(self) -> list[str]:
        """The names of what is told of a position, in order: of each race, twice its numbers."""
        return [name + when for way in self.ways for when in ("", PARTED) for name in self._of(way)]

    def _of(self, way: str) -> Iterator[str]:
        """Yield the names of the numbers of a race."""
        when = (f"in 1 {way[:-1]}", f"in more {way}")
        for side in self.sides:
            yield from (f"sites that {side} reaches first, {moves}" for moves in when)
        both = " and ".join(self.sides)
        yield from (f"sites that {both} reach at once, {moves}{ON_TURN}" for moves in when)
        yield from (f"sites that {side} alone reaches, by {way}" for side in self.sides)

    def told(self, counts: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return what is told of positions whose races have these numbers."""
        found: list[NDArray[np.float32]] = []
        for begin in range(0, counts.shape[1], COUNTS):
            numbers = counts[:, begin : begin + COUNTS]
            reached = np.maximum(1, numbers[:, : 3 * MOVES].sum(axis=1))
            alone = numbers[:, 3 * MOVES :].sum(axis=1)
            share = (SHARES * alone // reached).astype(np.float32) / SHARES
            found += [numbers.astype(np.float32), numbers * share[:, None]]
        return np.concatenate(found, axis=1)


def territory_of(game: Game, code: CompiledGame) -> Territory | None:
    """Return the races that there are in a game; None if there are none."""
    own = [[layer.slot for layer in game.layers if layer.side == side] for side in range(2)]
    if len(game.sides) != 2 or not all(own):
        return None
    known = code.written.layout.fields.keys()
    moves = _by_moves(game.program)
    ways, races = list[str](), list[Race]()
    for way, found in ((BY_MOVES, moves), (BY_STEPS, _by_steps(game, own, moves))):
        if found is not None and all(reach.free <= known for reach in found):
            ways.append(way)
            races.append(Race(*found, _without(game, (*own[0], *own[1]))))
    return Territory(tuple(game.sides), tuple(ways), tuple(races)) if races else None


def _by_moves(program: Program) -> tuple[Reach, Reach] | None:
    """Return where the moves of both sides lead, in the first phase that tells."""
    for phase in program.phases:
        one, other = (reach_of(turn.program) for turn in phase.turns)
        if one is not None and other is not None and one.start != other.start:
            return one, other
    return None


def _by_steps(
    game: Game, own: Sequence[Sequence[Slot]], moves: tuple[Reach, Reach] | None
) -> tuple[Reach, Reach] | None:
    """Return where pieces come that step to neighbours which some move leads to.

    If moves do not tell, they step to those on which no piece stands.
    """
    adjacent = game.relations.get("adjacent")
    if adjacent is None:
        return None
    frontier = Slot("frontier", SITES)
    image = Op("image", (Get(frontier),), SITES, adjacent)
    empty = _without(game, [layer.slot for layer in game.layers])
    into = (
        [empty, empty] if moves is None else [reach.from_all_of(game.board.size) for reach in moves]
    )
    steps = (Op("intersection", (image, open_), SITES) for open_ in into)
    one, other = (Reach(_union(o), frontier, step) for o, step in zip(own, steps, strict=True))
    return one, other


def _without(game: Game, slots: Sequence[Slot]) -> Expression:
    everywhere = Const((1 << game.board.size) - 1, SITES)
    return Op("difference", (everywhere, _union(slots)), SITES)


def _union(slots: Sequence[Slot]) -> Expression:
    sets = tuple(map(Get, slots))
    return sets[0] if len(sets) == 1 else Op("union", sets, SITES)


# ------------------------------------------------------------ what it is worth to reach sites first

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
    units = [(name.removesuffix(PARTED), in_units(each.get(name, 0.0))) for name in territory.names]
    return TerritoryTable(
        run=run,
        races=len(territory.races),
        worth=filled("Words", [0 if name.endswith(ON_TURN) else one for name, one in units]),
        turns=filled("Words", [one if name.endswith(ON_TURN) else 0 for name, one in units]),
    )
