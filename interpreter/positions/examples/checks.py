"""What an example says of a position, checked.

In: a position, and the entries that tell what must be so. Out: a finding in a report for each that
is not. What then holds: every entry has been looked at, and none has raised anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gdl.core.nodes import Get
from gdl.core.types import FLAG, SITES, Type
from gdl.diagnostic import GameError, Report, Span, suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.elaborate.pictures import read_picture
from interpreter.evaluation.evaluator import RuleError
from interpreter.evaluation.moves import IllegalMoveError, Move, MoveError, quoted
from interpreter.positions.encoding import read_plain, write_plain
from interpreter.positions.examples.entries import items, placed, trimmed
from interpreter.positions.examples.reading import no_side, results, side_named
from interpreter.positions.move_form import are_several_moves, hint_in_list
from interpreter.positions.position import Position
from interpreter.positions.view import View
from interpreter.words.english import does

_MOST_NAMED = 10
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
    report.error("example-failed", error.message, scalar.span, hint, related)


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

    def _fail(self, message: str, span: Span, hint: str = "") -> None:
        self._report.error("example-failed", message, span, hint)

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
            shown = ", ".join(others[:_MOST_NAMED])
            more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
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
            shown = ", ".join(names[:_MOST_NAMED])
            self._fail(
                f"The board is different at {shown}{', …' * (len(names) > _MOST_NAMED)}.",
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
