"""Who watches the reference interpreter at work: how often what holds, is chosen, is changed.

In: parts of a program, with the functions made of them. Out: functions that do the same, and let
the watch know. What then holds: nothing that is watched plays differently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from gdl.core.evaluate import Evaluated, Frame
from gdl.core.nodes import Assign, AssignAt, Choose, Ending, Expression, ForEach, Slot
from gdl.interpreter.reference.steps import Effect

Candidates = Callable[[Frame], Sequence[int]]
Elements = Callable[[Frame], Sequence[Any]]


class Watch(Protocol):
    """Sees what happens while turns and endings are gone through."""

    def value(
        self, node: Expression, function: Evaluated, of: Callable[[Expression], Evaluated]
    ) -> Evaluated:
        """Return a function of the same values; `of` makes those of other expressions."""
        ...

    def choice(self, statement: Choose, candidates: Candidates) -> Candidates:
        """Return a function of the same candidates."""
        ...

    def elements(self, statement: ForEach, elements: Elements) -> Elements:
        """Return a function of the same elements of a loop."""
        ...

    def chosen(self, statement: Choose, decision: int, before: Frame) -> None:
        """Learn what a move that is made chooses, and the frame in which its turn began."""
        ...

    def one_order_only(self, decisions: Sequence[int], first: int, second: int) -> None:
        """Learn that two decisions of a turn, which either order should make, are no move.

        One order of both is not legal, or leads elsewhere.
        """
        ...

    def effect(
        self, statement: Assign | AssignAt, places: Mapping[Slot, int], effect: Effect
    ) -> Effect:
        """Return a function of the same effect on a frame, in which slots have these places."""
        ...

    def ending(self, ending: Ending) -> None:
        """Learn that an ending holds, and that it is the first that does."""
        ...
