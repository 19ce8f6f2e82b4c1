"""Hive in lockstep with OpenSpiel, whose moves are told relative to other insects.

In: random games, with and without expansions. Out: what then holds at every ply: the same side is
on turn, the same moves are legal, and the same insects stand in the same piles. OpenSpiel numbers
the insects of a kind, so several of its placements are one of ours; its board has a border, and
where it stops a game there or for its length, the comparison ends. In the first six plies it also
lets insects go that hold the hive together: there ours are among its moves, and published counts
say that they are all.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import pyspiel  # type: ignore[import-not-found]
import pytest
from library_games import deep_marks

from gdl.interpreter import load

KINDS = {
    "Q": "Queen",
    "A": "Ant",
    "G": "Grasshopper",
    "B": "Beetle",
    "S": "Spider",
    "M": "Mosquito",
    "L": "Ladybug",
    "P": "Pillbug",
}
BESIDE = {"-": (1, 0), "/": (0, 1), "\\": (1, -1)}
"""The step that a sign behind an insect stands for; before it, the opposite."""
EXPANSIONS = ("mosquito", "ladybug", "pillbug")
LONGEST = 150
LAX = 6
"""The plies for which OpenSpiel has moves that break the hive."""

Place = tuple[int, int]
"""How far a site is from the origin, in columns and rows."""
Piles = dict[Place, list[str]]
"""Insects as OpenSpiel calls them, such as `wA1`, the lowest of a pile first."""


def site(place: Place, variants: Sequence[str]) -> str:
    """The name of a place: our boards have windows of 24 columns and rows, or 30."""
    window = 30 if variants else 24
    column, row = ((at + window // 2 - 1) % window for at in place)
    return f"{'a' * (column // 26)}{chr(ord('a') + column % 26)}{row + 1}"


def found(piles: Piles, insect: str) -> Place | None:
    return next((place for place, pile in piles.items() if insect in pile), None)


def goal(piles: Piles, text: str) -> Place:
    """Where a move leads: beside another insect, upon it, or to the middle."""
    _, _, where = text.partition(" ")
    if not where:
        return 0, 0
    place = found(piles, where.strip("-/\\"))
    assert place is not None
    sign = 1 if where[-1] in BESIDE else -1
    x, y = BESIDE.get(where[-1] if sign > 0 else where[0], (0, 0))
    return place[0] + sign * x, place[1] + sign * y


def ours(piles: Piles, text: str, variants: Sequence[str]) -> str:
    """A move of OpenSpiel's as ours reads."""
    if text == "pass":
        return text
    insect = text.split()[0]
    start, end = found(piles, insect), site(goal(piles, text), variants)
    return f"{KINDS[insect[1]]} {end}" if start is None else f"{site(start, variants)}-{end}"


def carry_out(piles: Piles, text: str) -> None:
    if text != "pass":
        insect, end = text.split()[0], goal(piles, text)
        start = found(piles, insect)
        if start is not None:
            assert piles[start].pop() == insect
            if not piles[start]:
                del piles[start]
        piles.setdefault(end, []).append(insect)


def seen(piles: Piles, variants: Sequence[str]) -> dict[str, str]:
    """The uppermost insects by site, as ours are told."""
    sides = {"w": "White", "b": "Black"}
    return {
        site(place, variants): f"{sides[pile[-1][0]]} {KINDS[pile[-1][1]]}"
        for place, pile in piles.items()
    }


@pytest.mark.parametrize(
    ("variants", "seed"),
    [
        pytest.param(variants, seed, marks=deep_marks("hive"))
        for variants in ((), *((name,) for name in EXPANSIONS), EXPANSIONS)
        for seed in range(2 if len(variants) == 1 else 4)
    ],
)
def test_random_games_of_hive_are_the_same(variants: Sequence[str], seed: int) -> None:
    dice = Random(seed)
    position = load("hive", variants=variants).start()
    uses = ",".join(f"uses_{name}={str(name in variants).lower()}" for name in EXPANSIONS)
    state: Any = pyspiel.load_game(f"hive({uses})").new_initial_state()
    piles: Piles = {}
    for ply in range(LONGEST):
        assert dict(position.pieces()) == seen(piles, variants)
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
            texts.setdefault(ours(piles, text, variants), []).append((action, text))
        moves = {str(move) for move in position.moves()}
        assert moves == texts.keys() or (ply < LAX and moves < texts.keys())
        move = dice.choice(sorted(moves))
        action, text = texts[move][0]
        position = position.play(move)
        carry_out(piles, text)
        state.apply_action(action)
