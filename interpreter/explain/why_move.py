"""Why a move is legal or not.

In: a position and a text. Out: an `Explanation`.
"""

from __future__ import annotations

from gdl.diagnostic import Span
from interpreter.evaluation.evaluator import RuleError
from interpreter.evaluation.moves import IllegalMoveError, Move
from interpreter.explain.endings import Made, over
from interpreter.explain.explanation import Explanation
from interpreter.explain.illegal import illegal, shown_move
from interpreter.explain.legal import legal
from interpreter.positions.position import Position


def why_move(position: Position, text: str) -> Explanation:
    """Return why a move is legal and what it does, or why it is not.

    Raises UnreadableMoveError or AmbiguousMoveError of a text that names no move, RuleError where
    the rules fail.
    """
    try:
        return legal(position, position.parse(text))
    except IllegalMoveError as error:
        if not position.over:
            return illegal(position, text, error)
    ended = over(position, None)
    return Explanation(
        "illegal",
        f"`{shown_move(text)}` can't be played: the game is over. {ended.sentence}",
        position,
        ended.rulings,
    )


def why_refused(
    position: Position, text: str, made: tuple[Position, Move] | None
) -> tuple[tuple[str, Span], ...]:
    """Return what forbids a move that can be read, with its place: one sentence, or none.

    That is the clause that ended the game, or a condition that fails. `made` is the last move and
    where it was made, if that is known. Raises nothing.
    """
    try:
        if position.over:
            clauses = over(position, None if made is None else Made(*made)).rulings
            return tuple(("This ends the game.", c.span) for c in clauses[-1:] if c.span)
        rulings = why_move(position, text).rulings
    except RuleError:
        return ()
    for ruling in rulings:
        if ruling.span is not None and ruling.reasons:
            return ((f"{ruling.sentence[0].upper()}{ruling.sentence[1:]}.", ruling.span),)
    return ()
