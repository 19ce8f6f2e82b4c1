"""What games are worth: summed in random games and matches, kept in data, told, and played for."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from gdl.diagnostic import GameError
from gdl.interpreter.evaluation.playout import Statistics, playouts
from gdl.interpreter.matches.plan import Match
from gdl.interpreter.matches.play import play_game
from gdl.interpreter.matches.rating import standings
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.encoding import decode, encode
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.words.asker import Asker
from gdl.interpreter.words.clauses import clause_sentence
from gdl.load import load_game

GAME = """\
game: Two ways to win
players: White, Black
board: square(3, 3)
turn: |
  choose s in empty
  place Stone at s
end:
  - mover wins by 5 when own & columns(1) = left
  - mover wins by 1 / 2 when in_a_row(own, 3)
  - draw when full
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Write the game into a file."""
    path = tmp_path / "worth.yaml"
    path.write_text(GAME, "utf-8")
    return path


def test_mean_of_many_games_is_that_of_each(path: Path) -> None:
    native = NativeRules(load_game(str(path)))
    start = native.start()
    one_by_one = Statistics(native.game.sides, 2)
    for game in playouts(native, start, 200, seed=3):
        one_by_one.add(game)
    together = native.playouts(start, 200, 3, 100, 2)
    assert together.mean_payoffs == one_by_one.mean_payoffs
    assert together.mean_payoffs["White"] == -together.mean_payoffs["Black"] != 0
    assert together.to_json(1.0)["mean_payoffs"] == together.mean_payoffs


def test_engine_plays_for_the_greater_payoff(path: Path) -> None:
    rules = Rules(load_game(str(path)))
    position = rules.from_rows("XO./.OO/XX.", mover="White")
    analysis = Engine(rules, seed=1).analyse(position, iterations=3000)
    assert str(analysis.best_move) == "a2"
    assert analysis.payoffs["White"] == pytest.approx(5, abs=0.2)
    won = position.play("a2")
    assert str(won.outcome) == "White wins by 5"
    assert str(position.play("c1").outcome) == "White wins by 1/2"


def test_outcome_as_data(path: Path) -> None:
    rules = Rules(load_game(str(path)))
    position = rules.from_rows("XO./.OO/XX.", mover="White").play("c1")
    data = encode(rules.game, position.state)
    assert data["outcome"]["payoffs"] == ["1/2", "-1/2"]
    assert decode(rules.game, data) == position.state
    for wrong in (["1"], ["1", "x"], ["1", "1/0"], "12"):
        data["outcome"]["payoffs"] = wrong
        with pytest.raises(GameError):
            decode(rules.game, data)


def test_match_tells_the_mean(path: Path) -> None:
    match = Match(str(path), ("random", "greedy"), games=6, seats=2)
    game = load_game(str(path))
    games = [play_game(game, match, number) for number in range(6)]
    found = {standing.name: standing.payoff for standing in standings(match, games)}
    paid = [dict(zip(one.seats, one.payoffs, strict=True)) for one in games]
    assert found["greedy"] == pytest.approx(sum(one[1] for one in paid) / 6)
    assert found["greedy"] == -(found["random"] or 0) != 0


def test_clauses_in_words(path: Path) -> None:
    game = load_game(str(path))
    first, second, *_ = game.program.phases[0].turns[0].endings
    said = clause_sentence(first, Asker(game))
    assert said.startswith("The side that has just moved wins by five when")
    assert first.payoffs[0] != second.payoffs[0]
    assert Fraction(1, 2) == getattr(second.payoffs[0], "value", None)
