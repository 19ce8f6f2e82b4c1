"""Of searches, random games compile first what they alone need, and all if they go on."""

from __future__ import annotations

import pytest

from gdl.load import load_game
from interpreter.evaluation.chance import Chance
from interpreter.native.runtime import random_games
from interpreter.native.runtime.rules import NativeRules

GAMES = ("abalone", "clobber", "dvonn", "minichess", "royal-game-of-ur", "trichet")
"""Games in which some random moves, or the ends of games, are searched for; the last has sets as
arrays."""
PLIES = 400


def outcomes(rules: NativeRules) -> list[tuple[int, object]]:
    """Return how some random games went, each played alone."""
    played = [rules.playout(rules.start(), Chance(3, number), PLIES) for number in range(6)]
    return [(one.moves, one.state.values) for one in played]


@pytest.mark.parametrize("name", GAMES)
def test_the_same_games_are_played_by_code_made_in_haste(name: str) -> None:
    game = load_game(name)
    hasty, well_made = NativeRules(game), NativeRules(game)
    well_made.code.compile_searches()
    assert outcomes(hasty) == outcomes(well_made)
    first = hasty.playouts(hasty.start(), 20, 5, PLIES, 2)
    assert first == well_made.playouts(well_made.start(), 20, 5, PLIES)
    assert hasty.code.first_calls.is_compiled
    assert not well_made.code.first_calls.is_compiled


@pytest.mark.parametrize("calls", [1, 7, 60])
def test_after_some_calls_good_code_is_made(calls: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_games, "_FIRST_CALLS", calls)
    game = load_game("clobber")
    rules, expected = NativeRules(game), NativeRules(game)
    expected.code.compile_searches()
    found = rules.playouts(rules.start(), 200, 5, PLIES)
    assert rules.code.first_calls.is_compiled
    assert rules.code.calls.is_compiled
    assert found == expected.playouts(expected.start(), 200, 5, PLIES)


def test_single_games_use_the_calls_up_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_games, "_FIRST_CALLS", 30)
    rules = NativeRules(load_game("clobber"))
    for number in range(100):
        rules.playout(rules.start(), Chance(1, number), PLIES)
        if rules.code.calls.is_compiled:
            break
    assert 1 < number < 31
