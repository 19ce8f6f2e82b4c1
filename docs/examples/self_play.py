"""A network that learns a game by playing against itself, on one processor, with numpy alone.

In: the name of a game or its file. Out: how often the network, with a search, beats players that
choose at random. As in AlphaZero (D. Silver et al., "A general reinforcement learning algorithm
that masters chess, shogi, and Go through self-play", 2018), a search with the network plays, and
the network learns what the search chose and how the games ended.

Run as `python docs/examples/self_play.py connect-four`, it takes some 25 seconds of a processor;
with `--games 64 --rounds 3`, two. With `--workers 4`, four processes of dask.distributed play the
games, which the extra `cluster` installs; with `--cluster ADDRESS`, as many workers of that
scheduler.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: several threads of it spin
import numpy as np

import gdl

Array = np.ndarray[Any, Any]


class Network:
    """Two layers of numbers: from what is seen to priors of actions and a value from -1 to 1."""

    def __init__(self, inputs: int, actions: int, hidden: int = 128, seed: int = 0) -> None:
        chance = np.random.default_rng(seed)
        sizes = {"in": (inputs, hidden), "policy": (hidden, actions), "value": (hidden, 1)}
        self.weights = {
            name: chance.normal(0, (2 / size[0]) ** 0.5, size).astype(np.float32)
            for name, size in sizes.items()
        }
        self.weights |= {f"{name} 0": np.zeros(size[1], np.float32) for name, size in sizes.items()}
        self.moments = {
            name: (np.zeros_like(w), np.zeros_like(w)) for name, w in self.weights.items()
        }
        self.steps = 0

    def forward(self, inputs: Array, mask: Array) -> tuple[Array, Array, Array]:
        """Return what is hidden, priors and values."""
        w = self.weights
        hidden = np.maximum(inputs @ w["in"] + w["in 0"], 0)
        logits = np.where(mask > 0, hidden @ w["policy"] + w["policy 0"], -1e9)
        priors = np.exp(logits - logits.max(axis=1, keepdims=True))
        priors /= priors.sum(axis=1, keepdims=True)
        return hidden, priors, np.tanh(hidden @ w["value"] + w["value 0"])[:, 0]

    def __call__(self, observation: Array, scalars: Array, mask: Array) -> tuple[Array, Array]:
        """Return priors and values of what is seen, as a search asks for them."""
        _, priors, values = self.forward(flat(observation, scalars), mask)
        return priors, values

    def learn(self, inputs: Array, mask: Array, wanted: Array, results: Array) -> None:
        """Take a step towards what the search chose and how games ended (Adam)."""
        hidden, priors, values = self.forward(inputs, mask)
        of_policy = (priors - wanted) / len(inputs)
        of_value = ((values - results) * (1 - values**2) / len(inputs))[:, None]
        w = self.weights
        of_hidden = (of_policy @ w["policy"].T + of_value @ w["value"].T) * (hidden > 0)
        slopes = {
            **{"in": inputs.T @ of_hidden, "in 0": of_hidden.sum(axis=0)},
            **{"policy": hidden.T @ of_policy, "policy 0": of_policy.sum(axis=0)},
            **{"value": hidden.T @ of_value, "value 0": of_value.sum(axis=0)},
        }
        self.steps += 1
        for name, slope in slopes.items():
            first, second = self.moments[name]
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            scale = np.sqrt(second / (1 - 0.999**self.steps)) + 1e-8
            w[name] -= 0.002 * first / (1 - 0.9**self.steps) / scale


def fitting(name: str, *, is_plain: bool = False) -> gdl.Rules:
    """Return the rules of a game that can be learnt here.

    Raises GameError as `gdl.load` does, and ValueError for a game that is not of two sides, or has
    chance or hides something where a plain one is wanted.
    """
    rules = gdl.load(name)
    if len(rules.sides) != 2:
        raise ValueError(f"{rules.name} is no game of two sides, as this learns.")
    if rules.game.program.has_chance and is_plain:
        raise ValueError(f"{rules.name} has chance: td_values.py learns such games.")
    if rules.game.hides and is_plain:
        raise ValueError(f"{rules.name} hides something: actor_critic.py learns such games.")
    return rules


def asked_for(parser: argparse.ArgumentParser, *, is_plain: bool = False) -> argparse.Namespace:
    """Return what the command line asks for; end in a sentence where its game can't be learnt."""
    parser.add_argument(
        "game", nargs="?", default="connect-four", help="a game's name, or a file of one's own"
    )
    asked = parser.parse_args()
    try:
        fitting(asked.game, is_plain=is_plain)
    except (gdl.GameError, ValueError) as problem:
        sys.exit(str(problem))
    return asked


def positive(text: str) -> int:
    """Return a number from 1, as it stands in a command line."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no whole number from 1")
    return int(text)


def options() -> argparse.ArgumentParser:
    """Return what reads the options of `train`."""
    parser = argparse.ArgumentParser(description="Learn a game by playing against oneself.")
    for name, usual, told in (
        ("games", 256, "how many games are played at once, in each round"),
        ("rounds", 12, "how often is played, and then learnt"),
        ("iterations", 40, "how many iterations the search has for a decision"),
        ("seed", 1, "what random choices begin with"),
    ):
        told = f"{told} (usually {usual})"
        parser.add_argument(f"--{name}", type=positive, default=usual, help=told)
    return parser


def flat(observation: Array, scalars: Array) -> Array:
    """Return what is seen as a row of numbers for each game."""
    planes = observation.reshape(len(observation), -1).astype(np.float32)
    return np.concatenate([planes, scalars], axis=1)


def self_play(search: gdl.NetworkSearch, chance: np.random.Generator) -> tuple[Array, ...]:
    """Play a game in each row; return what was seen, legal and chosen, and how it ended."""
    env = search.env
    step, parts, rewards = env.reset(), [], np.zeros((env.n, env.seats), np.float32)
    while (step.seat >= 0).any():
        rows = np.flatnonzero(step.seat >= 0)
        seen, mask, seat = flat(step.observation, step.scalars), step.mask.copy(), step.seat.copy()
        states = env.save()
        visits, _ = search.run(states)
        shares = visits / np.maximum(1, visits.sum(axis=1, keepdims=True))
        actions = np.full(env.n, -1, np.int32)
        for row in rows:
            actions[row] = chance.choice(env.actions.size, p=shares[row])
        parts.append((rows, seat[rows], seen[rows], mask[rows], shares[rows]))
        env.load(np.arange(env.n), states)
        step = env.step(actions)
        rewards[rows] += step.reward[rows]
    rows, seats, seen, mask, shares = (np.concatenate(part) for part in zip(*parts, strict=True))
    return seen, mask, shares, rewards[rows, seats]


def against_random(search: gdl.NetworkSearch, seat: int) -> float:
    """Return the mean result of the search, in a seat, against players that choose at random."""
    env = search.env
    step, reward = env.reset(), np.zeros(env.n, np.float32)
    while (step.seat >= 0).any():
        goes_on = step.seat >= 0
        is_ours = goes_on & (step.seat == seat)
        states, actions = env.save(), env.sample()
        if is_ours.any():
            visits, _ = search.run(states)
            env.load(np.arange(env.n), states)
            actions = np.where(is_ours, visits.argmax(axis=1), actions).astype(np.int32)
        step = env.step(np.where(goes_on, actions, -1).astype(np.int32))
        reward += np.where(goes_on, step.reward[:, seat], 0)
    return float(reward.mean())


class Player:
    """Plays games against itself, by networks that it is given: here, or as an actor of dask."""

    def __init__(self, rules: gdl.Rules, games: int, iterations: int, seed: int) -> None:
        self.chance = np.random.default_rng(seed)
        self.given: dict[str, Any] = {"iterations": iterations, "seed": seed, "noise": 0.25}
        self.rules, self.games = rules, games

    def play(self, network: Any) -> tuple[Array, ...]:
        """Play a game in each row; return what `self_play` does."""
        search = gdl.NetworkSearch(self.rules, self.games, network, **self.given)
        return self_play(search, self.chance)


def train(
    name: str,
    *,
    games: int = 256,
    rounds: int = 12,
    iterations: int = 40,
    seed: int = 1,
    make: Any = Network,
    workers: int = 1,
    client: Any = None,
) -> float:
    """Learn a game of two sides without chance, in which nothing is hidden.

    Returns the mean result against random players. Raises ValueError for another game.
    `make` makes a network of the numbers of inputs and actions. With a `client` of dask, so many
    `workers` play; games come back as arrays.
    """
    rules, chance = fitting(name, is_plain=True), np.random.default_rng(seed)
    with gdl.Env(rules, 1) as env:
        network = make(len(flat(*env.now[:2])[0]), env.actions.size)
    players: list[Any] = [Player(rules, games, iterations, seed)]
    if client is not None:
        of_workers = [
            (rules, max(1, games // workers), iterations, seed + n) for n in range(workers)
        ]
        begun_there = [client.submit(Player, *each, actor=True) for each in of_workers]
        players = [one.result() for one in begun_there]
    plain = gdl.NetworkSearch(rules, games, network, iterations=iterations, seed=seed)
    begun = time.process_time()
    for number in range(rounds):
        parts = [player.play(network) for player in players]
        if client is not None:
            parts = [part.result() for part in parts]
        played = [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]
        for _ in range(4):
            order = chance.permutation(len(played[0]))
            for begin in range(0, len(order), 256):
                network.learn(*(part[order[begin : begin + 256]] for part in played))
        spent = time.process_time() - begun
        print(f"round {number + 1}: {len(played[0])} decisions, {spent:.0f} s")
    results = [against_random(plain, seat) for seat in (0, 1)]
    print(f"against random players: {results[0]:.3f} as first, {results[1]:.3f} as second")
    return sum(results) / 2


if __name__ == "__main__":
    parser = options()
    parser.add_argument("--workers", type=positive, default=1, help="processes of dask that play")
    parser.add_argument("--cluster", help="the address of a scheduler of dask, whose workers play")
    asked = vars(asked_for(parser, is_plain=True))
    name, cluster = asked.pop("game"), asked.pop("cluster")
    if asked["workers"] == 1 and cluster is None:
        train(name, **asked)
    else:
        try:
            from distributed import Client
        except ModuleNotFoundError:
            sys.exit("Workers are dask's, which is not installed: `pip install '.[cluster]'`.")
        address = {"address": cluster} if cluster else {"n_workers": asked["workers"]}
        with Client(**address) as client:
            train(name, client=client, **asked)
