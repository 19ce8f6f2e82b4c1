"""What follows a point of a turn: a function that walks through all ways from there on.

In: the name of such a function, and what is known of it. Out: calls of it. What then holds: it
goes on with the frame it is given, and returns whether the search is to stop.
"""

from __future__ import annotations

from gdl.data_classes import dataclass
from interpreter.native.expressions.places import Place


@dataclass(frozen=True)
class Continuation:
    """What follows a point of a turn: a function, and what is known of it.

    `is_settled`: it can neither fail nor ask; `decides`: it has decisions.
    """

    name: str
    is_settled: bool = True
    decides: bool = False

    def call(self, p: Place) -> str:
        """Write the call; return its result."""
        return p.f.ins(f"call i1 @{self.name}(ptr {p.frame}, ptr %context)")

    def go(self, p: Place) -> None:
        """Write that the function which calls it ends with it, and leaves the stack before."""
        called = f"musttail call i1 @{self.name}(ptr {p.frame}, ptr %context)"
        p.f.give(f"i1 {p.f.ins(called)}")
