"""Games with hidden information and moves at the same time, held against OpenSpiel.

In both, the same games are played. What then holds: the same moves are legal and the same sides
win; and two positions that were reached look alike to a side under our rules exactly if OpenSpiel
gives that player the same information state.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyspiel  # type: ignore[import-not-found]
import pytest

from gdl.interpreter import Position, Rules, load
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.information import Information

# OpenSpiel has no type information.
State = Any
Knowledge = tuple[Information, ...]


@dataclass(frozen=True)
class Hidden:
    """A game of ours and of OpenSpiel's, and how their moves are told from each other."""

    name: str
    openspiel: str
    action: Callable[[Position, Move, State], int]
    """OpenSpiel's action for a move of a position, which is its state."""
    counts_plies: bool = False
    """Whether OpenSpiel tells each player how many actions there were."""
    recalls: bool = True
    """Whether OpenSpiel's information state keeps the order of what was done."""
    options: dict[str, str | int | bool] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    payoff: int = 1
    """How much of ours what a game is worth there is."""
    games: int = 150

    def rules(self) -> Rules:
        return load(self.name, self.options, self.variants)


def cell_from_above(position: Position, move: Move, state: State) -> int:
    """Cells row by row; OpenSpiel's first row is the uppermost."""
    site = position.rules.game.board.sites[move.decisions[0]]
    columns = max(s.column for s in position.rules.game.board.sites)
    rows = max(s.row for s in position.rules.game.board.sites)
    return int((rows - site.row) * columns + site.column - 1)


def cell(position: Position, move: Move, state: State) -> int:
    """Cells in the order of ours."""
    return move.decisions[0]


def card(position: Position, move: Move, state: State) -> int:
    """Cards and prizes by what they are worth, from 0."""
    return int(position.rules.game.board.sites[move.decisions[0]].column - 1)


def ship_or_shot(position: Position, move: Move, state: State) -> int:
    """Ships by their bows, and shots, in the sea of the side that it is: rows from above."""
    words = move.text.split()
    board = position.rules.game.board
    site = next(site for site in board.sites if site.name == words[0])
    size = max(site.column for site in board.sites)
    place = f"({(-site.row) % size}, {site.column - 1})"
    way = {"east": "horizontally", "south": "vertically"}.get(words[-1])
    text = (
        f"shoot at {place}" if way is None else f"place ship {way} with top-left corner in {place}"
    )
    named = {state.action_to_string(action): action for action in state.legal_actions()}
    return int(named[f"Pl{position.side}: {text}"])


GAMES = (
    Hidden("phantom-tic-tac-toe", "phantom_ttt", cell_from_above),
    Hidden("dark-hex", "dark_hex", cell, counts_plies=True, options={"size": 3}),
    Hidden(
        "battleship",
        "battleship(board_width=3,board_height=3,ship_sizes=[2;3],ship_values=[1;1],num_shots=9,"
        "allow_repeated_shots=False)",
        ship_or_shot,
        options={"size": 3, "ships": 2},
    ),
    Hidden("goofspiel", "goofspiel(num_cards=4)", card, recalls=False, options={"cards": 4}),
    Hidden(
        "goofspiel",
        "goofspiel(num_cards=4,imp_info=True)",
        card,
        options={"cards": 4},
        variants=("hidden bids",),
    ),
    Hidden(
        "goofspiel",
        "goofspiel(num_cards=4,returns_type=point_difference)",
        card,
        recalls=False,
        options={"cards": 4},
        variants=("by points",),
        payoff=2,  # There it is the difference from the mean of both.
    ),
)


class Alike:
    """Pairs what we say a side knows with what OpenSpiel says: one to one, or a test fails.

    Where OpenSpiel does not recall the order of what was done, we may know more.
    """

    def __init__(self, recalls: bool) -> None:
        self._recalls = recalls
        self._theirs: dict[object, str] = {}
        self._ours: dict[tuple[str, str], object] = {}
        self.repeated = 0

    def compare(self, side: str, ours: object, theirs: str) -> None:
        self.repeated += ours in self._theirs
        assert self._theirs.setdefault(ours, theirs) == theirs, f"{side} is told apart"
        if self._recalls:
            assert self._ours.setdefault((side, theirs), ours) == ours, f"{side} can't know this"


def reached(position: Position, state: State) -> Iterator[tuple[int, str]]:
    """Yield what OpenSpiel tells each player of a state in which somebody decides."""
    if not state.is_terminal() and not state.is_chance_node():
        for player in range(len(position.rules.sides)):
            yield player, f"{position.mover}: {state.information_state_string(player)}"


def played(game: Hidden, rules: Rules, chance: random.Random, alike: Alike) -> None:
    """Play a random game in both, and compare all that sides know on the way."""
    state = pyspiel.load_game(game.openspiel).new_initial_state()
    position = rules.start()
    known = [Information.at(position, side) for side in rules.sides]
    plies, joint = 0, list[int]()
    while not state.is_terminal():
        if not joint:
            for player, theirs in reached(position, state):
                ours = (plies if game.counts_plies else 0, position.mover, known[player])
                alike.compare(rules.sides[player], ours, theirs)
        legal = {game.action(position, move, state): move for move in position.moves()}
        player = position.side if state.is_simultaneous_node() else state.current_player()
        assert sorted(legal) == sorted(state.legal_actions(player))
        action = chance.choice(sorted(legal))
        before, position = position, position.play(legal[action])
        known = [one.after(before, legal[action], position) for one in known]
        plies += 1
        if not state.is_simultaneous_node():
            state.apply_action(action)
        elif len(joint) == len(rules.sides) - 1:
            state.apply_actions([*joint, action])
            joint = []
        else:
            joint.append(action)
    compare_outcome(position, [game.payoff * worth for worth in state.returns()])


def compare_outcome(position: Position, returns: Sequence[float]) -> None:
    """Compare who has won; OpenSpiel makes moves itself where there is no choice left."""
    while position.outcome is None:
        (move,) = position.moves()
        position = position.play(move)
    best = max(returns)
    winners = [side for side, value in zip(position.rules.sides, returns, strict=True) if value > 0]
    assert list(position.outcome.winners) == (winners if best > 0 else [])
    if position.outcome.payoffs:
        assert list(position.outcome.payoffs) == list(returns)


@pytest.mark.at_night("battleship")
@pytest.mark.parametrize("game", GAMES, ids=lambda game: "-".join((game.name, *game.variants)))
def test_sides_know_what_openspiel_says(game: Hidden) -> None:
    rules, chance, alike = game.rules(), random.Random(1), Alike(game.recalls)
    for _ in range(game.games):
        played(game, rules, chance, alike)
    assert alike.repeated > game.games
