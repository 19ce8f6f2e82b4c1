"""Rows and columns that the board does not have.

In: the texts of a game, and of its variants. Out: warnings. What then holds: the numbers that are
told stand there as they are, and in no game in which they stand the board has a row or column of
them, so that no site is meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in
from interpreter.check.places import RULES, parsed_rules, warning

NO_SUCH_ROW = "no-such-row"
_SECTIONS = {**RULES, **dict.fromkeys(("setup", "regions", "relations"), "expression")}
_COUNTED = {"rows": "row", "columns": "column"}


def rows_there_are_not(games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield the rows and columns that none of the boards has on which they are asked for."""
    told: dict[Span, Diagnostic | None] = {}
    for game in games:
        for rules in parsed_rules(game, _SECTIONS):
            for node in nodes_in(rules):
                if isinstance(node, t.Call) and (found := _asked(node)) is not None:
                    one = _missing(node.span, *found, game)
                    told[node.span] = told.get(node.span, one) and one
    yield from filter(None, told.values())


def _asked(node: t.Call) -> tuple[str, int, int] | None:
    """Return what is counted, and the first and last that is asked for, if they are numbers."""
    numbers = [part.text for part in node.arguments if isinstance(part, t.Number)]
    word = node.function.name if isinstance(node.function, t.Name) else ""
    if word not in _COUNTED or len(numbers) != len(node.arguments) or len(numbers) not in (1, 2):
        return None
    if not all(text.isdigit() for text in numbers):
        return None
    return _COUNTED[word], int(numbers[0]), int(numbers[-1])


def _missing(span: Span, what: str, first: int, last: int, game: Game) -> Diagnostic | None:
    there = sorted(set(game.board.numbers.get(what, ())))
    if not there or any(first <= number <= last for number in there):
        return None
    if first > last:
        turned = f"{what}s({last}, {first})"
        message, hint = f"No {what} is from {first} to {last}.", "The smaller number stands first"
        return warning(NO_SUCH_ROW, message, span, f"{hint}: `{turned}`.")
    asked = f"{first}" if first == last else f"from {first} to {last}"
    hint = f"Its {what}s are {there[0]} to {there[-1]}."
    return warning(NO_SUCH_ROW, f"The board has no {what} {asked}.", span, hint)
