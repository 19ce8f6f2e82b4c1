"""The position that an example begins with.

In: rules, and an example that describes a position by `rows` or `setup`, `mover`, `phase`,
`seats`, `state`, `turns` and `passed`. Out: that position; that of the start if nothing is said.
"""

from __future__ import annotations

from gdl.diagnostic import Diagnostic, GameError
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Scalar
from interpreter.positions.examples.entries import items, text_of
from interpreter.positions.position import Position, Rules
from interpreter.positions.setting import Setting

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
        raise GameError([Diagnostic("wrong-value", message, drawn[0].span, hint)])


def _counted(document: Document, key: str) -> int:
    """Return a number of turns, 0 if nothing is said."""
    node = document.get(key)
    text = text_of(document, key)
    if node is None or (text.isdecimal() and len(text) <= _MOST_DIGITS):
        return int(text or 0)
    message = f"`{key}` is a number of turns, not `{text[:60]}`."
    raise GameError([Diagnostic("wrong-value", message, node.span, "Write for instance 3.")])
