"""Random games that are too long to say much: when they are broken off, and what is said instead.

In: a game's native code. Out: an `Estimate` by which positions are judged after some random moves,
or None where random games come to an end soon enough. What then holds: nothing depends on a clock,
and the same rules give the same numbers.

What a number of the outlook is worth is told by how much it differs from one position of random
games to another: a difference that is usual there is worth about as much as odds of e to 1. That
more pieces are better is believed unless the endings say otherwise.
"""

from __future__ import annotations

from math import isfinite, sqrt

import numpy as np

from gdl.analysis.ranges import Uncovered
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.search.binding import Binding
from gdl.interpreter.search.evaluation.estimate import Estimate, no_estimate
from gdl.interpreter.search.evaluation.outlook import outlook_table

LONG = 250
"""Random games of so many moves, as a mean, are broken off."""
PLIES = 10
"""After so many moves at random, a position is judged."""
_GAMES, _SEED = 8, 1
_POSITIONS, _LATEST = 48, 240
"""How many positions are looked at, and how many moves into games these are at most."""
_AGAINST = -0.3
"""Where more pieces go with a worse outlook so often, they count for nothing."""


def mean_plies(native: NativeRules) -> float:
    """Return how many moves a random game has, as a mean; 0 where the rules fail in one.

    Games of more than twice as many as are `LONG` count as having so many.
    """
    try:
        return native.playouts(native.start(), _GAMES, _SEED, 2 * LONG).moves / _GAMES
    except RuleError:
        return 0.0


def guessed_estimate(native: NativeRules, binding: Binding) -> Estimate | None:
    """Return what judges positions where random games are long; None where nothing does."""
    if not (binding.is_of_two and binding.outlook) or mean_plies(native) < LONG:
        return None
    try:
        plies = [number * _LATEST // _POSITIONS for number in range(_POSITIONS)]
        numbers = binding.outlook_in_games(native.start(), _SEED, plies)
    except Uncovered:
        return None
    if len(numbers) < 2:
        return None
    worths = [1 / spread if spread else 0.0 for spread in numbers.std(axis=0).tolist()]
    if len(worths) > 1 and worths[-1] and any(worths[:-1]):
        others = numbers[:, :-1] @ np.array(worths[:-1])
        likeness = float(np.corrcoef(others, numbers[:, -1])[0, 1])
        if isfinite(likeness) and likeness < _AGAINST:
            worths[-1] = 0.0
    used = sum(map(bool, worths))
    if not used:
        return None
    worths = [worth / sqrt(used) for worth in worths]
    table = outlook_table(binding.outlook_address, worths)
    usual = float(numbers.mean(axis=0) @ np.array(worths))
    return no_estimate().replaced(judges=True, outlook=table, even=-usual, plies=PLIES)
