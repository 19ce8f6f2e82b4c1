"""TZAAR and YINSH (Kris Burm), from the rules of http://www.gipf.com.

In: which way a game begins. Out: an oracle each. What then holds: spots of a hexagon have cube
coordinates, three numbers that add up to 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from oracles.oracle import DRAW, letters, other

Spot = tuple[int, int]
STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six directions, one after the other around."""


def step(spot: Spot, way: Spot, times: int = 1) -> Spot:
    """Return the spot so many steps further that way, on the board or off it."""
    return spot[0] + times * way[0], spot[1] + times * way[1]


def hexagon(size: int) -> dict[Spot, str]:
    """Return the spots of a hexagon and their names: rows count from the lowest."""
    far = size - 1
    span = range(-far, far + 1)
    return {
        (x, y): f"{letters(x + size)}{y + size}"
        for y, x in product(span, span)
        if abs(x + y) <= far
    }


Pile = tuple[str, str, int]
"""The side, the kind of the uppermost piece, the height."""


@dataclass(frozen=True)
class TzaarState:
    """The piles by spot, whose turn it is, and how many pieces chance has dealt."""

    piles: Mapping[Spot, Pile]
    side: str = "White"
    dealt: int = 60


KINDS = ("Tzaar",) * 6 + ("Tzarra",) * 9 + ("Tott",) * 15


@dataclass(frozen=True)
class Tzaar:
    """Sixty spots; the pieces are dealt by chance, or put on the board by the players."""

    placing: bool = False

    def _spots(self) -> dict[Spot, str]:
        return {spot: name for spot, name in hexagon(5).items() if spot != (0, 0)}

    def start(self) -> TzaarState:
        return TzaarState({}, dealt=0)

    def moves(self, state: TzaarState) -> dict[str, TzaarState]:
        if state.dealt < 60:
            return self._placings(state)
        if self.outcome(state) is not None:
            return {}
        found: dict[str, TzaarState] = {}
        opening = len(state.piles) == 60
        for text, piles in self._jumps(state.piles, state.side, False):
            found[text] = TzaarState(piles, other(state.side))
            if opening or not self._is_complete(piles, other(state.side)):
                continue
            for second, after in self._jumps(piles, state.side, True):
                found[f"{text} {second}"] = TzaarState(after, other(state.side))
        return found

    def _placings(self, state: TzaarState) -> dict[str, TzaarState]:
        sides = ("White", "Black")
        side = sides[state.dealt % 2]
        after = "White" if state.dealt == 59 or not self.placing else other(side)
        free = [spot for spot in self._spots() if spot not in state.piles]
        if not self.placing:
            piece = (side, KINDS[state.dealt // 2], 1)
            return {
                self._spots()[spot]: self._with(state, spot, piece, other(side)) for spot in free
            }
        mine = [kind for owner, kind, _ in state.piles.values() if owner == side]
        left = [kind for kind in set(KINDS) if mine.count(kind) < KINDS.count(kind)]
        return {
            f"{kind} {self._spots()[spot]}": self._with(state, spot, (side, kind, 1), after)
            for kind in left
            for spot in free
        }

    @staticmethod
    def _with(state: TzaarState, spot: Spot, pile: Pile, side: str) -> TzaarState:
        return TzaarState({**state.piles, spot: pile}, side, state.dealt + 1)

    @staticmethod
    def _is_complete(piles: Mapping[Spot, Pile], side: str) -> bool:
        return len({kind for owner, kind, _ in piles.values() if owner == side}) == 3

    def _jumps(
        self, piles: Mapping[Spot, Pile], side: str, stacking: bool
    ) -> Iterator[tuple[str, Mapping[Spot, Pile]]]:
        """Yield captures, and if wished jumps onto own pieces, with the piles after them."""
        spots = self._spots()
        for spot, (owner, kind, height) in piles.items():
            for way in STEPS if owner == side else ():
                goal = step(spot, way)
                while goal in spots and goal not in piles:
                    goal = step(goal, way)
                if goal not in spots:
                    continue
                whose, _, high = piles[goal]
                after = {place: pile for place, pile in piles.items() if place != spot}
                if whose != side and high <= height:
                    after[goal] = (side, kind, height)
                elif whose == side and stacking:
                    after[goal] = (side, kind, height + high)
                else:
                    continue
                yield f"{spots[spot]}-{spots[goal]}", after

    def outcome(self, state: TzaarState) -> str | None:
        if state.dealt < 60:
            return None
        for loser in (other(state.side), state.side):
            if not self._is_complete(state.piles, loser):
                return other(loser)
        return None if any(self._jumps(state.piles, state.side, False)) else other(state.side)

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: TzaarState) -> dict[str, str]:
        return {self._spots()[spot]: pile[0] for spot, pile in state.piles.items()}

    def turn(self, state: TzaarState) -> tuple[str, int | None]:
        if state.dealt < 60 and not self.placing:
            return state.side, None
        return state.side, 1 if state.side == "White" else 2


@dataclass(frozen=True)
class YinshState:
    """Rings and markers by spot, rings that were taken off by side, and what is to be done next.

    Whose turn it is may take rows off before the move of a ring, and after it, `moved`.
    """

    rings: Mapping[Spot, str] = field(default_factory=dict)
    markers: Mapping[Spot, str] = field(default_factory=dict)
    taken: Mapping[str, int] = field(default_factory=lambda: {"White": 0, "Black": 0})
    side: str = "White"
    put: int = 0
    moved: bool = False
    passes: int = 0


@dataclass(frozen=True)
class Yinsh:
    """A hexagon without its corners; so many rows win, three or in a short game one."""

    goal: int = 3

    def _spots(self) -> dict[Spot, str]:
        corners = {(5 * x, 5 * y) for x, y in STEPS}
        return {spot: name for spot, name in hexagon(6).items() if spot not in corners}

    def start(self) -> YinshState:
        return YinshState()

    def moves(self, state: YinshState) -> dict[str, YinshState]:
        if self.outcome(state) is not None:
            return {}
        side = state.side
        if state.put < 10:
            return {
                name: replace(
                    state, rings={**state.rings, spot: side}, side=other(side), put=state.put + 1
                )
                for spot, name in self._spots().items()
                if spot not in state.rings
            }
        if self._rows(state, side):
            found = dict(self._takings(state))
        else:
            found = dict(self._ring_moves(state))
            if not found:
                return {"pass": replace(state, side=other(side), passes=state.passes + 1)}
        return {
            text: replace(after, side=other(side), moved=False)
            if after.moved and not self._rows(after, side)
            else after
            for text, after in found.items()
        }

    def _rows(self, state: YinshState, side: str) -> list[list[Spot]]:
        """Return each row of five markers of a side, from its lower or left end."""
        mine = {spot for spot, owner in state.markers.items() if owner == side}
        rows = [[step(spot, way, i) for i in range(5)] for spot in mine for way in STEPS[:3]]
        return [row for row in rows if mine.issuperset(row)]

    def _takings(self, state: YinshState) -> Iterator[tuple[str, YinshState]]:
        """Yield the ways to take off a row and a ring."""
        spots = self._spots()
        mine = [ring for ring, owner in state.rings.items() if owner == state.side]
        for row, ring in product(self._rows(state, state.side), mine):
            yield (
                f"{spots[row[0]]} {spots[row[-1]]} {spots[ring]}",
                replace(
                    state,
                    rings={spot: side for spot, side in state.rings.items() if spot != ring},
                    markers={s: side for s, side in state.markers.items() if s not in row},
                    taken={**state.taken, state.side: state.taken[state.side] + 1},
                    passes=0,
                ),
            )

    def _ring_moves(self, state: YinshState) -> Iterator[tuple[str, YinshState]]:
        spots = self._spots()
        for ring, owner in state.rings.items():
            for way in STEPS if owner == state.side else ():
                jumped: list[Spot] = []
                goal = step(ring, way)
                while goal in spots and goal not in state.rings:
                    if goal in state.markers:
                        jumped.append(goal)
                    else:
                        turned = {spot: other(state.markers[spot]) for spot in jumped}
                        rings = {spot: s for spot, s in state.rings.items() if spot != ring}
                        yield (
                            f"{spots[ring]}-{spots[goal]}",
                            replace(
                                state,
                                rings={**rings, goal: owner},
                                markers={**state.markers, **turned, ring: owner},
                                moved=True,
                                passes=0,
                            ),
                        )
                        if jumped:
                            break
                    goal = step(goal, way)

    def outcome(self, state: YinshState) -> str | None:
        for side, rows in state.taken.items():
            if rows == self.goal:
                return side
        rows_left = self._rows(state, "White") or self._rows(state, "Black")
        if (len(state.markers) < 51 or rows_left) and state.passes < 2:
            return None
        white, black = state.taken["White"], state.taken["Black"]
        return DRAW if white == black else "White" if white > black else "Black"

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: YinshState) -> dict[str, str]:
        return {self._spots()[s]: side for s, side in {**state.markers, **state.rings}.items()}

    def turn(self, state: YinshState) -> tuple[str, int]:
        return state.side, 1 if state.side == "White" else 2
