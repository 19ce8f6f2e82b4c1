"""Functions that are compiled together: soon when one of them is first called, and well later.

In: what writes their text. Out: a `Part`, whose functions can be called. What then holds: until
they are compiled well, functions are provisional; these do the same and are compiled in a third of
the time. What was compiled well before, and kept, is used from the beginning.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from interpreter.native.runtime.machine_code import Effort, MachineCode

_SECONDS_A_CHARACTER = 1e-6
"""How long it takes to compile a text well, about."""


class Part:
    """Functions that are compiled together, as soon as one of them is asked for.

    Each is found by its name, as the best that there is by then. `seconds` is how long compiling
    took so far.
    """

    def __init__(
        self,
        write: Callable[[], str],
        signatures: Mapping[str, Sequence[Any]],
        tables: Mapping[str, int],
    ) -> None:
        """Take what writes the text, the types of results and parameters, and the tables."""
        self.seconds = 0.0
        self.is_provisional = False
        """Whether the functions can be called, and were compiled with little effort."""
        self._write = write
        self._signatures = signatures
        self._tables = tables
        self._lock = threading.Lock()
        self._functions: dict[str, Any] = {}
        self._versions: list[MachineCode] = []
        self._is_closed = False

    @cached_property
    def text(self) -> str:
        """LLVM's code as it was written."""
        return self._write()

    def __getitem__(self, name: str) -> Any:
        """Return a function as something to call."""
        self.begin()
        return self._functions[name]

    def address(self, name: str) -> int:
        """Return the address of a function, which is valid until all are freed."""
        self.begin()
        return self._versions[-1].address(name)

    @property
    def machine_code(self) -> MachineCode:
        """The code, compiled well."""
        self.compile()
        return self._versions[-1]

    @property
    def is_compiled(self) -> bool:
        """Whether the functions can be called."""
        return bool(self._functions)

    @property
    def cost(self) -> float:
        """The seconds that it takes, about, to compile the functions well; 0: it has been done."""
        return len(self.text) * _SECONDS_A_CHARACTER if self.is_provisional else 0.0

    def begin(self) -> None:
        """Make sure that the functions can be called."""
        if not self._functions:
            self._use(Effort.LITTLE)

    def compile(self) -> None:
        """Make sure that the functions are as quick as they can be."""
        self._use(Effort.FULL)

    def _use(self, effort: Effort) -> None:
        """Let the functions be compiled with so much effort, if they are not yet."""
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the code has been freed")
            if self._functions and not (self.is_provisional and effort is Effort.FULL):
                return
            code = MachineCode(self.text, self._tables, effort)
            self.seconds += code.seconds
            self._versions.append(code)
            self.is_provisional = code.effort is Effort.LITTLE
            self._functions = {
                name: code.function(name, *types) for name, types in self._signatures.items()
            }

    def renew_locks(self) -> None:
        """Let no thread hold the lock: a process that was forked has no other one."""
        self._lock = threading.Lock()

    def close(self) -> None:
        """Free the code; none of its functions may be called any more."""
        with self._lock:
            self._is_closed = True
            self._functions = {}
            while self._versions:
                self._versions.pop().close()
