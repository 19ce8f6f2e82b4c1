"""What an example says, read without playing: which of it could be true of no position?

In: a position, and an example that begins there. Out: a finding in a report for each move that has
the form of none, and for each expression without a meaning. What then holds: what is told fails
wherever the moves of the example lead.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.diagnostic import GameError, Report
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Scalar
from interpreter.evaluation.moves import MoveError, UnreadableMoveError, read_move
from interpreter.positions.examples.entries import items, parts, placed
from interpreter.positions.position import Position

_MOVES = ("play", "legal", "illegal", "only")


def read_from(position: Position, document: Document, report: Report) -> None:
    """Read an example and its parts; add what has no meaning to the report."""
    _read_moves(position, document, report)
    for scalar in _expressions(document):
        try:
            position.rules.game.words.expression(scalar.span, position.side)
        except GameError as error:
            for diagnostic in error.diagnostics:
                report.add(placed(diagnostic, scalar.span))
    for key in ("before", "after"):
        inner = document.get(key)
        if isinstance(inner, Document):
            read_from(position, inner, report)
    for key in ("cases", "then"):
        for part in parts(document, key):
            read_from(position, part, report)


def _read_moves(position: Position, document: Document, report: Report) -> None:
    if position.rules.game.numbered:
        return  # there, a letter and a number may stand for a move
    for key in _MOVES:
        for scalar in items(document.get(key)):
            try:
                read_move(scalar.text, (), position.rules.vocabulary)
            except UnreadableMoveError as error:
                report.error("example-failed", error.message, scalar.span, error.hint)
            except MoveError:
                continue


def _expressions(document: Document) -> Iterator[Scalar]:
    """Yield what must be an expression: a number of moves, and whatever values are told of."""
    count, values = document.get("count"), document.get("values")
    if isinstance(count, Scalar):
        yield count
    if isinstance(values, Document):
        yield from (key for key, _ in values.entries)
