"""Random games, played in both.

In: two games side by side. Out: a game that shows a difference, or how many were played. What then
holds: every other game stays together: most of its moves are near to those before, since what
rules forbid and capture is most often decided between neighbours.
"""

from __future__ import annotations

import random

from gdl.data_classes import dataclass
from interpreter.compare.near import Near
from interpreter.compare.two_games import BothFail, RulesDiffer, RulesDifference, TwoGames
from interpreter.verify.deadline import Deadline, TimeUp

_TOGETHER = 0.9


@dataclass(frozen=True)
class Played:
    """How many games were played, with how many moves in all.

    `finished` of them came to an end, `cut` were left where they had as many moves as a game may
    have. `in_time`: it was not the time that ended it; moves of the game that it stopped count.
    """

    difference: RulesDifference | None
    games: int
    moves: int
    finished: int = 0
    cut: int = 0
    in_time: bool = True


def play_random(
    two_games: TwoGames, games: int, max_plies: int, seed: int, deadline: Deadline
) -> Played:
    """Play random games until one differs, all are played, or the time is up."""
    chance = random.Random(seed)
    near = Near(two_games.first.game.board)
    played = made = finished = cut = 0
    try:
        for number in range(games):
            try:
                pair = two_games.begin()
                moves: tuple[str, ...] = ()
                met = 0
                for _ in range(max_plies):
                    deadline.check()
                    legal = two_games.look(pair, moves)
                    if not legal:
                        finished += 1
                        break
                    if (seed + number) % 2 and chance.random() < _TOGETHER:
                        legal = near.those(legal, met) or legal
                    both = chance.choice(legal)
                    met |= near.sites(both[0].text)
                    moves = (*moves, both[0].text)
                    pair = two_games.advance(pair, both, moves)
                    made += 1
                else:
                    cut += 1
            except BothFail:
                pass
            played += 1
    except RulesDiffer as found:
        return Played(found.difference, played + 1, made, finished, cut)
    except TimeUp:
        return Played(None, played, made, finished, cut, in_time=False)
    return Played(None, played, made, finished, cut)
