"""Quadrant Hex (once quadrant Trellis), from Steve Meyers's account.

In: how long a side of a quadrant is, whether White may swap after the first stone. Out: an
oracle. What then holds: the four quadrants have no cell in common.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from oracles.oracle import Point, beside, other, site, square
from oracles.quadrants import GAMES_TO_WIN, areas, won


@dataclass(frozen=True)
class State:
    """Stones by cell, whose turn it is, and Black's seat."""

    stones: Mapping[Point, str]
    side: str = "Black"
    black_seat: int = 1


def next_to(cell: Point) -> list[Point]:
    """Return the six cells next to one of a rhombus, in which two acute corners are a1's and its
    opposite's or the other two; see `QuadrantHex`."""
    column, row = cell
    return [*beside(cell), (column + 1, row - 1), (column - 1, row + 1)]


@dataclass(frozen=True)
class QuadrantHex:
    """One stone a turn; who wins three of the five games wins."""

    half: int = 7
    pie: bool = True

    def start(self) -> State:
        return State({})

    def key(self, text: str) -> str:
        return text

    def moves(self, state: State) -> dict[str, State]:
        if self.outcome(state) is not None:
            return {}
        turns = {
            site(cell): replace(
                state, stones={**state.stones, cell: state.side}, side=other(state.side)
            )
            for cell in square(2 * self.half)
            if cell not in state.stones
        }
        if self.pie and len(state.stones) == 1 and state.black_seat == 1:
            turns["swap"] = replace(state, black_seat=2)
        return turns

    def outcome(self, state: State) -> str | None:
        boards = areas((1, self.half), (self.half + 1, 2 * self.half))
        for side in ("Black", "White"):
            if won(state.stones, side, boards, next_to) >= GAMES_TO_WIN:
                return side
        return None

    def pieces(self, state: State) -> dict[str, str]:
        return {site(cell): colour for cell, colour in state.stones.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return state.side, state.black_seat if state.side == "Black" else 3 - state.black_seat
