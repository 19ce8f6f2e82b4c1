"""Lasca (Emanuel Lasker, 1911), from the rules of the game as they were sold.

In: nothing. Out: an oracle. What then holds: a column is a list of men, the lowest first, and a
capture is carried out jump by jump on a board of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from oracles.oracle import Point, other, site, square

Column = tuple[str, ...]
"""Men from the lowest to the uppermost: `w` and `b` are soldiers, `W` and `B` officers."""

LETTERS = {"White": "w", "Black": "b"}
SIDES = {"w": "White", "b": "Black"}
NAMES = {"w": "White Soldier", "b": "Black Soldier", "W": "White Officer", "B": "Black Officer"}


@dataclass(frozen=True)
class State:
    """The columns by their points, and whose turn it is."""

    columns: Mapping[Point, Column]
    side: str = "White"


@dataclass(frozen=True)
class Lasca:
    """Seven by seven squares, of which 25 are used; White's soldiers go up the board."""

    def start(self) -> State:
        rows = {1: "w", 2: "w", 3: "w", 5: "b", 6: "b", 7: "b"}
        used = [(column, row) for column, row in square(7) if (column + row) % 2 == 0]
        return State({point: (rows[point[1]],) for point in used if point[1] in rows})

    def key(self, text: str) -> str:
        return text

    def moves(self, state: State) -> dict[str, State]:
        mine = [p for p, column in state.columns.items() if self._owner(column) == state.side]
        jumps = dict(jump for point in mine for jump in self._jumps(state, point))
        found = jumps or dict(step for point in mine for step in self._steps(state, point))
        return {text: State(columns, other(state.side)) for text, columns in found.items()}

    def outcome(self, state: State) -> str | None:
        return None if self.moves(state) else other(state.side)

    def pieces(self, state: State) -> dict[str, str]:
        return {site(point): self._owner(column) for point, column in state.columns.items()}

    def piles(self, state: State) -> dict[str, tuple[str, ...]]:
        """Return all men of each column, the lowest first, by site name."""
        return {
            site(point): tuple(NAMES[man] for man in column)
            for point, column in state.columns.items()
        }

    def turn(self, state: State) -> tuple[str, int]:
        return state.side, 1 if state.side == "White" else 2

    @staticmethod
    def _owner(column: Column) -> str:
        return SIDES[column[-1].lower()]

    @staticmethod
    def _ways(column: Column) -> list[Point]:
        """Return the steps of a column's commander."""
        forward = 1 if column[-1] in "wW" else -1
        ups = (1, -1) if column[-1].isupper() else (forward,)
        return [(across, up) for up in ups for across in (1, -1)]

    @staticmethod
    def _is_free(columns: Mapping[Point, Column], point: Point) -> bool:
        return 1 <= point[0] <= 7 and 1 <= point[1] <= 7 and point not in columns

    @staticmethod
    def _crowned(column: Column, point: Point) -> Column:
        last = {"w": 7, "b": 1}.get(column[-1])
        return (*column[:-1], column[-1].upper()) if last == point[1] else column

    def _steps(self, state: State, point: Point) -> Iterator[tuple[str, Mapping[Point, Column]]]:
        column = state.columns[point]
        for across, up in self._ways(column):
            goal = (point[0] + across, point[1] + up)
            if self._is_free(state.columns, goal):
                columns = {**state.columns, goal: self._crowned(column, goal)}
                del columns[point]
                yield f"{site(point)}-{site(goal)}", columns

    def _jumps(self, state: State, point: Point) -> Iterator[tuple[str, Mapping[Point, Column]]]:
        yield from self._jumps_on(site(point), dict(state.columns), point, frozenset())

    def _jumps_on(
        self, text: str, columns: dict[Point, Column], point: Point, past: frozenset[Point]
    ) -> Iterator[tuple[str, Mapping[Point, Column]]]:
        """Yield the whole captures that go on from a point; no column is jumped over twice."""
        column = columns[point]
        for across, up in self._ways(column):
            over = (point[0] + across, point[1] + up)
            goal = (point[0] + 2 * across, point[1] + 2 * up)
            victim = columns.get(over)
            if victim is None or over in past or self._owner(victim) == self._owner(column):
                continue
            if not self._is_free(columns, goal):
                continue
            after = dict(columns)
            del after[point], after[over]
            if victim[:-1]:
                after[over] = victim[:-1]
            taking = (victim[-1], *column)
            after[goal] = self._crowned(taking, goal)
            further: list[tuple[str, Mapping[Point, Column]]] = []
            if after[goal] == taking:
                further = list(self._jumps_on(f"{text}-{site(goal)}", after, goal, past | {over}))
            yield from further or [(f"{text}-{site(goal)}", after)]
