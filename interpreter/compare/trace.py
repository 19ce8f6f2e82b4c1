"""Recorded games held against rules: the first place where they disagree.

In: the rules of a game, and records: moves, perhaps with the number of legal moves before each and
a result. Out: for each game, where the rules say otherwise, if they do. What then holds: up to
there the rules allow every move.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Literal

from gdl.data_classes import dataclass
from gdl.diagnostic import wanted
from interpreter.compare.records import Recorded
from interpreter.evaluation.evaluator import Outcome
from interpreter.evaluation.moves import Move, MoveError, UnreadableMoveError, words
from interpreter.explain.answers import why
from interpreter.explain.explanation import Explanation
from interpreter.positions.position import Position, Rules
from interpreter.sessions.notation import unspelled

_MOST_WORDS = 12  # of one move, where no commas stand between moves


@dataclass(frozen=True)
class Disagreement:
    """Where a record and the rules say different things, after `played` moves."""

    game: int
    line: int
    played: tuple[str, ...]
    kind: Literal["move", "count", "result"]
    recorded: str
    ruled: str
    reasons: tuple[Explanation, ...]


@dataclass
class Held:
    """How much of recorded games was held against rules: moves, and games that came to an end."""

    moves: int = 0
    finished: int = 0


def traced(
    rules: Rules, games: Sequence[Recorded], held: Held | None = None
) -> Iterator[Disagreement | None]:
    """Yield of each game where the rules disagree with it, or None. Raises RuleError.

    `held` counts what was looked at. Raises TypeError for what are no rules or no records.
    """
    wanted(rules, Rules, "Rules, as `load` gives them,")
    wanted(games, Iterable, "a list of `Recorded` games")
    held = held or Held()
    for number, game in enumerate(games, 1):
        wanted(game, Recorded, "a `Recorded` game")
        for move in game.moves:
            wanted(move, str, "a move's text")
        yield _traced(rules, number, game, held)


def _traced(rules: Rules, number: int, game: Recorded, held: Held) -> Disagreement | None:
    positions: list[Position] = [rules.start()]
    made: list[Move] = []

    def disagrees(
        kind: Literal["move", "count", "result"], recorded: str, ruled: str, text: str = ""
    ) -> Disagreement:
        reasons: tuple[Explanation, ...] = ()
        if kind != "count":
            with suppress(MoveError):
                reasons = tuple(why(positions, made, text)[-1:])
        played = tuple(move.text for move in made)
        return Disagreement(number, game.line, played, kind, recorded, ruled, reasons)

    rest = list(game.moves)
    while rest:
        here, ply = positions[-1], len(made)
        held.moves += 1
        count = game.counts[ply] if ply < len(game.counts) else None
        if count is not None and count != len(here.moves()):
            ruled = f"{len(here.moves())} legal moves"
            return disagrees("count", f"{count} legal moves", ruled)
        try:
            move, used = _longest(rest, here) if game.running else (_read(rest[0], here), 1)
        except MoveError as error:
            return disagrees("move", rest[0], error.message, rest[0])
        made.append(move)
        del rest[:used]
        positions.append(here.play(move))
    ended = positions[-1].outcome
    held.finished += ended is not None
    if game.result and not _is_same(game.result, ended, rules.sides):
        ruled = "the game goes on" if ended is None else ended.text
        return disagrees("result", game.result, ruled)
    return None


def _longest(rest: Sequence[str], position: Position) -> tuple[Move, int]:
    """Return the move that the most words make, and how many these are. Raises MoveError."""
    for used in range(min(_MOST_WORDS, len(rest)), 1, -1):
        with suppress(MoveError):
            return unspelled(" ".join(rest[:used]), position), used
    return _read(rest[0], position), 1


def _read(text: str, position: Position) -> Move:
    """Return the move of a text, in which sites may stand without anything between them.

    Raises MoveError.
    """
    try:
        return unspelled(text, position)
    except UnreadableMoveError:
        game = position.rules.game
        signs: dict[str, set[str]] = {}
        for layer in game.layers:
            signs.setdefault(game.kinds[layer.kind].lower(), set()).add(layer.symbol.lower())
        found = [move for move in position.moves() if _is_run_together(text, move, signs)]
        if len(found) != 1:
            raise
        return found[0]


def _is_run_together(text: str, move: Move, signs: Mapping[str, Collection[str]]) -> bool:
    """Return whether a text is the words of a move in one; a kind of piece may be its sign.

    >>> knight = Move((), "e7-e8 Knight")
    >>> [_is_run_together(text, knight, {"knight": "n"}) for text in ("e7e8Knight", "e7e8n", "e7")]
    [True, True, False]
    """
    *before, last = words(move.text)
    begun = "".join(before)
    return text.lower() in {begun + end for end in (last, *signs.get(last, ())) if before}


def _is_same(result: str, outcome: Outcome | None, sides: Sequence[str]) -> bool:
    if outcome is None:
        return False
    winners = tuple(outcome.winners)
    if result in ("1-0", "0-1"):
        return len(sides) == 2 and winners == (sides[result == "0-1"],)
    names = ", ".join(winners).lower() or "draw"
    return outcome.is_told_by(result) or " ".join(result.lower().split()) == names
