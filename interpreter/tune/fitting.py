"""What features are worth, fitted to how games went.

In: samples. Out: a `Worth`. What then holds: of all worths, it is the one by which the results are
most likely, held back towards what was known before (logistic regression with a ridge, by Newton's
steps, each of which is a problem of least squares: D. R. Cox, "The regression analysis of binary
sequences", 1958; A. E. Hoerl and R. W. Kennard, "Ridge regression", 1970).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gdl.board.symmetries import Permutation
from gdl.interpreter.search.evaluation.features import Feature
from gdl.interpreter.search.evaluation.open_rows import OpenRows
from gdl.interpreter.search.evaluation.territory import ON_TURN, Territory
from gdl.interpreter.tune.samples import Samples

Numbers = NDArray[np.float64]
CountsOf = Callable[[NDArray[np.uint8]], NDArray[np.int64]]
_Columns = TypeVar("_Columns", NDArray[np.float32], Numbers)

_STEPS = 12
_STEEPEST = 1e-3
_CLOSE = 1e-3
_HALVINGS = 8
_HOLD_EACH, _HOLD_AT, _HOLD_SAME = 20.0, 200.0, 2000.0
_HOLD_MOBILITY = 1000.0
"""How many samples weigh as much as what was known before: for a kind of piece, and on a site; and
as much as that it is worth the same to both sides; and for each move more that a side has."""


class Model:
    """The features of a game as columns: of each its whole, then its parts; at last who is on turn,
    what is there always, and mobility.

    A set's whole is how many sites it has, and its parts are those sites. A number a site has the
    sum as its whole; a number alone has no parts.
    """

    def __init__(
        self,
        features: Sequence[Feature],
        sites: Sequence[str],
        mover: int,
        sides: Sequence[str] = (),
        rows: Sequence[OpenRows] = (),
        symmetries: Sequence[Permutation] = (),
        territory: Territory | None = None,
        counts_of: CountsOf | None = None,
    ) -> None:
        """Take where in a position the side on turn stands.

        What two `sides` have of the same kind is taken to be worth the same to each of them, as
        long as games do not tell otherwise. On sites that `symmetries` bring to each other, what is
        the same is worth the same. `counts_of` gives the numbers of races in positions.
        """
        self.features = features
        self.rows = rows
        self.territory = territory
        self._counts_of = counts_of
        self.sites = sites
        self._mover = mover
        self._orbits = _orbits(len(sites), symmetries) if symmetries else None
        self._same = list(self._pairs(sides)) if len(sides) == 2 else []

    def _pairs(self, sides: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield the columns of the wholes of what both sides have."""
        wholes: dict[str, int] = {}
        place = 0
        for name, parts in self.told:
            wholes[name] = place
            place += 1 + parts
        for name, place in wholes.items():
            other = name.replace(sides[0], sides[1])
            if other != name and other in wholes:
                yield place, wholes[other]

    def parted(self, worth: Numbers) -> Numbers:
        """Return worths with half the difference and half the sum in place of each such pair."""
        found = worth.copy()
        for one, other in self._same:
            found[one], found[other] = (
                (worth[one] - worth[other]) / 2,
                (worth[one] + worth[other]) / 2,
            )
        return found

    def turned(self, columns: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the columns that belong to these halves, in place of the others."""
        for one, other in self._same:
            mine, theirs = columns[:, one].copy(), columns[:, other].copy()
            columns[:, one], columns[:, other] = mine - theirs, mine + theirs
        return columns

    def joined(self, parts: Numbers) -> Numbers:
        """Return worths of which these are the halves."""
        found = parts.copy()
        for one, other in self._same:
            found[one], found[other] = parts[other] + parts[one], parts[other] - parts[one]
        return found

    @property
    def told(self) -> Iterator[tuple[str, int]]:
        """Yield the name of each feature, and how many columns it has after its whole."""
        for feature in self.features:
            yield feature.name, len(self.sites) if feature.is_set or feature.count > 1 else 0
        for rows in self.rows:
            yield from rows.told
        if self.territory is not None:
            yield from ((name, 0) for name in self.territory.names)

    def columns(self, samples: Samples) -> NDArray[np.float32]:
        """Return a row for each position."""
        positions = samples.positions
        found: list[NDArray[np.float32]] = []
        for feature in self.features:
            data = np.ascontiguousarray(positions[:, feature.offset : feature.end])
            if feature.is_set:
                bits = np.unpackbits(data, axis=1, bitorder="little")[:, : len(self.sites)]
                parts = bits.astype(np.float32)
            else:
                parts = data.view(f"<i{feature.entry_bytes}").astype(np.float32)
            found.append(parts.sum(axis=1, keepdims=True))
            if feature.is_set or feature.count > 1:
                found.append(parts)
        is_first = positions[:, self._mover : self._mover + 1] == 0
        on_turn = np.where(is_first, 1, -1).astype(np.float32)
        for rows in self.rows:
            found += rows.columns(positions, on_turn)
        if self.territory is not None and self._counts_of is not None:
            told = self.territory.told(self._counts_of(positions))
            for name, column in zip(self.territory.names, told.T, strict=True):
                found.append(column[:, None] * (on_turn if ON_TURN in name else 1))
        found.append(on_turn)
        found.append(np.ones_like(found[-1]))
        found.append(samples.mobility[:, None].astype(np.float32))
        columns = np.concatenate(found, axis=1)
        return self._shared(columns)

    def symmetric(self, worth: Numbers) -> Numbers:
        """Return worths of which those of sites are means of all that are alike by a symmetry."""
        return self._shared(worth.copy())

    def _shared(self, columns: _Columns) -> _Columns:
        """Share out what columns have of sites, to all that are alike."""
        place = 0
        for _, parts in self.told:
            sites = slice(place + 1, place + 1 + parts)
            if parts == len(self.sites) and self._orbits is not None:
                columns[..., sites] = columns[..., sites] @ self._orbits
            place = sites.stop
        return columns

    @property
    def hold(self) -> Numbers:
        """How much each column is held back."""
        held: list[float] = []
        for _, parts in self.told:
            held += [_HOLD_EACH, *[_HOLD_AT] * parts]
        result = np.array([*held, _HOLD_EACH, _HOLD_EACH, _HOLD_MOBILITY])
        for _, other in self._same:
            result[other] = _HOLD_SAME
        return result


def fitted(model: Model, samples: Samples, known: Numbers | None = None) -> Numbers:
    """Return what each column is worth; `known` is what was known before, in any scale."""
    columns = model.columns(samples)
    hold = model.hold
    centre = np.zeros(len(hold))
    if known is not None:
        odds = columns @ known
        spread = float(odds.std())
        if spread > 0:
            scale = _newton(odds[:, None] / spread, samples.scores, hold[:1], np.ones(1))
            centre = model.parted(known * float(scale[0]) / spread)
    found = _newton(model.turned(columns), samples.scores, hold, centre)
    return model.symmetric(model.joined(found))


def _orbits(sites: int, symmetries: Sequence[Permutation]) -> NDArray[np.float32]:
    """Return for each site which part of it each site gets, so that all of an orbit get the same.

    The symmetries are a group but for the identity, so each site is brought to all of its orbit.
    """
    found = np.eye(sites, dtype=np.float32)
    for symmetry in symmetries:
        found[np.arange(sites), symmetry] += 1
    return found / np.float32(len(symmetries) + 1)


def _newton(
    columns: NDArray[np.floating], scores: Numbers, hold: Numbers, centre: Numbers
) -> Numbers:
    """Return the worths of least loss; each step goes as far as it makes the loss less."""
    worth, least = centre, _loss(columns, scores, hold, centre, centre)
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-(columns @ worth)))
        slopes = np.maximum(expected * (1 - expected), _STEEPEST).astype(np.float32)
        rest = columns.T @ (scores - expected) - hold * (worth - centre)
        curve = ((columns * slopes[:, None]).T @ columns).astype(np.float64) + np.diag(hold)
        step = np.linalg.solve(curve, rest)
        lengths = (0.5**halvings for halvings in range(_HALVINGS))
        tried = ((worth + length * step) for length in lengths)
        found = ((_loss(columns, scores, hold, centre, one), one) for one in tried)
        better = next(((loss, one) for loss, one in found if loss < least), None)
        if better is None:
            break
        gained, (least, worth) = least - better[0], better
        if gained < _CLOSE:
            break
    return worth


def _loss(
    columns: NDArray[np.floating], scores: Numbers, hold: Numbers, centre: Numbers, worth: Numbers
) -> float:
    odds = columns @ worth
    return float(np.sum(np.logaddexp(0, odds) - scores * odds) + hold @ (worth - centre) ** 2 / 2)
