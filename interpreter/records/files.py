"""Files of recorded games, game by game.

In: a path. Out: its games, each as soon as it is read, whatever its format and encoding. What then
holds: no more of a large file of portable games is in memory than one of them.
"""

from __future__ import annotations

import codecs
import itertools
import re
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, Source, Span, refused
from gdl.document import read_source
from gdl.document.files import Limits
from gdl.interpreter.records.kif import ENCODING, is_encoded, is_kifu
from gdl.interpreter.records.mat import is_match
from gdl.interpreter.records.pgn import is_numbered, is_portable, portable_games
from gdl.interpreter.records.plain import games_of, is_by_turns, is_game_string
from gdl.interpreter.records.recorded import Recorded
from gdl.interpreter.records.sgf import is_smart

_HEAD = 1 << 14
_NAMED = re.compile(r"(.+):(\d{1,9})", re.DOTALL)
_LIMITS = Limits("a file of recorded games", 256 << 20, 100_000, "Cut it into several files.")
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_OTHERWISE = "cp1252"
_CHARACTERS = re.compile(rb"[;\]\s]CA\[([\w.:-]{1,30})\]")


@dataclass(frozen=True)
class Kind:
    """What a file is: its `format`, and what that is called."""

    format: str
    name: str


PORTABLE = Kind("pgn", "games in portable game notation (PGN)")
NUMBERED = Kind("pdn", "games in portable notation with numbers (PDN)")
KIFU = Kind("kif", "a game in kifu format (KIF)")
MATCH = Kind("mat", "a match with dice (MAT)")
TURNS = Kind("turns", "a game of turns with their numbers")
STRINGS = Kind("uhp", "game strings (UHP)")
SMART = Kind("sgf", "games in smart game format (SGF)")
_FOREIGN = {
    ".zrf": "rules for Zillions of Games",
    ".lud": "rules for Ludii",
    ".ki2": "a game in KI2",
    ".csa": "a game in CSA",
    ".ini": "variants for Fairy-Stockfish",
    ".ggf": "games in generic game format",
    ".gam": "a game in a format of its own",
    ".hsgf": "games in smart game format of boards with hexagons",
}
_BY_MOVES = {".csa": re.compile(r"^[+-]\d{4}[A-Z]{2}\s*$", re.MULTILINE)}
"""How lines of moves are written in formats whose files would be taken for games, a line each."""


def head_of(path: str | Path) -> str:
    """Return the beginning of a file as text; empty if it can't be read or is no text."""
    try:
        if not Path(path).is_file():
            return ""  # what is no plain file may never come to an end, nor be read twice
        with Path(path).open("rb") as file:
            data = file.read(_HEAD)
    except (OSError, ValueError):
        return ""
    encoding = _encoding(data)
    return "" if encoding is None else data.decode(encoding, errors="replace")


def kind_of(path: str | Path) -> Kind | None:
    """Return what a file of recorded games is; None for one that is none of the known formats."""
    head = head_of(path)
    if is_portable(head):
        has_numbers = is_numbered(head) or Path(path).suffix.lower() == ".pdn"
        return NUMBERED if has_numbers else PORTABLE
    tests = (
        *((SMART, is_smart), (KIFU, is_kifu), (MATCH, is_match)),
        *((TURNS, is_by_turns), (STRINGS, is_game_string)),
    )
    return next((kind for kind, is_such in tests if is_such(head)), None)


def foreign_kind(path: str | Path) -> str:
    """Return what a file of another program is, or nothing: so by its name and its beginning."""
    kind = kind_of(path)
    if kind is not None:
        return kind.name
    return _FOREIGN.get(_suffix_by_moves(path) or Path(path).suffix.lower(), "")


def _suffix_by_moves(path: str | Path) -> str:
    """Return what the name of a file would end in, by how its moves are written; or nothing."""
    head = head_of(path)
    return next((suffix for suffix, moves in _BY_MOVES.items() if moves.search(head)), "")


def named_game(path: str | Path) -> tuple[str, int] | None:
    """Return the file and the number, from 1, of a game such as `games.jsonl:3`.

    None where a path names no game of a file that is there.
    """
    found = _NAMED.fullmatch(str(path))
    try:
        if found is None or Path(path).exists() or not Path(found[1]).is_file():
            return None
    except (OSError, ValueError):
        return None
    return found[1], int(found[2])


def games_in(path: str | Path) -> Iterator[Recorded]:
    """Yield the games of a file, or the third alone of `games.pgn:3`.

    Raises GameError where it can't be read, or has none, or none of that number.
    """
    named = named_game(path)
    if named is not None:
        file, number = named
        until = itertools.islice(games_in(file), max(1, number))
        ((count, game),) = deque(enumerate(until, 1), maxlen=1)
        if not 0 < number <= count:
            there = "is only one" if count == 1 else f"are only games 1 to {count}"
            message = f"`{file}` has no game {number}: there {there}."
            raise refused(Code.SEVERAL_GAMES, message, f"`{file}:1` is the first.")
        return iter((game,))
    read = _games(path)
    first = next(read, None)
    if first is None:
        source = Source(str(path), "")
        raise GameError([_no_games(Span(source, 0, 0))])
    return itertools.chain((first,), read)


def _games(path: str | Path) -> Iterator[Recorded]:
    kind = kind_of(path)
    if kind is None and (suffix := _suffix_by_moves(path)):
        raise GameError([_not_read(str(path), _FOREIGN[suffix])])
    if kind is None or kind.format not in ("pgn", "pdn"):
        yield from games_of(_source(path))
        return
    with Path(path).open("rb") as file:
        encoding = _encoding(file.read(_HEAD)) or _OTHERWISE
        file.seek(0)
        yield from portable_games(_decoded(file, encoding), str(path), kind.format)


def _source(path: str | Path) -> Source:
    """Return the text of a file in whatever encoding. Raises GameError."""
    try:
        source = read_source(path, _LIMITS)
    except GameError as error:
        if error.diagnostics[0].code != Code.NOT_UTF8:
            raise
    else:
        if "\0" not in source.text:
            return source
    data = Path(path).read_bytes()
    encoding = _encoding(data)
    if encoding is None:
        raise GameError([_no_text(str(path), data)])
    text = data.decode(encoding, errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    return Source(str(path), text)


def _decoded(lines: Iterable[bytes], encoding: str) -> Iterator[str]:
    """Yield lines as text, with a plain line break; of a mixed file, each in its own encoding."""
    if encoding == "utf-16":
        text = b"".join(lines).decode("utf-16", errors="replace")
        yield from text.replace("\r\n", "\n").splitlines(keepends=True)
        return
    for line in lines:
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            text = line.decode(_OTHERWISE, errors="replace")
        if "\r" not in text:
            yield text
        else:
            yield from text.replace("\r\n", "\n").replace("\r", "\n").splitlines(keepends=True)


def _encoding(data: bytes) -> str | None:
    """Return how bytes are to be read; None for what is no text."""
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return encoding
    if b"\0" in data:
        return None
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(data) - 4:
            return _said(data) or (ENCODING if is_encoded(data) else _OTHERWISE)
    return "utf-8"


def _said(data: bytes) -> str:
    """Return the encoding that a file in smart game format names; empty if that is not known."""
    found = _CHARACTERS.search(data[:_HEAD])
    try:
        return "" if found is None else codecs.lookup(found[1].decode("ascii")).name
    except LookupError:
        return ""


def _no_text(name: str, data: bytes) -> Diagnostic:
    place = data.find(0)
    line = data.rfind(b"\n", 0, place) + 1
    before = "\n" * data.count(b"\n", 0, place) + " " * (place - line)
    return Diagnostic(
        Code.WRONG_RECORDED_GAME,
        f"This is no text: byte {place + 1} is 0.",
        Span(Source(name, f"{before} "), len(before), len(before) + 1),
        "Recorded games are texts, such as PGN, SGF, PDN, or a game a line.",
    )


def _not_read(name: str, what: str) -> Diagnostic:
    message, hint = f"This is {what}, which is not read.", "What is read, docs/records.md tells."
    return Diagnostic(Code.WRONG_RECORDED_GAME, message, Span(Source(name, ""), 0, 0), hint)


def _no_games(span: Span) -> Diagnostic:
    hint = 'Write `a1, b2`, or `{"moves": ["a1", "b2"], "counts": [9, 8], "result": "draw"}`.'
    return Diagnostic(Code.WRONG_RECORDED_GAME, "There is no recorded game here.", span, hint)
