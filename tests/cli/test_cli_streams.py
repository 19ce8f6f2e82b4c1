"""Every command with streams that are full or closed: a message and an exit status, no traceback.

In: the table of commands, and for each what to do. What then holds: a command that is added needs a
line here.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from inspect import signature
from pathlib import Path

import pytest
from forked_commands import CLOSED, FULL, Done, run

from gdl.interpreter.cli.registry import COMMANDS, Command

SMALL = """\
game: Small
players: White, Black
board: square(2, 2)
turn: |
  choose s in empty
  place Stone at s
end: draw when full
examples:
  - play: a1
    legal: b2
"""
ARGUMENTS = {
    "list": "",
    "about": "small.yaml",
    "init": "mine.yaml",
    "play": "small.yaml --plain",
    "watch": "small.yaml --plain --seat 1=random --seat 2=random --delay 0",
    "replay": "kept.save --review --iterations 1",
    "new": "small.yaml -o new.save",
    "move": "kept.save b1",
    "key": "",
    "show": "small.yaml",
    "moves": "small.yaml",
    "why": "small.yaml a1",
    "diff": "small.yaml small.yaml --other-option none=1",
    "trace": "small.yaml games.txt",
    "check": "small.yaml --seconds 0.1",
    "explain": "never-wins",
    "report": "no-such-game -o report.html",
    "page": "small.yaml -o page.html",
    "serve": "no-such-game.yaml --no-browser",
    "test": "small.yaml",
    "verify": "small.yaml -n 1",
    "analyse": "small.yaml --iterations 10",
    "solve": "small.yaml",
    "tune": "no-such-game",
    "match": "small.yaml random random -n 2",
    "perft": "small.yaml 2",
    "playout": "small.yaml -n 2",
    "compile": "small.yaml --emit core",
    "graph": "small.yaml",
}
"""What each command is given; those that take a second at least are refused what they ask for."""
INTERNAL = ("Traceback", "Exception ignored", "internal-error")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("begun")
    (folder / "small.yaml").write_text(SMALL)
    (folder / "games.txt").write_text("a1 b1 a2 b2\n")
    assert run(("new", "small.yaml", "-o", "kept.save"), folder).status == 0
    assert run(("move", "kept.save", "a1"), folder).status == 0
    return folder


@pytest.fixture
def folders(begun: Path, tmp_path: Path) -> Iterator[Path]:
    """Yield folders in which nothing has been done yet."""
    return (Path(shutil.copytree(begun, tmp_path / str(number))) for number in range(10))


def refuse_inner(done: Done) -> None:
    """Refuse what a person should never see."""
    assert not any(word in done.output + done.errors for word in INTERNAL), done


def test_every_command_is_tried() -> None:
    assert set(ARGUMENTS) == {command.name for command in COMMANDS}


@pytest.mark.at_night(
    "[page]",
    "[why]",
    "[perft]",
    "[moves]",
    "[about]",
    "[new]",
    "[replay]",
    "[analyse]",
    "[solve]",
    "[check]",
    "[watch]",
    "[match]",
    "[diff]",
    "[verify]",
    "[test]",
    "[graph]",
    "[trace]",
    "[report]",
    "[tune]",
)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_streams_that_are_full_or_closed(command: Command, folders: Iterator[Path]) -> None:
    arguments = (command.name, *ARGUMENTS[command.name].split())
    if "as_json" in signature(command.load()).parameters:
        arguments = (*arguments, "--json")
    usual = run(arguments, next(folders))
    refuse_inner(usual)
    lost = 2 if usual.output else usual.status

    full = run(arguments, next(folders), FULL)
    refuse_inner(full)
    assert full.status == lost
    assert ("output-lost" in full.errors) == bool(usual.output)

    untold = run(arguments, next(folders), errors=FULL, typed=CLOSED)
    refuse_inner(untold)
    assert untold.status == usual.status

    folder = next(folders)
    before = {path.name for path in folder.iterdir()}
    closed = run(arguments, folder, CLOSED, CLOSED, CLOSED)
    assert closed.status == lost
    assert {path.name for path in folder.iterdir()} - before <= {
        "mine.yaml",
        "new.save",
        "page.html",
    }
