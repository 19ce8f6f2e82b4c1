"""Work in a thread apart that nothing can stop, so that who waits for it can be interrupted.

In: a function. Out: its result. What then holds: after an interrupt the work goes on, and what it
comes to is handed to nobody. It may be left where the process ends at once; where that ends in
order, it waits. One thread does one such work after another, and lives on: the memory that each
new thread takes for itself is not all given back when it ends.

A process that is forked has none of the threads of the first one. So whatever they held is made
anew there: what has locks says so (`renew_in_child`).
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Callable
from functools import cached_property
from queue import SimpleQueue
from typing import Any, Generic, Protocol, TypeVar
from weakref import WeakSet

Result = TypeVar("Result")


class Work(Generic[Result]):
    """A function that is called in another thread; `error` is what it has raised, if anything."""

    def __init__(self, function: Callable[[], Result]) -> None:
        self.error: BaseException | None = None
        self._function = function
        self._result: Result | None = None

    def run(self) -> None:
        """Call the function."""
        try:
            self._result = self._function()
        except BaseException as error:
            self.error = error

    def outcome(self) -> Result:
        """Return what the function returned, or raise what it raised."""
        if self.error is not None:
            raise self.error
        return self._result  # type: ignore[return-value]


class _AwaitedWork(Work[Result]):
    """Work that somebody waits for: `done` gets an element when it is."""

    def __init__(self, function: Callable[[], Result]) -> None:
        super().__init__(function)
        self.done: SimpleQueue[None] = SimpleQueue()


class _Worker(threading.Thread):
    """Does one work after another, until it is given None."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.to_do: SimpleQueue[_AwaitedWork[Any] | None] = SimpleQueue()
        self.is_busy = False

    def run(self) -> None:
        """Do what there is to do."""
        while (work := self.to_do.get()) is not None:
            self.is_busy = True
            work.run()
            self.is_busy = False
            work.done.put(None)
            del work


_worker = _Worker()
"""The thread; it begins with the first work."""


def apart(function: Callable[[], Result]) -> Result:
    """Return what a function returns; in the main thread, an interrupt does not wait for it."""
    global _worker
    if threading.current_thread() is not threading.main_thread():
        return function()
    work = _AwaitedWork(function)
    if not _worker.is_alive():
        _worker = _Worker()
        _worker.start()
    _worker.to_do.put(work)
    work.done.get()
    return work.outcome()


def is_working() -> bool:
    """Return whether some such work goes on."""
    return _worker.is_busy or not _worker.to_do.empty()


@atexit.register
def _end() -> None:
    """Wait until all is done: a thread that is at work when the process ends may crash it."""
    if _worker.is_alive():
        _worker.to_do.put(None)
        _worker.join()


class HasLocks(Protocol):
    """What threads hold locks of."""

    def renew_locks(self) -> None:
        """Let no lock be held: in a process that was forked, by a thread that is not there."""
        ...


_have_locks: WeakSet[HasLocks] = WeakSet()


def renew_in_child(holder: HasLocks) -> None:
    """Have something renew its locks in each process that is forked."""
    _have_locks.add(holder)


def _renew_all() -> None:
    global _worker
    _worker = _Worker()
    _renew_cached_properties()
    for holder in [*_have_locks]:
        holder.renew_locks()


def _renew_cached_properties() -> None:
    """Let no thread hold the lock that Python 3.11 gives each cached property of a class."""
    ours = [one for name, one in sys.modules.items() if name.split(".")[0] == "gdl"]
    for one in [cls for module in ours for cls in vars(module).values() if isinstance(cls, type)]:
        for found in vars(one).values():
            if isinstance(found, cached_property) and hasattr(found, "lock"):
                found.lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
