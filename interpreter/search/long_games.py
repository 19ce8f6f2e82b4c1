"""Random games that are too long to say much: when they are broken off, and what is said instead.

In: a game's native code. Out: an `Estimate` by which positions are judged after some random moves,
or None where random games come to an end soon enough. What then holds: nothing depends on a clock,
and the same rules give the same numbers.

What a number of the outlook is worth is told by how much it differs from one position of random
games to another: a difference that is usual there is worth about as much as odds of e to 1. That
more pieces are better is believed unless the endings say otherwise.
"""

from __future__ import annotations

from math import exp, sqrt

import numpy as np
from numpy.typing import NDArray

from gdl.analysis.ranges import Uncovered
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import RuleError, State
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Position
from gdl.interpreter.search.binding import Binding, Seat
from gdl.interpreter.search.evaluation.estimate import MOST_AT_ROOT, Estimate, no_estimate
from gdl.interpreter.search.evaluation.outlook import outlook_table
from gdl.interpreter.search.memory.positions import field_value

LONG, LONG_IF_SEARCHED = 400, 250
"""Random games of so many moves, as a mean, are broken off: of fewer, if these are searched for.

Where chance decides, as by dice, games that come to an end tell enough.
"""
PLIES = 10
"""After so many moves at random, a position is judged."""
_GAMES, _SEED = 8, 1
_FEWEST = 8
"""Of fewer positions nothing is told."""
_ENDED_BYTES = 4
_POSITIONS, _LATEST = 48, 240
"""How many positions are looked at, and how many moves into games these are at most."""
_FEWEST_PIECES = 0.75
"""Where sides usually differ by fewer pieces, as where each turn sets one, pieces count for
nothing, if the endings tell something."""
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


def shortest(native: NativeRules) -> int:
    """Return how many moves random games have, as a mean, that are broken off."""
    has_chance = native.game.program.has_chance
    return LONG_IF_SEARCHED if native.code.needs_search and not has_chance else LONG


def guessed_estimate(native: NativeRules, binding: Binding) -> Estimate | None:
    """Return what judges positions where random games are long; None where nothing does."""
    if not (binding.is_of_two and binding.outlook) or mean_plies(native) < shortest(native):
        return None
    try:
        numbers = _numbers(binding, native.start())
    except Uncovered:
        return None
    worths = _worths(numbers)
    if not any(worths):
        return None
    table = outlook_table(binding.outlook_address, worths)
    usual = float(numbers.mean(axis=0) @ np.array(worths))
    return no_estimate().replaced(judges=True, outlook=table, even=-usual, plies=PLIES)


def _numbers(binding: Binding, start: State) -> NDArray[np.float64]:
    """Return the numbers of the outlook in positions of random games, a row each."""
    seat, found = binding.seat(start, _SEED, 0, _LATEST), list[list[int]]()
    for number in range(_POSITIONS):
        plies = number * _LATEST // _POSITIONS
        if not binding.play_at_random(seat, start, Chance(_SEED, number), plies) and not is_over(
            seat, binding
        ):
            found.append(binding.outlook_in(seat))
    return np.array(found, np.float64).reshape(len(found), len(binding.outlook))


def _worths(numbers: NDArray[np.float64]) -> list[float]:
    """Return what each number is worth, by how much it differs from position to position."""
    if len(numbers) < _FEWEST:
        return []
    worths = [1 / spread if spread else 0.0 for spread in numbers.std(axis=0).tolist()]
    if worths[-1] * _FEWEST_PIECES > 1 and any(worths[:-1]):
        worths[-1] = 0.0
    if worths[-1] and any(worths[:-1]):
        others = numbers[:, :-1] @ np.array(worths[:-1])
        if others.std() and np.corrcoef(others, numbers[:, -1])[0, 1] < _AGAINST:
            worths[-1] = 0.0
    return [worth / sqrt(max(1, sum(map(bool, worths)))) for worth in worths]


def is_over(seat: Seat, binding: Binding) -> bool:
    """Return whether the game is over in the position in front of a thread."""
    return field_value(seat.desk, binding.fields.ended, _ENDED_BYTES) != 0


class GamesBrokenOff:
    """Plays random games for some plies, and judges by an estimate where they have come to."""

    def __init__(self, binding: Binding, estimate: Estimate, start: State) -> None:
        """Judge by an estimate of the game that is bound; `start` is any state of it."""
        self._binding, self._estimate = binding, estimate
        self._seat = binding.seat(start, 0, 0, estimate.plies)

    def value(self, position: Position, games: int, seed: int) -> list[float] | None:
        """Return what a position is worth for each of two seats; None where the rules fail."""
        binding, total = self._binding, 0.0
        binding.play_at_random(self._seat, position.state, Chance(seed), 0)
        base = self._promised()
        for number in range(games):
            chance = Chance(seed, number)
            if binding.play_at_random(self._seat, position.state, chance, self._estimate.plies):
                return None
            total += self._value(base)
        first, mean = position.seat_of(position.rules.sides[0]) - 1, total / games
        return [mean, 1 - mean] if first == 0 else [1 - mean, mean]

    def _value(self, base: float) -> float:
        if is_over(self._seat, self._binding):
            winners = field_value(self._seat.desk, self._binding.fields.winners, _ENDED_BYTES)
            return {1: 1.0, 2: 0.0}.get(winners, 0.5)
        odds = self._promised() - base + max(-MOST_AT_ROOT, min(MOST_AT_ROOT, base))
        return 1 / (1 + exp(-odds))

    def _promised(self) -> float:
        numbers = self._binding.outlook_in(self._seat)
        worth = self._estimate.outlook.worth
        return self._estimate.even + sum(w * n for w, n in zip(worth, numbers, strict=True))
