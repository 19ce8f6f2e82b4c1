"""One step of two evaluators of one game together: do they say the same?

In: the reference, another evaluator of the same game, and a pair of states that are equal. Out:
legal moves, or the next pair of states, or the `Difference`. What then holds: what both said
without a difference was equal: moves in their order, states, outcomes with their clauses, the
codes of errors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, runtime_checkable

from gdl.board.relation import bits
from gdl.core.nodes import Expression, Slot
from gdl.core.types import SITES
from gdl.interpreter.evaluation.evaluator import Evaluator, Outcome, RuleError, State, is_about_work
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.verify.counts import Failure, Notes
from gdl.interpreter.verify.lockstep import (
    Answer,
    Difference,
    Differs,
    Failed,
    Lockstep,
    Pair,
    Told,
)
from gdl.model import Game


class TwoEvaluators(Lockstep[Move]):
    """Asks the reference and another evaluator of one game the same questions.

    The kinds of difference are `start`, `moves`, `state`, `step`, `outcome`, `score`, `settle`,
    `perft`, `hash` and `playout`. `begin`, `advance` and `look` raise `Failed` where both say that
    the rules fail, with the same code, or one that a turn takes too much work. Whatever else one of
    them raises is a fault of its own, and told as a difference, even where both do. `notes` has
    what was compared so far.
    """

    def __init__(self, reference: Evaluator, other: Evaluator) -> None:
        super().__init__(reference, other)
        self.notes = Notes()
        self.states_told = states_told(reference.game)
        self._hashes: dict[State, int] = {}

    def moves_of(self, step: Move) -> tuple[Move, Move]:
        """Return the move, which is the same for both."""
        return step, step

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
        return self.agreed(kind, pair, lambda rules, state: list(rules.legal(state)), moves_told)

    def outcome(self, pair: Pair) -> Outcome | None:
        """Return how the game has ended, or None if it goes on."""
        return self.agreed(
            "outcome", pair, lambda rules, state: rules.outcome(state), outcomes_told, same_outcome
        )

    def count(self, pair: Pair, depth: int) -> None:
        """Compare the numbers of sequences of up to `depth` moves."""
        for length in range(1, depth + 1):
            try:
                self.agreed("perft", pair, partial(_perft, length), plain_told)
            except Failed as failed:
                self.notes.fails(self._failure(pair, length) or failed.failure)
                return

    def settle(self, pair: Pair) -> None:
        """Compare the position set up anew, with its side on turn and with the next one.

        Play need not come there: if the rules fail there, that is no fault of theirs.
        """
        game = self.first.game
        place = game.program.state.index(game.program.system.mover)
        for turned in range(2):
            values = list(pair.first.values)
            values[place] = (values[place] + turned) % len(game.sides)
            ask, ask_other = (partial(rules.settle, values) for rules in (self.first, self.second))
            with suppress(Failed):
                self.legal(self.pair("settle", pair.moves, ask, ask_other), "settle")

    def step(self, pair: Pair, pick: int, after: Pair) -> None:
        """Compare what the legal move with a number leads to, where it is named by the number."""
        if not isinstance(self.second, PlaysByNumber):
            return
        ask = partial(self.second.step, [pair.second], [pick])
        (two,) = self.both("step", after.moves, lambda: [after.first], ask)[1]
        self._same_state("step", Pair(after.first, two, after.moves))

    # ------------------------------------------------------------------ questions

    def _aside(self, ask: Callable[..., None], *arguments: Any) -> None:
        """Ask something that play can go on without; note where the rules fail."""
        try:
            ask(*arguments)
        except Failed as failed:
            self.notes.fails(failed.failure)

    def _scores(self, pair: Pair) -> None:
        for score in self.first.game.scores:
            self.agreed("score", pair, partial(_value, score), plain_told)

    def _hash_of(self, pair: Pair) -> None:
        """Look at the hashes of equal states: of both, and of all that were equal before."""
        if not isinstance(self.second, Hashes):
            return
        hashed = self.second.hash
        one = self.agreed("hash", pair, lambda _, state: hashed(state), plain_told)
        known = self._hashes.setdefault(pair.first, one)
        if known != one:
            raise Differs(Difference("hash", *plain_told(known, one), pair.moves))

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

    # -------------------------------------------------------------------- answers

    def pair(
        self,
        kind: str,
        moves: tuple[Move, ...],
        ask: Callable[[], State],
        ask_other: Callable[[], State],
    ) -> Pair:
        """Return the states that both come to by some moves, which are equal."""
        found = super().pair(kind, moves, ask, ask_other)
        self._same_state(kind, found)
        return found

    def _same_state(self, kind: str, pair: Pair) -> None:
        if not same_state(pair.first, pair.second):
            raise Differs(Difference(kind, *self.states_told(pair.first, pair.second), pair.moves))

    def judge(self, kind: str, moves: tuple[Move, ...], one: Answer, two: Answer) -> None:
        """Raise Differs if one goes wrong by itself, or if the rules fail differently."""
        if one.is_fault or one.error != two.error:
            told = (one.error or _shown(one.value), two.error or _shown(two.value))
            raise Differs(Difference(kind, *told, moves))

    def answer(self, ask: Callable[[], Any], moves: tuple[Move, ...]) -> Answer:
        """Return a value, or what went wrong. Raises Failed if it takes too much work.

        Each counts its own work, so one may stop where the other still goes on: that is no
        difference, but as far as the two can be compared.
        """
        try:
            return Answer(ask())
        except RuleError as error:
            found = error.diagnostic
            if is_about_work(found):
                raise Failed(Failure(found, moves)) from None
            return Answer(error=f"error `{found.code}`", diagnostic=found)
        except MemoryError:
            raise
        except Exception as error:
            return Answer(error=fault_told(error))


def _perft(depth: int, rules: Evaluator, state: State) -> int:
    return rules.perft(state, depth)


def _value(score: Expression, rules: Evaluator, state: State) -> Any:
    return rules.value(state, score)


def same_outcome(one: Outcome | None, two: Outcome | None) -> bool:
    """Return whether two outcomes are equal, and by the same clause of the rules."""
    return one == two and (one is None or two is None or one.span == two.span)


def same_state(one: State, two: State) -> bool:
    """Return whether two states are equal, and have ended by the same clause if they have."""
    return one == two and same_outcome(one.ended, two.ended)


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
