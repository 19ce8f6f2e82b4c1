"""Bagh Chal, and Hare and Hounds, from the well-known rules.

In: nothing. Out: an oracle each. What then holds: the lines of the boards are written down or
worked out point by point, not taken from ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from oracles.oracle import DRAW, Point, site

Place = Point | str


@dataclass(frozen=True)
class State:
    """Who stands where, and the rest."""

    at: Mapping[str, str]
    side: int = 0
    hand: int = 0
    taken: int = 0
    past: tuple[object, ...] = ()


@dataclass(frozen=True)
class BaghChal:
    """Points are (1, 1) to (5, 5); diagonals lead from points with an even sum."""

    sides = ("Goats", "Tigers")
    hand: int = 20

    def start(self) -> State:
        return self._kept(State(dict.fromkeys(("a1", "a5", "e1", "e5"), "Tigers"), 0, self.hand))

    @staticmethod
    def _kept(state: State) -> State:
        """Keep the position and who has made it."""
        key = (frozenset(state.at.items()), state.side)
        return replace(state, past=(*state.past, key))

    @staticmethod
    def _steps(point: Point) -> list[Point]:
        slanting = sum(point) % 2 == 0
        return [s for s in product((-1, 0, 1), repeat=2) if any(s) and (slanting or 0 in s)]

    def moves(self, state: State) -> dict[str, State]:
        found: dict[str, State] = {}
        points = list(product(range(1, 6), repeat=2))
        empty = {p for p in points if site(p) not in state.at}
        if state.taken >= 5 or self._repeated(state):
            return found
        me = self.sides[state.side]
        after = replace(state, side=1 - state.side)
        if state.side == 0 and state.hand:
            for point in empty:
                at = {**state.at, site(point): me}
                found[site(point)] = self._kept(replace(after, at=at, hand=state.hand - 1))
            return found
        for point in points:
            if state.at.get(site(point)) != me:
                continue
            for x, y in self._steps(point):
                near, far = ((point[0] + i * x, point[1] + i * y) for i in (1, 2))
                at = {name: who for name, who in state.at.items() if name != site(point)}
                if near in empty:
                    at[site(near)] = me
                    found[f"{site(point)}-{site(near)}"] = self._kept(replace(after, at=at))
                elif state.side == 1 and state.at.get(site(near)) == "Goats" and far in empty:
                    del at[site(near)]
                    at[site(far)] = me
                    taken = replace(after, at=at, taken=state.taken + 1)
                    found[f"{site(point)}-{site(far)}"] = self._kept(taken)
        return found

    @staticmethod
    def _repeated(state: State) -> bool:
        return state.hand == 0 and Counter(state.past)[state.past[-1]] >= 3

    def outcome(self, state: State) -> str | None:
        if state.taken >= 5:
            return "Tigers"
        if self._repeated(state):
            return DRAW
        return None if self.moves(state) else self.sides[1 - state.side]

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: State) -> dict[str, str]:
        return dict(state.at)

    def turn(self, state: State) -> tuple[str, int]:
        return self.sides[state.side], state.side + 1


_LINKS = (
    "a2b1 a2b2 a2b3 b1b2 b2b3 b1c1 b2c2 b3c3 b1c2 b3c2 c1c2 c2c3 "
    "c1d1 c2d2 c3d3 c2d1 c2d3 d1d2 d2d3 d1e2 d2e2 d3e2"
)


@dataclass(frozen=True)
class HareAndHounds:
    """The 22 links between the eleven points are listed."""

    sides = ("Hounds", "Hare")
    links: frozenset[tuple[str, str]] = field(
        default_factory=lambda: frozenset(
            pair for link in _LINKS.split() for pair in ((link[:2], link[2:]), (link[2:], link[:2]))
        )
    )

    def start(self) -> State:
        return State({"a2": "Hounds", "b1": "Hounds", "b3": "Hounds", "e2": "Hare"})

    def moves(self, state: State) -> dict[str, State]:
        """`taken` counts how often the Hounds have moved up and down without a pause."""
        found: dict[str, State] = {}
        if self._won(state):
            return found
        for here, there in self.links:
            if state.at.get(here) != self.sides[state.side] or there in state.at:
                continue
            if state.side == 0 and there[0] < here[0]:
                continue
            at = {name: who for name, who in state.at.items() if name != here}
            at[there] = self.sides[state.side]
            count = state.taken
            if state.side == 0:
                count = count + 1 if here[0] == there[0] else 0
            found[f"{here}-{there}"] = State(at, 1 - state.side, 0, count)
        return found

    @staticmethod
    def _won(state: State) -> bool:
        hare = next(name for name, who in state.at.items() if who == "Hare")
        hounds = [name for name, who in state.at.items() if who == "Hounds"]
        return state.taken == 10 or all(hare[0] < hound[0] for hound in hounds)

    def outcome(self, state: State) -> str | None:
        if self._won(state):
            return "Hare"
        return None if self.moves(state) else self.sides[1 - state.side]

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: State) -> dict[str, str]:
        return dict(state.at)

    def turn(self, state: State) -> tuple[str, int]:
        return self.sides[state.side], state.side + 1
