"""How many iterations the threads of a search make before they look at the clock again.

In: when a search is to end, and how many iterations it may have. Out: numbers of iterations, one
after the other, for each thread. What then holds: all threads together are given as many as there
may be, and none goes on for long after the end.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Lock

_STRETCH = 0.004
"""Seconds that a thread searches before it looks at the clock."""
_FIRST_STRETCH = 8
_LONGEST_STRETCH = 1 << 16


class IterationPool:
    """Shares iterations out among threads, as long as there are some and time is left.

    The time is up at the moment `end`, which may be put off between two searches.
    """

    def __init__(self, end: float | None, iterations: int | None) -> None:
        self.made = 0
        self.end = end
        self._left = iterations
        self._lock = Lock()

    def stretches(self) -> Iterator[int]:
        """Yield how many iterations a thread is to make next."""
        number = _FIRST_STRETCH
        while True:
            begun = time.perf_counter()
            if self.end is not None and begun >= self.end and self.made:
                return
            with self._lock:
                if self._left is not None:
                    number = min(number, self._left)
                    self._left -= number
            if not number:
                return
            yield number
            spent = time.perf_counter() - begun
            stretch = _STRETCH
            if self.end is not None:
                stretch = min(stretch, self.end - time.perf_counter())
            if spent > 0:
                number = int(number * min(8.0, stretch / spent))
            number = max(1, min(number, _LONGEST_STRETCH))

    def note(self, made: int) -> None:
        """Note that so many iterations were made."""
        with self._lock:
            self.made += made
