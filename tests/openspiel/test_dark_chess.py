"""Dark chess, held against OpenSpiel: moves, ends, and what each side sees, in games at random.

OpenSpiel writes what a side sees as a line of FEN: the board with `?`, rights to castle, where a
pawn may be taken in passing, and the moves since a capture or a pawn's move. Each word is compared
with our view of the same position.

In one thing OpenSpiel tells more: after a pawn's double step it names the square behind it to its
own side, too, if one of that side's pawns stands aslant of the square. As that is done only where
an enemy pawn could take, it gives away a pawn that isn't seen. Ours doesn't tell.
"""

import random
import re
from collections.abc import Iterator
from typing import Any

import pyspiel  # type: ignore[import-not-found]
import pytest

from gdl.interpreter import Position, load

State = Any
STARTS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq",
    pytest.param("r3k2r/p1p2p1p/8/1P1P4/4p1p1/8/P1PP1P1P/R3K2R w KQkq", marks=pytest.mark.slow),
    "4k3/1P3p2/8/8/8/8/2p3P1/4K3 w -",
    "1b2k3/8/8/8/8/8/8/2N1K3 w -",
)
PLIES = 220
SIDES = {"Black": 0, "White": 1}
ROOKS = {"q": "a8", "k": "h8", "Q": "a1", "K": "h1", "-": "none"}
CAPTURE_ROW = {"White": "6", "Black": "3"}
"""The row in which each side takes in passing."""


def rows(fen: str) -> str:
    """Return the board of a line of FEN as rows of ours."""
    board = re.sub(r"\d", lambda digit: "." * int(digit[0]), fen.split()[0])
    return "\n".join(" ".join(row) for row in board.split("/"))


def compare_views(position: Position, state: State) -> None:
    for side, player in SIDES.items():
        seen = state.observation_string(player)
        board, mover, rights, passing, quiet, _ = seen.split()
        view = position.view(side)
        values = dict(view.values)
        if passing[-1] not in ("-", CAPTURE_ROW[side]):
            board, passing = without(passing, board, view.unseen), "-"
        assert view.rows() == rows(board), f"{side} sees {seen}"
        assert view.mover[0].lower() == mover
        assert values["quiet"] == quiet
        assert set(values["castling"].split()) == {ROOKS[right] for right in rights}
        assert values["passing"] == passing.replace("-", "none")


def without(passing: str, board: str, unseen: tuple[str, ...]) -> str:
    """Return a board on which the square behind a double step is hidden, if ours hides it."""
    lines = [list(row.replace(" ", "")) for row in rows(board).split("\n")]
    if passing in unseen:
        assert lines[8 - int(passing[1])]["abcdefgh".index(passing[0])] == "."
        lines[8 - int(passing[1])]["abcdefgh".index(passing[0])] = "?"
    return "/".join("".join(line) for line in lines)


def choices(position: Position, state: State) -> Iterator[tuple[Position, State]]:
    """Yield where each legal move leads in both, after comparing them as boards."""
    ours = {after.rows(): after for after in map(position.play, position.moves())}
    theirs = {rows(str(after)): after for after in map(state.child, state.legal_actions())}
    assert ours.keys() == theirs.keys()
    for board in sorted(ours):
        yield ours[board], theirs[board]


@pytest.mark.at_night("RNBQKBNR", "4k3")
@pytest.mark.parametrize("start", STARTS)
def test_sides_see_what_openspiel_says(start: str) -> None:
    chance = random.Random(start)
    rules = load("dark-chess", {"start": rows(start)})
    game = pyspiel.load_game(f"dark_chess(fen={start} - 0 1)")
    position, state, ends = rules.start(), game.new_initial_state(), 0
    for _ in range(PLIES):
        compare_views(position, state)
        assert position.over == state.is_terminal()
        if position.outcome is None:
            position, state = chance.choice(list(choices(position, state)))
            continue
        won = [side for side, player in SIDES.items() if state.returns()[player] > 0]
        assert list(position.outcome.winners) == won
        position, state, ends = rules.start(), game.new_initial_state(), ends + 1
    assert ends or start == STARTS[0]
