"""Whole random games as arrays: each decision, who made it, and what stood before it.

In: rules, and how many games. Out: `RecordedGames`. What then holds: all moves of a turn were
equally likely; game number i of a seed is the same among any others, on any number of threads.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gdl.data_classes import dataclass
from gdl.diagnostic import whole_number
from gdl.interpreter.environment import Env
from gdl.interpreter.positions.position import Rules, rules_of
from gdl.model import Game

_ROWS = 4096
"""How many games are played at once, however many are asked for: so each is the same."""
_NOBODY = -2


@dataclass(frozen=True)
class RecordedGames:
    """n games of M decisions together: those of game i stand from `offsets[i]` to `offsets[i + 1]`.

    `offsets` [n + 1] (int64); `actions` [M] (int32), as `Env` numbers them, by which `Env.step`
    goes through a game again; `seats` [M] (int8), from 0, -1 for chance; `rewards` [n, seats]
    (float32); `finished` [n] (bool) says which came to an end. The states before each decision are
    what the seat that makes it sees: `observations` [M, P, S] (uint8) and `scalars` [M, V]
    (float32), as in `Step`; None unless they were asked for.
    """

    offsets: NDArray[np.int64]
    actions: NDArray[np.int32]
    seats: NDArray[np.int8]
    rewards: NDArray[np.float32]
    finished: NDArray[np.bool_]
    observations: NDArray[np.uint8] | None = None
    scalars: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        """The number of games."""
        return len(self.finished)

    def __repr__(self) -> str:
        return f"<{len(self):,} games of {len(self.actions):,} decisions>"


def random_games(
    rules: Rules | Game,
    count: int,
    *,
    seed: int = 0,
    max_plies: int = 2000,
    threads: int = 1,
    states: bool = False,
) -> RecordedGames:
    """Play so many random games from the start; return each decision.

    All moves of a turn are equally likely, though each is told as its decisions. What chance
    decides is among them. The games are not those that `Batch.playouts` draws by the same seed.
    With `states`, what was seen is returned as well. Games of `max_plies` moves are cut off.

    Raises ValueError for less than one game or thread, TypeError for what are no rules and no
    numbers, and GameError and Uncovered as `Env` does.

    >>> from gdl.interpreter import load
    >>> games = random_games(load("hex", options={"size": 3}), 100, seed=1)
    >>> first = games.actions[: games.offsets[1]]
    >>> len(games), len(set(first)) == len(first) >= 5, games.rewards.sum()
    (100, True, np.float32(0.0))
    """
    rules = rules_of(rules)
    count, seed = whole_number("count", count, 1), whole_number("seed", seed)
    with Env(
        rules,
        min(count, _ROWS),
        threads=threads,
        auto_reset=False,
        chance="explicit",
        max_plies=max_plies,
    ) as env:
        played = [
            _played(env, begin, min(count - begin, _ROWS), seed, with_states=states)
            for begin in range(0, count, _ROWS)
        ]
    games, actions, seats, rewards, finished = (
        np.concatenate([one[field] for one in played]) for field in range(5)
    )
    order = np.argsort(games, kind="stable")
    offsets = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(games, minlength=count), out=offsets[1:])
    shown = [
        np.concatenate([array for one in played for array in one[field]])[order] if states else None
        for field in (5, 6)
    ]
    return RecordedGames(offsets, actions[order], seats[order], rewards, finished, *shown)


_Part = tuple[
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int8],
    NDArray[np.float32],
    NDArray[np.bool_],
    list[NDArray[np.uint8]],
    list[NDArray[np.float32]],
]


def _played(env: Env, begin: int, count: int, seed: int, *, with_states: bool) -> _Part:
    """Play games with these numbers; return the game, action and seat of each decision, in time.

    Then come what the games brought, which are finished, and what was seen before each decision.
    """
    mixed = np.random.SeedSequence((seed % (1 << 64), begin // _ROWS))
    step = env.reset(seed=int(mixed.generate_state(1, np.uint64)[0] >> np.uint64(1)))
    games, actions, seats = [], [], []
    observations: list[NDArray[np.uint8]] = []
    scalars: list[NDArray[np.float32]] = []
    rewards = np.zeros((count, env.seats), np.float32)
    finished = step.seat[:count] == _NOBODY
    rows = np.flatnonzero(~finished)
    while rows.size:
        chosen = np.full(env.n, -1, np.int32)
        chosen[rows] = env.sample("move")[rows]
        games.append(begin + rows)
        actions.append(chosen[rows])
        seats.append(step.seat[rows].copy())
        if with_states:
            observations.append(step.observation[rows])
            scalars.append(step.scalars[rows])
        step = env.step(chosen)
        rewards[rows] += step.reward[rows]
        finished[rows] |= step.terminated[rows]
        rows = rows[step.seat[rows] != _NOBODY]
    none = np.zeros(0, np.int64)
    return (
        np.concatenate([none, *games]),
        np.concatenate([none.astype(np.int32), *actions]),
        np.concatenate([none.astype(np.int8), *seats]),
        rewards,
        finished,
        observations,
        scalars,
    )
