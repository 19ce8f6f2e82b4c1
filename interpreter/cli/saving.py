"""The files in which a game at the terminal is kept by hand.

In: a session, and the name of a file. Out: the file, or the game that stands there. What then
holds: nothing is written over without being asked for but an earlier state of the same game.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from random import Random
from shlex import quote

from gdl.diagnostic import GameError
from interpreter.cli.output import write
from interpreter.sessions.replaying import replay
from interpreter.sessions.saves import (
    is_saved_game,
    named_file,
    read_record,
    saved_text,
    write_record,
)
from interpreter.sessions.seats import Player, players_at
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
        argument = named_file(argument)
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
            write(f"Kept in {argument}. `gdl play {quote(argument)}` goes on with it.")

    def load(
        self,
        argument: str,
        seats: Mapping[int, str],
        random: Random,
        may_leave: Callable[[], bool],
    ) -> tuple[Session, dict[int, Player]] | None:
        """Return the game that a file keeps, and its players; None, and why not, if it can't be.

        Where it does not say who sits at its seats, they are filled as those of the game before,
        which `may_leave` asks about.
        """
        if not argument:
            write("Type `load FILE`.")
            return None
        path = named_file(argument)
        try:
            record = read_record(path)
            played = replay(record, path)
            rules = played.last.rules
            known = {seat: kind for seat, kind in seats.items() if seat <= len(rules.sides)}
            kinds = record.seats or known
            players = players_at(kinds, rules, random)
        except GameError as error:
            write(str(error))
            return None
        for warning in played.warnings:
            write(warning.to_text())
        if not may_leave():
            return None
        self.forget()
        if not record.is_signed:
            self.keeps(path, record.text)
        return Session(played, record.seed, kinds), players

    def _may_replace(self, path: str, standing: str | None) -> bool:
        """Return whether a file may be written over; ask if it does not keep this game."""
        if standing is not None and standing == self._kept.get(os.path.realpath(path)):
            return True
        what = "another game, or other moves" if is_saved_game(path) else "something else"
        return self._agrees(f"{path} has {what}. Write over it? yes or no> ")
