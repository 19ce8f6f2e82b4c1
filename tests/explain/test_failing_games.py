"""Rules that fail in a game that a command tries: the moves that it tells lead there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gdl.diagnostic import Diagnostic
from gdl.interpreter import RuleError, load
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.sessions.failing import led_to

COUNTING = """game: Counting
players: A, B
board: square(2, 1)
state: {score(players): number in 0..9}
turn: |
  choose n in 1..3
  add n to score(mover)
end: A wins when turns > 20
"""
AFTER = re.compile(r'See it by `--after "(.*?)"`')


def gdl(*arguments: object, typed: str = "") -> Result:
    return CliRunner().invoke(make_app(), [str(a) for a in arguments], input=typed)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "counting.yaml"
    path.write_text(COUNTING, "utf-8")
    return path


def moves_told(result: Result) -> str:
    """Return the moves that a failure tells."""
    assert "overflow" in result.stderr, result.output
    found = AFTER.search(" ".join(result.stderr.split()))
    assert found is not None, result.stderr
    return found[1]


def see(moves: str, *begun: object) -> None:
    """Show what is told: the position is there, and one of its moves does not work."""
    shown = gdl("show", *begun, "--after", moves)
    assert shown.exit_code == 0, shown.output
    tried = [gdl("show", *begun, "--after", f"{moves}, {n}") for n in (1, 2, 3)]
    assert any("overflow" in one.stderr for one in tried)


ANALYSED = ("analyse", "--iterations", "400", "--seed", "1")


@pytest.mark.parametrize("command", [ANALYSED, ("playout", "--seed", "1")], ids=lambda c: c[0])
def test_moves_begin_where_the_game_does(command: tuple[str, ...], game: Path) -> None:
    call = (command[0], game, *command[1:])
    moves = moves_told(gdl(*call, "--after", "2, 3, 1"))
    assert moves.startswith("2, 3, 1, ")
    see(moves, game)


@pytest.mark.parametrize("command", [ANALYSED, ("playout", "--seed", "1")], ids=lambda c: c[0])
def test_moves_begin_where_the_position_was_set_up(
    command: tuple[str, ...], game: Path, tmp_path: Path
) -> None:
    path = tmp_path / "position.json"
    path.write_text(gdl("show", game, "--after", "1, 2", "--json").stdout)
    begun = (game, "--position", path)
    moves = moves_told(gdl(command[0], *begun, *command[1:], "--after", "3"))
    assert moves.startswith("3, ")
    see(moves, *begun)


def test_moves_begin_where_a_saved_game_has_come_to(game: Path, tmp_path: Path) -> None:
    path = tmp_path / "save.json"
    saved = {"game": str(game), "moves": ["1", "2"], "seats": {"1": "human", "2": "human"}}
    path.write_text(json.dumps(saved))
    moves = moves_told(gdl(ANALYSED[0], path, *ANALYSED[1:], "--after", "3"))
    assert moves.startswith("3, ")
    see(moves, path)


@pytest.mark.at_night("[2]")
@pytest.mark.parametrize("processes", [1, 2])
def test_moves_of_a_match_begin_where_its_game_does(game: Path, processes: int) -> None:
    call = ("match", game, "engine:400i", "engine:400i", "-n", "2", "--workers", processes)
    moves = moves_told(gdl(*call, "--opening", "3"))
    assert len(moves.split(", ")) > 3
    see(moves, game)


@pytest.mark.parametrize("backend", ["native", "reference"])
def test_the_move_that_fails_is_told(game: Path, backend: str) -> None:
    call = ("playout", game, "--seed", "1", "--backend", backend)
    text = game.read_text("utf-8")
    told = " ".join(gdl(*call).stderr.split())
    found = re.search(r"It happens after \d+ moves, in `([123])`\. See it", told)
    assert found is not None, told
    failing = f"{AFTER.findall(told)[0]}, {found[1]}"
    assert "overflow" in gdl("show", game, "--after", failing).stderr
    game.write_text(text.replace("0..9", "0..9 = 9"), "utf-8")
    told = " ".join(gdl(*call).stderr.split())
    assert "It happens in the first move, `1`." in told
    game.write_text(text.replace("in 1..3", "in 1..3 where 2 ^ (200 - turns) > 9"), "utf-8")
    told = " ".join(gdl(*call).stderr.split())
    assert "in the first move" not in told


@pytest.mark.parametrize("word", ["hint", "analyse"])
def test_moves_of_a_hint_begin_where_the_game_does(game: Path, word: str) -> None:
    result = gdl("play", game, "--plain", "--seed", "1", typed=f"2\n3\n1\n{word}\n")
    moves = moves_told(result)
    assert moves.startswith("2, 3, 1, ")
    see(moves, game)


def test_moves_of_an_engine_that_plays_begin_where_the_game_does(game: Path) -> None:
    call = ("play", game, "--plain", "--seed", "1", "--seat", "2=engine:400i", "--seat", "1=human")
    moves = moves_told(gdl(*call, "--after", "2, 3", typed="1\n"))
    assert moves.startswith("2, 3, 1, ")
    see(moves, game)


def test_moves_of_a_review_begin_where_the_game_does() -> None:
    rules = load("tic-tac-toe")
    moves = [rules.start().parse("b2")]
    positions = [rules.start(), rules.start().play(moves[0])]
    for position, led in zip(positions, ((), ("b2",)), strict=True):
        with pytest.raises(RuleError) as caught, led_to(position, positions, moves):
            raise RuleError(Diagnostic("overflow", "Too much."), ("a1",))
        assert caught.value.moves == (*led, "a1")
