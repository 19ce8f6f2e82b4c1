"""OpenSpiel as a player: random games through its Python interface.

In: a game as `pyspiel.load_game` takes it. Out: rounds, whose moves are OpenSpiel's actions. Where
a whole move is several actions (from, to, arrow), each action is equally likely there, not each
move: games are a little different then, and only the speed is to be compared.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from random import Random
from typing import Any

from .measure import MOST_PLIES, Round

_GO = "go(board_size=9,komi=7.5,max_game_length=2000)"
OPENSPIEL: Mapping[str, str] = {
    "amazons": "amazons",
    "breakthrough": "breakthrough",
    "chess": "chess",
    "clobber": "clobber",
    "connect-four": "connect_four",
    "draughts": "checkers",
    "go": _GO,
    "go superko=no": _GO,
    "gomoku": "gomoku",
    "havannah": "havannah(board_size=8)",
    "hex": "hex(board_size=11)",
    "hex size=14": "hex(board_size=14)",
    "hex size=19": "hex(board_size=19)",
    "lines-of-action": "lines_of_action",
    "nine-mens-morris": "nine_mens_morris",
    "othello": "othello",
    "pentago": "pentago",
    "tic-tac-toe": "tic_tac_toe",
    "y": "y(board_size=9)",
}
"""Names in OpenSpiel, by our game with its options."""


def installed() -> bool:
    """Return whether OpenSpiel can be imported."""
    try:
        import pyspiel  # type: ignore[import-not-found] # noqa: F401
    except ImportError:
        return False
    return True


class OpenSpielPlayer:
    """Plays a game of OpenSpiel, which has to be installed."""

    def __init__(self, name: str) -> None:
        import pyspiel

        self._game: Any = pyspiel.load_game(name)
        self._random = Random(1)

    def play(self, games: int) -> Round:
        """Play so many games, one after the other."""
        begun = time.process_time()
        actions = sum(self._one() for _ in range(games))
        return Round(games, actions, time.process_time() - begun)

    def _one(self) -> int:
        state = self._game.new_initial_state()
        actions = 0
        while not state.is_terminal() and actions < MOST_PLIES:
            state.apply_action(self._random.choice(state.legal_actions()))
            actions += 1
        return actions
