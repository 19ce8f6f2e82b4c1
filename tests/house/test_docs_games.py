"""What the pages on the shipped games quote, show and count is so."""

from __future__ import annotations

from pathlib import Path

import pytest
from doc_pages import ROOT, blocks
from game_pages import (
    DISPLAY,
    PAGES,
    Command,
    Quotation,
    Row,
    commands,
    counted,
    display_picture,
    figures,
    plain,
    played,
    quotations,
    section,
)
from library_games import FEWEST, deep_marks, shipped

from gdl.load import find_game, shipped_names

COMMANDS = list(commands())
QUOTATIONS = list(quotations())
ROWS = [row for page in PAGES for row in figures(page)]
LONG = {
    "abalone",
    "amazons",
    "go",
    "halma",
    "lines-of-action",
    "minichess",
    "pente",
    "quoridor",
    "trellis",
    "trichet",
    "twixt",
}
"""Games of which the random games in a row take more than a second."""
SOURCES = ("blocs", "bridg-it", "quadrant-hex", "taifas", "trellis", "trellis-original", "trichet")


def marked(command: Command) -> object:
    marks = [pytest.mark.slow] if command.slow else []
    return pytest.param(command, id=command.place, marks=marks)


@pytest.mark.parametrize("command", [marked(command) for command in COMMANDS])
def test_command(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    picture = None if command.picture is None else tmp_path / "picture.svg"
    result = command.run(picture)
    assert result.exit_code == 0, result.stderr
    assert command.agrees(result.stdout), result.stdout
    if picture is not None and command.picture is not None:
        assert picture.read_bytes() == command.picture.read_bytes(), (
            "the picture is another now: `python tests/game_pages.py` draws all of them again"
        )


def test_the_picture_of_the_display() -> None:
    assert DISPLAY.read_text("utf-8") == display_picture()


@pytest.mark.parametrize("quotation", QUOTATIONS, ids=lambda quotation: quotation.place)
def test_quotation(quotation: Quotation) -> None:
    stands = plain(quotation.text) in plain(find_game(quotation.game).text)
    assert stands, f"the file of {quotation.game} has not these lines:\n{quotation.text}"


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row.cells[0], marks=deep_marks(row.game)) for row in ROWS]
)
def test_first_moves(row: Row) -> None:
    assert row.cells[1:3] == counted(row)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(
            row,
            id=row.cells[0],
            marks=deep_marks(row.game, FEWEST) + [pytest.mark.slow] * (row.game in LONG),
        )
        for row in ROWS
    ],
)
def test_random_games(row: Row) -> None:
    assert row.cells[4:] == played(row)


@pytest.mark.parametrize("name", shipped_names())
def test_each_game_has_its_place(name: str) -> None:
    text = section(name)
    assert text, "no page links to the game's file"
    assert any(row.game == name for row in ROWS)
    game = shipped(name)
    for word in (*(option.name for option in game.options), *game.all_variants):
        assert f"`{word}`" in text, f"`{word}` is not explained"
    for source in game.credits["source"].split(", "):
        assert source in text


@pytest.mark.parametrize("name", ["troll", *SOURCES])
def test_pages_of_the_source_games_are_complete(name: str) -> None:
    text = section(name)
    for part in ("**Rules.**", "**The file.**", "**Readings.**", "**Sources.**", "**Figures.**"):
        assert part in text, part
    assert f"```yaml {name}\n" in text
    assert "](images/" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_picture_has_a_command(page: Path) -> None:
    text = page.read_text("utf-8")
    drawn = {command.picture for command in COMMANDS}
    for name in text.split("](images/")[1:]:
        assert page.parent / "images" / name.partition(")")[0] in drawn


def test_a_page_has_only_what_is_tested() -> None:
    for page in PAGES:
        assert {block.language for block in blocks(page)} <= {"yaml", "console"}


def test_what_is_left_out_stands_for_any_lines() -> None:
    command = Command(("list",), "a\n...\nd\n", "here", slow=False)
    assert command.agrees("a\nb\nc\nd\n")
    assert command.agrees("a\nd\n")
    assert not command.agrees("a\nb\n")
    assert not command.agrees("x\na\nd\n")


def test_comments_and_indentation_of_a_quotation_do_not_matter() -> None:
    assert plain("  a: 1 # one\n\n# two\nb: 2\n") == plain("a: 1\n  b: 2")
    assert plain("a: 1") not in plain("aa: 1")
