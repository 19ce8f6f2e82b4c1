"""Games that somebody has written down, read.

In: the text of a file. Out: its games, each with its moves, and perhaps with the numbers of legal
moves and a result. What then holds: nothing is known of the rules; moves are words.

A game is a line of moves with commas between, a line of JSON, or what stands between the headers of
portable game notation (S. J. Edwards, "Portable Game Notation Specification", 1994), of which its
comments, variations and numbers of moves are left out. Where no commas stand, what belongs to one
move is found in play.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, Source, Span
from interpreter.evaluation.moves import move_texts

_FIELDS = ("moves", "counts", "result")
_MOST_QUOTED = 80
_HEADER = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
_GAME = re.compile(r"^\[", re.MULTILINE)
_NUMBER = re.compile(r"^(\d+\.+|\$\d+)")
_MARKS = re.compile(r"[+#!?]+$")
_RESULTS = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "draw", "½-½": "draw", "*": ""}
_UNFINISHED = "unfinished"


@dataclass(frozen=True)
class Recorded:
    """A game as somebody has written it down.

    `counts` are the numbers of legal moves before each move, as far as they are known. `result` is
    `draw`, `1-0`, `0-1`, or who has won; empty if that is not known. `line` is where it stands. If
    it is `running`, `moves` are words of which one or several make a move. A single text is moves
    with commas between.
    """

    moves: tuple[str, ...]
    counts: tuple[int | None, ...] = ()
    result: str = ""
    line: int = 1
    running: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.moves, str):
            object.__setattr__(self, "moves", move_texts(self.moves))


def read_games(source: Source) -> list[Recorded]:
    """Return the games of a text, in one of the forms above.

    A line of JSON is a list of moves, or an object with `moves` and perhaps `counts` and `result`,
    or a saved game. Empty lines, and those that begin with `#`, are left out. Raises GameError.
    """
    has_headers = _HEADER.match(source.text.lstrip("\ufeff \t\r\n")) is not None
    games = list(_of_headers(source.text) if has_headers else _of_lines(source))
    if not games:
        raise _wrong("There is no recorded game here.", Span(source, 0, 0))
    return games


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
    start = 0
    for number, line in enumerate(source.text.split("\n"), 1):
        span = Span(source, start, start + len(line))
        start += len(line) + 1
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if text[0] in "[{":
            yield _of_json(text, span, number)
        elif "," in text or ";" in text:
            yield Recorded(move_texts(text), line=number)
        else:
            yield _of_running_text(text, number)


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
    result = "" if result == _UNFINISHED else _RESULTS.get(result, result)
    return Recorded(tuple(moves), tuple(counts), result, line)


def _is_count(value: object) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool))


# --------------------------------------------------------------------- running text


def _of_headers(text: str) -> Iterator[Recorded]:
    """Yield the games that stand behind headers."""
    place, length = 0, len(text)
    while place < length:
        begun, result = place, ""
        while found := _HEADER.match(text, _said_from(text, place)):
            place = found.end()
            if found[1] == "Result":
                result = _RESULTS.get(found[2], "")
        following = _GAME.search(text, place)
        end = length if following is None or following.start() == begun else following.start()
        line = text.count("\n", 0, _said_from(text, place)) + 1
        game = _of_running_text(text[place:end], line)
        if game.moves or place > begun:
            yield Recorded(game.moves, (), game.result or result, line, running=True)
        place = max(end, place + 1)


def _said_from(text: str, place: int) -> int:
    """Return where the next character stands that is no blank."""
    while place < len(text) and (text[place].isspace() or text[place] == "\ufeff"):
        place += 1
    return place


def _of_running_text(text: str, line: int) -> Recorded:
    """Return the game of words without commas: numbers of moves and remarks are left out."""
    told, result = [], ""
    for word in _without_remarks(text).split():
        if word in _RESULTS:
            result = _RESULTS[word]
        elif plain := _MARKS.sub("", _NUMBER.sub("", word)):
            told.append(plain)
    return Recorded(tuple(told), (), result, line, running=True)


def _without_remarks(text: str) -> str:
    """Return what stands in no braces and no parentheses, and behind no semicolon.

    >>> _without_remarks("1. a1 {the {middle} 1... b1 (1... c1 (d1) e1) 2. a2 ; good").split()
    ['1.', 'a1', '1...', 'b1', '2.', 'a2']
    """
    kept, depth, place = [], 0, 0
    while place < len(text):
        sign = text[place]
        end = {"{": "}", ";": "\n"}.get(sign)
        if end is not None:
            place = text.find(end, place)
            if place < 0:
                break
        depth = max(0, depth + (sign == "(") - (sign == ")"))
        kept.append(" " if depth or end or sign == ")" else sign)
        place += 1
    return "".join(kept)


def _wrong(message: str, span: Span) -> GameError:
    hint = 'Write `a1, b2`, or `{"moves": ["a1", "b2"], "counts": [9, 8], "result": "draw"}`.'
    return GameError([Diagnostic(Code.WRONG_RECORDED_GAME, message, span, hint)])
