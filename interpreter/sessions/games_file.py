"""One game of a file that has a game a line, as matches are kept: `games.jsonl:3` is the third.

In: a path. Out: the text of the saved game that it names. What then holds: a line keeps its number,
so that what is wrong with it is told at its place; a file that has such a name itself goes first.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, GameError, Source, refused
from gdl.document import read_source
from gdl.document.files import Limits
from gdl.interpreter.records.files import named_game

_FILE = Limits("a file of games", 64 * 1024 * 1024, 100_000, "Take some of its lines.")


def has_several_games(path: str | Path) -> bool:
    """Return whether a file has several games, a line each."""
    try:
        return len(_lines(read_source(path, _FILE).text)) > 1
    except GameError:
        return False


def game_source(path: str | Path, limits: Limits) -> Source:
    """Return the text of a saved game: that of a file, or of one game of a file of several.

    Raises GameError where that can't be read, and with `several-games` where it is not said which
    of several games is meant, or there is none with that number.
    """
    named = named_game(path)
    if named is None:
        name, _, asked = str(path).rpartition(":")
        if asked and name and not Path(path).exists() and has_several_games(name):
            raise GameError([_no_such(name, asked, _lines(read_source(name, _FILE).text))])
        if has_several_games(path):
            raise GameError([_none_named(str(path), read_source(path, _FILE))])
        return read_source(path, limits)
    file, number = named
    source = read_source(file, _FILE)
    lines = _lines(source.text)
    if not lines:
        message = f"`{file}` is no file of games, a line each."
        hint = f"Name it alone: `{file}`. Of moves alone, `gdl trace GAME {file}` tells all."
        raise refused(Code.SEVERAL_GAMES, message, hint)
    if not 1 <= number <= len(lines):
        raise GameError([_no_such(file, str(number), lines)])
    place = lines[number - 1]
    return Source(file, "\n" * place + source.text.split("\n")[place])


def _none_named(file: str, source: Source) -> Diagnostic:
    lines = _lines(source.text)
    message = f"`{file}` has {len(lines)} games: say which."
    return Diagnostic(Code.SEVERAL_GAMES, message, None, _first_and_last(file, lines))


def _no_such(file: str, number: str, lines: Sequence[int]) -> Diagnostic:
    there = "is only one" if len(lines) == 1 else f"are only games 1 to {len(lines)}"
    message = f"`{file}` has no game {number}: there {there}."
    return Diagnostic(Code.SEVERAL_GAMES, message, None, _first_and_last(file, lines))


def _first_and_last(file: str, lines: Sequence[int]) -> str:
    last = "" if len(lines) == 1 else f", `{file}:{len(lines)}` the last"
    return f"`{file}:1` is the first{last}."


def _lines(text: str) -> Sequence[int]:
    """Return at which lines, from 0, of a file's text the games stand; none if it is another file.

    A file of games is told by its first line, which is a whole saved game as JSON.
    """
    lines = [number for number, line in enumerate(text.split("\n")) if line.strip()]
    try:
        first = json.loads(text.split("\n", lines[0] + 1)[lines[0]]) if lines else None
    except (ValueError, RecursionError):
        return ()
    is_game = isinstance(first, dict) and "game" in first and "moves" in first
    return lines if is_game else ()
