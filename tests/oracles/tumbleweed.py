"""Tumbleweed (Mike Zapawa), from https://mindsports.nl/index.php/the-pit/1092-tumbleweed.

In: the length of the board's sides. Out: an oracle. What then holds: cells have cube coordinates,
three numbers that add up to 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product

from oracles.oracle import DRAW, letters

Cell = tuple[int, int]
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
TREE = "Tree"


@dataclass(frozen=True)
class State:
    """Who stands where and how high, whose turn it is, passes in a row, who took the other side."""

    at: Mapping[Cell, tuple[str, int]]
    side: str = "Red"
    phase: str = "plant"
    passes: int = 0
    exchanged: bool = False


@dataclass(frozen=True)
class Tumbleweed:
    """The board is a hexagon."""

    size: int = 8

    def _cells(self) -> dict[str, Cell]:
        far = self.size - 1
        span = range(-far, far + 1)
        return {
            f"{letters(x + self.size)}{y + self.size}": (x, y)
            for y, x in product(span, span)
            if abs(x + y) <= far
        }

    def start(self) -> State:
        return State({(0, 0): (TREE, 2)})

    def moves(self, state: State) -> dict[str, State]:
        cells = self._cells()
        if state.phase == "plant":
            free = {name: cell for name, cell in cells.items() if cell not in state.at}
            return {
                f"{red} {white}": State(
                    {**state.at, free[red]: ("Red", 1), free[white]: ("White", 1)},
                    phase="choice",
                )
                for red, white in product(free, free)
                if red != white
            }
        if state.phase == "choice":
            grown = replace(state, phase="grow")
            return {"Red": replace(grown, exchanged=True), "White": grown}
        if state.passes == 2:
            return {}
        other = "White" if state.side == "Red" else "Red"
        found = {"pass": replace(state, side=other, passes=state.passes + 1)}
        for name, cell in cells.items():
            seen = sum(self._seen(state, cell, step) for step in STEPS)
            if seen > state.at.get(cell, ("", 0))[1]:
                at = {**state.at, cell: (state.side, seen)}
                found[name] = replace(state, at=at, side=other, passes=0)
        return found

    def _seen(self, state: State, cell: Cell, step: Cell) -> bool:
        """Return whether the first stack in a direction is one of the side on turn."""
        x, y = cell
        for _ in range(2 * self.size):
            x, y = x + step[0], y + step[1]
            if (x, y) in state.at:
                return state.at[x, y][0] == state.side
        return False

    def outcome(self, state: State) -> str | None:
        if state.passes < 2:
            return None
        owners = [owner for owner, _ in state.at.values()]
        red, white = owners.count("Red"), owners.count("White")
        return DRAW if red == white else "Red" if red > white else "White"

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: State) -> dict[str, str]:
        names = {cell: name for name, cell in self._cells().items()}
        return {names[cell]: owner for cell, (owner, _) in state.at.items()}

    def turn(self, state: State) -> tuple[str, int]:
        if state.phase == "plant":
            return "Red", 1
        if state.phase == "choice":
            return "Red", 2
        return state.side, 1 if (state.side == "Red") != state.exchanged else 2
