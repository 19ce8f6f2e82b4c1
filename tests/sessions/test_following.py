"""A file that is saved while its game is played: the game goes on by what it now says."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from command_line import gdl
from piloted import played
from textual.pilot import Pilot

from gdl.interpreter.positions.position import Rules
from gdl.interpreter.sessions.following import Followed
from gdl.interpreter.sessions.replaying import Replay
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.table import Table
from gdl.load import load_game

GAME = """\
game: Places
players: Black, White
pieces: Stone
board: square(3, 3)
turn: |
  choose s in empty
  place Stone at s
stuck: draw
"""


def saved(path: Path, text: str) -> None:
    """Write a file; its time is another one, however soon that is."""
    path.write_text(text, "utf-8")
    later = path.stat().st_mtime_ns + 1_000_000
    os.utime(path, ns=(later, later))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "places.yaml"
    path.write_text(GAME, "utf-8")
    return path


def table_of(file: Path, *moves: str) -> Table:
    followed = Followed(str(file), lambda: load_game(str(file)))
    position = Rules(load_game(str(file))).start()
    session = Session(Replay((position,), ()), 1, {})
    table = Table(session, {}, random.Random(1), followed=followed)
    table.begin()
    for move in moves:
        assert table.read(move)
    return table


def test_moves_that_are_legal_by_the_new_rules_stay(file: Path) -> None:
    table = table_of(file, "a1", "b2", "c3", "a2")
    assert not table.tick()
    saved(file, GAME.replace("in empty", "in empty - c3"))
    assert table.tick() and not table.tick()
    assert table.position.pieces() == {"a1": "Black Stone", "b2": "White Stone"}
    assert "2 moves are not legal any more." in " ".join(table.said)
    assert "c3" not in map(str, table.position.moves())


def test_a_file_that_is_none_now_leaves_the_rules_before(file: Path) -> None:
    table = table_of(file, "a1")
    saved(file, GAME.replace("choose", "chose"))
    assert table.tick()
    assert "no game now" in table.said[0] and len(table.position.moves()) == 8
    saved(file, GAME.replace("3, 3", "4, 3"))
    assert table.tick()
    assert len(table.position.moves()) == 11 and table.position.pieces() == {"a1": "Black Stone"}


def test_a_file_beside_that_it_extends_is_followed_too(file: Path) -> None:
    heir = file.with_name("heir.yaml")
    heir.write_text("extends: ./places.yaml\ngame: Heir\n", "utf-8")
    table = table_of(heir)
    saved(file, GAME.replace("3, 3", "2, 2"))
    assert table.tick() and len(table.position.moves()) == 4


def test_the_screen_shows_the_new_rules_by_itself(file: Path) -> None:
    table = table_of(file, "b2")

    async def script(pilot: Pilot[None], table: Table) -> None:
        saved(file, GAME.replace("3, 3", "5, 5"))
        while len(table.position.moves()) != 24:
            await pilot.pause(0.05)
        await pilot.press("e", "5", "enter")
        assert table.position.pieces() == {"b2": "Black Stone", "e5": "White Stone"}

    played(table, script)


def test_a_shipped_game_is_no_file_to_follow(file: Path) -> None:
    refused = gdl("play", "hex", "--watch", "--plain")
    assert refused.exit_code == 2 and "follows the file of a game" in refused.output
    assert gdl("play", file, "--watch", "--plain", typed="a1\nquit\n").exit_code == 0
