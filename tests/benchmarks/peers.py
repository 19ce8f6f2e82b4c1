"""Peers in C++: random games of OpenSpiel and Regular Boardgames, built by `cpp/build.sh FOLDER`.

In: the folder with what was built. Out: players of a game, for `table --peers FOLDER`. What then
holds: nothing of Python is timed; each action of OpenSpiel's is equally likely, and each move of
Regular Boardgames', whose rules differ here and there in when a game is drawn: the table has the
lengths of games beside the speeds.

`python -m tests.benchmarks.peers rbg` and `… spiel` name what is to be built.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from .openspiel import OPENSPIEL
from .programs import Running

RBG: Mapping[str, str] = {
    "amazons": "amazons",
    "arimaa": "arimaa",
    "breakthrough": "breakthrough",
    "chess": "chess",
    "connect-four": "connect4",
    "connect6": "connect6",
    "draughts": "englishDraughts",
    "go superko=no": "go",
    "gomoku": "gomoku_freeStyle",
    "hex": "hex",
    "international-draughts": "internationalDraughts",
    "nine-mens-morris": "theMillGame",
    "othello": "reversi",
    "pentago": "pentago",
    "tic-tac-toe": "ticTacToe",
    "yavalath": "yavalath",
}
"""Files of Regular Boardgames, by our game with its options."""

IN_CPP: Mapping[str, str] = {
    **OPENSPIEL,
    "antichess": "antichess",
    "backgammon": "backgammon",
    "crazyhouse": "crazyhouse",
    "hive": "hive(uses_mosquito=false,uses_ladybug=false,uses_pillbug=false)",
    "oware": "oware",
    "quoridor": "quoridor",
    "shogi": "shogi",
    "ultimate-tic-tac-toe": "ultimate_tic_tac_toe",
    "xiangqi": "xiangqi",
}
"""Names in OpenSpiel of what its C++ plays, by our game with its options."""


def spiel(case: str, folder: Path) -> Running | None:
    """Return who plays a case as OpenSpiel's C++, or None if it has none or is not built."""
    program = folder / "bin" / "spiel"
    return Running([program, IN_CPP[case]]) if case in IN_CPP and program.is_file() else None


def rbg(case: str, folder: Path) -> Running | None:
    """Return who plays a case as Regular Boardgames, or None if it has none or is not built."""
    program = folder / "bin" / f"rbg-{RBG.get(case, '')}"
    return Running([program]) if program.is_file() else None


if __name__ == "__main__":
    named = RBG if sys.argv[1:] == ["rbg"] else IN_CPP
    print(*sorted({name.partition("(")[0] for name in named.values()}))
