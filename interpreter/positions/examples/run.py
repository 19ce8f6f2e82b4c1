"""The examples of a game file, run.

In: a game, with its examples as they stand in the file. Out: a result for each, with a
diagnostic for all that does not hold. What then holds: every entry of an example has been
looked at, each on its own; none can raise anything but through its diagnostics.

An example sets a position up (`options`, `variants`, `rows` or `setup`, `mover`, `phase`, `seats`,
`state`, `turns`, `passed`), plays the moves of `play`, and then tells what must be so. Each item
of `then` goes on from there, with moves and checks of its own; each of `cases` begins there anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gdl.codes import Code
from gdl.core.nodes import Get
from gdl.core.types import FLAG, SITES, Type
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, Hint, Report, Span, suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.elaborate.relations.pictures import read_picture
from gdl.interpreter.english import does
from gdl.interpreter.evaluation.evaluator import Evaluator, RuleError
from gdl.interpreter.evaluation.moves import IllegalMoveError, Move, MoveError, quoted
from gdl.interpreter.positions.encoding import read_plain, write_plain
from gdl.interpreter.positions.examples.entries import (
    items,
    no_side,
    parts,
    placed,
    read_from,
    results,
    side_named,
    text_of,
    trimmed,
)
from gdl.interpreter.positions.move_form import are_several_moves, hint_in_list
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.positions.state_values import Setting
from gdl.interpreter.positions.view import View
from gdl.load import load_source
from gdl.model import Game

_MOST_NAMED = 12  # examples that there are


@dataclass(frozen=True)
class ExampleResult:
    """What came of one example: its name, where it stands, and all that failed.

    Its `position` is the one after its moves; None where these can't be made.
    """

    name: str
    span: Span
    diagnostics: tuple[Diagnostic, ...]
    position: Position | None = None

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
    raise GameError([Diagnostic(Code.UNKNOWN_EXAMPLE, message, None, str(hint))])


def set_up_examples(game: Game) -> Iterator[tuple[str, Document, Position]]:
    """Yield the examples of a game that can be set up: name, text, and position after its moves."""
    runner = Runner(game, _reloader(game))
    for number, document in enumerate(game.examples, start=1):
        position = runner.set_up(document, Report())
        if position is not None:
            yield example_name(document, number), document, position


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
            position = _run_from(position, document, report, self._why)
        return self._result(document, number, report, position)

    def read(self, document: Document, number: int) -> ExampleResult:
        """Set an example up, and read all that it says, without playing a move."""
        report = Report()
        position = self._first(document, report)
        if position is not None:
            read_from(position, document, report)
        return self._result(document, number, report, position)

    def _result(
        self, document: Document, number: int, report: Report, position: Position | None
    ) -> ExampleResult:
        title = _title(document, number)
        return ExampleResult(
            example_name(document, number),
            document.span,
            tuple(replace(d, message=f"{title}: {d.message}") for d in report.diagnostics),
            position,
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


# --------------------------------------------------------- the position that an example begins with

_MOST_DIGITS = 6
DESCRIBING = ("rows", "setup", "state", "mover", "phase", "seats", "turns", "passed")
"""What describes a position; without any of these, it is that of the start."""


def first_position(rules: Rules, document: Document) -> Position:
    """Return the position that an example describes.

    Raises GameError if it can't be read, RuleError if a rule fails in it.
    """
    drawn, arranged = document.get("rows"), document.get("setup")
    state = document.get("state")
    _refuse_two_ways(document)
    seats = [scalar.text for scalar in items(document.get("seats"))]
    if not any(document.get(key) for key in DESCRIBING):
        return rules.start()
    return rules.from_rows(
        drawn.text if isinstance(drawn, Scalar) else None,
        mover=text_of(document, "mover") or None,
        phase=text_of(document, "phase") or None,
        state=[
            Setting(key.span, value.span)
            for key, value in (state.entries if isinstance(state, Document) else ())
            if isinstance(value, Scalar)
        ],
        turns=_counted(document, "turns"),
        passed=_counted(document, "passed"),
        seats={side: seat for seat, side in enumerate(seats, start=1)},
        setup=arranged if isinstance(arranged, Document) else None,
        span=drawn.span if drawn is not None else None,
    )


def _refuse_two_ways(document: Document) -> None:
    """Raise GameError if pieces are told twice over."""
    drawn, arranged = document.entry("rows"), document.entry("setup")
    if drawn is not None and arranged is not None:
        message = "The pieces are told by `rows` or by `setup`, not by both."
        hint = "Move the rows into `setup`, where they may stand beside names of pieces."
        raise GameError([Diagnostic(Code.WRONG_VALUE, message, drawn[0].span, hint)])


def _counted(document: Document, key: str) -> int:
    """Return a number of turns, 0 if nothing is said."""
    node = document.get(key)
    text = text_of(document, key)
    if node is None or (text.isdecimal() and len(text) <= _MOST_DIGITS):
        return int(text or 0)
    message = f"`{key}` is a number of turns, not `{text[:60]}`."
    raise GameError([Diagnostic(Code.WRONG_VALUE, message, node.span, "Write for instance 3.")])


# ------------------------------------------------------ what an example says of a position, checked

_MOST_MOVES_NAMED = 10
Made = tuple[Position, Move] | None
"""The last move and where it was made, if it is known."""
Why = Callable[[Position, str, Made], tuple[tuple[str, Span], ...]]
"""Tells what forbids a move, with its place; it is asked of what can be read as one."""


def refused(
    position: Position,
    scalar: Scalar,
    error: MoveError,
    report: Report,
    why: Why,
    made: Made = None,
    *,
    is_described: bool = False,
    further: str = "",
) -> None:
    """Report a move that can't be made.

    `is_described` is whether the example describes the position; `further` is what else may help.
    """
    hint, outcome = hint_in_list(position.rules.game, error), position.outcome
    if outcome is not None and isinstance(error, IllegalMoveError):
        whose = (
            "The position that is described here is over" if is_described else "The game is over"
        )
        hint = f"{whose}: {outcome}."
    hint = f"{hint} {further}".strip()
    related = why(position, scalar.text, made) if isinstance(error, IllegalMoveError) else ()
    report.error(Code.EXAMPLE_FAILED, error.message, scalar.span, hint, related)


class Checker:
    """Checks what an example says of one position."""

    def __init__(
        self, position: Position, report: Report, why: Why, before: Position | None = None
    ) -> None:
        """Check what an example says of a position; `before` is the one before its moves."""
        self._why = why
        self._before = before
        self._position = position
        self._report = report

    def check(self, document: Document) -> None:
        """Check each entry that says something; add what fails to the report."""
        checks: dict[str, Callable[[Node], None]] = {
            "legal": self._legal,
            "illegal": self._illegal,
            "only": self._only,
            "count": self._count,
            "winner": self._winner,
            "payoffs": self._payoffs,
            "board": self._board,
            "to_move": self._to_move,
            "stuck": self._stuck,
            "values": self._values,
            "sees": self._sees,
        }
        for key, node in document.entries:
            check = checks.get(key.text)
            if check is None:
                continue
            try:
                check(node)
            except RuleError as error:
                self._report.add(placed(error.diagnostic, node.span))
            except GameError as error:
                for diagnostic in error.diagnostics:
                    self._report.add(placed(diagnostic, node.span))

    def _fail(self, message: str, span: Span, hint: Hint = "") -> None:
        self._report.error(Code.EXAMPLE_FAILED, message, span, hint)

    # --------------------------------------------------------------- what is seen

    def _sees(self, node: Node) -> None:
        for key, told in node.entries if isinstance(node, Document) else ():
            try:
                view = self._position.view(key.text)
            except GameError as error:
                self._report.add(placed(error.diagnostics[0], key.span))
                continue
            if isinstance(told, Scalar):
                self._seen_rows(view, told)
            for name, value in told.entries if isinstance(told, Document) else ():
                if isinstance(value, Scalar) and name.text == "board":
                    self._seen_rows(view, value)
                elif isinstance(value, Scalar):
                    self._seen_value(view, name, value)

    def _seen_rows(self, view: View, rows: Scalar) -> None:
        if _characters(rows.text) != _characters(view.rows()):
            seen = view.rows().replace("\n", " / ")
            self._fail(f"{does([view.side], 'sees')} other rows: {seen}.", rows.span)

    def _seen_value(self, view: View, name: Scalar, value: Scalar) -> None:
        values = dict(view.values)
        asked = " ".join(name.text.split())
        if asked not in values:
            told = f"{does([view.side], 'does')} not see `{asked}`."
            self._fail(told, name.span, "What it sees is listed under `sees`, in `values`.")
        elif values[asked] != " ".join(value.text.split()):
            self._fail(
                f"{does([view.side], 'sees')} that `{asked}` is {values[asked]}.", value.span
            )

    # -------------------------------------------------------------------- moves

    def _legal(self, node: Node) -> None:
        for scalar in items(node):
            self._named_move(scalar)

    def _named_move(self, scalar: Scalar) -> Move | None:
        try:
            return self._position.parse(scalar.text)
        except MoveError as error:
            further = self._told_of_before("legal", scalar)
            refused(self._position, scalar, error, self._report, self._why, further=further)
            return None

    def _told_of_before(self, key: str, node: Node) -> str:
        """Return a hint where an entry held before the moves of the example were made."""
        text = " ".join(node.span.text.split())
        if self._before is None or not isinstance(node, Scalar):
            return ""
        tried, entry = Report(), Document(((Scalar(key, node.span), node),), node.span)
        Checker(self._before, tried, lambda *_: ()).check(entry)
        if tried.diagnostics:
            return ""
        so = key if key in ("legal", "illegal") else "so"
        told = f"`before: {{{key}: {text}}}`"
        return f"It was {so} before `play`; what holds there is told by {told}."

    def _illegal(self, node: Node) -> None:
        for scalar in items(node):
            try:
                move = self._position.parse(scalar.text)
            except IllegalMoveError as error:
                self._refuse_several(scalar, error)
            except MoveError as error:
                self._fail(error.message, scalar.span, error.hint)
            else:
                further = self._told_of_before("illegal", scalar)
                self._fail(f"`{move}` is legal here.", scalar.span, further)

    def _refuse_several(self, scalar: Scalar, error: IllegalMoveError) -> None:
        """Tell of moves that were written as one, which no rule is needed to forbid."""
        game = self._position.rules.game
        if are_several_moves(game, scalar.text, error):
            told = f"`{quoted(scalar.text)}` is more than one move."
            self._fail(told, scalar.span, hint_in_list(game, error))

    def _only(self, node: Node) -> None:
        named = [self._named_move(scalar) for scalar in items(node)]
        others = [move.text for move in self._position.moves() if move not in named]
        if others:
            shown = ", ".join(others[:_MOST_MOVES_NAMED])
            more = (
                f" and {len(others) - _MOST_MOVES_NAMED} more"
                if len(others) > _MOST_MOVES_NAMED
                else ""
            )
            self._fail(f"Other moves are legal, too: {shown}{more}.", node.span)

    def _count(self, node: Node) -> None:
        text, number = trimmed(node), len(self._position.moves())
        expression = self._position.rules.game.words.expression(node.span, self._position.side)
        if not expression.type.is_numeric:
            self._fail(f"`{text}` is not a number.", node.span)
        elif (wanted := self._position.value(expression)) != number:
            told = text if text.isdigit() else f"{text} = {wanted}"
            moves = "is 1 legal move" if number == 1 else f"are {number} legal moves"
            hint = self._told_of_before("count", node)
            self._fail(f"There {moves}, not {told}.", node.span, hint)

    def _stuck(self, node: Node) -> None:
        wanted = read_plain(self._position.rules.game, FLAG, trimmed(node))
        stuck = all(move.decisions == (-1,) for move in self._position.moves())
        if wanted is None:
            self._fail("`stuck` is `yes` or `no`.", node.span)
        elif wanted != stuck:
            now = "has no move" if stuck else "has a move"
            hint = self._told_of_before("stuck", node)
            self._fail(f"{self._position.mover} {now} here.", node.span, hint)

    # ------------------------------------------------------- the course of the game

    def _winner(self, node: Node) -> None:
        wanted, outcome = trimmed(node), self._position.outcome
        found = "nobody" if outcome is None else ", ".join(outcome.winners) or outcome.text
        if told := no_side(wanted, results(self._position.rules.sides)):
            self._fail(told[0], node.span, told[1])
        elif sorted(name.strip() for name in wanted.split(",")) != sorted(found.split(", ")):
            ends = {
                "nobody": "The game is not over",
                "draw": "The game is a draw",
                "lost": "The puzzle is lost",
            }
            self._fail(f"{ends.get(found, f'The winner is {found}')}.", node.span)

    def _payoffs(self, node: Node) -> None:
        outcome, sides = self._position.outcome, self._position.rules.sides
        found = dict(zip(sides, () if outcome is None else outcome.payoffs, strict=False))
        for key, value in node.entries if isinstance(node, Document) else ():
            if not found:
                what = "The game is not over" if outcome is None else "The rules have no payoffs"
                return self._fail(f"{what}.", node.span)
            if key.text not in found:
                hint = suggest(key.text, sides) or f"There are: {', '.join(sides)}."
                self._fail(f"`{key.text}` is no side.", key.span, hint)
                continue
            words = self._position.rules.game.words
            wanted = words.expression(value.span, self._position.side)
            if not wanted.type.is_numeric:
                self._fail(f"`{trimmed(value)}` is not a number.", value.span)
            elif self._position.value(wanted) != found[key.text]:
                self._fail(f"The game was worth {found[key.text]} to {key.text}.", value.span)
        return None

    def _to_move(self, node: Node) -> None:
        side = side_named(node, self._position.rules.sides)
        if told := no_side(side, self._position.rules.sides):
            self._fail(told[0], node.span, told[1])
        elif side != self._position.mover:
            hint = self._told_of_before("to_move", node)
            self._fail(f"{does([self._position.mover], 'is')} to move.", node.span, hint)

    # ------------------------------------------------------------- what it looks like

    def _board(self, node: Node) -> None:
        if not isinstance(node, Scalar):
            return
        game = self._position.rules.game
        report = Report()
        symbols = {layer.symbol: layer.symbol for layer in game.layers}
        has_piles = game.piles is not None
        wanted = read_picture(
            node.text, node.span, game.board, symbols, report, has_piles=has_piles
        )
        report.raise_errors()
        rows = self._position.rows()
        found = read_picture(rows, node.span, game.board, symbols, report, has_piles=has_piles)
        sites = range(game.board.size)
        wrong = [index for index in sites if wanted.get(index) != found.get(index)]
        if wrong:
            names = [game.board.sites[index].name for index in wrong]
            shown = ", ".join(names[:_MOST_MOVES_NAMED])
            self._fail(
                f"The board is different at {shown}{', …' * (len(names) > _MOST_MOVES_NAMED)}.",
                node.span,
                f"It is:\n{rows}",
            )

    def _values(self, node: Node) -> None:
        for key, value in node.entries if isinstance(node, Document) else ():
            if not isinstance(value, Scalar):
                continue
            try:
                self._value(key, value)
            except GameError as error:
                for diagnostic in error.diagnostics:
                    self._report.add(placed(diagnostic, value.span))

    def _value(self, key: Scalar, value: Scalar) -> None:
        position = self._position
        game = position.rules.game
        expression = game.words.expression(key.span, position.side)
        type_, found = expression.type, position.value(expression)
        wanted = read_plain(game, type_, value.text)
        if wanted is None:
            told = game.words.expression(value.span, position.side)
            wanted = position.value(told)
            if type_ != told.type and SITES in (type_, told.type):
                found, wanted = self._pieces(type_, found), self._pieces(told.type, wanted)
                type_ = SITES
        if found != wanted:
            asked = " ".join(key.text.split())
            hint = "" if game.board.index(asked) is None else _of_site(asked, value.text.strip())
            self._fail(f"`{asked}` is {write_plain(game, type_, found)}.", value.span, hint)

    def _pieces(self, type_: Type, value: Any) -> Any:
        """Return where the pieces of a side or kind stand; any other value as it is."""
        if type_.name not in ("side", "kind"):
            return value
        sites = 0
        for layer in self._position.rules.game.layers:
            if (layer.side if type_.name == "side" else layer.kind) == value:
                sites |= self._position.value(Get(layer.slot))
        return sites


def _of_site(name: str, wanted: str) -> str:
    """Return a hint where the name of a site was to tell what stands there."""
    asked = (
        f"{name} & occupied: none" if wanted in ("none", "empty") else f"{name} in {wanted}: yes"
    )
    return f"The name of a site is that site, whatever stands there. Write `{asked}`."


def _characters(rows: str) -> str:
    """Return what stands on the sites, without what divides rows and sites."""
    return "".join(rows.replace("/", " ").split())
