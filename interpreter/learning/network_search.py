"""Search by a network: many games at once, whose leaves are one batch for any function of arrays.

In: rules, states of games as `Env` saves them, and a function from arrays to priors and values.
Out: how often each action was tried, and what the games are worth; of one position, an `Analysis`.
What then holds: what is found of a game depends on nothing of the others; while it searches, no
position is an object of Python's.

Actions are chosen by PUCT (D. Silver et al., Nature 550, 2017, pages 354 to 359): the mean of what
came of an action, and its prior times the root of all visits over its own. Where several leaves of
a game are one batch, each way down counts as lost until its leaf is known, so that the next is
another one (G. Chaslot et al., "Parallel Monte-Carlo Tree Search", 2008).
"""

from __future__ import annotations

import reprlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdl.diagnostic import whole_number
from gdl.interpreter.environment import Env, Step
from gdl.interpreter.positions.position import Position, Rules, rules_of
from gdl.interpreter.search.analysis import Analysis, Interrupted, MoveAnalysis
from gdl.interpreter.search.engine import USUAL_MEMORY, USUAL_SECONDS
from gdl.model import Game

Network = Callable[
    [NDArray[np.uint8], NDArray[np.float32], NDArray[np.uint8]], tuple[NDArray[Any], NDArray[Any]]
]
"""Takes `observation` [B, P, S], `scalars` [B, V] and `mask` [B, A] of the seats on turn; gives
priors [B, A], from 0 and of any sum, and values: [B], of games of one or two seats for the one on
turn, or [B, seats], for each seat from the first."""
_CHANCE, _NOBODY = -1, -2
_NONE = -1
_ROOT = 0
_FEWEST_NODES = 64
_LONGEST_LINE = 12
_MOST_ITERATIONS = 1 << 30

_Places = NDArray[np.int64]


class _Trees:
    """A tree for each of n games, in arrays: [n, nodes], or [n, nodes, A] for what actions have.

    Node 0 is the state that is asked about. Each batch adds a node for each of the `leaves` of a
    game; its states are those of all first leaves, then those of all second ones. Where a node
    `is_whole`, no turn is under way. `most` is the greatest worth of a game that was met.
    """

    def __init__(self, n: int, leaves: int, actions: int, seats: int) -> None:
        shape = (n, _FEWEST_NODES, actions)
        self.n = n
        self.leaves = leaves
        self.most = 1.0
        self.children = np.full(shape, _NONE, np.int32)
        self.priors = np.zeros(shape, np.float32)
        self.visits = np.zeros(shape, np.int32)
        self.totals = np.zeros(shape, np.float32)
        self.is_legal = np.zeros(shape, np.bool_)
        self.seats = np.full(shape[:2], _NOBODY, np.int8)
        self.is_whole = np.ones(shape[:2], np.bool_)
        self.values = np.zeros((*shape[:2], seats), np.float32)
        self._states: list[NDArray[np.uint8]] = []
        self._state_bytes = 0

    @property
    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {name: each for name, each in vars(self).items() if isinstance(each, np.ndarray)}

    @property
    def size(self) -> int:
        """How many bytes they take."""
        return self._state_bytes + sum(array.nbytes for array in self._arrays.values())

    @property
    def next_node(self) -> int:
        """The number of the first node of the next batch."""
        return 1 + (len(self._states) - 1) * self.leaves

    def add(self, states: NDArray[np.uint8]) -> None:
        """Add the states of a batch, and make room for the nodes of the next."""
        self._states.append(states)
        self._state_bytes += states.nbytes
        nodes, needed = self.seats.shape[1], self.next_node + self.leaves
        if needed > nodes:
            for name, array in self._arrays.items():
                more = np.zeros((self.n, needed, *array.shape[2:]), array.dtype)
                more[:] = {"children": _NONE, "seats": _NOBODY, "is_whole": True}.get(name, 0)
                setattr(self, name, np.concatenate([array, more], axis=1))

    def state(self, game: int, node: int) -> NDArray[np.uint8]:
        """Return the state of a node."""
        if node == _ROOT:
            states, row = self._states[0], game
        else:
            batch, leaf = divmod(node - 1, self.leaves)
            states, row = self._states[1 + batch], leaf * self.n + game
        found: NDArray[np.uint8] = states[row]
        return found

    def turns(self, node: int) -> Iterator[tuple[tuple[int, ...], int, int, int]]:
        """Yield the turns of the first game that were tried from a node, as far as they are whole.

        Each is its actions, the node of its last decision, that action, and the node after it.
        """
        begun: list[tuple[tuple[int, ...], int]] = [((), node)]
        while begun:
            made, above = begun.pop()
            for action in np.flatnonzero(self.visits[0, above]).tolist():
                below = int(self.children[0, above, action])
                if self.is_whole[0, below]:
                    yield (*made, action), above, action, below
                else:
                    begun.append(((*made, action), below))


class NetworkSearch:
    """Searches n games at once by a network, which is called once for a leaf of each.

    From each state, so many `iterations` are made, each of which adds a node to the tree of each
    game; so many `leaves` of each are one batch: more are quicker, and each is chosen knowing less.
    `exploration` is the weight of priors. With `noise`, that share of the priors of what is asked
    about is drawn (Dirichlet, of `spread`), so that games of one network differ. Chance is drawn in
    the tree by its shares, from the `seed`. Games are put into its `env`. One of a single game may
    be the `network` of an `Engine`; its trees take so much `memory`, in bytes.

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
        rules: Rules | Game,
        n: int,
        network: Network,
        *,
        iterations: int = 100,
        leaves: int = 1,
        exploration: float = 1.25,
        noise: float = 0.0,
        spread: float = 0.3,
        seed: int = 0,
        threads: int = 1,
        max_plies: int = 2000,
        memory: int = USUAL_MEMORY,
    ) -> None:
        rules = rules_of(rules)
        if not callable(network):
            raise TypeError(f"a function of three arrays is wanted, not {reprlib.repr(network)}")
        self.iterations = whole_number("iterations", iterations, 1)
        self._leaves = whole_number("leaves", leaves, 1)
        self._memory = whole_number("memory", memory, 0)
        if not 0 <= noise <= 1:
            raise ValueError(f"noise: {noise}, and it is a share from 0 to 1")
        if rules.game.hides:
            raise ValueError(f"{rules.name} hides something, and the search would see all")

        def rows(number: int) -> Env:
            return Env(
                rules,
                number,
                seed=seed,
                threads=threads,
                auto_reset=False,
                chance="explicit",
                max_plies=max_plies,
            )

        self.env = rows(n)
        self._rows = self.env if self._leaves == 1 else rows(n * self._leaves)
        self._network = network
        self._exploration = exploration
        self._noise = noise
        self._spread = spread
        self._chance = np.random.default_rng(seed)

    def begin(self, seed: int) -> None:
        """Draw by this seed from now on."""
        self._chance = np.random.default_rng(seed)
        self._rows.reset(seed=seed)

    def run(
        self, states: NDArray[np.uint8] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Search from states [n, W], as `Env.save` gives them, or from the start.

        Returns how often each action was tried [n, A], and what the games are worth [n, seats].
        """
        trees = self._begun(states)
        for _ in self._batches(trees, self.iterations):
            pass
        visits = trees.visits[:, _ROOT].copy()
        return visits, trees.values[:, _ROOT] / (1 + visits.sum(axis=1, keepdims=True))

    # ------------------------------------------------------------------------- search

    def _begun(self, states: NDArray[np.uint8] | None) -> _Trees:
        """Return trees with nothing but the states that are asked about."""
        env, games = self.env, np.arange(self.env.n)
        if states is None:
            env.reset()
            states = env.save()
        trees = _Trees(env.n, self._leaves, env.actions.size, env.seats)
        step = self._rows.load(games, states)
        worth = self._added(trees, games, games, np.full(env.n, _ROOT), step)
        trees.values[:, _ROOT] = worth[: env.n]
        if self._noise:
            self._disturb(trees)
        return trees

    def _batches(self, trees: _Trees, iterations: int) -> Iterator[int]:
        """Make so many iterations, and yield after each batch how many are made by then."""
        made = 0
        while made < iterations:
            leaves = min(self._leaves, iterations - made)
            self._iterate(trees, leaves)
            made += leaves
            yield made

    def _disturb(self, trees: _Trees) -> None:
        """Mix what is drawn into the priors of the states that are asked about."""
        for is_legal, priors in zip(trees.is_legal[:, 0], trees.priors[:, 0], strict=True):
            drawn = self._chance.dirichlet(np.full(max(1, int(is_legal.sum())), self._spread))
            if is_legal.any():
                priors[is_legal] = (1 - self._noise) * priors[is_legal] + self._noise * drawn

    def _iterate(self, trees: _Trees, leaves: int) -> None:
        """Go down in each tree to so many leaves, evaluate them, and tell those above of it."""
        n, first = trees.n, trees.next_node
        parent = np.full(self._rows.n, _NONE, np.int64)
        chosen = np.full(self._rows.n, _NONE, np.int32)
        ends = np.zeros((leaves, n), np.int64)
        paths = []
        for leaf, end in enumerate(ends):
            own = slice(leaf * n, leaf * n + n)
            paths.append(self._gone_down(trees, first + leaf, parent[own], chosen[own], end))
        new = np.flatnonzero(parent != _NONE)
        games, nodes = new % n, first + new // n
        self._go_to(trees, new, parent[new])
        step = self._rows.step(chosen)
        trees.values[games, nodes] = self._added(trees, new, games, nodes, step)[new]
        worth = trees.values[np.arange(n), ends]
        for path, each in zip(paths, worth, strict=True):
            for rows, above, actions in reversed(path):
                self._expect_loss(trees, rows, above, actions, -1)
                seats = np.maximum(trees.seats[rows, above], 0)
                trees.visits[rows, above, actions] += 1
                trees.totals[rows, above, actions] += each[rows, seats]
                trees.values[rows, above] += each[rows]

    def _gone_down(
        self,
        trees: _Trees,
        number: int,
        parent: _Places,
        chosen: NDArray[np.int32],
        end: _Places,
    ) -> list[tuple[_Places, _Places, NDArray[np.int32]]]:
        """Go down in each tree, and add a node of a number where that leaves it; return the ways.

        What is filled: the parent of the new node, the action that leads there, and the node at the
        end: the new one, one of the same batch, or one in which the game is over.
        """
        active = np.flatnonzero(trees.seats[:, _ROOT] != _NOBODY)
        path = []
        while active.size:
            here = end[active]
            actions = self._choices(trees, active, here)
            path.append((active, here, actions))
            self._expect_loss(trees, active, here, actions, 1)
            below = trees.children[active, here, actions]
            is_new = below == _NONE
            new = active[is_new]
            parent[new], chosen[new] = here[is_new], actions[is_new]
            trees.children[new, here[is_new], actions[is_new]] = number
            end[active] = np.where(is_new, number, below)
            active = active[~is_new]
            active = active[trees.seats[active, end[active]] != _NOBODY]
        return path

    def _expect_loss(
        self, trees: _Trees, rows: _Places, nodes: _Places, actions: NDArray[np.int32], times: int
    ) -> None:
        """Where there are more leaves, count actions as tried and lost; or (-1) no more."""
        if self._leaves > 1:
            seats = np.maximum(trees.seats[rows, nodes], 0)
            trees.visits[rows, nodes, actions] += times
            trees.totals[rows, nodes, actions] -= times
            trees.values[rows, nodes, seats] -= times

    def _go_to(self, trees: _Trees, rows: _Places, nodes: _Places) -> None:
        """Put the states of nodes into rows: those at once that are told by as many bytes."""
        pairs = zip((rows % trees.n).tolist(), nodes.tolist(), strict=True)
        saved = [trees.state(game, node) for game, node in pairs]
        widths = np.array([len(each) for each in saved])
        for width in np.unique(widths):
            which = np.flatnonzero(widths == width)
            self._rows.load(rows[which], np.stack([saved[place] for place in which]))

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
        self, trees: _Trees, rows: _Places, games: _Places, nodes: _Places, step: Step
    ) -> NDArray[np.float32]:
        """Add the states in rows as nodes of games; return what all rows are worth [rows, seats].

        Where chance decides, it is what one of the states is worth to which that may lead.
        """
        env = self._rows
        trees.add(env.save())
        trees.seats[games, nodes] = np.where(step.truncated[rows], _NOBODY, step.seat[rows])
        trees.is_whole[games, nodes] = env.decided[rows] == 0
        trees.is_legal[games, nodes] = step.mask[rows]
        trees.priors[games, nodes] = env.chance()[rows]
        reward = step.reward.copy()
        is_asked = step.seat[rows] != _CHANCE
        while (step.seat[rows] == _CHANCE).any():
            drawn = np.full(env.n, _NONE, np.int32)
            at_chance = rows[step.seat[rows] == _CHANCE]
            drawn[at_chance] = self._drawn(env.chance()[at_chance])
            step = env.step(drawn)
            reward[at_chance] = step.reward[at_chance]
        priors, values = self._judged(step)
        ours = rows[is_asked]
        shares = _shared_out(priors[ours], step.mask[ours])
        trees.priors[games[is_asked], nodes[is_asked]] = shares
        worth = self._by_seat(values, step.seat)
        is_over = (step.seat == _NOBODY) | step.truncated
        found = np.where(is_over[:, None], reward, worth).astype(np.float32)
        trees.most = max(trees.most, float(np.abs(found[rows]).max(initial=0)))
        return found

    def _judged(self, step: Step) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the network's priors and values. Raises ValueError for what can be neither."""
        told = self._network(step.observation, step.scalars, step.mask)
        if not isinstance(told, tuple | list) or len(told) != 2:
            raise ValueError("a network gives two arrays: priors [N, A] and values [N]")
        priors, values = (np.asarray(each, np.float32) for each in told)
        if priors.shape != step.mask.shape:
            raise ValueError(f"priors have the shape {priors.shape}, not {step.mask.shape}")
        if not (np.isfinite(priors).all() and priors.min(initial=0) >= 0):
            raise ValueError("priors are numbers from 0: these have others, such as NaN")
        if not np.isfinite(values).all():
            raise ValueError("values are finite numbers: these have others, such as NaN")
        return priors, values

    def _by_seat(self, values: NDArray[np.float32], seats: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return values by seat [n, seats]: those of the seat on turn are the other's, negated."""
        if values.shape == (self._rows.n, self.env.seats) and self.env.seats != 1:
            return values
        if self.env.seats > 2 or values.size != self._rows.n:
            wanted_shape = (self._rows.n, self.env.seats)
            raise ValueError(f"values have the shape {values.shape}, and {wanted_shape} is wanted")
        values = values.reshape(self._rows.n, 1)
        own = np.arange(self.env.seats) == np.maximum(seats, 0)[:, None]
        return np.where(own, values, -values)

    # ------------------------------------------------------------------- one position

    def analyse(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        iterations: int | None = None,
        lines: int = 5,
    ) -> Analysis:
        """Return what a search of so many seconds or iterations (usually a second) finds out.

        It ends sooner where there is no memory for more. Moves are those that were tried to their
        last decision; the first `lines` of them tell how the game may go on. Raises ValueError for
        a search of several games and for a position of another one; Interrupted, with what was
        found so far, where the program is interrupted.
        """
        if self.env.n != 1:
            raise ValueError(f"a search of {self.env.n} games analyses no single position")
        begun, made, interrupt = time.perf_counter(), 0, None
        if seconds is None:
            seconds = USUAL_SECONDS if iterations is None else float("inf")
        self.env.put([0], [position])
        trees = self._begun(self.env.save())
        try:
            for number in self._batches(trees, iterations or _MOST_ITERATIONS):
                made = number
                if time.perf_counter() - begun >= seconds or trees.size > self._memory:
                    break
        except KeyboardInterrupt as error:
            interrupt = error
        spent = time.perf_counter() - begun
        mean = trees.values[0, _ROOT] / (1 + trees.visits[0, _ROOT].sum())
        by_side = {s: float(mean[position.seat_of(s) - 1]) for s in position.rules.sides}
        value = {side: _share(worth, trees.most) for side, worth in by_side.items()}
        payoffs = by_side if position.rules.game.program.has_payoffs else {}
        moves = tuple(self._moves(trees, position, lines))
        found = Analysis(position, made, spent, value, moves, payoffs)
        if interrupt is not None:
            raise Interrupted(found) from interrupt
        return found

    def _moves(self, trees: _Trees, position: Position, lines: int) -> Iterator[MoveAnalysis]:
        """Yield the moves from the root that were tried, from the one that was tried most."""

        def rank(turn: tuple[tuple[int, ...], int, int, int]) -> tuple[int, float]:
            _, above, action, _ = turn
            return int(trees.visits[0, above, action]), float(trees.totals[0, above, action])

        turns = sorted(trees.turns(_ROOT), key=rank, reverse=True)
        for place, (made, above, action, below) in enumerate(turns):
            move = self.env.actions.move(position, made)
            line = [move]
            after = position.play(move)
            while place < lines and len(line) < _LONGEST_LINE and after.seat is not None:
                best = max(trees.turns(below), key=rank, default=None)
                if best is None:
                    break
                line.append(self.env.actions.move(after, best[0]))
                after, below = after.play(line[-1]), best[3]
            visits = int(trees.visits[0, above, action])
            worth = _share(float(trees.totals[0, above, action]) / visits, trees.most)
            yield MoveAnalysis(move, visits, worth, (0.0, 1.0), None, tuple(line))


def _share(worth: float, most: float) -> float:
    """Return what is worth from `-most` to `most` as a number from 0 to 1."""
    return min(1.0, max(0.0, (worth / most + 1) / 2))


def _shared_out(priors: NDArray[Any], mask: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return priors of what is legal, with a sum of 1; all alike where they have none."""
    legal = np.where(mask > 0, priors, 0.0)
    total = legal.sum(axis=1, keepdims=True)
    alike = mask / np.maximum(1, mask.sum(axis=1, keepdims=True))
    found: NDArray[np.float32] = np.where(total > 0, legal / np.where(total > 0, total, 1), alike)
    return found.astype(np.float32)
