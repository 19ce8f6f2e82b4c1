"""What first moves are worth, and how fair a pie rule would make the game.

In: an evaluator, and seconds. Out: the value of each first move, by random games after it. What
then holds: a value is the first seat's share of points, a draw counts half.

With a pie rule the second player may take over the first move, so the first chooses the one that is
closest to even: what is left of its advantage is how far that is from a half.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.data_classes import dataclass
from interpreter.evaluation.chance import Chance
from interpreter.evaluation.evaluator import Evaluator
from interpreter.report.numbers import Share
from interpreter.report.sampled import MOST_PLIES, points_of_first

_MOST_MOVES = 400
_FEWEST_GAMES = 20
_ROUND = 10
FAIR = 0.05


@dataclass(frozen=True)
class Openings:
    """First moves and what each is worth for the first seat, the best for it first."""

    values: tuple[tuple[str, Share], ...]

    @property
    def fairest(self) -> tuple[str, Share]:
        """The move that is closest to even."""
        return min(self.values, key=lambda one: abs(one[1].value - 0.5))

    @property
    def fair(self) -> Share:
        """How many of the moves are within five hundredths of even."""
        near = sum(abs(share.value - 0.5) <= FAIR for _, share in self.values)
        return Share(near, len(self.values))


def openings(rules: Evaluator, seconds: Iterator[float], seed: int) -> Openings | None:
    """Return what first moves are worth; None if there is one only, or too many, or no time."""
    start = rules.start()
    legal = rules.legal(start)
    if not 1 < len(legal) <= _MOST_MOVES or len(rules.game.sides) != 2:
        return None
    after = [(move.text, rules.apply(start, move)) for move in legal]
    points, games = [0.0] * len(after), 0
    while next(seconds) > 0:
        for number, (_, state) in enumerate(after):
            for game in range(games, games + _ROUND):
                outcome = rules.playout(state, Chance(seed, game), MOST_PLIES).outcome
                points[number] += 0.5 if outcome is None else points_of_first(outcome)
            if next(seconds) <= 0 and games < _FEWEST_GAMES:
                return None
        games += _ROUND
    if games < _FEWEST_GAMES:
        return None
    values = ((text, Share(won, games)) for (text, _), won in zip(after, points, strict=True))
    return Openings(tuple(sorted(values, key=lambda one: -one[1].value)))
