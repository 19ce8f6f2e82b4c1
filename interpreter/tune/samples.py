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
from interpreter.evaluation.moves import Move
from interpreter.positions.position import Position, Rules
from interpreter.search.compiled import Compiled
from interpreter.search.engine import MOST_PLIES, Engine
from interpreter.search.sampling import new_sampling, sample_games

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
    until = time.monotonic() + seconds

    def play() -> int:
        done = 0
        while done < number and time.monotonic() < until:
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

    When time is up, the last game is broken off and left out; the first one is not.
    """
    chance, until = random.Random(seed), time.monotonic() + seconds
    rules = Rules(engine.rules.game, engine.native)
    exchange, size = engine.binding.exchange, engine.binding.fields.bytes
    world, memory = exchange.world(), exchange.buffer()
    positions, scores, mobility = bytearray(), list[float](), list[float]()
    games = 0
    while games < number and (not games or time.monotonic() < until):
        engine.begin(chance.getrandbits(32))
        position, begun = rules.start(), len(positions)
        moves: list[int] = []
        opening = chance.randint(0, _OPENING)
        for ply in range(_LONGEST_GAME):
            if position.over or (games and time.monotonic() >= until):
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
        if games and not position.over and time.monotonic() >= until:
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
