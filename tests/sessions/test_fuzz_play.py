"""Damaged saves, options and command lines: a result or a diagnostic, and nothing else."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from gdl.diagnostic import GameError, Source
from gdl.interpreter import load
from gdl.interpreter.cli.registry import COMMANDS, make_app
from gdl.interpreter.sessions.record import Record
from gdl.interpreter.sessions.replaying import replay
from gdl.interpreter.sessions.saves import parse_record, read_record, write_record
from gdl.load import load_game

PATIENT = settings(max_examples=60, deadline=None)
RUNNER = CliRunner()
TEXTS = st.text(
    st.characters(codec="utf-8", exclude_characters="\0") | st.sampled_from("=,-@.:/0123456789"),
    max_size=12,
)
WORDS = ("tic-tac-toe", "hex", "--option", "size=3", "--variant", "--after", "b2", "b2, a1")
BRIEFLY = {
    "analyse": ("--seconds", "0.1"),
    "check": ("--seconds", "0.1"),
    "diff": ("--seconds", "0.1"),
    "report": ("--seconds", "0.1"),
    "solve": ("--seconds", "0.1"),
    "tune": ("--seconds", "0.01", "--games", "1"),
    "verify": ("--seconds", "0.1"),
}
"""What keeps commands short that take seconds of their own accord, or have no end."""
LEFT_OUT = {"init", "new", "move", "serve"}
"""Commands that write files, and one that goes on until it is interrupted."""
FLAGS = ("--json", "--seed", "1", "--position", "--example", "--ascii", "-n", "2", "--max-plies")


def saved_game() -> str:
    start = load("hex", options={"size": 3, "pie": True}).start()
    moves = []
    position = start
    for text in ("b2", "swap", "a1"):
        moves.append(position.parse(text))
        position = position.play(moves[-1])
    return Record.of(start, moves).to_text()


SAVED = saved_game()


def test_the_save_that_is_damaged_below_is_a_good_one() -> None:
    position = replay(parse_record(Source("save", SAVED))).last
    assert position.pieces() == {"b2": "Red Stone", "a1": "Blue Stone"}


@PATIENT
@given(st.integers(0, len(SAVED) - 1), st.integers(0, 12), TEXTS)
def test_a_damaged_save(at: int, length: int, text: str) -> None:
    damaged = SAVED[:at] + text + SAVED[at + length :]
    try:
        position = replay(parse_record(Source("save", damaged))).last
    except GameError as error:
        assert error.diagnostics
    else:
        assert position.mover in position.rules.sides


@PATIENT
@given(st.dictionaries(st.sampled_from(("size", "pie", "row_of")) | TEXTS, TEXTS, max_size=3))
def test_options(options: dict[str, str]) -> None:
    try:
        game = load_game("hex", options)
    except GameError as error:
        assert error.diagnostics
    else:
        assert {option.name for option in game.options} >= set(options)


@settings(PATIENT, max_examples=25)  # A command may take a second.
@given(
    st.sampled_from(sorted({command.name for command in COMMANDS} - LEFT_OUT)),
    st.lists(st.sampled_from(WORDS + FLAGS) | TEXTS, max_size=5),
)
def test_command_lines(command: str, words: list[str]) -> None:
    if command == "perft":
        words = [*words[:2], "2"]
    result = RUNNER.invoke(make_app(), [command, *words, *BRIEFLY.get(command, ())], input="")
    assert result.exit_code in (0, 1, 2), result.output
    assert "internal-error" not in result.output
    assert "Traceback" not in result.output


def test_a_save_that_cant_be_written_loses_nothing() -> None:
    start = load("tic-tac-toe").start()
    record = Record.of(start, [start.parse("b2")])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.yaml"
        write_record(record, path)
        before = path.read_bytes()
        with pytest.raises(GameError):
            write_record(record, path / "below")
        assert path.read_bytes() == before
        assert [str(move) for move in replay(read_record(path)).moves] == ["b2"]
        assert sorted(item.name for item in Path(folder).iterdir()) == ["game.yaml"]
