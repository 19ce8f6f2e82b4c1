"""The test that ends a match as soon as the answer is clear.

In: the points of the first player, game by game. Out: which of two strengths is decided for, if one
is. What then holds: if a strength is the true one, the test decides against it in 5 % of matches at
most, however few games there were, and whatever part of them is drawn.

It bets on what it sees, pair by pair: each opening is played from both seats, and the mean of the
two games is one result. One gambler bets that the player does better than the lower strength says,
another that it does worse than the higher one says, each at odds that would be fair if that
strength were the true one. Then nobody expects to gain, and to have 20 times the stake at any time
is as likely as 1 to 20 at most (Ville's inequality); who has that has refuted the strength that was
bet against. How much is staked depends on how much the pairs before it varied, never on the pair
itself. After A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical
Statistics 16 (1945), whose test this is where all pairs are won or lost, and I. Waudby-Smith and
A. Ramdas, "Estimating means of bounded random variables by betting", Journal of the Royal
Statistical Society B 86 (2024).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from gdl.data_classes import dataclass
from gdl.interpreter.matches.rating import expected

ERROR = 0.05
"""How likely the test errs at most, either way."""
_PRIOR_PAIRS = 4
"""How many pairs weigh as much as the guess that games are won or lost, as by tosses of a coin."""
_MOST_STAKED = 0.75
"""The most of what it has that a gambler can lose by one pair."""


@dataclass(frozen=True)
class SequentialTest:
    """Is the first player stronger than the second by `more` Elo, rather than by `less`?"""

    less: float
    more: float

    def verdict(self, results: Sequence[float]) -> str:
        """Return `more` or `less` where that is decided by points of the first player, else ''.

        Results 1 and 2 are those of one opening, from both seats, then 3 and 4, and so on. The
        first decision stands, whatever comes after it.
        """
        low, high = expected(self.less), expected(self.more)
        pairs = [(one + other) / 2 for one, other in zip(results[::2], results[1::2], strict=False)]
        for_more = _Gambler(low, high - low)
        for_less = _Gambler(1 - high, high - low)
        for pair in pairs:
            if for_more.has_won(pair):
                return "more"
            if for_less.has_won(1 - pair):
                return "less"
        return ""


class _Gambler:
    """Bets that results are more than `mean` on average, by about as much as `gain`."""

    def __init__(self, mean: float, gain: float) -> None:
        self._mean = mean
        self._gain = gain
        self._wealth = 0.0
        self._squares = _PRIOR_PAIRS * mean * (1 - mean) / 2
        self._pairs = _PRIOR_PAIRS

    def has_won(self, result: float) -> bool:
        """Bet on a result from 0 to 1; return whether what it has refutes the mean."""
        away = result - self._mean
        # Of all stakes, this lets the logarithm grow most, as far as its second moment tells.
        stake = self._gain * self._pairs / self._squares
        self._wealth += math.log1p(min(stake, _MOST_STAKED / self._mean) * away)
        self._squares += away**2
        self._pairs += 1
        return self._wealth >= -math.log(ERROR)
