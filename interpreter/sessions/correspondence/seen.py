"""What this machine has seen of signed games: how far each had come, and its digest.

In: how a game stands. Out: a note a game. What then holds: a copy of which the end was cut off, or
that has gone another way since, is told from a newer one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gdl.diagnostic import Diagnostic, GameError
from interpreter.files import write_file
from interpreter.sessions.judging import SignedState
from interpreter.sessions.signing.keys import folder_of_keys

_LARGEST = 200


def departure(standing: SignedState) -> Diagnostic | None:
    """Return how a game departs from what was seen of it; None if it goes on from there."""
    path = _path(standing)
    try:
        with path.open(encoding="ascii") as file:
            number, _, digest = file.read(_LARGEST).strip().partition(" ")
    except (OSError, ValueError):
        return None
    if not number.isdecimal():
        return None
    hint = f"Ask for the newest copy. What was seen is noted in `{path}`."
    there = len(standing.record.entries)
    if int(number) > there:
        message = f"The end was cut off: {number} entries were seen of this game, here are {there}."
        return Diagnostic("cut-record", message, None, hint)
    if standing.digests[int(number)].hex() != digest:
        message = "The game has gone another way than the copy that was seen here before."
        return Diagnostic("other-course", message, None, hint)
    return None


def refuse_older(standing: SignedState) -> None:
    """Raise GameError (`cut-record`, `other-course`) if a newer copy was seen, or another one."""
    found = departure(standing)
    if found is not None:
        raise GameError([found])


def note(standing: SignedState) -> Sequence[Diagnostic]:
    """Take note of a game as it stands; return why that can't be done, if it can't."""
    path = _path(standing)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_file(path, f"{len(standing.record.entries)} {standing.digests[-1].hex()}\n")
    except OSError as error:
        message = f"`{path.parent}` can't be made: {error.strerror}."
        return [Diagnostic("file-unwritable", message, severity="warning")]
    except GameError as error:
        return [replace(found, severity="warning") for found in error.diagnostics]
    return ()


def _path(standing: SignedState) -> Path:
    return folder_of_keys() / "seen" / f"{standing.record.game_id}.txt"
