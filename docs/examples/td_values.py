"""Temporal differences: a network that learns what positions are worth, by comparing them.

In: the name of a game of two sides or its file. Out: how often who moves to the best position beats
players that choose at random. As in TD-Gammon (G. Tesauro, "Temporal difference learning and
TD-Gammon", 1995), all positions that a move leads to are looked at, the best one is moved to, and
what the one before was held to be worth goes towards that. Chance may decide, too.

Run as `python docs/examples/td_values.py connect-four`, it takes some two minutes.
"""

from __future__ import annotations

import argparse

import numpy as np
from self_play import Array, Network, asked_for, fitting, flat

import gdl

ROOM = 4096
Chance = np.random.Generator


class Judge:
    """Tells what states are worth to the first seat, by a network."""

    def __init__(self, rules: gdl.Rules, network: Network) -> None:
        self.env = gdl.Env(rules, ROOM, auto_reset=False)
        self.network = network

    def seen(self, states: Array) -> tuple[Array, Array, Array, Array]:
        """Return what is seen of states, for which seat, which are over, and what they brought."""
        parts = []
        for begin in range(0, len(states), ROOM):
            some = states[begin : begin + ROOM]
            now = self.env.load(np.arange(len(some)), some)
            is_over = now.terminated | now.truncated
            arrays = (flat(now.observation, now.scalars), now.seat, is_over, now.reward[:, 0])
            parts.append([array[: len(some)].copy() for array in arrays])
        seen, seats, is_over, reward = (np.concatenate(part) for part in zip(*parts, strict=True))
        return seen, seats, is_over, reward

    def worth(self, states: Array) -> Array:
        """Return what states are worth to the first seat: of those that are over, their result."""
        seen, seats, is_over, reward = self.seen(states)
        _, _, values = self.network.forward(seen, np.ones((len(seen), 1)))
        return np.where(is_over, reward, np.where(seats == 1, -values, values))


def moved(env: gdl.Env, judge: Judge, rows: Array, curiosity: float, chance: Chance) -> Array:
    """Make the best move in rows, or any as often as curiosity says; return what follows is worth.

    It is what the first seat may expect.
    """
    seats = env.now.seat[rows]
    begins, _, states = env.expand(rows)
    worth, chosen = judge.worth(states), np.zeros(len(rows), int)
    for place, begin in enumerate(begins[:-1]):
        own = worth[begin : begins[place + 1]] * (1 if seats[place] == 0 else -1)
        is_curious = chance.random() < curiosity
        chosen[place] = begin + (chance.integers(len(own)) if is_curious else own.argmax())
    env.load(rows, states[chosen])
    return worth[chosen]


def train(name: str, *, games: int = 64, rounds: int = 1500, seed: int = 1) -> float:
    """Learn a game; return the mean result against random players."""
    rules, chance = fitting(name), np.random.default_rng(seed)
    env = gdl.Env(rules, games, seed=seed, auto_reset=False)
    network = Network(len(flat(*env.now[:2])[0]), 1)
    judge, rows = Judge(rules, network), np.arange(games)
    alike = np.ones((games, 1), np.float32)
    for _ in range(rounds):
        seen, seats = flat(env.now.observation, env.now.scalars), env.now.seat.copy()
        worth = moved(env, judge, rows, 0.1, chance)
        network.learn(seen, alike, alike, np.where(seats == 1, -worth, worth))
        env.reset(rows=env.now.seat < 0)
    return sum(against_random(rules, judge, seat, games, chance) for seat in (0, 1)) / 2


def against_random(rules: gdl.Rules, judge: Judge, seat: int, games: int, chance: Chance) -> float:
    """Return the mean result of the best moves, in a seat, against random players."""
    with gdl.Env(rules, games, auto_reset=False) as env:
        total = np.zeros(games, np.float32)
        while (env.now.seat >= 0).any():
            ours = np.flatnonzero(env.now.seat == seat)
            if ours.size:
                moved(env, judge, ours, 0.0, chance)
                total[ours] += env.now.reward[ours, seat]
            actions = np.where(env.now.seat == 1 - seat, env.sample(), -1)
            total += env.step(actions.astype(np.int32)).reward[:, seat]
        return float(total.mean())


if __name__ == "__main__":
    asked = asked_for(argparse.ArgumentParser(description="Learn a game of two sides."))
    print(f"against random players: {train(asked.game):.3f}")
