"""Tuning an engine: from nothing but rules to what is worth something, and whether it helps.

In: rules of two sides, and a time. Out: a `Worth`, and how games between engines with it and
without went. What then holds: it says that random games are to be played to their ends, unless an
engine that cuts them short has won more.

Random games give a first worth (material, as good as chance knows it); games of an engine with that
worth against itself a better one, in rounds. Then engines of equal time play against the plain one,
and where alpha-beta serves, the best of them plays against that: what wins is taken.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gdl.diagnostic import Diagnostic, GameError
from interpreter.positions.position import Position, Rules
from interpreter.search.alpha_beta.deepening import serves
from interpreter.search.engine import Engine
from interpreter.search.worth import ALPHA_BETA, TREE, Worth, rules_digest
from interpreter.tune.alike import alike
from interpreter.tune.fitting import Model, Numbers, fitted
from interpreter.tune.samples import Samples, of_own_games, of_random_games

CANDIDATES = (0, 4, 16)
"""After how many random plies a position is judged, by each tree search that is tried."""
_RANDOM_GAMES = 40_000
_OWN_GAMES = 2_000
_ITERATIONS, _POSITIONS = 300, 1_500
"""How long the engine thinks in games of its own, by tree search and by alpha-beta."""
_MOST_SAMPLES = 25_000
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
    """What an engine won against another: the plain one, or the best that searches a tree.

    In a tree, it judges positions after so many random `plies`; `against` has the plies of the
    other, None for the plain one.
    """

    search: str
    plies: int | None
    against: int | None
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
    are not for two sides, hide something, or have too large a board.
    """
    plain = Engine(rules, seed=seed, memory=_MEMORY)
    _refuse(plain)
    search = ALPHA_BETA if serves(rules.game, plain.binding) else TREE
    sites = [site.name for site in rules.game.board.sites]
    mover = plain.binding.fields.mover
    model = Model(
        plain.binding.features,
        sites,
        mover,
        rules.sides,
        plain.binding.rows,
        alike(plain.native, seed),
    )
    tell("random games")
    length = _usual_length(plain, seed)
    first = of_random_games(plain, _RANDOM_GAMES, length, seed, seconds * _RANDOM_PART)
    decided = first.decided().some(_MOST_SAMPLES, seed)
    worths = fitted(model, decided) if len(decided.scores) else None
    played: Samples | None = None
    for number in range(_ROUNDS):
        tell(f"games of its own, round {number + 1} of {_ROUNDS}")
        engine = plain
        if worths is not None:
            engine = _engine(rules, replace(_worth(rules, model, worths, 0), search=search), seed)
        iterations = _ITERATIONS if engine.search == TREE else _POSITIONS
        here = of_own_games(
            engine, _OWN_GAMES, iterations, seed + number, seconds * _OWN_PART / _ROUNDS
        )
        # What is played first, by what chance games tell, is left behind by the rounds after it.
        played = here if played is None or number == 1 else played + here
        worths = fitted(model, played.some(_MOST_SAMPLES, seed), worths)
    assert worths is not None and played is not None
    about = f"{first.games:,} random games and {played.games:,} of its own"
    worth = replace(_worth(rules, model, worths, None), about=about)
    tell("games against the engine without it")
    worth, trials = _tried(plain, worth, search, seed, seconds * (1 - _OWN_PART - _RANDOM_PART))
    return Tuned(worth, tuple(trials), first.games, played.games)


def _refuse(engine: Engine) -> None:
    game = engine.rules.game
    too_many = sum(feature.end - feature.offset for feature in engine.binding.features)
    if len(game.sides) != 2:
        message, hint = "Only games of two sides can be tuned.", "The engine plays it as it is."
    elif game.hides:
        message = "A game that hides something can't be tuned."
        hint = "The engine plays it by what its side knows, and judges no position."
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
    for name, many in model.told:
        each[name] = float(worths[place])
        parts = worths[place + 1 : place + 1 + many]
        at[name] = dict(zip(model.sites, map(float, parts), strict=False))
        place += 1 + len(parts)
    game = rules.game
    on_turn, even, mobility = map(float, worths[place : place + 3])
    return Worth(
        game.name, rules_digest(game), "", plies, on_turn, even, each, at, mobility=mobility
    )


def _engine(rules: Rules, worth: Worth, seed: int) -> Engine:
    return Engine(rules, seed=seed, memory=_MEMORY, worth=worth)


def _tried(
    plain: Engine, worth: Worth, search: str, seed: int, seconds: float
) -> tuple[Worth, list[Trial]]:
    """Return a worth with the search and the plies by which it won most, and all trials."""
    rules = plain.rules
    has_both = search == ALPHA_BETA
    judging = {plies: _engine(rules, replace(worth, plies=plies), seed) for plies in CANDIDATES}
    found = _match(list(judging.values()), plain, seed, seconds / (2 if has_both else 1))
    trials = [Trial(TREE, plies, None, *won) for plies, won in zip(judging, found, strict=True)]
    best = max(trials, key=lambda trial: trial.lead)
    plies = best.plies if best.lead >= _LEAST_LEAD else None
    worth = replace(worth, plies=plies)
    if has_both:
        other = replace(worth, search=ALPHA_BETA)
        opponent = plain if plies is None else judging[plies]
        (won,) = _match([_engine(rules, other, seed)], opponent, seed + 1, seconds / 2)
        trials.append(Trial(ALPHA_BETA, None, plies, *won))
        if trials[-1].lead >= _LEAST_LEAD:
            worth = other
    return worth, trials


def _match(
    engines: Sequence[Engine], opponent: Engine, seed: int, seconds: float
) -> list[tuple[float, int]]:
    """Let engines play against another, in turn, until time is up; return their points and games.

    Each opening is played from both seats.
    """
    native = Rules(opponent.rules.game, opponent.native)
    points, games = [0.0] * len(engines), [0] * len(engines)
    chance, until = random.Random(seed), time.monotonic() + seconds
    while not games[-1] or time.monotonic() < until:
        opening = _opening(native, chance)
        for number, engine in enumerate(engines):
            for seats in ((engine, opponent), (opponent, engine)):
                points[number] += _points(opening, seats, seats.index(engine), chance)
                games[number] += 1
    return list(zip(points, games, strict=True))


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
