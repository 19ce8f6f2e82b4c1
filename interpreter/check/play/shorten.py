"""A game in which the rules fail, made shorter.

In: a game's rules, an error of theirs, and moves that lead there. Out: moves, as many or fewer.
What then holds: they can be played, one after the other, and the same error comes up after them.
"""

from __future__ import annotations

from gdl.diagnostic import Diagnostic
from interpreter.check.countdown import Countdown
from interpreter.evaluation.evaluator import Evaluator, RuleError, State
from interpreter.verify.shrink import shorter

_MOST_TRIED = 40
"""Moves of the last position that are made to see the error."""


def shortened(
    rules: Evaluator, problem: Diagnostic, moves: tuple[str, ...], clock: Countdown
) -> tuple[str, ...]:
    """Leave out stretches of moves, as long as the rules still fail in the same way."""
    improved = True
    while improved:
        improved = False
        for fewer in shorter(moves):
            if clock.left <= 0:
                return moves
            if _fails_after(rules, problem, fewer):
                moves, improved = fewer, True
                break
    return moves


def _fails_after(rules: Evaluator, problem: Diagnostic, moves: tuple[str, ...]) -> bool:
    """Return whether moves can be played, and the rules fail then as they are said to."""
    try:
        state = _played(rules, moves)
    except RuleError:
        return False
    if state is None:
        return False
    try:
        legal = rules.legal(state)
        if not legal:
            rules.outcome(state)
        for move in legal[:_MOST_TRIED]:
            rules.apply(state, move)
    except RuleError as error:
        found = error.diagnostic
        return (found.code, found.span) == (problem.code, problem.span)
    return False


def _played(rules: Evaluator, moves: tuple[str, ...]) -> State | None:
    """Return the state after moves; None if one of them is not legal."""
    state = rules.start()
    for text in moves:
        move = next((one for one in rules.legal(state) if one.text == text), None)
        if move is None:
            return None
        state = rules.apply(state, move)
    return state
