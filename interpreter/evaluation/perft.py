"""Counting the sequences of moves, by the first of them.

In: an evaluator and a state. Out: the number of sequences of some length that begin with each
legal move. What then holds: their sum is `Evaluator.perft`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.evaluation.evaluator import Evaluator, State
from interpreter.evaluation.moves import Move


def perft_by_move(
    evaluator: Evaluator, state: State, moves: Sequence[Move], depth: int
) -> Iterator[tuple[Move, int]]:
    """Yield each of the legal `moves` with the number of sequences of `depth` that it begins.

    `depth` is at least 1. Raises RuleError where the rules fail.
    """
    for move in moves:
        yield move, 1 if depth == 1 else evaluator.perft(evaluator.apply(state, move), depth - 1)
