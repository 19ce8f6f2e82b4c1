"""What this machine has seen of signed games: how far each had come, its digest, and its file.

In: how a game stands. Out: a note a game. What then holds: a copy of which the end was cut off, or
that has gone another way since, is told from a newer one; and one of which all signatures were
taken out, from the signed game that its file kept.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, GameError
from gdl.interpreter.files import write_file
from gdl.interpreter.sessions.judging import SignedState
from gdl.interpreter.sessions.signing.keys import folder_of_keys

_LARGEST = 200


def departure(standing: SignedState) -> Diagnostic | None:
    """Return how a game departs from what was seen of it; None if it goes on from there."""
    path = _path(standing)
    match _noted(path):
        case [number, digest, *_] if number.isdecimal():
            pass
        case _:
            return None
    hint = f"Ask for the newest copy. What was seen is noted in `{path}`."
    there = len(standing.record.entries)
    if int(number) > there:
        message = f"The end was cut off: {number} entries were seen of this game, here are {there}."
        return Diagnostic(Code.CUT_RECORD, message, None, hint)
    if standing.digests[int(number)].hex() != digest:
        message = "The game has gone another way than the copy that was seen here before."
        return Diagnostic(Code.OTHER_COURSE, message, None, hint)
    return None


def refuse_older(standing: SignedState) -> None:
    """Raise GameError (`cut-record`, `other-course`) if a newer copy was seen, or another one."""
    found = departure(standing)
    if found is not None:
        raise GameError([found])


def bareness(save: Path) -> Diagnostic | None:
    """Return that a file, which keeps an unsigned game now, kept a signed one; None if not so."""
    if not _notes_of(save):
        return None
    return Diagnostic(
        Code.NOT_SIGNED,
        f"`{save}` kept a signed game; that of now is signed by nobody: anything may be changed.",
        hint="Ask for the signed one; keep another game in another file.",
    )


def refuse_bare(save: Path) -> None:
    """Raise GameError (`not-signed`) if a file kept a signed game, and keeps an unsigned one."""
    found = bareness(save)
    if found is not None:
        raise GameError([found])


def forget(save: Path) -> None:
    """Take note that a file keeps another game from now on. Raises GameError."""
    for path in _notes_of(save):
        write_file(path, f"{' '.join(_noted(path)[:2])}\n")


def note(standing: SignedState, save: Path) -> Sequence[Diagnostic]:
    """Take note of a game as it stands in a file; return why that can't be done, if it can't."""
    path = _path(standing)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        seen = f"{len(standing.record.entries)} {standing.digests[-1].hex()}"
        write_file(path, f"{seen} {_name(save)}\n")
    except OSError as error:
        message = f"`{path.parent}` can't be made: {error.strerror}."
        return [Diagnostic(Code.FILE_UNWRITABLE, message, severity="warning")]
    except GameError as error:
        return [replace(found, severity="warning") for found in error.diagnostics]
    return ()


def _notes_of(save: Path) -> list[Path]:
    return [path for path in _folder().glob("*.txt") if _noted(path)[2:] == [_name(save)]]


def _noted(path: Path) -> list[str]:
    """Return the words of a note; none if there is no such note."""
    try:
        with path.open(encoding="ascii") as file:
            return file.read(_LARGEST).split()
    except (OSError, ValueError):
        return []


def _name(save: Path) -> str:
    """Return what a file is noted by."""
    return sha256(os.path.realpath(save).encode(errors="surrogateescape")).hexdigest()


def _path(standing: SignedState) -> Path:
    return _folder() / f"{standing.record.game_id}.txt"


def _folder() -> Path:
    return folder_of_keys() / "seen"
