"""The skill ladder: how many rungs there are between random moves and a long search.

In: a match of two players to begin with, and how long the longest search is. Out: the rungs. What
then holds: each rung is a player that has at least three fifths of the points against the rung
below. Designers take their number for the depth of a game; after Lantz, Isaksen, Jaffe, Nealen and
Togelius, "Depth in Strategic Games" (2017).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from gdl.data_classes import dataclass
from gdl.interpreter.matches.plan import Match
from gdl.interpreter.matches.play import Games
from gdl.interpreter.matches.rating import NORMAL_95, Standing, standings
from gdl.interpreter.search.levels import LEVELS

LOWEST = "random"
SHARE = 0.6
"""The share of points that makes a rung."""
ENOUGH_GAMES = math.ceil(SHARE * (1 - SHARE) * (NORMAL_95 / (SHARE - 0.5)) ** 2)
"""How many games of a rung tell its share from a half: the interval of that does not reach it."""


@dataclass(frozen=True)
class Rung:
    """A player, and how it stands against the rung below; None at the foot of the ladder."""

    player: str
    standing: Standing | None = None

    @property
    def text(self) -> str:
        """The share of points against the rung below, with its interval at 95 %; or nothing."""
        if self.standing is None:
            return ""
        low, high = self.standing.interval
        return f"{self.standing.score:.0%} ({low:.0%} to {high:.0%})"


def doubts(games: int) -> str:
    """Return a sentence that so many games a rung tell too little, or nothing.

    >>> doubts(20)
    '20 games a rung are too few to tell 60% from 50%: that takes 93.'
    """
    if games >= ENOUGH_GAMES:
        return ""
    told = f"{games} game{' a rung is' if games == 1 else 's a rung are'} too few"
    return f"{told} to tell {SHARE:.0%} from 50%: that takes {ENOUGH_GAMES}."


_FEWEST = 16  # iterations


def budgets() -> tuple[int, ...]:
    """Return the searches that are tried: from few iterations to those of the highest level."""
    most = LEVELS[max(LEVELS)].iterations
    found = [_FEWEST]
    while found[-1] * 2 <= most:
        found.append(found[-1] * 2)
    return tuple(found)


def ladder(match: Match, games: Games) -> Iterator[Rung]:
    """Yield the rungs from below; `match` says the game, the number of games a trial, the seed."""
    below = LOWEST
    yield Rung(below)
    for iterations in budgets():
        player = f"engine:{iterations}i"
        trial = replace(match, players=(player, below))
        played = games(trial, range(trial.games))
        standing = next(s for s in standings(trial, played) if s.name == player)
        if standing.score >= SHARE:
            yield Rung(player, standing)
            below = player
