"""The original Trellis (Games magazine, June 2000), from Steve Meyers's account.

In: how far the centre lines are from the edges, the colour of the upper left square. Out: an
oracle. What then holds: the quadrants share the centre lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from oracles.oracle import Point, other, site, square
from oracles.quadrants import GAMES_TO_WIN, areas, won
from oracles.trellis import linked


@dataclass(frozen=True)
class State:
    """Stones by point, and whose turn it is."""

    stones: Mapping[Point, str]
    side: str = "Black"


@dataclass(frozen=True)
class TrellisOriginal:
    """One stone a turn; who wins three of the five games wins."""

    half: int = 8
    corner: str = "dark"

    @property
    def size(self) -> int:
        """How many points are in a line of the board."""
        return 2 * self.half + 1

    def start(self) -> State:
        return State({})

    def key(self, text: str) -> str:
        return text

    def moves(self, state: State) -> dict[str, State]:
        if self.outcome(state) is not None:
            return {}
        return {
            site(point): State({**state.stones, point: state.side}, other(state.side))
            for point in square(self.size)
            if point not in state.stones
        }

    def outcome(self, state: State) -> str | None:
        centre = self.half + 1
        boards = areas((1, centre), (centre, self.size))
        dark = self.corner == "dark"
        for side in ("Black", "White"):

            def links(at: Point, side: str = side) -> list[Point]:
                return linked(at, side, self.size, dark)

            if won(state.stones, side, boards, links) >= GAMES_TO_WIN:
                return side
        return None

    def pieces(self, state: State) -> dict[str, str]:
        return {site(point): colour for point, colour in state.stones.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return state.side, 1 if state.side == "Black" else 2
