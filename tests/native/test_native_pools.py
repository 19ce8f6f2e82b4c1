"""Random moves drawn from pools: the games of the reference interpreter, and its positions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from replays import replayed

import gdl.interpreter.native.runtime.compiled as compiled
from gdl.diagnostic import Source
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.native.runtime.machine_code import this_machine
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_game, load_source
from gdl.model import Game

PLACING = """
game: Placing
family: line
players: Black, White
board: square({columns}, {rows})
turn: |
{turn}
end:
  - mover wins when in_a_row(own, {length})
  - draw when full
stuck: draw
"""
ANYWHERE = """
  choose s in empty
  place Stone at s
"""
TWO_PLACES = """
  choose s in empty
  choose t in empty - s
  place Stone at s
  place Stone at t
"""
TWO_POOLS = """
  either as low
    choose s in rows(1, 2) - occupied
    place Stone at s
  or as high
    choose t in rows(2, 4) - occupied
    place Stone at t
"""
TAKING = """
  choose s in empty
  place Stone at s
  remove adjacent(s) & enemy
"""

GAINING_SETS = """
game: Layers gain sets
players: White, Black, Red, Blue
pieces: Stone, King
board: square(12, 11)
setup:
  White King: a1
turn: |
  choose s in empty
  place Stone at s
  change (sites g in groups(enemy, adjacent) where not yes) to Stone
stuck: draw
end: draw when turns > 30
"""


def placing(columns: int, rows: int, length: int, turn: str = ANYWHERE) -> Game:
    text = PLACING.format(columns=columns, rows=rows, length=length, turn=turn.strip("\n"))
    return load_source(Source("placing.yaml", text))


def assert_same_games(game: Game, games: int) -> None:
    """Fail where a move is not legal, or a position or an ending not the reference's."""
    rules = NativeRules(game)
    assert replayed(rules, games, 2000, seed=3).finished == games


@pytest.mark.at_night("shape3")
@pytest.mark.parametrize("turn", [ANYWHERE, TWO_POOLS, TAKING])
@pytest.mark.parametrize("shape", [(8, 8), (13, 5), (15, 15), (22, 22)])
def test_games_are_those_of_the_reference(shape: tuple[int, int], turn: str) -> None:
    """Boards of one word, of two, of four, and one with more counts than a word has room for."""
    assert_same_games(placing(*shape, 5, turn), 2)


@pytest.mark.parametrize("shape", [(8, 8), (13, 5)])
def test_two_sites_are_taken_out_of_a_pool(shape: tuple[int, int]) -> None:
    assert_same_games(placing(*shape, 5, TWO_PLACES), 2)


def test_a_pool_that_is_made_anew_has_all_its_layers() -> None:
    """Those that nothing else looks at, too, such as one of kings that no turn moves."""
    rules = NativeRules(load_source(Source("gaining.yaml", GAINING_SETS)))
    rules.code.compile()
    assert replayed(rules, 4, 100, seed=3).finished == 4


@pytest.mark.parametrize("shape", [(8, 8), (15, 15)])
def test_pools_do_without_the_machine_s_deposits(
    shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    without = replace(this_machine(), features="")
    monkeypatch.setattr(compiled, "this_machine", lambda: without)
    assert_same_games(placing(*shape, 5), 2)


def test_a_game_goes_on_from_where_another_was_left() -> None:
    """What is kept beside a position while a game is played is made anew from it."""
    game = load_game("gomoku")
    rules, reference = NativeRules(game), ReferenceRules(game)
    state = rules.start()
    for plies in (1, 2, 40, 7):
        after = rules.playout(state, Chance(5, plies), plies).state
        assert len(reference.legal(state)) - len(reference.legal(after)) == plies
        assert after == reference.settle(after.values)
        state = after
    last = rules.playout(state, Chance(5), 2000)
    assert last.outcome == reference.outcome(last.state) is not None
