"""Turkish draughts, from the rules in words.

In: after how many moves of kings without a capture the game is drawn. Out: an oracle. What then
holds: captures are carried out jump by jump on boards of their own, and the longest are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from oracles.oracle import DRAW, Point, other, site

Board = Mapping[Point, str]
"""Who stands where: `White Man`, `Black King` …"""

WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))


@dataclass(frozen=True)
class State:
    """The board, whose turn it is, the moves of kings in a row, and the positions so far."""

    board: Board
    side: str = "White"
    quiet: int = 0
    past: tuple[object, ...] = ()

    @property
    def repeated(self) -> bool:
        """Whether the position is there for the third time."""
        return self.past.count(self.past[-1]) >= 3


@dataclass(frozen=True)
class TurkishDraughts:
    """Columns and rows are counted from 1; White goes up."""

    most: int = 64

    def start(self) -> State:
        sides = {2: "White Man", 3: "White Man", 6: "Black Man", 7: "Black Man"}
        board = {(column, row): who for row, who in sides.items() for column in range(1, 9)}
        return self._kept(board, "White", 0, ())

    @staticmethod
    def _kept(board: Board, side: str, quiet: int, past: tuple[object, ...]) -> State:
        return State(board, side, quiet, (*past, (frozenset(board.items()), side)))

    def moves(self, state: State) -> dict[str, State]:
        if state.quiet >= self.most or state.repeated:
            return {}
        mine = [p for p, who in state.board.items() if who.startswith(state.side)]
        jumps = [
            (count, site(point) + text, goal, board)
            for point in mine
            for count, text, goal, board in self._jumps(state.board, point, None)
            if count
        ]
        longest = max((count for count, *_ in jumps), default=0)
        found: dict[str, State] = {}
        if jumps:
            for count, text, goal, board in jumps:
                if count == longest:
                    found[text] = self._after(state, board, goal, 0)
            return found
        for point in mine:
            king = state.board[point].endswith("King")
            for way in self._ways(state.board[point]):
                for goal in self._free(state.board, point, way, king):
                    board = {p: who for p, who in state.board.items() if p != point}
                    board[goal] = state.board[point]
                    quiet = state.quiet + 1 if king else 0
                    found[f"{site(point)}-{site(goal)}"] = self._after(state, board, goal, quiet)
        return found

    def _after(self, state: State, board: Board, goal: Point, quiet: int) -> State:
        last = 8 if state.side == "White" else 1
        crowned = {**board, goal: f"{state.side} King"} if goal[1] == last else board
        return self._kept(crowned, other(state.side), quiet, state.past)

    @staticmethod
    def _ways(who: str) -> list[Point]:
        barred = {"White Man": (0, -1), "Black Man": (0, 1)}.get(who)
        return [way for way in WAYS if way != barred]

    @staticmethod
    def _free(board: Board, point: Point, way: Point, far: bool) -> list[Point]:
        """Return the empty squares in a direction: the next one, or all as far as they go."""
        found: list[Point] = []
        while far or not found:
            point = (point[0] + way[0], point[1] + way[1])
            if point in board or not all(1 <= number <= 8 for number in point):
                break
            found.append(point)
        return found

    def _jumps(
        self, board: Board, point: Point, last: Point | None
    ) -> Iterator[tuple[int, str, Point, Board]]:
        """Yield how many more can be taken from a point, the way, its end, and what is left."""
        who = board[point]
        king = who.endswith("King")
        ended = True
        for way in self._ways(who):
            if last == (-way[0], -way[1]):
                continue
            before = [point, *(self._free(board, point, way, True) if king else [])][-1]
            over = (before[0] + way[0], before[1] + way[1])
            if over not in board or board[over].split()[0] == who.split()[0]:
                continue
            for goal in self._free(board, over, way, king):
                ended = False
                left = {p: man for p, man in board.items() if p not in (point, over)}
                left[goal] = who
                for count, text, end, after in self._jumps(left, goal, way):
                    yield count + 1, f"-{site(goal)}{text}", end, after
        if ended:
            yield 0, "", point, board

    def outcome(self, state: State) -> str | None:
        if state.quiet >= self.most or state.repeated:
            return DRAW
        return None if self.moves(state) else other(state.side)

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: State) -> dict[str, str]:
        return {site(point): who.split()[0] for point, who in state.board.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return state.side, 1 if state.side == "White" else 2
