"""Tuning an engine: from nothing but rules to what is worth something, and whether it helps.

In: rules of two sides, and a time. Out: a `Worth`, and how games between engines with it and
without went. What then holds: it says that random games are to be played to their ends, unless an
engine that cuts them short has won more, of a fair number of games.

Where the engine orders moves, what surrounds a site is to tell it more of a move there: see
`first_values`. That is learned and tried at the beginning, and those that come after play by it, if
it has won.

Random games give a first worth (material, as good as chance knows it); games of an engine with that
worth against itself a better one, in rounds. Then engines of equal time play against the plain one,
and where alpha-beta serves, the best of them plays against that: what wins is taken.
"""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from gdl.board.symmetries import Permutation, moved_set, symmetries
from gdl.codes import Code
from gdl.core.nodes import Program, Slot
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, whole_number
from gdl.interpreter.evaluation.evaluator import RuleError, State
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Position, Rules, rules_of
from gdl.interpreter.search.alpha_beta.deepening import serves
from gdl.interpreter.search.binding import Binding
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.search.first_moves.first_values import FirstValues
from gdl.interpreter.search.worth import ALPHA_BETA, TREE, Worth, rules_digest
from gdl.interpreter.tune.first_values import ChoiceModel
from gdl.interpreter.tune.fitting import Model, Numbers, fitted
from gdl.interpreter.tune.root_moves import of_own_choices, orders_moves
from gdl.interpreter.tune.samples import Samples, drawn_move, of_own_games, of_random_games
from gdl.interpreter.verify.deadline import Deadline
from gdl.model import Game

CANDIDATES = (0, 4, 16)
"""After how many random plies a position is judged, by each tree search that is tried."""
_RANDOM_GAMES = 40_000
_OWN_GAMES = 2_000
_ITERATIONS, _POSITIONS = 300, 1_500
"""How long the engine thinks in games of its own, by tree search and by alpha-beta."""
_MOST_SAMPLES, _SAMPLES_A_SECOND = 25_000, 500
"""How many positions worths are fitted to, and how many for each second there is in all."""
_ROUNDS = 3
_RANDOM_PART, _OWN_PART = 0.1, 0.5
_MOVE_SECONDS, _LEAST_MOVE_SECONDS = 0.05, 0.01
"""How long engines think about a move when they are tried, and how long where time is short."""
_WANTED_GAMES = 12
"""How many games there should be time for, of each that is tried."""
_MOST_FEATURE_BYTES = 2048
_MEMORY = 1 << 24
_LONGEST_GAME = 300
_FIRST_PART, _CHOICES_PART = 0.6, 0.6
"""What part of the time first values have, and what part of that is for learning them."""
_LEAST_REST = 0.2
"""What part of the time all else has at least."""
_CHOICE_ITERATIONS = 8_000
FACTORS = (1.0, 2.0)
"""By what first values are multiplied, in each engine that is tried."""
_LEAST_LEAD = 1.0
FEWEST_GAMES = 8
"""How many standard deviations above half of the points a candidate has to be, of so many games."""


@dataclass(frozen=True)
class Trial:
    """What an engine won against another: the plain one, or the best that searches a tree.

    In a tree, it judges positions after so many random `plies`; `against` has the plies of the
    other, None for the plain one. Where it is first values that are tried, `first` has by what they
    are multiplied.
    """

    search: str
    plies: int | None
    against: int | None
    points: float
    games: int
    first: float | None = None

    @property
    def lead(self) -> float:
        """How far it is above half of the points, in standard deviations of as many tosses."""
        return (self.points - self.games / 2) / math.sqrt(max(1.0, self.games / 4))

    @property
    def is_enough(self) -> bool:
        """Whether there were games enough to tell."""
        return self.games >= FEWEST_GAMES

    @property
    def is_won(self) -> bool:
        """Whether it plays better, as far as enough games tell."""
        return self.is_enough and self.lead >= _LEAST_LEAD


@dataclass(frozen=True)
class Tuned:
    """What came of tuning."""

    worth: Worth
    trials: tuple[Trial, ...]
    random_games: int
    own_games: int

    @property
    def is_decided(self) -> bool:
        """Whether there was time to tell: something has won, or all had games enough."""
        return any(t.is_won for t in self.trials) or all(t.is_enough for t in self.trials)


def tune(
    rules: Rules | Game,
    *,
    seconds: float,
    seed: int = 0,
    tell: Callable[[str], None] = lambda _: None,
) -> Tuned:
    """Find out what is worth something in a game, within so many seconds or little more.

    Where that was too little time to tell, the engine is to play as if nothing was known. `tell` is
    told what is being done. Raises GameError where there is no native code, or the rules are not
    for two sides, hide something, or have too large a board; ValueError for no time, TypeError for
    what are no rules; KeyboardInterrupt where one came before a game was played.
    """
    rules = rules_of(rules)
    if not seconds > 0:
        raise ValueError(f"seconds: {seconds}, and they must be above 0")
    seed = whole_number("seed", seed)
    first_engine = Engine(rules, seed=seed, memory=_MEMORY)
    _refuse(first_engine)
    begun = time.monotonic()
    binding = first_engine.binding
    search = ALPHA_BETA if serves(rules.game, binding) else TREE
    sites = [site.name for site in rules.game.board.sites]
    symmetries = likely_symmetries(first_engine.native, seed)
    models = Models(binding, sites, rules.sides, symmetries)
    model = models.plain
    first_values, first_trials = _first_values(first_engine, model, symmetries, seconds, seed, tell)
    plain = first_engine  # Whose code the models ask, whatever the plain engine is from here on.
    if first_values is not None:
        plain = _engine(rules, replace(_nothing(rules, model), first=first_values), seed)
    seconds = max(_LEAST_REST * seconds, seconds - (time.monotonic() - begun))
    begun = time.monotonic()
    samples = min(_MOST_SAMPLES, int(_SAMPLES_A_SECOND * seconds))
    tell("random games")
    length = _usual_length(plain, seed)
    first = of_random_games(plain, _RANDOM_GAMES, length, seed, seconds * _RANDOM_PART)
    decided = first.decided().some(samples, seed)
    if len(decided.scores):
        models.fit(decided)
    played: Samples | None = None
    first_played: Samples | None = None
    for number in range(_ROUNDS):
        until = begun + seconds * (_RANDOM_PART + _OWN_PART * (number + 1) / _ROUNDS)
        left = until - time.monotonic()
        if played is not None and left <= 0:
            continue  # time went by while worths were fitted
        tell(f"games of its own, round {number + 1} of {_ROUNDS}")
        engine = plain
        if models.is_fitted:
            engine = _engine(rules, _playing(rules, models, search), seed)
        iterations = _ITERATIONS if engine.search == TREE else _POSITIONS
        here = of_own_games(engine, _OWN_GAMES, iterations, seed + number, left)
        if not here.games:  # an interrupt came before the first one was over
            if played is None:
                raise KeyboardInterrupt
            break
        # What is played first, by what chance games tell, is left behind by the rounds after it.
        played = here if played is None or played is first_played else played + here
        first_played = here if first_played is None else first_played
        models.compare(here)
        models.fit(played.some(samples, seed))
    assert played is not None
    about = f"{first.games:,} random games and {played.games:,} of its own"
    worth = replace(_worth(rules, models, models.best, None), about=about, first=first_values)
    other = replace(_worth(rules, models, model, None), about=about, search=ALPHA_BETA)
    tell("games against the engine without it")
    length = max(1, len(played.scores) // played.games)
    others = other if search == ALPHA_BETA else None
    worth, trials = _tried(plain, worth, others, seed, length, begun + seconds)
    if first_values is not None and worth.search == TREE and worth.plies is None:
        worth = replace(_nothing(rules, model), about=about, first=first_values)
    return Tuned(worth, (*first_trials, *trials), first.games, played.games)


def _first_values(
    plain: Engine,
    model: Model,
    symmetries: Sequence[Permutation],
    seconds: float,
    seed: int,
    tell: Callable[[str], None],
) -> tuple[FirstValues | None, list[Trial]]:
    """Return first values of moves that win against the plain engine, if there are, and trials."""
    rules, begun = plain.rules, time.monotonic()
    until = begun + seconds * _FIRST_PART
    try:
        choice_model = ChoiceModel(rules, plain.binding.features, symmetries)
    except ValueError:
        return None, []
    if not orders_moves(plain, seed):
        return None, []
    tell("moves that it comes to prefer")
    choices = of_own_choices(
        plain, _CHOICE_ITERATIONS, seed, (until - time.monotonic()) * _CHOICES_PART
    )
    found = choice_model.fitted(choices)
    if found is None:
        return None, []
    tell("games against the engine without first values")
    until = max(until, time.monotonic() + seconds * _FIRST_PART * (1 - _CHOICES_PART) / 2)
    tried = [found.times(factor) for factor in FACTORS]
    nothing = _nothing(rules, model)
    engines = [_engine(rules, replace(nothing, first=one), seed) for one in tried]
    length = max(1, len(choices) // (choices[-1].game + 1))
    results = _match(engines, plain, seed, length, until)
    trials = [
        Trial(TREE, None, None, *won, first=factor)
        for factor, won in zip(FACTORS, results, strict=True)
    ]
    best = max((trial for trial in trials if trial.is_won), key=lambda t: t.lead, default=None)
    return None if best is None else tried[trials.index(best)], trials


def _nothing(rules: Rules, model: Model) -> Worth:
    """Return the worth by which nothing is worth anything."""
    each = {name: 0.0 for name, _ in model.told}
    return Worth(rules.game.name, rules_digest(rules.game), "", None, each=each)


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
    raise GameError([Diagnostic(Code.NOT_TUNABLE, message, game.document.span, hint)])


def _usual_length(engine: Engine, seed: int) -> int:
    """Return how long random games usually are, in plies."""
    native = engine.native
    result = native.playouts(native.start(), 200, seed, _LONGEST_GAME)
    return max(4, result.moves // max(1, result.playouts))


def _playing(rules: Rules, models: Models, search: str) -> Worth:
    """Return by what the engine plays its own games: where races are run, by tree search."""
    if models.best is not models.plain:
        search = TREE
    return replace(_worth(rules, models, models.best, 0), search=search)


def _worth(rules: Rules, models: Models, model: Model, plies: int | None) -> Worth:
    # What the model leaves out is worth nothing.
    each = {name: 0.0 for name, _ in models.plain.told}
    at: dict[str, dict[str, float]] = {}
    worths, place = models.worths(model), 0
    for name, size in model.told:
        each[name] = float(worths[place])
        parts = worths[place + 1 : place + 1 + size]
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
    plain: Engine, worth: Worth, other: Worth | None, seed: int, length: int, until: float
) -> tuple[Worth, list[Trial]]:
    """Return a worth with the search and the plies by which it won most, and all trials.

    The `other` one is for alpha-beta, if that serves. Games have about this `length`; they are
    broken off when it is `until`, by the clock.
    """
    rules = plain.rules
    has_both = other is not None
    judging = {plies: _engine(rules, replace(worth, plies=plies), seed) for plies in CANDIDATES}
    middle = (time.monotonic() + until) / 2 if has_both else until
    found = _match(list(judging.values()), plain, seed, length, middle)
    trials = [Trial(TREE, plies, None, *won) for plies, won in zip(judging, found, strict=True)]
    best = max((trial for trial in trials if trial.is_won), key=lambda t: t.lead, default=None)
    plies = None if best is None else best.plies
    worth = replace(worth, plies=plies)
    if other is not None:
        other = replace(other, plies=plies)
        opponent = plain if plies is None else judging[plies]
        (won,) = _match([_engine(rules, other, seed)], opponent, seed + 1, length, until)
        trials.append(Trial(ALPHA_BETA, None, plies, *won))
        if trials[-1].is_won:
            worth = other
    return worth, trials


def _match(
    engines: Sequence[Engine], opponent: Engine, seed: int, length: int, until: float
) -> list[tuple[float, int]]:
    """Let engines play against another, in turn, until time is up; return their points and games.

    Each opening is played from both seats; where there is no time for both, neither counts. Games
    have about this `length`: if there is time for few, less is thought about a move.
    """
    native = Rules(opponent.rules.game, opponent.native)
    points, games = [0.0] * len(engines), [0] * len(engines)
    chance = random.Random(seed)
    each = (until - time.monotonic()) / (len(engines) * _WANTED_GAMES * length)
    clock = _Clock(until, max(_LEAST_MOVE_SECONDS, min(_MOVE_SECONDS, each)))
    while not clock.is_over:
        opening = _opening(native, chance)
        for number, engine in enumerate(engines):
            first = _points(opening, (engine, opponent), 0, chance, clock)
            second = _points(opening, (opponent, engine), 1, chance, clock)
            if first is not None and second is not None:
                points[number] += first + second
                games[number] += 2
    return list(zip(points, games, strict=True))


@dataclass(frozen=True)
class _Clock:
    """When games are broken off, and how long a move is thought about."""

    until: float
    move_seconds: float

    @property
    def is_over(self) -> bool:
        """Whether time is up."""
        return Deadline(self.until - time.monotonic()).is_over


def _opening(rules: Rules, chance: random.Random) -> Position:
    """Return a position after a few random moves that did not end the game."""
    position = rules.start()
    for _ in range(chance.randint(1, 6)):
        after = position.after(drawn_move(position, chance))
        if after.over:
            break
        position = after
    return position


def _points(
    position: Position, seats: Sequence[Engine], seat: int, chance: random.Random, clock: _Clock
) -> float | None:
    """Play a game; return the points of a seat, or None if time was up before its end."""
    for engine in seats:
        engine.begin(chance.getrandbits(32))
    for _ in range(_LONGEST_GAME):
        if position.over:
            break
        if clock.is_over:
            return None
        if position.seat is None:
            position = position.after(drawn_move(position, chance))
            continue
        engine = seats[position.seat - 1]
        analysis = engine.analyse(position, seconds=clock.move_seconds, lines=0)
        best = analysis.best_move
        assert best is not None, "a position in which the game goes on has moves"
        position = position.after(best)
    outcome = position.outcome
    winners = () if outcome is None else outcome.seats
    return float(winners == (seat + 1,)) if len(winners) == 1 else 0.5


# ---------------- several models of what is worth something in a game, and which of them tells most

_CLEAR = 0.01
"""By how much less the mean logarithmic loss must be where races are run."""


class Models:
    """The models of a game: the `plain` one first, that has no races."""

    def __init__(
        self,
        binding: Binding,
        sites: Sequence[str],
        sides: Sequence[str],
        symmetries: Sequence[Permutation],
    ) -> None:
        mover, races = binding.fields.mover, (binding.territory, binding.counts_of)
        self.plain = Model(binding.features, sites, mover, sides, binding.rows, symmetries)
        self._all = [self.plain]
        if binding.territory is not None:
            self._all.append(Model((), sites, mover, sides, (), (), *races))
            whole = (binding.features, sites, mover, sides, binding.rows, symmetries)
            self._all.append(Model(*whole, *races))
        self._worths: list[Numbers] = []
        self._best = 0

    @property
    def is_fitted(self) -> bool:
        """Whether they were fitted to anything."""
        return bool(self._worths)

    @property
    def best(self) -> Model:
        """The model that tells most."""
        return self._all[self._best]

    def worths(self, model: Model) -> Numbers:
        """Return what each column of a model is worth."""
        return self._worths[self._all.index(model)]

    def fit(self, samples: Samples) -> None:
        """Fit all to samples; what was known before holds them back."""
        known: Sequence[Numbers | None] = self._worths or [None] * len(self._all)
        is_first = not self._worths
        self._worths = [
            fitted(model, samples, before) for model, before in zip(self._all, known, strict=True)
        ]
        if is_first and len(self._all) > 1:
            # To what it was fitted to, a model of more numbers is nearer in any case.
            self._choose(samples, 2)

    def compare(self, samples: Samples) -> None:
        """Find out which tells most of samples that none was fitted to."""
        if self._worths and len(self._all) > 1:
            self._choose(samples, len(self._all))

    def _choose(self, samples: Samples, count: int) -> None:
        losses = [
            _loss(model, samples, worths) + (_CLEAR if number else 0.0)
            for number, (model, worths) in enumerate(zip(self._all, self._worths, strict=True))
        ]
        self._best = int(np.argmin(losses[:count]))


def _loss(model: Model, samples: Samples, worths: Numbers) -> float:
    """Return the mean logarithmic loss of what is expected in samples."""
    odds = model.columns(samples) @ worths
    return float(np.mean(np.logaddexp(0, odds) - samples.scores * odds))


# --- sites that are worth the same, since a turn or reflection of the board brings one to the other

_GAMES, _POSITIONS_COMPARED = 8, 3
"""In how many random games images are compared, and in how many positions of each."""
_LONGEST_GAME_COMPARED = 400
_MOST_MOVES = 300
"""Of positions with more moves, nothing is compared but their number."""

Values = tuple[Any, ...]


def likely_symmetries(native: NativeRules, seed: int) -> list[Permutation]:
    """Return symmetries of the board by which moves stay moves, the identity left out.

    They are compared in positions of random games, which depend on the seed. Raises RuleError where
    the rules fail in one.
    """
    board, program = native.game.board, native.game.program
    if any(slot.type.name == "direction" for slot in program.state):
        return []
    start = native.start()
    found = [
        _Image(program, start.values, symmetry)
        for symmetry in map(tuple, symmetries(board))
        if symmetry != tuple(range(board.size))
    ]
    found = [image for image in found if image.of(start.values) == start.values]
    for state in _positions(native, Random(seed)):
        found = [image for image in found if image.is_symmetric(native, state)]
        if not found:
            break
    return [image.symmetry for image in found]


def _positions(native: NativeRules, chance: Random) -> Iterator[State]:
    """Yield positions of random games, the first of all the beginning."""
    start = native.start()
    yield start
    for _ in range(_GAMES):
        game: list[State] = []
        state = start
        while len(game) < _LONGEST_GAME_COMPARED and native.outcome(state) is None:
            game.append(state)
            moves = native.legal(state)
            state = native.apply(state, moves[chance.randrange(len(moves))])
        yield from chance.sample(game, min(_POSITIONS_COMPARED, len(game)))


class _Image:
    """Moves positions by a symmetry; earlier positions are forgotten."""

    def __init__(self, program: Program, start: Values, symmetry: Permutation) -> None:
        self.symmetry = symmetry
        memories = {memory.slot for memory in program.memories}
        self._forgotten = {
            place: start[place] for place, slot in enumerate(program.state) if slot in memories
        }
        self._moving = [self._value_of(slot) for slot in program.state]

    def _value_of(self, slot: Slot) -> Callable[[Any], Any]:
        """Return what gives the value of a slot in the image of a position."""

        def one(value: Any) -> Any:
            return moved_set(value, self.symmetry) if slot.type == SITES else value

        def each(values: Sequence[Any]) -> Values:
            found = list(values)
            for site, value in enumerate(values):
                found[self.symmetry[site]] = one(value)
            return tuple(found)

        return each if slot.per_site else one

    def without_past(self, values: Sequence[Any]) -> Values:
        """Return the values of a position that nothing came before."""
        return tuple(self._forgotten.get(place, value) for place, value in enumerate(values))

    def of(self, values: Sequence[Any]) -> Values:
        """Return the values of the image of a position."""
        moved = (move(value) for move, value in zip(self._moving, values, strict=True))
        return self.without_past(tuple(moved))

    def is_symmetric(self, native: NativeRules, state: State) -> bool:
        """Return whether moves lead to the images of where those of the image lead."""
        here, there = State(self.without_past(state.values)), State(self.of(state.values))
        try:
            moves, others = native.legal(here), native.legal(there)
            if len(moves) != len(others) or len(moves) > _MOST_MOVES:
                return len(moves) == len(others)
            led = (native.apply(here, move) for move in moves)
            answers = (native.apply(there, move) for move in others)
            return Counter((self.of(after.values), _winners(after)) for after in led) == Counter(
                (self.without_past(after.values), _winners(after)) for after in answers
            )
        except RuleError:
            return False


def _winners(state: State) -> tuple[str, ...] | None:
    return None if state.ended is None else state.ended.winners
