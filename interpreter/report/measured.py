"""All that is measured of a game, within the seconds that there are.

In: a game, the name it was asked for by or its text, and seconds. Out: a `Report`. What then
holds: each part has its share of the seconds; what one leaves, the others have.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, Source, Span, wanted
from gdl.interpreter.check import Effort, Finding, Work, findings_of
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import Evaluator, RuleError
from gdl.interpreter.evaluation.moves import MoveError
from gdl.interpreter.evaluation.playout import teams_of, winning_together
from gdl.interpreter.library.portrait import Portrait, portrait
from gdl.interpreter.matches.ladder import Rung, ladder
from gdl.interpreter.matches.plan import Match, Played
from gdl.interpreter.matches.play import play_game
from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.report.guided import (
    FEWEST_ITERATIONS,
    MOST_ITERATIONS,
    Tension,
    guided_games,
    tension_of,
)
from gdl.interpreter.report.numbers import Mean, Share, mean_of
from gdl.interpreter.report.played import Records, records_of
from gdl.interpreter.report.sampled import (
    MOST_PLIES,
    Heat,
    Watched,
    Whole,
    heat_of,
    points_of_first,
    watched_games,
    whole_games,
    witness,
)
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.verify.deadline import Deadline, TimeUp, limited
from gdl.interpreter.words.rules import Said, all_ends, rules_in_words
from gdl.model import Game

Tell = Callable[[str], None]

_PARTS = {"check": 0.15, "whole": 0.12, "watched": 0.12, "guided": 0.33, "openings": 0.13}
"""The shares of the seconds; the ladder has the rest."""
_LADDER = 0.15
"""The share of the seconds that the ladder has at least."""
_MOST_GAMES = 20_000
_MOST_WATCHED = 400
_GAMES_A_RUNG = 20
_GAMES_OF_ENGINE = 5
"""How many games of the engine there should be time for at least: else it thinks less."""
_MOST_FINDING_SECONDS = 20.0


@dataclass(frozen=True)
class ClauseHeld:
    """A clause of `end` or `stuck`: what it says, how it is written, how often it ended a game.

    Besides random games, it ended so many of the engine (`searched`), and perhaps one of those
    that a check headed for it, or began near it (`is_met`); `spans` has all places where it stands.
    """

    words: str
    text: str
    line: int
    is_stuck: bool
    held: Share
    spans: frozenset[Span] = frozenset()
    is_met: bool = False
    searched: int = 0


@dataclass(frozen=True)
class Climb:
    """The skill ladder: its rungs, and whether there was time to climb to its top."""

    rungs: tuple[Rung, ...]
    is_whole: bool


@dataclass(frozen=True)
class Report:
    """What is told of a game; `shortest` and `longest` are the moves of whole random games."""

    game: Game
    told: Portrait
    root: Position
    backend: str
    seed: int
    seconds: float
    whole: Whole
    watched: tuple[Watched, ...]
    branching: Mean | None
    heat: Heat
    clauses: tuple[ClauseHeld, ...]
    findings: tuple[Finding, ...]
    tension: Tension | None = None
    openings: Openings | None = None
    climb: Climb | None = None
    failure: Diagnostic | None = None
    shortest: tuple[str, ...] = ()
    longest: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())
    records: Records | None = None


def measure(
    asked: str | Source,
    game: Game,
    seconds: float,
    seed: int,
    tell: Tell,
    records: Path | None = None,
) -> Report:
    """Measure a game; `tell` is told what is done now.

    `records` are played games, whose figures stand beside those of random ones. Raises GameError,
    TypeError for no Game.
    """
    wanted(game, Game, "a Game, such as `rules.game`,")
    begun = time.perf_counter()
    tell("compiling")
    evaluator, backend = _evaluator(game)
    rules = Rules(game, evaluator)
    end = time.monotonic() + seconds
    played = None
    if records is not None:
        tell("reading records")
        played = records_of(records, rules)
    tell("checking")
    lasting = min(_MOST_FINDING_SECONDS, seconds * _PARTS["check"])
    work = Work(Effort.lasting(lasting))
    findings = tuple(found for layer in findings_of(asked, work) for found in layer)
    report = Report(
        game, portrait(game), rules.start(), backend, seed, 0.0, Whole(game.sides), (), None,
        Heat((), ()), (), findings, records=played,
    )  # fmt: skip
    try:
        report = _sampled(report, evaluator, work.ended, seconds, seed, tell)
        if isinstance(evaluator, NativeRules):
            report = _searched(report, rules, evaluator, seconds, seed, tell)
            lowest = report.whole.seconds_of_search(FEWEST_ITERATIONS)
            if len(game.sides) == 2:
                has_time = lowest < seconds * _LADDER
                climb = _climb(game, seconds, end, seed, tell) if has_time else Climb((), False)
                report = replace(report, climb=climb)
        else:
            told = "There is no native code for these rules: the engine can't play them."
            report = replace(report, notes=(told,))
    except RuleError as error:
        report = replace(report, failure=error.diagnostic)
    return replace(report, seconds=time.perf_counter() - begun)


def _evaluator(game: Game) -> tuple[Evaluator, str]:
    try:
        native = NativeRules(game)
    except Uncovered:
        return Rules(game).evaluator, "reference"
    native.compile()
    return native, "native"


def clock(seconds: float) -> Iterator[float]:
    """Yield how many seconds are left, again and again."""
    deadline = Deadline(seconds)
    while True:
        yield deadline.left


def _sampled(
    report: Report,
    rules: Evaluator,
    ended: AbstractSet[Span],
    seconds: float,
    seed: int,
    tell: Tell,
) -> Report:
    tell("random games")
    whole = whole_games(rules, clock(seconds * _PARTS["whole"]), seed, _MOST_GAMES)
    report = replace(report, whole=whole, clauses=tuple(_held(report.game, whole, ended)))
    tell("the shortest and the longest game")
    report = replace(
        report,
        shortest=_witness(rules, whole, whole.shortest, seed),
        longest=_witness(rules, whole, whole.longest, seed),
    )
    tell("random games, move by move")
    games = watched_games(rules, clock(seconds * _PARTS["watched"]), seed, _MOST_WATCHED)
    choices = [float(number) for game in games for number in game.choices]
    return replace(
        report, watched=tuple(games), branching=mean_of(choices), heat=heat_of(rules, games)
    )


def _witness(rules: Evaluator, whole: Whole, number: int | None, seed: int) -> tuple[str, ...]:
    return () if number is None else witness(rules, number, whole.lengths[number], seed)


def _held(game: Game, whole: Whole, ended: AbstractSet[Span] = frozenset()) -> Iterator[ClauseHeld]:
    """Yield each clause; with those that say the same in another phase, which are not told.

    Of clauses by which games of a check `ended`, it is said that they were met.
    """
    clauses: dict[Span, list[Said]] = {}
    for said in rules_in_words(game).ends:
        clauses.setdefault(said.span, []).append(said)
    untold = [said for said in all_ends(game) if said.span not in clauses]
    for span, found in clauses.items():
        texts = {said.text for said in found}
        same_text = {said.span for said in untold if said.text in texts}
        untold = [said for said in untold if said.span not in same_text]
        words, text = " ".join(said.text for said in found), " ".join(span.text.split())
        spans = frozenset({span, *same_text})
        held = Share(sum(whole.by_clause[one] for one in spans), whole.games)
        is_met = bool(spans & ended)
        yield ClauseHeld(words, text, span.line, found[0].is_stuck, held, spans, is_met)


def _searched(
    report: Report, rules: Rules, native: NativeRules, seconds: float, seed: int, tell: Tell
) -> Report:
    if report.whole.finished:
        tell("what first moves are worth")
        found = openings(native, clock(seconds * _PARTS["openings"]), seed)
        report = replace(report, openings=found)
    if len(report.game.sides) < 2 or report.game.hides:
        return report  # no search that looks at whole positions tells how such a game goes
    tell("games of the engine")
    try:
        engine = Engine(rules, seed=seed)
    except GameError:
        return report
    allowed = seconds * _PARTS["guided"]
    each = report.whole.seconds_of_search(1)
    affordable = allowed / each if each else 0.0
    iterations = min(MOST_ITERATIONS, int(affordable / _GAMES_OF_ENGINE))
    if iterations < FEWEST_ITERATIONS <= affordable:
        iterations = FEWEST_ITERATIONS  # there is time for one game at least
    games = []
    if iterations >= FEWEST_ITERATIONS:
        games = guided_games(rules, engine, iterations, clock(allowed), seed)
    tension = tension_of(report.game.sides, games, iterations)
    clauses = (
        replace(one, searched=sum(tension.by_clause[span] for span in one.spans))
        for one in report.clauses
    )
    return replace(report, tension=tension, clauses=tuple(clauses))


def _climb(
    game: Game,
    seconds: float,
    end: float,
    seed: int,
    tell: Tell,
) -> Climb:
    left = max(end - time.monotonic(), seconds * _LADDER)
    tell("the skill ladder")
    match = Match(game.name, ("random", "random"), _GAMES_A_RUNG, 2, seed)

    def games(trial: Match, numbers: Sequence[int]) -> Iterator[Played]:
        for number in numbers:
            deadline.check()
            yield play_game(game, trial, number)

    rungs: list[Rung] = []
    with suppress(TimeUp, MoveError), limited(left) as deadline:
        for rung in ladder(match, games):
            rungs.append(rung)
        return Climb(tuple(rungs), True)
    return Climb(tuple(rungs), False)


# --------------------------------------------------------------------------- plain data


def report_json(report: Report) -> dict[str, Any]:
    """Return all figures of a report as plain data."""
    whole, tension = report.whole, report.tension
    sites = report.game.board.sites
    return {
        "game": report.game.name,
        "variants": list(report.game.variants),
        "options": {option.name: option.value for option in report.game.options},
        "backend": report.backend,
        "seed": report.seed,
        "seconds": report.seconds,
        "about": report.told.to_json(),
        "random_games": {
            "games": whole.games,
            "length": _plain(whole.length),
            "branching": _plain(report.branching),
            "by_side": {side: _of(whole, whole.by_side[side]) for side in report.game.sides},
            **_by_team(report.game, whole),
            "by_seat": {
                str(seat): _of(whole, whole.by_seat[seat])
                for seat in range(1, len(report.game.sides) + 1)
            },
            "draws": _of(whole, whole.draws),
            "unfinished": Share(whole.unfinished, whole.games).to_json(),
            "first_seat_points": whole.first.to_json(),
        },
        "engine_games": None if tension is None else _tension_json(tension),
        "openings": None if report.openings is None else _openings_json(report.openings),
        "sites": [
            {"site": site.name, "used": used.to_json(), "won": won.to_json()}
            for site, used, won in zip(sites, report.heat.used, report.heat.won, strict=False)
        ],
        "clauses": [
            {
                "text": one.text,
                "line": one.line,
                "words": one.words,
                "held": one.held.to_json(),
                "engine_games": one.searched,
                "is_met": one.is_met or one.searched > 0 or one.held.count > 0,
            }
            for one in report.clauses
        ],
        "shortest": list(report.shortest),
        "longest": list(report.longest),
        "ladder": None if report.climb is None else _climb_json(report.climb),
        "findings": [finding.to_json() for finding in report.findings],
        "records": None if report.records is None else report.records.to_json(),
        "failure": None if report.failure is None else report.failure.to_json(),
    }


def _of(whole: Whole, count: int) -> dict[str, Any]:
    return Share(count, whole.finished).to_json()


def _by_team(game: Game, whole: Whole) -> dict[str, Any]:
    """Return how often those have won who win together; nothing where each side plays alone."""
    if not teams_of(game):
        return {}
    groups = winning_together(game, whole.by_side)
    return {"by_team": {" and ".join(g): _of(whole, whole.by_side[g[0]]) for g in groups}}


def _plain(mean: Mean | None) -> dict[str, Any] | None:
    return None if mean is None else mean.to_json()


def _tension_json(tension: Tension) -> dict[str, Any]:
    return {
        "games": tension.games,
        "iterations": tension.iterations,
        "drama": _plain(tension.drama),
        "lead_changes": _plain(tension.lead_changes),
        "decisiveness": _plain(tension.decisiveness),
        "first_seat_points": tension.first.to_json(),
        "draws": tension.draws.to_json(),
        "length": _plain(tension.length),
    }


def _openings_json(found: Openings) -> dict[str, Any]:
    move, share = found.fairest
    return {
        "moves": [{"move": text, **value.to_json()} for text, value in found.values],
        "fairest": {"move": move, **share.to_json()},
        "fair_moves": found.fair.to_json(),
        "left_by_a_pie": abs(share.value - 0.5),
    }


def _climb_json(climb: Climb) -> dict[str, Any]:
    return {
        "rungs": max(0, len(climb.rungs) - 1),
        "is_whole": climb.is_whole,
        "players": [
            {"player": rung.player}
            | (
                {}
                if rung.standing is None
                else {"share": rung.standing.score, "interval": list(rung.standing.interval)}
            )
            for rung in climb.rungs
        ],
    }


# -------------------------- what first moves are worth, and how fair a pie rule would make the game

_MOST_MOVES = 400
_FEWEST_GAMES = 20
_ROUND = 10
FAIR = 0.05


@dataclass(frozen=True)
class Openings:
    """First moves and what each is worth for the first seat, the best for it first."""

    values: tuple[tuple[str, Share], ...]

    @property
    def fairest(self) -> tuple[str, Share]:
        """The move that is closest to even."""
        return min(self.values, key=lambda one: abs(one[1].value - 0.5))

    @property
    def fair(self) -> Share:
        """How many of the moves are within five hundredths of even."""
        near = sum(abs(share.value - 0.5) <= FAIR for _, share in self.values)
        return Share(near, len(self.values))


def openings(rules: Evaluator, seconds: Iterator[float], seed: int) -> Openings | None:
    """Return what first moves are worth; None if there is one only, or too many, or no time."""
    start = rules.start()
    legal = rules.legal(start)
    if not 1 < len(legal) <= _MOST_MOVES or len(rules.game.sides) != 2:
        return None
    after = [(move.text, rules.apply(start, move)) for move in legal]
    points, games = [0.0] * len(after), 0
    while next(seconds) > 0:
        for number, (_, state) in enumerate(after):
            for game in range(games, games + _ROUND):
                outcome = rules.playout(state, Chance(seed, game), MOST_PLIES).outcome
                points[number] += 0.5 if outcome is None else points_of_first(outcome)
            if next(seconds) <= 0 and games < _FEWEST_GAMES:
                return None
        games += _ROUND
    if games < _FEWEST_GAMES:
        return None
    values = ((text, Share(won, games)) for (text, _), won in zip(after, points, strict=True))
    return Openings(tuple(sorted(values, key=lambda one: -one[1].value)))
