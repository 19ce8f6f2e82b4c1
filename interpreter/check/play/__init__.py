"""The fourth layer of checking: what happens when the game is played?

In: a game, with its variants and options, and seconds. Out: what went wrong in play, with the game
that shows it; and what never happened in so many games, which need not be wrong. What then holds:
every rule error that is told can be played; the more seconds, the less is told as not seen.

| module        | what it does                                                    |
|---------------|-----------------------------------------------------------------|
| `coverage.py` | counts what holds, is chosen and changes, place by place         |
| `games.py`    | plays, and looks at positions                                    |
| `mishaps.py`  | what went wrong: errors of the rules, moves that read alike      |
| `results.py`  | how games end                                                    |
| `unseen.py`   | what never happened                                              |
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.check.finding import Finding
from interpreter.check.play.coverage import Coverage
from interpreter.check.play.games import Clock, Games, Seen
from interpreter.check.play.mishaps import mishaps
from interpreter.check.play.results import results
from interpreter.check.play.unseen import unseen
from interpreter.check.rules.options import option_fails
from interpreter.check.subject import Subject
from interpreter.verify.combinations import Combination

_SHARE_OF_GAME = 0.5
_LEAST_SECONDS = 0.05


def check_play(subject: Subject, seconds: float) -> Iterator[Finding]:
    """Play the game for some seconds, then its variants and options; yield what was found."""
    clock, coverage = Clock(seconds), Coverage()
    combinations = [
        Combination(),
        *(Combination((variant,)) for variant in subject.variants),
        *subject.option_combinations(),
        *subject.option_pairs(),
    ]
    all_seen: list[Seen] = []
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
            games.play(clock.left * share, coverage.is_complete)
            all_seen.append(games.seen)
            if games.is_slow:
                break
    if not all_seen:
        return
    found = [*mishaps(all_seen), *results(all_seen[0])]
    yield from (one for one in found if subject.stands_here(one.diagnostic))
    yield from unseen(
        all_seen, coverage, subject.origins, lambda span: span.source.name == subject.source.name
    )
