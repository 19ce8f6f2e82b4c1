"""Calls of native functions, within the work and the stack that they may take.

In: the code of a game, worlds, and what is to be called. Out: what was called returns. What then
holds: a call that takes more than a moment runs in a thread of its own, so that an interrupt or a
deadline stops it; one that takes too much work fails with a rule error that says where.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from gdl.interpreter.evaluation.evaluator import too_much_work
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.runtime.compiled import CompiledGame, Part
from gdl.interpreter.native.runtime.exchange import World
from gdl.interpreter.native.runtime.threads import begin, run
from gdl.resources.budget import budget

USUAL_WORK = 1 << 26
"""How many units of work a turn may take: what a machine of today does in a second."""
_SHORT_WORK = 2 * w.UNITS_A_LOOK
_SHORT_STACK = 1 << 19
_THREAD_STACK = 1 << 26
_SLACK = 1 << 18
"""Bytes of stack: for calls that are made at once, for those in a thread, and for the thread."""

Result = TypeVar("Result")


class Caller:
    """Calls the functions of a game's code.

    `work` is how many units a turn may take, and `deadline` the moment (of `time.monotonic`) at
    which whatever runs is stopped: it then raises TimeIsUp. `is_short` tells that functions need
    so little stack that they may be called anywhere; `room` is how many bytes of it `prepare`
    allows in the threads of tasks.
    """

    def __init__(self, code: CompiledGame) -> None:
        self.work = budget().of_turn(USUAL_WORK)
        self.deadline: float | None = None
        self._code = code
        need, most = code.stack, code.written.shared.module.target.stack_bytes
        self._below = 2 * need.below + _SLACK
        self.room = need.above + _THREAD_STACK if most is None else most - self._below
        self.is_short = most is None and self._below + need.above <= _SHORT_STACK

    def threads(
        self,
        tasks: Sequence[tuple[World, Callable[[World], Result]]],
        until: float | None = None,
    ) -> list[Result]:
        """Run tasks in threads, each with its world; return their results.

        At the moment `until` they are stopped, and return what they have.
        """
        return run(tasks, self._thread_stack, self.deadline, until)

    def begin(self, world: World, function: Callable[[World], object]) -> None:
        """Have a thread call a function with a world; nobody waits for it."""
        begin(world, function, self._thread_stack)

    @property
    def _thread_stack(self) -> int:
        return max(self.room + self._below, _THREAD_STACK)

    def within(self, part: Part, name: str, world: World, *arguments: Any) -> int:
        """Call a function in the thread of a task; return its result (0: none)."""
        return self._code.users.call(
            self._called, part, name, world, self.work, self.room, arguments
        )

    def call(self, name: str, position: Any, world: World, *more: Any) -> int:
        """Call a function that searches in a position; return its result (0: none).

        Raises RuleError where it takes too much work, TimeIsUp at the deadline.
        """
        part = self.ready(self._code.calls)
        arguments = (position, world.memory, *more)
        if self.is_short:
            before = ctypes.string_at(position, len(position))
            found = self.call_briefly(name, world, *arguments)
            if world.error not in (w.TOO_LONG, w.LEFT_TO_REFERENCE):
                return found
            ctypes.memmove(position, before, len(before))
        task = (world, lambda world: self.within(part, name, world, *arguments))
        (found,) = self.threads([task])
        self.refuse_long(world)
        return found

    def call_briefly(self, name: str, world: World, *arguments: Any) -> int:
        """Call a function that searches, which fails if it takes more than a moment."""
        part = self.ready(self._code.calls)
        return self._code.users.call(
            self._called, part, name, world, _SHORT_WORK, _SHORT_STACK, arguments
        )

    def ready(self, part: Part) -> Part:
        """Return a part of the code: compiled, and well if that pays by now."""
        part.begin()
        self._code.improve(self.deadline)
        return part

    def _called(
        self, part: Part, name: str, world: World, work: int, room: int, arguments: tuple[Any, ...]
    ) -> int:
        """Call a function that may do so much work, on so much stack; return its result."""
        part["prepare"](world.memory, work, room)
        if not part.is_provisional:
            return part[name](*arguments) or 0
        begun = time.perf_counter()
        try:
            return part[name](*arguments) or 0
        finally:
            self._code.took(time.perf_counter() - begun)

    def refuse_long(self, world: World) -> None:
        """Raise RuleError if the last call has taken too much work."""
        if world.error != w.TOO_LONG:
            return
        span = self._code.written.shared.module.places[world.place]
        raise too_much_work(span)
