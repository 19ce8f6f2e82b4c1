"""Dameo (Christian Freeling, 2000), from the rules in words.

In: nothing. Out: an oracle. What then holds: a capture is carried out jump by jump; what was jumped
over stays where it is till the end, and of all captures the longest are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from oracles.oracle import DRAW, Point, beside, other, site

Board = Mapping[Point, str]
"""Who stands where: `White Man`, `Black King` …"""

Capture = tuple[str, Point, frozenset[Point]]
"""How it reads, where it ends, and what it takes."""

START = {1: range(1, 9), 2: range(2, 8), 3: range(3, 7)}
"""The columns of a side's men in the rows from its own."""

MOST_QUIET = 50


@dataclass(frozen=True)
class State:
    """The board, whose turn it is, moves of kings in a row, and the positions so far."""

    board: Board
    side: str
    quiet: int
    past: tuple[object, ...]


@dataclass(frozen=True)
class Dameo:
    """Columns and rows are counted from 1; White goes up."""

    def start(self) -> State:
        board = {}
        for row, columns in START.items():
            for column in columns:
                board[column, row] = "White Man"
                board[column, 9 - row] = "Black Man"
        return self._next(board, "White", 0, ())

    @staticmethod
    def _next(board: Board, side: str, quiet: int, past: tuple[object, ...]) -> State:
        return State(board, side, quiet, (*past, (frozenset(board.items()), side)))

    def _is_drawn(self, state: State) -> bool:
        return state.quiet >= MOST_QUIET or state.past.count(state.past[-1]) >= 3

    def moves(self, state: State) -> dict[str, State]:
        return {} if self._is_drawn(state) else self._legal(state)

    def _legal(self, state: State) -> dict[str, State]:
        mine = [point for point, who in state.board.items() if who.startswith(state.side)]
        captures = [
            (start, capture)
            for start in mine
            for capture in self._captures(state.board, start, start, frozenset(), site(start))
            if capture[2]
        ]
        most = max((len(taken) for _, (_, _, taken) in captures), default=0)
        found = {
            text: self._after(state, start, end, taken)
            for start, (text, end, taken) in captures
            if len(taken) == most
        }
        if not found:
            for start in mine:
                for end in self._steps(state.board, start):
                    text = f"{site(start)}-{site(end)}"
                    found[text] = self._after(state, start, end, frozenset())
        return found

    def _after(self, state: State, start: Point, end: Point, taken: frozenset[Point]) -> State:
        who = state.board[start]
        board = {p: man for p, man in state.board.items() if p != start and p not in taken}
        last = 8 if state.side == "White" else 1
        board[end] = f"{state.side} King" if end[1] == last else who
        quiet = state.quiet + 1 if who.endswith("King") and not taken else 0
        return self._next(board, other(state.side), quiet, state.past)

    @staticmethod
    def _is_on_board(point: Point) -> bool:
        return all(1 <= number <= 8 for number in point)

    def _steps(self, board: Board, start: Point) -> Iterator[Point]:
        """Yield where a man steps, over men of its line, or where a king can go."""
        who = board[start]
        if who.endswith("King"):
            for way in product((-1, 0, 1), repeat=2):
                point = start
                while way != (0, 0):
                    point = (point[0] + way[0], point[1] + way[1])
                    if point in board or not self._is_on_board(point):
                        break
                    yield point
            return
        up = 1 if who.startswith("White") else -1
        for across in (-1, 0, 1):
            point = start
            while board.get(point) == who:
                point = (point[0] + across, point[1] + up)
            if point not in board and self._is_on_board(point):
                yield point

    def _captures(
        self, board: Board, start: Point, point: Point, taken: frozenset[Point], text: str
    ) -> Iterator[Capture]:
        """Yield whole captures that go on from a point; the piece itself has left its start."""
        who = board[start]
        ended = True
        for near in beside(point):
            way = (near[0] - point[0], near[1] - point[1])
            over = near
            while who.endswith("King") and self._is_free(board, start, over):
                over = (over[0] + way[0], over[1] + way[1])
            victim = board.get(over, "")
            if over == start or over in taken or not victim.startswith(other(who.split()[0])):
                continue
            landing = (over[0] + way[0], over[1] + way[1])
            while self._is_free(board, start, landing):
                ended = False
                further = f"{text}-{site(landing)}"
                yield from self._captures(board, start, landing, taken | {over}, further)
                if who.endswith("Man"):
                    break
                landing = (landing[0] + way[0], landing[1] + way[1])
        if ended:
            yield text, point, taken

    def _is_free(self, board: Board, start: Point, point: Point) -> bool:
        return self._is_on_board(point) and (point not in board or point == start)

    def outcome(self, state: State) -> str | None:
        if self._is_drawn(state):
            return DRAW
        return None if self._legal(state) else other(state.side)

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: State) -> dict[str, str]:
        return {site(point): who.split()[0] for point, who in state.board.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return state.side, 1 if state.side == "White" else 2
