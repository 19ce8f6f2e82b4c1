"""PettingZoo's own tests of environments, over games of all kinds, and what agents are shown."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from learned_games import LEARNED

import gdl

pytest.importorskip("pettingzoo", reason="the extra `rl` is not installed")

from pettingzoo.test import api_test, parallel_api_test, seed_test

from gdl.interpreter.learning.pettingzoo import AECGame, ParallelGame


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Leave out what these tests print, and their advice on what observations usually look like."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.mark.at_night("chinese-checkers", "othello", "breakthrough", "hex]")
@pytest.mark.parametrize("name", LEARNED)
def test_agents_one_after_another(name: str) -> None:
    rules = gdl.load(name)
    api_test(AECGame(rules), num_cycles=100)
    seed_test(lambda: AECGame(rules), num_cycles=20)


@pytest.mark.at_night("chinese-checkers", "othello", "breakthrough", "hex]")
@pytest.mark.parametrize("name", LEARNED)
def test_agents_all_at_once(name: str) -> None:
    parallel_api_test(ParallelGame(gdl.load(name)), num_cycles=100)


def test_a_win_is_worth_one_to_the_winner_and_takes_one_from_the_other() -> None:
    game = AECGame(gdl.load("tic-tac-toe"))
    game.reset()
    for text in ("a1", "a2", "b1", "b2", "c1"):
        names = [game._seats.env.actions.text(n) for n in range(game._seats.env.actions.size)]
        game.step(names.index(text))
    assert game.rewards == {"player_0": 1.0, "player_1": -1.0} and all(game.terminations.values())


def test_an_agent_is_not_shown_what_its_seat_does_not_see() -> None:
    game = AECGame(gdl.load("phantom-tic-tac-toe"))
    seen = []
    for action in (1, 2):
        game.reset()
        game.step(action)
        seen.append(game.observe("player_1"))
    assert all(np.array_equal(seen[0][name], seen[1][name]) for name in seen[0])
    game.reset()
    assert not game.observe("player_1")["action_mask"].any()
