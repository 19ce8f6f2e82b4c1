"""The files in which a game at the terminal is kept by hand.

In: a session, and the name of a file. Out: the file. What then holds: nothing is written over
without being asked for but an earlier state of the same game.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from gdl.diagnostic import GameError
from interpreter.cli.output import write
from interpreter.sessions.saves import is_saved_game, saved_text, write_record
from interpreter.sessions.session import Session


class Files:
    """What is known of the files that keep one game."""

    def __init__(self, agrees: Callable[[str], bool]) -> None:
        """Know of no file yet; `agrees` asks a person, and tells whether the answer is yes."""
        self._agrees = agrees
        self._kept: dict[str, str] = {}

    def keeps(self, path: str, text: str) -> None:
        """Take note that a file keeps this game, and what stands there."""
        self._kept[os.path.realpath(path)] = text

    def forget(self) -> None:
        """Take note that another game is played now, which is kept nowhere."""
        self._kept.clear()

    def save(self, session: Session, argument: str) -> None:
        """Keep the game in a file."""
        if not argument:
            write("Type `save FILE`.")
            return
        is_new, standing = not os.path.exists(argument), saved_text(argument)
        if not is_new and not self._may_replace(argument, standing):
            write("Nothing was written.")
            return
        record = session.record()
        try:
            write_record(record, argument, is_new=is_new, instead_of=standing)
        except GameError as error:
            write(str(error))
        else:
            self.keeps(argument, record.to_text())
            write(f"Kept in {argument}. `gdl play {argument}` goes on with it.")

    def _may_replace(self, path: str, standing: str | None) -> bool:
        """Return whether a file may be written over; ask if it does not keep this game."""
        if standing is not None and standing == self._kept.get(os.path.realpath(path)):
            return True
        what = "another game, or other moves" if is_saved_game(path) else "something else"
        return self._agrees(f"{path} has {what}. Write over it? yes or no> ")
