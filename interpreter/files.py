"""Files that are written as a whole or not at all, by one process at a time.

In: a path and what is to stand there. Out: the file. What then holds: whoever reads the path finds
what stood there before or all that was written, whenever a process is killed or the machine stops;
of two processes that write into one folder at once, the second waits for the first. What a killed
process may leave is one file, `UNFINISHED`, which the next one that writes into the folder removes.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path

from gdl.codes import Code
from gdl.diagnostic import GameError, refused
from gdl.kept import UNFINISHED

_LONGEST_WAIT = 10.0
_USUAL_MODE = 0o666
_BETWEEN_TRIES = 0.005

Check = Callable[[], None]
Parts = tuple[bytes | memoryview, ...]
"""What is written one behind the other, without a copy of all in memory."""


class Kind(Enum):
    """What a command makes, by how its file begins; none begins as another one does."""

    SVG = b'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="'
    PNG = b"\x89PNG\r\n\x1a\n"
    GIF = b"GIF8"
    PAGE = b'<!DOCTYPE html><html lang="en"><head><meta name="generator" content="gdl">'
    GRAPHML = b'<graphml xmlns="http://graphml.graphdrawing.org/xmlns"'
    DOT = b"digraph board {\n"
    GRAPH_AS_JSON = b'{\n "directed": true,\n "multigraph": true,'
    WORTH = b"# Learned by gdl tune."
    MODULE = b"\0asm\1\0\0\0"
    PORTABLE_GAME = b'[Event "gdl"]\n'
    KEPT_GAME = b'[Software "gdl"]\n'
    SMART_GAME = b"(;FF[4]CA[UTF-8]AP[gdl]"


def write_file(
    path: str | Path,
    data: str | bytes | Parts,
    *,
    is_new: bool = False,
    check: Check | None = None,
    mode: int = _USUAL_MODE,
    makes_folder: bool = False,
) -> None:
    """Write a file; where one stands already, it is replaced, unless this must be a new one.

    If it `makes_folder`, its folder need not be there. A new file has the permissions of `mode`.
    `check` is called when no other process writes there: what it raises leaves all as it was. A
    device or a pipe is written to as it is. Raises GameError (`file-exists`, `file-unwritable`,
    `file-busy`).
    """
    parts = data if isinstance(data, tuple) else (_bytes(data),)
    with _told(path):
        target = Path(os.path.realpath(path))
        if _is_stream(path):
            with open(path, "wb") as stream:
                stream.writelines(parts)
            return
        if makes_folder:
            _make_folder(target.parent)
        _refuse_unwritable(target)
        with _alone_in(target.parent) as folder:
            if check is not None:
                check()
            _put(target, parts, is_new, folder, mode)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None


def _bytes(data: str | bytes) -> bytes:
    return data.encode("utf-8", errors="backslashreplace") if isinstance(data, str) else data


@contextlib.contextmanager
def _told(path: str | Path) -> Iterator[None]:
    """Make a GameError of what keeps a file from being written."""
    try:
        yield
    except FileExistsError:
        raise file_exists(path) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        message = f"`{path}` can't be written: {reason or error}."
        hint = "Write to another file."
        raise refused(Code.FILE_UNWRITABLE, message, hint) from None


def write_result(path: str | Path, data: str | bytes, *, makes_folder: bool = False) -> None:
    """Write what a command has made, of one of the kinds, over nothing but what is of the same.

    Raises GameError as `write_file` does.
    """
    whole = _bytes(data)
    (kind,) = (kind for kind in Kind if whole.startswith(kind.value))
    write_file(path, whole, check=lambda: _refuse_other(path, kind), makes_folder=makes_folder)


def refuse_other(path: str | Path, kind: Kind) -> None:
    """Raise GameError where a file of a kind can't be written, before it is made."""
    with _told(path):
        if not _is_stream(path):
            target = Path(os.path.realpath(path))
            os.stat(os.path.join(target.parent, ""))
            _refuse_unwritable(target)
            _refuse_other(path, kind)


def _refuse_other(path: str | Path, kind: Kind) -> None:
    """Raise GameError where something else stands than an empty file or one of this kind."""
    if os.path.exists(path):
        with open(path, "rb") as file:
            found = file.read(len(kind.value))
        if found not in (b"", kind.value):
            raise file_exists(path, ", and it is something else")


def file_exists(path: str | Path, more: str = "") -> GameError:
    """Return the error of a file that is there already, though none may be, or no other one."""
    message = f"`{path}` is there already{more}."
    return refused(Code.FILE_EXISTS, message, "Take another name, or remove it.")


def _is_stream(path: str | Path) -> bool:
    """Return whether a device or a pipe stands there, which nothing must take the place of."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _refuse_unwritable(target: Path) -> None:
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


# ------------------------------------------------------------------------ one at a time


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[int | None]:
    """Let no other process write into a folder; gives its handle, or None if that can't be had."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:
        yield None
        return
    try:
        yield handle if _is_locked(handle, folder) else None
    finally:
        os.close(handle)


def _is_locked(handle: int, folder: Path) -> bool:
    """Wait for a lock on a folder; return whether there is one: some file systems have none."""
    import fcntl

    last = time.monotonic() + _LONGEST_WAIT
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() > last:
                raise _busy(folder) from None
            time.sleep(_BETWEEN_TRIES)
        except OSError:
            return False


def _busy(folder: Path) -> GameError:
    message = f"Another process has kept `{folder}` locked for {_LONGEST_WAIT:g} s."
    return refused(Code.FILE_BUSY, message, "Try again, or end that process.")


# ----------------------------------------------------------------------------- writing


def _put(target: Path, data: Parts, is_new: bool, folder: int | None, mode: int) -> None:
    """Give a file its name when all of it is on the disk."""
    name = UNFINISHED if folder is not None else f"{UNFINISHED}-{os.urandom(8).hex()}"
    unfinished = target.with_name(name)
    # What has this name was left by a process that was killed: no other one writes here now.
    unfinished.unlink(missing_ok=True)
    try:
        if folder is None or not _without_a_name(target, unfinished, data, is_new, folder, mode):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with _opened(os.open(unfinished, flags, mode)) as handle:
                _fill(handle, target, data)
            if is_new:
                _link(unfinished, target)
        if not is_new:
            os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)
    if folder is not None:
        _keep_names(folder)


def _without_a_name(
    target: Path, unfinished: Path, data: Parts, is_new: bool, folder: int, mode: int
) -> bool:
    """Write a file that has no name until it is whole; return whether the system can do that.

    A new file gets its own name then, another one that of `unfinished`.
    """
    try:
        opened = os.open(target.parent, os.O_WRONLY | os.O_TMPFILE, mode)
    except (OSError, AttributeError):
        return False
    with _opened(opened) as handle:
        _fill(handle, target, data)
        name = target if is_new else unfinished
        try:
            # Given the handle of a folder, `link` follows the symbolic link that this path is.
            os.link(f"/proc/self/fd/{handle}", name, src_dir_fd=folder)
        except FileExistsError:
            raise
        except OSError:
            return False
    return True


def _link(unfinished: Path, target: Path) -> None:
    """Give a file the name of a new one, which must not be there."""
    try:
        os.link(unfinished, target)
    except FileExistsError:
        raise
    except OSError:
        # Some file systems have no links; nobody who waits for the lock can come between.
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        os.replace(unfinished, target)


@contextlib.contextmanager
def _opened(handle: int) -> Iterator[int]:
    try:
        yield handle
    finally:
        os.close(handle)


def _fill(handle: int, target: Path, data: Parts) -> None:
    """Write a file to the disk, with the permissions of the one whose place it takes."""
    with open(handle, "wb", closefd=False) as file:
        file.writelines(data)
    if target.exists():
        os.fchmod(handle, stat.S_IMODE(target.stat().st_mode))
    os.fsync(handle)


def _keep_names(folder: int) -> None:
    """Have the disk keep which names a folder has; some file systems do so by themselves."""
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
