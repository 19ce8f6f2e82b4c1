"""Games of the engine, with what it thought of each position, and what they tell of a game.

In: an engine, and seconds. Out: `Guided` games, and measures of them. What then holds: the measures
are those of Browne and Maire ("Evolutionary Game Design", IEEE Transactions on Computational
Intelligence and AI in Games 2, 2010), after Browne's thesis of 2008; Ludii has them by these names.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import pairwise
from random import Random
from statistics import fmean

from gdl.data_classes import dataclass
from gdl.diagnostic import Span
from gdl.interpreter.evaluation.evaluator import Outcome
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.report.numbers import Mean, Share, mean_of
from gdl.interpreter.report.sampled import points_of_first
from gdl.interpreter.search.engine import Engine

MOST_ITERATIONS, FEWEST_ITERATIONS = 300, 20
OPENING = 1
"""Moves at the beginning that are drawn, so that games differ."""
_MOST_PLIES = 400
_EVEN = 0.02


@dataclass(frozen=True)
class Guided:
    """A game of the engine against itself: what each position was worth for each side."""

    moves: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    outcome: Outcome


@dataclass(frozen=True)
class Tension:
    """What the course of games tells.

    `drama`: how far behind eventual winners were, in the positions in which they were (the mean
    square root of the deficit). `lead_changes`: the share of moves after which another side leads.
    `decisiveness`: how much of a game is over when its winner's lead is larger than any that was
    lost. `first` is the share of points of the first seat; the engine made so many `iterations` a
    move. `by_clause` counts the clauses that ended games.
    """

    games: int
    iterations: int
    drama: Mean | None
    lead_changes: Mean | None
    decisiveness: Mean | None
    first: Share
    draws: Share
    length: Mean | None
    by_clause: Counter[Span] = field(default_factory=Counter)


def guided_games(
    rules: Rules, engine: Engine, iterations: int, seconds: Iterator[float], seed: int
) -> list[Guided]:
    """Play games of the engine against itself while there are `seconds` left. Raises RuleError.

    Games that have no end in time are left out.
    """
    random, games = Random(seed), list[Guided]()
    while next(seconds) > 0:
        engine.begin(seed + len(games))
        position, values = rules.start(), list[tuple[float, ...]]()
        moves: list[str] = []
        while not position.over and len(moves) < _MOST_PLIES and next(seconds) > 0:
            position = _played(position, engine, iterations, random, values, moves)
        if position.over:
            assert position.outcome is not None
            games.append(Guided(tuple(moves), tuple(values), position.outcome))
    return games


def _played(
    position: Position,
    engine: Engine,
    iterations: int,
    random: Random,
    values: list[tuple[float, ...]],
    moves: list[str],
) -> Position:
    legal = position.moves()
    move = random.choice(legal)
    if position.seat is not None and len(moves) >= OPENING:
        found = engine.analyse(position, iterations=iterations)
        values.append(tuple(found.value[side] for side in position.rules.sides))
        move = found.best_move or move
    moves.append(move.text)
    return position.play(move)


def tension_of(sides: Sequence[str], games: Sequence[Guided], iterations: int) -> Tension:
    """Return what games of the engine tell."""
    decided = [game for game in games if len(game.outcome.winners) == 1 and game.values]
    leads = [_leads(game, sides.index(game.outcome.winners[0])) for game in decided]
    behind = [[-lead for lead in one if lead < -_EVEN] for one in leads]
    threshold = max((max(one, default=0.0) for one in behind), default=0.0)
    return Tension(
        len(games),
        iterations,
        mean_of([fmean(map(math.sqrt, one)) if one else 0.0 for one in behind]),
        mean_of([_changes(game) for game in games if len(game.values) > 1]),
        mean_of([_decisiveness(one, threshold) for one in leads]),
        Share(sum(points_of_first(game.outcome) for game in games), len(games)),
        Share(sum(not game.outcome.winners for game in games), len(games)),
        mean_of([len(game.moves) for game in games]),
        Counter(game.outcome.span for game in games if game.outcome.span is not None),
    )


def _leads(game: Guided, winner: int) -> list[float]:
    """Return by how much the eventual winner was ahead of the best other side, each time."""
    return [
        values[winner] - max(value for side, value in enumerate(values) if side != winner)
        for values in game.values
    ]


def _changes(game: Guided) -> float:
    leaders = [_leader(values) for values in game.values]
    known = [leader for leader in leaders if leader is not None]
    changes = sum(one != other for one, other in pairwise(known))
    return changes / max(1, len(game.values) - 1)


def _leader(values: Sequence[float]) -> int | None:
    """Return the side that leads; None where several are about even."""
    first, second = sorted(values, reverse=True)[:2]
    return None if first - second <= _EVEN else values.index(first)


def _decisiveness(leads: Sequence[float], threshold: float) -> float:
    """Return how much of a game is over when it is decided: 1 if it ends there and then."""
    place = next((n for n, lead in enumerate(leads) if lead > threshold), len(leads))
    return place / len(leads)
