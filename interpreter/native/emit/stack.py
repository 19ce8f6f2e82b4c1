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

from gdl.data_classes import dataclass
from interpreter.native.emit.ir import FRAME_BYTES, Function

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


def need_of(functions: Mapping[str, Function], calls: Counter[str], frame_bytes: int) -> Need:
    """Return what functions need that call each other so often, with frames of so many bytes."""
    stacks = _Stacks(functions, calls, frame_bytes)
    guarded = (stacks.below(name) for name in functions if stacks.is_guarded(name))
    return Need(max(guarded, default=0), max(map(stacks.below, functions), default=0))


class _Stacks:
    def __init__(
        self, functions: Mapping[str, Function], calls: Counter[str], frame_bytes: int
    ) -> None:
        self._functions = functions
        self._frame_bytes = str(frame_bytes)
        self._copied = {
            name
            for name, function in functions.items()
            if function.is_copied(is_called_once=calls[name] == 1)
        }
        self._callees = {
            name: Counter(callee for callee in function.calls if callee in functions)
            for name, function in functions.items()
        }
        self._frames: dict[str, int] = {}
        self._below: dict[str, int] = {}
        self._guarded: dict[str, bool] = {}

    def is_guarded(self, name: str) -> bool:
        """Whether a function tests the stack, or one does that is copied into it."""
        if name not in self._guarded:
            self._guarded[name] = self._functions[name].is_guarded
            self._guarded[name] |= any(
                self.is_guarded(callee) for callee in self._callees[name] if callee in self._copied
            )
        return self._guarded[name]

    def below(self, name: str) -> int:
        """Return what a function takes, with those that it calls, up to the next test."""
        if name not in self._below:
            self._below[name] = 0
            callees = self._below_copies(name, set())
            deepest = max(map(self.below, callees), default=0)
            self._below[name] = self._frame(name) + deepest
        return self._below[name]

    def _below_copies(self, name: str, seen: set[str]) -> set[str]:
        """Return the functions that are called by one, or by what is copied into it.

        Those that test the stack are left out: they are told where it ends.
        """
        found: set[str] = set()
        for callee in self._callees[name]:
            if callee in seen:
                continue
            seen.add(callee)
            if callee in self._copied:
                found |= self._below_copies(callee, seen)
            elif not self.is_guarded(callee):
                found.add(callee)
        return found

    def _frame(self, name: str) -> int:
        """Return the bytes of a function's own frame, with those of its copies."""
        if name not in self._frames:
            self._frames[name] = 0
            function = self._functions[name]
            own = sum(map(self._variable, function.variables))
            own += _BYTES_A_LINE * len(function.body) + _BYTES_A_CALL
            for callee, times in self._callees[name].items():
                if callee in self._copied:
                    own += times * self._frame(callee)
            self._frames[name] = own
        return self._frames[name]

    def _variable(self, line: str) -> int:
        found = _ALLOCA.search(line)
        assert found is not None, line
        size = self._size(found[1].replace(FRAME_BYTES, self._frame_bytes))
        return -(-size // _ALIGNED) * _ALIGNED

    def _size(self, type_: str) -> int:
        array = _ARRAY.fullmatch(type_)
        if array:
            return int(array[1]) * self._size(array[2])
        return 8 if type_ in ("ptr", "double") else -(-int(type_[1:]) // 8)
