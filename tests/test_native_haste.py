"""Searches that random games rarely need are compiled in haste first, and well if they go on."""

from __future__ import annotations

import platform
import re

import pytest

from gdl.load import load_game
from interpreter.evaluation.chance import Chance
from interpreter.native.emit.stack import need_of
from interpreter.native.memory import context as c
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


@pytest.mark.parametrize("name", [name for name in GAMES if name != "trichet"])
@pytest.mark.skipif(platform.machine() != "x86_64", reason="reads assembly of x86-64")
def test_code_made_in_haste_keeps_to_the_stack_that_is_allowed(name: str) -> None:
    rules = NativeRules(load_game(name))
    written = rules.code.written
    functions, calls = written.shared.module.reached(c.OUTSIDE)
    taken = re.findall(
        r"^(\w+):|subq\s+\$(\d+), %rsp", rules.code.first_calls.engine.assembly, re.M
    )
    function, compared = "", 0
    for label, size in taken:
        function = label or function
        if size and function in functions:
            alone = {function: functions[function]}
            assert int(size) <= need_of(alone, calls, written.layout.frame_bytes).above
            compared += 1
    assert compared


def test_sets_as_arrays_are_never_compiled_in_haste() -> None:
    game = load_game("clobber")
    assert NativeRules(game).code.first_calls.in_haste
    assert not NativeRules(game, most_register_sites=0).code.first_calls.in_haste
