"""Why a move is legal or not.

In: a position and a text. Out: an `Explanation`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gdl.diagnostic import Span
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import (
    AmbiguousMoveError,
    IllegalMoveError,
    Move,
    MoveError,
    words,
    words_of_all,
)
from gdl.interpreter.explain.endings import Made, over
from gdl.interpreter.explain.explanation import Explanation
from gdl.interpreter.explain.illegal import illegal, shown_move
from gdl.interpreter.explain.legal import legal
from gdl.interpreter.positions.position import Position

Reader = Callable[[str, Position], Move]
"""What gives the legal move of a position that a text means. It may raise MoveError."""


def plainly_read(text: str, position: Position) -> Move:
    """Return the legal move of which this is the text. Raises MoveError."""
    return position.parse(text)


def why_move(position: Position, text: str, read: Reader = plainly_read) -> Explanation:
    """Return why a move is legal and what it does, or why it is not.

    `read` is asked what a text means that neither is a move nor begins one. Raises
    UnreadableMoveError or AmbiguousMoveError of a text that names no move, RuleError where the
    rules fail.
    """
    try:
        move = _meant(position, text, read)
        told = legal(position, move)
        if words(text) in move.forms:
            return told
        meant = f"`{shown_move(text)}` means `{move}`, which is a legal move of {position.decider}."
        return replace(told, sentence=meant)
    except IllegalMoveError as error:
        if not position.over:
            return _of_notation(position, text, error) or illegal(position, text, error)
    ended = over(position, None)
    return Explanation(
        "illegal",
        f"`{shown_move(text)}` can't be played: the game is over. {ended.sentence}",
        position,
        ended.rulings,
    )


def _of_notation(position: Position, text: str, error: MoveError) -> Explanation | None:
    """Return why what a text means in a notation of the game is no legal move, if it is in one."""
    if words_of_all(position.rules.vocabulary).issuperset(words(text)):
        return None
    for known in position.rules.writings.values():
        writing = known.at(position)
        if not any(True for _ in writing.meanings(text)) or position.seat is None:
            continue
        own = writing.own_words(text, position)
        if own:
            told = illegal(position, own, error)
            sentence = told.sentence.replace("` ", "`, which ", 1)
            return replace(told, sentence=f"`{shown_move(text)}` means {sentence}")
        sentence = f"`{shown_move(text)}` is not a legal move of {position.decider}."
        return Explanation("illegal", sentence, position)
    return None


def _meant(position: Position, text: str, read: Reader) -> Move:
    """Return the legal move that a text is or, unless some legal move begins so, that it means."""
    try:
        return position.parse(text)
    except AmbiguousMoveError:
        raise
    except MoveError:
        begun = words(text)
        forms = (form for move in position.moves() for form in move.forms)
        if any(form[: len(begun)] == begun for form in forms):
            raise
        return read(text, position)


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
