"""The entries of an example, as they stand in the file.

In: nodes of the document. Out: their texts, with places; a finding with a place in the example.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, GameError, Hint, Report, Span, suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.document.nodes import Sequence as ListNode
from gdl.interpreter.evaluation.moves import MoveError, UnreadableMoveError, read_move
from gdl.interpreter.positions.position import Position


def items(node: Node | None) -> Iterator[Scalar]:
    """Yield the entries of a list, or the parts of a text between its commas."""
    if isinstance(node, ListNode):
        yield from (item for item in node.items if isinstance(item, Scalar))
    elif isinstance(node, Scalar):
        start = node.span.start
        for part in node.span.text.split(","):
            text = part.strip()
            if text:
                begin = start + part.index(text)
                yield Scalar(text, Span(node.span.source, begin, begin + len(text)))
            start += len(part) + 1


def text_of(document: Document, key: str) -> str:
    """Return the text of an entry, its spaces trimmed; empty if there is none."""
    node = document.get(key)
    return trimmed(node) if node is not None else ""


def trimmed(node: Node) -> str:
    """Return a node's text with single spaces; empty if it is not a text."""
    return " ".join(node.text.split()) if isinstance(node, Scalar) else ""


def placed(diagnostic: Diagnostic, span: Span) -> Diagnostic:
    """Return a finding with the example as its place, and its own place as a further one."""
    if diagnostic.span is None:
        return diagnostic.placed(span)
    inside = span.start <= diagnostic.span.start <= span.end
    if inside and diagnostic.span.source == span.source:
        return diagnostic
    return Diagnostic(
        diagnostic.code,
        diagnostic.message,
        span,
        diagnostic.hint,
        diagnostic.severity,
        (("It comes from here.", diagnostic.span), *diagnostic.related),
        edit=diagnostic.edit,
    )


def parts(document: Document, key: str) -> list[Document]:
    """Return the parts of an example that an entry lists: those of `then`, or of `cases`."""
    node = document.get(key)
    listed = node.items if isinstance(node, ListNode) else ()
    return [part for part in listed if isinstance(part, Document)]


# ------------------------------------------------------- what an example says, read without playing

_MOVES = ("play", "legal", "illegal", "only")


def read_from(position: Position, document: Document, report: Report) -> None:
    """Read an example and its parts; add what has no meaning to the report."""
    _read_moves(position, document, report)
    _read_sides(position, document, report)
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
    if position.rules.game.numbered or position.rules.game.notations:
        return  # there, other words may stand for a move, which hang on the position
    for key in _MOVES:
        for scalar in items(document.get(key)):
            try:
                read_move(scalar.text, (), position.rules.vocabulary)
            except UnreadableMoveError as error:
                report.error(Code.EXAMPLE_FAILED, error.message, scalar.span, error.hint)
            except MoveError:
                continue


def _read_sides(position: Position, document: Document, report: Report) -> None:
    sides = position.rules.sides
    winner, mover = document.get("winner"), document.get("to_move")
    if isinstance(winner, Scalar) and (told := no_side(trimmed(winner), results(sides))):
        report.error(Code.EXAMPLE_FAILED, told[0], winner.span, told[1])
    if isinstance(mover, Scalar) and (told := no_side(side_named(mover, sides), sides)):
        report.error(Code.EXAMPLE_FAILED, told[0], mover.span, told[1])


def side_named(node: Node, sides: Sequence[str]) -> str:
    """Return the side that a text names, with small or capital letters; the text if it is none."""
    text = trimmed(node)
    return next((side for side in sides if side.lower() == text.lower()), text)


def results(sides: Sequence[str]) -> tuple[str, ...]:
    """Return what may stand as the winner of a game of these sides."""
    return (*sides, "lost" if len(sides) == 1 else "draw", "nobody")


def no_side(text: str, known: Sequence[str]) -> tuple[str, Hint] | None:
    """Return a sentence and a hint for names, with commas, of which one is not known.

    >>> no_side("White, Blak", ("White", "Black"))
    ('`Blak` is no side.', Suggestion(word='Black'))
    """
    found = next((name for name in map(str.strip, text.split(",")) if name not in known), None)
    if found is None:
        return None
    hint = suggest(found, known) or f"There are: {', '.join(known)}."
    return f"`{found}` is no side.", hint


def _expressions(document: Document) -> Iterator[Scalar]:
    """Yield what must be an expression: a number of moves, and whatever values are told of."""
    count, values = document.get("count"), document.get("values")
    if isinstance(count, Scalar):
        yield count
    if isinstance(values, Document):
        yield from (key for key, _ in values.entries)
