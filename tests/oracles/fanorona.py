"""Fanorona, from the rules in words.

In: after how many moves without a capture the game is drawn. Out: an oracle. What then holds: the
points are pairs of numbers, and a capture is carried out step by step on a board of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from oracles.oracle import DRAW, Point, other, site

Board = Mapping[Point, str]

START = "BBBBBBBBB BBBBBBBBB BWBW.BWBW WWWWWWWWW WWWWWWWWW"
SIDES = {"W": "White", "B": "Black"}


@dataclass(frozen=True)
class State:
    """The board, whose turn it is, the moves without a capture, and the positions so far."""

    board: Board
    side: str
    quiet: int
    past: tuple[object, ...]


@dataclass(frozen=True)
class Fanorona:
    """Columns 1 to 9, rows 1 to 5; diagonals lead from the points whose sum is even."""

    patience: int = 50

    def start(self) -> State:
        rows = START.split()[::-1]
        board = {
            (column + 1, row + 1): SIDES[letter]
            for row, text in enumerate(rows)
            for column, letter in enumerate(text)
            if letter != "."
        }
        return self._kept(board, "White", 0, ())

    @staticmethod
    def _kept(board: Board, side: str, quiet: int, past: tuple[object, ...]) -> State:
        return State(board, side, quiet, (*past, (frozenset(board.items()), side)))

    @staticmethod
    def _steps(board: Board, point: Point) -> Iterator[tuple[Point, Point]]:
        """Yield the ways to an empty neighbour along a line, and the neighbour."""
        for way in product((-1, 0, 1), repeat=2):
            goal = (point[0] + way[0], point[1] + way[1])
            slanting = 0 not in way
            if not 1 <= goal[0] <= 9 or not 1 <= goal[1] <= 5 or goal in board:
                continue
            if not slanting or sum(point) % 2 == 0:
                yield way, goal

    @staticmethod
    def _row(board: Board, point: Point, way: Point, side: str) -> list[Point]:
        """Return the unbroken row of a side's stones next to a point."""
        found = []
        point = (point[0] + way[0], point[1] + way[1])
        while board.get(point) == side:
            found.append(point)
            point = (point[0] + way[0], point[1] + way[1])
        return found

    def _captures(
        self, board: Board, point: Point, been: tuple[Point, ...], last: Point | None
    ) -> Iterator[tuple[str, Board]]:
        """Yield all that a stone may take from a point: the text and what is left."""
        foe = other(board[point])
        for way, goal in self._steps(board, point):
            if goal in been or way == last:
                continue
            back = (-way[0], -way[1])
            rows = {
                "approach": self._row(board, goal, way, foe),
                "withdraw": self._row(board, point, back, foe),
            }
            taken = {word: row for word, row in rows.items() if row}
            for word, row in taken.items():
                after = {p: side for p, side in board.items() if p != point and p not in row}
                after[goal] = board[point]
                text = f"-{site(goal)}" + (f" {word}" if len(taken) == 2 else "")
                yield text, after
                for more, end in self._captures(after, goal, (*been, point, goal), way):
                    yield text + more, end

    def moves(self, state: State) -> dict[str, State]:
        if self._result(state) is not None:
            return {}
        mine = [point for point, side in state.board.items() if side == state.side]
        found = {
            site(point) + text: self._kept(board, other(state.side), 0, state.past)
            for point in mine
            for text, board in self._captures(state.board, point, (), None)
        }
        if found:
            return found
        for point in mine:
            for _, goal in self._steps(state.board, point):
                board = {p: side for p, side in state.board.items() if p != point}
                board[goal] = state.side
                found[f"{site(point)}-{site(goal)}"] = self._kept(
                    board, other(state.side), state.quiet + 1, state.past
                )
        return found

    def _result(self, state: State) -> str | None:
        """Return what the position says, but for a side that can't move."""
        if state.side not in state.board.values():
            return other(state.side)
        drawn = state.quiet >= self.patience or state.past.count(state.past[-1]) >= 3
        return DRAW if drawn else None

    def outcome(self, state: State) -> str | None:
        return self._result(state) or (None if self.moves(state) else other(state.side))

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: State) -> dict[str, str]:
        return {site(point): side for point, side in state.board.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return state.side, 1 if state.side == "White" else 2
