"""Random games in lockstep.

In: two evaluators and limits. Out: a `Verdict`. What then holds: within the limits, in every
position of every game both said the same; or the difference is told, by a game made as short as
could be. What was compared is counted, and where the rules failed is told.

Of each game there are two: one in which each move is drawn here, from the list of legal moves
that both gave; and one that the other evaluator plays by itself, of which the reference judges
every move.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import partial
from random import Random
from typing import NoReturn

from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import (
    Evaluator,
    Playout,
    RuleError,
    State,
    by_likelihood,
    is_about_work,
)
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.verify.counts import Compared, Failure
from gdl.interpreter.verify.deadline import Deadline, TimeUp, limited
from gdl.interpreter.verify.lockstep import Difference, Differs, Failed, Pair
from gdl.interpreter.verify.shrink import shrunk
from gdl.interpreter.verify.two_evaluators import (
    Compiles,
    TwoEvaluators,
    fault_told,
    outcomes_told,
    same_outcome,
    same_state,
)

_SETTLE_EVERY = 4
_COUNT_EVERY = 3
_COUNT_DEEPER_EVERY = 9
_MOST_TO_COUNT_DEEPER = 30
_SHRINK_SECONDS = 60.0


@dataclass(frozen=True)
class Limits:
    """How much is played: games, moves a game, seconds for all games."""

    games: int = 20
    max_plies: int = 200
    seconds: float = 60.0


@dataclass(frozen=True)
class Verdict:
    """What verifying came to.

    `failures` are those of the rules, which both evaluators told alike. A turn that takes more work
    than is allowed ends all games. `in_time` tells that the seconds were enough, which begin when
    what is compared is ready; making it so took `preparing` seconds more.
    """

    compared: Compared
    difference: Difference | None = None
    failures: tuple[Failure, ...] = ()
    in_time: bool = True
    preparing: float = field(default=0.0, compare=False)

    @property
    def stopped_by(self) -> tuple[str, ...]:
        """The limits of `Limits` that kept games from being played, or from coming to their end."""
        met = {"max_plies": self.compared.cut > 0, "seconds": not self.in_time}
        return tuple(limit for limit, is_met in met.items() if is_met)


def verify(
    reference: Evaluator,
    other: Evaluator,
    seed: int = 0,
    limits: Limits | None = None,
    tell: Callable[[int], None] = lambda number: None,
) -> Verdict:
    """Play random games with both evaluators, and return whether they said the same.

    What the other one has to prepare (`compile`) is done before the time begins. It is told before
    each game how many have been played.
    """
    limits = limits or Limits()
    lockstep = TwoEvaluators(reference, other)
    begun = time.perf_counter()
    if isinstance(other, Compiles):
        other.compile()
    preparing = time.perf_counter() - begun
    difference = None
    in_time = True
    try:
        with limited(limits.seconds) as deadline:
            for number in range(limits.games):
                tell(number)
                _play(lockstep, Random(f"{seed} {number}"), limits.max_plies, deadline)
                _replay(lockstep, partial(Chance, seed, number), limits.max_plies, deadline)
    except TimeUp:
        in_time = False
    except _TooMuchWork:
        pass
    except Differs as found:
        difference = shrunk(lockstep, found.difference, _SHRINK_SECONDS)
    notes = lockstep.notes
    return Verdict(notes.compared, difference, notes.failures, in_time, preparing)


class _TooMuchWork(Exception):
    """A turn takes more work than the budget allows: other games would take as long to say so."""


def _note(lockstep: TwoEvaluators, failure: Failure) -> None:
    """Note a failure that has ended a game. Raises _TooMuchWork."""
    lockstep.notes.fails(failure)
    if is_about_work(failure.diagnostic):
        raise _TooMuchWork


def _play(lockstep: TwoEvaluators, random: Random, max_plies: int, deadline: Deadline) -> None:
    """Play one game. Raises Differs, TimeUp and _TooMuchWork."""
    compared = lockstep.notes.compared
    deadline.check()
    compared.games += 1
    try:
        pair = lockstep.begin()
        for ply in range(max_plies + 1):
            deadline.check()
            legal = lockstep.look(pair)
            lockstep.count(pair, _depth(ply, legal))
            if ply % _SETTLE_EVERY == 0:
                lockstep.settle(pair)
            if not legal:
                compared.finished += 1
                break
            if ply == max_plies:
                compared.cut += 1
                break
            pair = _advanced(lockstep, pair, random, legal)
            compared.plies += 1
    except Failed as failed:
        _note(lockstep, failed.failure)


def _advanced(lockstep: TwoEvaluators, pair: Pair, random: Random, legal: Sequence[Move]) -> Pair:
    pick = random.randrange(len(legal))
    after = lockstep.advance(pair, legal[pick])
    lockstep.step(pair, pick, after)
    return after


def _depth(ply: int, legal: Sequence[Move]) -> int:
    """Return up to which length sequences of moves are counted in a position."""
    if ply % _COUNT_EVERY:
        return 0
    return 2 if ply % _COUNT_DEEPER_EVERY == 0 and len(legal) <= _MOST_TO_COUNT_DEEPER else 1


def _replay(
    lockstep: TwoEvaluators, chance: partial[Chance], max_plies: int, deadline: Deadline
) -> None:
    """Judge one game that the other evaluator plays by itself. Raises as `_play` does."""
    compared = lockstep.notes.compared
    deadline.check()
    compared.random_games += 1
    try:
        has_ended = RandomGameReplay(lockstep, chance).follow(max_plies, deadline.check)
        compared.finished += has_ended
        compared.cut += not has_ended
    except Failed as failed:
        _note(lockstep, failed.failure)


# ------------------------- random games of an evaluator, move by move by the rules of the reference


class RandomGameReplay:
    """The random game that the other evaluator plays, each time by a fresh `chance`."""

    def __init__(self, lockstep: TwoEvaluators, chance: Callable[[], Chance]) -> None:
        self._lockstep = lockstep
        self._chance = chance

    def follow(self, max_plies: int, check: Callable[[], None]) -> bool:
        """Return whether the game has ended; `check` is called before every move.

        Raises Differs and Failed.
        """
        lockstep = self._lockstep
        start = pair = lockstep.begin()
        legal: Sequence[Move] = ()
        for plies in range(max_plies + 1):
            check()
            played = self._played(start, pair, legal, plies)
            if plies:
                pair = self._next(pair, legal, played.state)
                lockstep.notes.compared.random_plies += 1
            legal = lockstep.legal(pair)
            lockstep.notes.compared.saw(legal)
            outcome = lockstep.outcome(pair)
            if not same_outcome(outcome, played.outcome):
                self._differs(pair, *outcomes_told(outcome, played.outcome))
            if outcome is not None:
                whole = self._played(start, pair, (), max_plies)
                if (whole.moves, whole.state) != (plies, played.state):
                    self._differs(pair, f"{plies} moves", f"{whole.moves} moves, to the end")
                return True
        return False

    def _played(self, start: Pair, pair: Pair, legal: Sequence[Move], plies: int) -> Playout:
        """Return the game up to some length; `pair` is where its last move but one led to."""
        try:
            played = self._lockstep.second.playout(start.second, self._chance(), plies)
        except RuleError as error:
            if is_about_work(error.diagnostic):
                raise Failed(Failure(error.diagnostic, pair.moves)) from None
            after = [self._lockstep.advance(pair, move) for move in legal] if plies else [pair]
            for position in after:
                self._lockstep.legal(position)
                self._lockstep.outcome(position)
            self._differs(pair, "no failure", f"error `{error.diagnostic.code}`")
        except Exception as error:
            self._differs(pair, "no fault", fault_told(error))
        if played.moves < plies and legal:
            self._differs(pair, f"{plies} moves", f"{played.moves} moves")
        return played

    def _next(self, pair: Pair, legal: Sequence[Move], drawn: State) -> Pair:
        """Return the states after the legal move that leads to a state."""
        lockstep = self._lockstep
        likely = by_likelihood(legal, pair.second, drawn)
        for evaluator, state in (
            (lockstep.second, pair.second),
            (lockstep.first, pair.first),
        ):
            for move in likely:
                if self._leads_to(evaluator, state, pair, move, drawn):
                    return lockstep.advance(pair, move)
        here = f"{len(legal)} legal moves, none of which leads there"
        told = lockstep.states_told(pair.first, drawn)[1]
        self._differs(pair, here, f"a random move after which {told}")

    def _leads_to(
        self, evaluator: Evaluator, state: State, pair: Pair, move: Move, drawn: State
    ) -> bool:
        """Return whether a move leads to a state; one at which the rules fail does not.

        Where anything else goes wrong, both are asked: it is a fault of one of them.
        """
        try:
            return same_state(evaluator.apply(state, move), drawn)
        except RuleError:
            return False
        except Exception:
            self._lockstep.advance(pair, move)
            return False

    def _differs(self, pair: Pair, reference: str, other: str) -> NoReturn:
        raise Differs(Difference("playout", reference, other, pair.moves))
