"""What is kept in a folder of the user's own, so that it need not be made again.

In: bytes, and what they were made of. Out: the same bytes, or nothing. What then holds: what is
damaged or torn, was made of something else, or may have been written by somebody else is not there;
no failure to keep or to find anything is ever heard of.

Compiled code is run, so that no other user must be able to have written it. What else is kept is
data, of which nothing is run.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

UNFINISHED = ".gdl-unfinished"
"""The name of a file before it gets its own, for an instant."""

_BY_OTHERS = 0o022
"""The permission of others to write."""
_CHECKSUM_BYTES = hashlib.sha256().digest_size


def cache_folder(name: str, variable: str | None = None) -> Path:
    """Return where files of a kind are kept: as an environment variable says, or in the cache.

    They may be deleted at any time: what they say can be found out again. A user without a home
    has none: nothing can be written there.
    """
    own = os.environ.get(variable) if variable is not None else None
    if own:
        return Path(own)
    cache = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(cache) if cache else Path.home() / ".cache") / "gdl" / name
    except RuntimeError:
        return Path(os.devnull) / name


def kept_file(path: Path, source: str, most_bytes: int) -> bytes | None:
    """Return what is kept in a file, made of `source`, if it is whole and the user's own."""
    try:
        if not is_own(os.stat(path.parent)) or not path.is_file():
            return None
        with open(path, "rb") as file:
            if not is_own(os.fstat(file.fileno())):
                return None
            found = file.read(most_bytes)
    except (OSError, ValueError):
        return None
    data = found[_CHECKSUM_BYTES:]
    return data if found[:_CHECKSUM_BYTES] == _checksum(source, data) else None


def keep_file(
    path: Path, source: str, data: bytes, make_room: Callable[[Path, int], None] | None = None
) -> None:
    """Keep in a file what was made of `source`, if that is possible.

    `make_room` is called first, with the folder and how many bytes come; it may raise OSError.
    """
    folder = path.parent
    unfinished = folder / f"{UNFINISHED}-{os.urandom(8).hex()}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_own(os.stat(folder)):
            return
        if make_room is not None:
            make_room(folder, len(data))
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with open(handle, "wb") as file:
                file.write(_checksum(source, data) + data)
            os.replace(unfinished, path)
        finally:
            unfinished.unlink(missing_ok=True)
    except (OSError, ValueError):
        return


def _checksum(source: str, data: bytes) -> bytes:
    """Return what a file begins with, so that it is known to be made of `source`, and whole."""
    return hashlib.sha256(hashlib.sha256(source.encode()).digest() + data).digest()


def is_own(status: os.stat_result) -> bool:
    """Return whether nobody but the user can have written there."""
    return status.st_uid == os.getuid() and not status.st_mode & _BY_OTHERS
