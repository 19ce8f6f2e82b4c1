"""Room for calls within calls, in one piece of memory.

In: a function. Out: the same function, in which Python does not ask the system for memory again and
again as calls go deep. What then holds: nothing else is different.

CPython keeps the values of calls in pieces of 16 KiB (`DATA_STACK_CHUNK_SIZE` in its
`Python/pystate.c`). It maps a piece for the first call that does not fit, and unmaps it when that
call returns. A recursion that goes to and fro there does both at each call: a quarter of the time
of reading a game whose definitions are deep.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")

_WORDS = 70_000
"""How many values such a call is said to need: Python maps a mebibyte, and has room for more there.

What is left is too little for another such call, which gets its own.
"""


def with_room_for_calls(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Return a function that gives calls within it room in one piece.

    >>> @with_room_for_calls
    ... def depth(left: int) -> int:
    ...     return 1 + depth(left - 1) if left else 0
    >>> depth(10)
    10
    """

    def in_one_piece(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        return function(*args, **kwargs)

    # Python takes what the code says that it needs, whether or not it is used.
    in_one_piece.__code__ = in_one_piece.__code__.replace(co_stacksize=_WORDS)
    return wraps(function)(in_one_piece)
