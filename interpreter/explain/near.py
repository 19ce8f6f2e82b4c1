"""Legal moves that are like a text that is none.

In: a position and a text. Out: some of the legal moves, the most alike first.
"""

from __future__ import annotations

import math

from interpreter.evaluation.moves import Move, words
from interpreter.positions.position import Position

_MOST_NEAR = 6
_MOST_COMPARED = 20_000


def near(position: Position, text: str) -> list[Move]:
    """Return the legal moves most like a text: by the words they share, then by distance."""
    wanted = words(text)
    known = frozenset(wanted)
    board = position.rules.game.board
    asked = [board.index(word) for word in wanted]
    spots = [board.sites[index] for index in asked if index is not None]

    def distance(move: Move) -> tuple[int, float]:
        said = move.words
        shared = len(known.intersection(said))
        there = [board.index(word) for word in said]
        sites = [board.sites[index] for index in there if index is not None]
        apart = sum(math.dist((a.x, a.y), (b.x, b.y)) for a, b in zip(spots, sites, strict=False))
        return (-shared + abs(len(said) - len(wanted)), apart)

    return sorted(position.moves()[:_MOST_COMPARED], key=distance)[:_MOST_NEAR]
