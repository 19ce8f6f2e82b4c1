"""Random games and what they tell: how they end, how long they are, how fast they are played.

In: an evaluator and a state. Out: playouts one by one, and their `Statistics`. What then holds:
an evaluator plays the same games for the same seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import Evaluator, Playout, State
from gdl.interpreter.evaluation.moves import Move
from gdl.model import Game

USUAL_MAX_PLIES = 10_000
"""The number of moves after which a playout is left unfinished, unless told otherwise."""


def playouts(
    evaluator: Evaluator,
    state: State,
    count: int,
    seed: int,
    max_plies: int = USUAL_MAX_PLIES,
) -> Iterator[Playout]:
    """Yield `count` random games from a state. Raises RuleError where the rules fail.

    Game number i of a seed is the same whatever the others are.
    """
    for number in range(count):
        yield evaluator.playout(state, Chance(seed, number), max_plies)


@dataclass
class Statistics:
    """What a number of playouts came to; `add` each of them.

    `sides` and `seats` are those of the game: who has won no playout is told, too. `payoffs` has
    the sum of what the games were worth to each side, where the rules say so.
    """

    sides: tuple[str, ...]
    seats: int
    playouts: int = 0
    moves: int = 0
    shortest: int | None = None
    longest: int | None = None
    by_side: Counter[str] = field(default_factory=Counter)
    by_seat: Counter[int] = field(default_factory=Counter)
    draws: int = 0
    unfinished: int = 0
    payoffs: dict[str, float] = field(default_factory=dict)

    def add(self, playout: Playout) -> None:
        """Count one more playout."""
        self.playouts += 1
        self.moves += playout.moves
        length = playout.moves
        self.shortest = length if self.shortest is None else min(self.shortest, length)
        self.longest = length if self.longest is None else max(self.longest, length)
        if playout.outcome is None:
            self.unfinished += 1
        elif not playout.outcome.winners:
            self.draws += 1
        else:
            self.by_side.update(playout.outcome.winners)
            self.by_seat.update(playout.outcome.seats)
        if playout.outcome is not None:
            self._pay(dict(zip(self.sides, map(float, playout.outcome.payoffs), strict=False)))

    def _pay(self, more: Mapping[str, float]) -> None:
        for side, payoff in more.items():
            self.payoffs[side] = self.payoffs.get(side, 0.0) + payoff

    def include(self, other: Statistics) -> None:
        """Count the playouts of other statistics of the same game, too."""
        self.playouts += other.playouts
        self.moves += other.moves
        lengths = [self.shortest, self.longest, other.shortest, other.longest]
        known = [length for length in lengths if length is not None]
        self.shortest, self.longest = min(known, default=None), max(known, default=None)
        self.by_side.update(other.by_side)
        self.by_seat.update(other.by_seat)
        self.draws += other.draws
        self.unfinished += other.unfinished
        self._pay(other.payoffs)

    @property
    def mean_length(self) -> float:
        """The mean number of moves of a playout; 0 without playouts."""
        return self.moves / self.playouts if self.playouts else 0.0

    @property
    def mean_payoffs(self) -> dict[str, float]:
        """What a playout was worth to each side on average; empty where the rules say nothing."""
        return {side: paid / self.playouts for side, paid in self.payoffs.items()}

    def to_json(self, seconds: float) -> dict[str, Any]:
        """Return the statistics as plain data; `seconds` were needed for the playouts."""
        return {
            "playouts": self.playouts,
            "seconds": seconds,
            "playouts_per_second": rate(self.playouts, seconds),
            "moves_per_second": rate(self.moves, seconds),
            "mean_length": self.mean_length,
            "shortest": self.shortest,
            "longest": self.longest,
            "outcomes": {
                "by_side": {side: self.by_side[side] for side in self.sides},
                "by_seat": {str(seat): self.by_seat[seat] for seat in range(1, self.seats + 1)},
                "draw": self.draws,
                "unfinished": self.unfinished,
            },
            **({"mean_payoffs": self.mean_payoffs} if self.payoffs else {}),
        }


def rate(number: int, seconds: float) -> float:
    """Return how many there are a second; 0 if no time has passed."""
    return number / seconds if seconds > 0 else 0.0


# -------------------------------------------- counting the sequences of moves, by the first of them


def perft_by_move(
    evaluator: Evaluator, state: State, moves: Sequence[Move], depth: int
) -> Iterator[tuple[Move, int]]:
    """Yield each of the legal `moves` with the number of sequences of `depth` that it begins.

    `depth` is at least 1. Raises RuleError where the rules fail.
    """
    for move in moves:
        yield move, 1 if depth == 1 else evaluator.perft(evaluator.apply(state, move), depth - 1)


def teams_of(game: Game) -> tuple[tuple[str, ...], ...]:
    """Return the teams of a game by the names of their sides; none where each side plays alone."""
    found = dict.fromkeys(game.program.teams)
    return tuple(tuple(game.sides[side] for side in team) for team in found)


def winning_together(game: Game, won: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """Return the sides of a game as those that win together, of which each has won so often.

    A side whose partners have won more or less often stands alone.
    """
    teams = teams_of(game) or tuple((side,) for side in game.sides)
    groups = (
        [team] if len({won[s] for s in team}) == 1 else [(s,) for s in team] for team in teams
    )
    return tuple(group for found in groups for group in found)


def moves_counted(game: Game) -> str:
    """Return what is counted where all moves of a game are, those of chance too."""
    return "moves (those of chance, too)" if game.program.has_chance else "moves"
