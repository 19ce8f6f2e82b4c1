"""Recorded games held against rules: the first place where they disagree.

In: the rules of a game, and records: moves, perhaps with the number of legal moves before each and
a result. Out: for each game, where the rules say otherwise, if they do. What then holds: up to
there the rules allow every move.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from gdl.diagnostic import Diagnostic, GameError, Source, Span
from interpreter.evaluation.evaluator import Outcome
from interpreter.evaluation.moves import Move, MoveError, move_texts
from interpreter.explain.answers import why
from interpreter.explain.explanation import Explanation
from interpreter.positions.position import Position, Rules
from interpreter.sessions.spelling import unspelled

_FIELDS = ("moves", "counts", "result")
_MOST_QUOTED = 80


@dataclass(frozen=True)
class Recorded:
    """A game as somebody has written it down.

    `counts` are the numbers of legal moves before each move, as far as they are known. `result` is
    `draw`, or who has won; empty if that is not known. `line` is where it stands.
    """

    moves: tuple[str, ...]
    counts: tuple[int | None, ...] = ()
    result: str = ""
    line: int = 1


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


def traced(rules: Rules, games: Sequence[Recorded]) -> Iterator[Disagreement | None]:
    """Yield of each game where the rules disagree with it, or None. Raises RuleError."""
    for number, game in enumerate(games, 1):
        yield _traced(rules, number, game)


def _traced(rules: Rules, number: int, game: Recorded) -> Disagreement | None:
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

    for ply, text in enumerate(game.moves):
        here = positions[-1]
        count = game.counts[ply] if ply < len(game.counts) else None
        if count is not None and count != len(here.moves()):
            ruled = f"{len(here.moves())} legal moves"
            return disagrees("count", f"{count} legal moves", ruled)
        try:
            made.append(unspelled(text, here))
        except MoveError as error:
            return disagrees("move", text, error.message, text)
        positions.append(here.play(made[-1]))
    ended = positions[-1].outcome
    if game.result and not _is_same(game.result, ended):
        ruled = "the game goes on" if ended is None else ended.text
        return disagrees("result", game.result, ruled)
    return None


def _is_same(result: str, outcome: Outcome | None) -> bool:
    if outcome is None:
        return False
    told = {outcome.text.lower(), ", ".join(outcome.winners).lower() or "draw"}
    return " ".join(result.lower().split()) in told


# ----------------------------------------------------------------------------- records


def read_games(source: Source) -> list[Recorded]:
    """Return the games of a text: one a line, as moves with commas between, or as JSON.

    A line of JSON is a list of moves, or an object with `moves` and perhaps `counts` and `result`.
    Empty lines, and those that begin with `#`, are left out. Raises GameError.
    """
    games, start = [], 0
    for number, line in enumerate(source.text.split("\n"), 1):
        span = Span(source, start, start + len(line))
        start += len(line) + 1
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if text[0] in "[{":
            games.append(_of_json(text, span, number))
        else:
            games.append(Recorded(move_texts(text), line=number))
    if not games:
        raise _wrong("There is no recorded game here.", Span(source, 0, 0))
    return games


def is_json_line(text: str) -> bool:
    """Return whether the first line of a text that says anything is a recorded game as JSON.

    A saved game has the name of its game besides.
    """
    first = next((line for line in text.split("\n") if line.strip()), "")
    try:
        data = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(data, list) or (isinstance(data, dict) and "game" not in data)


def _of_json(text: str, span: Span, line: int) -> Recorded:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise _wrong("This line is not JSON.", span) from None
    if isinstance(data, list):
        data = {"moves": data}
    moves, counts = data.get("moves"), data.get("counts", [])
    if isinstance(moves, str):
        moves = list(move_texts(moves))
    result = data.get("result") or ""
    unknown = [key for key in data if key not in _FIELDS]
    if unknown:
        raise _wrong(f"`{unknown[0][:_MOST_QUOTED]}` is no field of a recorded game.", span)
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise _wrong("The moves of a recorded game are a list of texts.", span)
    if not isinstance(counts, list) or not all(_is_count(count) for count in counts):
        raise _wrong("Counts of legal moves are whole numbers, or null.", span)
    if not isinstance(result, str):
        raise _wrong("A result is a text.", span)
    return Recorded(tuple(moves), tuple(counts), result, line)


def _is_count(value: object) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool))


def _wrong(message: str, span: Span) -> GameError:
    hint = 'Write `a1, b2`, or `{"moves": ["a1", "b2"], "counts": [9, 8], "result": "draw"}`.'
    return GameError([Diagnostic("wrong-recorded-game", message, span, hint)])
