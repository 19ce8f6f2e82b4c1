"""Clocks: how much time each seat has left to choose its moves.

In: a time control such as `10m+5s`, and who is on turn. Out: seconds left. What then holds: at most
one seat's time runs; it runs while its move is awaited, and nobody gets back what is used up.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping

from gdl.data_classes import dataclass

_CONTROL = re.compile(
    r"(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?(?:\+(?:(\d{1,4})m)?(?:(\d{1,5})s)?)?"
)
_SHORT = 10
"""Below so many seconds, tenths are shown."""


@dataclass(frozen=True)
class TimeControl:
    """How many seconds a seat has for the whole game, and how many it gains with each move."""

    seconds: int
    increment: int = 0

    @classmethod
    def of(cls, text: str) -> TimeControl | None:
        """Return what a text asks for; None if it is no time control.

        >>> TimeControl.of("1h30m"), TimeControl.of("10m+5s")
        (TimeControl(seconds=5400, increment=0), TimeControl(seconds=600, increment=5))
        >>> TimeControl.of("10"), TimeControl.of("0m"), TimeControl.of("+5s")
        (None, None, None)
        """
        found = _CONTROL.fullmatch(text.strip().lower())
        if found is None:
            return None
        hours, minutes, seconds, more_minutes, more_seconds = (int(n or 0) for n in found.groups())
        whole = 3600 * hours + 60 * minutes + seconds
        return cls(whole, 60 * more_minutes + more_seconds) if whole else None

    @property
    def text(self) -> str:
        """The text of it, in seconds."""
        return f"{self.seconds}s" + (f"+{self.increment}s" if self.increment else "")


class Clock:
    """The time that seats have left; seats are numbered from 1."""

    def __init__(
        self,
        control: TimeControl,
        left: Mapping[int, float] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin with the time that each seat has `left`, by default the whole; nobody's runs."""
        self.control = control
        self._left = dict(left or {})
        self._now = now
        self._running: int | None = None
        self._since = now()

    def left(self, seat: int) -> float:
        """Return how many seconds a seat has left, 0 at least."""
        used = self._now() - self._since if seat == self._running else 0.0
        return max(0.0, self._left.get(seat, self.control.seconds) - used)

    def run(self, seat: int | None) -> None:
        """Let the time of a seat run, and nobody else's."""
        if self._running is not None:
            self._left[self._running] = self.left(self._running)
        self._running, self._since = seat, self._now()

    def moved(self, seat: int | None) -> None:
        """Stop the time; a seat that has moved while its time ran gains what a move gives."""
        has_run = seat == self._running
        self.run(None)
        if seat is not None and has_run:
            self._left[seat] = self.left(seat) + self.control.increment

    @property
    def is_up(self) -> bool:
        """Whether the seat whose time runs has none left."""
        return self._running is not None and not self.left(self._running)

    def all_left(self) -> Mapping[int, float]:
        """Return the seconds left, rounded, of each seat that has used some."""
        seats = sorted({*self._left, *([self._running] if self._running else [])})
        return {seat: round(self.left(seat), 1) for seat in seats}


def clock_text(seconds: float) -> str:
    """Return seconds as clocks show them.

    >>> clock_text(754.2), clock_text(9.24), clock_text(3661)
    ('12:35', '9.3', '1:01:01')
    """
    if seconds < _SHORT:
        return f"{_up(seconds * 10) / 10:.1f}"
    minutes, rest = divmod(_up(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _up(number: float) -> int:
    return -int(-number // 1)
