"""Random games of native code, judged move by move by the reference interpreter.

In: an evaluator. Out: what then holds: each of its random moves was legal, and each state and
ending is the one that the reference comes to.
"""

from __future__ import annotations

from functools import partial

from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import Evaluator
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify import Compared
from gdl.interpreter.verify.games import RandomGameReplay
from gdl.interpreter.verify.lockstep import Differs
from gdl.interpreter.verify.two_evaluators import TwoEvaluators


def replayed(rules: Evaluator, games: int, max_plies: int, seed: int = 1) -> Compared:
    """Return how much was compared; fail at the first difference."""
    lockstep = TwoEvaluators(ReferenceRules(rules.game), rules)
    compared = lockstep.notes.compared
    for number in range(games):
        replay = RandomGameReplay(lockstep, partial(Chance, seed, number))
        try:
            compared.finished += replay.follow(max_plies, lambda: None)
        except Differs as found:
            difference = found.difference
            moves = ", ".join(move.text for move in difference.moves)
            told = f"game {number}, after {moves}: {difference.first} / {difference.second}"
            raise AssertionError(told) from None
        compared.random_games += 1
    return compared
