"""Files of saved games: records written to them and read from them.

In: a record, or a path. Out: a file, or the record. What then holds: a file is written as a whole
or not at all, and only if it can be read again; all that is wrong with one is told at its place.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, GameError, Report, Source, refused
from gdl.document import read_document, read_source
from gdl.document.files import RULES_SETTINGS, Limits, has_setting
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.document.nodes import Sequence as ListNode
from gdl.document.shape import Entries, Listing, Prose, Settings, Verbatim, check
from gdl.interpreter.files import write_file
from gdl.interpreter.records.files import named_game
from gdl.interpreter.sessions.clock import TimeControl
from gdl.interpreter.sessions.games_file import game_source, has_several_games
from gdl.interpreter.sessions.imported import foreign_record, is_foreign
from gdl.interpreter.sessions.record import BETWEEN_MOVES, Record, is_sealed, seal_key, unsealed
from gdl.interpreter.sessions.signing.entries import Entry
from gdl.interpreter.sessions.signing.protocol import NEWEST, UNBOUND
from gdl.load import shipped_names

_SHAPE = Settings(
    "a saved game",
    {
        "game": Prose("a game's name or path"),
        "digest": Verbatim("the digest of the rules"),
        "options": Entries(Prose("a value")),
        "variants": Listing(Prose("a name"), "a list of names"),
        "seed": Verbatim("a number"),
        "match": Entries(Verbatim("a number")),
        "seats": Entries(Prose("a kind of player")),
        "clock": Prose("a time control"),
        "left": Entries(Verbatim("seconds")),
        "start": Prose("a position"),
        "moves": Listing(Prose("a move"), "a list of moves"),
        "variations": Listing(Prose("moves from the start, with `;` between"), "a list of lines"),
        "id": Verbatim("the identity of a signed game"),
        "protocol": Verbatim("a number"),
        "reserved": Entries(Verbatim("a public key")),
        "signed": Listing(Prose("an entry"), "a list of entries"),
        "result": Prose(),
        "winners": Listing(Verbatim("a seat"), "a list of seats"),
        "payoffs": Listing(Verbatim("a number"), "a list of numbers"),
    },
    required=("game", "moves"),
)
_SECONDS = re.compile(r"\d{1,8}(\.\d{1,3})?")

SAVED_GAME = Limits(
    "a saved game", 1024 * 1024, 100_000, "Begin another game at the position that it has come to."
)


def named_file(typed: str) -> str:
    """Return the path that was typed, as a shell reads it: without quotes, `~` written out.

    >>> named_file('"my game.yaml"'), named_file("it's.yaml")
    ('my game.yaml', "it's.yaml")
    """
    if len(typed) > 2 and typed[0] == typed[-1] and typed[0] in "'\"":
        typed = typed[1:-1]
    return os.path.expanduser(typed)


def write_record(
    record: Record, path: str | Path, *, is_new: bool = False, instead_of: str | None = None
) -> None:
    """Write a record to a file, as a whole or not at all: what stood there before is kept.

    With `is_new` nothing may stand there; `instead_of` is the text of the record that must stand
    there still. Raises GameError (`file-exists`, `file-unwritable`, `file-too-large`,
    `save-changed`).
    """
    text = _readable_text(record, path)

    def check() -> None:
        if instead_of is not None and saved_text(path) != instead_of:
            raise GameError([_changed_meanwhile(path)])

    write_file(path, text, is_new=is_new, check=check)


def _readable_text(record: Record, path: str | Path) -> str:
    """Return a record's text. Raises GameError if it could not be read again.

    The game may be too long, or the file of its rules have a name that is no text.
    """
    try:
        text = record.to_text()
        if parse_record(Source(str(path), text)) == record:
            return text
    except UnicodeEncodeError:
        pass
    except GameError as error:
        if {found.code for found in error.diagnostics} & {Code.FILE_TOO_LARGE, Code.TOO_MANY_NODES}:
            message = f"The game is too long to save: {len(record.moves)} moves."
            hint = SAVED_GAME.hint
            raise refused(Code.FILE_TOO_LARGE, message, hint) from None
    message = f"The game can't be written down so that it can be read again: `{record.game}`."
    hint = "Give the file of the rules a plain name."
    raise refused(Code.FILE_UNWRITABLE, message, hint)


def _changed_meanwhile(path: str | Path) -> Diagnostic:
    return Diagnostic(
        Code.SAVE_CHANGED,
        f"`{path}` was changed meanwhile, by another program or person. Nothing was written.",
        None,
        f"Look at it with `gdl show {path}`, and move again.",
    )


def saved_text(path: str | Path) -> str | None:
    """Return what stands in a file, whatever it is; None if nothing of that can be read."""
    try:
        return read_source(path, SAVED_GAME).text
    except GameError:
        return None


def is_saved_game(path: str | Path) -> bool:
    """Return whether a path is that of a saved game, or a mail with one, rather than of a game.

    A file of several games is one, too, and so is one of those: `games.jsonl:3`.
    """
    if named_game(path) is not None or is_foreign(path) or has_several_games(path):
        return True
    text = saved_text(path)
    if text is None or is_mail(text):
        return text is not None
    document = read_document(Source(str(path), text), Report(), SAVED_GAME)
    return document is not None and document.get("moves") is not None


def read_record(path: str | Path) -> Record:
    """Return the record in a file, or in a mail; `games.jsonl:3` is the third of several.

    The file may be one of PGN, PDN, SGF or KIF. Raises GameError with all that is wrong, and where
    it is not said which of several is meant.
    """
    if not os.path.exists(path) and str(path) in shipped_names():
        message = f"There is no file `{path}`: that is a game, and not a saved one."
        hint = f"`gdl play {path}` plays it; `save FILE` keeps what was played, to go on with."
        raise refused(Code.FILE_NOT_FOUND, message, hint)
    if is_foreign(path):
        return foreign_record(path)
    return record_in(game_source(path, SAVED_GAME))


def record_in(source: Source) -> Record:
    """Return the record in the text of a file or of a mail. Raises GameError."""
    source = _opened(source)
    if source.text.strip() and not has_setting(source.text, _SHAPE.required):
        message = f"`{source.name}` is not a saved game: no line begins with `game:`."
        hint = (
            "`gdl new` begins one. A record that says no game, such as moves alone, can't be"
            f" replayed: `gdl trace GAME {source.name}` holds it against the rules."
        )
        raise refused(Code.DAMAGED_RECORD, message, hint)
    if not has_setting(source.text, ("moves",)) and has_setting(source.text, RULES_SETTINGS):
        message = f"`{source.name}` is the file of a game's rules, not a saved game."
        hint = f"`gdl play {source.name}` begins a game by them."
        raise refused(Code.DAMAGED_RECORD, message, hint)
    return parse_record(source)


def _opened(source: Source) -> Source:
    """Return the record's text in a mail; another text as it is. Raises GameError."""
    return unblocked(source, SAVED_GAME.bytes) if is_mail(source.text) else source


def parse_record(source: Source) -> Record:
    """Return the record that a text is. Raises GameError with all that is wrong."""
    report = Report()
    document = read_document(source, report, SAVED_GAME)
    if document is None:
        raise GameError(report.diagnostics)
    check(document, _SHAPE, "A saved game", report)
    report.raise_errors()
    moves = _scalars(document.get("moves"))
    variations = _scalars(document.get("variations"))
    signed = _scalars(document.get("signed"))
    options = document.get("options")
    digest, seed = _text(document, "digest"), _seed(document, report)
    record = Record(
        game=_text(document, "game"),
        moves=_moves(moves, digest, seed, report),
        digest=digest,
        options={
            key.text: value.text
            for key, value in (options.entries if isinstance(options, Document) else ())
            if isinstance(value, Scalar)
        },
        variants=tuple(scalar.text for scalar in _scalars(document.get("variants"))),
        seed=seed,
        seats=_seats(document.get("seats"), report),
        clock=_clock(document, report),
        left=_left(document.get("left"), report),
        start=_start(document, report),
        result=_text(document, "result"),
        variations=tuple(tuple(line.text.split(BETWEEN_MOVES)) for line in variations),
        game_id=_text(document, "id"),
        protocol=_protocol(document, report),
        reserved=_seats(document.get("reserved"), report),
        entries=_entries(signed, report),
        entry_spans=tuple(scalar.span for scalar in signed),
        spans=tuple(scalar.span for scalar in moves),
        variation_spans=tuple(line.span for line in variations),
        text=source.text,
    )
    _refuse_results(document, record, report)
    report.raise_errors()
    return record


def _refuse_results(document: Document, record: Record, report: Report) -> None:
    """Report what recorded matches have besides moves, where players sign all that counts."""
    for key in ("match", "winners", "payoffs") if record.is_signed else ():
        node = document.get(key)
        if node is not None:
            message = f"A signed game has no `{key}`: nobody signs it."
            report.error(Code.UNSIGNED_PART, message, node.span, "Take that part out.")


def _moves(
    scalars: Sequence[Scalar], digest: str, seed: int | None, report: Report
) -> tuple[str, ...]:
    """Return the texts of moves, those that are sealed opened."""
    texts = []
    for number, scalar in enumerate(scalars):
        text: str | None = scalar.text
        if is_sealed(scalar.text):
            text = unsealed(scalar.text, seal_key(digest, seed, number))
        if text is None:
            report.error(
                Code.DAMAGED_RECORD,
                f"Move {number + 1} is sealed, and its seal is broken.",
                scalar.span,
                "Sealed moves belong to the game's digest, seed and order: take an older copy.",
            )
        texts.append(text or "")
    return tuple(texts)


def _entries(scalars: Sequence[Scalar], report: Report) -> tuple[Entry, ...]:
    """Return the entries of a signed game."""
    entries = []
    for scalar in scalars:
        entry = Entry.of(scalar.text)
        if entry is None:
            message = "That is no entry of a signed game."
            report.error(Code.DAMAGED_RECORD, message, scalar.span, "Take an older copy.")
        else:
            entries.append(entry)
    return tuple(entries)


def _seed(document: Document, report: Report) -> int | None:
    node = document.get("seed")
    if not isinstance(node, Scalar):
        return None
    if not node.text.removeprefix("-").isdecimal() or len(node.text) > 40:
        report.error(Code.WRONG_VALUE, "The seed is a number.", node.span)
        return None
    return int(node.text)


def _protocol(document: Document, report: Report) -> int:
    """Return the version that a signed game is of; the first one did not say so."""
    node = document.get("protocol")
    if not isinstance(node, Scalar):
        return UNBOUND
    known = {str(version): version for version in range(UNBOUND + 1, NEWEST + 1)}
    if node.text not in known:
        message = f"This program has no protocol `{node.text}` for signed games."
        hint = "A newer program may have it; or take an older copy."
        report.error(Code.DAMAGED_RECORD, message, node.span, hint)
    return known.get(node.text, NEWEST)


_ITERATIONS = re.compile(r"^engine:(1[1-9]|[2-9]\d|[1-9]\d\d)(?=$|\+)")
"""Iterations as they were once written, which would be taken for a level."""


def _seats(node: Node | None, report: Report) -> Mapping[int, str]:
    seats = {}
    for key, value in node.entries if isinstance(node, Document) else ():
        if isinstance(value, Scalar) and key.text.isdecimal() and int(key.text) > 0:
            seats[int(key.text)] = _ITERATIONS.sub(r"\g<0>i", value.text.strip())
        else:
            report.error(Code.DAMAGED_RECORD, f"`{key.text}` is no seat's number.", key.span)
    return seats


def _clock(document: Document, report: Report) -> str:
    node, text = document.get("clock"), _text(document, "clock")
    if node is not None and TimeControl.of(text) is None:
        report.error(Code.WRONG_VALUE, "The clock is a time such as `10m+5s`.", node.span)
        return ""
    return text


def _left(node: Node | None, report: Report) -> Mapping[int, float]:
    left = {}
    for key, value in node.entries if isinstance(node, Document) else ():
        text = value.text.strip() if isinstance(value, Scalar) else ""
        if key.text.isdecimal() and int(key.text) > 0 and _SECONDS.fullmatch(text):
            left[int(key.text)] = float(text)
        else:
            report.error(Code.DAMAGED_RECORD, f"`{key.text}` has no number of seconds.", key.span)
    return left


def _start(document: Document, report: Report) -> Mapping[str, Any] | None:
    node = document.get("start")
    if not isinstance(node, Scalar):
        return None
    try:
        data = json.loads(node.text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        report.error(Code.DAMAGED_RECORD, "The start is not a position.", node.span)
        return None
    return data


def _scalars(node: Node | None) -> list[Scalar]:
    items = node.items if isinstance(node, ListNode) else ()
    return [item for item in items if isinstance(item, Scalar)]


def _text(document: Document, key: str) -> str:
    node = document.get(key)
    if not isinstance(node, Scalar):
        return ""
    return node.text if node.style == "quoted" else node.text.strip()


# ------------------------------------------------- the text of a record as lines that can be mailed

_BEGIN, _END = "-----BEGIN GDL GAME-----", "-----END GDL GAME-----"
_COLUMNS = 64
_QUOTED = re.compile(r"^[^\n]*>", re.MULTILINE)


def block(text: str) -> str:
    """Return the text of a record as lines that can be mailed.

    >>> block("game: x").splitlines()[0], unblocked(Source("mail", block("game: x")), 99).text
    ('-----BEGIN GDL GAME-----', 'game: x')
    """
    letters = b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    lines = [letters[at : at + _COLUMNS] for at in range(0, len(letters), _COLUMNS)]
    return "\n".join([_BEGIN, *lines, _END])


def is_mail(text: str) -> bool:
    """Return whether there is a record as `block` has written it in a text."""
    return _BEGIN in text


def unblocked(source: Source, largest: int) -> Source:
    """Return the text of the record in a mail, of so many bytes at most.

    Of several, as in an answer that quotes what it answers, the longest is taken: games grow.
    Raises GameError (`damaged-mail`).
    """
    inside = [part.partition(_END) for part in source.text.split(_BEGIN)[1:]]
    letters, is_whole = max(
        (("".join(_QUOTED.sub("", part).split()), bool(end)) for part, end, _ in inside),
        key=lambda found: len(found[0]),
    )
    try:
        packed = b64decode(letters + "=" * (-len(letters) % 4), validate=True)
        decompressor = zlib.decompressobj()
        data = decompressor.decompress(packed, largest)
        if is_whole and decompressor.eof:
            return Source(source.name, data.decode())
    except (ValueError, zlib.error):
        pass
    message = f"The game in `{source.name}` is damaged: a part is missing or was changed."
    hint = f"Copy all from `{_BEGIN}` to `{_END}`."
    raise refused(Code.DAMAGED_MAIL, message, hint)
