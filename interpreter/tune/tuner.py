"""Tuning an engine: from nothing but rules to what is worth something, and whether it helps.

In: rules of two sides, and a time. Out: a `Worth`, and how games between engines with it and
without went. What then holds: it says that random games are to be played to their ends, unless an
engine that cuts them short has won more.

Random games give a first worth (material, as good as chance knows it); games of an engine with that
worth against itself a better one, in rounds; then engines of equal time play against the plain
one, and the best is taken.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gdl.diagnostic import Diagnostic, GameError
from interpreter.positions.position import Position, Rules
from interpreter.search.engine import Engine
from interpreter.search.worth import Worth
from interpreter.tune.fitting import Model, Numbers, fitted
from interpreter.tune.samples import Samples, of_own_games, of_random_games

CANDIDATES = (0, 4, 16)
"""After how many random plies a position is judged, by each engine that is tried."""
_RANDOM_GAMES = 40_000
_OWN_GAMES = 2_000
_ITERATIONS = 300
_ROUNDS = 3
_RANDOM_PART, _OWN_PART = 0.1, 0.5
_MOVE_SECONDS = 0.05
_MOST_FEATURE_BYTES = 2048
_MEMORY = 1 << 24
_LONGEST_GAME = 300
_LEAST_LEAD = 1.0
"""How many standard deviations above half of the points a candidate has to be."""


@dataclass(frozen=True)
class Trial:
    """What an engine that judges positions after so many random plies won against the plain one."""

    plies: int
    points: float
    games: int

    @property
    def lead(self) -> float:
        """How far it is above half of the points, in standard deviations of as many tosses."""
        return (self.points - self.games / 2) / math.sqrt(max(1.0, self.games / 4))


@dataclass(frozen=True)
class Tuned:
    """What came of tuning."""

    worth: Worth
    trials: tuple[Trial, ...]
    random_games: int
    own_games: int


def tune(
    rules: Rules, *, seconds: float, seed: int = 0, tell: Callable[[str], None] = lambda _: None
) -> Tuned:
    """Find out what is worth something in a game, within so many seconds or little more.

    `tell` is told what is being done. Raises GameError where there is no native code, or the rules
    are not for two sides, or the board is too large.
    """
    plain = Engine(rules, seed=seed, memory=_MEMORY)
    _refuse(plain)
    sites = [site.name for site in rules.game.board.sites]
    model = Model(plain.binding.features, sites, plain.binding.fields.mover)
    tell("random games")
    length = _usual_length(plain, seed)
    first = of_random_games(plain, _RANDOM_GAMES, length, seed, seconds * _RANDOM_PART)
    decided = first.decided()
    worths = fitted(model, decided) if len(decided.scores) else None
    played: Samples | None = None
    for number in range(_ROUNDS):
        tell(f"games of its own, round {number + 1} of {_ROUNDS}")
        engine = plain if worths is None else _engine(rules, model, worths, 0, seed)
        here = of_own_games(
            engine, _OWN_GAMES, _ITERATIONS, seed + number, seconds * _OWN_PART / _ROUNDS
        )
        # What is played first, by what chance games tell, is left behind by the rounds after it.
        played = here if played is None or number == 1 else played + here
        worths = fitted(model, played, worths)
    assert worths is not None and played is not None
    tell("games against the engine without it")
    left = seconds * (1 - _OWN_PART - _RANDOM_PART)
    trials = _trials(plain, rules, model, worths, seed, left)
    best = max(trials, key=lambda trial: trial.lead)
    plies = best.plies if best.lead >= _LEAST_LEAD else None
    about = f"{first.games:,} random games and {played.games:,} of its own"
    worth = replace(_worth(rules, model, worths, plies), about=about)
    return Tuned(worth, tuple(trials), first.games, played.games)


def _refuse(engine: Engine) -> None:
    game = engine.rules.game
    too_many = sum(feature.end - feature.offset for feature in engine.binding.features)
    if len(game.sides) != 2:
        message, hint = "Only games of two sides can be tuned.", "The engine plays it as it is."
    elif too_many > _MOST_FEATURE_BYTES:
        message, hint = "The board is too large to be tuned.", "The engine plays it as it is."
    else:
        return
    raise GameError([Diagnostic("not-tunable", message, game.document.span, hint)])


def _usual_length(engine: Engine, seed: int) -> int:
    """Return how long random games usually are, in plies."""
    native = engine.native
    result = native.playouts(native.start(), 200, seed, _LONGEST_GAME)
    return max(4, result.moves // max(1, result.playouts))


def _worth(rules: Rules, model: Model, worths: Numbers, plies: int | None) -> Worth:
    each: dict[str, float] = {}
    at: dict[str, dict[str, float]] = {}
    place = 0
    for feature in model.features:
        each[feature.name] = float(worths[place])
        parts = worths[place + 1 : place + 1 + model.parts_of(feature)]
        at[feature.name] = dict(zip(model.sites, map(float, parts), strict=False))
        place += 1 + len(parts)
    game = rules.game
    on_turn, even = float(worths[place]), float(worths[place + 1])
    return Worth(game.name, game.digest, "", plies, on_turn, even, each, at)


def _engine(rules: Rules, model: Model, worths: Numbers, plies: int, seed: int) -> Engine:
    worth = _worth(rules, model, worths, plies)
    return Engine(rules, seed=seed, memory=_MEMORY, worth=worth)


def _trials(
    plain: Engine,
    rules: Rules,
    model: Model,
    worths: Numbers,
    seed: int,
    seconds: float,
) -> list[Trial]:
    """Let each candidate play against the plain engine, in turn, until time is up."""
    native = Rules(rules.game, plain.native)
    engines = [_engine(rules, model, worths, plies, seed) for plies in CANDIDATES]
    points, games = [0.0] * len(engines), [0] * len(engines)
    chance, until = random.Random(seed), time.monotonic() + seconds
    while not games[-1] or time.monotonic() < until:
        opening = _opening(native, chance)
        for number, engine in enumerate(engines):
            for seats in ((engine, plain), (plain, engine)):
                points[number] += _points(opening, seats, seats.index(engine), chance)
                games[number] += 1
    return [Trial(*each) for each in zip(CANDIDATES, points, games, strict=True)]


def _opening(rules: Rules, chance: random.Random) -> Position:
    """Return a position after a few random moves that did not end the game."""
    position = rules.start()
    for _ in range(chance.randint(1, 6)):
        after = position.play(chance.choice(position.moves()))
        if after.over:
            break
        position = after
    return position


def _points(position: Position, seats: Sequence[Engine], seat: int, chance: random.Random) -> float:
    """Play a game; return the points of a seat."""
    for engine in seats:
        engine.begin(chance.getrandbits(32))
    for _ in range(_LONGEST_GAME):
        if position.over:
            break
        if position.seat is None:
            position = position.play(chance.choice(position.moves()))
            continue
        analysis = seats[position.seat - 1].analyse(position, seconds=_MOVE_SECONDS, lines=0)
        best = analysis.best_move
        assert best is not None, "a position in which the game goes on has moves"
        position = position.play(best)
    outcome = position.outcome
    winners = () if outcome is None else outcome.seats
    return float(winners == (seat + 1,)) if len(winners) == 1 else 0.5
