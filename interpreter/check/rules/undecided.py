"""Turns in which nothing is decided.

In: the program of a game. Out: a warning. What then holds: no side, and no chance, ever has a
choice, so that each game of it is the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.core.walk import decisions_in
from gdl.diagnostic import Diagnostic
from gdl.model import Game
from interpreter.check.places import turn_span, warning


def nothing_decided(game: Game) -> Iterator[Diagnostic]:
    """Yield that nobody ever decides anything, if it is so."""
    if not any(decisions_in(turn.program) for turn in game.program.turns):
        yield warning(
            "nothing-decided",
            "In no turn is anything decided, so that all games are the same.",
            turn_span(game),
            "What a side decides is chosen, as in `choose s in empty`, and then used, as in `place"
            " Stone at s`; or it is one of the ways below `either` and `or`.",
        )
