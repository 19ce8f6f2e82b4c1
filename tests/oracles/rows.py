"""Yavalath (Cameron Browne), Qubic, Quixo (Thierry Chapeau), Connect6, from their published rules.

In: nothing. Out: an oracle each. What then holds: points are triples or pairs of numbers of their
own, and rows are looked for from each point in each direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations, product

from oracles.oracle import DRAW, Point, letters, site


def has_row(points: set[tuple[int, ...]], steps: Iterable[tuple[int, ...]], length: int) -> bool:
    """Return whether so many of the points stand one after the other."""
    return any(
        all(tuple(p + i * s for p, s in zip(point, step, strict=True)) in points for i in span)
        for span in (range(length),)
        for step in steps
        for point in points
    )


@dataclass(frozen=True)
class State:
    """Stones by the number of the side that put them there, and what a turn needs to know."""

    stones: Mapping[tuple[int, ...], int] = field(default_factory=dict)
    turns: int = 0
    swapped: bool = False
    winner: int | None = None

    @property
    def side(self) -> int:
        """The side on turn."""
        return self.turns % 2

    def of(self, side: int) -> set[tuple[int, ...]]:
        """Return a side's stones."""
        return {point for point, owner in self.stones.items() if owner == side}


@dataclass(frozen=True)
class Yavalath:
    """Cube coordinates: the three numbers of a cell add up to 0."""

    size: int = 5
    sides = ("White", "Black")
    steps = ((1, -1, 0), (0, 1, -1), (1, 0, -1))

    def _cells(self) -> dict[str, tuple[int, ...]]:
        """Return the cells by name: rows from the lowest, columns along the northwest axis."""
        far = self.size - 1
        span = range(-far, far + 1)
        return {
            f"{letters(x + self.size)}{y + self.size}": (x, y, -x - y)
            for x, y in product(span, span)
            if abs(x + y) <= far
        }

    def start(self) -> State:
        return State()

    def key(self, text: str) -> str:
        return text

    def moves(self, state: State) -> dict[str, State]:
        if self.outcome(state) is not None:
            return {}
        found = {
            name: State({**state.stones, cell: state.side}, state.turns + 1, state.swapped)
            for name, cell in self._cells().items()
            if cell not in state.stones
        }
        if state.turns == 1 and not state.swapped:
            found["swap"] = State(state.stones, 1, True)
        return found

    def outcome(self, state: State) -> str | None:
        last = 1 - state.side
        if has_row(state.of(last), self.steps, 4):
            return self.sides[last]
        if has_row(state.of(last), self.steps, 3):
            return self.sides[1 - last]
        return DRAW if len(state.stones) == len(self._cells()) else None

    def pieces(self, state: State) -> dict[str, str]:
        cells = self._cells().items()
        return {n: self.sides[state.stones[c]] for n, c in cells if c in state.stones}

    def turn(self, state: State) -> tuple[str, int]:
        return self.sides[state.side], (state.side + state.swapped) % 2 + 1


@dataclass(frozen=True)
class Qubic:
    """Places are triples of 0 to 3: column, row and level."""

    sides = ("White", "Black")
    steps = tuple(step for step in product((-1, 0, 1), repeat=3) if any(step))

    def start(self) -> State:
        return State()

    def key(self, text: str) -> str:
        return text

    @staticmethod
    def _name(place: tuple[int, ...]) -> str:
        return site((place[0] + 1, place[1] + 1)) + "abcd"[place[2]]

    def moves(self, state: State) -> dict[str, State]:
        if self.outcome(state) is not None:
            return {}
        return {
            self._name(place): State({**state.stones, place: state.side}, state.turns + 1)
            for place in product(range(4), repeat=3)
            if place not in state.stones
        }

    def outcome(self, state: State) -> str | None:
        last = 1 - state.side
        if has_row(state.of(last), self.steps, 4):
            return self.sides[last]
        return DRAW if len(state.stones) == 64 else None

    def pieces(self, state: State) -> dict[str, str]:
        return {self._name(place): self.sides[who] for place, who in state.stones.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return self.sides[state.side], state.side + 1


@dataclass(frozen=True)
class Quixo:
    """Five rows of five cubes, each a list that is pushed."""

    sides = ("X", "O")
    steps = ((1, 0), (0, 1), (1, 1), (1, -1))

    def start(self) -> State:
        return State()

    def key(self, text: str) -> str:
        return text

    def moves(self, state: State) -> dict[str, State]:
        found: dict[str, State] = {}
        if self.outcome(state) is not None:
            return found
        for place in product(range(1, 6), repeat=2):
            if not {1, 5} & set(place) or state.stones.get(place) == 1 - state.side:
                continue
            for axis, end in product((0, 1), (1, 5)):
                if place[axis] != end:
                    word = (("west", "east"), ("south", "north"))[axis][end == 5]
                    found[f"{site(place)} {word}"] = self._pushed(state, place, axis, end)
        return found

    @staticmethod
    def _pushed(state: State, place: Point, axis: int, end: int) -> State:
        def at(number: int) -> Point:
            return (number, place[1]) if axis == 0 else (place[0], number)

        row = [state.stones.get(at(number)) for number in range(1, 6)]
        row.pop(place[axis] - 1)
        row.insert(end - 1, state.side)
        stones = {p: s for p, s in state.stones.items() if p[1 - axis] != place[1 - axis]}
        stones |= {at(n): who for n, who in enumerate(row, start=1) if who is not None}
        return State(stones, state.turns + 1)

    def outcome(self, state: State) -> str | None:
        for side in (state.side, 1 - state.side):
            if has_row(state.of(side), self.steps, 5):
                return self.sides[side]
        return None

    def pieces(self, state: State) -> dict[str, str]:
        return {
            site(place): self.sides[state.stones[place]] if place in state.stones else "Blank"
            for place in product(range(1, 6), repeat=2)
        }

    def turn(self, state: State) -> tuple[str, int]:
        return self.sides[state.side], state.side + 1


@dataclass(frozen=True)
class Connect6:
    """One stone first, then two at a time: a turn's key has their names in order."""

    size: int = 19
    length: int = 6
    sides = ("Black", "White")
    steps = ((1, 0), (0, 1), (1, 1), (1, -1))

    def start(self) -> State:
        return State()

    def key(self, text: str) -> str:
        return text

    def moves(self, state: State) -> dict[str, State]:
        if self.outcome(state) is not None:
            return {}
        rows = product(range(1, self.size + 1), repeat=2)
        free = [(x, y) for y, x in rows if (x, y) not in state.stones]
        return {
            " ".join(map(site, stones)): State(
                {**state.stones, **dict.fromkeys(stones, state.side)}, state.turns + 1
            )
            for stones in combinations(free, 2 if state.turns else 1)
        }

    def outcome(self, state: State) -> str | None:
        last = 1 - state.side
        if has_row(state.of(last), self.steps, self.length):
            return self.sides[last]
        return DRAW if len(state.stones) == self.size**2 else None

    def pieces(self, state: State) -> dict[str, str]:
        return {f"{letters(x)}{y}": self.sides[who] for (x, y), who in state.stones.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return self.sides[state.side], state.side + 1
