"""Methods of an object of which one runs at a time, whichever thread calls it.

In: a method of an object with a `lock`. Out: the method. What then holds: a thread that calls
one while another thread is in one waits; a method may call another one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class _HasLock(Protocol):
    @property
    def lock(self) -> threading.RLock: ...


_S = TypeVar("_S", bound=_HasLock)


def one_at_a_time(method: Callable[Concatenate[_S, _P], _T]) -> Callable[Concatenate[_S, _P], _T]:
    """Let the method wait until no other thread is in such a method of the object."""

    @wraps(method)
    def waiting(self: _S, /, *args: _P.args, **named: _P.kwargs) -> _T:
        with self.lock:
            return method(self, *args, **named)

    return waiting
