"""How long to work, who is told how far it has come, and when it is kept.

In: how many seconds there are, whom to tell, and what keeps the work. Out: a deadline, a thread
that tells, and pauses. What then holds: what is found out does not depend on how often it is told
or kept.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gdl.data_classes import dataclass
from gdl.diagnostic import GameError

_BETWEEN = 0.2
KEPT_EVERY, _SHARE_OF_KEEPING = 60.0, 0.05
"""So many seconds after it was kept, the work is kept again, if that takes no more of the time."""


class OutOfTime(Exception):
    """There is no time left; what was found out so far is kept."""

    def __str__(self) -> str:
        return "There is no time left; what was found out so far is kept."


@dataclass(frozen=True)
class Progress:
    """How far the work has come: what is being done, how much of it, and of how much (if known)."""

    what: str
    done: int
    of: int | None = None


Tell = Callable[[Progress], None]


def refuse_no_time(seconds: float | None) -> None:
    """Refuse to work for no time. Raises ValueError."""
    if seconds is not None and not seconds > 0:
        raise ValueError(f"seconds: {seconds}, and they must be above 0")


class Clock:
    """Shares out time.

    `deadline` is a moment of `time.monotonic`, or None. At the moment `pause`, if there is one,
    native calls return with what they have, and `keep_if_due` is to be called.
    """

    def __init__(
        self,
        seconds: float | None = None,
        tell: Tell | None = None,
        keep: Callable[[], None] | None = None,
    ) -> None:
        """Begin now; without `seconds` there is no end. `keep` writes what was found out."""
        self._begun = time.monotonic()
        self.deadline = None if seconds is None else self._begun + seconds
        self._tell = tell
        self._keep = keep
        self.pause = None if keep is None else self._begun + KEPT_EVERY

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.monotonic() - self._begun

    @property
    def left(self) -> float | None:
        """How many seconds there are still; None if there is no end."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def keep_if_due(self) -> None:
        """Keep what was found out, if the moment has come; what can't be written is let be."""
        begun = time.monotonic()
        if self._keep is None or self.pause is None or begun < self.pause:
            return
        try:
            self._keep()
        except GameError:
            self.pause = None
            return
        ended = time.monotonic()
        self.pause = ended + max(KEPT_EVERY, (ended - begun) / _SHARE_OF_KEEPING)

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
