"""PettingZoo: a game as an environment of agents that act one after another, or all at once.

In: rules. Out: `AECGame`, `ParallelGame` (J. K. Terry et al., "PettingZoo: Gym for Multi-Agent
Reinforcement Learning", 2021). What then holds: agents are the seats, `player_0` first; each
observes what its seat sees, and a mask of the actions that it may take now.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from gdl.diagnostic import whole_number
from gdl.interpreter.environment import Env
from gdl.interpreter.positions.position import Rules
from gdl.model import Game

Observed = dict[str, NDArray[Any]]


def observation_space(env: Env) -> Dict:
    """Return the space of what a seat observes.

    `observation` [P, S] has the planes (uint8), `scalars` [V] the numbers (float32, from 0 to 1
    where they have bounds), and `action_mask` [A] is 1 for what may be chosen (int8).
    """
    is_bound = [np.isfinite(one.low) and np.isfinite(one.high) for one in env.scalars]
    low = np.array([0.0 if bound else -np.inf for bound in is_bound], np.float32)
    high = np.array([1.0 if bound else np.inf for bound in is_bound], np.float32)
    planes = env.spec["observation"][0][1:]
    return Dict(
        {
            "observation": Box(0, 255, planes, np.uint8),
            "scalars": Box(low, high, dtype=np.float32),
            "action_mask": Box(0, 1, (env.actions.size,), np.int8),
        }
    )


class _Seats:
    """One game, and what each agent sees of it."""

    def __init__(self, game: Rules | Game, max_plies: int, seed: int) -> None:
        self.env = Env(game, 1, seed=seed, auto_reset=False, max_plies=max_plies)
        self.agents = [f"player_{seat}" for seat in range(self.env.seats)]
        observed, actions = observation_space(self.env), Discrete(self.env.actions.size)
        self.observation_spaces: dict[str, Space[Any]] = dict.fromkeys(self.agents, observed)
        self.action_spaces: dict[str, Space[Any]] = dict.fromkeys(self.agents, actions)

    @property
    def on_turn(self) -> str | None:
        """The agent on turn; None where the game is over."""
        seat = int(self.env.now.seat[0])
        return self.agents[seat] if seat >= 0 else None

    def observed(self, agent: str, mask: NDArray[np.uint8] | None = None) -> Observed:
        """Return what an agent observes; without a mask of its own, it may do nothing now."""
        if agent not in self.agents:
            raise KeyError(f"{agent!r} is none of the agents: {', '.join(self.agents)}")
        planes, scalars = self.env.observe(self.agents.index(agent))
        size = self.env.actions.size
        may = np.zeros(size, np.int8) if mask is None else mask.astype(np.int8)
        return {"observation": planes[0], "scalars": scalars[0], "action_mask": may}

    def rewards(self) -> dict[str, float]:
        """Return what the last step brought each agent."""
        return dict(zip(self.agents, map(float, self.env.now.reward[0]), strict=True))

    def rendered(self, mode: str | None) -> str | None:
        """Draw the position as text: returned (`ansi`), or printed (`human`)."""
        if mode is None:
            return None
        text = self.env.render(0)
        if mode == "human":
            print(text)
            return None
        return text


class _Seated:
    """What both kinds of environment do alike with their seats."""

    def _sit(self, seats: _Seats, render_mode: str | None) -> None:
        """Begin, with what each agent sees and may do."""
        self._seats = seats
        self.possible_agents = list(seats.agents)
        self.observation_spaces = seats.observation_spaces
        self.action_spaces = seats.action_spaces
        self.render_mode = render_mode

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def render(self) -> str | None:
        """Draw the position as text."""
        return self._seats.rendered(self.render_mode)

    def close(self) -> None:
        """Free the machine code."""
        self._seats.env.close()


class AECGame(_Seated, AECEnv[str, Observed, int]):
    """A game whose agents act one after another, a decision a step.

    A turn of several decisions is several steps of one agent; chance is drawn. Rewards are 1, -1
    and 0 at the end, or payoffs where the rules have them. A game of `max_plies` moves is cut off.
    A step with an action that is not in the mask raises IllegalMoveError. Raises GameError and
    Uncovered as `Env` does.

    >>> from gdl.interpreter import load
    >>> game = AECGame(load("hex", options={"size": 3}))
    >>> game.reset(seed=1)
    >>> game.agent_selection, game.observe("player_0")["action_mask"].sum()
    ('player_0', np.int64(9))
    """

    def __init__(
        self,
        game: Rules | Game,
        *,
        max_plies: int = 2000,
        seed: int = 0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.metadata = {
            "name": "gdl",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
        }
        self._sit(_Seats(game, max_plies, seed), render_mode)
        self.agents: list[str] = []

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game, with a seed for what chance draws."""
        self._seats.env.reset(seed=seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        on_turn = self._seats.on_turn
        self.terminations = dict.fromkeys(self.agents, on_turn is None)
        self.agent_selection = on_turn or self.agents[0]

    def step(self, action: int | None) -> None:
        """Take an action for the agent on turn; None where the game is over for it."""
        agent = self._agent_to_act()
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        step = self._seats.env.step(np.array([whole_number("action", action, 0)], np.int32))
        self.rewards = self._seats.rewards()
        self.terminations = dict.fromkeys(self.agents, bool(step.terminated[0]))
        self.truncations = dict.fromkeys(self.agents, bool(step.truncated[0]))
        self.agent_selection = self._seats.on_turn or agent
        self._accumulate_rewards()

    def _agent_to_act(self) -> str:
        """Return the agent on turn. Raises ValueError where there is none."""
        if not self.agents:
            raise ValueError("no game is under way: call `reset` first")
        return self.agent_selection

    def observe(self, agent: str) -> Observed:
        """Return what an agent sees now; its mask is empty where it is not on turn."""
        is_on_turn = agent == self._seats.on_turn
        return self._seats.observed(agent, self._seats.env.now.mask[0] if is_on_turn else None)


class ParallelGame(_Seated, ParallelEnv[str, Observed, int]):
    """A game whose agents act all at once, as in rounds that are decided together.

    What an agent does whose mask is empty is not looked at: so games of turns are played, too. The
    rest is as in `AECGame`.
    """

    def __init__(
        self,
        game: Rules | Game,
        *,
        max_plies: int = 2000,
        seed: int = 0,
        render_mode: str | None = None,
    ) -> None:
        self.metadata = {"name": "gdl", "render_modes": ["ansi", "human"]}
        self._sit(_Seats(game, max_plies, seed), render_mode)
        self.agents: list[str] = []

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observed], dict[str, dict[str, Any]]]:
        """Begin a new game; return what the agents observe, and a dictionary for each."""
        self._seats.env.reset(seed=seed)
        self.agents = list(self.possible_agents)
        return self._observed(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observed],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Take an action of each agent whose mask is not empty.

        Returns what they observe, their rewards, and whether the game is over or cut off.
        """
        may = self._seats.env.masks_together()[0].any(axis=1)
        chosen = [
            actions[agent] if is_asked else -1
            for agent, is_asked in zip(self.possible_agents, may, strict=True)
        ]
        step = self._seats.env.step_together(np.array([chosen], np.int32))
        agents = self.agents
        is_over, is_cut = bool(step.terminated[0]), bool(step.truncated[0])
        if is_over or is_cut:
            self.agents = []
        return (
            self._observed(),
            self._seats.rewards(),
            dict.fromkeys(agents, is_over),
            dict.fromkeys(agents, is_cut),
            {agent: {} for agent in agents},
        )

    def _observed(self) -> dict[str, Observed]:
        masks = self._seats.env.masks_together()[0]
        return {
            agent: self._seats.observed(agent, mask)
            for agent, mask in zip(self.possible_agents, masks, strict=True)
        }
