"""Searches are compiled when random games first need them, if they do; the games are the same."""

from __future__ import annotations

import pytest

from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.load import load_game

SEARCHED = ("draughts", "einstein", "trichet")
"""Games in which some random moves are searched for; the last has sets as arrays."""
DRAWN = ("abalone", "clobber", "dvonn", "minichess", "royal-game-of-ur", "twixt")
"""Games in which most numbers that are drawn name no move, or some positions have none."""
PLIES = 400


def outcomes(rules: NativeRules) -> list[tuple[int, object]]:
    """Return how some random games went, each played alone."""
    played = [rules.playout(rules.start(), Chance(3, number), PLIES) for number in range(6)]
    return [(one.moves, one.state.values) for one in played]


@pytest.mark.at_night("trichet", "twixt", "minichess", "abalone", "royal-game-of-ur", "dvonn")
@pytest.mark.parametrize("name", (*SEARCHED, *DRAWN))
def test_the_same_games_are_played_where_searches_are_compiled_late(name: str) -> None:
    game = load_game(name)
    late, early = NativeRules(game), NativeRules(game)
    early.code.calls.compile()
    assert not late.code.calls.is_compiled
    assert outcomes(late) == outcomes(early)
    first = late.playouts(late.start(), 20, 5, PLIES, 2)
    assert first == early.playouts(early.start(), 20, 5, PLIES)
    assert late.code.calls.is_compiled == (name in SEARCHED)
