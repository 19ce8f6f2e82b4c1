"""Santorini (Gordon Hamilton) without powers, from the publisher's rules.

In: nothing. Out: an oracle. What then holds: heights are kept by square, the workers as sets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations, product

from oracles.oracle import Point, site

SQUARES = list(product(range(1, 6), repeat=2))
DOME = 4


def around(square: Point) -> list[Point]:
    """Return the neighbours of a square, at corners too."""
    steps = (s for s in product((-1, 0, 1), repeat=2) if any(s))
    near = ((square[0] + x, square[1] + y) for x, y in steps)
    return [s for s in near if min(s) >= 1 and max(s) <= 5]


@dataclass(frozen=True)
class State:
    """The squares of each side's workers, the heights, and who has won by a step."""

    workers: tuple[frozenset[Point], frozenset[Point]] = (frozenset(), frozenset())
    heights: Mapping[Point, int] = field(default_factory=dict)
    side: int = 0
    winner: int | None = None


@dataclass(frozen=True)
class Santorini:
    """Two sides of two workers each."""

    sides = ("Blue", "White")

    def start(self) -> State:
        return State()

    def moves(self, state: State) -> dict[str, State]:
        found: dict[str, State] = {}
        if state.winner is not None:
            return found
        taken = state.workers[0] | state.workers[1]
        if not state.workers[state.side]:
            free = [s for s in SQUARES if s not in taken]
            return {self._pair(p): self._with(state, frozenset(p)) for p in combinations(free, 2)}
        for here in state.workers[state.side]:
            others = taken - {here}
            for there in around(here):
                height = state.heights.get(there, 0)
                if there in taken or height == DOME or height > state.heights.get(here, 0) + 1:
                    continue
                after = self._with(state, state.workers[state.side] - {here} | {there})
                move = f"{site(here)}-{site(there)}"
                if height == 3 and state.heights.get(here, 0) == 2:
                    found[move] = State(after.workers, state.heights, after.side, state.side)
                    continue
                for built in around(there):
                    old = state.heights.get(built, 0)
                    if built not in others and old < DOME:
                        heights = {**state.heights, built: old + 1}
                        found[f"{move} {site(built)}"] = State(after.workers, heights, after.side)
        return found

    @staticmethod
    def _pair(pair: tuple[Point, ...]) -> str:
        return " ".join(site(s) for s in sorted(pair, key=lambda s: (s[1], s[0])))

    @staticmethod
    def _with(state: State, workers: frozenset[Point]) -> State:
        both = (workers, state.workers[1]) if state.side == 0 else (state.workers[0], workers)
        return State(both, state.heights, 1 - state.side)

    def outcome(self, state: State) -> str | None:
        if state.winner is not None:
            return self.sides[state.winner]
        return None if self.moves(state) else self.sides[1 - state.side]

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: State) -> dict[str, str]:
        pairs = zip(self.sides, state.workers, strict=True)
        return {site(square): side for side, workers in pairs for square in workers}

    def turn(self, state: State) -> tuple[str, int]:
        return self.sides[state.side], state.side + 1
