"""What may be wrong with a text that was typed for a move and is none.

In: a position, the text, and what is seen to stand on the board. Out: a hint, or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_lowercase

from interpreter.evaluation.moves import words, words_of_all
from interpreter.positions.position import Position

_MOST_MEANT = 3  # moves that have the words that were typed
_MOST_NUMBERED = 6


def way_out(position: Position, typed: str, pieces: Mapping[str, str]) -> str:
    """Return what stands on a site that was named, which moves may be meant, or what to ask.

    It is the site from which nothing can move, else the last one. It is empty if a word of the
    text is no word of any move.
    """
    typed_words, legal = words(typed), position.moves()
    beginnings = {move.words[0] for move in legal if move.words}
    if len(typed_words) > 1 and beginnings <= pieces.keys() and typed_words[0] not in beginnings:
        first = typed_words[0]
        if first in pieces:
            return f"On {first} stands: {pieces[first]}. {_more(position, typed)}".rstrip()
        if position.rules.game.board.index(first) is not None:
            return f"{first} is empty."
    piece = pieces.get(typed_words[-1]) if typed_words else None
    if piece is not None:
        return f"On {typed_words[-1]} stands: {piece}."
    numbered = [
        short for short in map(position.short, legal) if short.strip(ascii_lowercase) == typed
    ]
    if numbered:
        more = " …" if len(numbered) > _MOST_NUMBERED else ""
        there = f"{', '.join(numbered[:_MOST_NUMBERED])}{more}"
        return f"At {typed} there {'is' if len(numbered) == 1 else 'are'}: {there}."
    meant = [move.text for move in legal if set(typed_words) <= set(move.words)]
    if typed_words and 0 < len(meant) <= _MOST_MEANT:
        return f"Did you mean {' or '.join(f'`{text}`' for text in meant)}?"
    known = words_of_all(position.rules.vocabulary)
    is_read = typed_words and known.issuperset(typed_words)
    return _more(position, typed) if is_read else ""


def _more(position: Position, typed: str) -> str:
    """Return what tells why a move is not legal: nothing where that would tell what is hidden."""
    return "" if position.rules.game.hides else f"`why {' '.join(typed.split())}` tells more."
