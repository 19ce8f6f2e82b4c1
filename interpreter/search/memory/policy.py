"""How a search chooses: its constants, with tables of what is often worked out of them.

In: constants. Out: a `Policy`, for compiled functions.
"""

from __future__ import annotations

from math import log, sqrt

from gdl.interpreter.search.machine.instructions import Floats, Record, array
from gdl.interpreter.search.memory.tree import NEVER

TABLED = 2048
"""Of how many visits there are tables."""


class Policy(Record):
    """How a search chooses.

    `weights` and `spreads` have the roots and the inverse roots below of few visits, which are
    those of most nodes.
    `exploration` is the weight of what is not known yet, `urgency` the value of a child that was
    not tried; `plies` the most moves of a random game. With `proves`, bounds are kept. Nodes of
    `split` moves or more are gone through by their first decisions, where these tell many apart.
    Each way down the tree ends in so many random `games`, and counts as often.
    """

    exploration: float
    urgency: float
    weights: Floats
    spreads: Floats
    plies: int
    proves: bool
    split: int
    games: int


def new_policy(
    exploration: float,
    urgency: float,
    plies: int,
    *,
    proves: bool,
    split: int = NEVER,
    games: int = 1,
) -> Policy:
    """Return how a search chooses, with its tables."""
    weights, spreads = array("Floats", TABLED), array("Floats", TABLED)
    for visits in range(TABLED):
        weights[visits] = exploration * sqrt(log(1 + visits))
        spreads[visits] = 1 / sqrt(max(1, visits))
    return Policy(
        exploration=exploration,
        urgency=urgency,
        weights=weights,
        spreads=spreads,
        plies=plies,
        proves=proves,
        split=split,
        games=games,
    )
