"""Games that the interfaces of learning programs are tested with: ten by day, all at night.

In: the shipped games. Out: parameters for pytest. What then holds: among the ten are puzzles,
chance, what is hidden, rounds that are decided together, turns of several decisions and more than
two sides.
"""

from __future__ import annotations

from typing import Any

import pytest

from gdl.load import shipped_names

_BY_DAY = frozenset(
    {
        "8-puzzle",
        "breakthrough",
        "chinese-checkers",
        "goofspiel",
        "hex",
        "kalah",
        "othello",
        "phantom-tic-tac-toe",
        "royal-game-of-ur",
        "tic-tac-toe",
    }
)

LEARNED: list[Any] = [
    pytest.param(name, marks=[] if name in _BY_DAY else [pytest.mark.slow])
    for name in shipped_names()
]
