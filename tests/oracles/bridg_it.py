"""Bridg-It (David Gale), from the well-known rules.

In: the board's order. Out: an oracle. What then holds: the game is played between dots, as on the
board that was sold, and not on a lattice of points with two kinds of neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from oracles.oracle import Point, other, reached, site


@dataclass(frozen=True)
class State:
    """Bridges by the point at which they'd cross the opponent's, and whose turn it is."""

    bridges: Mapping[Point, str]
    side: str = "Black"


@dataclass(frozen=True)
class BridgIt:
    """Black joins his dots from top to bottom, White hers from left to right.

    Counted in half steps, Black's dots have an odd column from 1 and an even row from 0 to twice
    the order, White's an even column and an odd row. A bridge goes between two dots of one side
    that are two half steps apart, and bridges never cross.
    """

    order: int = 5

    def start(self) -> State:
        return State({})

    def key(self, text: str) -> str:
        return text

    def _points(self) -> list[Point]:
        width = 2 * self.order - 1
        return [
            (column, row)
            for row in range(1, width + 1)
            for column in range(1, width + 1)
            if (column + row) % 2 == 0
        ]

    @staticmethod
    def ends(point: Point, side: str) -> tuple[Point, Point]:
        """Return the two dots that a side's bridge at a point goes between."""
        column, row = point
        upright = (column % 2 == 1) == (side == "Black")
        if upright:
            return (column, row - 1), (column, row + 1)
        return (column - 1, row), (column + 1, row)

    def moves(self, state: State) -> dict[str, State]:
        if self.outcome(state) is not None:
            return {}
        return {
            site(point): State({**state.bridges, point: state.side}, other(state.side))
            for point in self._points()
            if point not in state.bridges
        }

    def outcome(self, state: State) -> str | None:
        for side, axis in (("Black", 1), ("White", 0)):
            near: list[Point] = []
            bridges: dict[Point, list[Point]] = {}
            for point, owner in state.bridges.items():
                if owner != side:
                    continue
                first, second = self.ends(point, side)
                bridges.setdefault(first, []).append(second)
                bridges.setdefault(second, []).append(first)
                near += [dot for dot in (first, second) if dot[axis] == 0]
            dots = reached(near, lambda dot, bridges=bridges: bridges[dot])  # type: ignore[misc]
            if any(dot[axis] == 2 * self.order for dot in dots):
                return side
        return None

    def pieces(self, state: State) -> dict[str, str]:
        return {site(point): side for point, side in state.bridges.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return state.side, 1 if state.side == "Black" else 2
