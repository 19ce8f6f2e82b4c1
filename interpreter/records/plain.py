"""Games that stand in a text, a line each, or in one of the formats of their own.

In: the text of a file. Out: its games, each with its moves, and perhaps with the numbers of legal
moves and a result. What then holds: nothing is known of the rules; moves are words.

A game is a line of moves with commas between, or a line of JSON. Where no commas stand, what
belongs to one move is found in play.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, GameError, Source, Span
from gdl.interpreter.evaluation.moves import move_texts
from gdl.interpreter.records.headers import OPTIONS
from gdl.interpreter.records.kif import is_kifu, kifu_games
from gdl.interpreter.records.mat import is_match, match_games
from gdl.interpreter.records.pgn import RESULTS, is_portable, portable_games, running_game
from gdl.interpreter.records.recorded import BLACK, DRAW, WHITE, Recorded
from gdl.interpreter.records.sgf import is_smart, smart_games

_FIELDS = ("moves", "counts", "result")
_MOST_QUOTED = 80
_UNFINISHED = "unfinished"
_POSITION = re.compile(r"position\s+startpos\s+moves\s+")  # as engines are told, by UCI or USI

_WORD = re.compile(r"\S+")
_TURN = re.compile(r"(?P<number>[0-9]+)(?P<side>[wgbs])(?!\S)")
_RESULTS_TOLD = {"WhiteWins": WHITE, "BlackWins": BLACK, "Draw": DRAW}
_TOLD = re.compile(  # as engines that speak by lines tell a game
    r"(?P<type>\w[\w+]*);(?P<state>NotStarted|InProgress|Draw|WhiteWins|BlackWins);"
    r"\w+\[\d+\](?:;(?P<moves>.*))?"
)


def games_of(source: Source) -> Iterator[Recorded]:
    """Yield the games of a text, in one of the forms above.

    A line of JSON is a list of moves, or an object with `moves` and perhaps `counts` and `result`,
    or a saved game. Empty lines, and those that begin with `#`, are left out. Raises GameError.
    """
    if is_portable(source.text):
        yield from portable_games(source.text.splitlines(keepends=True), source.name)
    elif is_smart(source.text):
        yield from smart_games(source.text, source.name)
    elif is_kifu(source.text):
        yield from kifu_games(source)
    elif is_match(source.text):
        yield from match_games(source)
    elif is_by_turns(source.text):
        yield from _by_turns(source)
    else:
        yield from _of_lines(source)


def is_by_turns(text: str) -> bool:
    """Return whether a text begins with the number and the side of a turn, as in `1w Ra1`."""
    return _TURN.match(text.lstrip("\ufeff \t\r\n")) is not None


def is_game_string(text: str) -> bool:
    """Return whether a text begins with a game as engines that speak by lines tell one."""
    return _TOLD.match(text.lstrip("\ufeff \t\r\n")) is not None


def _by_turns(source: Source) -> Iterator[Recorded]:
    """Yield games of turns, each with its number and a letter for the side: `1w`, `1g`, `1b`, `1s`.

    `takeback` takes back the turn before, `resigns` ends the game.
    """
    turns = list[tuple[str, list[tuple[str, tuple[int, int]]]]]()
    begun, loser = 1, ""
    for found in _WORD.finditer(source.text):
        place, word = source.position(found.start()), found[0]
        turn = _TURN.fullmatch(word)
        if turn is not None:
            colour = WHITE if turn["side"] in "wg" else BLACK
            if turn["number"] == "1" and colour == WHITE and turns:
                yield _turned(turns, loser, begun)
                turns, loser = [], ""
            begun = begun if turns else place[0]
            turns.append((colour, []))
        elif word.lower() == "takeback":
            del turns[-2:]
        elif turns and word.lower() in ("resign", "resigns"):
            loser = turns[-1][0]
        elif turns:
            turns[-1][1].append((word, place))
    yield _turned(turns, loser, begun)


def _turned(
    turns: list[tuple[str, list[tuple[str, tuple[int, int]]]]], loser: str, line: int
) -> Recorded:
    said = [(word, colour, place) for colour, words in turns for word, place in words]
    return Recorded(
        tuple(word for word, _, _ in said),
        (),
        {WHITE: BLACK, BLACK: WHITE}.get(loser, ""),
        line,
        running=True,
        format="turns",
        ending="resigned" if loser else "",
        colours=tuple(colour for _, colour, _ in said),
        places=tuple(place for _, _, place in said),
    )


def is_json_line(text: str) -> bool:
    """Return whether the first line of a text that says anything is a recorded game as JSON.

    A saved game has the name of its game besides; several of them are recorded games.
    """
    said = [line for line in text.split("\n") if line.strip()][:2]
    try:
        data = json.loads(said[0]) if said else None
    except (ValueError, RecursionError):
        return False
    return isinstance(data, list) or (
        isinstance(data, dict) and ("game" not in data or len(said) > 1)
    )


def _of_lines(source: Source) -> Iterator[Recorded]:
    start, read = 0, False
    for number, line in enumerate(source.text.split("\n"), 1):
        span = Span(source, start, start + len(line))
        start += len(line) + 1
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if text[0] in "[{":
            try:
                game = _of_json(text, span, number)
            except GameError as error:
                if not read:
                    raise
                game = Recorded((), line=number, problem=error.diagnostics[0])
            read = True
            yield game
        elif told := _TOLD.fullmatch(text):
            result = _RESULTS_TOLD.get(told["state"], "")
            moves, tags = move_texts(told["moves"] or ""), {"GameTypeString": told["type"]}
            yield Recorded(moves, (), result, number, format="uhp", tags=tags)
        elif "," in text or ";" in text:
            yield Recorded(move_texts(text), line=number)
        else:
            yield running_game(_POSITION.sub("", text), number)


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
    unknown = [key for key in data if key not in _FIELDS and "game" not in data]
    if unknown:
        raise _wrong(f"`{unknown[0][:_MOST_QUOTED]}` is no field of a recorded game.", span)
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise _wrong("The moves of a recorded game are a list of texts.", span)
    if not isinstance(counts, list) or not all(_is_count(count) for count in counts):
        raise _wrong("Counts of legal moves are whole numbers, or null.", span)
    if not isinstance(result, str):
        raise _wrong("A result is a text.", span)
    result = "" if result == _UNFINISHED else RESULTS.get(result, result)
    tags = {"Variant": str(data["game"])} if "game" in data else {}
    if isinstance(options := data.get("options"), dict) and options:
        tags[OPTIONS] = ", ".join(f"{name}={_said(value)}" for name, value in options.items())
    return Recorded(tuple(moves), tuple(counts), result, line, tags=tags)


def _said(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _is_count(value: object) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool))


def _wrong(message: str, span: Span) -> GameError:
    hint = 'Write `a1, b2`, or `{"moves": ["a1", "b2"], "counts": [9, 8], "result": "draw"}`.'
    return GameError([Diagnostic(Code.WRONG_RECORDED_GAME, message, span, hint)])
