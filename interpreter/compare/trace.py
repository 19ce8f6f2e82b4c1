"""Recorded games held against rules: the first place where they disagree.

In: the rules of a game, and records: moves, perhaps with the number of legal moves before each and
a result. Out: for each game, where the rules say otherwise, if they do. What then holds: up to
there the rules allow every move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from gdl.core.memo import Memo
from gdl.data_classes import dataclass
from gdl.diagnostic import GameError, wanted
from gdl.interpreter.evaluation.moves import MoveError
from gdl.interpreter.explain.answers import why
from gdl.interpreter.explain.explanation import Explanation
from gdl.interpreter.positions.position import Rules, rules_of
from gdl.interpreter.records.following import Followed, follow
from gdl.interpreter.records.recorded import Recorded
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.sessions.notation import unspelled
from gdl.model import Game

if TYPE_CHECKING:
    from gdl.interpreter.records.quick import QuickFollower


@dataclass(frozen=True)
class Disagreement:
    """Where a record and the rules say different things, after `played` moves.

    What can't be read is of the kind `text`, and `column` is where that begins, or the move.
    """

    game: int
    line: int
    played: tuple[str, ...]
    kind: Literal["move", "count", "result", "text"]
    recorded: str
    ruled: str
    reasons: tuple[Explanation, ...]
    column: int = 0


@dataclass
class Held:
    """How much of recorded games was held against rules: moves, and games that came to an end.

    `early` counts how games were ended that go on by the rules, `put_in` the moves that records
    leave out since they have no choice, `skipped` turns that they skip. `ended` counts how games
    were ended by the rules, and `results` say how each of all ended, or nothing.
    """

    games: int = 0
    moves: int = 0
    finished: int = 0
    put_in: int = 0
    skipped: int = 0
    early: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    results: list[str] = field(default_factory=list)


def traced(
    rules: Rules | Game | Callable[[Recorded], Rules],
    games: Iterable[Recorded],
    held: Held | None = None,
) -> Iterator[Disagreement | None]:
    """Yield of each game where the rules disagree with it, or None. Raises RuleError.

    `rules` may be those of each game. `held` counts what was looked at. Raises TypeError for what
    are no rules or no records.
    """
    if not callable(rules):
        rules = rules_of(rules)
    wanted(games, Iterable, "a list of `Recorded` games")
    held = held or Held()
    quick = Memo[Rules, "QuickFollower | None"]()
    for number, game in enumerate(games, 1):
        wanted(game, Recorded, "a `Recorded` game")
        for move in game.moves:
            wanted(move, str, "a move's text")
        held.games = number
        try:
            ruling = rules if isinstance(rules, Rules) else rules(game)
            follower = quick.of(ruling, _quick_follower)
            done = (follower and follower.follow(game)) or follow(ruling, game, unspelled)
        except GameError as error:
            told = error.diagnostics[0]
            held.results.append("")
            yield Disagreement(number, game.line, (), "text", "a start", told.message, ())
            continue
        held.moves += done.held
        held.put_in += done.put_in
        held.skipped += done.skipped
        outcome = done.positions[-1].outcome
        ended = "" if done.refused is not None or outcome is None else outcome.text
        if done.early:
            held.early[done.early] += 1
        elif ended:
            held.finished += 1
            held.ended[ended] += 1
        held.results.append(done.early or ended)
        yield _disagreement(number, game, done)


def _quick_follower(rules: Rules) -> QuickFollower | None:
    """Return what follows games in native memory, if native code plays these rules."""
    if isinstance(rules.evaluator, ReferenceRules):
        return None
    from gdl.interpreter.records.quick import QuickFollower

    return QuickFollower.of(rules)


def _disagreement(number: int, game: Recorded, done: Followed) -> Disagreement | None:
    played = tuple(move.text for move in done.moves)
    refused = done.refused
    if refused is None:
        if game.problem is None:
            return None
        span, message = game.problem.span, game.problem.message
        line, column = (game.line, 0) if span is None else (span.line, span.column)
        return Disagreement(number, line, played, "text", "no more", message, (), column)
    reasons: tuple[Explanation, ...] = ()
    if refused.kind != "count" and not done.skipped:
        with suppress(MoveError):
            reasons = tuple(why(done.positions, done.moves, refused.text)[-1:])
    line, column = refused.place or (game.line, 0)
    return Disagreement(
        number, line, played, refused.kind, refused.recorded, refused.ruled, reasons, column
    )
