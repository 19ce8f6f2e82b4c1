"""Limits: how much work a text may make before play, and what happens when it makes more.

In: work that is being done for a text. Out: the same work; or a diagnostic, where it goes on
too long, where a number or a relation grows too large, or where an expression is nested too
deep for the machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from gdl.board.relation import Relation
from gdl.codes import Code
from gdl.core.build import TooLarge
from gdl.core.operations import Overflow
from gdl.diagnostic import Diagnostic, GameError, Report, Span
from gdl.elaborate.names.elaboration import Spent
from gdl.elaborate.names.scope import Problem, Scope, problem
from gdl.resources.budget import TooMuchWork, budget, meter_of_loading

_MOST_WORK = 40_000
_MOST_CALLS = 20_000
_MOST_PAIRS = 4_000_000
_LARGE_PART = 10
"""Of definitions with at least such a part of the most, the one that stands most often is told."""


class Exhausted(Exception):
    """The text makes more work than any game needs; nothing more is looked at.

    `written_out` is what definitions and actions had in it, which is known where this is caught.
    """

    def __init__(
        self, diagnostic: Diagnostic, written_out: Mapping[Span, tuple[int, int]] | None = None
    ) -> None:
        super().__init__(diagnostic.message)
        self._diagnostic = diagnostic
        self._written_out = written_out or {}

    @property
    def diagnostic(self) -> Diagnostic:
        """What to tell: which definition has most in it, and which is written out most often."""
        of_file = {
            head: counts
            for head, counts in self._written_out.items()
            if self._diagnostic.span is not None and head.source is self._diagnostic.span.source
        }
        if not of_file:
            return self._diagnostic
        largest = max(of_file, key=lambda head: of_file[head][1])
        work = of_file[largest][1]
        dear = [head for head in of_file if of_file[head][1] * _LARGE_PART >= work]
        often = max(dear, key=lambda head: of_file[head][0])
        told = f"`{largest.text}` has {work:,} of them"
        if of_file[often][0] > 1:
            told += f", and `{often.text}` is written out {of_file[often][0]:,} times"
        return replace(
            self._diagnostic,
            message=f"{self._diagnostic.message.removesuffix('.')}: {told}.",
            span=often,
            related=(("It is met in full here.", self._diagnostic.span),)
            if self._diagnostic.span is not None
            else (),
        )


def spend(scope: Scope, span: Span) -> None:
    """Count an expression or statement that is worked on. Raises Exhausted after very many."""
    spent = scope.elaboration.spent
    spent.work += 1
    if spent.work > _MOST_WORK and spent.work > (most := budget().of(_MOST_WORK)):
        raise Exhausted(
            Diagnostic(
                Code.TOO_LARGE,
                f"Written out in full, this game has more than {most:,} expressions and"
                " statements.",
                scope.calls[0][1] if scope.calls else span,
                "Loops over lists, choices among names, definitions and actions multiply where "
                "they stand within one another: use fewer, or let them run over sites; or allow "
                "more by `--budget 10x`, which takes as much longer to load and to compile.",
            ),
            spent.written_out,
        )


def spend_call(scope: Scope, span: Span) -> None:
    """Count a definition put in place of its name. Raises Exhausted if there are too many."""
    spent = scope.elaboration.spent
    spent.calls += 1
    if spent.calls > _MOST_CALLS:
        raise Exhausted(
            Diagnostic(
                Code.TOO_LARGE,
                f"Definitions are put in place of their names more than {_MOST_CALLS} times.",
                scope.calls[0][1] if scope.calls else span,
                "Definitions that use each other twice and more grow beyond measure.",
            )
        )


def has_room(scope: Scope, more: Spent) -> bool:
    """Return whether so much more is within what a text may make."""
    spent = scope.elaboration.spent
    return spent.work + more.work < _MOST_WORK and spent.calls + more.calls < _MOST_CALLS


def note_written_out(scope: Scope, head: Span, before: int) -> None:
    """Take down that what a head names was put in place; `before` is the work before that."""
    spent = scope.elaboration.spent
    spent.note(head, 1, spent.work - before)


def problem_at(failure: TooLarge | TooMuchWork | Overflow, span: Span) -> Problem:
    """Return the Problem at a span of what can't be worked out in it before play.

    Raises Exhausted where there was too much work in all.
    """
    if isinstance(failure, TooMuchWork):
        raise Exhausted(
            Diagnostic(
                Code.TOO_LARGE,
                "To here, more is worked out before play than the budget of loading allows.",
                span,
                "Let formulas run over fewer sites, and relations lead less far; or allow more by "
                "`--budget 10x`.",
            )
        ) from None
    if isinstance(failure, TooLarge):
        return problem(
            Code.TOO_LARGE,
            "This takes too long to work out before play.",
            span,
            "Let the variables run over fewer sites; or allow more by `--budget 10x`.",
        )
    return problem(
        Code.OVERFLOW, "This number is too large.", span, "Use a smaller power or factor."
    )


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
            Code.NESTED_TOO_DEEP,
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
