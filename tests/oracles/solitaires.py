"""Peg Solitaire and the Knight's Tour, from the well-known rules.

In: nothing. Out: an oracle each. What then holds: a solved puzzle is its solver's, any other end
nobody's.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from oracles.oracle import DRAW, Point, site

SOLVER = "Solver"


@dataclass(frozen=True)
class PegSolitaire:
    """A state is the set of holes with a peg; holes are counted from the middle."""

    def _holes(self) -> set[Point]:
        span = range(-3, 4)
        return {hole for hole in product(span, span) if min(map(abs, hole)) <= 1}

    def start(self) -> frozenset[Point]:
        return frozenset(self._holes() - {(0, 0)})

    @staticmethod
    def _name(hole: Point) -> str:
        return site((hole[0] + 4, hole[1] + 4))

    def moves(self, state: frozenset[Point]) -> dict[str, frozenset[Point]]:
        found = {}
        for x, y in state:
            for across, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                over, to = (x + across, y + up), (x + 2 * across, y + 2 * up)
                if over in state and to in self._holes() - state:
                    move = f"{self._name((x, y))}-{self._name(to)}"
                    found[move] = state - {(x, y), over} | {to}
        return found

    def outcome(self, state: frozenset[Point]) -> str | None:
        if state == {(0, 0)}:
            return SOLVER
        return None if self.moves(state) else DRAW

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: frozenset[Point]) -> dict[str, str]:
        return {self._name(hole): SOLVER for hole in state}

    def turn(self, state: frozenset[Point]) -> tuple[str, int]:
        return SOLVER, 1


@dataclass(frozen=True)
class KnightsTour:
    """A state is the path so far."""

    size: int = 6
    closed: bool = False

    def start(self) -> tuple[Point, ...]:
        return ()

    def moves(self, state: tuple[Point, ...]) -> dict[str, tuple[Point, ...]]:
        if not state:
            squares = product(range(1, self.size + 1), repeat=2)
            return {site(s): (s,) for s in squares if not self.closed or s == (1, 1)}
        return {site(s): (*state, s) for s in self._leaps(state[-1]) if s not in state}

    def _leaps(self, square: Point) -> list[Point]:
        leaps = [(a, b) for a, b in product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b)]
        squares = [(square[0] + a, square[1] + b) for a, b in leaps]
        return [s for s in squares if min(s) >= 1 and max(s) <= self.size]

    def outcome(self, state: tuple[Point, ...]) -> str | None:
        if len(state) == self.size**2:
            return SOLVER if not self.closed or (1, 1) in self._leaps(state[-1]) else DRAW
        return None if self.moves(state) else DRAW

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: tuple[Point, ...]) -> dict[str, str]:
        return {site(square): SOLVER for square in state[-1:]}

    def turn(self, state: tuple[Point, ...]) -> tuple[str, int]:
        return SOLVER, 1
