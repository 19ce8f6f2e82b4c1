"""Moves as records keep them: a text for each that means it alone.

In: legal moves of a position. Out: texts, and the moves back. What then holds: where two legal
moves have one text, their decisions follow, as in `b2 @1,9`.
"""

from __future__ import annotations

from collections import Counter

from gdl.interpreter.evaluation.moves import IllegalMoveError, Move
from gdl.interpreter.positions.position import Position

_DECISIONS = " @"


def spelled(move: Move, position: Position) -> str:
    """Return a text that means this move alone among the legal ones."""
    same = [other for other in position.moves() if other.words == move.words]
    return move.text if len(same) < 2 else _with_decisions(move)


def all_spelled(position: Position) -> tuple[str, ...]:
    """Return, for each legal move in order, a text that means it alone."""
    legal = position.moves()
    number = Counter(move.words for move in legal)
    return tuple(move.text if number[move.words] < 2 else _with_decisions(move) for move in legal)


def _with_decisions(move: Move) -> str:
    return f"{move.text}{_DECISIONS}{','.join(map(str, move.decisions))}"


def is_spelled(text: str) -> bool:
    """Return whether a text has the decisions of a move with it, and so can mean no longer one."""
    return _DECISIONS in text


def unspelled(text: str, position: Position) -> Move:
    """Return the legal move that `spelled` gave the text of. Raises MoveError."""
    words_alone, marker, decisions = text.rpartition(_DECISIONS)
    if not marker:
        return position.parse(text)
    for move in position.moves():
        if ",".join(map(str, move.decisions)) == decisions.strip():
            return move
    raise IllegalMoveError(f"`{words_alone}` with the decisions {decisions} is not a legal move.")
