"""Whether random moves are equally likely: Pearson's chi-squared against the list of legal moves.

In: an evaluator and a state of a small game, of which no two moves lead to the same position.
Out: what then holds: no move is drawn that is not legal, and each is drawn as often as any other,
but for chance. Seeds are fixed, so that the same draws are made each time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import sqrt
from typing import Any

from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import Evaluator, State

_DEVIATIONS = 5
"""How many standard deviations the statistic may be off what chance has."""


def deviation(found: Mapping[Any, int], expected: Mapping[Any, float]) -> float:
    """Return how many standard deviations Pearson's statistic is off its mean.

    `expected` has the probability of each case; there must be at least two.
    """
    total = sum(found.values())
    assert min(expected.values()) * total > 5, "too few draws for the test to mean anything"
    statistic = sum(
        (found.get(case, 0) - share * total) ** 2 / (share * total)
        for case, share in expected.items()
    )
    freedom = len(expected) - 1
    return abs(statistic - freedom) / sqrt(2 * freedom)


def assert_as_expected(found: Mapping[Any, int], expected: Mapping[Any, float]) -> None:
    """Fail where cases are found that can't be, or other shares of them than are expected."""
    assert set(found) <= set(expected), "something was drawn that can't be"
    assert deviation(found, expected) < _DEVIATIONS


def assert_moves_are_uniform(rules: Evaluator, state: State, draws: int) -> None:
    """Fail where the moves that are drawn from a state are not the legal ones, equally likely."""
    after = [rules.apply(state, move).values for move in rules.legal(state)]
    assert len(set(after)) == len(after) > 1, "moves must be known by where they lead"
    found = Counter(rules.playout(state, Chance(7, i), 1).state.values for i in range(draws))
    assert_as_expected(found, dict.fromkeys(after, 1 / len(after)))
