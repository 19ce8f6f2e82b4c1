"""Random games, and a position of each: compiled, as the search is.

In: a first position, a game's code. Out: positions, and how their games went. What then holds: each
position comes from a game of its own.
"""

from __future__ import annotations

from interpreter.native.memory import world as w
from interpreter.search.instructions import (
    Bytes,
    Doubles,
    Record,
    Words,
    address,
    array,
    call,
    copy,
    native,
)
from interpreter.search.positions import (
    Desk,
    Fields,
    GameFunctions,
    below,
    field_value,
    is_stopped,
    prepare,
)

_ERROR = w.ERROR // 8


class Sampling(Record):
    """What games are sampled: they begin at `start`, a position's bytes.

    A game goes on for less than `longest` plies until its position is kept, and then for `plies` at
    most. `used` has how many are kept; `positions` their bytes, `scores` those of the first side.
    """

    start: Bytes
    longest: int
    plies: int
    used: Words
    positions: Bytes
    scores: Doubles


def new_sampling(start: bytes, most: int, longest: int, plies: int) -> Sampling:
    """Return room for so many positions."""
    begin: memoryview[int] = array("Bytes", len(start))
    begin[: len(start)] = start
    return Sampling(
        start=begin,
        longest=longest,
        plies=plies,
        used=array("Words", 1),
        positions=array("Bytes", most * len(start)),
        scores=array("Doubles", most),
    )


@native
def sample_games(
    sampling: Sampling, desk: Desk, code: GameFunctions, fields: Fields, games: int
) -> int:
    """Play so many games and keep a position of each that has one; return how many were played."""
    for n in range(games):
        if is_stopped(desk):
            return n
        copy(address(desk.position), address(sampling.start), fields.bytes)
        if _plays_on(desk, code, below(desk, sampling.longest)):
            return n
        if field_value(desk, fields.ended, 4) == 0:
            kept = sampling.used[0]
            target = address(sampling.positions) + kept * fields.bytes
            copy(target, address(desk.position), fields.bytes)
            if _plays_on(desk, code, sampling.plies):
                return n
            sampling.scores[kept] = _score(desk, fields)
            sampling.used[0] = kept + 1
    return games


@native
def _plays_on(desk: Desk, code: GameFunctions, plies: int) -> bool:
    """Go on at random for so many plies; return whether that has failed."""
    if plies > 0:
        prepare(desk, code)
        position, world = address(desk.position), address(desk.world)
        call(code.playout, position, world, address(desk.random), plies)
    return desk.world[_ERROR] != 0


@native
def _score(desk: Desk, fields: Fields) -> float:
    """Return the score of the first of two sides; a game without an end is a draw."""
    winners = field_value(desk, fields.winners, 4)
    if field_value(desk, fields.ended, 4) == 0 or winners == 0 or winners == 3:
        return 0.5
    return 1.0 if winners == 1 else 0.0
