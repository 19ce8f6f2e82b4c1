"""The memory of earlier positions that rules about repetition read.

In: keys of positions, one at a time. Out: how often each came. What then holds: a history is
immutable, and two are equal if they have the same keys as often, whatever the order.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

Key = tuple[Hashable, ...]


class History:
    """An immutable multiset of keys.

    >>> past = History().adding((1, 2)).adding((3, 4)).adding((1, 2))
    >>> past.count((1, 2)), past.count((5, 6))
    (2, 0)
    >>> past == History().adding((1, 2)).adding((1, 2)).adding((3, 4))
    True
    """

    __slots__ = ("_counts", "_hash")

    def __init__(self, counts: Mapping[Key, int] | None = None) -> None:
        self._counts = dict(counts or {})
        self._hash = sum(hash(key) * count for key, count in self._counts.items())

    def count(self, key: Key) -> int:
        """Return how often `key` was added."""
        return self._counts.get(key, 0)

    def adding(self, key: Key) -> History:
        """Return the history with `key` once more."""
        added = History.__new__(History)
        added._counts = {**self._counts, key: self.count(key) + 1}
        added._hash = self._hash + hash(key)
        return added

    def items(self) -> Iterable[tuple[Key, int]]:
        """Return each key with how often it was added."""
        return self._counts.items()

    def __eq__(self, other: Any) -> bool:
        return (
            isinstance(other, History)
            and self._hash == other._hash
            and self._counts == other._counts
        )

    def __hash__(self) -> int:
        return hash(self._hash)

    def __repr__(self) -> str:
        return f"History({self._counts!r})"
