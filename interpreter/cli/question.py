"""What is asked of a person who types a move, and what is said to a text that is no move.

In: a game, and what is typed of a move so far. Out: texts. What then holds: nothing is told that
the person may not see.
"""

from __future__ import annotations

from collections.abc import Iterable

from gdl.diagnostic import suggest
from gdl.visible import visible_line
from interpreter.evaluation.moves import AmbiguousMoveError, MoveError, words, words_of_all
from interpreter.explain.asking import asked_for
from interpreter.positions.position import Position
from interpreter.positions.position_text import mover_text
from interpreter.positions.view import View
from interpreter.sessions.choosing import Choosing
from interpreter.sessions.clock import clock_text
from interpreter.sessions.entry import moves_a_piece, named_choices, next_words, words_alone
from interpreter.sessions.session import Session
from interpreter.sessions.slips import way_out
from interpreter.sessions.spelling import all_spelled

_MOST_SHOWN = 24  # words that may come next


def question(session: Session, begun: str) -> str:
    """Return what stands before what a person types, who has begun a move or not."""
    position = session.position
    legal = position.moves()
    choosing = Choosing(legal, words(begun))
    asked = visible_line(asked_for(position, choosing.fitting, len(choosing.chosen)))
    if not begun:
        clock, seat = session.clock, position.seat
        left = f" {clock_text(clock.left(seat))}" if clock is not None and seat else ""
        told = f"{mover_text(position)}{left}{f', {asked}' if asked else ''}"
        names = visible_line(", ".join(named_choices(position, choosing)))
        alone = visible_line(" or ".join(words_alone(position, choosing)))
        if names or not alone:
            return f"{told} ({names})> " if names else f"{told}> "
        return f"{told}, or {alone}> " if asked else f"{told}, a move or {alone}> "
    following = next_words(begun, legal)
    what = asked or ("to where" if moves_a_piece(begun, legal) else "and then")
    more = " …" if len(following) > _MOST_SHOWN else ""
    return f"{begun} - {what}? {' '.join(following[:_MOST_SHOWN])}{more}> "


def refusal(
    error: MoveError, typed: str, position: Position, shown: Position | View, other: Iterable[str]
) -> str:
    """Return what is wrong with a text that is no move, and what may have been meant.

    `shown` is what the person sees of the position; `other` words are understood besides moves.
    """
    if isinstance(error, AmbiguousMoveError):
        spelled = (text for text in all_spelled(position) if " @" in text)
        ways = [text for text in spelled if text.lower().startswith(typed.lower())]
        return f"{error.message} Type one of: {'; '.join(ways)}" if ways else str(error)
    hint = error.hint or _way_out(typed, position, shown, other)
    return f"{error.message} {hint}".rstrip()


def _way_out(typed: str, position: Position, shown: Position | View, other: Iterable[str]) -> str:
    """Return what may be wrong with a text that is no move, or nothing."""
    pieces = dict(shown.pieces) if isinstance(shown, View) else shown.pieces()
    told = way_out(position, typed, pieces)
    if told:
        return told
    known = words_of_all(position.rules.vocabulary)
    return "" if known & set(words(typed)) else suggest(typed.split()[0], other)
