"""The third layer of checking: can a game begin?

In: a game, with each variant as well. Out: warnings where it is over, or the side on turn can't
move, before anything was played. What then holds: each is witnessed by the reference interpreter.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from interpreter.check.finding import Finding, in_all_variants
from interpreter.check.subject import Subject
from interpreter.evaluation.evaluator import Outcome, RuleError
from interpreter.reference.rules import ReferenceRules


def check_first_moves(subject: Subject) -> Iterator[Finding]:
    """Yield what is wrong at the start of the game, then at that of a variant alone."""
    return in_all_variants(subject, _found)


def _found(game: Game) -> Iterator[Diagnostic]:
    rules = ReferenceRules(game)
    try:
        state = rules.start()
        stuck = rules.outcome(state)
        ended = rules.settle(state.values).ended
    except RuleError as error:
        problem = error.diagnostic
        message = f"The rules fail at the start. {problem.message}"
        place = problem.span or _span_of(game)
        yield Diagnostic("fails-at-start", message, place, problem.hint, "warning")
        return
    if stuck is not None:
        yield Diagnostic(
            "over-at-start",
            f"{game.sides[0]} has no first move, so the game is over: {_result(stuck)}.",
            stuck.span or _span_of(game),
            "Look whether pieces are set up, and what the turn requires.",
            "warning",
        )
    elif ended is not None:
        yield Diagnostic(
            "over-at-start",
            f"This holds before anything was played: {_result(ended)}.",
            ended.span or _span_of(game),
            "Add a condition that is not met at the start, such as `turns > 2`.",
            "warning",
        )


def _result(outcome: Outcome) -> str:
    if not outcome.winners:
        return "it is drawn"
    return f"{' and '.join(outcome.winners)} win{'s' if len(outcome.winners) == 1 else ''}"


def _span_of(game: Game) -> Span:
    entry = game.document.entry("game")
    return game.document.span if entry is None else entry[0].span
