"""The skill ladder: how many rungs there are between random moves and a long search.

In: a match of two players to begin with, and how long the longest search is. Out: the rungs. What
then holds: each rung is a player that has at least three fifths of the points against the rung
below. Designers take their number for the depth of a game; after Lantz, Isaksen, Jaffe, Nealen and
Togelius, "Depth in Strategic Games" (2017).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from interpreter.matches.plan import Match
from interpreter.matches.play import Games
from interpreter.matches.rating import Standing, standings
from interpreter.search.levels import LEVELS

LOWEST = "random"
SHARE = 0.6
"""The share of points that makes a rung."""
_FEWEST_ITERATIONS = 16


@dataclass(frozen=True)
class Rung:
    """A player, and how it stands against the rung below; None at the foot of the ladder."""

    player: str
    standing: Standing | None = None


def budgets() -> tuple[int, ...]:
    """Return the searches that are tried: from few iterations to those of the highest level."""
    most = LEVELS[max(LEVELS)].iterations
    found = [_FEWEST_ITERATIONS]
    while found[-1] * 2 <= most:
        found.append(found[-1] * 2)
    return tuple(found)


def ladder(match: Match, games: Games) -> Iterator[Rung]:
    """Yield the rungs from below; `match` says the game, the number of games a trial, the seed."""
    below = LOWEST
    yield Rung(below)
    for iterations in budgets():
        player = f"engine:{iterations}"
        trial = replace(match, players=(player, below))
        played = games(trial, range(trial.games))
        standing = next(s for s in standings(trial, played) if s.name == player)
        if standing.score >= SHARE:
            yield Rung(player, standing)
            below = player
