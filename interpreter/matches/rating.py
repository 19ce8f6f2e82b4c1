"""How players of a match stand: points, intervals, Elo.

In: the games. Out: a `Standing` a player, from best to worst. What then holds: intervals are those
of a mean of independent results, at 95 %.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from gdl.data_classes import dataclass
from gdl.interpreter.matches.plan import Match, Played

NORMAL_95 = 1.959964
_ELO_SCALE = 400.0
MOST_ELO = 1200.0


@dataclass(frozen=True)
class Standing:
    """What a player has reached: its games, and its mean points with an interval.

    `fair` is the mean that equal players have, 0.5 where there are two seats. `elo` is the
    difference from the mean of its opponents that explains the points (Bradley and Terry's model),
    None where more than two play at once. `payoff` is the mean of what the games were worth to it,
    None where the rules say nothing of that.
    """

    name: str
    wins: int
    draws: int
    losses: int
    score: float
    interval: tuple[float, float]
    elo: float | None
    elo_interval: tuple[float, float] | None
    payoff: float | None = None

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "name": self.name,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": self.score,
            "interval": list(self.interval),
            "elo": self.elo,
            "elo_interval": None if self.elo_interval is None else list(self.elo_interval),
            **({} if self.payoff is None else {"payoff": self.payoff}),
        }


def standings(match: Match, games: Iterable[Played]) -> tuple[Standing, ...]:
    """Return how the players stand, from the most points a game to the fewest.

    Those who have not played yet come last.
    """
    results: list[list[float]] = [[] for _ in match.players]
    paid: list[list[float]] = [[] for _ in match.players]
    draws = [0] * len(match.players)
    for game in games:
        for who, own in zip(game.seats, game.points, strict=True):
            results[who].append(own)
            draws[who] += game.is_drawn
        for who, payoff in zip(game.seats, game.payoffs, strict=False):
            paid[who].append(payoff)
    two = match.seats == 2
    found = [
        replace(_standing(name, own, drawn, two), payoff=fmean(payoffs) if payoffs else None)
        for name, own, drawn, payoffs in zip(match.players, results, draws, paid, strict=True)
    ]
    return tuple(sorted(found, key=lambda standing: (not standing.games, -standing.score)))


def _standing(name: str, results: Sequence[float], draws: int, two: bool) -> Standing:
    score, error = _mean(results)
    wins = sum(points > 0 for points in results) - draws
    interval = max(0.0, score - error), min(1.0, score + error)
    return Standing(
        name,
        wins,
        draws,
        len(results) - wins - draws,
        score,
        interval,
        elo(score) if two and results else None,
        (elo(interval[0]), elo(interval[1])) if two and results else None,
    )


def _mean(results: Sequence[float]) -> tuple[float, float]:
    """Return the mean of results, and half the width of its interval.

    The variance is that of a sample with two results more, one of each kind: it is not nothing
    where all results are equal (after Agresti and Coull, The American Statistician 52, 1998).
    """
    if not results:
        return 0.5, 0.5
    mean = sum(results) / len(results)
    more = [*results, 0.0, 1.0]
    middle = sum(more) / len(more)
    variance = sum((result - middle) ** 2 for result in more) / len(more)
    return mean, NORMAL_95 * math.sqrt(variance / len(results))


def elo(score: float) -> float:
    """Return the difference in strength at which a score is expected, within bounds.

    >>> elo(0.5), round(elo(0.75)), elo(1.0)
    (0.0, 191, 1200.0)
    """
    if not 0 < score < 1:
        return math.copysign(MOST_ELO, score - 0.5)
    found = _ELO_SCALE * math.log10(score / (1 - score))
    return max(-MOST_ELO, min(MOST_ELO, found))


def expected(difference: float) -> float:
    """Return the score that is expected of a difference in strength.

    >>> expected(0), round(expected(191), 2)
    (0.5, 0.75)
    """
    return 1 / (1 + 10 ** (-difference / _ELO_SCALE))
