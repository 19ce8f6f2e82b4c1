"""Native work in threads of its own, so that an interrupt can stop it.

In: a function for each thread, and the worlds that they work in. Out: their results. What then
holds: no thread is still at work, whether they ended by themselves, one failed, time was up, or
the program was interrupted. Threads that have ended their work wait for more: to begin one takes
several times as long as a short random game.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from gdl.interpreter.native.runtime.exchange import World
from gdl.interpreter.native.runtime.uninterruptible import Work

_MOMENT = 0.05  # seconds
_PAGE = 1 << 16
_MOST_WAITING = 8
"""How many threads wait for work; more than these end."""

Result = TypeVar("Result")

_lock = threading.Lock()
"""How much stack a thread gets is set for all threads that begin; who waits is known to all."""


class TimeIsUp(Exception):
    """Native work was stopped at its deadline."""


class _Task(Work[Result]):
    """Calls a function with a world; it is over when its thread is ready for another one.

    It is taken by a thread or withdrawn, also where an interrupt comes while it is given to one.
    """

    def __init__(
        self, world: World, function: Callable[[World], Result], ended: SimpleQueue[None]
    ) -> None:
        super().__init__(lambda: function(world))
        self.is_over = False
        self._ended = ended
        self._to_take = [None]  # a list gives up its element in one step, to one thread

    def take(self) -> bool:
        """Return whether it is for who asks to do the task: only for the first who does."""
        try:
            self._to_take.pop()
        except IndexError:
            return False
        return True

    def withdraw(self) -> None:
        """Let no thread take the task any more."""
        if self.take():
            self.is_over = True

    def tell(self) -> None:
        """Tell who waits for it that it is over."""
        self.is_over = True
        self._ended.put(None)


class _Worker(threading.Thread):
    """Does tasks, each given by `tasks.put`, until it is given None."""

    def __init__(self, stack_bytes: int) -> None:
        super().__init__(daemon=True)
        self.tasks: SimpleQueue[_Task[Any] | None] = SimpleQueue()
        self.stack_bytes = stack_bytes

    def run(self) -> None:
        """Do one task after another."""
        while (task := self.tasks.get()) is not None:
            if task.take():
                task.run()
            _wait(self)
            task.tell()
            del task


_waiting: list[_Worker] = []
"""Threads without work; who has waited longest is first."""


def _wait(worker: _Worker) -> None:
    """Let a worker be given more work; where too many are, let the first end."""
    with _lock:
        _waiting.append(worker)
        while len(_waiting) > _MOST_WAITING:
            _waiting.pop(0).tasks.put(None)


def _give(task: _Task[Any], stack_bytes: int) -> None:
    """Give a task to a thread with so much stack, to a new one if none waits."""
    with _lock:
        worker = next((one for one in _waiting if one.stack_bytes == stack_bytes), None)
        if worker is not None:
            _waiting.remove(worker)
            worker.tasks.put(task)
            return
        worker = _Worker(stack_bytes)
        worker.tasks.put(task)
        before = threading.stack_size(-(-stack_bytes // _PAGE) * _PAGE)
        try:
            worker.start()
        finally:
            threading.stack_size(before)


def _forget_all() -> None:
    """Begin anew in a process that was forked: threads are not forked with it."""
    global _lock
    _lock = threading.Lock()
    _waiting.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


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
    ended: SimpleQueue[None] = SimpleQueue()
    to_do = [_Task(world, function, ended) for world, function in tasks]
    is_late = False
    try:
        for task in to_do:
            _give(task, stack_bytes)
        while _are_at_work(to_do) and not any(task.error for task in to_do) and not is_late:
            _await(ended, min(_MOMENT, max(0.0, last - time.monotonic())))
            is_late = _are_at_work(to_do) and time.monotonic() >= last
    except BaseException:
        for task in to_do:
            task.withdraw()
        raise
    finally:
        for world, _ in tasks:
            world.stop()
        while _are_at_work(to_do):
            _await(ended, _MOMENT)
        for world, _ in tasks:
            world.go_on()
    results = [task.outcome() for task in to_do]
    if is_late and last != until:
        raise TimeIsUp
    return results


def begin(world: World, function: Callable[[World], object], stack_bytes: int) -> None:
    """Have a thread call a function with a world, on so much stack; nobody waits for it."""
    _give(_Task(world, function, SimpleQueue()), stack_bytes)


def _are_at_work(tasks: Sequence[_Task[Any]]) -> bool:
    return not all(task.is_over for task in tasks)


def _await(ended: SimpleQueue[None], seconds: float) -> None:
    """Wait until a task is over, or for so long."""
    with suppress(Empty):
        ended.get(timeout=seconds)
