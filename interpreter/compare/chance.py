"""Random games, played in both.

In: two games in lockstep. Out: a game that shows a difference, or how many were played. What then
holds: every other game stays together: most of its moves are near to those before, since what
rules forbid and capture is most often decided between neighbours.
"""

from __future__ import annotations

import random

from gdl.data_classes import dataclass
from interpreter.compare.lockstep import BothFail, Difference, Differs, Lockstep
from interpreter.compare.near import Near
from interpreter.verify.deadline import Deadline, TimeUp

_TOGETHER = 0.9


@dataclass(frozen=True)
class Played:
    """How many games were played, with how many moves in all."""

    difference: Difference | None
    games: int
    moves: int


def play_random(
    lockstep: Lockstep, games: int, max_plies: int, seed: int, deadline: Deadline
) -> Played:
    """Play random games until one differs, all are played, or the time is up."""
    chance = random.Random(seed)
    near = Near(lockstep.first.game.board)
    played = made = 0
    try:
        for number in range(games):
            try:
                pair = lockstep.begin()
                moves: tuple[str, ...] = ()
                met = 0
                for _ in range(max_plies):
                    deadline.check()
                    legal = lockstep.look(pair, moves)
                    if not legal:
                        break
                    if (seed + number) % 2 and chance.random() < _TOGETHER:
                        legal = near.those(legal, met) or legal
                    both = chance.choice(legal)
                    met |= near.sites(both[0].text)
                    moves = (*moves, both[0].text)
                    pair = lockstep.advance(pair, both, moves)
                    made += 1
            except BothFail:
                pass
            played += 1
    except Differs as found:
        return Played(found.difference, played + 1, made)
    except TimeUp:
        pass
    return Played(None, played, made)
