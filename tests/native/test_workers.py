"""Work that is shared: the same comes out, of games that no worker has a file of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.evaluation.playout import Statistics
from gdl.interpreter.native.runtime.games_of_a_worker import Playouts, play_packed
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.verify import Limits, Verdict
from gdl.interpreter.verify.packed import verify_packed
from gdl.interpreter.workers.packed import pack
from gdl.load import load_game
from gdl.resources.budget import Budget, allowed, budget

OWN = """
game: Own
players: Black, White
board: square(3, 3)
turn: |
  choose s in empty
  place Stone at s
end: |
  mover wins when in_a_row(own, 3)
stuck: draw
"""


def gdl(*arguments: object) -> Any:
    return CliRunner().invoke(make_app(), [str(argument) for argument in arguments])


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.yaml"
    path.write_text(OWN, "utf-8")
    return path


def test_a_game_is_sent_without_its_file_and_within_its_budget(own: Path) -> None:
    game = load_game(str(own))
    with allowed(Budget(3)):
        packed = pack(game)
    own.unlink()
    with packed.opened() as there, packed.opened() as again:
        assert there is again and there is not game
        assert (there.digest, budget()) == (game.digest, Budget(3))


def test_random_games_are_the_same_in_parts(own: Path) -> None:
    game = load_game(str(own))
    native = NativeRules(game)
    asked = Playouts(native.start(), 7, 100, 1, checked=False)
    parts = Statistics(game.sides, 2)
    for numbers in (range(3), range(3, 10)):
        parts.include(play_packed(pack(game), asked, numbers))
    assert parts == native.playouts(native.start(), 10, 7, 100)


def test_a_worker_comes_to_the_same_verdict(own: Path) -> None:
    verdict = verify_packed("native", 1, Limits(games=2), pack(load_game(str(own))))
    assert isinstance(verdict, Verdict)
    assert verdict.difference is None and verdict.compared.games == 2
    assert verify_packed("native", 1, Limits(), None) is None


def test_the_reference_is_not_sent(own: Path) -> None:
    result = gdl("playout", own, "--backend", "reference", "--workers", 2)
    assert result.exit_code == 2 and "in this process alone" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [("playout", "hex", "-n", 300_000, "--seed", 1), ("verify", "hex", "tic-tac-toe", "-n", 1)],
)
def test_processes_come_to_what_one_does(arguments: tuple[object, ...]) -> None:
    alone, shared = (
        json.loads(gdl(*arguments, "--json", *more).stdout) for more in ((), ("--workers", 2))
    )
    if arguments[0] == "playout":
        alone, shared = alone["outcomes"], shared["outcomes"]
    else:
        for verdict in (*alone, *shared):
            del verdict["preparing_seconds"]
    assert alone == shared
