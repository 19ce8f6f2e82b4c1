"""How much of the stack native code may take.

In: the functions of a module. Out: a bound of what they take below the point where they test how
much is left. What then holds: code that is run on as much stack as `Need` says, and is told where
that ends, never leaves it: a search that would go too deep says so instead.

Only functions that test the stack (`Function.is_guarded`) lead to themselves again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache

from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.ir import FRAME_BYTES, Function
from gdl.interpreter.native.emit.kinds import DOUBLE, PTR
from gdl.interpreter.native.emit.target import Target

_ARRAY = re.compile(r"[\[<](\w+) x (.+)[\]>]")
_ALLOCA = re.compile(r"alloca (.+), align")
_ALIGNED = 16
_BYTES_A_LINE = 32
_BYTES_A_CALL = 256
"""What a function may take besides its variables: for each instruction, and for being called."""


@dataclass(frozen=True)
class Need:
    """How many bytes of stack are needed: below a test, and up to the first test."""

    below: int = 0
    above: int = 0


def need_of(
    functions: Mapping[str, Function], calls: Counter[str], frame_bytes: int, target: Target
) -> Need:
    """Return what functions need that call each other so often, with frames of so many bytes."""
    callees = {
        name: Counter(callee for callee in function.calls if callee in functions)
        for name, function in functions.items()
    }
    copied = {
        name
        for name, function in functions.items()
        if function.is_copied(is_called_once=calls[name] == 1)
    }

    @cache
    def is_guarded(name: str) -> bool:
        """Whether a function tests the stack, or one does that is copied into it."""
        return functions[name].is_guarded or any(map(is_guarded, callees[name].keys() & copied))

    @cache
    def frame(name: str) -> int:
        """Return the bytes of a function's own frame, with those of its copies."""
        function = functions[name]
        own = sum(_bytes_of(line, frame_bytes, target) for line in function.variables)
        copied_here = Counter(function.copied_here)
        copies = (
            (times if one in copied else copied_here[one]) * frame(one)
            for one, times in callees[name].items()
            if one in copied or one in copied_here
        )
        return own + _BYTES_A_LINE * len(function.body) + _BYTES_A_CALL + sum(copies)

    @cache
    def below_copies(name: str) -> frozenset[str]:
        """Return the functions that are called by one, or by what is copied into it.

        Those that test the stack are left out: they are told where it ends.
        """
        own = {one for one in callees[name].keys() - copied if not is_guarded(one)}
        return frozenset(own.union(*map(below_copies, callees[name].keys() & copied)))

    @cache
    def below(name: str) -> int:
        """Return what a function takes, with those that it calls, up to the next test."""
        return frame(name) + max(map(below, below_copies(name)), default=0)

    guarded = (below(name) for name in functions if is_guarded(name))
    return Need(max(guarded, default=0), max(map(below, functions), default=0))


def _bytes_of(variable: str, frame_bytes: int, target: Target) -> int:
    """Return how many bytes a variable takes, given by the line that makes room for it."""
    found = _ALLOCA.search(variable)
    assert found is not None, variable
    size = _size(found[1].replace(FRAME_BYTES, str(frame_bytes)), target)
    return -(-size // _ALIGNED) * _ALIGNED


def _size(type_: str, target: Target) -> int:
    array = _ARRAY.fullmatch(type_)
    if array:
        return int(array[1]) * _size(array[2], target)
    if type_ == PTR:
        return target.address_bytes
    return 8 if type_ == DOUBLE else -(-int(type_[1:]) // 8)
