"""A file from a stranger reads no other files, and no message quotes what is no game.

In: a folder with a secret beside, above and below a game that asks for it. What then holds: the
game gets a diagnostic, and no output of any command has a word of the secret.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import gdl

from gdl.diagnostic import GameError
from gdl.kept import cache_folder
from gdl.load import load_game
from gdl.syntax import parser

SECRET = "hunter2: swordfish"
GAME = """\
game: Small
players: A, B
board: square(3, 3)
stuck: draw
turn: |
  choose s in empty
  place Stone at s
"""


def codes(load: Callable[[], object]) -> list[str]:
    with pytest.raises(GameError) as caught:
        load()
    assert all(found.hint for found in caught.value.diagnostics)
    return [found.code for found in caught.value.diagnostics]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a game, in one with a secret, another game and a link to that."""
    folder = tmp_path / "folder"
    (folder / "below").mkdir(parents=True)
    for place in (tmp_path, folder, folder / "below"):
        (place / "secret.yaml").write_text(f"{SECRET}\n")
        (place / "secret").write_text(f"{SECRET}\n")
        (place / "game.yaml").write_text(GAME)
    (folder / "linked.yaml").symlink_to(tmp_path / "game.yaml")
    (folder / "below" / "linked.yaml").symlink_to(folder / "game.yaml")
    (folder / "list.yaml").write_text(f"- {SECRET}\n")
    (folder / "text.yaml").write_text("swordfish")
    (folder / "bytes.yaml").write_bytes(b"swordfish\xff\n")
    (folder / "broken.yaml").write_text("hunter2: 'swordfish\n\tx: [")
    (folder / "nearly.yaml").write_text("a: the game: {swordfish\n# game: swordfish\n")
    return folder


def child(folder: Path, extends: str) -> Path:
    path = folder / "child.yaml"
    path.write_text(f"game: Child\nextends: '{extends}'\n")
    return path


@pytest.mark.parametrize("extends", ["game.yaml", "./game.yaml", "below/../game.yaml", "hex"])
def test_a_game_beside_it_and_a_shipped_one_are_extended(folder: Path, extends: str) -> None:
    assert load_game(str(child(folder, extends))).title == "Child"


def test_a_linked_game_extends_what_is_beside_it_and_beside_the_link(folder: Path) -> None:
    game = child(folder, "game.yaml")
    (folder.parent / "elsewhere").mkdir()
    link = folder.parent / "elsewhere" / "link.yaml"
    link.symlink_to(game)
    (link.parent / "game.yaml").symlink_to(folder / "game.yaml")
    assert load_game(str(link)).title == "Child"


@pytest.mark.parametrize(
    ("extends", "code"),
    [
        ("/proc/self/environ", "extends-elsewhere"),
        ("/etc/passwd", "extends-elsewhere"),
        ("../secret", "extends-elsewhere"),
        ("../game.yaml", "extends-elsewhere"),
        ("./../folder/game.yaml", "extends-elsewhere"),
        ("below/game.yaml", "extends-elsewhere"),
        ("below/secret.yaml", "extends-elsewhere"),
        ("below\\secret.yaml", "extends-elsewhere"),
        ("linked.yaml", "extends-elsewhere"),
        ("no-such-folder/x.yaml", "extends-elsewhere"),
        ("/no-such-folder/x.yaml", "extends-elsewhere"),
        ("secret", "unknown-game"),
        ("secret.yaml", "not-a-game"),
        ("list.yaml", "not-a-game"),
        ("text.yaml", "not-a-game"),
        ("bytes.yaml", "not-utf8"),
        ("broken.yaml", "not-a-game"),
        ("nearly.yaml", "not-a-game"),
        ("none.yaml", "file-not-found"),
    ],
)
def test_nothing_else_is_extended_or_quoted(
    folder: Path, monkeypatch: pytest.MonkeyPatch, extends: str, code: str
) -> None:
    monkeypatch.chdir(folder)
    path = child(folder, extends)
    for game in (str(path), path.name):
        assert codes(lambda game=game: load_game(game)) == [code]  # type: ignore[misc]
        for command in (("check",), ("check", "--json"), ("show",), ("test", "--json")):
            told = gdl(command[0], game, *command[1:])
            assert told.exit_code == 1 and code in told.output
            assert "swordfish" not in told.output and "hunter2" not in told.output


@pytest.mark.parametrize(
    "name", ["secret.yaml", "./secret", "list.yaml", "text.yaml", "bytes.yaml", "broken.yaml"]
)
def test_a_file_that_is_no_game_is_not_quoted(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(folder)
    (folder / "save").write_text(f"game: '{name}'\nmoves: [a1]\n")
    for command in (
        ("check", name, "--seconds", "1"),
        ("show", name),
        ("move", name, "a1"),
        ("show", "save"),
        ("move", "save", "a1"),
        ("show", "game.yaml", "--position", "save"),
    ):
        told = gdl(*command)
        assert told.exit_code in (1, 2)
        assert "swordfish" not in told.output and "hunter2" not in told.output


def test_a_draft_of_a_game_is_quoted(folder: Path) -> None:
    (folder / "draft.yaml").write_text("players: A, B\nbord: swordfish\n")
    assert "swordfish" in gdl("check", folder / "draft.yaml").stderr
    (folder / "draft.yaml").write_text("")
    assert codes(lambda: load_game(str(folder / "draft.yaml"))) == ["empty-file"]


def test_who_has_no_home_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "~nobody-at-all")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    parser._machinery.cache_clear()
    assert not cache_folder("code", "GDL_NOT_SET").exists()
    assert gdl("playout", "tic-tac-toe", "-n", "1").exit_code == 0


def test_what_is_no_plain_file_is_not_read(folder: Path) -> None:
    os.mkfifo(folder / "pipe.yaml")
    (folder / "device.yaml").symlink_to("/dev/zero")
    assert codes(lambda: load_game(str(folder / "pipe.yaml"))) == ["not-a-file"]
    assert codes(lambda: load_game(str(folder / "device.yaml"))) == ["not-a-file"]
    assert codes(lambda: load_game(str(child(folder, "pipe.yaml")))) == ["not-a-file"]
    assert codes(lambda: load_game(str(child(folder, "device.yaml")))) == ["extends-elsewhere"]
