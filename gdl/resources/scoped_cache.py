"""Work that is done once for several games, or for several parts of one.

In: functions whose results depend on their arguments alone. Out: the same, which keep their results
while somebody asks for it: the variants of a game have most of their texts and relations in common.
What then holds: nothing is kept after the asking.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_kept: ContextVar[dict[Any, Any] | None] = ContextVar("kept", default=None)
_NOTHING: Any = object()
"""What stands for no result."""


@contextmanager
def work_shared() -> Iterator[None]:
    """Let results be kept until the end, in this thread; within another asking, until its end.

    >>> numbers = []
    >>> add = shared(numbers.append)
    >>> with work_shared():
    ...     add(1), add(1)
    (None, None)
    >>> add(2), numbers
    (None, [1, 2])
    """
    if _kept.get() is not None:
        yield
        return
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def shared(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Return a function of hashable arguments that keeps what it returns, if that is asked for."""

    @functools.wraps(function)
    def once(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        kept = _kept.get()
        if kept is None:
            return function(*args, **kwargs)
        key = (function, args, *kwargs.items())
        result: Result = kept.get(key, _NOTHING)
        if result is _NOTHING:
            result = kept[key] = function(*args, **kwargs)
        return result

    return once
