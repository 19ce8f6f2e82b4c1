"""The third layer of checking: can a game begin?

In: a game, with each variant as well. Out: warnings where it is over, or the side on turn can't
move, before anything was played. What then holds: each is witnessed by the reference interpreter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping
from gdl.interpreter.check.finding import Finding, WitnessGame, in_all_variants
from gdl.interpreter.check.rules.conditions import always_some
from gdl.interpreter.check.subject import Subject
from gdl.interpreter.english import does
from gdl.interpreter.evaluation.evaluator import Outcome, RuleError, State, is_about_work
from gdl.interpreter.reference.rules import ReferenceRules, reference_rules
from gdl.model import Game
from gdl.resources.budget import allowed, budget

_MUCH_LEFT = 0.75
"""A part of a turn's work: an honest game needs less than the rest of it for its first move."""


def check_first_moves(subject: Subject) -> Iterator[Finding]:
    """Yield what is wrong at the start of the game, then at that of a variant alone.

    A game whose first turn takes too much work is not played either: that would take as long. Nor
    is one that a clause ends before, unless its author accepts that: there is nothing to be seen.
    """
    last: set[Diagnostic] = set()
    for finding in in_all_variants(subject, partial(_found, last)):
        found = finding.diagnostic
        is_last = finding.variant is None and found in last and not subject.accepts(found)
        if found.code == Code.OVER_AT_START and (place := found.span) is not None:
            why = (one.hint for one in always_some(subject) if place.holds(one.span))
            finding = replace(finding, diagnostic=replace(found, hint=next(why, found.hint)))
        yield replace(finding, is_last=is_last)
    yield from _over_with_options(subject)


def _over_with_options(subject: Subject) -> Iterator[Finding]:
    """Yield clauses that hold at once with a value of an option, of the games that are loaded."""
    game = subject.game()
    section = None if game is None else game.document.get("options")
    if game is None or not isinstance(section, Mapping) or _over_at_once(game):
        return
    told: set[Span] = set()
    part = subject.for_options()
    for combination in subject.option_combinations():
        if part.left <= 0:
            return
        other = subject.load(combination)[0] if subject.is_loaded(combination) else None
        if combination.variants or other is None:
            continue
        over = _over_at_once(other)
        if over is None or over.span is None or over.span in told:
            continue
        told.add(over.span)
        (name, value), *_ = combination.options.items()
        entry = section.entry(name)
        found = Diagnostic(
            Code.OVER_AT_START,
            f"With {name} {value}, which is allowed, this holds before anything was played:"
            f" {_result(over)}.",
            over.span,
            "Allow less under `in`, or see whether the game makes sense with that value.",
            "note",
            () if entry is None else (("The option is declared here.", entry[0].span),),
        )
        yield Finding(found, None, "witnessed", WitnessGame(combination, ()))


def _over_at_once(game: Game) -> Outcome | None:
    """Return how a game ends by a clause that holds before the first move, if one does."""
    rules = reference_rules(game)
    try:
        state = rules.start()
        return None if state.ended is None else rules.outcome(state)
    except RuleError:
        return None


def _found(last: set[Diagnostic], game: Game) -> Iterator[Diagnostic]:
    rules = reference_rules(game)
    try:
        state = rules.start()
        over = rules.outcome(state)
        _refuse_long(rules, game, state)
    except RuleError as error:
        problem = error.diagnostic
        message = f"The rules fail at the start. {problem.message}"
        place = problem.span or _span_of(game)
        told = Diagnostic(Code.FAILS_AT_START, message, place, problem.hint, "warning")
        if is_about_work(problem):
            last.add(told)
        yield told
        return
    if over is None:
        return
    if state.ended is not None:
        message = f"This holds before anything was played: {_result(over)}."
        is_empty = game.document.get("setup") is None
        more = "; or say under `setup` where pieces stand at first" if is_empty else ""
        hint = f"Add a condition that is not met at the start, such as `turns > 2`{more}."
    else:
        message = (
            f"{does(game.sides[:1], 'has')} no first move, so the game is over: {_result(over)}."
        )
        hint = "Look whether pieces are set up, and what the turn requires."
    setup = game.document.entry("setup")
    related = () if setup is None else (("Pieces are set up here.", setup[0].span),)
    place = over.span or _span_of(game)
    told = Diagnostic(Code.OVER_AT_START, message, place, hint, "warning", related)
    if state.ended is not None:
        last.add(told)
    yield told


def _refuse_long(rules: ReferenceRules, game: Game, state: State) -> None:
    """Where it took long to find a first move, find all with what is left. Raises RuleError.

    That would take too much work in play, and be told only then.
    """
    left = rules.machine.share_left
    if left > _MUCH_LEFT:
        return
    try:
        with allowed(budget().part(left)):
            ReferenceRules(game).legal(state)
    except RuleError as error:
        if is_about_work(error.diagnostic):
            raise


def _result(outcome: Outcome) -> str:
    if not outcome.winners:
        return "it is drawn"
    return does(outcome.winners, "wins")


def _span_of(game: Game) -> Span:
    entry = game.document.entry("game")
    return game.document.span if entry is None else entry[0].span
