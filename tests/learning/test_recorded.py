"""Whole random games as arrays, gone through again by the rules."""

from __future__ import annotations

import numpy as np
import pytest

import gdl
from gdl.interpreter.learning.recorded import random_games


@pytest.mark.parametrize("name", ["tic-tac-toe", "breakthrough", "royal-game-of-ur", "kalah"])
def test_games_are_gone_through_again(name: str) -> None:
    rules = gdl.load(name)
    games = random_games(rules, 20, seed=1, max_plies=60, states=True)
    assert games.observations is not None and games.scalars is not None
    with gdl.Env(rules, 1, auto_reset=False, chance="explicit", max_plies=60) as env:
        for number, (begin, end) in enumerate(zip(games.offsets, games.offsets[1:], strict=False)):
            step, reward = env.reset(), np.zeros(env.seats, np.float32)
            for place in range(begin, end):
                assert step.seat[0] == games.seats[place]
                assert (step.observation[0] == games.observations[place]).all()
                assert (step.scalars[0] == games.scalars[place]).all()
                step = env.step(games.actions[place : place + 1])
                reward += step.reward[0]
            assert step.terminated[0] == games.finished[number]
            assert step.terminated[0] or step.truncated[0]
            assert (reward == games.rewards[number]).all()


def test_a_game_is_the_same_among_any_others() -> None:
    rules = gdl.load("tic-tac-toe")
    many, few = random_games(rules, 5000, seed=3), random_games(rules, 7, seed=3, threads=2)
    assert (many.actions[: few.offsets[-1]] == few.actions).all()
    other = random_games(rules, 7, seed=4)
    assert len(other.actions) != len(few.actions) or (other.actions != few.actions).any()
    assert repr(few) == f"<7 games of {len(few.actions)} decisions>"


def test_results_are_those_of_playouts() -> None:
    """Both draw among all moves, each equally likely: their shares agree within five errors."""
    rules = gdl.load("breakthrough")
    games = random_games(rules, 4000, seed=5)
    playouts = rules.native().playouts(rules.start(), 4000, seed=5)
    shares = [(games.rewards[:, 0] > 0).mean(), playouts.won_by_seat[:, 0].mean()]
    assert abs(shares[0] - shares[1]) < 5 * (2 * 0.25 / 4000) ** 0.5


def test_wrong_calls_are_told() -> None:
    rules = gdl.load("tic-tac-toe")
    with pytest.raises(TypeError, match="as `load` gives them"):
        random_games("hex", 1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="count: 0, and 1 is the least"):
        random_games(rules, 0)
