"""Hive in lockstep with OpenSpiel, whose moves are told relative to other insects.

In: random games. Out: what then holds at every ply: the same side is on turn, the same moves are
legal, and the same insects stand in the same piles. OpenSpiel numbers the insects of a kind, so
several of its placements are one of ours; its board has a border, and where it stops a game there
or for its length, the comparison ends. In the first six plies it also lets insects go that hold the
hive together: there ours are among its moves, and published counts say that they are all.
"""

from random import Random
from typing import Any

import pyspiel  # type: ignore[import-not-found]
import pytest
from library_games import deep_marks

from interpreter import load

KINDS = {"Q": "Queen", "A": "Ant", "G": "Grasshopper", "B": "Beetle", "S": "Spider"}
BESIDE = {"-": (1, 0), "/": (0, 1), "\\": (1, -1)}
"""The step that a sign behind an insect stands for; before it, the opposite."""
WINDOW = 24
ORIGIN = (12, 12)
BASE = "hive(uses_mosquito=false,uses_ladybug=false,uses_pillbug=false)"
LONGEST = 150
LAX = 6
"""The plies for which OpenSpiel has moves that break the hive."""

Place = tuple[int, int]
Piles = dict[Place, list[str]]
"""Insects as OpenSpiel calls them, such as `wA1`, the lowest of a pile first."""


def site(place: Place) -> str:
    return f"{chr(ord('a') + place[0] - 1)}{place[1]}"


def found(piles: Piles, insect: str) -> Place | None:
    return next((place for place, pile in piles.items() if insect in pile), None)


def goal(piles: Piles, text: str) -> Place:
    """Where a move leads: beside another insect, upon it, or to the middle."""
    _, _, where = text.partition(" ")
    if not where:
        return ORIGIN
    place = found(piles, where.strip("-/\\"))
    assert place is not None
    sign = 1 if where[-1] in BESIDE else -1
    x, y = BESIDE.get(where[-1] if sign > 0 else where[0], (0, 0))
    return tuple((at + sign * by - 1) % WINDOW + 1 for at, by in zip(place, (x, y), strict=True))  # type: ignore[return-value]


def ours(piles: Piles, text: str) -> str:
    """A move of OpenSpiel's as ours reads."""
    if text == "pass":
        return text
    insect = text.split()[0]
    start, end = found(piles, insect), site(goal(piles, text))
    return f"{KINDS[insect[1]]} {end}" if start is None else f"{site(start)}-{end}"


def carry_out(piles: Piles, text: str) -> None:
    if text != "pass":
        insect, end = text.split()[0], goal(piles, text)
        start = found(piles, insect)
        if start is not None:
            assert piles[start].pop() == insect
            if not piles[start]:
                del piles[start]
        piles.setdefault(end, []).append(insect)


def seen(piles: Piles) -> dict[str, str]:
    """The uppermost insects by site, as ours are told."""
    sides = {"w": "White", "b": "Black"}
    return {
        site(place): f"{sides[pile[-1][0]]} {KINDS[pile[-1][1]]}" for place, pile in piles.items()
    }


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=deep_marks("hive")) for seed in range(4)]
)
def test_random_games_of_hive_are_the_same(seed: int) -> None:
    dice = Random(seed)
    position = load("hive").start()
    state: Any = pyspiel.load_game(BASE).new_initial_state()
    piles: Piles = {}
    for ply in range(LONGEST):
        assert dict(position.pieces()) == seen(piles)
        if state.is_terminal() and any(state.returns()):
            winner = "White" if state.returns()[0] > 0 else "Black"
            assert position.outcome is not None and position.outcome.winners == (winner,)
        if state.is_terminal() or position.over:
            break
        player = state.current_player()
        assert position.mover == ("White", "Black")[player]
        texts: dict[str, list[tuple[int, str]]] = {}
        for action in state.legal_actions():
            text = state.action_to_string(player, action)
            texts.setdefault(ours(piles, text), []).append((action, text))
        moves = {str(move) for move in position.moves()}
        assert moves == texts.keys() or (ply < LAX and moves < texts.keys())
        move = dice.choice(sorted(moves))
        action, text = texts[move][0]
        position = position.play(move)
        carry_out(piles, text)
        state.apply_action(action)
