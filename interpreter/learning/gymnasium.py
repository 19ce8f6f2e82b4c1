"""Gymnasium: puzzles, or one seat against an opponent, many at once or one alone.

In: rules, and who plays the other seats. Out: `VectorGame`, `SoloGame` (M. Towers et al.,
"Gymnasium: A Standard Interface for Reinforcement Learning Environments", 2024). What then holds:
it is always for the learner's seat to decide, or the game is over.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from gdl.diagnostic import wanted, whole_number
from gdl.interpreter.environment import Env
from gdl.interpreter.learning.pettingzoo import observation_space
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.search.engine import Engine
from gdl.model import Game

_RENDER_MODES = ("ansi", "human")
_NONE = -1

Observed = dict[str, NDArray[Any]]
Opponent = Callable[[Env, NDArray[np.int64]], NDArray[np.int32]]
"""What plays the other seats: `opponent(env, rows)` gives actions for the rows [R] in which one of
them is on turn: a decision each [R], and it is asked anew for the next one; or whole turns [R, K],
with -1 behind the last decision. What `env` has of all rows (`env.now.mask[rows]`) it may read."""


def at_random(env: Env, rows: NDArray[np.int64]) -> NDArray[np.int32]:
    """Choose among what is legal, each action equally likely: an `Opponent`."""
    return env.sample()[rows]


def by_engine(engine: Engine, *, iterations: int) -> Opponent:
    """Return an `Opponent` that plays the engine's best move, found by so many iterations.

    Raises ValueError for a game that hides something: the engine would look at the whole position.
    """
    wanted(engine, Engine, "an Engine")
    iterations = whole_number("iterations", iterations, 1)
    if engine.rules.game.hides:
        raise ValueError(f"{engine.rules.name} hides something, and the engine would see all")

    def best(env: Env, rows: NDArray[np.int64]) -> NDArray[np.int32]:
        turns = []
        for position in env.positions(rows):
            analysis = engine.analyse(position, iterations=iterations, lines=0)
            move = analysis.best_move or position.moves()[0]
            turns.append(env.actions.ids(position, move))
        actions = np.full((len(turns), max(map(len, turns))), -1, np.int32)
        for row, turn in enumerate(turns):
            actions[row, : len(turn)] = turn
        return actions

    return best


class VectorGame(VectorEnv[Observed, NDArray[Any], NDArray[Any]]):
    """Many games of one kind: puzzles, or one `seat` of each against an `opponent`.

    Observations are dictionaries of arrays with a row a game, as of `AECGame`: `observation`
    [N, P, S], `scalars` [N, V], `action_mask` [N, A]. Actions [N] are decisions. A game that is
    over begins anew at the next step, whose action for it is not looked at
    (`AutoresetMode.NEXT_STEP`).
    `threads` share the games. An `illegal` action raises IllegalMoveError, or loses: as
    Gymnasium's `check_env` draws actions without a look at the mask, it wants `illegal="lose"`.

    `opponent(env, rows)` plays where another seat is on turn: it is given the `Env` and those rows
    [R] (int64), and returns an action for each [R], or whole turns [R, K] with -1 behind the last
    decision. It is asked anew until the seat is on turn again in all games.

    Raises ValueError for a seat that there is not, and GameError and Uncovered as `Env` does.

    >>> from gdl.interpreter import load
    >>> games = VectorGame(load("hex", options={"size": 3}), 4, opponent=at_random)
    >>> observed, _ = games.reset(seed=1)
    >>> observed["action_mask"].sum(axis=1)
    array([9, 9, 9, 9])
    """

    def __init__(
        self,
        game: Rules | Game,
        num_envs: int = 1,
        *,
        seat: int = 0,
        opponent: Opponent = at_random,
        seed: int = 0,
        threads: int = 1,
        max_plies: int = 2000,
        illegal: Literal["raise", "lose"] = "raise",
        render_mode: str | None = None,
    ) -> None:
        self.env = Env(
            game,
            num_envs,
            seed=seed,
            threads=threads,
            auto_reset=False,
            max_plies=max_plies,
            illegal=illegal,
        )
        if not callable(opponent):
            raise TypeError(
                "an opponent is a function of an `Env` and rows, such as `at_random`, or"
                f" `by_engine(engine, iterations=100)`, not {reprlib.repr(opponent)}"
            )
        if render_mode not in (None, *_RENDER_MODES):
            raise ValueError(f"render_mode: {render_mode!r}, and `ansi` and `human` are known")
        if not 0 <= whole_number("seat", seat) < self.env.seats:
            raise ValueError(f"seat: {seat}, and there are those from 0 to {self.env.seats - 1}")
        self.num_envs = num_envs
        self.metadata = {
            "autoreset_mode": AutoresetMode.NEXT_STEP,
            "render_modes": list(_RENDER_MODES),
        }
        self.render_mode = render_mode
        self.single_observation_space = observation_space(self.env)
        self.single_action_space = Discrete(self.env.actions.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seat = seat
        self._opponent = opponent
        self._is_over = self._ended = self._cut = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin all games anew, from a seed if one is given; return what is observed, and {}.

        Raises TypeError for a list of seeds: a row's chance depends on the seed and its number.
        """
        if isinstance(seed, list):
            raise TypeError("one seed is wanted: each row draws by it and by its own number")
        self.env.reset(seed=seed)
        self._is_over = self._ended = self._cut = np.zeros(self.num_envs, np.bool_)
        self._others_play(np.zeros((self.num_envs, self.env.seats), np.float32))
        return self._observed(), {}

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observed, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Take an action [N] in each game, and let the others play until it is the seat's turn.

        Returns what is observed, rewards [N] (float64) of the seat, which games are over [N] and
        which were cut off [N], and {}.
        """
        begun, given = self._is_over, np.asarray(actions)
        if given.shape != begun.shape:
            raise ValueError(f"the actions have to have the shape {begun.shape}, not {given.shape}")
        chosen = np.where(begun, _NONE, given)
        reward = self._stepped(chosen)
        if begun.any():
            self.env.reset(rows=begun)
            self._is_over = self._is_over & ~begun
        self._others_play(reward)
        worth = reward[:, self._seat].astype(np.float64)
        return self._observed(), worth, self._ended, self._cut, {}

    def _stepped(self, actions: NDArray[Any]) -> NDArray[np.float32]:
        """Make actions, and return the rewards; what ends by them is noted."""
        step = self.env.step(actions)
        is_made = actions >= 0
        self._ended = step.terminated & is_made
        self._cut = step.truncated & is_made
        self._is_over = self._is_over | self._ended | self._cut
        return np.where(is_made[:, None], step.reward, 0.0).astype(np.float32)

    def _others_play(self, reward: NDArray[np.float32]) -> None:
        """Let the opponent play where another seat is on turn; add what that brings."""
        ended, cut = self._ended, self._cut
        while True:
            seats = self.env.now.seat
            rows = np.flatnonzero((seats >= 0) & (seats != self._seat) & ~self._is_over)
            if not rows.size:
                break
            turns = np.asarray(self._opponent(self.env, rows))
            if turns.ndim not in (1, 2) or len(turns) != rows.size:
                told = f"[{rows.size}] or [{rows.size}, K]"
                raise ValueError(f"the opponent has to give actions {told}, not {turns.shape}")
            turns = turns.reshape(rows.size, -1)
            for decisions in turns.T:
                actions = np.full(self.num_envs, -1, np.int32)
                actions[rows] = np.where(self._is_over[rows], -1, decisions)
                reward += self._stepped(actions)
                ended, cut = ended | self._ended, cut | self._cut
        self._ended, self._cut = ended, cut

    def _observed(self) -> Observed:
        planes, scalars = self.env.observe(self._seat)
        mask = np.where((self.env.now.seat == self._seat)[:, None], self.env.now.mask, 0)
        return {"observation": planes, "scalars": scalars, "action_mask": mask.astype(np.int8)}

    def render(self) -> Any:
        """Draw the positions as texts, one a game: returned (`ansi`), or printed (`human`)."""
        if self.render_mode is None:
            return None
        texts = tuple(map(self.env.render, range(self.num_envs)))
        if self.render_mode == "human":
            print(*texts, sep="\n")
            return None
        return texts

    def close_extras(self, **kwargs: Any) -> None:
        """Free the machine code."""
        self.env.close()


class SoloGame(gymnasium.Env[Observed, int]):
    """One game: a puzzle, or one seat against an opponent. It takes what `VectorGame` does."""

    def __init__(self, game: Rules | Game, *, render_mode: str | None = None, **more: Any) -> None:
        self.metadata = {"render_modes": list(_RENDER_MODES)}
        self._games = VectorGame(game, 1, render_mode=render_mode, **more)
        self.observation_space = self._games.single_observation_space
        self.action_space = self._games.single_action_space
        self.render_mode = render_mode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin anew; return what is observed, and {}."""
        super().reset(seed=seed)
        observed, more = self._games.reset(seed=seed)
        return _first(observed), more

    def step(self, action: int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Take an action; return as `VectorGame.step`, of the one game."""
        observed, reward, ended, cut, more = self._games.step(np.array([action]))
        return _first(observed), float(reward[0]), bool(ended[0]), bool(cut[0]), more

    def render(self) -> Any:
        """Draw the position as text: returned (`ansi`), or printed (`human`)."""
        texts = self._games.render()
        return None if texts is None else texts[0]

    def close(self) -> None:
        """Free the machine code."""
        self._games.close()


def _first(observed: Observed) -> Observed:
    return {name: array[0] for name, array in observed.items()}
