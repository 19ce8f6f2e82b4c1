"""Backgammon in lockstep with OpenSpiel, by the positions that a turn can lead to.

In: random games. Out: what then holds at every roll: the same positions can be reached by the dice,
and games end alike, with the same payoffs. OpenSpiel's X is White. What it does otherwise:

- Both orders of two moves that come to the same are listed there, one here: so positions count.
- Two equal dice are two of its actions, of two moves each. The first is chosen with no look at the
  second, so it may have turns that use fewer dice than could be used: ours has no others.
"""

import re
from random import Random
from typing import Any

import pyspiel  # type: ignore[import-not-found]
import pytest
from library_games import deep_marks

from gdl.interpreter import Position, load

GAME = "backgammon(scoring_type=full_scoring)"
Standing = tuple[tuple[int, ...], tuple[int, int]]
"""The men on each point from White's first, Black's as negative numbers; those on the bar."""


def point(site: str) -> int:
    """The number of a point as White counts."""
    column = ord(site[0]) - ord("a")
    return 13 + column if site[1:] == "2" else 12 - column


def ours(position: Position) -> Standing:
    men = [0] * 24
    for site, pile in position.piles().items():
        men[point(site) - 1] = len(pile) if pile[-1].startswith("White") else -len(pile)
    bar = position.hands()
    return tuple(men), (bar["White"].get("Man", 0), bar["Black"].get("Man", 0))


def theirs(state: Any) -> Standing:
    men = tuple(state.board(0, 24 - n) - state.board(1, 24 - n) for n in range(1, 25))
    (bar,) = re.findall(r"Bar:(.*)", str(state))
    return men, (bar.count("x"), bar.count("o"))


def turns_of(state: Any) -> dict[Standing, Any]:
    """What a turn of OpenSpiel's can lead to, of equal dice both actions together."""
    side, found = state.current_player(), {}
    for action in state.legal_actions():
        child = state.child(action)
        if child.current_player() == side and not child.is_terminal():
            found |= {theirs(again): again for again in map(child.child, child.legal_actions())}
        else:
            found[theirs(child)] = child
    return found


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=deep_marks("backgammon")) for seed in range(3)]
)
def test_random_games_of_backgammon_are_the_same(seed: int) -> None:
    chance = Random(seed)
    position = load("backgammon").start()
    state: Any = pyspiel.load_game(GAME).new_initial_state()
    while not state.is_terminal():
        assert ours(position) == theirs(state)
        action = chance.choice(state.legal_actions())
        told = state.action_to_string(-1, action)
        (dice,) = re.findall(r"roll: (\d)(\d)", told)
        state.apply_action(action)
        position = position.play(" ".join(sorted(dice, reverse="X starts" in told)))
        assert position.mover == ("White", "Black")[state.current_player()]
        reached = {ours(after): after for after in map(position.play, position.moves())}
        wanted = turns_of(state)
        assert reached.keys() <= wanted.keys()
        assert reached.keys() == wanted.keys() or dice[0] == dice[1]
        goal = chance.choice(sorted(reached))
        position, state = reached[goal], wanted[goal]
    assert position.outcome is not None
    assert list(map(float, position.outcome.payoffs)) == list(state.returns())
