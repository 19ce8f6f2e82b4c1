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
from pathlib import Path

from gdl.kept import cache_folder, keep_file, kept_file

VARIABLE = "GDL_CODE"
OFF = "off"
"""The environment variable that names the folder, and its value for keeping nothing."""
MOST_BYTES = 64 << 20
"""How much is kept at most."""
_LEFT = 0.75
"""How much of that is left when something had to go."""


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
    found = None if place is None else kept_file(place / name, name, MOST_BYTES)
    if place is not None and found is not None:
        with contextlib.suppress(OSError):
            os.utime(place / name)
    return found


def keep(name: str, code: bytes) -> None:
    """Keep code under a name, if that is wanted and possible."""
    place = folder()
    if place is not None:
        keep_file(place / name, name, code, _make_room)


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
