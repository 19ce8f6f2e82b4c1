"""What `gdl check` finds in examples: they are read, and run where games are played."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.interpreter.check import Effort, Finding, Work, check_game, examples
from gdl.interpreter.check.effort import WITHOUT_PLAY
from gdl.interpreter.check.subject import Subject

GAME = """\
game: Small
players: Black, White
board: square(3, 3)
options: {length: 3 in 2..3}
turn: |
  choose s in empty
  place Stone at s
end:
  - mover wins when in_a_row(own, length)
  - draw when full
examples:
"""
LINE = GAME.count("\n") + 1
EFFORT = Effort(0.025)


def findings(folder: Path, example: str, effort: Effort) -> list[Finding]:
    """Return the errors of a game with one example."""
    path = folder / "small.yaml"
    path.write_text(f"{GAME}  - {example}\n", "utf-8")
    return [f for f in check_game(str(path), effort) if f.diagnostic.severity == "error"]


@pytest.mark.parametrize(
    ("example", "code", "place"),
    [
        ("{setup: {seeds: 0}}", "no-such-piece", "seeds"),
        ("{play: 'a1, z9'}", "example-failed", "z9"),
        ("{play: a1, winner: Blak}", "example-failed", "Blak"),
        ("{play: a1, to_move: Zed}", "example-failed", "Zed"),
        ("{play: a1, then: [{legal: z9}]}", "example-failed", "z9"),
        ("{play: a1, values: {foo: 3}}", "unknown-name", "foo"),
        ("{play: a1, after: {count: foo}}", "unknown-name", "foo"),
        ("{options: {size: 3}, play: a1}", "unknown-option", ""),
    ],
)
def test_an_example_that_cant_be_read(tmp_path: Path, example: str, code: str, place: str) -> None:
    (found,) = findings(tmp_path, example, WITHOUT_PLAY)
    assert found.diagnostic.code == code
    assert found.diagnostic.span is not None and found.diagnostic.span.line == LINE
    assert place in found.diagnostic.span.text


@pytest.mark.parametrize("effort", [WITHOUT_PLAY, EFFORT])
def test_an_example_in_a_notation(tmp_path: Path, effort: Effort) -> None:
    path = tmp_path / "small.yaml"
    notation = "notation:\n  short:\n    sites: numbers, letters\n    moves: '{first}'\n"
    path.write_text(GAME.replace("examples:", f"{notation}examples:") + "  - {play: 1a}\n", "utf-8")
    assert not [f for f in check_game(str(path), effort) if f.diagnostic.severity == "error"]


def test_games_of_options_alone_wait_for_play_where_a_file_is_long(tmp_path: Path) -> None:
    path, bad = tmp_path / "small.yaml", "{options: {length: 2}, play: 'a1, z9'}"
    with_option = GAME.replace("square(3, 3)", "square(size, 3)").replace(
        "options: {", "options: {size: 3 in 0..5, "
    )
    path.write_text(f"{with_option}  - {bad}\n", "utf-8")

    def codes(effort: Effort) -> set[str]:
        return {found.diagnostic.code for found in check_game(str(path), effort)}

    both = {"example-failed", "option-fails"}
    assert both <= codes(WITHOUT_PLAY)
    path.write_text("# long\n" * 3000 + path.read_text("utf-8"), "utf-8")
    assert not both & codes(WITHOUT_PLAY)
    assert both <= codes(EFFORT)


@pytest.mark.parametrize(
    "example", ["{play: a1, winner: Black}", "{play: 'a1, a1'}", "{options: {length: 2}, count: 8}"]
)
def test_an_example_that_does_not_hold_is_told_where_games_are_played(
    tmp_path: Path, example: str
) -> None:
    assert findings(tmp_path, example, WITHOUT_PLAY) == []
    (found,) = findings(tmp_path, example, EFFORT)
    assert found.diagnostic.code == "example-failed"
    assert found.diagnostic.span is not None and found.diagnostic.span.line == LINE


@pytest.mark.parametrize("effort", [WITHOUT_PLAY, EFFORT])
def test_an_example_that_holds(tmp_path: Path, effort: Effort) -> None:
    good = "{options: {length: 2}, play: 'a1, c3, a2', winner: Black, values: {Black: a1 | a2}}"
    assert findings(tmp_path, good, effort) == []


def test_examples_that_are_too_much_work_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(GAME + "  - {count: 9}\n" * 3, "utf-8")
    (found,) = examples.check_examples(Subject(str(path), Work(Effort(1e-9))))
    assert found.diagnostic.code == "examples-not-run"
    assert found.diagnostic.message.startswith("2 of 3 examples")
