"""Machine code kept on disk: what has been compiled once is not compiled again.

In: what code was compiled from, and the code. Out: the code, if it has been kept. What then holds:
what is damaged, or may have been written by somebody else, is not there; all that is kept is no
more than `MOST_BYTES`, and what was used longest ago goes first; no failure to keep or to find
anything is ever heard of.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from pathlib import Path

from interpreter.files import UNFINISHED, cache_folder

VARIABLE = "GDL_CODE"
OFF = "off"
"""The environment variable that names the folder, and its value for keeping nothing."""
MOST_BYTES = 64 << 20
"""How much is kept at most."""
_LEFT = 0.75
"""How much of that is left when something had to go."""
_BY_OTHERS = 0o022
"""The permission of others to write."""


def folder() -> Path | None:
    """Return where code is kept: `GDL_CODE`, or a folder in the user's cache; None: nowhere."""
    return None if os.environ.get(VARIABLE) == OFF else cache_folder("code", VARIABLE)


def digest(*parts: str) -> str:
    """Return the name under which the code is kept that was compiled from these parts."""
    found = hashlib.sha256()
    for part in parts:
        data = part.encode()
        found.update(b"%d:" % len(data) + data)
    return found.hexdigest()


def kept(name: str) -> bytes | None:
    """Return the code that is kept under a name, if it is whole and the user's own."""
    place = folder()
    if place is None:
        return None
    try:
        if not _is_own(os.stat(place)) or not (place / name).is_file():
            return None
        with open(place / name, "rb") as file:
            if not _is_own(os.fstat(file.fileno())):
                return None
            data = file.read(MOST_BYTES)
    except (OSError, ValueError):
        return None
    head = hashlib.sha256().digest_size
    if data[:head] != _checksum(name, data[head:]):
        return None
    with contextlib.suppress(OSError):
        os.utime(place / name)
    return data[head:]


def keep(name: str, code: bytes) -> None:
    """Keep code under a name, if that is wanted and possible."""
    place = folder()
    if place is None:
        return
    unfinished = place / f"{UNFINISHED}-{secrets.token_hex(8)}"
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_own(os.stat(place)):
            return
        _make_room(place, len(code))
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with open(handle, "wb") as file:
                file.write(_checksum(name, code) + code)
            os.replace(unfinished, place / name)
        finally:
            unfinished.unlink(missing_ok=True)
    except (OSError, ValueError):
        return


def _checksum(name: str, code: bytes) -> bytes:
    """Return what code must begin with under a name, so that it is known to be that and whole."""
    return hashlib.sha256(name.encode() + code).digest()


def _is_own(status: os.stat_result) -> bool:
    """Return whether nobody but the user can have written there."""
    return status.st_uid == os.getuid() and not status.st_mode & _BY_OTHERS


def _make_room(place: Path, size: int) -> None:
    """Remove what was used longest ago, if there is too much for so many more bytes."""
    found = [(entry.stat(), entry.path) for entry in os.scandir(place) if entry.is_file()]
    total = size + sum(status.st_size for status, _ in found)
    if total <= MOST_BYTES:
        return
    for status, path in sorted(found, key=lambda one: one[0].st_mtime_ns):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        total -= status.st_size
        if total <= _LEFT * MOST_BYTES:
            break
