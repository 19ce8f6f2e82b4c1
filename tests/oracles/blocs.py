"""Blocs, from the account of Jeux et Stratégie 43 (1987).

In: the board's size, a full starting board if there is one, where the second player sits, whether
discs are dropped with the dropper's own face up. Out: an oracle. What then holds: a flip is one
rectangle, named by two opposite corners of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from oracles.oracle import DRAW, Point, other, site, square

Board = frozenset[tuple[Point, str]]


@dataclass(frozen=True)
class State:
    """Discs by point, whose turn it is, and the positions of the flipping so far, with movers."""

    discs: Mapping[Point, str]
    side: str = "Black"
    past: tuple[tuple[Board, str], ...] = ()

    @property
    def now(self) -> tuple[Board, str]:
        """What is compared when positions recur."""
        return frozenset(self.discs.items()), self.side


@dataclass(frozen=True)
class Blocs:
    """Drop discs until the board is full, then flip rectangles; who moves last wins."""

    size: int = 4
    rows: tuple[str, ...] = ()
    opposite: bool = False
    own_colour: bool = False

    def start(self) -> State:
        names = {"X": "Black", "O": "White"}
        return State(
            {
                (column, self.size - down): names[symbol]
                for down, text in enumerate(self.rows)
                for column, symbol in enumerate(text, 1)
            }
        )

    def key(self, text: str) -> str:
        words = text.split()
        return text if words[0] in ("Black", "White") else " ".join(sorted(words))

    def moves(self, state: State) -> dict[str, State]:
        if self.outcome(state) is not None:
            return {}
        if len(state.discs) < self.size**2:
            return self._drops(state)
        return self._flips(state)

    def _drops(self, state: State) -> dict[str, State]:
        turns = {}
        for point in square(self.size):
            if point in state.discs:
                continue
            for face in ("Black", "White"):
                if self.own_colour and face != state.side:
                    continue
                key = site(point) if self.own_colour else f"{face} {site(point)}"
                turns[key] = State({**state.discs, point: face}, other(state.side))
        return turns

    def _flips(self, state: State) -> dict[str, State]:
        turns = {}
        from_above = self.opposite and state.side == "White"
        for left, bottom in square(self.size):
            for right, top in square(self.size):
                if left > right or bottom > top:
                    continue
                upper_left, lower_right = (left, top), (right, bottom)
                if state.discs[upper_left if from_above else lower_right] != "Black":
                    continue
                discs = {
                    point: other(face) if self._inside(point, upper_left, lower_right) else face
                    for point, face in state.discs.items()
                }
                key = " ".join(sorted((site(upper_left), site(lower_right))))
                turns[key] = State(discs, other(state.side), (*state.past, state.now))
        return turns

    @staticmethod
    def _inside(point: Point, upper_left: Point, lower_right: Point) -> bool:
        (left, top), (right, bottom) = upper_left, lower_right
        return left <= point[0] <= right and bottom <= point[1] <= top

    def outcome(self, state: State) -> str | None:
        if len(state.discs) < self.size**2:
            return None
        if "Black" not in state.discs.values():
            return other(state.side)
        return DRAW if self.opposite and state.past.count(state.now) >= 2 else None

    def pieces(self, state: State) -> dict[str, str]:
        return {site(point): face for point, face in state.discs.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return state.side, 1 if state.side == "Black" else 2
