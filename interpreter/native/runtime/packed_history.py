"""Earlier positions as native code wrote them, read when somebody asks for them.

In: a history, and keys that came after it, as bytes. Out: the `History` of all of them. What then
holds: it is equal to the one that has the keys themselves; bytes that go back to native code are
never read. In a random game of hundreds of moves, reading them took most of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from interpreter.reference.history import History, Key

Unpack = Callable[[bytes], Iterable[Key]]


class PackedHistory(History):
    """The keys of the history `before`, and `new` ones, which `unpack` reads; `size` counts all.

    >>> past = PackedHistory(History().adding((1,)), bytes((1, 2)), lambda new: zip(new), 3)
    >>> past.count((1,)), past == History().adding((1,)).adding((2,)).adding((1,))
    (2, True)
    """

    __slots__ = ("before", "new", "size", "unpack")

    def __init__(self, before: History, new: bytes, unpack: Unpack, size: int) -> None:
        # What a history consists of is left out: it is made by `__getattr__`.
        self.before = before
        self.new = new
        self.unpack = unpack
        self.size = size

    def __getattr__(self, name: str) -> Any:
        if name not in ("_counts", "_hash"):
            raise AttributeError(name)
        not_read: list[PackedHistory] = []
        past: History = self
        while isinstance(past, PackedHistory) and not _is_read(past):
            not_read.append(past)
            past = past.before
        counts = dict(past.items())
        for part in reversed(not_read):
            for key in part.unpack(part.new):
                counts[key] = counts.get(key, 0) + 1
        read = History(counts)
        self._counts, self._hash = read._counts, read._hash
        return getattr(self, name)

    def __eq__(self, other: Any) -> bool:
        if isinstance(other, PackedHistory) and self.before is other.before:
            is_same = self.new == other.new and self.unpack == other.unpack
            return is_same or super().__eq__(other)
        return super().__eq__(other)

    def __hash__(self) -> int:
        return super().__hash__()

    def __reduce__(self) -> tuple[type[History], tuple[dict[Key, int]]]:
        return History, (dict(self.items()),)


def _is_read(past: PackedHistory) -> bool:
    try:
        object.__getattribute__(past, "_counts")
    except AttributeError:
        return False
    return True
