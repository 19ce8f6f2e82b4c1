"""The code of a function that asks a search something, and of making what is found.

In: a function of `%position` and `%world`, and what is asked for. Out: its context, and code that
runs the search. What then holds: nothing of one query is left in the next.
"""

from __future__ import annotations

from interpreter.native.emit.ir import Function
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.memory.fields import Field
from interpreter.native.turns.shared_code import SharedCode

_NO_LIMIT = (1 << 63) - 1


class SearchCall:
    """A search within a function; it passes over all ways unless it is told otherwise."""

    def __init__(
        self,
        shared: SharedCode,
        f: Function,
        *,
        mode: int = c.SELECTING,
        shortcut: int = c.NO_SHORTCUT,
        left: int | str = _NO_LIMIT,
        is_inner: bool = False,
    ) -> None:
        """Begin a context; it passes over all ways but those that are `left`.

        An inner query has memory of its own for its trace.
        """
        self._f = f
        scratch = f.at("%world", c.MAIN_SCRATCH)
        if is_inner:
            scratch = f.variable(f"[{c.SCRATCH_BYTES} x i8]")
        self._context = f.variable(f"[{c.BYTES} x i8]")
        c.begin(f, self._context, "%position", "%world", scratch)
        self.set(c.MODE, str(mode))
        self.set(c.LEFT, str(left))
        self.set(c.SHORTCUT, str(shortcut))

    def set(self, field: Field, value: str) -> None:
        """Write a field of the context."""
        field.put(self._f, value, self._context)

    def get(self, field: Field) -> str:
        """Read a field of the context."""
        return field.get(self._f, self._context)

    def again(self, shortcut: int, left: str | None = None) -> None:
        """Write that the next search begins anew; it looks for the way after `left` others."""
        self.set(c.SHORTCUT, str(shortcut))
        self.set(c.LEFT, str(_NO_LIMIT) if left is None else left)
        for flag in (c.FOUND, c.KEEPING):
            self.set(flag, "0")

    def run(self) -> None:
        """Write the search."""
        self._f.do(f"call i1 @search(ptr %position, ptr {self._context})")

    def passed_over(self) -> str:
        """Return how many ways (i64) a search has passed over that looked for none."""
        return self._f.ins(f"sub i64 {_NO_LIMIT}, {self.get(c.LEFT)}")

    def found(self, out: str) -> str:
        """Write a search whose way goes to `out`; return whether there is one (i1)."""
        self.set(c.OUT, out)
        self.run()
        return self._f.ins(f"icmp ne i32 {self.get(c.FOUND)}, 0")


def make(shared: SharedCode, f: Function, frame: str) -> None:
    """Write what follows a turn, and put the position after it in place of that before."""
    which = shared.which(Place(f, "%position"))
    f.do(f"call void @finish(ptr {frame}, ptr %world, i64 {which})")
    f.copy(frame, "%position", shared.layout.state_bytes)
