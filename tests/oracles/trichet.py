"""Trichet (Cameron Browne, 2008), from the help page of its server.

In: the number of tiles, the least tiles that a closed region touches, whether positions that touch
tiles at corners only are filled automatically. Out: an oracle. What then holds: the board is
boundless; only the names of sites repeat, with the period of the interpreter's board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product

from oracles.oracle import DRAW, Point, Turns, reached, site

SIDES = ("Dot", "Oh")

Tile = tuple[int, int, str]
"""A triangle: column, row, and `u` if it stands on an edge or `d` if on a corner."""


def corners_of(tile: Tile) -> tuple[Point, Point, Point]:
    """Return a triangle's corners, the lower rows first and in a row the left one first."""
    x, y, way = tile
    if way == "u":
        return (x, y), (x + 1, y), (x, y + 1)
    return (x + 1, y), (x, y + 1), (x + 1, y + 1)


def around(corner: Point) -> set[Tile]:
    """Return the six triangles that meet at a corner."""
    x, y = corner
    return {
        *((x, y, "u"), (x - 1, y, "u"), (x, y - 1, "u")),
        *((x - 1, y, "d"), (x, y - 1, "d"), (x - 1, y - 1, "d")),
    }


@dataclass(frozen=True)
class State:
    """The corners' colours, the tiles, and whose turn it is."""

    colours: Mapping[Point, str]
    tiles: frozenset[Tile]
    side: str = "Dot"

    @cached_property
    def touched(self) -> set[Tile]:
        """The empty triangles that share a corner with a tile."""
        return {tile for corner in self.colours for tile in around(corner)} - self.tiles

    def open_corners(self, tile: Tile) -> list[Point]:
        """Return the corners of a triangle that have no colour yet."""
        return [corner for corner in corners_of(tile) if corner not in self.colours]

    def fitting(self, tile: Tile) -> list[tuple[str, ...]]:
        """Return the colours that the open corners can get: not all three corners alike."""
        coloured = [self.colours[at] for at in corners_of(tile) if at in self.colours]
        ways = product(SIDES, repeat=3 - len(coloured))
        return [way for way in ways if len({*coloured, *way}) == 2]

    def beside_a_tile(self, tile: Tile) -> bool:
        """Tell whether a triangle shares an edge, which is two corners, with a tile."""
        own = set(corners_of(tile))
        near = {other for corner in own for other in around(corner)} & self.tiles
        return any(len(own.intersection(corners_of(other))) == 2 for other in near)

    def with_tile(self, tile: Tile, colours: Iterable[str]) -> State:
        """Return the state with one more tile, its open corners coloured in order."""
        new = dict(zip(self.open_corners(tile), colours, strict=True))
        return State({**self.colours, **new}, self.tiles | {tile}, self.side)


@dataclass(frozen=True)
class Trichet:
    """Who surrounds a region of his colour wins; who surrounds one of both loses."""

    tiles: int = 54
    enough: int = 1
    corner_auto: bool = False

    def start(self) -> State:
        colours = {(0, 0): "Dot", (1, 0): "Dot", (0, 1): "Oh", (1, -1): "Oh"}
        return State(colours, frozenset({(0, 0, "u"), (0, -1, "d")}))

    def key(self, text: str) -> str:
        return text

    def _window(self, point: Point) -> Point:
        """Return where a point stands in the window of the board, which goes on where it ends."""
        period = self.tiles + 2
        x, y = ((number + period // 2 - 1) % period + 1 for number in point)
        return x, y

    def _name(self, point: Point) -> str:
        return site(self._window(point))

    def _in_order(self, corners: Sequence[Point], colours: tuple[str, ...]) -> list[str]:
        """Return the colours of corners in the order in which the window has these."""
        rows = [self._window(corner)[::-1] for corner in corners]
        return [colour for _, colour in sorted(zip(rows, colours, strict=True))]

    def _tile_name(self, tile: Tile) -> str:
        return self._name(tile[:2]) + tile[2]

    def moves(self, state: State) -> Turns[State]:
        if self.outcome(state) is not None:
            return Turns({})
        return Turns(
            {
                " ".join(
                    (self._tile_name(tile), *self._in_order(state.open_corners(tile), colours))
                ): partial(self._after, state, tile, colours)
                for tile in state.touched
                for colours in state.fitting(tile)
            }
        )

    def _after(self, state: State, tile: Tile, colours: tuple[str, ...]) -> State:
        after = state.with_tile(tile, colours)
        while len(after.tiles) < self.tiles:
            forced = [tile for tile in after.touched if self._is_forced(after, tile)]
            if not forced:
                break
            first = min(forced, key=lambda at: (at[1], at[0], at[2] == "d"))
            after = after.with_tile(first, after.fitting(first)[0])
        return State(after.colours, after.tiles, "Oh" if state.side == "Dot" else "Dot")

    def _is_forced(self, state: State, tile: Tile) -> bool:
        near = self.corner_auto or state.beside_a_tile(tile)
        return near and len(state.fitting(tile)) == 1

    def closed(self, state: State, side: str) -> list[set[Point]]:
        """Return a side's regions whose corners all lie among six tiles and that touch enough."""
        own = {corner for corner, colour in state.colours.items() if colour == side}
        found = []
        while own:
            region = reached(
                [min(own)],
                lambda at, own=own: (
                    {  # type: ignore[misc]
                        corner for tile in around(at) & state.tiles for corner in corners_of(tile)
                    }
                    & own
                ),
            )
            own = own - region
            touching = {tile for corner in region for tile in around(corner)}
            if touching <= state.tiles and len(touching) >= self.enough:
                found.append(region)
        return found

    def outcome(self, state: State) -> str | None:
        winners = [side for side in SIDES if self.closed(state, side)]
        if len(winners) == 2:
            return state.side
        if winners:
            return winners[0]
        return DRAW if len(state.tiles) >= self.tiles else None

    def pieces(self, state: State) -> dict[str, str]:
        return {
            **{self._tile_name(tile): "Tile" for tile in state.tiles},
            **{self._name(corner): side for corner, side in state.colours.items()},
        }

    def turn(self, state: State) -> tuple[str, int]:
        return state.side, 1 if state.side == "Dot" else 2
