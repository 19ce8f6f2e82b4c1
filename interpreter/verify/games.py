"""Random games in lockstep.

In: two evaluators and limits. Out: a `Verdict`. What then holds: within the limits, in every
position of every game both said the same; or the difference is told, by a game made as short as
could be.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from random import Random

from interpreter.evaluation.chance import Chance
from interpreter.evaluation.evaluator import Evaluator, RuleError
from interpreter.verify.lockstep import Difference, Differs, Failed, Lockstep, Pair
from interpreter.verify.shrink import shrunk

_SETTLE_EVERY = 4
_COUNT_EVERY = 3
_COUNT_DEEPER_EVERY = 9
_MOST_TO_COUNT_DEEPER = 30


@dataclass(frozen=True)
class Limits:
    """How much is played: games, moves a game, seconds for all games, seconds for shrinking."""

    games: int = 20
    max_plies: int = 200
    seconds: float = 60.0
    shrink_seconds: float = 20.0


@dataclass(frozen=True)
class Verdict:
    """What verifying came to: the games begun, the moves made, and the first difference."""

    games: int
    plies: int
    difference: Difference | None = None


def verify(
    reference: Evaluator, other: Evaluator, seed: int = 0, limits: Limits | None = None
) -> Verdict:
    """Play random games with both evaluators, and return whether they said the same."""
    limits = limits or Limits()
    lockstep = Lockstep(reference, other)
    deadline = time.monotonic() + limits.seconds
    games = plies = 0
    try:
        for number in range(limits.games):
            if games and time.monotonic() > deadline:
                break
            games += 1
            random = Random(f"{seed} {number}")
            plies += _play(lockstep, random, limits.max_plies, deadline)
            _play_alone(lockstep, seed, number, limits.max_plies)
    except Differs as found:
        plies += len(found.difference.moves)
        return Verdict(games, plies, shrunk(lockstep, found.difference, limits.shrink_seconds))
    return Verdict(games, plies)


def _play(lockstep: Lockstep, random: Random, max_plies: int, deadline: float) -> int:
    """Play one game, and return its number of moves. Raises Differs."""
    try:
        pair = lockstep.begin()
    except Failed:
        return 0
    try:
        for ply in range(max_plies + 1):
            legal = lockstep.look(
                pair, perft=_depth(lockstep, pair, ply), settle=ply % _SETTLE_EVERY == 0
            )
            if not legal or ply == max_plies or time.monotonic() > deadline:
                break
            pair = lockstep.advance(pair, random.choice(legal))
    except Failed:
        pass
    return len(pair.moves)


def _depth(lockstep: Lockstep, pair: Pair, ply: int) -> int:
    """Return up to which length sequences of moves are counted in a position."""
    if ply % _COUNT_EVERY:
        return 0
    if ply % _COUNT_DEEPER_EVERY:
        return 1
    try:
        number = lockstep.reference.perft(pair.reference, 1)
    except RuleError:
        return 1
    return 2 if number <= _MOST_TO_COUNT_DEEPER else 1


def _play_alone(lockstep: Lockstep, seed: int, number: int, max_plies: int) -> None:
    """Let each evaluator play a game by itself, by the same chance. Raises Differs."""
    try:
        start = lockstep.begin()
        lockstep.playout(start, partial(Chance, seed, number), max_plies)
    except Failed:
        return
