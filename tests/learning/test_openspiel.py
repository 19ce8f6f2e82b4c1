"""OpenSpiel's own simulation test, over games of all kinds, and its algorithms on some."""

from __future__ import annotations

from pathlib import Path

import pytest
from learned_games import LEARNED

import gdl

pytest.importorskip("pyspiel", reason="the extra `rl` is not installed")

import pyspiel

from gdl.interpreter.learning.openspiel import parameters, register


@pytest.fixture(autouse=True, scope="module")
def registered() -> None:
    register()


@pytest.mark.at_night("chinese-checkers", "breakthrough", "hex]")
@pytest.mark.parametrize("name", LEARNED)
def test_games_at_random(name: str) -> None:
    game = pyspiel.load_game("gdl", parameters(name, max_plies=20))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("variants", [(), ("hidden bids",)])
def test_rounds_that_are_decided_together_are_simultaneous_nodes(variants: tuple[str, ...]) -> None:
    given = parameters("goofspiel", options={"cards": 4}, variants=variants)
    game = pyspiel.load_game("gdl", given)
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    in_turn = pyspiel.convert_to_turn_based(game)
    pyspiel.random_sim_test(in_turn, num_sims=2, serialize=True, verbose=False)
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    assert state.is_simultaneous_node()
    cards = [state.legal_actions(player) for player in (0, 1)]
    assert [len(each) for each in cards] == [4, 4] and not {*cards[0]} & {*cards[1]}
    state.apply_actions([cards[0][1], cards[1][0]])
    assert state.is_chance_node()


BOTH_LIFT_TWO = """
game: Both lift two
players: A, B
board: square(4, 2)
pieces: Man
setup: {A Man: bottom, B Man: top}
state: {upper(players): sites, lower(players): sites}
phases:
  lifting:
    together: |
      choose a in own
      choose b in own - a
      set upper(mover) = a
      set lower(mover) = b
    turn: |
      remove upper(A) | upper(B) | lower(A) | lower(B)
end:
  - draw when no Man
"""


def test_rounds_of_several_decisions_are_gone_through_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "lift.yaml"
    path.write_text(BOTH_LIFT_TWO, "utf-8")
    game = pyspiel.load_game("gdl", parameters(str(path)))
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("tic-tac-toe", ("DETERMINISTIC", "PERFECT_INFORMATION", "ZERO_SUM")),
        ("royal-game-of-ur", ("EXPLICIT_STOCHASTIC", "PERFECT_INFORMATION", "ZERO_SUM")),
        ("backgammon", ("EXPLICIT_STOCHASTIC", "PERFECT_INFORMATION", "ZERO_SUM")),
        ("phantom-tic-tac-toe", ("DETERMINISTIC", "IMPERFECT_INFORMATION", "ZERO_SUM")),
    ],
)
def test_a_game_says_of_what_kind_it_is(name: str, kind: tuple[str, ...]) -> None:
    told = pyspiel.load_game("gdl", parameters(name)).get_type()
    assert (told.chance_mode.name, told.information.name, told.utility.name) == kind


def test_what_a_game_is_worth_at_most_is_told_by_the_rules() -> None:
    games = [pyspiel.load_game("gdl", parameters(name)) for name in ("hex", "backgammon")]
    bounds = [(game.min_utility(), game.max_utility()) for game in games]
    assert bounds[0] == (-1, 1) and bounds[1] == (-3, 3)


PAID = """
game: Paid
players: {players}
board: square(3, 3)
turn: |
  choose s in empty
  place Stone at s
end:
  - {clause}
  - draw when full
"""


@pytest.mark.parametrize(
    ("clause", "sides", "is_zero_sum"),
    [
        ("mover wins by 3 when in_a_row(own, 3)", 2, True),
        ("mover wins by max(count(own), 2) * 2 + 1 when in_a_row(own, 3)", 2, True),
        ("highest count(own) wins by count(own) - count(enemy) when turns = 7", 2, True),
        ("highest count(own) wins by (count(own) - count(enemy)) * 2 / 3 when turns = 7", 2, True),
        ("highest count(own) wins by count(own) - 3 when turns = 7", 2, False),
        ("highest count(own) wins by count(own) when turns = 7", 2, False),
        (
            "highest count(own) wins by 3 * count(own) - count(A) - count(B) - count(C) when full",
            3,
            True,
        ),
        ("highest count(own) wins by count(own) - count(enemy) when turns = 7", 3, False),
        ("mover wins when in_a_row(own, 3)", 3, False),
        ("mover wins by 2 when in_a_row(own, 3)", 3, False),
    ],
)
def test_payoffs_that_come_to_nothing_make_a_zero_sum(
    clause: str, sides: int, is_zero_sum: bool, tmp_path: Path
) -> None:
    path = tmp_path / "paid.yaml"
    path.write_text(PAID.format(players="A, B, C"[: 3 * sides - 2], clause=clause), "utf-8")
    game = pyspiel.load_game("gdl", parameters(str(path)))
    assert (game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM) == is_zero_sum
    assert game.utility_sum() == (0 if is_zero_sum else None)


def test_what_openspiel_solves_is_what_the_solver_does() -> None:
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game("gdl", parameters("hex", options={"size": 2}))
    value, _ = minimax.alpha_beta_search(game)
    rules = gdl.load("hex", size=2)
    result = gdl.Solver(rules).solve(rules.start()).result
    assert value == 2 * result.value - 1


def test_a_player_cannot_tell_apart_what_it_does_not_see() -> None:
    game = pyspiel.load_game("gdl", parameters("phantom-tic-tac-toe"))
    states = [game.new_initial_state().child(action) for action in (1, 2)]
    assert len({state.information_state_string(1) for state in states}) == 1
    assert len({state.information_state_string(0) for state in states}) == 2
    assert len({tuple(state.observation_tensor(1)) for state in states}) == 1


def test_shares_of_chance_are_exact() -> None:
    """A coin is thrown for who begins, and four dice with two faces each."""
    game = pyspiel.load_game("gdl", parameters("royal-game-of-ur"))
    shares: list[float] = []

    def walk(state: pyspiel.State, share: float) -> None:
        if not state.is_chance_node():
            shares.append(share)
            return
        for action, one in state.chance_outcomes():
            walk(state.child(action), share * one)

    walk(game.new_initial_state(), 1.0)
    assert shares == pytest.approx([1 / 32] * 32)
