"""Moves as people type them: run together, cut short, or by the letter of a piece.

In: a text, and a position. Out: the one legal move that it means. What then holds: a text that
reads as a move by itself is that move; a shorter one is a move only if no other can be meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interpreter.evaluation.moves import AmbiguousMoveError, Move, MoveError, words
from interpreter.positions.position import Position
from interpreter.sessions.spelling import unspelled

_MOST_SHOWN = 8
_PIECE = re.compile(r"([a-z])([a-wyz]?)([0-9]*?)x?([a-z]+[0-9]+)([a-z]*)")


def typed_move(text: str, position: Position) -> Move:
    """Return the legal move that a text means, as `unspelled` does, or in a shorter spelling.

    `c3d4` is c3-d4; `d` is d4 where that alone begins so; `Nb1` is the only move of a piece drawn
    as N to b1, `Ngf3` that of the one in column g; `e4` the only move there. Raises MoveError.
    """
    try:
        return unspelled(text, position)
    except AmbiguousMoveError:
        raise
    except MoveError as problem:
        for read in (_run_together, _cut_short, _by_piece, _by_goal):
            found = tuple(dict.fromkeys(read(text, position)))
            if len(found) == 1:
                return found[0]
            if found and read in (_run_together, _by_piece):
                shown = ", ".join(move.text for move in found[:_MOST_SHOWN])
                message = f"`{text.strip()}` can mean {len(found)} moves."
                raise AmbiguousMoveError(message, f"They are: {shown}.") from None
        raise problem from None


def _run_together(text: str, position: Position) -> Iterator[Move]:
    """Yield the moves whose words are these letters, without anything between them."""
    typed = _joined(words(text))
    for move in position.moves():
        if typed and any(_joined(form) == typed for form in move.forms):
            yield move


def _cut_short(text: str, position: Position) -> Iterator[Move]:
    """Yield the moves of which these are the letters but for the end of the last word."""
    typed = _joined(words(text))
    for move in position.moves():
        for form in move.forms:
            whole = _joined(form)
            is_begun = len(_joined(form[:-1])) < len(typed) < len(whole)
            is_cut_in_number = typed[-1:].isdigit() and whole[len(typed) :][:1].isdigit()
            if is_begun and whole.startswith(typed) and not is_cut_in_number:
                yield move


def _by_piece(text: str, position: Position) -> Iterator[Move]:
    """Yield the moves by which a piece, told by the letter it is drawn as, comes to a site."""
    told = _PIECE.fullmatch(_joined(text.lower().replace("=", "").rstrip("+#").split()))
    if told is None:
        return
    letter, column, row, target, rest = told.groups()
    symbols = {
        position.rules.game.board.sites[index].name: layer.symbol.lower()
        for index, layer in position.occupied()
    }
    for move in position.moves():
        for form in move.forms:
            begins = symbols.get(form[0]) == letter and form[0].startswith(column)
            is_there = form[1:2] == (target,) and _joined(form[2:]).startswith(rest)
            if begins and is_there and form[0].endswith(row):
                yield move


def _by_goal(text: str, position: Position) -> Iterator[Move]:
    """Yield the moves that lead to a site, if none begins there."""
    typed, legal = words(text), position.moves()
    if not any(form[:1] == typed for move in legal for form in move.forms):
        yield from (move for move in legal if any(form[1:] == typed for form in move.forms))


def _joined(parts: Iterable[str]) -> str:
    return "".join(parts)
