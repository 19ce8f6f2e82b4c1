"""Ending work when its time is up, in the middle of whatever it does.

In: seconds. Out: a context in which `TimeUp` is raised when they have passed. What then holds:
nothing is raised behind the context.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_SOON, _LATE = 1e-6, 1e8
_AGAIN = 1.0  # seconds; an exception may be lost where Python ignores them
_AFTER_THIS = 0.001  # seconds until an object is freed
_KNOW_WEAKLY = ("weakref", "_weakrefset")
"""Modules of Python's that are called when an object is freed."""


class TimeUp(BaseException):
    """The time is up; no `except Exception` on the way may take it for a fault."""


class _Interrupt:
    """Whether an interrupt has ended all deadlines."""

    has_come = False


@contextmanager
def stopped_by_interrupt() -> Iterator[Callable[[], bool]]:
    """Let an interrupt end all deadlines, so that work tells what it has; a second interrupts.

    Gives what tells whether one has come. In another thread than the main one, nothing is changed.
    """

    def come(number: int, frame: FrameType | None) -> None:
        if _Interrupt.has_come:
            raise KeyboardInterrupt
        _Interrupt.has_come = True

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, come)
    try:
        yield lambda: _Interrupt.has_come
    finally:
        signal.signal(signal.SIGINT, before)
        _Interrupt.has_come = False


def is_interrupted() -> bool:
    """Return whether it was an interrupt that has ended all deadlines."""
    return _Interrupt.has_come


class Deadline:
    """A point in time, some seconds from when it was made.

    The clock is that of the wall, or another one, such as that of the processor's time.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + seconds

    @property
    def left(self) -> float:
        """How many seconds are left; none after an interrupt that work is stopped by."""
        return 0.0 if _Interrupt.has_come else self._end - self._clock()

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self.left <= 0

    def check(self) -> None:
        """Raise TimeUp if the time is up."""
        if self.is_over:
            raise TimeUp


@contextmanager
def limited(seconds: float, *, of_processor: bool = False) -> Iterator[Deadline]:
    """Give a deadline, and raise TimeUp at it. The seconds may be those of the processor's time.

    It is raised wherever the work is, in the main thread of a system that has timers for that;
    elsewhere where the work checks the deadline.
    """
    deadline = Deadline(seconds, time.process_time if of_processor else time.monotonic)
    if threading.current_thread() is not threading.main_thread() or not hasattr(
        signal, "setitimer"
    ):
        yield deadline
        return

    if of_processor:
        timer, alarm = signal.ITIMER_PROF, signal.SIGPROF
    else:
        timer, alarm = signal.ITIMER_REAL, signal.SIGALRM

    def time_is_up(number: int, frame: FrameType | None) -> None:
        if _is_freeing(frame):  # what is raised there is lost, with a warning
            signal.setitimer(timer, _AFTER_THIS, _AGAIN)
            return
        raise TimeUp

    before = signal.signal(alarm, time_is_up)
    try:
        signal.setitimer(timer, min(max(seconds, _SOON), _LATE), _AGAIN)
        yield deadline
    finally:
        signal.setitimer(timer, 0)
        signal.signal(alarm, before)


def _is_freeing(frame: FrameType | None) -> bool:
    """Return whether an object is just being freed: a method of its own, or who knows it weakly."""
    while frame is not None:
        if frame.f_code.co_name == "__del__" or frame.f_globals.get("__name__") in _KNOW_WEAKLY:
            return True
        frame = frame.f_back
    return False
