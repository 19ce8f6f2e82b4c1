"""Games that were recorded, counted as random ones are: results, lengths, openings, use of sites.

In: recorded games, and the rules. Out: figures. What then holds: only games that the rules follow
to the end of the record count; the others are counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gdl.data_classes import dataclass
from gdl.diagnostic import GameError
from gdl.interpreter.evaluation.evaluator import Outcome, RuleError
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.records.files import games_in
from gdl.interpreter.records.following import Followed, RulesFor, follow
from gdl.interpreter.records.quick import QuickFollower
from gdl.interpreter.records.recorded import DRAW, Recorded
from gdl.interpreter.report.numbers import Mean, Share, mean_of
from gdl.interpreter.report.sampled import Heat, Watched, heat_of
from gdl.interpreter.sessions.notation import unspelled

_MOST_OPENINGS = 8
_UNKNOWN = "not told"
_OPENING_PLIES = 4


@dataclass(frozen=True)
class Opening:
    """How some games began: the moves, how many did, and the points of the first side.

    The points are of the games whose result is known.
    """

    moves: str
    games: Share
    points: Share


@dataclass(frozen=True)
class Records:
    """Figures of recorded games; `left_out` are those that the rules don't follow."""

    name: str
    games: int
    left_out: int
    results: tuple[tuple[str, Share], ...]
    endings: tuple[tuple[str, int], ...]
    lengths: tuple[int, ...]
    openings: tuple[Opening, ...]
    heat: Heat

    @property
    def told(self) -> str:
        """How many games there are, and how many are left out, in words."""
        told = f"{self.games:,} game{'' if self.games == 1 else 's'} of {self.name}."
        if not self.left_out:
            return told
        more, they = f"{self.left_out:,} more are", "they say"
        if self.left_out == 1:
            more, they = "1 more is", "it says"
        return f"{told} {more} left out: the rules, as they are here, don't allow what {they}."

    @property
    def length(self) -> Mean | None:
        """How long games are."""
        return mean_of(self.lengths)

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return {
            "file": self.name,
            "games": self.games,
            "left_out": self.left_out,
            "results": {told: share.to_json() for told, share in self.results},
            "ended_early": dict(self.endings),
            "length": None if self.length is None else self.length.to_json(),
            "openings": [
                {"moves": o.moves, "games": o.games.to_json(), "points": o.points.to_json()}
                for o in self.openings
            ],
        }


def records_of(path: Path, rules: Rules) -> Records:
    """Return the figures of a file of records. Raises GameError where it can't be read."""
    return counted(path.name, games_in(path), rules)


def counted(name: str, games: Iterable[Recorded], rules: Rules) -> Records:
    """Return the figures of games that are of these rules, with the same options."""
    rules_of = RulesFor(rules)
    quick = QuickFollower.of(rules) if isinstance(rules.evaluator, NativeRules) else None
    watched, left_out = list[Watched](), 0
    results, endings = Counter[str](), Counter[str]()
    begun, points = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    known = Counter[tuple[str, ...]]()
    for game in games:
        done = _followed(game, rules, rules_of, quick)
        if done is None:
            left_out += 1
            continue
        winner = done.winner
        ended = done.positions[-1].outcome
        if ended is not None:
            winner = ended.winners[0] if ended.winners else DRAW
        results[winner or _UNKNOWN] += 1
        if done.early:
            endings[done.early] += 1
        outcome = None if winner in ("", DRAW) else Outcome((winner,), ())
        watched.append(Watched(tuple(done.moves), tuple(done.movers), (), outcome))
        opening = tuple(move.text for move in done.moves[:_OPENING_PLIES])
        begun[opening] += 1
        known[opening] += bool(winner)
        points[opening] += 2 * (winner == rules.sides[0]) + (winner == DRAW)
    number = len(watched)
    order = [*rules.sides, DRAW, _UNKNOWN]
    return Records(
        name,
        number,
        left_out,
        tuple((told, Share(results[told], number)) for told in order if results[told]),
        tuple(endings.most_common()),
        tuple(len(game.moves) for game in watched),
        tuple(
            Opening(
                _written(rules, moves), Share(count, number), Share(points[moves] / 2, known[moves])
            )
            for moves, count in begun.most_common(_MOST_OPENINGS)
        ),
        heat_of(rules.evaluator, watched),
    )


def _followed(
    game: Recorded, rules: Rules, rules_of: RulesFor, quick: QuickFollower | None
) -> Followed | None:
    """Return a game as the rules follow it; None where they don't, or are other ones."""
    try:
        if game.problem is not None or rules_of(game) is not rules:
            return None
        done = (quick and quick.follow(game)) or follow(rules, game, unspelled)
    except (GameError, RuleError):
        return None
    return None if done.refused is not None or done.skipped else done


def _written(rules: Rules, moves: Iterable[str]) -> str:
    """Return the moves of an opening as the first notation of the game writes them."""
    position, told = rules.start(), list[str]()
    for text in moves:
        move = position.parse(text)
        told.append(position.notate(move))
        position = position.play(move)
    return " ".join(told)
