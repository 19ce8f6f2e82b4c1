"""Hnefatafl (Fetlar) and Tablut, from the rules in words.

In: nothing. Out: an oracle each. What then holds: lines are walked square by square, and a piece is
looked at from itself: what stands on either side of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from oracles.oracle import DRAW, Point, Turns, beside, reached, site

SIDES = ("Attackers", "Defenders")
Board = dict[Point, str]
"""Who stands where: `A`, `D` or the king, `K`."""


@dataclass(frozen=True)
class State:
    """The board, whose turn it is, and the positions so far with who made them."""

    board: Board
    side: int
    past: tuple[object, ...]


class Tafl:
    """What both games have in common; positions are written as on paper."""

    drawing: str

    def __init__(self) -> None:
        rows = self.drawing.split()
        self.size = len(rows)
        middle = (self.size + 1) // 2
        self.throne = (middle, middle)
        self.first = {
            (column + 1, self.size - row): letter
            for row, text in enumerate(rows)
            for column, letter in enumerate(text)
            if letter != "."
        }

    def start(self) -> State:
        return self._kept(self.first, 0, ())

    @staticmethod
    def _kept(board: Board, side: int, past: tuple[object, ...]) -> State:
        return State(board, side, (*past, (frozenset(board.items()), side)))

    def _on(self, point: Point) -> bool:
        return all(1 <= number <= self.size for number in point)

    def _edge(self, point: Point) -> bool:
        return any(number in (1, self.size) for number in point)

    def _corner(self, point: Point) -> bool:
        return all(number in (1, self.size) for number in point)

    def reserved(self, point: Point) -> bool:
        """Tell whether only the king may stop on a square, which is hostile when empty."""
        raise NotImplementedError

    def escaped(self, king: Point) -> bool:
        """Tell whether the king has fled."""
        raise NotImplementedError

    def caught(self, board: Board, king: Point, moved: Point) -> bool:
        """Tell whether a king beside the attacker that has moved is taken."""
        raise NotImplementedError

    def shut_in(self, board: Board) -> bool:
        """Tell whether the attackers win by enclosing all others."""
        return False

    def flanked(self, board: Board, victim: Point, moved: Point) -> bool:
        """Tell whether a victim is between the piece that has moved and something hostile."""
        behind = (2 * victim[0] - moved[0], 2 * victim[1] - moved[1])
        if behind in board:
            return (board[behind] == "A") == (board[moved] == "A")
        return self._on(behind) and self.reserved(behind)

    def _goals(self, state: State, point: Point) -> Iterator[Point]:
        for x, y in beside((0, 0)):
            goal = (point[0] + x, point[1] + y)
            while self._on(goal) and goal not in state.board:
                if state.board[point] == "K" or not self.reserved(goal):
                    yield goal
                goal = (goal[0] + x, goal[1] + y)

    def moves(self, state: State) -> Turns[State]:
        over = self._result(state) is not None
        mine = "A" if state.side == 0 else "DK"
        return Turns(
            {
                f"{site(point)}-{site(goal)}": partial(self._after, state, point, goal)
                for point, who in state.board.items()
                if who in mine and not over
                for goal in self._goals(state, point)
            }
        )

    def _after(self, state: State, point: Point, goal: Point) -> State:
        board = dict(state.board)
        board[goal] = board.pop(point)
        taken = []
        for victim in beside(goal):
            who = board.get(victim)
            if who is None or (who == "A") == (state.side == 0):
                continue
            test = self.caught if who == "K" else self.flanked
            if test(board, victim, goal):
                taken.append(victim)
        for victim in taken:
            del board[victim]
        return self._kept(board, 1 - state.side, state.past)

    def _result(self, state: State) -> str | None:
        """Return what the position says, but for a side that can't move."""
        kings = [point for point, who in state.board.items() if who == "K"]
        if any(self.escaped(king) for king in kings):
            return "Defenders"
        if not kings or self.shut_in(state.board):
            return "Attackers"
        return DRAW if state.past.count(state.past[-1]) >= 3 else None

    def outcome(self, state: State) -> str | None:
        return self._result(state) or (None if len(self.moves(state)) else SIDES[1 - state.side])

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: State) -> dict[str, str]:
        return {site(point): SIDES[who != "A"] for point, who in state.board.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return SIDES[state.side], state.side + 1


class Hnefatafl(Tafl):
    """The Fetlar rules."""

    drawing = """
        ...AAAAA...  .....A.....  ...........  A....D....A  A...DDD...A  AA.DDKDD.AA
        A...DDD...A  A....D....A  ...........  .....A.....  ...AAAAA..."""

    def reserved(self, point: Point) -> bool:
        return point == self.throne or self._corner(point)

    def escaped(self, king: Point) -> bool:
        return self._corner(king)

    def caught(self, board: Board, king: Point, moved: Point) -> bool:
        return all(board.get(point) == "A" or point == self.throne for point in beside(king))

    def shut_in(self, board: Board) -> bool:
        def steps(point: Point) -> list[Point]:
            return [p for p in beside(point) if self._on(p) and board.get(p) != "A"]

        others = [point for point, who in board.items() if who != "A"]
        return not any(self._edge(point) for point in reached(others, steps))


class Tablut(Tafl):
    """The king flees to the edge."""

    drawing = """
        ...AAA...  ....A....  ....D....  A...D...A  AADDKDDAA
        A...D...A  ....D....  ....A....  ...AAA..."""

    def reserved(self, point: Point) -> bool:
        return point == self.throne

    def escaped(self, king: Point) -> bool:
        return self._edge(king)

    def caught(self, board: Board, king: Point, moved: Point) -> bool:
        if king == self.throne or self.throne in beside(king):
            return all(board.get(point) == "A" or point == self.throne for point in beside(king))
        return self.flanked(board, king, moved)
