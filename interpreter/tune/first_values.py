"""What surroundings of a site tell of a move there, fitted to what a search came to prefer.

In: choices of an engine. Out: `FirstValues`. What then holds: of all numbers, they are those by
which a search's visits are most likely, beside what random games tell of the same moves, held back
towards 0 (a multinomial logit: D. McFadden, "Conditional logit analysis of qualitative choice
behavior", 1974; by Newton's steps, each worked out by conjugate gradients: M. Hestenes and E.
Stiefel, "Methods of conjugate gradients for solving linear systems", 1952).

A first value by random games has a weight among the numbers that are fitted, so all others can be
told in its unit: a part of a game that is won.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gdl.board.symmetries import Permutation
from gdl.data_classes import dataclass
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.search.evaluation.features import Feature
from gdl.interpreter.search.first_moves.first_values import FirstValues, sets_of_sides
from gdl.interpreter.search.first_moves.patterns import PARTS, SITE, Patterns
from gdl.interpreter.search.first_moves.surroundings import (
    ENEMY,
    OFF,
    OWN,
    Surroundings,
    surroundings,
)
from gdl.interpreter.tune.root_moves import EngineChoice

Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]

_HOLD, _HOLD_OF_SIDE = 2.0, 6.0
"""How many choices weigh as much as that a number is 0; and that it is the same to both sides."""
_LEAST_WEIGHT = 1.0
"""Of first values by random games; if these tell less, nothing is told in their unit."""
_STEPS, _CONJUGATE_STEPS, _HALVINGS = 6, 15, 8
_CLOSE, _NEAR = 1e-4, 1e-3
"""Of what part of the loss a step has to make it less, or it is the last; and what part of the
square of a slope is near enough to none."""
_TRIED_PART, _TRIED_CHOICES = 5, 1_000
"""One choice in so many, of the first so many, is left out at first, to see whether sides are
better told apart."""
FEWEST_CHOICES, _MOST_CHOICES = 100, 6_000


@dataclass(frozen=True)
class _Columns:
    """By which numbers each move of each choice is judged: `indices` has a column for each move.

    Choice n begins at `begins[n]`. `shares` has how often a move was tried, as part of all; `first`
    its first value by random games.
    """

    indices: Indices
    begins: Indices
    shares: Numbers
    first: Numbers

    def of(self, choices: slice) -> _Columns:
        """Return those of some choices."""
        begins = self.begins[choices.start : choices.stop + 1]
        moves = slice(begins[0], begins[-1])
        return _Columns(
            self.indices[:, moves], begins - begins[0], self.shares[moves], self.first[moves]
        )


class ChoiceModel:
    """By which numbers moves are judged: those of `patterns`, for both sides or for each."""

    def __init__(
        self, rules: Rules, features: tuple[Feature, ...], symmetries: Sequence[Permutation]
    ) -> None:
        """Take by which symmetries of the board all stays as it is, but for none at all.

        Raises ValueError where nothing can be told of surroundings.
        """
        around = surroundings(rules.game.board)
        self._sets = sets_of_sides(features)
        if around is None or {side for _, side in self._sets} != {0, 1}:
            raise ValueError("this game's moves are not told by what surrounds their sites")
        whole = tuple(range(len(around.near)))
        found = {turn for one in symmetries if (turn := around.turned(one)) is not None}
        self._around: Surroundings = around
        self._turns = tuple(sorted(found - {whole}))
        names = [site.name for site in rules.game.board.sites]
        self.patterns = Patterns(around, self._turns, names)
        self._first = np.append(self.patterns.first, self.patterns.size)
        begin = self.patterns.begins[SITE]
        self._first[begin : begin + around.sites] = begin + _orbits(around.sites, symmetries)

    def fitted(self, choices: Sequence[EngineChoice]) -> FirstValues | None:
        """Return what was learned of choices; None where there are too few, or they tell nothing.

        Sides are told apart if that foretells better what was not fitted.
        """
        usable = [found for one in choices if (found := self._columns(one)) is not None]
        if len(usable) < FEWEST_CHOICES:
            return None
        usable = usable[:_MOST_CHOICES]
        some = usable[:_TRIED_CHOICES]
        kept = len(some) - len(some) // _TRIED_PART
        losses: list[float] = []
        for are_apart in (False, True):
            columns = _joined(some, self.patterns.size, are_apart)
            fitted = _fitted(columns.of(slice(0, kept)), self._holds(are_apart))
            losses.append(_loss(columns.of(slice(kept, len(some))), fitted))
        are_apart = losses[1] < losses[0]
        columns = _joined(usable, self.patterns.size, are_apart)
        return self._told(_fitted(columns, self._holds(are_apart)))

    def _holds(self, are_apart: bool) -> Numbers:
        whole = self.patterns.size + 1
        holds = [np.full(whole, _HOLD)]
        if are_apart:
            holds += [np.full(2 * whole, _HOLD_OF_SIDE)]
        return np.append(np.concatenate(holds), 0.0)

    def _told(self, worth: Numbers) -> FirstValues | None:
        """Return numbers by name, in the unit of the last, which is the weight of first values."""
        if worth[-1] < _LEAST_WEIGHT:
            return None
        size = self.patterns.size
        both = np.stack([worth[:size], worth[:size]])
        if len(worth) > size + 2:
            both += worth[size + 1 : -1].reshape(2, size + 1)[:, :size]
        both = both / worth[-1]
        told: dict[str, dict[str, tuple[float, float]]] = {part: {} for part in PARTS}
        for index in range(size):
            first = int(self._first[index])
            one, other = float(both[0, first]), float(both[1, first])
            is_site = index >= self.patterns.begins[SITE]
            if (one or other) and (is_site or first == index):
                part, name = self.patterns.told(index)
                told[part][name] = one, other
        return FirstValues(
            self._turns, {part: numbers for part, numbers in told.items() if numbers}
        )

    def _columns(self, choice: EngineChoice) -> tuple[int, Indices, Numbers, Numbers] | None:
        """Return the side on turn, and the columns of a choice; None if a move is of no side."""
        begins = np.array([begin for begin, _ in self._sets])
        sets = np.searchsorted(begins, choice.marks, side="right") - 1
        sites = choice.marks - begins[sets]
        sides = {self._sets[n][1] for n in set(sets.tolist())}
        if (sets < 0).any() or (sites >= self._around.sites).any() or len(sides) > 1:
            return None
        side = sides.pop()
        here = self._held(choice.position)
        held = [self._held(one) for one in choice.before]
        states = np.zeros(self._around.sites + 1, np.int64)
        states[-1] = OFF
        states[:-1] = np.where(here[side], OWN, np.where(here[1 - side], ENEMY, states[:-1]))
        last = _new_site(here, held[0], 1 - side) if held else None
        own = _new_site(held[0], held[1], side) if len(held) > 1 else None
        indices = self._first[self.patterns.columns(states, sites, last, own)]
        return side, indices, choice.visits / choice.visits.sum(), choice.first

    def _held(self, position: bytes) -> NDArray[np.bool_]:
        """Return for each side on which sites it has a piece."""
        bits = np.unpackbits(np.frombuffer(position, np.uint8), bitorder="little")
        found = np.zeros((2, self._around.sites), np.bool_)
        for begin, side in self._sets:
            found[side] |= bits[begin : begin + self._around.sites] == 1
        return found


def _new_site(here: NDArray[np.bool_], before: NDArray[np.bool_], side: int) -> int | None:
    """Return the one site on which a side has a piece that it had not before."""
    (sites,) = np.nonzero(here[side] & ~before[side])
    return int(sites[0]) if len(sites) == 1 else None


def _orbits(sites: int, symmetries: Sequence[Permutation]) -> Indices:
    """Return for each site the first of those to which symmetries bring it.

    They are a group but for the identity.
    """
    images = np.array([range(sites), *symmetries])
    found: Indices = images.min(axis=0)
    return found


def _joined(
    usable: Sequence[tuple[int, Indices, Numbers, Numbers]], size: int, are_apart: bool
) -> _Columns:
    """Return the columns of all choices; `are_apart` adds numbers for each side alone."""
    rows = [
        np.concatenate([indices, indices + (size + 1) * (1 + side)], axis=1)
        if are_apart
        else indices
        for side, indices, _, _ in usable
    ]
    lengths = [len(row) for row in rows]
    return _Columns(
        np.ascontiguousarray(np.concatenate(rows).T),
        np.cumsum([0, *lengths]),
        np.concatenate([shares for _, _, shares, _ in usable]),
        np.concatenate([first for _, _, _, first in usable]),
    )


# ------------------------------------------------------------------------- fitting


def _fitted(columns: _Columns, holds: Numbers) -> Numbers:
    """Return the numbers of least loss; the last is the weight of first values."""
    used, inverse = np.unique(columns.indices, return_inverse=True)
    dense = _Columns(
        inverse.reshape(columns.indices.shape), columns.begins, columns.shares, columns.first
    )
    hold = np.append(holds[used], holds[-1])
    worth = np.zeros(len(used) + 1)
    least = _held_loss(dense, worth, hold)
    for _ in range(_STEPS):
        expected = _shares(_scores(dense, worth), dense.begins)[0]
        slope = _sums(dense, dense.shares - expected) - hold * worth
        step = _step(dense, expected, hold, slope)
        lengths = (0.5**halvings for halvings in range(_HALVINGS))
        tried = ((_held_loss(dense, worth + n * step, hold), worth + n * step) for n in lengths)
        better = next(((loss, one) for loss, one in tried if loss < least), None)
        if better is None:
            break
        gained, (least, worth) = least - better[0], better
        if gained < _CLOSE * least:
            break
    found = np.zeros(len(holds))
    found[used], found[-1] = worth[:-1], worth[-1]
    return found


def _step(columns: _Columns, expected: Numbers, hold: Numbers, slope: Numbers) -> Numbers:
    """Return where the curve's bottom is, as far as some steps lead there."""
    step, rest = np.zeros_like(slope), slope.copy()
    towards, square = rest.copy(), float(rest @ rest)
    least = _NEAR * square
    for _ in range(_CONJUGATE_STEPS):
        if square <= least:
            break
        scores = _scores(columns, towards)
        means = np.add.reduceat(expected * scores, columns.begins[:-1])
        apart = scores - np.repeat(means, np.diff(columns.begins))
        curved = _sums(columns, expected * apart) + hold * towards
        length = square / float(towards @ curved)
        step += length * towards
        rest -= length * curved
        square, before = float(rest @ rest), square
        towards = rest + square / before * towards
    return step


def _scores(columns: _Columns, worth: Numbers) -> Numbers:
    found: Numbers = worth[-1] * columns.first
    for row in columns.indices:
        found += worth[row]
    return found


def _sums(columns: _Columns, values: Numbers) -> Numbers:
    """Return for each number the sum of values of the moves that are judged by it."""
    width = int(columns.indices.max()) + 1
    found = np.zeros(width + 1)
    for row in columns.indices:
        found[:-1] += np.bincount(row, values, width)
    found[-1] = columns.first @ values
    return found


def _shares(scores: Numbers, begins: Indices) -> tuple[Numbers, Numbers]:
    """Return what part of its choice each move is expected to have, and the logarithms of sums."""
    lengths = np.diff(begins)
    most = np.maximum.reduceat(scores, begins[:-1])
    powers = np.exp(scores - np.repeat(most, lengths))
    sums = np.add.reduceat(powers, begins[:-1])
    return powers / np.repeat(sums, lengths), np.log(sums) + most


def _loss(columns: _Columns, worth: Numbers) -> float:
    scores = _scores(columns, worth)
    return float(_shares(scores, columns.begins)[1].sum() - columns.shares @ scores)


def _held_loss(columns: _Columns, worth: Numbers, hold: Numbers) -> float:
    return _loss(columns, worth) + float(hold @ worth**2) / 2
