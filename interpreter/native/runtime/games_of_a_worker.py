"""Random games of a game that was sent to a worker.

In: a packed game, a state, and the numbers of games. Out: their statistics. What then holds: game
number i of a seed is the same in every process, which compiles a game once.
"""

from __future__ import annotations

from functools import lru_cache

from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.evaluation.playout import Statistics
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.workers.packed import Packed
from gdl.model import Game


@dataclass(frozen=True)
class Playouts:
    """Which random games are asked for; `threads` are those of each worker."""

    start: State
    seed: int
    max_plies: int
    threads: int
    checked: bool


def play_packed(packed: Packed, asked: Playouts, numbers: range) -> Statistics:
    """Play the games of these numbers. Raises RuleError and GameError."""
    with packed.opened() as game:
        return _native(game, asked.checked).playouts(
            asked.start,
            len(numbers),
            asked.seed,
            asked.max_plies,
            asked.threads,
            first=numbers.start,
        )


@lru_cache(maxsize=2)
def _native(game: Game, checked: bool) -> NativeRules:
    return NativeRules(game, checked=checked)
