"""The ways of a turn, each carried out as far as somebody needs it.

In: paths. Out: their decisions, one after the other, and leaves: ways of which the last decision
need not be made. What then holds: a leaf gives the moves that its path would lead to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gdl.diagnostic import Span
from interpreter.evaluation.moves import PASS, Move
from interpreter.evaluation.word_orders import neighbours, other_orders
from interpreter.reference.steps import ChoiceStep, DecisionStep, Path, Perform, Rest


@dataclass(slots=True)
class Leaf:
    """A path without a decision left, or one of which the last choice is not made.

    `span` is where the rules have the last decision. There are very many of them, and they are
    made sooner if they are not frozen.
    """

    path: Path
    choice: ChoiceStep | None
    candidates: Sequence[int]
    span: Span | None

    def __len__(self) -> int:
        return len(self.candidates)

    def move(self, index: int) -> Move:
        """Return one of the moves."""
        path = self.path
        if self.choice is None:
            return move_of(path)
        if self.choice.rank or path.sets:
            return move_of(opened(path, self.choice, self.candidates[index]))
        decision = self.candidates[index]
        word = self.choice.word(decision)
        text = f"{path.text}{self.choice.separator}{word}" if path.text else word
        return Move((*path.decisions, decision), text)

    def completed(self, index: int) -> Path | None:
        """Return one of the ways, carried out to the end; None if it fails.

        It is the leaf's own path where nothing of that is left to do.
        """
        if self.choice is None and self.path.rest is None:
            return self.path
        path = self.path.fork()
        if self.choice is not None:
            self.choice.take(path, self.candidates[index])
        for _ in decisions_of(path):
            raise AssertionError("a decision after the last one")
        return path if path.rest is None else None


def decisions_of(path: Path, *, listed: bool = False) -> Iterator[DecisionStep]:
    """Take the path's steps; yield each decision, which the caller must take to go on.

    The path ends with nothing left to do, or with its failed step still in front. A path that
    is only `listed` stops before what can neither fail nor ask anything.
    """
    while path.rest is not None:
        if listed and is_settled(path.rest):
            return
        here = path.rest
        step, path.rest = here
        if isinstance(step, DecisionStep):
            yield step
        else:
            if not step.advance(path):
                path.rest = here
                return


def opened(path: Path, decision: DecisionStep | None, way: int) -> Path:
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


def asks_nothing(rest: Rest) -> bool:
    """Return whether no decision is left, though what is left may fail."""
    while rest is not None:
        step, rest = rest
        if step.asks:
            return False
    return True


def move_of(path: Path) -> Move:
    """Return the move that a completed path is."""
    if not path.exchangeable and not path.sets:
        return Move(path.decisions, path.text or PASS)
    spots = {**dict(path.spots), **{index: spot for _, index, spot in path.sets}}
    pairs = (*path.exchangeable, *neighbours([(rank, index) for rank, index, _ in path.sets]))
    return Move(path.decisions, path.text or PASS, other_orders(path.text, spots, pairs))
