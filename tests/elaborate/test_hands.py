"""Pieces off the board as positions have them: told in words and as data, and read back."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.interpreter import load
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.positions.position_text import hands_text, state_text
from gdl.interpreter.render.svg.layout import Layout

GAME = """
game: Hands
players: White, Black
pieces: Man, King, neutral Ball
board: square(2, 2)
hands: {Man: 2, White King: 1, neutral Ball: 3}
turn: |
  choose k in kinds
  choose s in empty
  place k from hand at s
stuck: draw
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "hands.yaml"
    file.write_text(GAME)
    return str(file)


def test_hands_are_told_by_side_and_kind(path: str) -> None:
    position = load(path).start().play("Man a1").play("Ball b1").play("King a2")
    assert position.hands() == {"White": {"Man": 1}, "Black": {"Man": 2}, "neutral": {"Ball": 2}}
    assert hands_text(position) == "In hand: White Man 1; Black Man 2; neutral Ball 2"
    assert state_text(position) == ""


def test_hands_of_one_kind_are_numbers(tmp_path: Path) -> None:
    file = tmp_path / "one.yaml"
    one = GAME.replace("{Man: 2, White King: 1, neutral Ball: 3}", "{Man: 2}")
    file.write_text(one + "display:\n  captions:\n    hand(Black): Black has {} men\n")
    position = load(str(file)).start()
    assert hands_text(position) == "In hand: White 2"
    assert state_text(position) == "Black has 2 men"


def test_hands_are_kept_in_data(path: str) -> None:
    rules = load(path)
    position = rules.start().play("King a1")
    assert rules.from_json(position.to_json()) == position
    told = CliRunner().invoke(make_app(), ["show", path, "--after", "King a1", "--json"])
    shown = json.loads(told.stdout)
    assert shown["hands"] == {"White": {"Man": 2}, "Black": {"Man": 2}, "neutral": {"Ball": 3}}


LYING = """
game: Lying
players: White, Black
pieces: Man, King
board: square(3, 3)
hands: {Man: 8, King: 1}
state: {given: kind, keeper: side, wind: name in (north, south)}
turn: |
  choose k in kinds
  choose s in empty
  place k from hand at s
  set given = k
  set keeper = mover
  set wind = south
stuck: draw
display:
  figures: {King: king, given: disc, keeper: card, wind: card}
  captions: {given: "to be placed: {}", keeper: "{} has the move", wind: "wind: {}"}
"""


def test_kinds_sides_and_names_with_a_figure_lie_beside_the_board(tmp_path: Path) -> None:
    file = tmp_path / "lying.yaml"
    file.write_text(LYING)
    beside = load(str(file)).start().play("King b2").scene().beside
    assert [line.text for line in beside] == [
        *("White has in hand", "Black has in hand"),
        *("to be placed: King", "White has the move", "wind: south"),
    ]
    given, keeper, wind = (line.marks[0] for line in beside[2:])
    assert (given.kind, given.figure) == ("King", "king")
    assert (keeper.side, wind.side) == (0, None)


def test_pieces_beside_a_board_are_drawn_in_rows_that_are_no_wider(tmp_path: Path) -> None:
    file = tmp_path / "lying.yaml"
    file.write_text(LYING)
    scene = load(str(file)).start().scene()
    layout = Layout(scene)
    (left, _), (right, _) = layout.board_box
    first, *rows = layout.beside[0]
    assert first.text == "White has in hand" and not first.marks and len(rows) > 1
    assert sum((row.marks for row in rows), ()) == scene.beside[0].marks
    wide = max(2 * layout.radius * (1 + row.scale * len(row.marks)) for row in rows)
    assert wide <= right - left


def test_a_caption_of_an_empty_hand_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "one.yaml"
    one = GAME.replace("{Man: 2, White King: 1, neutral Ball: 3}", "{Man: 1}")
    file.write_text(one + "display:\n  captions:\n    hand(Black): Black has {} men\n")
    position = load(str(file)).start()
    assert state_text(position) == "Black has 1 men"
    assert state_text(position.play("Man a1").play("Man b1")) == ""


def test_what_never_comes_back_is_told_as_off_the_board(tmp_path: Path) -> None:
    path = tmp_path / "taken.yaml"
    path.write_text("""\
game: Taken
players: White, Black
pieces: Man
hands: Man
board: square(3, 1)
setup: {White Man: a1, Black Man: b1}
turn: |
  choose s in own
  choose t in east(s)
  if t in enemy
    move t to hand
  move s to t
stuck: loses
""")
    rules = load(str(path))
    position, game = rules.start().play("a1-b1"), rules.game
    assert game.last_hands == {"White", "Black"}
    assert hands_text(position) == "Off the board: Black 1"
    assert [one.text for one in position.scene().beside] == ["Black, off the board"]
    assert not load("shogi").game.last_hands and not load("hive").game.last_hands
