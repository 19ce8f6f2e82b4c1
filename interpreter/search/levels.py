"""How strong a player is: what it may search, and how it chooses among good moves.

In: a text such as `3`, `2s` or `10000`. Out: a `Strength`. What then holds: a weaker player
searches less, and is content with moves that are nearly as good as the best that it sees; it never
makes a move that it takes for a bad one, and plays what it knows to win.
"""

from __future__ import annotations

import random
import re
from typing import NamedTuple

from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.search.analysis import Analysis, MoveAnalysis
from gdl.interpreter.search.worth import ALPHA_BETA

_ITERATIONS = tuple(60 * 2**place for place in range(10))
"""Of each level: how many random games a tree may search, on a small board.

With three times as much as the one below, the higher of two won more than three games of four.
"""
_POSITIONS = (300, 500, 850, 1200, 1500, 2000, 2800, 4500, 6500, 8500)
"""Of each level: how many positions alpha-beta may search.

A little more is worth most where there is little: with twice as much from the first level on, the
higher of two low levels won up to nine games of ten (docs/engine.md).
"""
_USUAL_SITES, _MOST_TIMES = 25, 16
"""On a board of more sites than so many, a tree has as many times the iterations.

With fewer than there are moves to choose among it knows next to nothing of most of them: by 160
iterations rather than 80, it won all of 40 games on 121 and on 225 sites. No board has more than so
many times as much.
"""
_SLACKS = (0.08, 0.07, 0.06, 0.05, 0.042, 0.037, 0.034, 0.031, 0.026, 0.0)
"""Of each level: how much worse than the best its move may be.

Where a piece is worth about as much, a small difference decides whether a level gives it away: so
steps are small there (docs/engine.md).
"""
_MOST_SECONDS = (3.0,) * 7 + (4.0, 6.0, 10.0)
"""Of each level: how long it thinks at most, in a game that is slow."""


class Level(NamedTuple):
    """What a level may search for a move, by either search, and how much worse it may play."""

    iterations: int
    positions: int
    seconds: float
    slack: float


LEVELS = {
    number: Level(*limits)
    for number, limits in enumerate(
        zip(_ITERATIONS, _POSITIONS, _MOST_SECONDS, _SLACKS, strict=True), 1
    )
}


def on_board(iterations: int, sites: int) -> int:
    """Return how many iterations a level has on a board of so many sites.

    >>> on_board(60, 9), on_board(60, 121)
    (60, 290)
    """
    return round(iterations * min(max(1.0, sites / _USUAL_SITES), _MOST_TIMES))


FEWEST_PLAIN = 1000
"""From how many on iterations need no `i`: nobody takes such a number for a level."""
_USUAL_SECONDS = 1.0
_FEWEST_VISITS = 0.25
"""Which part of the visits of the best move another needs, to be known well enough."""
_FEWEST_VISITS_MIXED, _MANY_VISITS = 0.5, 100
"""The same where others decide at the same time; with so many visits a move is known anyhow."""
_STRENGTH = re.compile(r"(\d{1,9})(i?)|(\d{1,4}(?:\.\d{1,3})?)s")


@dataclass(frozen=True)
class Strength:
    """How long a player searches, and how much worse than the best a move may be.

    A search by alpha-beta judges so many `positions` in place of `iterations`, if that is said;
    the iterations of a level, which has both, are those on a small board.
    """

    iterations: int | None = None
    seconds: float | None = _USUAL_SECONDS
    slack: float = 0.0
    positions: int | None = None

    @classmethod
    def of(cls, text: str) -> Strength | None:
        """Return what a text asks for: a level, seconds or iterations; None if it is none of them.

        A number without an `i` that is too large for a level and too small to be iterations is
        none: `11` is meant as a level.

        >>> Strength.of("2.5s"), Strength.of("20000i")
        (Strength(iterations=None, seconds=2.5, slack=0.0, positions=None), \
Strength(iterations=20000, seconds=None, slack=0.0, positions=None))
        >>> Strength.of("3")
        Strength(iterations=240, seconds=3.0, slack=0.06, positions=850)
        """
        found = _STRENGTH.fullmatch(text.strip())
        if found is None:
            return None
        if found[3] is not None:
            return cls(seconds=float(found[3])) if float(found[3]) > 0 else None
        number = int(found[1])
        if number in LEVELS and not found[2]:
            level = LEVELS[number]
            return cls(level.iterations, level.seconds, level.slack, level.positions)
        is_asked = number >= (1 if found[2] else FEWEST_PLAIN)
        return cls(number, None) if is_asked else None

    @property
    def looks_up(self) -> bool:
        """Whether it plays by a table of solved positions where there is one.

        A level that is content with less than the best does not, nor who is to search a number of
        iterations: what lies in somebody's cache is not to change how it plays.
        """
        return self.seconds is not None and not self.slack

    def budget(self, search: str, sites: int) -> int | None:
        """Return how many iterations a search may have on a board of so many sites.

        None if time alone counts. A plain number of iterations is what it says on any board.
        """
        if self.positions is None or self.iterations is None:
            return self.iterations
        return self.positions if search == ALPHA_BETA else on_board(self.iterations, sites)

    def choose(self, analysis: Analysis, chance: random.Random) -> Move | None:
        """Return a move that is good enough; in a tree, the more visits, the more likely.

        Where others decide at the same time, each move is as likely as it was visited often; those
        of few visits are left out, since these found out that the move is bad (S. Ganzfried, T.
        Sandholm and K. Waugh, "Strategy purification and thresholding for effective play in
        large games", 2012).
        """
        best = analysis.best
        if best is not None and analysis.is_mixed:
            few = min(_FEWEST_VISITS_MIXED * best.visits, _MANY_VISITS)
            good = [move for move in analysis.moves if move.visits >= few]
            (drawn,) = chance.choices(good, [move.visits for move in good])
            return drawn.move
        if best is None or best.is_proven or not self.slack:
            return analysis.best_move
        by_depth = analysis.depth is not None
        good = [move for move in analysis.moves if self._is_good(move, best, by_depth)]
        (chosen,) = chance.choices(good, [1 if by_depth else move.visits for move in good])
        return chosen.move

    def _is_good(self, move: MoveAnalysis, best: MoveAnalysis, by_depth: bool) -> bool:
        is_known = move.visits >= _FEWEST_VISITS * best.visits
        if by_depth:
            is_known = not move.is_bound
        return move is best or (is_known and move.value >= best.value - self.slack)
