"""Moves entered in steps: what can follow the words that are there already.

In: the beginning of a move, and the legal moves. Out: the words that may come next. What then
holds: each of them, written after the beginning, begins a legal move again or is one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.evaluation.moves import Move, words
from interpreter.positions.position import Position
from interpreter.sessions.choosing import Choosing

_MOST_CHOICES, _MOST_ALONE, _MOST_FURTHER = 9, 2, 3
_BETWEEN_WORDS = re.compile(r"[\s,-]+")


def next_words(beginning: str, legal: Sequence[Move]) -> tuple[str, ...]:
    """Return the words that can follow `beginning` in a legal move, in the order of the moves.

    >>> moves = [Move((1, 3), "b2-b4"), Move((1, 4), "b2-b5"), Move((0, 9), "a1-c3")]
    >>> next_words("b2", moves), next_words("", moves), next_words("b2 b4", moves)
    (('b4', 'b5'), ('b2', 'a1'), ())
    """
    begun = words(beginning)
    found: dict[str, None] = {}
    for move in legal:
        for parts in move.forms:
            if len(parts) > len(begun) and parts[: len(begun)] == begun:
                found[parts[len(begun)]] = None
    return tuple(found)


def further_ways(made: Move, legal: Sequence[Move]) -> tuple[str, ...]:
    """Return the few moves that a move begins, if there are few: who typed it may have meant one.

    >>> moves = [Move((1, 3), "b2-b4"), Move((1, 3, 1), "b2-b4 promote"), Move((0, 9), "a1-c3")]
    >>> further_ways(moves[0], moves), further_ways(moves[2], moves)
    (('b2-b4 promote',), ())
    """
    begun = made.words
    found = [
        one.text
        for one in legal
        if len(one.words) > len(begun) and one.words[: len(begun)] == begun
    ]
    return tuple(found) if len(found) <= _MOST_FURTHER else ()


def named_choices(
    position: Position, choosing: Choosing, most: int = _MOST_CHOICES
) -> tuple[str, ...]:
    """Return what may be chosen next as it is written in moves, at `most` so many.

    What is chosen already is left out; empty where a site may be chosen, too, or more than that.
    """
    board = position.rules.game.board
    if any(board.index(word) is not None for word in choosing.offered()):
        return ()
    offers = choosing.offers
    if not 1 < len(offers) <= most:
        return ()
    written = {
        word.lower(): word for move in choosing.fitting for word in _BETWEEN_WORDS.split(move.text)
    }
    return tuple(written.get(word, word) for word in offers)


def moves_a_piece(beginning: str, legal: Sequence[Move]) -> bool:
    """Return whether `beginning` is the site that pieces are moved from.

    >>> moves_a_piece("b2", [Move((1, 3), "b2-b4")]), moves_a_piece("c3", [Move((1, 2), "c3 f3")])
    (True, False)
    """
    start = "-".join(words(beginning)) + "-"
    return any(move.text.lower().startswith(start) for move in legal)


def words_alone(position: Position, choosing: Choosing) -> tuple[str, ...]:
    """Return the words that are a whole move beside moves that name sites, such as `pass`, `swap`.

    Nothing if there are more than two, or if something is chosen already.
    """
    board = position.rules.game.board
    others = [text for text in dict.fromkeys(choosing.offers) if board.index(text) is None]
    is_whole = {move.text for move in choosing.legal}
    alone = tuple(word for word in others if word in is_whole)
    is_beside = len(others) < len(choosing.offers)
    return alone if is_beside and not choosing.chosen and len(alone) <= _MOST_ALONE else ()
