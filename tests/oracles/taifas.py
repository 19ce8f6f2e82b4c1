"""Taifas, from Luis Bolaños Mures's announcement of 2009.

In: the board's size and how zones are valued. Out: an oracle. What then holds: zones are counted
by walking over squares, and values are exact fractions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from oracles.oracle import DRAW, Point, Turns, beside, other, reached, site, square

SIDES = ("Black", "White")


@dataclass(frozen=True)
class State:
    """Stones by point, whose turn it is, Black's seat, and the tie-break so far."""

    stones: Mapping[Point, str]
    side: str = "Black"
    black_seat: int = 1
    last_zone: str | None = None


@dataclass(frozen=True)
class Taifas:
    """Most zones on the full board win; the owner of the last completed zone loses a tie."""

    size: int = 9
    fractional: bool = False
    last_changed: bool = False

    def start(self) -> State:
        return State({})

    def key(self, text: str) -> str:
        return text

    def zones(self, stones: Mapping[Point, str], side: str) -> list[set[Point]]:
        """Return the orthogonal groups of squares without a side's stones, if it has any stone."""
        if side not in stones.values():
            return []
        free = {point for point in square(self.size) if stones.get(point) != side}
        found: list[set[Point]] = []
        for point in sorted(free):
            if not any(point in zone for zone in found):
                found.append(reached([point], lambda at: free.intersection(beside(at))))
        return found

    def moves(self, state: State) -> Turns[State]:
        turns = {
            f"{colour} {site(point)}": partial(self._placed, state, point, colour)
            for point in square(self.size)
            if point not in state.stones
            for colour in SIDES
        }
        if len(state.stones) == 1 and state.side == "White" and state.black_seat == 1:
            turns["swap"] = partial(replace, state, black_seat=2)
        return Turns(turns)

    def _placed(self, state: State, point: Point, colour: str) -> State:
        stones = {**state.stones, point: colour}
        before = len(self.zones(state.stones, colour))
        after = len(self.zones(stones, colour))
        counts = after != before if self.last_changed else after > before
        last = colour if counts else state.last_zone
        return State(stones, other(state.side), state.black_seat, last)

    def outcome(self, state: State) -> str | None:
        if len(state.stones) < self.size**2:
            return None
        black, white = (self._total(state, side) for side in SIDES)
        if black != white:
            return "Black" if black > white else "White"
        return DRAW if state.last_zone is None else other(state.last_zone)

    def _total(self, state: State, side: str) -> Fraction:
        zones = self.zones(state.stones, side)
        return sum((Fraction(1, len(zone) if self.fractional else 1) for zone in zones), Fraction())

    def pieces(self, state: State) -> dict[str, str]:
        return {site(point): colour for point, colour in state.stones.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return state.side, state.black_seat if state.side == "Black" else 3 - state.black_seat
