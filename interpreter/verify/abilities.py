"""What some evaluators can do besides what all can, and is compared where they can."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from interpreter.evaluation.evaluator import State


@runtime_checkable
class Compiles(Protocol):
    """Prepares its code before play."""

    def compile(self) -> None:
        """Compile all that is compiled when it is first called."""


@runtime_checkable
class Hashes(Protocol):
    """Tells states apart by numbers."""

    def hash(self, state: State) -> int:
        """Return a number that equal states have in common."""
        ...


@runtime_checkable
class PlaysByNumber(Protocol):
    """Makes moves that are named by their numbers among the legal ones."""

    def step(self, states: Sequence[State], picks: Sequence[int]) -> list[State]:
        """Return the states after a move from each state, by its number."""
        ...
