"""Several models of what is worth something in a game, and which of them tells most.

In: samples. Out: `Models`: each is fitted to what was played before, and held against what is
played next. What then holds: races (see `interpreter.search.territory`) count only where they tell
clearly more than what stands where.

Few games tell little of so many sites as a board has. Of races there are few numbers, and where
these matter most, they alone tell more than with all sites beside them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gdl.board.symmetries import Permutation
from interpreter.search.binding import Binding
from interpreter.tune.fitting import Model, Numbers, fitted
from interpreter.tune.samples import Samples

_CLEAR = 0.01
"""By how much less the mean logarithmic loss must be where races are run."""


class Models:
    """The models of a game: the `plain` one first, that has no races."""

    def __init__(
        self,
        binding: Binding,
        sites: Sequence[str],
        sides: Sequence[str],
        symmetries: Sequence[Permutation],
    ) -> None:
        mover, races = binding.fields.mover, (binding.territory, binding.counts_of)
        self.plain = Model(binding.features, sites, mover, sides, binding.rows, symmetries)
        self._all = [self.plain]
        if binding.territory is not None:
            self._all.append(Model((), sites, mover, sides, (), (), *races))
            whole = (binding.features, sites, mover, sides, binding.rows, symmetries)
            self._all.append(Model(*whole, *races))
        self._worths: list[Numbers] = []
        self._best = 0

    @property
    def is_fitted(self) -> bool:
        """Whether they were fitted to anything."""
        return bool(self._worths)

    @property
    def best(self) -> Model:
        """The model that tells most."""
        return self._all[self._best]

    def worths(self, model: Model) -> Numbers:
        """Return what each column of a model is worth."""
        return self._worths[self._all.index(model)]

    def fit(self, samples: Samples) -> None:
        """Fit all to samples; what was known before holds them back."""
        known: Sequence[Numbers | None] = self._worths or [None] * len(self._all)
        is_first = not self._worths
        self._worths = [
            fitted(model, samples, before) for model, before in zip(self._all, known, strict=True)
        ]
        if is_first and len(self._all) > 1:
            # To what it was fitted to, a model of more numbers is nearer in any case.
            self._choose(samples, 2)

    def compare(self, samples: Samples) -> None:
        """Find out which tells most of samples that none was fitted to."""
        if self._worths and len(self._all) > 1:
            self._choose(samples, len(self._all))

    def _choose(self, samples: Samples, count: int) -> None:
        losses = [
            _loss(model, samples, worths) + (_CLEAR if number else 0.0)
            for number, (model, worths) in enumerate(zip(self._all, self._worths, strict=True))
        ]
        self._best = int(np.argmin(losses[:count]))


def _loss(model: Model, samples: Samples, worths: Numbers) -> float:
    """Return the mean logarithmic loss of what is expected in samples."""
    odds = model.columns(samples) @ worths
    return float(np.mean(np.logaddexp(0, odds) - samples.scores * odds))
