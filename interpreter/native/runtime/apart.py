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


class _Work(threading.Thread, Generic[Result]):
    """Calls a function; `result` is what it returns, or `error` what it raises."""

    def __init__(self, function: Callable[[], Result]) -> None:
        super().__init__()
        self.result: Result | None = None
        self.error: BaseException | None = None
        self._function = function

    def run(self) -> None:
        """Call the function."""
        try:
            self.result = self._function()
        except BaseException as error:
            self.error = error


def apart(function: Callable[[], Result]) -> Result:
    """Return what a function returns; in the main thread, an interrupt does not wait for it."""
    if threading.current_thread() is not threading.main_thread():
        return function()
    work = _Work(function)
    work.start()
    work.join()
    if work.error is not None:
        raise work.error
    return work.result  # type: ignore[return-value]


def is_working() -> bool:
    """Return whether some such work goes on."""
    return any(isinstance(thread, _Work) for thread in threading.enumerate())
