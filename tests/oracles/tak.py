"""Tak (James Ernest, Patrick Rothfuss), from the rules of the US Tak Association.

In: the size of the board. Out: an oracle. What then holds: what a pile leaves behind is listed
first, as all ways to divide a number, and then tried square by square.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from oracles.oracle import DRAW, Point, beside, other, reached, site, square

Man = tuple[str, str]
Pile = tuple[Man, ...]
WAYS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
RESERVES = {3: (10, 0), 4: (15, 0), 5: (21, 1), 6: (30, 1)}


@dataclass(frozen=True)
class State:
    """Piles by their points, each from the lowest piece up; what is left; and who is on turn."""

    piles: Mapping[Point, Pile]
    left: Mapping[tuple[str, str], int]
    side: str = "White"
    turns: int = 0


def divided(number: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to write a number as a sum of positive ones, in any order."""
    if number == 0:
        yield ()
    for first in range(1, number + 1):
        for rest in divided(number - first):
            yield (first, *rest)


@dataclass(frozen=True)
class Tak:
    """A board of `size` by `size` squares; Black has `komi` flats more in the end."""

    size: int = 5
    komi: int = 0

    def start(self) -> State:
        stones, capstones = RESERVES[self.size]
        left = {(side, "stone"): stones for side in ("White", "Black")}
        return State({}, left | {(side, "cap"): capstones for side in ("White", "Black")})

    def key(self, text: str) -> str:
        return text

    def moves(self, state: State) -> dict[str, State]:
        if self.outcome(state) is not None:
            return {}
        points = square(self.size)
        free = [point for point in points if point not in state.piles]
        if state.turns < 2:
            enemy = other(state.side)
            return {site(point): self._placed(state, point, (enemy, "Flat")) for point in free}
        found = {
            f"{kind} {site(point)}": self._placed(state, point, (state.side, kind))
            for kind, of in (("Flat", "stone"), ("Wall", "stone"), ("Capstone", "cap"))
            if state.left[state.side, of]
            for point in free
        }
        for point, pile in state.piles.items():
            if pile[-1][0] == state.side:
                found |= dict(self._spread(state, point, pile))
        return found

    def _placed(self, state: State, point: Point, man: Man) -> State:
        of = (man[0], "cap" if man[1] == "Capstone" else "stone")
        left = {**state.left, of: state.left[of] - 1}
        return replace(self._next(state, {**state.piles, point: (man,)}), left=left)

    def _next(self, state: State, piles: Mapping[Point, Pile]) -> State:
        return replace(state, piles=piles, side=other(state.side), turns=state.turns + 1)

    def _spread(self, state: State, point: Point, pile: Pile) -> Iterator[tuple[str, State]]:
        for number in range(1, min(self.size, len(pile)) + 1):
            for name, way in WAYS.items():
                for drops in divided(number):
                    piles = self._dropped(state.piles, point, way, drops)
                    if piles is not None:
                        words = [site(point), name, str(number), *map(str, drops)]
                        yield " ".join(words), self._next(state, piles)

    def _dropped(
        self, before: Mapping[Point, Pile], point: Point, way: Point, drops: tuple[int, ...]
    ) -> Mapping[Point, Pile] | None:
        """Return the piles after pieces were left along a line, or None if that can't be."""
        piles = dict(before)
        carried = piles[point][-sum(drops) :]
        rest = piles.pop(point)[: -sum(drops)]
        if rest:
            piles[point] = rest
        for drop in drops:
            point = (point[0] + way[0], point[1] + way[1])
            if not (1 <= point[0] <= self.size and 1 <= point[1] <= self.size):
                return None
            there = piles.get(point, ())
            if there and there[-1][1] == "Capstone":
                return None
            if there and there[-1][1] == "Wall":
                if [kind for _, kind in carried] != ["Capstone"]:
                    return None
                there = (*there[:-1], (there[-1][0], "Flat"))
            piles[point] = (*there, *carried[:drop])
            carried = carried[drop:]
        return piles

    def _has_road(self, state: State, side: str) -> bool:
        road = {p for p, pile in state.piles.items() if pile[-1][0] == side}
        road = {point for point in road if state.piles[point][-1][1] != "Wall"}
        for axis in (0, 1):
            near = {point for point in road if point[axis] == 1}
            joined = reached(near, lambda point: road.intersection(beside(point)))
            if any(point[axis] == self.size for point in joined):
                return True
        return False

    def outcome(self, state: State) -> str | None:
        mover = other(state.side)
        for side in (mover, state.side):
            if self._has_road(state, side):
                return side
        is_empty = any(
            state.left[side, "stone"] + state.left[side, "cap"] == 0 for side in ("White", "Black")
        )
        if len(state.piles) < self.size**2 and not is_empty:
            return None
        tops = [pile[-1] for pile in state.piles.values()]
        white, black = tops.count(("White", "Flat")), tops.count(("Black", "Flat")) + self.komi
        if white == black:
            return DRAW
        return "White" if white > black else "Black"

    def pieces(self, state: State) -> dict[str, str]:
        return {site(point): pile[-1][0] for point, pile in state.piles.items()}

    def piles(self, state: State) -> dict[str, tuple[str, ...]]:
        """Return all pieces of each pile, the lowest first, by site name."""
        return {
            site(point): tuple(f"{side} {kind}" for side, kind in pile)
            for point, pile in state.piles.items()
        }

    def turn(self, state: State) -> tuple[str, int]:
        return state.side, 1 if state.side == "White" else 2
