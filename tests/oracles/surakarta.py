"""Surakarta, from the rules in words.

In: after how many moves without a capture the pieces are counted. Out: an oracle. What then holds:
the two circuits are walked point by point, from each place that a stone has on them, both ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from oracles.oracle import DRAW, Point, other, site

Board = Mapping[Point, str]
SIZE = 6
LOOP = (0, 0)
"""What stands in a circuit where it goes around a corner outside of the board."""


def _circuit(low: int) -> list[Point]:
    """Return a circuit along the lines that are `low`-th from each side, with its four loops."""
    high = SIZE + 1 - low
    up, down = range(1, SIZE + 1), range(SIZE, 0, -1)
    east = [(x, low) for x in up]
    north = [(high, y) for y in up]
    west = [(x, high) for x in down]
    south = [(low, y) for y in down]
    return [*east, LOOP, *north, LOOP, *west, LOOP, *south, LOOP]


CIRCUITS = (_circuit(2), _circuit(3))


@dataclass(frozen=True)
class State:
    """The board, whose turn it is, and the moves without a capture."""

    board: Board
    side: str
    quiet: int = 0


@dataclass(frozen=True)
class Surakarta:
    """Columns and rows 1 to 6."""

    patience: int = 50

    def start(self) -> State:
        sides = {1: "White", 2: "White", 5: "Black", 6: "Black"}
        return State({(x, y): side for y, side in sides.items() for x in range(1, 7)}, "White")

    @staticmethod
    def _first(board: Board, circuit: list[Point], place: int, way: int) -> Point | None:
        """Return the first stone on the way, if a loop lies before it; the start is left empty."""
        start, loops = circuit[place], 0
        for step in range(1, len(circuit)):
            point = circuit[(place + way * step) % len(circuit)]
            if point == LOOP:
                loops += 1
            elif point != start and point in board:
                return point if loops else None
        return None

    def _goals(self, board: Board, point: Point) -> Iterator[tuple[Point, bool]]:
        """Yield where a stone can go, and whether it captures."""
        for across, up in product((-1, 0, 1), repeat=2):
            goal = (point[0] + across, point[1] + up)
            if min(goal) >= 1 and max(goal) <= SIZE and goal not in board:
                yield goal, False
        for circuit in CIRCUITS:
            for place, visited in enumerate(circuit):
                for way in (1, -1) if visited == point else ():
                    taken = self._first(board, circuit, place, way)
                    if taken is not None and board[taken] != board[point]:
                        yield taken, True

    def moves(self, state: State) -> dict[str, State]:
        if self._result(state) is not None:
            return {}
        found = {}
        for point in [p for p, side in state.board.items() if side == state.side]:
            for goal, captures in self._goals(state.board, point):
                board = {p: side for p, side in state.board.items() if p != point}
                board[goal] = state.side
                quiet = 0 if captures else state.quiet + 1
                key = f"{site(point)}-{site(goal)}"
                found[key] = State(board, other(state.side), quiet)
        return found

    def _result(self, state: State) -> str | None:
        owners = list(state.board.values())
        white, black = owners.count("White"), owners.count("Black")
        if not white or not black:
            return "White" if white else "Black"
        if state.quiet < self.patience:
            return None
        return DRAW if white == black else "White" if white > black else "Black"

    def outcome(self, state: State) -> str | None:
        return self._result(state) or (None if self.moves(state) else other(state.side))

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: State) -> dict[str, str]:
        return {site(point): side for point, side in state.board.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return state.side, 1 if state.side == "White" else 2
