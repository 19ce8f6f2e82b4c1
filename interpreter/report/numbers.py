"""Shares and means with their intervals at 95 %.

In: counts, and lists of numbers. Out: `Share` and `Mean`. What then holds: the interval of a share
is Wilson's ("Probable Inference", Journal of the American Statistical Association 22, 1927), which
is right for few games, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, median, stdev
from typing import Any

from gdl.data_classes import dataclass

_NORMAL_95 = 1.959964


@dataclass(frozen=True)
class Share:
    """How many of a number of games; `low` and `high` are the interval."""

    count: float
    of: int

    @property
    def value(self) -> float:
        """The share; 0 of nothing."""
        return self.count / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Between what the true share lies.

        >>> tuple(round(end, 3) for end in Share(5, 10).interval)
        (0.237, 0.763)
        """
        if not self.of:
            return 0.0, 1.0
        z, n, p = _NORMAL_95, self.of, self.value
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data; of nothing there is no share."""
        share = self.value if self.of else None
        return {"count": self.count, "of": self.of, "share": share} | {
            "interval": list(self.interval)
        }


@dataclass(frozen=True)
class Mean:
    """The mean of some numbers, half the width of its interval, and what else tells of them."""

    value: float
    half: float
    count: int
    least: float
    middle: float
    most: float

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "mean": self.value,
            "interval": [self.value - self.half, self.value + self.half],
            "count": self.count,
            "least": self.least,
            "median": self.middle,
            "most": self.most,
        }


def mean_of(values: Sequence[float]) -> Mean | None:
    """Return the mean of some numbers; None if there are none.

    >>> found = mean_of([1, 2, 3])
    >>> found.value, found.middle, round(found.half, 2)
    (2.0, 2, 1.13)
    """
    if not values:
        return None
    half = _NORMAL_95 * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return Mean(fmean(values), half, len(values), min(values), median(values), max(values))
