"""The examples of a game file, run.

In: a game, with its examples as they stand in the file. Out: a result for each, with a
diagnostic for all that does not hold. What then holds: every entry of an example has been
looked at, each on its own; none can raise anything but through its diagnostics.

An example sets a position up (`options`, `variants`, `rows` or `setup`, `mover`, `phase`, `seats`,
`state`, `turns`, `passed`), plays the moves of `play`, and then tells what must be so. Each item
of `then` goes on from there, with moves and checks of its own; each of `cases` begins there anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, Report, Span, suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Scalar
from gdl.load import load_source
from gdl.model import Game
from interpreter.evaluation.evaluator import Evaluator, RuleError
from interpreter.evaluation.moves import MoveError
from interpreter.positions.examples.checks import Checker, Made, Why, refused
from interpreter.positions.examples.entries import items, parts, placed, text_of
from interpreter.positions.examples.reading import read_from
from interpreter.positions.examples.setting_up import DESCRIBING, first_position
from interpreter.positions.position import Position, Rules

_MOST_NAMED = 12  # examples that there are


@dataclass(frozen=True)
class ExampleResult:
    """What came of one example: its name, where it stands, and all that failed."""

    name: str
    span: Span
    diagnostics: tuple[Diagnostic, ...]

    @property
    def passed(self) -> bool:
        """Whether everything holds."""
        return not self.diagnostics


Reload = Callable[[Mapping[str, str], Sequence[str]], Game]


def _untold(position: Position, text: str, made: Made) -> tuple[tuple[str, Span], ...]:
    return ()


def run_examples(
    game: Game, evaluator: Callable[[Game], Evaluator] | None = None, why: Why = _untold
) -> tuple[ExampleResult, ...]:
    """Run all examples of a game; those that ask for it, with other options and variants.

    `evaluator` makes what plays a game; by default the reference interpreter. `why` tells what
    forbids a move that should be legal. Raises nothing.
    """
    runner = Runner(game, _reloader(game), evaluator, why)
    return tuple(
        runner.run(document, number) for number, document in enumerate(game.examples, start=1)
    )


def example_position(game: Game, name: str, reload: Reload | None = None) -> Position:
    """Return the position of the example with this name, after its moves.

    Raises GameError if there is no such example, or it can't be set up.
    """
    names = []
    for number, document in enumerate(game.examples, start=1):
        names.append(example_name(document, number))
        if names[-1] == name:
            report = Report()
            position = Runner(game, reload or _reloader(game)).set_up(document, report)
            report.raise_errors()
            if position is not None:
                return position
    message = f"{game.title} has no example called `{name[:60]}`."
    hint = suggest(name, names) or _there_are(names)
    raise GameError([Diagnostic("unknown-example", message, None, hint)])


def _there_are(names: Sequence[str]) -> str:
    """Return the names that examples have, if they are not very many."""
    if not names:
        return "There are none: they stand in the game's file, under `examples`."
    told = ", ".join(f"`{name}`" for name in names[:_MOST_NAMED])
    more = len(names) - _MOST_NAMED
    return f"There are: {told}{f', and {more} others' if more > 0 else ''}."


def example_name(document: Document, number: int) -> str:
    """Return an example's name; one without has its number, from 1."""
    return text_of(document, "name") or str(number)


def _title(document: Document, number: int) -> str:
    """Return how messages call an example: its name or number, and its line."""
    name = text_of(document, "name")
    called = f"`{name}`" if name else str(number)
    return f"Example {called} (line {document.span.line})"


def _reloader(game: Game) -> Reload:
    source = game.document.span.source

    def reload(options: Mapping[str, str], variants: Sequence[str]) -> Game:
        return load_source(source, options, variants)

    return reload


class Runner:
    """Runs examples; games that were loaded with options or variants are kept."""

    def __init__(
        self,
        game: Game,
        reload: Reload,
        evaluator: Callable[[Game], Evaluator] | None = None,
        why: Why = _untold,
    ) -> None:
        self._why = why
        self._reload = reload
        self._evaluator = evaluator
        self._usual = self._made(game)
        self._rules: dict[tuple[object, ...], Rules] = {}

    def run(self, document: Document, number: int) -> ExampleResult:
        """Run an example; its number is counted from 1."""
        report = Report()
        position = self._first(document, report)
        if position is not None:
            _run_from(position, document, report, self._why)
        return self._result(document, number, report)

    def read(self, document: Document, number: int) -> ExampleResult:
        """Set an example up, and read all that it says, without playing a move."""
        report = Report()
        position = self._first(document, report)
        if position is not None:
            read_from(position, document, report)
        return self._result(document, number, report)

    def _result(self, document: Document, number: int, report: Report) -> ExampleResult:
        title = _title(document, number)
        return ExampleResult(
            example_name(document, number),
            document.span,
            tuple(replace(d, message=f"{title}: {d.message}") for d in report.diagnostics),
        )

    def set_up(self, document: Document, report: Report) -> Position | None:
        """Return the position that an example is about, after its moves; None after an error."""
        position = self._first(document, report)
        return None if position is None else _played(position, document, report, self._why)

    def _first(self, document: Document, report: Report) -> Position | None:
        try:
            return first_position(self._rules_for(document), document)
        except GameError as error:
            for diagnostic in error.diagnostics:
                report.add(placed(diagnostic, document.span))
            return None
        except RuleError as error:
            report.add(placed(error.diagnostic, document.span))
            return None

    def _rules_for(self, document: Document) -> Rules:
        chosen = document.get("options")
        entries = chosen.entries if isinstance(chosen, Document) else ()
        options = {key.text: value.text for key, value in entries if isinstance(value, Scalar)}
        variants = [
            scalar.text for key in ("variant", "variants") for scalar in items(document.get(key))
        ]
        if not options and not variants:
            return self._usual
        key = (*sorted(options.items()), *variants)
        if key not in self._rules:
            self._rules[key] = self._made(self._reload(options, variants))
        return self._rules[key]

    def _made(self, game: Game) -> Rules:
        return Rules(game, None if self._evaluator is None else self._evaluator(game))


def _run_from(position: Position, document: Document, report: Report, why: Why) -> Position | None:
    """Play the moves of an example, or of a part of one, and check it and its parts.

    The items of `then` go on from where the one before has led, until one can't. Return where the
    moves have led.
    """
    before, after = document.get("before"), document.get("after")
    if isinstance(before, Document):
        Checker(position, report, why).check(before)
    reached = _played(position, document, report, why)
    if reached is None:
        return None
    earlier = position if document.get("play") else None
    Checker(reached, report, why, earlier).check(document)
    if isinstance(after, Document):
        Checker(reached, report, why).check(after)
    for item in parts(document, "cases"):
        _run_from(reached, item, report, why)
    now: Position | None = reached
    for item in parts(document, "then"):
        now = None if now is None else _run_from(now, item, report, why)
    return reached


def _played(position: Position, document: Document, report: Report, why: Why) -> Position | None:
    made: Made = None
    for scalar in items(document.get("play")):
        try:
            move = position.parse(scalar.text)
            position, made = position.play(move), (position, move)
        except MoveError as error:
            is_described = made is None and any(map(document.get, DESCRIBING))
            refused(position, scalar, error, report, why, made, is_described=is_described)
            return None
        except RuleError as error:
            report.add(placed(error.diagnostic, scalar.span))
            return None
    return position
