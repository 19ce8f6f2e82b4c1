"""One step of two evaluators together: do they say the same?

In: the reference, another evaluator of the same game, and a pair of states that are equal. Out:
legal moves, or the next pair of states, or the `Difference`. What then holds: what both said
without a difference was equal: moves in their order, states, outcomes with their clauses, the
codes of errors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeVar, runtime_checkable

from gdl.board.relation import bits
from gdl.core.nodes import Slot
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic
from gdl.model import Game
from interpreter.evaluation.evaluator import Evaluator, Outcome, RuleError, State, is_about_work
from interpreter.evaluation.moves import Move
from interpreter.verify.counts import Failure, Notes

Found = TypeVar("Found")


@dataclass(frozen=True)
class Difference:
    """Where two evaluators part: what was asked, what each says, the moves that lead there.

    `kind` is `start`, `moves`, `state`, `step`, `outcome`, `score`, `settle`, `perft`, `hash` or
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
    """A value, or what went wrong; `diagnostic` if it was the rules, else it is a fault."""

    value: Any = None
    error: str = ""
    diagnostic: Diagnostic | None = None

    @property
    def is_fault(self) -> bool:
        """Whether the evaluator itself went wrong."""
        return bool(self.error) and self.diagnostic is None


class Differs(Exception):
    """Two evaluators do not say the same."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference.kind)
        self.difference = difference


class Failed(Exception):
    """The rules fail here, and both evaluators say so with the same code."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.diagnostic.message)
        self.failure = failure


class Lockstep:
    """Asks two evaluators of one game the same questions.

    Every method raises `Differs` where they do not say the same. `begin`, `advance` and `look`
    raise `Failed` where both say that the rules fail, or one that a turn takes too much work.
    Whatever else one of them raises is a fault of its own, and told as a difference, even where
    both do. `notes` has what was compared so far.
    """

    def __init__(self, reference: Evaluator, other: Evaluator) -> None:
        self.reference = reference
        self.other = other
        self.notes = Notes()
        self.states_told = states_told(reference.game)
        self._hashes: dict[State, int] = {}

    def begin(self) -> Pair:
        """Return the states that the game begins with."""
        one, two = self._both("start", (), self.reference.start, self.other.start)
        self._equal("start", (), one, two, same_state(one, two), self.states_told)
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
        self._equal("state", moves, one, two, same_state(one, two), self.states_told)
        return Pair(one, two, moves)

    def look(self, pair: Pair) -> Sequence[Move]:
        """Return the legal moves, once all that is told of a position is equal."""
        legal = self.legal(pair)
        self.notes.compared.saw(legal)
        self.outcome(pair)
        self._aside(self._scores, pair)
        self._aside(self._hash_of, pair)
        return legal

    def legal(self, pair: Pair, kind: str = "moves") -> Sequence[Move]:
        """Return the legal moves."""
        one, two = self._both(
            kind,
            pair.moves,
            lambda: list(self.reference.legal(pair.reference)),
            lambda: list(self.other.legal(pair.other)),
        )
        self._equal(kind, pair.moves, one, two, one == two, moves_told)
        return one

    def outcome(self, pair: Pair) -> Outcome | None:
        """Return how the game has ended, or None if it goes on."""
        one, two = self._both(
            "outcome",
            pair.moves,
            lambda: self.reference.outcome(pair.reference),
            lambda: self.other.outcome(pair.other),
        )
        self._equal("outcome", pair.moves, one, two, same_outcome(one, two), outcomes_told)
        return one

    def count(self, pair: Pair, depth: int) -> None:
        """Compare the numbers of sequences of up to `depth` moves."""
        for length in range(1, depth + 1):
            try:
                self._perft(pair, length)
            except Failed as failed:
                self.notes.fails(self._failure(pair, length) or failed.failure)
                return

    def settle(self, pair: Pair) -> None:
        """Compare the position set up anew, with its side on turn and with the next one.

        Play need not come there: if the rules fail there, that is no fault of theirs.
        """
        game = self.reference.game
        place = game.program.state.index(game.program.system.mover)
        for turned in range(2):
            values = list(pair.reference.values)
            values[place] = (values[place] + turned) % len(game.sides)
            with suppress(Failed):
                one, two = self._both(
                    "settle",
                    pair.moves,
                    partial(self.reference.settle, values),
                    partial(self.other.settle, values),
                )
                same = same_state(one, two)
                self._equal("settle", pair.moves, one, two, same, self.states_told)
                self.legal(Pair(one, two, pair.moves), "settle")

    def step(self, pair: Pair, pick: int, after: Pair) -> None:
        """Compare what the legal move with a number leads to, where it is named by the number."""
        if not isinstance(self.other, PlaysByNumber):
            return
        ask = partial(self.other.step, [pair.other], [pick])
        (two,) = self._both("step", after.moves, lambda: [after.reference], ask)[1]
        same = same_state(after.reference, two)
        self._equal("step", after.moves, after.reference, two, same, self.states_told)

    # ------------------------------------------------------------------ questions

    def _aside(self, ask: Callable[..., None], *arguments: Any) -> None:
        """Ask something that play can go on without; note where the rules fail."""
        try:
            ask(*arguments)
        except Failed as failed:
            self.notes.fails(failed.failure)

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
        if not isinstance(self.other, Hashes):
            return
        ask = self.other.hash
        one, two = self._both(
            "hash", pair.moves, partial(ask, pair.reference), partial(ask, pair.other)
        )
        self._equal("hash", pair.moves, one, two, one == two, plain_told)
        known = self._hashes.setdefault(pair.reference, one)
        self._equal("hash", pair.moves, known, one, known == one, plain_told)

    def _failure(self, pair: Pair, plies: int) -> Failure | None:
        """Return how the rules fail within some moves from here."""
        try:
            moves = self.legal(pair)
            if plies > 1:
                found = (self._failure(self.advance(pair, move), plies - 1) for move in moves)
                return next(filter(None, found), None)
        except Failed as failed:
            return failed.failure
        return None

    def _perft(self, pair: Pair, depth: int) -> None:
        one, two = self._both(
            "perft",
            pair.moves,
            lambda: self.reference.perft(pair.reference, depth),
            lambda: self.other.perft(pair.other, depth),
        )
        self._equal("perft", pair.moves, one, two, one == two, plain_told)

    # -------------------------------------------------------------------- answers

    def _both(
        self,
        kind: str,
        moves: tuple[Move, ...],
        ask: Callable[[], Found],
        ask_other: Callable[[], Found],
    ) -> tuple[Found, Found]:
        """Return both values; raises Differs if one fails, or if they fail differently.

        Each counts its own work, so one may stop where the other still goes on: that is no
        difference, but as far as the two can be compared.
        """
        one = _within_budget(_answer(ask), moves)
        two = _within_budget(_answer(ask_other), moves)
        if one.is_fault or one.error != two.error:
            told = (one.error or _shown(one.value), two.error or _shown(two.value))
            raise Differs(Difference(kind, *told, moves))
        if one.diagnostic is not None:
            raise Failed(Failure(one.diagnostic, moves))
        return one.value, two.value

    def _equal(
        self,
        kind: str,
        moves: tuple[Move, ...],
        one: Found,
        two: Found,
        same: bool,
        told: Callable[[Found, Found], Told],
    ) -> None:
        if not same:
            raise Differs(Difference(kind, *told(one, two), moves))


def same_outcome(one: Outcome | None, two: Outcome | None) -> bool:
    """Return whether two outcomes are equal, and by the same clause of the rules."""
    return one == two and (one is None or two is None or one.span == two.span)


def same_state(one: State, two: State) -> bool:
    """Return whether two states are equal, and have ended by the same clause if they have."""
    return one == two and same_outcome(one.ended, two.ended)


def _answer(ask: Callable[[], Any]) -> Answer:
    try:
        return Answer(ask())
    except RuleError as error:
        return Answer(error=f"error `{error.diagnostic.code}`", diagnostic=error.diagnostic)
    except MemoryError:
        raise
    except Exception as error:
        return Answer(error=fault_told(error))


def _within_budget(answer: Answer, moves: tuple[Move, ...]) -> Answer:
    """Return an answer that did not take too much work. Raises Failed."""
    if answer.diagnostic is not None and is_about_work(answer.diagnostic):
        raise Failed(Failure(answer.diagnostic, moves))
    return answer


def fault_told(error: Exception) -> str:
    """Return what an evaluator raised that is no failure of the rules."""
    return f"a fault: {type(error).__name__}: {str(error)[:200]}"


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return moves_told(value, ())[0]
    return "a state" if isinstance(value, State) else str(value)


# ----------------- what some evaluators can do besides what all can, and is compared where they can


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


# -------------------- what two evaluators say of one position, in words that show where they differ

Told = tuple[str, str]
"""What the reference says, and what the other evaluator says."""

_MOST_SITES = 40
_LONGEST_VALUE = 200


def moves_told(one: Sequence[Move], two: Sequence[Move]) -> Told:
    """Return the number of moves of each list, and its first move that the other has not there."""
    shared = min(len(one), len(two))
    at = next((i for i in range(shared) if one[i] != two[i]), shared)
    return _list_told(one, at), _list_told(two, at)


def _list_told(moves: Sequence[Move], at: int) -> str:
    number = f"{len(moves)} move{'' if len(moves) == 1 else 's'}"
    if at >= len(moves):
        return number
    decisions = ", ".join(map(str, moves[at].decisions))
    return f"{number}; number {at + 1} is `{moves[at].text}` (decisions {decisions})"


def outcome_told(outcome: Outcome | None) -> str:
    """Return an outcome with its seats and the clause that made it."""
    if outcome is None:
        return "the game goes on"
    seats = " and ".join(map(str, outcome.seats)) or "none"
    return f"{outcome.text} (seats: {seats}; clause: {outcome.span or 'none'})"


def states_told(game: Game) -> Callable[[State, State], Told]:
    """Return the function that tells in what two states of a game differ first."""

    def told(one: State, two: State) -> Told:
        if len(one.values) != len(two.values):
            return f"{len(one.values)} values", f"{len(two.values)} values"
        for slot, *values in zip(game.program.state, one.values, two.values, strict=True):
            if values[0] != values[1]:
                ours, theirs = (_value_told(game, slot, value) for value in values)
                return f"{slot.name} is {ours}", f"{slot.name} is {theirs}"
        return outcome_told(one.ended), outcome_told(two.ended)

    return told


def _value_told(game: Game, slot: Slot, value: Any) -> str:
    if slot.type == SITES and not slot.per_site and isinstance(value, int) and value >= 0:
        sites = game.board.sites
        names = [sites[i].name if i < len(sites) else f"#{i}" for i in bits(value)]
        more = f" | … ({len(names)} sites)" if len(names) > _MOST_SITES else ""
        return (" | ".join(names[:_MOST_SITES]) or "none") + more
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def plain_told(one: Any, two: Any) -> Told:
    """Return two values as they are."""
    return str(one), str(two)


def outcomes_told(one: Outcome | None, two: Outcome | None) -> Told:
    """Return two outcomes in words."""
    return outcome_told(one), outcome_told(two)
