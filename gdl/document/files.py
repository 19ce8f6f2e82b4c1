"""From a path to the text of a file.

In: a path, and how large a file of its kind may be. Out: a `Source`. What then holds: the text was
written in UTF-8 and its lines end in `\\n`; a file of another kind is not quoted in what is wrong.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, Source, Span, refused

BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True)
class Limits:
    """How large a file of some kind may be: in bytes, and in keys, values and list items."""

    what: str
    bytes: int
    nodes: int
    hint: str


GAME_FILE = Limits(
    "a game file",
    256 * 1024,
    50_000,
    "Say what repeats itself under `define`; a board needs no list of its sites.",
)

RULES_SETTINGS = ("extends", "players", "board", "turn", "phases")
"""What is set in the file of a game and in no saved game, in which `moves` are."""
GAME_SETTINGS = ("game", *RULES_SETTINGS)
"""What is set in the file of a game: any of these tells it from other files."""

_WHAT_IS_READ = "Name a game, or a file whose name ends in .yaml."
_IS_IT_THERE = "Look at the spelling, and whether you may read it."


def read_source(path: str | Path, limits: Limits = GAME_FILE) -> Source:
    """Return the text of a file, with `\\n` as its line break and without a byte order mark.

    Raises `GameError` with the code `file-not-found`, `not-a-file`, `file-unreadable`,
    `file-too-large` or `not-utf8`.
    """
    name = str(path)
    data = _read_bytes(Path(path), name, limits.bytes)
    if len(data) > limits.bytes:
        raise GameError([too_large(name, limits)])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise GameError([_not_utf8(name, data, error.start)]) from None
    return Source(name, _with_plain_line_breaks(text).removeprefix(BYTE_ORDER_MARK))


def _read_bytes(path: Path, name: str, most: int) -> bytes:
    try:
        if path.is_file():
            with path.open("rb") as file:
                return file.read(most + 1)
        exists = path.exists()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        message = f"`{name}` can't be read: {reason}."
        raise refused(Code.FILE_UNREADABLE, message, _IS_IT_THERE) from None
    if os.path.isdir(path):
        message = f"`{name}` is a folder, not a file."
        raise refused(Code.NOT_A_FILE, message, "Name a file that is in it.")
    if exists:
        raise refused(Code.NOT_A_FILE, f"`{name}` is not a file.", _WHAT_IS_READ)
    raise refused(Code.FILE_NOT_FOUND, f"There is no file `{name}`.", _IS_IT_THERE)


def too_large(name: str, limits: Limits) -> Diagnostic:
    """Return what to tell of a file that is larger than it may be."""
    return Diagnostic(
        Code.FILE_TOO_LARGE,
        f"`{name}` is larger than {limits.bytes // 1024} KiB, the most that {limits.what} may be.",
        None,
        limits.hint,
    )


def has_setting(text: str, names: Iterable[str]) -> bool:
    """Return whether a text has one of these settings, as far as can be told without reading it.

    What has none of those that a kind of files has is of another kind, and perhaps a secret: no
    message should quote it.
    """
    either = "|".join(names)
    pattern = rf"""(?:^|[{{,])[ \t]*["']?(?:{either})["']?[ \t]*:(?:\s|$)"""
    return re.search(pattern, text, re.MULTILINE) is not None


def _not_utf8(name: str, data: bytes, start: int) -> Diagnostic:
    source = Source(name, _with_plain_line_breaks(data.decode("utf-8", errors="replace")))
    offset = len(_with_plain_line_breaks(data[:start].decode("utf-8")))
    is_utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return Diagnostic(
        Code.NOT_UTF8,
        f"`{name}` is not written in UTF-8.",
        Span(source, offset, offset + 1) if has_setting(source.text, GAME_SETTINGS) else None,
        f"Save the file as UTF-8{' instead of UTF-16' if is_utf16 else ''}.",
    )


def _with_plain_line_breaks(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
