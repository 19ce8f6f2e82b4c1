"""Pieces off the board as positions have them: told in words and as data, and read back."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from interpreter import load
from interpreter.cli.registry import make_app
from interpreter.positions.telling import hands_text, state_text

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
