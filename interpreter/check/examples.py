"""A layer of checking: is what the author says in examples so?

In: a file with examples. Out: an error for each that can't be read; where games are played, for
each that does not hold as well. What then holds: each example was run, or it is told how many were
not, as they are too much work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gdl.codes import Code
from gdl.diagnostic import GameError
from gdl.interpreter.check.finding import Finding
from gdl.interpreter.check.places import note
from gdl.interpreter.check.subject import Subject
from gdl.interpreter.positions.examples import ExampleResult, Runner
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify.combinations import Combination
from gdl.load import load_source
from gdl.model import Game

_MOST_LOADED = 3
"""How many games examples may ask for, without play, that nothing else has loaded."""


class _TooManyGames(Exception):
    """Examples ask for more games than are loaded without play."""


def check_examples(subject: Subject) -> Iterator[Finding]:
    """Yield an error for each example that can't be read, or, with play, that does not hold."""
    game, work = subject.game(), subject.work
    if game is None or not game.examples:
        return
    is_run = work.effort.is_played
    loading = _Loading(subject, is_run)
    part = work.part(work.effort.examples)
    runner = Runner(game, loading.game, lambda of: _rules(subject, of))
    for number, document in enumerate(game.examples, start=1):
        if is_run and part.left < 0:
            yield _not_run(game, number)
            return
        try:
            result = (runner.run if is_run else runner.read)(document, number)
        except _TooManyGames:
            continue
        if result.position is not None and result.position.rules.game is game:
            subject.shown.append(result.position.state)
        yield from _found(subject, result)


def _rules(subject: Subject, game: Game) -> ReferenceRules:
    """Return the rules by which examples are run: what they show of the game itself is watched."""
    work = subject.work
    if not work.effort.is_played or game is not subject.game():
        return work.rules(game)
    return subject.watched(game)[1]


def _found(subject: Subject, result: ExampleResult) -> Iterator[Finding]:
    for found in result.diagnostics:
        if subject.stands_here(found):
            yield Finding(found, certainty="witnessed")


def _not_run(game: Game, number: int) -> Finding:
    """Return that an example was not run, nor those after it: those before were all the work."""
    left, of = len(game.examples) - number + 1, len(game.examples)
    told = note(
        Code.EXAMPLES_NOT_RUN,
        f"{left} of {of} examples, from here on, were not run: the others were much work already.",
        game.examples[number - 1].span,
        "`gdl test` runs them all; a greater `--effort` runs more of them.",
    )
    return Finding(told, certainty="not seen")


class _Loading:
    """Loads the games with the options and variants that examples ask for."""

    def __init__(self, subject: Subject, is_played: bool) -> None:
        self._subject = subject
        self._left = None if is_played else _MOST_LOADED

    def game(self, options: Mapping[str, str], variants: Sequence[str]) -> Game:
        """Return the game. Raises GameError, and _TooManyGames where no more can be loaded."""
        combination = Combination(tuple(variants), dict(options))
        if self._subject.is_loaded(combination):
            game, found = self._subject.load(combination)
            if game is None:
                raise GameError(found)
            return game
        if self._left is not None:
            if not self._left or not self._subject.may_load_more:
                raise _TooManyGames
            self._left -= 1
        return load_source(self._subject.source, options, variants)
