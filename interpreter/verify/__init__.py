"""Holding an evaluator against the reference, in random games that both play in lockstep.

In: two evaluators of one game. Out: a `Verdict`: how much they said the same, or the first
`Difference`, led to by the shortest game that could be found; and where the rules fail. What then
holds: the same seed plays the same games.
"""

from interpreter.verify.combinations import Combination, combinations_of, edges_of
from interpreter.verify.counts import Compared, Failure
from interpreter.verify.games import Limits, Verdict, verify
from interpreter.verify.lockstep import Difference, Pair
from interpreter.verify.shrink import shrunk
from interpreter.verify.two_evaluators import TwoEvaluators

__all__ = [
    "Combination",
    "Compared",
    "Difference",
    "Failure",
    "Limits",
    "Pair",
    "TwoEvaluators",
    "Verdict",
    "combinations_of",
    "edges_of",
    "shrunk",
    "verify",
]
