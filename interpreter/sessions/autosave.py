"""Games kept while they are played, in the user's own folder for such things.

In: the record of a game, after each move. Out: a file a game. What then holds: a game whose process
was killed can be gone on with; one that is being played elsewhere is left alone; games that are
over are kept, up to a number.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from platformdirs import user_state_path

from gdl.codes import Code
from gdl.diagnostic import GameError, refused
from gdl.interpreter.sessions.record import Record, from_anywhere
from gdl.interpreter.sessions.saves import read_record, write_record

FOLDER_VARIABLE = "GDL_GAMES"
"""The environment variable that names another folder than the usual one."""

_MOST_KEPT = 200
_LOCK = ".playing"


def folder_of_games() -> Path:
    """Return the folder that games are kept in while they are played."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    return user_state_path("gdl") / "games"


class Keeper:
    """Keeps one game in a file of its own, which no other process goes on with meanwhile."""

    def __init__(self, path: Path, lock: int | None = None) -> None:
        """Keep the game in this file; `lock` is the handle of its lock, where it is held."""
        self.path = path
        self._lock = lock

    @classmethod
    def new(cls, name: str) -> Keeper:
        """Return the keeper of a new game. Its file is written with the first move."""
        now = datetime.now().strftime("%Y-%m-%d-%H%M%S")
        plain = "".join(char if char.isalnum() else "-" for char in name)[:40]
        return cls(folder_of_games() / f"{now}-{plain}-{secrets.token_hex(2)}.yaml")

    def renew(self, name: str) -> None:
        """Keep a new game from now on, in a file of its own."""
        self.close()
        self.path = Keeper.new(name).path

    def keep(self, record: Record) -> None:
        """Write the game as it is now. Raises GameError."""
        if self._lock is None:
            self._begin()
        write_record(replace(record, game=from_anywhere(record.game)), self.path)

    def close(self) -> None:
        """Let others go on with the game."""
        if self._lock is not None:
            _lock_path(self.path).unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = None

    def _begin(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = f"`{self.path.parent}` can't be made: {error.strerror}."
            hint = f"Name another folder in {FOLDER_VARIABLE}."
            raise refused(Code.FILE_UNWRITABLE, message, hint) from None
        self._lock = _locked(self.path)
        _drop_oldest(self.path.parent)


def resumed(game: str | None = None) -> tuple[Record, Keeper]:
    """Return the newest game that is not over and not being played, and its keeper.

    `game` is the name or the path of its rules; None stands for any. Raises GameError
    (`nothing-to-resume`).
    """
    for path in _newest_first(folder_of_games()):
        lock = _locked(path)
        if lock is None:
            continue
        try:
            record = read_record(path)
        except GameError:
            record = None
        is_meant = record is not None and (game is None or from_anywhere(game) == record.game)
        if record is not None and is_meant and not record.result:
            return record, Keeper(path, lock)
        Keeper(path, lock).close()
    what = "game" if game is None else f"game of {game}"
    message = f"There is no {what} to go on with in `{folder_of_games()}`."
    hint = "Games that are over are there, too: `gdl show` draws them."
    raise refused(Code.NOTHING_TO_RESUME, message, hint)


def _newest_first(folder: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError):
        yield from sorted(folder.glob("*.yaml"), reverse=True)


def _drop_oldest(folder: Path) -> None:
    """Remove the oldest games that are over, where there are too many."""
    for path in list(_newest_first(folder))[_MOST_KEPT:]:
        with contextlib.suppress(OSError, GameError):
            if read_record(path).result:
                path.unlink()


def _lock_path(path: Path) -> Path:
    return path.with_suffix(_LOCK)


def _locked(path: Path) -> int | None:
    """Return the handle of a lock on a game's file; None if another process holds it.

    The lock ends with the process, however that ends.
    """
    try:
        import fcntl

        handle = os.open(_lock_path(path), os.O_RDWR | os.O_CREAT, 0o600)
    except (ImportError, OSError):
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Whoever held it may have removed the file just before letting go.
        if os.path.samestat(os.fstat(handle), os.stat(_lock_path(path))):
            return handle
    except OSError:
        pass
    os.close(handle)
    return None
