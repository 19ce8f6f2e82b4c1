"""Code is compiled soon at first, and well when that pays: what it does is the same."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gdl.interpreter.native.runtime import compiled as compiling
from gdl.interpreter.native.runtime.machine_code import VARIABLE
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.load import load_game

PLIES = 300
GAMES = ("chess", "draughts", "shogi")
"""Moves of the first are drawn, of the second partly searched for, of the third always."""


@pytest.fixture(autouse=True)
def _without_code_of_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "code"))


def compiled(name: str) -> NativeRules:
    rules = NativeRules(load_game(name))
    rules.compile()
    return rules


def test_who_plays_little_plays_with_provisional_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_SECONDS_A_CHARACTER", 1.0)
    rules = NativeRules(load_game("hex"))
    rules.playouts(rules.start(), 10, 1, PLIES)
    rules.perft(rules.start(), 2)
    assert rules.code.games.is_provisional and rules.code.calls.is_provisional


@pytest.mark.at_night("chess", "shogi")
@pytest.mark.parametrize("name", GAMES)
def test_games_that_begin_with_provisional_code_are_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "_SECONDS_A_CHARACTER", 1e-10)
    monkeypatch.setattr(compiling, "_TIMES_AS_LONG", 0)
    well, soon = compiled(name), NativeRules(load_game(name))
    start = soon.start()
    expected = well.playouts(start, 40, 3, PLIES)
    assert soon.playouts(start, 40, 3, PLIES, 2) == expected
    assert not soon.code.games.is_provisional
    assert soon.playouts(start, 40, 3, PLIES) == expected


def test_positions_that_are_counted_with_provisional_code_are_as_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiling, "_SECONDS_A_CHARACTER", 1e-10)
    monkeypatch.setattr(compiling, "_TIMES_AS_LONG", 0)
    rules = NativeRules(load_game("chess"))
    assert rules.perft(rules.start(), 4, threads=2) == 197_281
    assert rules.perft(rules.start(), 4) == 197_281
    assert not rules.code.calls.is_provisional
    assert rules.code.games.cost == 0


def test_single_calls_are_made_by_better_code_in_the_end() -> None:
    rules = NativeRules(load_game("breakthrough"))
    before = [move.text for move in rules.legal(rules.start())]
    assert rules.code.calls.is_provisional
    rules.code.took(1e6)
    assert [move.text for move in rules.legal(rules.start())] == before
    assert not rules.code.calls.is_provisional


def test_no_time_is_spent_on_better_code_that_little_is_left_for() -> None:
    rules = NativeRules(load_game("breakthrough"))
    rules.legal(rules.start())
    rules.code.took(1e6)
    now = time.monotonic()
    assert rules.code.turning_point(now + rules.code.calls.cost) is None
    assert rules.code.turning_point(now + 1e6) is not None
    rules.code.improve(now)
    assert rules.code.calls.is_provisional


def test_code_that_was_compiled_well_before_is_used_at_once() -> None:
    compiled("hex")
    rules = NativeRules(load_game("hex"))
    rules.playouts(rules.start(), 1, 1, PLIES)
    assert rules.code.games.is_compiled and not rules.code.games.is_provisional
