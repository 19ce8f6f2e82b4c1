"""Short texts of moves: numbers of sites, letters of the ways to go on."""

from __future__ import annotations

import json
import random
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from gdl.board.make import BoardSpec, make_board
from gdl.interpreter import Position, load
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.evaluation.moves import IllegalMoveError, Move, MoveError, UnreadableMoveError
from gdl.interpreter.positions.position import Numbering
from gdl.interpreter.render.svg import render_svg
from gdl.interpreter.sessions.record import Record
from gdl.interpreter.sessions.replaying import replay
from gdl.interpreter.sessions.saves import read_record

BOARD = make_board(BoardSpec("square", "rectangle", (4, 4)))


def moves(*texts: str) -> list[Move]:
    return [Move((number,), text) for number, text in enumerate(texts)]


def test_sites_are_numbered_in_the_order_of_the_board() -> None:
    legal = moves("c1-c2", "b1-b2", "pass", "b1-b3", "put King d4")
    numbering = Numbering(BOARD, legal)
    assert [numbering.short(move) for move in legal] == ["2a", "1a", "", "1b", "3a"]
    assert {BOARD.sites[site].name: n for site, n in numbering.numbers.items()} == {
        "b1": 1,
        "c1": 2,
        "d4": 3,
    }


def test_a_short_text_reads_as_its_move_either_way_round() -> None:
    legal = moves(*(f"{site.name} {way}" for site in BOARD.sites for way in range(30)))
    numbering = Numbering(BOARD, legal)
    for move in legal:
        assert numbering.read(numbering.short(move)) == move
    assert numbering.read(" 2AD ") == numbering.read("ad2") == legal[30 + 29]


def test_a_site_where_a_move_can_begin_is_no_number() -> None:
    (move,) = legal = moves("c3")
    numbering = Numbering(BOARD, legal)
    assert numbering.short(move) == "1a"
    assert numbering.read("1a") == move
    assert numbering.read("a1") is None


def test_a_site_of_another_kind_is_no_obstacle() -> None:
    board = make_board(BoardSpec("triangular", "rhombus", (3, 3), ("cell", "vertex")))
    (move,) = legal = moves("b2u Dot")
    assert board.index("a1") is not None
    assert Numbering(board, legal).short(move) == "a1"
    assert Numbering(board, legal).read("a1") == move


@pytest.mark.parametrize(
    ("text", "hint"),
    [("3a", "1 to 2"), ("0a", "1 to 2"), ("1c", "a to b"), ("2b", "is a"), ("2aa", "is a")],
)
def test_numbers_and_letters_that_are_not_there(text: str, hint: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        Numbering(BOARD, moves("a1-b1", "a1-b2", "c3")).read(text)
    assert hint in caught.value.hint


@pytest.mark.parametrize("text", ["", "pass", "a1-b1", "a", "3", "a-3", "3 a", "a3a", "-1a"])
def test_other_texts_are_not_short_ones(text: str) -> None:
    assert Numbering(BOARD, moves("a1-b1")).read(text) is None


GAME = """game: Steps
players: White, Black
board: square(3, 2)
setup: {White Stone: bottom, Black Stone: top}
turn: |
  either
    choose s in own
    choose t in compass(s) - own
    move s to t
  or as go1
    require yes
stuck: draw
end:
  - mover wins when no enemy
display: {numbered: NUMBERED}
"""


def steps(tmp_path: Path, numbered: str = "yes") -> Position:
    path = tmp_path / "steps.yaml"
    path.write_text(GAME.replace("NUMBERED", numbered), "utf-8")
    return load(str(path)).start()


def test_the_long_texts_come_first(tmp_path: Path) -> None:
    start = steps(tmp_path)
    assert start.parse("go1").text == "go1"
    assert start.parse("2a").text == "b1-a2"
    assert [start.short(move) for move in start.moves()][-1] == ""
    with pytest.raises(MoveError, match="a2"):
        start.parse("a2")


def test_without_the_setting_there_are_none(tmp_path: Path) -> None:
    start = steps(tmp_path, "no")
    assert start.numbering is None
    assert not start.scene().highlights
    assert {start.short(move) for move in start.moves()} == {""}
    with pytest.raises(UnreadableMoveError):
        start.parse("2a")


def test_numbers_stand_on_the_board(tmp_path: Path) -> None:
    start = steps(tmp_path)
    assert start.render().splitlines()[3] == "1  │  ○1 │  ○2 │  ○3 │"
    assert set(start.scene().highlights.values()) == {"1", "2", "3"}


def test_a_record_keeps_the_long_texts(tmp_path: Path) -> None:
    start = steps(tmp_path)
    played = [start.parse("2a")]
    record = Record.of(start, played)
    assert record.moves == ("b1-a2",)
    short = Record(record.game, ("2a",))
    assert replay(short).last == replay(record).last == start.play("2a")


def test_in_play_every_short_text_reads_as_its_move() -> None:
    position = load("trichet", {"tiles": 12}).start()
    chance = random.Random(3)
    while not position.over:
        legal = position.moves()
        assert [position.parse(position.short(move)) for move in legal] == list(legal)
        assert len({position.short(move) for move in legal}) == len(legal)
        position = position.play(position.short(chance.choice(legal)))
    assert position.scene().highlights == {}
    with pytest.raises(IllegalMoveError):
        position.parse("a1")


# ------------------------------------------------------------------ the command line


def gdl(*arguments: object, typed: str | None = None) -> str:
    result = CliRunner().invoke(make_app(), [str(a) for a in arguments], input=typed)
    assert result.exit_code == 0, result.output
    return result.stdout


SMALL = ("--option", "tiles=6")


def test_the_list_of_moves_has_both_texts() -> None:
    lines = gdl("moves", "trichet", *SMALL).splitlines()
    assert len(lines) == 38
    assert lines[:2] == ["e2u Dot Dot  a1", "e2u Dot Oh   b1"]
    told = json.loads(gdl("moves", "trichet", *SMALL, "--json"))
    assert [f"{a:11}  {b}" for a, b in zip(told["moves"], told["short"], strict=True)] == lines
    assert "short" not in json.loads(gdl("moves", "hex", "--option", "size=2", "--json"))


def test_a_game_by_correspondence_takes_short_texts(tmp_path: Path) -> None:
    save = tmp_path / "game.yaml"
    gdl("new", "trichet", *SMALL, "-o", save, "--seed", "1")
    gdl("move", save, "c5")
    assert read_record(save).moves == ("e4u Oh Oh",)


def test_play_takes_short_texts() -> None:
    told = gdl("play", "trichet", *SMALL, typed="help\nc99\nmoves\nc5\n")
    assert "Where the board shows numbers" in told
    assert "The numbers on the board are 1 to 14." in told
    assert "c5: e4u Oh Oh" in told
    assert told.rstrip().endswith("Draw.")


def test_numbers_stand_in_the_picture() -> None:
    position = load("trichet", {"tiles": 6}).start()
    root = ElementTree.fromstring(render_svg(position.scene()))
    texts = {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {str(number) for number in range(1, 15)} <= texts
