"""The ways of a turn, each carried out as far as somebody needs it.

In: paths. Out: their decisions, one after the other, and leaves: ways of which the last decision
need not be made. What then holds: a leaf gives the moves that its path would lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from interpreter.evaluation.moves import PASS, Move
from interpreter.reference.steps import Choice, Decision, Path, Perform, Rest

Number = Callable[[Path, Decision, int], tuple[int | None, int]]
"""From a path, its decision and a number: the way that the number names, and what is left of it."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A completed path, or one with a choice that is not made: the last, or one with a bound.

    After each of the `candidates` there are at most `weight` ways on.
    """

    path: Path
    choice: Choice | None
    candidates: Sequence[int]
    weight: int = 1

    def __len__(self) -> int:
        return len(self.candidates) * self.weight

    def move(self, index: int) -> Move:
        """Return one of the moves of a leaf without a choice, or with a last one."""
        path = self.path
        if self.choice is None:
            return move_of(path)
        decision = self.candidates[index]
        word = self.choice.word(decision)
        text = f"{path.text}{self.choice.separator}{word}" if path.text else word
        return Move((*path.decisions, decision), text)

    def completed(self, index: int, number: Number | None = None) -> Path | None:
        """Return one of the ways, carried out to the end; None if there is none, or it fails.

        `number` tells which way a number names where a decision comes after the choice.
        """
        path = self.path.fork()
        place, rest = divmod(index, self.weight)
        if self.choice is not None:
            self.choice.take(path, self.candidates[place])
        for decision in decisions_of(path):
            assert number is not None, "a decision after the last one"
            way, rest = number(path, decision, rest)
            if way is None:
                return None
            decision.take(path, way)
        return path if path.rest is None and rest == 0 else None


def decisions_of(path: Path, *, listed: bool = False) -> Iterator[Decision]:
    """Take the path's steps; yield each decision, which the caller must take to go on.

    The path ends with nothing left to do, or with its failed step still in front. A path that
    is only `listed` stops before what can neither fail nor ask anything.
    """
    while path.rest is not None:
        if listed and is_settled(path.rest):
            return
        here = path.rest
        step, path.rest = here
        if isinstance(step, Decision):
            yield step
        else:
            if not step.advance(path):
                path.rest = here
                return


def opened(path: Path, decision: Decision | None, way: int) -> Path:
    """Return the path that takes one way of a decision (None: the path itself)."""
    if decision is None:
        return path
    taken = path.fork()
    decision.take(taken, way)
    return taken


def is_settled(rest: Rest) -> bool:
    """Return whether what is left to do can neither fail nor ask anything."""
    while rest is not None:
        step, rest = rest
        if not isinstance(step, Perform):
            return False
    return True


def ways_of(decision: Decision, path: Path, in_order: frozenset[int]) -> Sequence[int]:
    """Return the ways of a decision; of a pair that is made in one order, those of the second."""
    ways = decision.ways(path)
    if isinstance(decision, Choice) and decision.partner is not None and decision.place in in_order:
        earlier = path.frame[decision.partner]
        if earlier is not None:
            return [way for way in ways if way > path.decisions[earlier]]
    return ways


def move_of(path: Path, also: tuple[str, ...] = ()) -> Move:
    """Return the move that a completed path is; `also` are its other texts."""
    return Move(path.decisions, path.text or PASS, also)
