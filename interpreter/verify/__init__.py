"""Holding an evaluator against the reference, in random games that both play in lockstep.

In: two evaluators of one game. Out: a `Verdict`: how much they said the same, or the first
`Difference`, led to by the shortest game that could be found; and where the rules fail. What then
holds: the same seed plays the same games.
"""

from gdl.interpreter.verify.combinations import Combination, combinations_of, edges_of
from gdl.interpreter.verify.counts import Compared, Failure
from gdl.interpreter.verify.games import Limits, Verdict, verify
from gdl.interpreter.verify.lockstep import Difference, Pair
from gdl.interpreter.verify.shrink import shrunk
from gdl.interpreter.verify.two_evaluators import TwoEvaluators

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
