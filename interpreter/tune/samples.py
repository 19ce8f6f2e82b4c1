"""Positions, and how the games went that they came from.

In: an engine. Out: `Samples`: positions of random games, or of games of the engine against itself.
What then holds: the same seed gives the same samples, where no time ran out.
"""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.search.engine import MOST_PLIES, Engine
from gdl.interpreter.search.machine.compiled import Compiled
from gdl.interpreter.search.machine.instructions import (
    Bytes,
    Doubles,
    Record,
    Words,
    address,
    array,
    call,
    copy,
    native,
)
from gdl.interpreter.search.memory.positions import (
    Desk,
    Fields,
    GameFunctions,
    below,
    field_value,
    is_stopped,
    prepare,
)
from gdl.interpreter.verify.deadline import Deadline, is_interrupted

_STRETCH = 64
_LONGEST_GAME = 400
_OPENING = 6
_STRAY = 0.1
"""How often a side makes any move at all, so that positions differ."""


@dataclass(frozen=True)
class Samples:
    """The bytes of positions, a row each, and the score of the first side in their games.

    `mobility` is how many moves the first side had more than the other when each was last on turn;
    0 where that is not known.
    """

    positions: NDArray[np.uint8]
    scores: NDArray[np.float64]
    games: int
    mobility: NDArray[np.float64]

    def decided(self) -> Samples:
        """Return those of games that were not drawn."""
        won = self.scores != 0.5
        return self._those(won)

    def some(self, number: int, seed: int) -> Samples:
        """Return so many of them at most, drawn by a seed."""
        if len(self.scores) <= number:
            return self
        drawn = np.random.default_rng(seed).choice(len(self.scores), number, replace=False)
        return self._those(drawn)

    def _those(self, which: NDArray[Any]) -> Samples:
        return Samples(self.positions[which], self.scores[which], self.games, self.mobility[which])

    def __add__(self, other: Samples) -> Samples:
        return Samples(
            np.concatenate([self.positions, other.positions]),
            np.concatenate([self.scores, other.scores]),
            self.games + other.games,
            np.concatenate([self.mobility, other.mobility]),
        )


def of_random_games(
    engine: Engine, number: int, longest: int, seed: int, seconds: float
) -> Samples:
    """Return a position each of `number` random games at most, after less than `longest` plies."""
    binding = engine.binding
    seat = binding.seat(engine.rules.start().state, seed, 0, MOST_PLIES)
    size = binding.fields.bytes
    sampling = new_sampling(seat.desk.position[:size].tobytes(), number, longest, MOST_PLIES)
    compiled = Compiled(sample_games)
    deadline = Deadline(seconds, time.monotonic)

    def play() -> int:
        done = 0
        while done < number and not deadline.is_over:
            records = sampling, seat.desk, binding.code, binding.fields
            made = compiled(sample_games, *records, min(_STRETCH, number - done))
            done += made
            if made < _STRETCH:
                break
        return done

    task = (seat.world, lambda _: binding.compiled.users.call(play))
    (games,) = binding.caller.threads([task])
    kept = int(sampling.used[0])
    positions = np.frombuffer(sampling.positions, np.uint8)[: kept * size].reshape(kept, size)
    scores = np.array(sampling.scores[:kept].tolist())
    return Samples(positions.copy(), scores, games, np.zeros(kept))


def of_own_games(
    engine: Engine, number: int, iterations: int, seed: int, seconds: float
) -> Samples:
    """Return all positions of `number` games at most of an engine against itself.

    When time is up, the last game is broken off and left out; the first one is not, but by an
    interrupt.
    """
    chance, deadline = random.Random(seed), Deadline(seconds, time.monotonic)
    rules = Rules(engine.rules.game, engine.native)
    exchange, size = engine.binding.exchange, engine.binding.fields.bytes
    world, memory = exchange.world(), exchange.buffer()
    positions, scores, mobility = bytearray(), list[float](), list[float]()
    games = 0

    def is_over() -> bool:
        return deadline.is_over and (games > 0 or is_interrupted())

    while games < number and not is_over():
        engine.begin(chance.getrandbits(32))
        position, begun = rules.start(), len(positions)
        moves: list[int] = []
        opening = chance.randint(0, _OPENING)
        for ply in range(_LONGEST_GAME):
            if position.over or is_over():
                break
            exchange.write(position.state, memory, world)
            positions += memory[:size]
            mobility.append(float(moves[-1] + moves[-2]) if len(moves) > 1 else 0.0)
            moves.append(_signed_moves(position))
            if ply < opening or position.seat is None or chance.random() < _STRAY:
                position = position.after(drawn_move(position, chance))
                continue
            best = engine.analyse(position, iterations=iterations, lines=0).best_move
            assert best is not None, "a position in which the game goes on has moves"
            position = position.after(best)
        if not position.over and is_over():
            del positions[begun:], mobility[len(scores) :]
            break
        outcome = position.outcome
        winners = () if outcome is None else outcome.winners
        score = float(rules.sides[0] in winners) if len(winners) == 1 else 0.5
        scores += [score] * ((len(positions) - begun) // size)
        games += 1
    rows = np.frombuffer(bytes(positions), np.uint8).reshape(len(scores), size)
    return Samples(rows, np.array(scores), games, np.array(mobility))


def drawn_move(position: Position, chance: random.Random) -> Move:
    """Return a legal move, each with the same chance; of thousands, only that one is made."""
    return chance.choice(position.rules.evaluator.legal(position.state))


def _signed_moves(position: Position) -> int:
    """Return how many moves there are; below 0 if they are not the first side's."""
    moves = len(position.rules.evaluator.legal(position.state))
    return moves if position.mover == position.rules.sides[0] else -moves


# ------------------------------------------------------------- random games, and a position of each

_ERROR = w.ERROR // 8


class Sampling(Record):
    """What games are sampled: they begin at `start`, a position's bytes.

    A game goes on for less than `longest` plies until its position is kept, and then for `plies` at
    most. `used` has how many are kept; `positions` their bytes, `scores` those of the first side.
    """

    start: Bytes
    longest: int
    plies: int
    used: Words
    positions: Bytes
    scores: Doubles


def new_sampling(start: bytes, most: int, longest: int, plies: int) -> Sampling:
    """Return room for so many positions."""
    begin: memoryview[int] = array("Bytes", len(start))
    begin[: len(start)] = start
    return Sampling(
        start=begin,
        longest=longest,
        plies=plies,
        used=array("Words", 1),
        positions=array("Bytes", most * len(start)),
        scores=array("Doubles", most),
    )


@native
def sample_games(
    sampling: Sampling, desk: Desk, code: GameFunctions, fields: Fields, games: int
) -> int:
    """Play so many games and keep a position of each that has one; return how many were played."""
    for n in range(games):
        if is_stopped(desk):
            return n
        copy(address(desk.position), address(sampling.start), fields.bytes)
        if _plays_on(desk, code, below(desk, sampling.longest)):
            return n
        if field_value(desk, fields.ended, 4) == 0:
            kept = sampling.used[0]
            target = address(sampling.positions) + kept * fields.bytes
            copy(target, address(desk.position), fields.bytes)
            if _plays_on(desk, code, sampling.plies):
                return n
            sampling.scores[kept] = _score(desk, fields)
            sampling.used[0] = kept + 1
    return games


@native
def _plays_on(desk: Desk, code: GameFunctions, plies: int) -> bool:
    """Go on at random for so many plies; return whether that has failed."""
    if plies > 0:
        prepare(desk, code)
        position, world = address(desk.position), address(desk.world)
        call(code.playout, position, world, address(desk.random), plies)
    return desk.world[_ERROR] != 0


@native
def _score(desk: Desk, fields: Fields) -> float:
    """Return the score of the first of two sides; a game without an end is a draw."""
    winners = field_value(desk, fields.winners, 4)
    if field_value(desk, fields.ended, 4) == 0 or winners == 0 or winners == 3:
        return 0.5
    return 1.0 if winners == 1 else 0.0
