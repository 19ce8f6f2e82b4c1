"""Failures in play that every evaluator may come to."""

from __future__ import annotations

from gdl.diagnostic import Diagnostic, Span
from interpreter.evaluation.evaluator import Evaluator, RuleError, State

_TOO_MUCH_WORK = "too-much-work"


def is_about_work(diagnostic: Diagnostic) -> bool:
    """Return whether a failure is that of the budget, of which each evaluator counts its own."""
    return diagnostic.code == _TOO_MUCH_WORK


def too_much_work(span: Span | None) -> RuleError:
    """Return the error of a turn that takes more work at a place than the budget allows."""
    return RuleError(
        Diagnostic(
            _TOO_MUCH_WORK,
            "A turn takes more work here than the budget allows.",
            span,
            "Let a turn try fewer ways: choose first what has few values, and say behind `where` "
            "what a `require` would refuse later; or go through fewer sites, numbers and rounds. "
            "`--budget 10x` allows more.",
        )
    )


def failure_in_moves(rules: Evaluator, state: State) -> RuleError | None:
    """Return how the rules fail as each legal move is made, and in which; None if they don't."""
    begun: str | None = None
    try:
        for move in rules.legal(state):
            begun = move.text
            rules.apply(state, move)
    except RuleError as problem:
        return RuleError(problem.diagnostic, problem.moves, begun)
    return None
