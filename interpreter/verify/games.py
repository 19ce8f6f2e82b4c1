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
from collections.abc import Sequence
from dataclasses import field
from functools import partial
from random import Random

from gdl.data_classes import dataclass
from interpreter.evaluation.chance import Chance
from interpreter.evaluation.evaluator import Evaluator
from interpreter.evaluation.failures import is_about_work
from interpreter.evaluation.moves import Move
from interpreter.verify.abilities import Compiles
from interpreter.verify.counts import Compared, Failure
from interpreter.verify.deadline import Deadline, TimeUp, limited
from interpreter.verify.lockstep import Difference, Differs, Failed, Lockstep, Pair
from interpreter.verify.replay import RandomGameReplay
from interpreter.verify.shrink import shrunk

_SETTLE_EVERY = 4
_COUNT_EVERY = 3
_COUNT_DEEPER_EVERY = 9
_MOST_TO_COUNT_DEEPER = 30
_SHRINK_SECONDS = 20.0


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
    reference: Evaluator, other: Evaluator, seed: int = 0, limits: Limits | None = None
) -> Verdict:
    """Play random games with both evaluators, and return whether they said the same.

    What the other one has to prepare (`compile`) is done before the time begins.
    """
    limits = limits or Limits()
    lockstep = Lockstep(reference, other)
    begun = time.perf_counter()
    if isinstance(other, Compiles):
        other.compile()
    preparing = time.perf_counter() - begun
    difference = None
    in_time = True
    try:
        with limited(limits.seconds) as deadline:
            for number in range(limits.games):
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


def _note(lockstep: Lockstep, failure: Failure) -> None:
    """Note a failure that has ended a game. Raises _TooMuchWork."""
    lockstep.notes.fails(failure)
    if is_about_work(failure.diagnostic):
        raise _TooMuchWork


def _play(lockstep: Lockstep, random: Random, max_plies: int, deadline: Deadline) -> None:
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


def _advanced(lockstep: Lockstep, pair: Pair, random: Random, legal: Sequence[Move]) -> Pair:
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
    lockstep: Lockstep, chance: partial[Chance], max_plies: int, deadline: Deadline
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
