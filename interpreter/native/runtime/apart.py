"""Work in a thread of its own that nothing can stop, so that who waits for it can be interrupted.

In: a function. Out: its result. What then holds: after an interrupt the work goes on, and what it
comes to is handed to nobody. It may be left where the process ends at once; where that ends in
order, it waits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

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


class _Unstoppable(threading.Thread):
    """A thread whose work goes on after an interrupt."""


def apart(function: Callable[[], Result]) -> Result:
    """Return what a function returns; in the main thread, an interrupt does not wait for it."""
    if threading.current_thread() is not threading.main_thread():
        return function()
    work = Work(function)
    thread = _Unstoppable(target=work.run)
    thread.start()
    thread.join()
    return work.outcome()


def is_working() -> bool:
    """Return whether some such work goes on."""
    return any(isinstance(thread, _Unstoppable) for thread in threading.enumerate())
