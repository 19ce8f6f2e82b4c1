"""Trellis, from Steve Meyers's rules (1999) and his words about them.

In: the board's size, the distance of a turn's stones, the colour of the upper left square, the
pie and the mirror rule. Out: an oracle. What then holds: two stones dropped in either order are
one turn, keyed by the names of their points in alphabetical order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

from oracles.oracle import DRAW, Point, Turns, beside, other, reached, site, square

PIE_TURNS = 3
MOST_MIRRORED = 9


def over_dark(first: Point, second: Point, size: int, upper_left_dark: bool) -> bool:
    """Tell whether the square between two diagonal neighbours is dark."""
    from_left = min(first[0], second[0]) - 1
    from_top = size - max(first[1], second[1])
    return ((from_left + from_top) % 2 == 0) == upper_left_dark


def linked(point: Point, side: str, size: int, upper_left_dark: bool) -> list[Point]:
    """Return the points that a side's stone on `point` connects with, on the board or off it."""
    column, row = point
    diagonal = [(column + right, row + up) for right in (-1, 1) for up in (-1, 1)]
    home = side == "Black"
    return beside(point) + [
        near for near in diagonal if over_dark(point, near, size, upper_left_dark) == home
    ]


Symmetry = Callable[[Point, int], Point]

HALF_TURN: list[Symmetry] = [lambda at, n: (n + 1 - at[0], n + 1 - at[1])]
QUARTER_TURNS: list[Symmetry] = [
    lambda at, n: (at[1], n + 1 - at[0]),
    lambda at, n: (n + 1 - at[1], at[0]),
]
REFLECTIONS: list[Symmetry] = [
    lambda at, n: (n + 1 - at[0], at[1]),
    lambda at, n: (at[0], n + 1 - at[1]),
    lambda at, n: (at[1], at[0]),
    lambda at, n: (n + 1 - at[1], n + 1 - at[0]),
]
MIRRORS: dict[str, list[Symmetry]] = {
    "none": [],
    "half_turn": HALF_TURN,
    "quarter_turn": QUARTER_TURNS,
    "any_symmetry": HALF_TURN + QUARTER_TURNS + REFLECTIONS,
}


def key_of(stones: Iterable[Point]) -> str:
    """Return the key of a turn that drops these stones."""
    return " ".join(sorted(map(site, stones))) or "pass"


@dataclass(frozen=True)
class State:
    """Stones by point, whose turn it is, and what the pie and the two counting rules remember.

    `turns` counts the turns played, the choice or a swap among them; `passes` those passed in a
    row, `last` is the last turn's stones, `mirrored` how often in succession each side mirrored.
    """

    stones: Mapping[Point, str]
    side: str = "Black"
    black_seat: int = 1
    turns: int = 0
    passes: int = 0
    last: frozenset[Point] = frozenset()
    mirrored: tuple[tuple[str, int], ...] = (("Black", 0), ("White", 0))


@dataclass(frozen=True)
class Trellis:
    """Two stones a turn, or one, or none; Black joins top and bottom, White left and right.

    `pie` is "choose", "swap" or "none"; `passing` False also allows but one stone a turn.
    """

    size: int = 15
    gap: int = 3
    corner: str = "dark"
    pie: str = "choose"
    mirror: str = "half_turn"
    passes_end: bool = True
    passing: bool = True

    def start(self) -> State:
        return State({})

    def key(self, text: str) -> str:
        return " ".join(sorted(text.split()))

    def _in_pie(self, state: State) -> bool:
        return self.pie == "choose" and state.turns < PIE_TURNS

    def moves(self, state: State) -> Turns[State]:
        if self.outcome(state) is not None:
            return Turns({})
        if self.pie == "choose" and state.turns == PIE_TURNS:
            return Turns({side: partial(self._chosen, state, side) for side in ("Black", "White")})
        patience_ends = dict(state.mirrored)[state.side] == MOST_MIRRORED
        turns = {
            key_of(stones): partial(self._after, state, stones)
            for stones in self._drops(state)
            if not (patience_ends and self._counts_as_mirroring(state, stones))
        }
        if self.pie == "swap" and state.turns == 1:
            turns["swap"] = partial(self._swapped, state)
        return Turns(turns)

    def _chosen(self, state: State, side: str) -> State:
        seat = 2 if side == "Black" else 1
        return replace(state, turns=state.turns + 1, black_seat=seat, last=frozenset())

    def _swapped(self, state: State) -> State:
        return replace(state, turns=2, black_seat=2, passes=0, last=frozenset())

    def _drops(self, state: State) -> list[frozenset[Point]]:
        empty = [point for point in square(self.size) if point not in state.stones]
        singles = [frozenset([point]) for point in empty]
        if not self.passing:
            return singles
        pairs = [
            frozenset(pair)
            for pair in combinations(empty, 2)
            if abs(pair[0][0] - pair[1][0]) + abs(pair[0][1] - pair[1][1]) == self.gap
        ]
        return [frozenset(), *singles, *pairs]

    def _after(self, state: State, stones: frozenset[Point]) -> State:
        mirrors = self._counts_as_mirroring(state, stones)
        counts = dict(state.mirrored)
        counts[state.side] = counts[state.side] + 1 if mirrors else 0
        counting = self.passes_end and not stones and not self._in_pie(state)
        return State(
            {**state.stones, **dict.fromkeys(stones, state.side)},
            other(state.side),
            state.black_seat,
            state.turns + 1,
            state.passes + 1 if counting else 0,
            stones,
            tuple(counts.items()),
        )

    def _counts_as_mirroring(self, state: State, stones: frozenset[Point]) -> bool:
        return not self._in_pie(state) and key_of(stones) in self.mirroring(state)

    def mirroring(self, state: State) -> set[str]:
        """Return the keys of the turns that would mirror the opponent's, pairs as sets."""
        return {
            key_of(image(point, self.size) for point in state.last)
            for image in MIRRORS[self.mirror]
            if state.last
        }

    def outcome(self, state: State) -> str | None:
        for side, axis in (("Black", 1), ("White", 0)):
            own = {point for point, colour in state.stones.items() if colour == side}
            chain = reached(
                [point for point in own if point[axis] == 1],
                lambda at, side=side, own=own: own.intersection(  # type: ignore[misc]
                    linked(at, side, self.size, self.corner == "dark")
                ),
            )
            if any(point[axis] == self.size for point in chain):
                return side
        return DRAW if state.passes >= 2 else None

    def pieces(self, state: State) -> dict[str, str]:
        return {site(point): colour for point, colour in state.stones.items()}

    def turn(self, state: State) -> tuple[str, int]:
        if self.pie == "choose" and state.turns <= PIE_TURNS:
            return state.side, 2 if state.turns == PIE_TURNS else 1
        return state.side, state.black_seat if state.side == "Black" else 3 - state.black_seat
