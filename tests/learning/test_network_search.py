"""Search by a network: what it finds, and that games do not depend on one another."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import gdl
from gdl.interpreter.learning.network_search import NetworkSearch
from gdl.interpreter.matches.plan import Match
from gdl.interpreter.matches.play import play_game
from gdl.interpreter.search.levels import Strength
from gdl.interpreter.sessions.seats import EnginePlayer

Arrays = tuple[NDArray[Any], NDArray[Any]]


def knows_nothing(observation: NDArray[Any], scalars: NDArray[Any], mask: NDArray[Any]) -> Arrays:
    return np.ones(mask.shape), np.zeros(len(mask))


def after(rules: gdl.Rules, *texts: str) -> gdl.Position:
    position = rules.start()
    for text in texts:
        position = position.play(text)
    return position


def searched(rules: gdl.Rules, positions: list[gdl.Position], **more: Any) -> list[str]:
    """Return the action that is tried most in each position."""
    search = NetworkSearch(rules, len(positions), knows_nothing, **more)
    search.env.put(list(range(len(positions))), positions)
    visits, _ = search.run(search.env.save())
    return [search.env.actions.text(int(action)) for action in visits.argmax(axis=1)]


def test_it_wins_and_it_prevents_a_win() -> None:
    rules = gdl.load("tic-tac-toe")
    positions = [after(rules, "a1", "a2", "b1", "b2"), after(rules, "a1", "c3", "b1")]
    assert searched(rules, positions, iterations=200) == ["c1", "c1"]


def test_a_turn_of_several_decisions_is_gone_through_by_one_seat() -> None:
    rules = gdl.load("breakthrough")
    search = NetworkSearch(rules, 1, knows_nothing, iterations=300)
    rows = ["." * 8] * 8
    rows[1] = ".X......"
    rows[4] = "....O..."
    symbols = {layer.name: layer.symbol for layer in rules.game.layers}
    white, black = symbols["White Man"], symbols["Black Man"]
    drawn = "\n".join(" ".join(row).replace("X", white).replace("O", black) for row in rows)
    position = rules.from_rows(drawn, mover="White")
    search.env.put([0], [position])
    visits, values = search.run(search.env.save())
    assert search.env.actions.text(int(visits[0].argmax())) == "b7" and values[0, 0] > 0.5


def test_a_game_is_searched_as_if_it_were_alone() -> None:
    rules = gdl.load("tic-tac-toe")
    positions = [after(rules, *texts) for texts in (("b2",), ("a1", "b2"), ())]
    together = NetworkSearch(rules, 3, knows_nothing, iterations=60)
    together.env.put([0, 1, 2], positions)
    visits, values = together.run(together.env.save())
    for row, position in enumerate(positions):
        alone = NetworkSearch(rules, 1, knows_nothing, iterations=60)
        alone.env.put([0], [position])
        own_visits, own_values = alone.run(alone.env.save())
        assert (own_visits[0] == visits[row]).all() and (own_values[0] == values[row]).all()


def test_priors_and_values_lead_the_search() -> None:
    rules = gdl.load("hex", size=3)

    def likes_the_centre(observation: Any, scalars: Any, mask: NDArray[Any]) -> Arrays:
        priors = np.full(mask.shape, 0.01)
        priors[:, 5] = 1.0
        return priors, np.full(len(mask), 0.25)

    visits, values = NetworkSearch(rules, 1, likes_the_centre, iterations=1).run()
    assert visits[0].argmax() == 5
    assert values[0] == pytest.approx([(0.25 - 0.25) / 2, 0.0])
    noisy = NetworkSearch(rules, 8, likes_the_centre, iterations=20, noise=1.0, seed=1)
    visits, _ = noisy.run()
    assert len({tuple(row) for row in visits.tolist()}) > 1


@pytest.mark.parametrize("name", ["royal-game-of-ur", "8-puzzle", "go", "chinese-checkers"])
def test_games_of_all_kinds_are_searched(name: str) -> None:
    """With chance, of one side, with positions that are remembered, of turns without a bound."""
    search = NetworkSearch(gdl.load(name), 2, knows_nothing, iterations=12)
    visits, values = search.run()
    assert visits.sum(axis=1).tolist() == [12, 12] and np.isfinite(values).all()


@pytest.mark.parametrize("leaves", [1, 8])
def test_an_engine_searches_by_a_network(leaves: int) -> None:
    rules = gdl.load("tic-tac-toe")
    search = NetworkSearch(rules, 1, knows_nothing, leaves=leaves, seed=1)
    engine = gdl.Engine(rules, network=search)
    for texts in (("a1", "a2", "b1", "b2"), ("a1", "c3", "b1")):
        found = engine.analyse(after(rules, *texts), iterations=200)
        assert found.best_move is not None and found.best_move.text == "c1"
        assert found.iterations == 200 == sum(move.visits for move in found.moves)
        assert found.moves[0].line[0] == found.best_move and len(found.moves[0].line) <= 9
    winning = engine.analyse(after(rules, "a1", "a2", "b1", "b2"), iterations=200, lines=0)
    assert winning.value["X"] > 0.8 and winning.value["X"] + winning.value["O"] == pytest.approx(1)
    assert engine.analyse(rules.start(), seconds=0.05).iterations > 0
    assert not engine.analyse(after(rules, "a1", "a2", "b1", "b2", "c1"), iterations=5).moves


def test_several_leaves_are_searched_as_one_would_be() -> None:
    """They go down other ways, and come to the same: what is tried most is the winning move."""
    rules = gdl.load("breakthrough")
    seen: list[int] = []

    def counted(observation: Any, scalars: Any, mask: NDArray[Any]) -> Arrays:
        seen.append(len(mask))
        return knows_nothing(observation, scalars, mask)

    search = NetworkSearch(rules, 2, counted, iterations=130, leaves=16)
    visits, _ = search.run()
    assert visits.sum(axis=1).tolist() == [130, 130]
    assert len(seen) == 1 + 9 and set(seen) == {32}, "once for the roots, then for 16 leaves"
    position = rules.start()
    engine = gdl.Engine(rules, network=NetworkSearch(rules, 1, knows_nothing, leaves=16))
    found = engine.analyse(position, iterations=400)
    legal = position.moves()
    assert found.moves and all(one.move in legal for one in found.moves)
    assert sum(one.visits for one in found.moves) <= 400


def test_an_engine_of_a_network_plays_matches() -> None:
    rules = gdl.load("tic-tac-toe")
    engine = gdl.Engine(rules, network=NetworkSearch(rules, 1, knows_nothing, leaves=4))
    player = EnginePlayer(Random(1), Strength(iterations=60, seconds=None), rules, engine=engine)
    match = Match("tic-tac-toe", ("network", "random"), 6, 2, opening=0)
    played = [play_game(rules.game, match, n, {"network": player}) for n in range(match.games)]
    assert sum(game.points[game.seats.index(0)] for game in played) > 4
    assert played == [play_game(rules.game, match, n, {"network": player}) for n in range(6)]


def test_payoffs_are_told_as_they_are() -> None:
    rules = gdl.load("backgammon")
    engine = gdl.Engine(rules, network=NetworkSearch(rules, 1, knows_nothing))
    position = rules.start()
    found = engine.analyse(position, iterations=30)
    assert set(found.payoffs) == set(rules.sides) and found.best_move is None
    assert 0 < sum(move.visits for move in found.moves) <= 30, "those tried to their last decision"


def test_what_cannot_be_is_refused() -> None:
    rules = gdl.load("hex", size=2)
    with pytest.raises(ValueError, match="hides something"):
        NetworkSearch(gdl.load("phantom-tic-tac-toe"), 1, knows_nothing)
    with pytest.raises(TypeError, match="as `load` gives them"):
        NetworkSearch("hex", 1, knows_nothing)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="iterations: 0, and 1 is the least"):
        NetworkSearch(rules, 1, knows_nothing, iterations=0)
    with pytest.raises(ValueError, match="a search of 2 games analyses no single position"):
        NetworkSearch(rules, 2, knows_nothing).analyse(rules.start())
    with pytest.raises(TypeError, match="a NetworkSearch of one game is wanted"):
        gdl.Engine(rules, network=knows_nothing)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"values have the shape \(3,\)"):
        NetworkSearch(rules, 2, lambda *given: (np.ones((2, 5)), np.zeros(3))).run()
