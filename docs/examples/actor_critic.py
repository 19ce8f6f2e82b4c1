"""Actor-critic: a network that learns a game from its own choices, without a search.

In: the name of a game or its file. Out: how often the network beats players that choose at random.
Each decision is made more or less likely by how much more came of it than the network had expected
(R. J. Williams, "Simple statistical gradient-following algorithms", 1992; A. Barto, R. Sutton, C.
Anderson, 1983). It plays all seats, games begin anew in their rows, and chance may decide, too.

Run as `python docs/examples/actor_critic.py connect-four`, it takes some two minutes.
"""

from __future__ import annotations

import argparse

import numpy as np
from self_play import Array, Network, asked_for, fitting, flat

import gdl

STRETCH, DISCOUNT, CURIOSITY = 8, 0.98, 0.2


def drawn(shares: Array, chance: np.random.Generator) -> Array:
    """Draw an action for each row of shares; -1 where there are none."""
    marks = chance.random((len(shares), 1)) * shares.sum(axis=1, keepdims=True)
    found = (shares.cumsum(axis=1) <= marks).sum(axis=1).clip(max=shares.shape[1] - 1)
    return np.where(shares.any(axis=1), found, -1).astype(np.int32)


def train(name: str, *, games: int = 64, rounds: int = 8000, seed: int = 1) -> float:
    """Learn a game of two sides; return the mean result against random players.

    In each round, a few decisions are made in every game. What came of a decision is the reward
    that its seat got by then, or what the network expects of where the games have come to. By its
    curiosity it goes on trying what it holds to be worse.
    """
    rules, chance = fitting(name), np.random.default_rng(seed)
    env = gdl.Env(rules, games, seed=seed)
    network = Network(len(flat(*env.now[:2])[0]), env.actions.size)
    rows = np.arange(games)
    for _ in range(rounds):
        seen, masks, chosen, seats, values, rewards, ends = ([] for _ in range(7))
        for _ in range(STRETCH):
            now = env.now
            seen.append(flat(now.observation, now.scalars))
            masks.append(now.mask.copy())
            seats.append(now.seat.astype(int))
            _, shares, expected = network.forward(seen[-1], masks[-1])
            chosen.append(drawn(shares * masks[-1], chance))
            values.append(expected)
            step = env.step(chosen[-1])
            rewards.append(step.reward.copy())
            ends.append(step.terminated | step.truncated)
        # What each seat is still to get, from behind: of the seat on turn, what it expects.
        returns = np.zeros((games, env.seats), np.float32)
        _, _, expected = network.forward(flat(env.now.observation, env.now.scalars), env.now.mask)
        returns[:] = -expected[:, None] if env.seats == 2 else 0
        returns[rows, env.now.seat] = expected
        results = []
        for number in reversed(range(STRETCH)):
            returns = np.where(ends[number][:, None], 0, DISCOUNT * returns) + rewards[number]
            results.append(returns[rows, seats[number]])
        results.reverse()
        advantages = np.concatenate(results) - np.concatenate(values)
        inputs, mask, actions = map(np.concatenate, (seen, masks, chosen))
        _, shares, _ = network.forward(inputs, mask)
        logs = np.log(shares + 1e-9)
        surprise = -(shares * logs).sum(axis=1, keepdims=True)
        wanted = shares * (1 - advantages[:, None] - CURIOSITY * (logs + surprise))
        wanted[np.arange(len(actions)), actions] += advantages
        network.learn(inputs, mask, wanted, np.concatenate(results))
    return sum(against_random(rules, network, seat, games, chance) for seat in (0, 1)) / 2


def against_random(
    rules: gdl.Rules, network: Network, seat: int, games: int, chance: np.random.Generator
) -> float:
    """Return the mean result of a network, in a seat, against players that choose at random."""
    with gdl.Env(rules, games, auto_reset=False) as env:
        total = np.zeros(games, np.float32)
        while (env.now.seat >= 0).any():
            now = env.now
            _, shares, _ = network.forward(flat(now.observation, now.scalars), now.mask)
            is_ours = now.seat == seat
            actions = np.where(is_ours, drawn(shares * now.mask, chance), env.sample())
            total += env.step(actions.astype(np.int32)).reward[:, seat]
        return float(total.mean())


if __name__ == "__main__":
    asked = asked_for(argparse.ArgumentParser(description="Learn a game of two sides."))
    print(f"against random players: {train(asked.game):.3f}")
