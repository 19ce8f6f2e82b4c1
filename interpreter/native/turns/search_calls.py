"""The code of a function that asks a search something, and of making what is found.

In: a function of `%position` and `%world`, and what is asked for. Out: its context, and code that
runs the search. What then holds: nothing of one query is left in the next.
"""

from __future__ import annotations

from interpreter.native.emit.ir import POSITION, WORLD, Function
from interpreter.native.emit.kinds import I32, I64, Address, Bit, Kind, Word
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
        left: int | Word = _NO_LIMIT,
        is_inner: bool = False,
    ) -> None:
        """Begin a context; it passes over all ways but those that are `left`.

        An inner query has memory of its own for its trace.
        """
        self._f = f
        scratch = f.at(WORLD, c.MAIN_SCRATCH)
        if is_inner:
            scratch = f.room(f"[{c.SCRATCH_BYTES} x i8]")
        self._context = f.room(f"[{c.BYTES} x i8]")
        c.begin(f, self._context, POSITION, WORLD, scratch)
        self.set(c.MODE, mode)
        self.set(c.LEFT, left)
        self.set(c.SHORTCUT, shortcut)

    def set(self, field: Field[Kind], value: Kind | int) -> None:
        """Write a field of the context."""
        field.put(self._f, value, self._context)

    def get(self, field: Field[Kind]) -> Kind:
        """Read a field of the context."""
        return field.get(self._f, self._context)

    def again(self, shortcut: int, left: Word | None = None) -> None:
        """Write that the next search begins anew; it looks for the way after `left` others."""
        self.set(c.SHORTCUT, shortcut)
        self.set(c.LEFT, _NO_LIMIT if left is None else left)
        for flag in (c.FOUND, c.KEEPING):
            self.set(flag, 0)

    def run(self) -> None:
        """Write the search."""
        self._f.do(f"call i1 @search(ptr %position, ptr {self._context})")

    def passed_over(self) -> Word:
        """Return how many ways (i64) a search has passed over that looked for none."""
        return self._f.binary("sub", I64, _NO_LIMIT, self.get(c.LEFT))

    def found(self, out: Address) -> Bit:
        """Write a search whose way goes to `out`; return whether there is one (i1)."""
        self.set(c.OUT, out)
        self.run()
        return self._f.compare("ne", I32, self.get(c.FOUND), 0)


def make(shared: SharedCode, f: Function, frame: Address) -> None:
    """Write what follows a turn, and put the position after it in place of that before."""
    which = shared.which(Place(f, POSITION))
    f.do(f"call void @finish(ptr {frame}, ptr %world, i64 {which})")
    f.copy(frame, POSITION, shared.layout.state_bytes)
