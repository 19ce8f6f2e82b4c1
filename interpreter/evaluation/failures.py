"""Failures in play that every evaluator may come to."""

from __future__ import annotations

from gdl.diagnostic import Diagnostic, Span
from interpreter.evaluation.evaluator import RuleError


def too_much_work(span: Span | None) -> RuleError:
    """Return the error of a turn that takes more work at a place than the budget allows."""
    return RuleError(
        Diagnostic(
            "too-much-work",
            "A turn takes more work here than the budget allows.",
            span,
            "Let a turn try fewer ways, or go through fewer sites, numbers and rounds; or allow "
            "more by `--budget 10x`.",
        )
    )
