"""People who play by mail, each at a machine of their own, and what a cheat does to their file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gdl.diagnostic import GameError
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.sessions.judging import digests, place_of
from gdl.interpreter.sessions.record import Record
from gdl.interpreter.sessions.replaying import Replay, replay
from gdl.interpreter.sessions.saves import read_record
from gdl.interpreter.sessions.signing.entries import Entry
from gdl.interpreter.sessions.signing.keys import Key, own_key
from gdl.interpreter.sessions.signing.protocol import Place
from gdl.interpreter.sessions.signing.secrets import Secrets

DICE = """\
game: Dice
players: White, Black
board: square(3, 2)
state: {die: number in 0..6}
phases:
  roll:
    seat: nobody
    turn: |
      choose d in 1..6
      set die = d
      go to walk
  walk: |
    choose s in empty
    place Stone at s
    go to roll
    if die > 3 again
end: draw when full
"""


class Table:
    """Two people, each at a machine of their own, and the file that goes to and fro."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.save = folder / "game.yaml"
        self._folder = folder
        self._monkeypatch = monkeypatch
        for name in ("Ann", "Bob"):
            assert self.at(name, "key", "--name", name).exit_code == 0

    def at(self, name: str, *arguments: object, typed: str | None = None) -> Result:
        """Carry out a command on somebody's machine."""
        self._monkeypatch.setenv("GDL_KEYS", str(self._folder / name))
        return CliRunner().invoke(make_app(), [str(a) for a in arguments], input=typed)

    def move(self, name: str, *arguments: object) -> Result:
        return self.at(name, "move", self.save, *arguments)

    def begin(self, game: object, *arguments: object) -> None:
        told = self.at("Ann", "new", game, "-o", self.save, "--seat", "1=me", *arguments)
        assert told.exit_code == 0, told.stderr

    def key(self, name: str) -> Key:
        self._monkeypatch.setenv("GDL_KEYS", str(self._folder / name))
        return own_key(lambda: "")

    @property
    def played(self) -> Replay:
        return replay(read_record(self.save), self.save)


def codes(record: Record) -> set[str]:
    with pytest.raises(GameError) as raised:
        replay(record)
    return {found.code for found in raised.value.diagnostics}


def forged(table: Table, name: str, entry: Entry, moves: tuple[str, ...] = ()) -> Record:
    """Return the game with an entry that its author signs, whatever it says."""
    record, key = read_record(table.save), table.key(name)
    *_, last = digests(record)
    digest = entry.digest(last, moves)
    whole = replace(entry, signature=entry.signed_by(key, record.protocol, digest))
    return replace(record, moves=(*record.moves, *moves), entries=(*record.entries, whole))


def secrets_of(table: Table, name: str, seat: int) -> Secrets:
    standing = table.played.standing
    assert standing is not None
    return Secrets(table.key(name), standing.place(seat))


def next_place(table: Table, seat: int) -> Place:
    """Return where a seat commits itself that adds the next entry."""
    record = read_record(table.save)
    before = tuple(digests(record))
    return place_of(record, before, seat, len(before))
