"""How long the reading of text takes, as part of loading a game.

In: functions that read text. Out: the same, with their time taken where somebody asks for it.
What then holds: time within nested calls counts once; nothing is kept after the asking.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

from gdl.data_classes import dataclass

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


@dataclass
class Stopwatch:
    """Adds up `seconds` of reading; `is_running` while a function that reads is called."""

    seconds: float = 0.0
    is_running: bool = False


_watch: ContextVar[Stopwatch | None] = ContextVar("watch", default=None)


@contextmanager
def reading_timed() -> Iterator[Stopwatch]:
    """Take the time of all that is read inside, in this thread.

    >>> with reading_timed() as watch:
    ...     number = reads(int)("12")
    >>> number, watch.seconds > 0
    (12, True)
    """
    watch = Stopwatch()
    token = _watch.set(watch)
    try:
        yield watch
    finally:
        _watch.reset(token)


def reads(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Return a function that reads text, with its time taken if somebody asks for it."""

    @functools.wraps(function)
    def timed(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        watch = _watch.get()
        if watch is None or watch.is_running:
            return function(*args, **kwargs)
        watch.is_running = True
        begun = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            watch.seconds += time.perf_counter() - begun
            watch.is_running = False

    return timed
