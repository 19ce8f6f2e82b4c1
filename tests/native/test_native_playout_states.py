"""A random game that is stopped after each move: the same as one that is played whole."""

from __future__ import annotations

import pytest

from gdl.diagnostic import Source
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import RuleError, moves_between
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_game, load_source

MOST = 40
GAMES = ("hex", "havannah", "go", "chess", "backgammon", "halma", "amazons", "arimaa", "gomoku")


@pytest.mark.at_night("amazons", "arimaa", "chess")
@pytest.mark.parametrize("name", GAMES)
def test_its_states_are_those_of_shorter_games(name: str) -> None:
    rules = NativeRules(load_game(name))
    for number in range(3):
        states = rules.playout_states(rules.start(), Chance(1, number), MOST)
        whole = rules.playout(rules.start(), Chance(1, number), MOST)
        assert len(states) == whole.moves + 1
        for moves, state in enumerate(states):
            there = rules.playout(rules.start(), Chance(1, number), moves)
            assert there.state.values == state.values
        assert len(moves_between(rules, states)) == whole.moves


@pytest.mark.slow
def test_long_games_are_told_whole() -> None:
    rules = NativeRules(load_game("halma"))
    states = rules.playout_states(rules.start(), Chance(1), 2000)
    assert len(states) == 2001
    assert len(moves_between(rules, states)) == 2000


def test_a_game_that_ends_ends_there() -> None:
    rules = NativeRules(load_game("tic-tac-toe"))
    states = rules.playout_states(rules.start(), Chance(1), 100)
    assert 5 < len(states) <= 10
    assert states[-1].ended is not None
    assert rules.playout_states(states[-1], Chance(1), 5) == [states[-1]]


def test_chance_goes_on_where_the_game_has_stopped() -> None:
    rules = NativeRules(load_game("backgammon"))
    one, other = Chance(1), Chance(1)
    rules.playout_states(rules.start(), one, 30)
    rules.playout(rules.start(), other, 30)
    assert one.state == other.state


FAILING = """\
game: Failing
players: White, Black
board: square(3, 1)
state: {n: number in 0..1}
turn: |
  choose s in empty
  either as plain
    place Stone at s
  or as counted
    place Stone at s
    add 1 to n
    require n < 2
stuck: draw
end: draw when full
"""


def test_where_another_way_fails_moves_are_told_up_to_there() -> None:
    rules = ReferenceRules(load_source(Source("failing.yaml", FAILING)))
    start = rules.start()
    counted = next(move for move in rules.legal(start) if move.text == "a1 counted")
    after = rules.apply(start, counted)
    with pytest.raises(RuleError):
        rules.legal(after)
    told = moves_between(rules, (start, after, after))
    assert tuple(move.text for move in told) == ("a1 counted",)
