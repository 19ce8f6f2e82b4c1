"""Troll, from Thierry Grellier's post of 1993 and Jeux et Stratégie 43 (1987).

In: whether captures open enemy edges and what a side without a move does. Out: an oracle. What
then holds: row 1 is the top; a drop flips all that it catches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from oracles.oracle import DRAW, Point, beside, other, reached, site, square

SIZE = 8
GOALS = {"White": 1, "Black": 0}
"""Which coordinate runs from one of a side's edges to the other: rows for White."""


@dataclass(frozen=True)
class State:
    """Discs by point, whose turn it is, and how many turns in a row were passed."""

    discs: Mapping[Point, str]
    side: str = "White"
    passes: int = 0


def caught(discs: Mapping[Point, str], point: Point, side: str) -> set[Point]:
    """Return the enemy discs that a drop catches, in straight lines up to a disc of its own."""
    found: set[Point] = set()
    for right in (-1, 0, 1):
        for down in (-1, 0, 1):
            line: list[Point] = []
            column, row = point[0] + right, point[1] + down
            while discs.get((column, row)) == other(side) and (right, down) != (0, 0):
                line.append((column, row))
                column, row = column + right, row + down
            if discs.get((column, row)) == side:
                found.update(line)
    return found


def owners(point: Point) -> set[str]:
    """Return the sides whose edges a point lies on: both for a corner, none in the interior."""
    return {side for side, axis in GOALS.items() if point[axis] in (1, SIZE)}


def joined(discs: Mapping[Point, str], side: str) -> bool:
    """Tell whether a path of side-adjacent discs joins a side's edges."""
    axis = GOALS[side]
    own = {point for point, colour in discs.items() if colour == side}
    near = [point for point in own if point[axis] == 1]
    return any(
        point[axis] == SIZE for point in reached(near, lambda at: own.intersection(beside(at)))
    )


@dataclass(frozen=True)
class Troll:
    """First to join his two edges by side-adjacent discs wins."""

    capture_exception: bool = True
    stuck_loses: bool = False

    def start(self) -> State:
        return State({})

    def key(self, text: str) -> str:
        return text

    def moves(self, state: State) -> dict[str, State]:
        if self.outcome(state) is not None:
            return {}
        return self._drops(state) or {
            "pass": State(state.discs, other(state.side), state.passes + 1)
        }

    def _drops(self, state: State) -> dict[str, State]:
        turns = {}
        for point in square(SIZE):
            if point in state.discs:
                continue
            flipped = caught(state.discs, point, state.side)
            if other(state.side) in owners(point) and not (self.capture_exception and flipped):
                continue
            discs = {**state.discs, point: state.side, **dict.fromkeys(flipped, state.side)}
            turns[site(point)] = State(discs, other(state.side))
        return turns

    def outcome(self, state: State) -> str | None:
        for side in GOALS:
            if joined(state.discs, side):
                return side
        if state.passes >= 2:
            return DRAW
        if self.stuck_loses and not self._drops(state):
            return other(state.side)
        return None

    def pieces(self, state: State) -> dict[str, str]:
        return {site(point): colour for point, colour in state.discs.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return state.side, 1 if state.side == "White" else 2
