"""Search by a network: many games at once, whose leaves are one batch for any function of arrays.

In: rules, states of games as `Env` saves them, and a function from arrays to priors and values.
Out: how often each action was tried, and what the games are worth. What then holds: what is found
of a game depends on nothing of the others; no position is an object of Python's.

Actions are chosen by PUCT (D. Silver et al., Nature 550, 2017, pages 354 to 359): the mean of what
came of an action, and its prior times the root of all visits over its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdl.diagnostic import wanted, whole_number
from gdl.interpreter.environment import Env, Step
from gdl.interpreter.positions.position import Rules

Network = Callable[
    [NDArray[np.uint8], NDArray[np.float32], NDArray[np.uint8]], tuple[NDArray[Any], NDArray[Any]]
]
"""Takes `observation` [B, P, S], `scalars` [B, V] and `mask` [B, A] of the seats on turn; gives
priors [B, A], from 0 and of any sum, and values: [B], of games of one or two seats for the one on
turn, or [B, seats], for each seat from the first."""
_CHANCE, _NOBODY = -1, -2
_NONE = -1


class _Trees:
    """A tree for each of n games, in arrays: [n, nodes], or [n, nodes, A] for what actions have.

    Node 0 is the state that is asked about; node k of each game is the one that iteration k adds.
    """

    def __init__(self, n: int, nodes: int, actions: int, seats: int) -> None:
        self.children = np.full((n, nodes, actions), _NONE, np.int32)
        self.priors = np.zeros((n, nodes, actions), np.float32)
        self.visits = np.zeros((n, nodes, actions), np.int32)
        self.totals = np.zeros((n, nodes, actions), np.float32)
        self.is_legal = np.zeros((n, nodes, actions), np.bool_)
        self.seats = np.full((n, nodes), _NOBODY, np.int8)
        self.values = np.zeros((n, nodes, seats), np.float32)
        self.states: list[NDArray[np.uint8]] = []


class NetworkSearch:
    """Searches n games at once by a network, which is called once an iteration.

    From each state, so many `iterations` are made, each of which adds a node to the tree of each
    game. `exploration` is the weight of priors. With `noise`, that share of the priors of what is
    asked about is drawn (Dirichlet, of `spread`), so that games of one network differ. Chance is
    drawn in the tree by its shares, from the `seed`. Games are put into its `env`.

    Raises ValueError for numbers that can't be, and for games that hide something, in which a state
    is not what a seat knows; GameError and Uncovered as `Env` does.

    >>> from gdl.interpreter import load
    >>> def knows_nothing(observation, scalars, mask):
    ...     return np.ones(mask.shape), np.zeros(len(mask))
    >>> search = NetworkSearch(load("hex", options={"size": 2}), 3, knows_nothing, iterations=50)
    >>> visits, values = search.run()
    >>> visits.sum(axis=1).tolist(), values.shape
    ([50, 50, 50], (3, 2))
    """

    def __init__(
        self,
        rules: Rules,
        n: int,
        network: Network,
        *,
        iterations: int = 100,
        exploration: float = 1.25,
        noise: float = 0.0,
        spread: float = 0.3,
        seed: int = 0,
        threads: int = 1,
        max_plies: int = 2000,
    ) -> None:
        wanted(rules, Rules, "Rules, as `load` gives them,")
        self.iterations = whole_number("iterations", iterations, 1)
        if not 0 <= noise <= 1:
            raise ValueError(f"noise: {noise}, and it is a share from 0 to 1")
        if rules.game.hides:
            raise ValueError(f"{rules.name} hides something, and the search would see all")
        self.env = Env(
            rules,
            n,
            seed=seed,
            threads=threads,
            auto_reset=False,
            chance="explicit",
            max_plies=max_plies,
        )
        self._network = network
        self._exploration = exploration
        self._noise = noise
        self._spread = spread
        self._chance = np.random.default_rng(seed)

    def run(
        self, states: NDArray[np.uint8] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Search from states [n, W], as `Env.save` gives them, or from the start.

        Returns how often each action was tried [n, A], and what the games are worth [n, seats].
        """
        env, rows = self.env, np.arange(self.env.n)
        step = env.reset() if states is None else env.load(rows, states)
        trees = _Trees(env.n, self.iterations + 1, env.actions.size, env.seats)
        trees.values[:, 0] = self._added(trees, rows, 0, step)
        if self._noise:
            self._disturb(trees)
        for number in range(1, self.iterations + 1):
            self._iterate(trees, number)
        visits = trees.visits[:, 0].copy()
        return visits, trees.values[:, 0] / (1 + visits.sum(axis=1, keepdims=True))

    def _disturb(self, trees: _Trees) -> None:
        """Mix what is drawn into the priors of the states that are asked about."""
        for is_legal, priors in zip(trees.is_legal[:, 0], trees.priors[:, 0], strict=True):
            drawn = self._chance.dirichlet(np.full(max(1, int(is_legal.sum())), self._spread))
            if is_legal.any():
                priors[is_legal] = (1 - self._noise) * priors[is_legal] + self._noise * drawn

    def _iterate(self, trees: _Trees, number: int) -> None:
        """Go down in each tree, add a node where that leaves it, and tell those above of it."""
        env = self.env
        active = np.flatnonzero(trees.seats[:, 0] != _NOBODY)
        node = np.zeros(env.n, np.int64)
        parent = np.full(env.n, _NONE, np.int64)
        chosen = np.full(env.n, _NONE, np.int32)
        worth = np.zeros((env.n, env.seats), np.float32)
        path = []
        while active.size:
            here = node[active]
            actions = self._choices(trees, active, here)
            path.append((active, here, actions))
            below = trees.children[active, here, actions]
            is_new = below == _NONE
            parent[active[is_new]], chosen[active[is_new]] = here[is_new], actions[is_new]
            active = active[~is_new]
            node[active] = below[~is_new]
            is_over = trees.seats[active, node[active]] == _NOBODY
            over = active[is_over]
            worth[over] = trees.values[over, node[over]]
            active = active[~is_over]
        new = np.flatnonzero(parent != _NONE)
        self._go_to(trees, new, parent[new])
        step = env.step(chosen)
        trees.children[new, parent[new], chosen[new]] = number
        worth[new] = trees.values[new, number] = self._added(trees, new, number, step)[new]
        for rows, nodes, actions in reversed(path):
            seats = trees.seats[rows, nodes]
            trees.visits[rows, nodes, actions] += 1
            trees.totals[rows, nodes, actions] += worth[rows, np.maximum(seats, 0)]
            trees.values[rows, nodes] += worth[rows]

    def _go_to(self, trees: _Trees, rows: NDArray[np.int64], nodes: NDArray[np.int64]) -> None:
        """Put the states of nodes into rows: those at once that are told by as many bytes."""
        widths = np.array([saved.shape[1] for saved in trees.states])[nodes]
        for width in np.unique(widths):
            which = np.flatnonzero(widths == width)
            saved = [trees.states[nodes[place]][rows[place]] for place in which]
            self.env.load(rows[which], np.stack(saved))

    def _choices(
        self, trees: _Trees, rows: NDArray[np.int64], nodes: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """Return an action for each node: by PUCT, or drawn where chance decides."""
        seats, priors = trees.seats[rows, nodes], trees.priors[rows, nodes]
        visits, totals = trees.visits[rows, nodes], trees.totals[rows, nodes]
        tried = visits.sum(axis=1, keepdims=True)
        so_far = trees.values[rows, nodes, np.maximum(seats, 0)][:, None] / (1 + tried)
        means = np.where(visits > 0, totals / np.maximum(1, visits), so_far)
        score = means + self._exploration * priors * np.sqrt(tried + 1) / (1 + visits)
        found = np.where(trees.is_legal[rows, nodes], score, -np.inf).argmax(axis=1)
        by_chance = np.flatnonzero(seats == _CHANCE)
        if by_chance.size:
            found[by_chance] = self._drawn(priors[by_chance])
        actions: NDArray[np.int32] = found.astype(np.int32)
        return actions

    def _drawn(self, shares: NDArray[np.float32]) -> NDArray[np.int64]:
        """Draw an action for each row of shares."""
        sums = shares.cumsum(axis=1)
        marks = self._chance.random((len(shares), 1)) * sums[:, -1:]
        found: NDArray[np.int64] = np.minimum((sums <= marks).sum(axis=1), shares.shape[1] - 1)
        return found

    def _added(
        self, trees: _Trees, rows: NDArray[np.int64], number: int, step: Step
    ) -> NDArray[np.float32]:
        """Add the states in rows as nodes of a number; return what all rows are worth [n, seats].

        Where chance decides, it is what one of the states is worth to which that may lead.
        """
        env = self.env
        trees.states.append(env.save())
        trees.seats[rows, number] = np.where(step.truncated[rows], _NOBODY, step.seat[rows])
        trees.is_legal[rows, number] = step.mask[rows]
        trees.priors[rows, number] = env.chance()[rows]
        reward = step.reward.copy()
        by_chance = step.seat == _CHANCE
        while (step.seat[rows] == _CHANCE).any():
            drawn = np.full(env.n, _NONE, np.int32)
            at_chance = rows[step.seat[rows] == _CHANCE]
            drawn[at_chance] = self._drawn(env.chance()[at_chance])
            step = env.step(drawn)
            reward[at_chance] = step.reward[at_chance]
        priors, values = self._network(step.observation, step.scalars, step.mask)
        ours = rows[~by_chance[rows]]
        trees.priors[ours, number] = _shared_out(np.asarray(priors)[ours], step.mask[ours])
        worth = self._by_seat(np.asarray(values, np.float32), step.seat)
        is_over = (step.seat == _NOBODY) | step.truncated
        return np.where(is_over[:, None], reward, worth).astype(np.float32)

    def _by_seat(self, values: NDArray[np.float32], seats: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return values by seat [n, seats]: those of the seat on turn are the other's, negated."""
        if values.shape == (self.env.n, self.env.seats) and self.env.seats != 1:
            return values
        if self.env.seats > 2 or values.size != self.env.n:
            wanted_shape = (self.env.n, self.env.seats)
            raise ValueError(f"values have the shape {values.shape}, and {wanted_shape} is wanted")
        values = values.reshape(self.env.n, 1)
        own = np.arange(self.env.seats) == np.maximum(seats, 0)[:, None]
        return np.where(own, values, -values)


def _shared_out(priors: NDArray[Any], mask: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return priors of what is legal, with a sum of 1; all alike where they have none."""
    legal = np.where(mask > 0, priors, 0.0)
    total = legal.sum(axis=1, keepdims=True)
    alike = mask / np.maximum(1, mask.sum(axis=1, keepdims=True))
    found: NDArray[np.float32] = np.where(total > 0, legal / np.where(total > 0, total, 1), alike)
    return found.astype(np.float32)
