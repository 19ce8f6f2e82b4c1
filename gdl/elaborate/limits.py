"""Limits: how much work a text may make before play, and what happens when it makes more.

In: work that is being done for a text. Out: the same work; or a diagnostic, where it goes on
too long, where a number or a relation grows too large, or where an expression is nested too
deep for the machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gdl.board.relation import Relation
from gdl.budget import TooMuchWork, budget, meter_of_loading
from gdl.core.build import TooLarge
from gdl.core.operations import Overflow
from gdl.diagnostic import Diagnostic, GameError, Report, Span
from gdl.elaborate.scope import Problem, Scope, problem

_MOST_WORK = 40_000
_MOST_PAIRS = 4_000_000


class Exhausted(Exception):
    """The text makes more work than any game needs; nothing more is looked at."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def spend(scope: Scope, span: Span) -> None:
    """Count an expression or statement that is worked on. Raises Exhausted after very many."""
    scope.declarations.work_spent += 1
    if scope.declarations.work_spent > _MOST_WORK:
        raise Exhausted(
            Diagnostic(
                "too-large",
                "Written out in full, this game has too many expressions and statements.",
                scope.calls[0][1] if scope.calls else span,
                "Loops over lists, choices among names, definitions and actions multiply where "
                "they stand within one another: use fewer, or let them run over sites.",
            )
        )


def problem_at(failure: TooLarge | TooMuchWork | Overflow, span: Span) -> Problem:
    """Return the Problem at a span of what can't be worked out in it before play.

    Raises Exhausted where there was too much work in all.
    """
    if isinstance(failure, TooMuchWork):
        raise Exhausted(
            Diagnostic(
                "too-large",
                "To here, more is worked out before play than the budget of loading allows.",
                span,
                "Let formulas run over fewer sites, and relations lead less far; or allow more by "
                "`--budget 10x`.",
            )
        ) from None
    if isinstance(failure, TooLarge):
        return problem(
            "too-large",
            "This takes too long to work out before play.",
            span,
            "Let the variables run over fewer sites; or allow more by `--budget 10x`.",
        )
    return problem("overflow", "This number is too large.", span, "Use a smaller power or factor.")


@contextmanager
def within_limits(report: Report, whole: Span) -> Iterator[None]:
    """Make a GameError of a text that is too deep or makes too much work."""
    try:
        yield
    except Exhausted as limit:
        report.add(limit.diagnostic)
    except TooMuchWork as work:
        try:
            problem_at(work, Span(whole.source, whole.start, whole.start))
        except Exhausted as limit:
            report.add(limit.diagnostic)
    except RecursionError:
        report.error(
            "nested-too-deep",
            "An expression or block of this text is nested too deep.",
            Span(whole.source, whole.start, whole.start),
            "Name parts of it under `define` or `actions`.",
        )
    else:
        return
    raise GameError(report.diagnostics) from None


def composed(first: Relation, second: Relation) -> Relation:
    """Return one relation after the other.

    Raises TooLarge if it could have too many pairs, TooMuchWork after many large ones.
    """
    ways = len(first.offset_classes) * len(second.offset_classes)
    pairs = first.size * min(first.size, ways)
    if pairs > budget().of(_MOST_PAIRS):
        raise TooLarge
    meter_of_loading().spend(pairs)
    return first.compose(second)
