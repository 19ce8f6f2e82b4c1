"""What a stranger wrote shows itself: no output has a character that does something to a terminal.

In: a game full of control characters, escape sequences and marks that turn the direction of
writing, in a file with such a name. What then holds of each command: what it prints and writes
shows them as escapes, JSON is JSON and SVG is XML.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from test_cli_process import on_a_terminal

from gdl.diagnostic import Diagnostic, Source, Span
from gdl.interpreter.cli.registry import make_app
from gdl.visible import visible, visible_line

EVIL = r"\e[2J\a\x9b1m\u202e\u2066\u200f\u2028\U000E0041"
DONE = "\x1b[2J\x07\x9b1m\u202e\u2066\u200f\u2028\U000e0041"

GAME = f"""\
game: "G{EVIL}"
about: "A{EVIL}"
author: "B{EVIL}"
year: "C{EVIL}"
source: "D{EVIL}"
family: "E{EVIL}"
also: "F{EVIL}"
players: Black, White
options: {{size: {{default: 3, in: 2..4, about: "H{EVIL}"}}}}
board: square(size, size)
state: {{score: number}}
turn: |
  choose s in empty
  place Stone at s
  add 1 to score
stuck: draw
variants:
  v: {{about: "I{EVIL}", stuck: draw}}
  w\u202e: {{about: x, stuck: draw}}
examples:
  - {{name: "J{EVIL}", play: a1, count: 99}}
  - {{name: "K{EVIL}", play: zz9\u202e}}
  - {{name: "L{EVIL}", play: a1, values: {{score: 2}}}}
"""
RUNNER = CliRunner()


def is_plain(text: str) -> bool:
    return visible(text) == text


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    name = f"x{DONE}\n.yaml"
    Path(name).write_text(GAME, "utf-8")
    return name


def gdl(*arguments: object, typed: str = "") -> Result:
    result = RUNNER.invoke(make_app(), list(map(str, arguments)), input=typed)
    assert is_plain(result.stdout) and is_plain(result.stderr), (result.stdout, result.stderr)
    assert "internal-error" not in result.output
    if "--json" in arguments:
        json.loads(result.stdout)
    return result


def test_the_characters_are_shown() -> None:
    shown = r"\x1b[2J\x07\x9b1m\u202e\u2066\u200f\u2028\U000e0041"
    assert visible(f"a {DONE}\u00a0é\U0001f600\n") == f"a {shown}\u00a0é\U0001f600\n"
    assert visible_line(f"{DONE}\n") == f"{shown}\\n"


def test_every_command(game: str) -> None:
    shown = r"\x1b[2J\x07\x9b1m\u202e"
    assert shown in gdl("about", game).stdout
    assert DONE.split("\u2028")[0] in json.loads(gdl("about", game, "--json").stdout)["title"]
    for command in (
        ("show", game),
        ("show", game, "--json"),
        ("show", game, "--after", f"a1, {DONE}"),
        ("show", game, "--option", f"size={DONE}"),
        ("show", game, "--option", f"{DONE}=1"),
        ("show", game, "--variant", DONE),
        ("show", game, "--example", DONE),
        ("show", game, "--example", f"J{DONE}", "--json"),
        ("moves", game, "--json"),
        ("moves", game),
        ("check", game, "--seconds", 0.3),
        ("check", game, "--seconds", 0.3, "--json"),
        ("test", game),
        ("test", game, "--json"),
        ("perft", game, 2),
        ("perft", game, 2, "--divide", "--json"),
        ("playout", game, "-n", 2),
        ("playout", game, "-n", 2, "--json"),
        ("verify", game, "-n", 1, "--max-plies", 2),
        ("verify", game, "-n", 1, "--max-plies", 2, "--json"),
        ("compile", game),
        ("compile", game, "--emit", "plan"),
        ("compile", game, "--emit", "llvm", "--raw"),
        ("graph", game),
        ("graph", game, "--format", "dot"),
        ("graph", game, "--json"),
        ("show", f"{DONE}.yaml"),
        ("show", DONE),
        ("init", DONE),
        ("init", DONE),
    ):
        gdl(*command)


def test_on_a_terminal_only_colours_and_lines_wiped_away_come_from_the_program(game: str) -> None:
    for command in (("show", "--after", "a1"), ("about",), ("check", "--seconds", "1"), ("moves",)):
        status = 1 if command[0] == "check" else 0  # examples fail
        told = on_a_terminal(command[0], game, *command[1:], status=status).replace("\r\n", "\n")
        assert is_plain(re.sub(r"\x1b\[[0-9;]*m|\r\x1b\[2K", "", told)), told


def test_saves_and_pictures(game: str) -> None:
    save = f"s{DONE}"
    assert gdl("new", game, "-o", save).exit_code == 0
    assert gdl("move", save, "a1").exit_code == 0
    assert gdl("move", save, DONE).exit_code == 2
    assert is_plain(Path(save).read_text("utf-8"))
    assert gdl("show", save, "--svg", "x.svg").exit_code == 0
    picture = Path("x.svg").read_text("utf-8")
    assert is_plain(picture) and r"G\x1b[2J" in ElementTree.fromstring(picture)[0].text
    Path(save).write_text(f'game: "{EVIL}"\nmoves: ["{EVIL}"]\n', "utf-8")
    assert gdl("show", save).exit_code == 2
    Path(save).write_text(f'game: hex\nmoves: ["{EVIL}"]\n', "utf-8")
    assert gdl("show", save).exit_code == 1


def test_a_game_that_is_played(game: str) -> None:
    typed = (
        f"help\nrules\n{DONE}\nmoves {DONE}\nload {DONE}\nsave k{DONE}\na1\nsave k{DONE}\nquit\n"
    )
    told = gdl("play", game, "--seed", 1, typed=typed)
    assert told.exit_code == 0 and r"Kept in k\x1b[2J" in told.stdout


@pytest.mark.parametrize(
    "line",
    [
        'display: {symbols: {Black: "\\x1b"}}',
        'display: {symbols: {Black: "\\u202e"}}',
        'display: {style: "\\x1b"}',
        'stuck: "draw \\x1b"',
        'pieces: "Man\\x1b"',
        'pieces: {"Man\\x1b": }',
        'regions: {"a\\x1b": top}',
        'define: {"a\\x1b": top, "b(\\x1b)": own}',
        'extends: "\\x1b"',
        'extends: "\\x1b.yaml"',
        '"\\x1b": x',
        'variants: {v: {"\\x1b": x}}',
        "about: a \u202e b: c",
        "turn: pass \u202e",
    ],
)
def test_what_is_wrong_is_shown(tmp_path: Path, line: str) -> None:
    path = tmp_path / "x.yaml"
    key = line.partition(":")[0]
    kept = [one for one in GAME.splitlines(keepends=True) if not one.startswith(f"{key}:")]
    path.write_text(f"{line}\n{''.join(kept)}", "utf-8")
    gdl("check", path)
    gdl("check", path, "--json")
    gdl("show", path)


@pytest.mark.parametrize("name", ["b\u202e", "b\u200b", "b c", "b-c", "\u2603"])
def test_points_may_have_no_such_names(tmp_path: Path, name: str) -> None:
    path = tmp_path / "x.yaml"
    board = f"{{points: {{a1: 0 0, '{name}': 1 0}}, lines: [a1 {name}]}}"
    turn = "  choose s in empty\n  place Stone at s\n"
    path.write_text(f"game: G\nplayers: A, B\nboard: {board}\nstuck: draw\nturn: |\n{turn}")
    for command in (("check", path), ("show", path), ("moves", path, "--json"), ("graph", path)):
        assert gdl(*command).exit_code == 1


def test_a_caret_stands_below_what_it_means() -> None:
    source = Source("x", f"ab{DONE}cd\n")
    text = Diagnostic("code", "Message.", Span(source, 2 + len(DONE), 4 + len(DONE))).to_text()
    _, _, _, line, caret = text.split("\n")
    assert line[caret.index("^") : caret.rindex("^") + 1] == "cd"
