"""Catchup (Nick Bentley, 2011), from https://mindsports.nl/index.php/the-pit/620-catchup.

In: the length of the board's sides, and whether the page's alternative rules hold. Out: an oracle.
What then holds: cells have two of three hexagonal coordinates that add up to 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from oracles.oracle import letters, other, reached

Cell = tuple[int, int]
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
LONE = 1
"""The size of the largest group where there is none: a group has two stones at least."""


@dataclass(frozen=True)
class State:
    """The stones of both sides, whose turn it is, and how many it may drop."""

    white: frozenset[Cell] = frozenset()
    black: frozenset[Cell] = frozenset()
    side: str = "White"
    most: int = 1

    def of(self, side: str) -> frozenset[Cell]:
        """Return the stones of a side."""
        return self.white if side == "White" else self.black


def sizes(stones: Iterable[Cell]) -> list[int]:
    """Return the sizes of all groups, the largest first."""
    left, found = set(stones), []

    def joined(cell: Cell) -> set[Cell]:
        return left & {(cell[0] + x, cell[1] + y) for x, y in STEPS}

    while left:
        group = reached([next(iter(left))], joined)
        left -= group
        found.append(len(group))
    return sorted(found, reverse=True)


def largest(state: State) -> int:
    """Return the size of the largest group of either side."""
    return max([LONE, *sizes(state.white), *sizes(state.black)])


@dataclass(frozen=True)
class Catchup:
    """The board is a hexagon."""

    size: int = 5
    alternative: bool = False

    def _cells(self) -> dict[str, Cell]:
        far = self.size - 1
        return {
            f"{letters(x + self.size)}{y + self.size}": (x, y)
            for y in range(-far, far + 1)
            for x in range(-far, far + 1)
            if abs(x + y) <= far
        }

    def start(self) -> State:
        return State()

    def moves(self, state: State) -> dict[str, State]:
        cells = self._cells()
        free = [name for name, cell in cells.items() if cell not in state.white | state.black]
        before, found = largest(state), {}
        for many in range(1, state.most + 1):
            for names in combinations(free, many):
                after = self._after(state, {cells[name] for name in names}, before)
                if not (self.alternative and many == 2 and largest(after) > before):
                    found[" ".join(sorted(names))] = after
        return found

    def _after(self, state: State, dropped: set[Cell], before: int) -> State:
        stones = {side: state.of(side) for side in ("White", "Black")}
        stones[state.side] |= dropped
        after = State(stones["White"], stones["Black"], other(state.side), 2)
        is_larger = not self.alternative and largest(after) > before
        return State(after.white, after.black, after.side, 3 if is_larger else 2)

    def key(self, text: str) -> str:
        return " ".join(sorted(text.split()))

    def outcome(self, state: State) -> str | None:
        if len(state.white | state.black) < len(self._cells()):
            return None
        return "White" if sizes(state.white) > sizes(state.black) else "Black"

    def pieces(self, state: State) -> dict[str, str]:
        sides = {cell: side for side in ("White", "Black") for cell in state.of(side)}
        return {name: sides[cell] for name, cell in self._cells().items() if cell in sides}

    def turn(self, state: State) -> tuple[str, int | None]:
        return state.side, 1 if state.side == "White" else 2
