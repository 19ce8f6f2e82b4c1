"""Games in which things are taken and who can take no more loses, from the well-known rules.

In: what there is at the start, and what may be taken of it in a turn. Out: an oracle. What then
holds: each game is a function from what is left to the sets that a turn may take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from oracles.oracle import Point, site

Ways = Callable[[frozenset[Point], int], Iterator[tuple[Point, ...]]]
"""From what is left and whose turn it is (0 or 1) to what may be taken, named points first."""


@dataclass(frozen=True)
class State:
    """What is left, what stands on the points that were taken, and whose turn it is."""

    left: frozenset[Point]
    taken: Mapping[Point, str] = field(default_factory=dict)
    side: int = 0


@dataclass(frozen=True)
class LastMover:
    """A game of taking; `named` of the taken points name the turn.

    `piece` is what is put on taken points, "" for the side that took them; where it is None, a
    piece `stands` on the points that are left. Who takes the point `poisoned` loses.
    """

    sides: tuple[str, str]
    points: frozenset[Point]
    ways: Ways
    named: int
    piece: str | None = None
    stands: str = ""
    poisoned: Point | None = None

    def start(self) -> State:
        return State(self.points)

    def key(self, text: str) -> str:
        return text

    def moves(self, state: State) -> dict[str, State]:
        if self.poisoned is not None and self.poisoned not in state.left:
            return {}
        found = {}
        for taken in self.ways(state.left, state.side):
            piece = self.sides[state.side] if self.piece == "" else self.piece or ""
            marks = {**state.taken, **dict.fromkeys(taken, piece)}
            key = " ".join(site(point) for point in taken[: self.named])
            found[key] = State(state.left - set(taken), marks, 1 - state.side)
        return found

    def outcome(self, state: State) -> str | None:
        if self.poisoned is not None:
            return None if self.poisoned in state.left else self.sides[state.side]
        return None if self.moves(state) else self.sides[1 - state.side]

    def pieces(self, state: State) -> dict[str, str]:
        if self.piece is None:
            return {site(point): self.stands for point in state.left}
        return {site(point): piece for point, piece in state.taken.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return self.sides[state.side], state.side + 1


def _rectangle(width: int, height: int) -> frozenset[Point]:
    return frozenset((x, y) for x in range(1, width + 1) for y in range(1, height + 1))


def _dominoes(left: frozenset[Point], across: int, up: int) -> Iterator[tuple[Point, Point]]:
    for x, y in left:
        if (x + across, y + up) in left:
            yield (x, y), (x + across, y + up)


def domineering(width: int, height: int) -> LastMover:
    """Return Domineering: the first side's dominoes stand, the other's lie."""

    def ways(left: frozenset[Point], side: int) -> Iterator[tuple[Point, ...]]:
        yield from _dominoes(left, side, 1 - side)

    return LastMover(("Vertical", "Horizontal"), _rectangle(width, height), ways, 1, "")


def cram(width: int, height: int) -> LastMover:
    """Return Cram: dominoes stand or lie."""

    def ways(left: frozenset[Point], side: int) -> Iterator[tuple[Point, ...]]:
        yield from _dominoes(left, 0, 1)
        yield from _dominoes(left, 1, 0)

    return LastMover(("First", "Second"), _rectangle(width, height), ways, 2, "Domino")


def kayles(pins: int) -> LastMover:
    """Return Kayles: one pin, or two side by side."""

    def ways(left: frozenset[Point], side: int) -> Iterator[tuple[Point, ...]]:
        yield from ((pin,) for pin in left)
        yield from _dominoes(left, 1, 0)

    return LastMover(("First", "Second"), _rectangle(pins, 1), ways, 2, None, "Pin")


def chomp(width: int, height: int) -> LastMover:
    """Return Chomp: a square and all beyond it; the first one is poisoned."""

    def ways(left: frozenset[Point], side: int) -> Iterator[tuple[Point, ...]]:
        for x, y in left:
            yield ((x, y), *(p for p in left if p != (x, y) and p[0] >= x and p[1] >= y))

    sides = ("First", "Second")
    return LastMover(sides, _rectangle(width, height), ways, 1, None, "Square", (1, 1))
