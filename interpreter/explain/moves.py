"""Why a move is legal or not.

In: a position and a text. Out: an `Explanation`.
"""

from __future__ import annotations

from interpreter.evaluation.moves import IllegalMoveError
from interpreter.explain.endings import over
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
