"""The fourth layer of checking: what happens when the game is played?

In: a game, with its variants and options, and seconds. Out: what went wrong in play, with the game
that shows it; and what never happened in so many games, which need not be wrong. What then holds:
every rule error that is told can be played; the more seconds, the less is told as not seen.

| module          | what it does                                                |
|-----------------|-------------------------------------------------------------|
| `coverage.py`   | counts what holds, is chosen and changes, place by place    |
| `games.py`      | plays at random, and looks at positions                     |
| `both_sides.py` | compares what both sides can do                             |
| `guided.py`     | plays towards what was not met                              |
| `strong.py`     | plays by the engine: against itself, and one who mirrors it |
| `mishaps.py`    | what went wrong: errors of the rules, moves that read alike |
| `results.py`    | how games end                                               |
| `late_goals.py` | goals that held already before the turn that ended the game |
| `standstill.py` | games in which nobody can do anything but pass any more     |
| `said.py`       | whether games go as the text says                           |
| `unseen.py`     | what never happened                                         |
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.diagnostic import GameError
from interpreter.check.countdown import Countdown
from interpreter.check.finding import Finding
from interpreter.check.play.both_sides import SideComparison
from interpreter.check.play.coverage import Coverage
from interpreter.check.play.games import Games
from interpreter.check.play.guided import GuidedGames
from interpreter.check.play.late_goals import late_goals
from interpreter.check.play.mishaps import mishaps
from interpreter.check.play.results import results, seats
from interpreter.check.play.said import said_otherwise
from interpreter.check.play.seen import Seen
from interpreter.check.play.standstill import endless_passes
from interpreter.check.play.strong import Strong, StrongGames
from interpreter.check.play.unseen import unseen
from interpreter.check.rules.options import option_fails
from interpreter.check.subject import Subject
from interpreter.verify.combinations import Combination

_SHARE_OF_GAME = 0.7
_SHARE_OF_CHANCE = 0.4
_SHARE_OF_GOALS = 0.5
_SHARE_OF_NEWS = 0.15
_SHARE_OF_SIDES = 0.2
_FEWEST_GUIDED_SECONDS = 1.5
_LEAST_SECONDS = 0.05


def check_play(subject: Subject, seconds: float) -> Iterator[Finding]:
    """Play the game for some seconds, then its variants and options; yield what was found."""
    clock, coverage = Countdown(seconds), Coverage()
    combinations = [
        Combination(),
        *(Combination((variant,)) for variant in subject.variants),
        *subject.option_combinations(),
        *subject.option_pairs(),
    ]
    all_seen: list[Seen] = []
    strong: Strong | None = None
    unlike: list[Finding] = []
    for number, combination in enumerate(combinations):
        is_new = not subject.is_loaded(combination)
        game = subject.load(combination)[0]
        share = 1 / (len(combinations) - number)
        if number == 0:
            share = max(share, _SHARE_OF_GAME)
        if number and clock.left < _LEAST_SECONDS:
            break
        if game is None and is_new and len(combination.options) == 1:
            yield from option_fails(subject, combination)
        if game is not None:
            games = Games(subject, combination, game, coverage)
            mine = Countdown(clock.left * share)
            is_first = number == 0 and seconds >= _FEWEST_GUIDED_SECONDS
            of_chance = _SHARE_OF_CHANCE if is_first else 1 - _SHARE_OF_SIDES * (number == 0)
            games.play(mine.left * of_chance, coverage.is_complete)
            if number == 0 and len(game.sides) == 2 and games.is_begun and not games.is_slow:
                of_sides = _SHARE_OF_SIDES if is_first else 1
                unlike = list(
                    SideComparison(game).found(games.seen, Countdown(mine.left * of_sides))
                )
            if is_first:
                strong = _guided(games, mine)
            games.shorten(mine)
            all_seen.append(games.seen)
            if games.is_slow:
                break
    if not all_seen:
        return
    found = [
        *mishaps(all_seen, coverage),
        *said_otherwise(all_seen[0]),
        *unlike,
        *results(all_seen[0], coverage.endings),
        *late_goals(all_seen[0]),
        *endless_passes(all_seen[0]),
        *seats(all_seen[0], strong),
    ]
    yield from (one for one in found if subject.stands_here(one.diagnostic))
    yield from unseen(
        all_seen, coverage, subject.origins, lambda span: span.source.name == subject.source.name
    )


def _guided(games: Games, clock: Countdown) -> Strong | None:
    """Play games that are not left to chance; return what those of the engine showed.

    Its games look at whole positions, so there are none where something is hidden.
    """
    if games.is_slow or not games.is_begun:
        return None
    is_met = games.coverage.is_met
    GuidedGames(games).play(clock.left * (_SHARE_OF_NEWS if is_met else _SHARE_OF_GOALS))
    game = games.rules.game
    if games.native is None or len(game.sides) != 2 or game.hides or games.seen.failures:
        return None
    try:
        strong = StrongGames(games)
    except GameError:
        return None
    strong.play(clock.left)
    return strong.found
