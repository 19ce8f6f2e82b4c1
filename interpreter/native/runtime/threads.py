"""Native work in threads of its own, so that an interrupt can stop it.

In: a function for each thread, and the worlds that they work in. Out: their results. What then
holds: no thread is still at work, whether they ended by themselves, one failed, time was up, or
the program was interrupted.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from interpreter.native.runtime.exchange import World

_MOMENT = 0.05  # seconds
_PAGE = 1 << 16

Result = TypeVar("Result")

_stack_size = threading.Lock()
"""How much stack a thread gets is set for all threads that begin."""


class TimeIsUp(Exception):
    """Native work was stopped at its deadline."""


class _Worker(threading.Thread, Generic[Result]):
    """Calls a function with a world; `result` is what it returns, or `error` what it raises."""

    def __init__(
        self, world: World, function: Callable[[World], Result], ended: threading.Semaphore
    ) -> None:
        super().__init__(daemon=True)
        self.result: Result | None = None
        self.error: BaseException | None = None
        self._world = world
        self._function = function
        self._ended = ended

    def run(self) -> None:
        """Call the function."""
        try:
            self.result = self._function(self._world)
        except BaseException as error:
            self.error = error
        finally:
            self._ended.release()


def run(
    tasks: Sequence[tuple[World, Callable[[World], Result]]],
    stack_bytes: int,
    deadline: float | None = None,
    until: float | None = None,
) -> list[Result]:
    """Run each task with its world, all at once, on so much stack; return their results.

    Where one raises an exception, the program is interrupted, or the `deadline` comes (a moment
    of `time.monotonic`), all are stopped. Raises TimeIsUp then. At the moment `until` they are
    stopped as well, and return what they have.
    """
    last = min(moment for moment in (deadline, until, math.inf) if moment is not None)
    ended = threading.Semaphore(0)
    workers = [_Worker(world, function, ended) for world, function in tasks]
    begun: list[_Worker[Result]] = []
    is_late = False
    try:
        for worker in workers:
            _begin(worker, stack_bytes)
            begun.append(worker)
        left = len(workers)
        while left and not any(worker.error for worker in workers) and not is_late:
            moment = min(_MOMENT, max(0.0, last - time.monotonic()))
            left -= ended.acquire(timeout=moment)
            is_late = left > 0 and time.monotonic() >= last
    finally:
        for world, _ in tasks:
            world.stop()
        for worker in begun:
            worker.join()
        for world, _ in tasks:
            world.go_on()
    for worker in workers:
        if worker.error is not None:
            raise worker.error
    if is_late and last != until:
        raise TimeIsUp
    return [worker.result for worker in workers]  # type: ignore[misc]


def _begin(worker: threading.Thread, stack_bytes: int) -> None:
    with _stack_size:
        before = threading.stack_size(-(-stack_bytes // _PAGE) * _PAGE)
        try:
            worker.start()
        finally:
            threading.stack_size(before)
