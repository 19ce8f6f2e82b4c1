"""How strong a player is: what it may search, and how it chooses among good moves.

In: a text such as `3`, `2s` or `10000`. Out: a `Strength`. What then holds: a weaker player
searches less, and is content with moves that are nearly as good as the best that it sees; it never
makes a move that it takes for a bad one, and plays what it knows to win.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from interpreter.evaluation.moves import Move
from interpreter.search.analysis import Analysis, MoveAnalysis

LEVELS = {
    1: (40, 0.12),
    2: (100, 0.10),
    3: (260, 0.08),
    4: (650, 0.06),
    5: (1_700, 0.04),
    6: (4_400, 0.03),
    7: (11_000, 0.02),
    8: (30_000, 0.01),
    9: (75_000, 0.0),
    10: (200_000, 0.0),
}
"""Of each level: how many iterations a move has, and how much worse than the best it may be.

The next level has two and a half times as many: with twice as many, some were too close.
"""
_MOST_SECONDS = 5.0
"""How long a level thinks at most, in a game that is slow."""
_USUAL_SECONDS = 1.0
_FEWEST_VISITS = 0.25
"""Which part of the visits of the best move another needs, to be known well enough."""
_STRENGTH = re.compile(r"(\d{1,9})|(\d{1,4}(?:\.\d{1,3})?)s")


@dataclass(frozen=True)
class Strength:
    """How long a player searches, and how much worse than the best a move may be."""

    iterations: int | None = None
    seconds: float | None = _USUAL_SECONDS
    slack: float = 0.0

    @classmethod
    def of(cls, text: str) -> Strength | None:
        """Return what a text asks for: a level, seconds or iterations; None if it is none of them.

        >>> Strength.of("2.5s"), Strength.of("20000")
        (Strength(iterations=None, seconds=2.5, slack=0.0), \
Strength(iterations=20000, seconds=None, slack=0.0))
        >>> Strength.of("3")
        Strength(iterations=260, seconds=5.0, slack=0.08)
        """
        found = _STRENGTH.fullmatch(text.strip())
        if found is None:
            return None
        if found[2] is not None:
            return cls(seconds=float(found[2])) if float(found[2]) > 0 else None
        number = int(found[1])
        if number in LEVELS:
            iterations, slack = LEVELS[number]
            return cls(iterations, _MOST_SECONDS, slack)
        return cls(number, None) if number else None

    def choose(self, analysis: Analysis, chance: random.Random) -> Move | None:
        """Return a move that is good enough; in a tree, the more visits, the more likely."""
        best = analysis.best
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
