"""The pieces off the board, as words.

In: a game, and what its variables hold, all of them or those that a side sees. Out: how many pieces
are in which hand, and that as a text. What then holds: empty hands are not told, nor what has a
caption of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gdl.core.nodes import Slot
from gdl.model import Game

Held = Mapping[str, Mapping[str, int]]
"""Pieces by side (or `neutral`) and kind."""


def held_pieces(game: Game, values: Mapping[Slot, Any]) -> dict[str, dict[str, int]]:
    """Return how many pieces are off the board, by side (or `neutral`) and kind, but no 0."""
    return {
        side: {kind: values[slot] for kind, slot in slots.items() if values.get(slot, 0)}
        for side, slots in game.hands.items()
    }


def held_text(game: Game, held: Held) -> str:
    """Return the pieces off the board by side and kind; what has a caption is left to it."""
    kinds = dict.fromkeys(kind for slots in game.hands.values() for kind in slots)
    told: dict[str, list[str]] = {"In hand": [], "Off the board": []}
    for side, slots in game.hands.items():
        left = {k: n for k, n in held[side].items() if slots[k].name not in game.looks.captions}
        if left:
            numbers = (f"{kind} {n}" if len(kinds) > 1 else str(n) for kind, n in left.items())
            where = "Off the board" if side in game.last_hands else "In hand"
            told[where].append(f"{side} {', '.join(numbers)}")
    return ". ".join(f"{where}: {'; '.join(of)}" for where, of in told.items() if of)
