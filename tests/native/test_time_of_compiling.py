"""Seconds that somebody asks for are for games: what is compiled meanwhile does not count."""

from __future__ import annotations

import itertools
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gdl.interpreter.cli.commands import playout
from gdl.interpreter.evaluation.playout import Statistics
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.load import load_game

_MANY = 200_000


def test_compiling_puts_off_the_end_of_random_games(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = NativeRules(load_game("tic-tac-toe"))
    part = rules.code.games
    begin = part.begin

    def long_begun() -> None:
        begin()
        part.seconds += 1000

    monkeypatch.setattr(part, "begin", long_begun)
    asked = rules.start(), _MANY, 1, 100
    assert rules.playouts(*asked, until=time.monotonic() - 2000).playouts < _MANY
    assert rules.playouts(*asked, until=time.monotonic()).playouts == _MANY


def test_a_first_game_is_not_refused_for_what_compiling_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = load_game("tic-tac-toe")
    seconds = {"llvm": 0.0}
    clock = itertools.count(0, 10)
    results = [Statistics(root.sides, 2), Statistics(root.sides, 2, playouts=1)]

    def playouts(*arguments: Any, until: float) -> Statistics:
        found = results.pop(0)
        seconds["llvm"] += 0 if found.playouts else 10
        return found

    monkeypatch.setattr(playout.time, "process_time", lambda: next(clock))
    native = SimpleNamespace(playouts=playouts, code=SimpleNamespace(seconds=seconds))
    prepared = SimpleNamespace(root=SimpleNamespace(state=None, rules=SimpleNamespace(game=root)))
    asked = SimpleNamespace(seed=1, max_plies=9)
    first = playout._first_game(cast(Any, prepared), cast(Any, native), cast(Any, asked))
    assert first.playouts == 1
