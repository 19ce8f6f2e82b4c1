"""How long a game is played.

In: seconds. Out: how many are left. What then holds: a machine that does much else beside is given
more time, but not without an end.
"""

from __future__ import annotations

import time

from interpreter.verify.deadline import Deadline

_WALL = 2
_WALL_MORE = 1.5


class Countdown(Deadline):
    """Seconds of the processor that may be used; of a clock on the wall, twice as many and some."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds, time.process_time)
        self._wall = Deadline(_WALL * seconds + _WALL_MORE)

    @property
    def left(self) -> float:
        """How many seconds are left."""
        return min(super().left, self._wall.left / _WALL)

    @property
    def wall_left(self) -> float:
        """How many seconds on the wall are left."""
        return _WALL * self.left
