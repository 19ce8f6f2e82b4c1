"""Two players of a game, side by side.

In: two evaluators, of one game or of two. Out: pairs of states, and the steps that both can take
from them; or the `Difference`. What then holds: up to there both have made the same moves.

What has to be the same is said by those who play: `two_evaluators` of one game, and two sets of
rules, whose sites, sides and pieces need not stand in the same order.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import partial
from typing import Any, Generic, TypeVar

from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic
from gdl.interpreter.evaluation.evaluator import Evaluator, RuleError, State
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.verify.counts import Failure

Found = TypeVar("Found")
Step = TypeVar("Step")
Told = tuple[str, str]
"""What each of the two says."""


@dataclass(frozen=True)
class Difference:
    """Where two players part: what was asked, what each says, the moves that lead there.

    `kind` is what was compared. The moves are those of the first player. Of moves, `only_first` and
    `only_second` may have the texts of those that are legal for one alone. `is_shortest` tells that
    no game with fewer moves shows a difference, to the same questions.
    """

    kind: str
    first: str
    second: str
    moves: tuple[Move, ...] = ()
    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()
    is_shortest: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the moves."""
        return tuple(move.text for move in self.moves)


@dataclass(frozen=True)
class Pair:
    """The states that the two players have of one position, and the moves that led there."""

    first: State
    second: State
    moves: tuple[Move, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Answer:
    """A value, or what went wrong; `diagnostic` if it was the rules, else it is a fault."""

    value: Any = None
    error: str = ""
    diagnostic: Diagnostic | None = None

    @property
    def is_fault(self) -> bool:
        """Whether the evaluator itself went wrong."""
        return bool(self.error) and self.diagnostic is None


class Differs(Exception):
    """Two players do not say the same."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference.kind)
        self.difference = difference


class Failed(Exception):
    """The rules fail here, for both."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.diagnostic.message)
        self.failure = failure


class Lockstep(ABC, Generic[Step]):
    """Asks two players of a game the same questions; a step is what both do.

    Every method raises `Differs` where they do not say the same, and `Failed` where both say that
    the rules fail.
    """

    def __init__(self, first: Evaluator, second: Evaluator) -> None:
        self.first, self.second = first, second

    def begin(self) -> Pair:
        """Return the states that the game begins with."""
        return self.pair("start", (), self.first.start, self.second.start)

    def advance(self, pair: Pair, step: Step) -> Pair:
        """Return the states after a step."""
        one, two = self.moves_of(step)
        return self.pair(
            "state",
            (*pair.moves, one),
            partial(self.first.apply, pair.first, one),
            partial(self.second.apply, pair.second, two),
        )

    @abstractmethod
    def look(self, pair: Pair) -> Sequence[Step]:
        """Return the legal steps, once all that is told of a position is the same."""

    @abstractmethod
    def moves_of(self, step: Step) -> tuple[Move, Move]:
        """Return the move of each player in a step."""

    @abstractmethod
    def judge(self, kind: str, moves: tuple[Move, ...], one: Answer, two: Answer) -> None:
        """Raise Differs if one of two answers is a failure and the other is not the like."""

    def answer(self, ask: Callable[[], Any], moves: tuple[Move, ...]) -> Answer:
        """Return what a player answers, or that its rules fail."""
        try:
            return Answer(ask())
        except RuleError as error:
            return Answer(error=error.diagnostic.message, diagnostic=error.diagnostic)

    def both(
        self,
        kind: str,
        moves: tuple[Move, ...],
        ask: Callable[[], Found],
        ask_other: Callable[[], Found],
    ) -> tuple[Found, Found]:
        """Return both values, which may differ; failures may not."""
        one, two = self.answer(ask, moves), self.answer(ask_other, moves)
        self.judge(kind, moves, one, two)
        if one.diagnostic is not None:
            raise Failed(Failure(one.diagnostic, moves))
        return one.value, two.value

    def pair(
        self,
        kind: str,
        moves: tuple[Move, ...],
        ask: Callable[[], State],
        ask_other: Callable[[], State],
    ) -> Pair:
        """Return the states that both come to by some moves."""
        return Pair(*self.both(kind, moves, ask, ask_other), moves)

    def agreed(
        self,
        kind: str,
        pair: Pair,
        ask: Callable[[Evaluator, State], Found],
        told: Callable[[Found, Found], Told],
        same: Callable[[Found, Found], bool] = operator.eq,
    ) -> Found:
        """Return what both say of a position."""
        one, two = self.both(
            kind,
            pair.moves,
            partial(ask, self.first, pair.first),
            partial(ask, self.second, pair.second),
        )
        if not same(one, two):
            raise Differs(Difference(kind, *told(one, two), pair.moves))
        return one
