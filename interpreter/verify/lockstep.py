"""One step of two evaluators together: do they say the same?

In: the reference, another evaluator of the same game, and a pair of states that are equal. Out:
legal moves, or the next pair of states, or the `Difference`. What then holds: what both said
without a difference was equal: moves in their order, states, outcomes with their clauses, the
codes of errors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from interpreter.evaluation.chance import Chance
from interpreter.evaluation.evaluator import Evaluator, Outcome, Playout, RuleError, State
from interpreter.evaluation.moves import Move
from interpreter.verify.telling import (
    Told,
    moves_told,
    outcomes_told,
    plain_told,
    states_told,
)

Value = TypeVar("Value")


@dataclass(frozen=True)
class Difference:
    """Where two evaluators part: what was asked, what each says, the moves that lead there.

    `kind` is `start`, `moves`, `state`, `outcome`, `score`, `settle`, `perft`, `hash` or
    `playout`. `is_shortest` tells that no game with fewer moves shows one, to the same questions.
    """

    kind: str
    reference: str
    other: str
    moves: tuple[Move, ...] = ()
    is_shortest: bool = False


@dataclass(frozen=True)
class Pair:
    """The states that the two evaluators have of one position, and the moves that led there."""

    reference: State
    other: State
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True)
class Answer:
    """A value, or (if `error` is not empty) the code of an error."""

    value: Any = None
    error: str = ""


class Differs(Exception):
    """Two evaluators do not say the same."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference.kind)
        self.difference = difference


class Failed(Exception):
    """The rules fail here, and both evaluators say so with the same code."""


class Lockstep:
    """Asks two evaluators of one game the same questions.

    Every method raises `Differs` where they do not say the same, and `Failed` where both say
    that the rules fail. Whatever else the other evaluator raises is a difference; what the
    reference raises is a fault of the reference, and is not caught.
    """

    def __init__(self, reference: Evaluator, other: Evaluator) -> None:
        self.reference = reference
        self.other = other
        self._told = states_told(reference.game)
        self._hash: Callable[[State], int] | None = getattr(other, "hash", None)
        self._hashes: dict[State, int] = {}

    def begin(self) -> Pair:
        """Return the states that the game begins with."""
        one, two = self._both("start", (), self.reference.start, self.other.start)
        self._equal("start", (), one, two, one == two and _same_end(one, two), self._told)
        return Pair(one, two)

    def advance(self, pair: Pair, move: Move) -> Pair:
        """Return the states after a legal move."""
        moves = (*pair.moves, move)
        one, two = self._both(
            "state",
            moves,
            lambda: self.reference.apply(pair.reference, move),
            lambda: self.other.apply(pair.other, move),
        )
        self._equal("state", moves, one, two, one == two and _same_end(one, two), self._told)
        return Pair(one, two, moves)

    def look(self, pair: Pair, *, perft: int = 0, settle: bool = False) -> Sequence[Move]:
        """Return the legal moves, once the outcome and what else is asked for are equal, too.

        `perft` is the greatest length of the sequences to count; with `settle`, the position is
        also set up anew, with the next side on turn.
        """
        legal = self._legal(pair)
        self._outcome(pair)
        self._scores(pair)
        self._hash_of(pair)
        for depth in range(1, perft + 1):
            self._perft(pair, depth)
        if settle:
            self._settle(pair)
        return legal

    def playout(self, pair: Pair, chance: Callable[[], Chance], max_plies: int) -> None:
        """Compare the games that both play by themselves, each by a fresh `chance`."""
        one, two = self._both(
            "playout",
            pair.moves,
            lambda: self.reference.playout(pair.reference, chance(), max_plies),
            lambda: self.other.playout(pair.other, chance(), max_plies),
        )
        if one.moves != two.moves:
            told = f"{one.moves} moves", f"{two.moves} moves"
            raise Differs(Difference("playout", *told, pair.moves))
        same = one.state == two.state and _same_end(one.state, two.state)
        self._equal("playout", pair.moves, one.state, two.state, same, self._told)
        same = same_outcome(one.outcome, two.outcome)
        self._equal("playout", pair.moves, one.outcome, two.outcome, same, outcomes_told)

    # ------------------------------------------------------------------ questions

    def _legal(self, pair: Pair, kind: str = "moves") -> Sequence[Move]:
        one, two = self._both(
            kind,
            pair.moves,
            lambda: list(self.reference.legal(pair.reference)),
            lambda: list(self.other.legal(pair.other)),
        )
        self._equal(kind, pair.moves, one, two, one == two, moves_told)
        return one

    def _outcome(self, pair: Pair) -> None:
        one, two = self._both(
            "outcome",
            pair.moves,
            lambda: self.reference.outcome(pair.reference),
            lambda: self.other.outcome(pair.other),
        )
        self._equal("outcome", pair.moves, one, two, same_outcome(one, two), outcomes_told)

    def _scores(self, pair: Pair) -> None:
        for score in self.reference.game.scores:
            one, two = self._both(
                "score",
                pair.moves,
                partial(self.reference.value, pair.reference, score),
                partial(self.other.value, pair.other, score),
            )
            self._equal("score", pair.moves, one, two, one == two, plain_told)

    def _hash_of(self, pair: Pair) -> None:
        """Look at the hashes of equal states: of both, and of all that were equal before."""
        ask = self._hash
        if ask is None:
            return
        one, two = self._both(
            "hash", pair.moves, lambda: ask(pair.reference), lambda: ask(pair.other)
        )
        self._equal("hash", pair.moves, one, two, one == two, plain_told)
        known = self._hashes.setdefault(pair.reference, one)
        self._equal("hash", pair.moves, known, one, known == one, plain_told)

    def _perft(self, pair: Pair, depth: int) -> None:
        one, two = self._both(
            "perft",
            pair.moves,
            lambda: self.reference.perft(pair.reference, depth),
            lambda: self.other.perft(pair.other, depth),
        )
        self._equal("perft", pair.moves, one, two, one == two, plain_told)

    def _settle(self, pair: Pair) -> None:
        game = self.reference.game
        place = game.program.state.index(game.program.system.mover)
        for turned in range(2):
            values = list(pair.reference.values)
            values[place] = (values[place] + turned) % len(game.sides)
            one, two = self._both(
                "settle",
                pair.moves,
                partial(self.reference.settle, values),
                partial(self.other.settle, values),
            )
            same = one == two and _same_end(one, two)
            self._equal("settle", pair.moves, one, two, same, self._told)
            self._legal(Pair(one, two, pair.moves), "settle")

    # -------------------------------------------------------------------- answers

    def _both(
        self,
        kind: str,
        moves: tuple[Move, ...],
        ask: Callable[[], Value],
        ask_other: Callable[[], Value],
    ) -> tuple[Value, Value]:
        """Return both values; raises Differs if one fails, or if they fail differently."""
        one, two = _answer(ask), _guarded_answer(ask_other)
        if one.error != two.error:
            told = (one.error or _shown(one.value), two.error or _shown(two.value))
            raise Differs(Difference(kind, *told, moves))
        if one.error:
            raise Failed
        return one.value, two.value

    def _equal(
        self,
        kind: str,
        moves: tuple[Move, ...],
        one: Value,
        two: Value,
        same: bool,
        told: Callable[[Value, Value], Told],
    ) -> None:
        if not same:
            raise Differs(Difference(kind, *told(one, two), moves))


def same_outcome(one: Outcome | None, two: Outcome | None) -> bool:
    """Return whether two outcomes are equal, and by the same clause of the rules."""
    return one == two and (one is None or two is None or one.span == two.span)


def _same_end(one: State, two: State) -> bool:
    return same_outcome(one.ended, two.ended)


def _answer(ask: Callable[[], Any]) -> Answer:
    try:
        return Answer(ask())
    except RuleError as error:
        return Answer(error=f"error `{error.diagnostic.code}`")


def _guarded_answer(ask: Callable[[], Any]) -> Answer:
    try:
        return _answer(ask)
    except Exception as error:
        return Answer(error=f"a fault: {type(error).__name__}: {str(error)[:200]}")


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return moves_told(value, ())[0]
    if isinstance(value, Playout):
        return f"a game of {value.moves} moves"
    return "a state" if isinstance(value, State) else str(value)
