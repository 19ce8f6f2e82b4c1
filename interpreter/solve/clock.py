"""How long to work, and who is told how far it has come.

In: how many seconds there are, and whom to tell. Out: a deadline, and a thread that tells. What
then holds: what is found out does not depend on how often it is told.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_BETWEEN = 0.2


class OutOfTime(Exception):
    """There is no time left; what was found out so far is kept."""


@dataclass(frozen=True)
class Progress:
    """How far the work has come: what is being done, how much of it, and of how much (if known)."""

    what: str
    done: int
    of: int | None = None


Tell = Callable[[Progress], None]


class Clock:
    """Shares out time. `deadline` is a moment of `time.monotonic`, or None."""

    def __init__(self, seconds: float | None = None, tell: Tell | None = None) -> None:
        """Begin now; without `seconds` there is no end."""
        self._begun = time.monotonic()
        self.deadline = None if seconds is None else self._begun + seconds
        self._tell = tell

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.monotonic() - self._begun

    @property
    def left(self) -> float | None:
        """How many seconds there are still; None if there is no end."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    @contextmanager
    def watching(self, progress: Callable[[], Progress]) -> Iterator[None]:
        """Tell several times a second how far the work inside has come."""
        if self._tell is None:
            yield
            return
        tell, ended = self._tell, threading.Event()

        def watch() -> None:
            while not ended.wait(_BETWEEN):
                tell(progress())

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()
