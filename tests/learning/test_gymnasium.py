"""Gymnasium's own check of environments, and one seat of many games against others."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from learned_games import LEARNED

import gdl

pytest.importorskip("gymnasium", reason="the extra `rl` is not installed")

from gymnasium.utils.env_checker import check_env

from gdl.interpreter.learning.gymnasium import Opponent, SoloGame, VectorGame, at_random, by_engine


@pytest.mark.at_night("chinese-checkers", "breakthrough", "hex]")
@pytest.mark.parametrize("name", LEARNED)
def test_one_game(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        check_env(SoloGame(gdl.load(name), illegal="lose"), skip_render_check=True)


def played(games: VectorGame, steps: int) -> tuple[float, int]:
    """Play at random; return the sum of rewards, and how many games were over."""
    chance, total, over = np.random.default_rng(1), 0.0, 0
    observed, _ = games.reset(seed=1)
    for _ in range(steps):
        mask = observed["action_mask"]
        picks = [chance.choice(np.flatnonzero(row)) if row.any() else 0 for row in mask]
        observed, reward, ended, cut, _ = games.step(np.array(picks))
        assert observed in games.observation_space
        assert not reward[~ended].any()
        assert observed["action_mask"].any(axis=1)[~(ended | cut)].all()
        total, over = total + reward.sum(), over + int((ended | cut).sum())
    return total, over


def engine(rules: gdl.Rules) -> Opponent:
    return by_engine(gdl.Engine(rules, seed=1), iterations=50)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_against_others_in_many_games(seat: int) -> None:
    rules = gdl.load("tic-tac-toe")
    for opponent, least, most in ((at_random, -0.5, 0.5), (engine(rules), -1.0, -0.3)):
        games = VectorGame(rules, 8, seat=seat, opponent=opponent)
        total, over = played(games, 60)
        assert over > 50 and least <= total / over <= most, (total, over)


def test_a_turn_of_several_decisions_is_the_engines_as_a_whole() -> None:
    rules = gdl.load("breakthrough")
    _, over = played(VectorGame(rules, 2, opponent=engine(rules)), 120)
    assert over >= 1


def test_what_cannot_be_is_refused() -> None:
    hidden = gdl.load("phantom-tic-tac-toe")
    with pytest.raises(ValueError, match="hides something"):
        by_engine(gdl.Engine(hidden), iterations=10)
    with pytest.raises(ValueError, match="seat: 2, and there are those from 0 to 1"):
        VectorGame(hidden, seat=2)
    with pytest.raises(TypeError, match="one seed is wanted"):
        VectorGame(hidden, 2).reset(seed=[1, 2])
    games = VectorGame(hidden)
    games.reset()
    with pytest.raises(gdl.IllegalMoveError):
        games.step(np.array([0]))
