"""Gobblet (Thierry Denoual, 2001), from https://www.boardspace.net/gobblet/english/gobblet_rules.pdf.

In: nothing. Out: an oracle. What then holds: a side has three nests, each told by the size of its
outermost piece; a square has its pieces from the lowest to the uppermost.
"""

from __future__ import annotations

from dataclasses import dataclass

from oracles.oracle import DRAW, Point, other, site, square

SIZES = {4: "Huge", 3: "Large", 2: "Small", 1: "Tiny"}
WIDE = 4
LINES = [
    *([(n, m) for m in range(1, WIDE + 1)] for n in range(1, WIDE + 1)),
    *([(m, n) for m in range(1, WIDE + 1)] for n in range(1, WIDE + 1)),
    [(n, n) for n in range(1, WIDE + 1)],
    [(n, WIDE + 1 - n) for n in range(1, WIDE + 1)],
]
Pile = tuple[tuple[str, int], ...]
Board = tuple[tuple[Point, Pile], ...]


@dataclass(frozen=True)
class State:
    """The piles, the nests of both sides, whose turn it is, and what stood after earlier turns."""

    board: Board = ()
    white: tuple[int, ...] = (4, 4, 4)
    black: tuple[int, ...] = (4, 4, 4)
    side: str = "White"
    past: tuple[tuple[Board, str], ...] = (((), "White"),)


def owners(piles: dict[Point, Pile]) -> dict[Point, str]:
    """Return whose piece is seen on each square that has one."""
    return {point: pile[-1][0] for point, pile in piles.items() if pile}


class Gobblet:
    """Four squares by four."""

    def start(self) -> State:
        return State()

    def moves(self, state: State) -> dict[str, State]:
        if self.outcome(state) is not None:
            return {}
        return {**self._entered(state), **self._moved(state)}

    def _entered(self, state: State) -> dict[str, State]:
        """Return the turns that play the outermost piece of a nest."""
        piles, found = dict(state.board), {}
        nests = state.white if state.side == "White" else state.black
        seen, enemy = owners(piles), other(state.side)
        in_three = {
            point
            for line in LINES
            if sum(seen.get(point) == enemy for point in line) >= 3
            for point in line
            if seen.get(point) == enemy
        }
        for place, size in enumerate(nests):
            for point in square(WIDE) if size else ():
                if point in seen and not (point in in_three and piles[point][-1][1] < size):
                    continue
                left = (*nests[:place], size - 1, *nests[place + 1 :])
                after = {**piles, point: (*piles.get(point, ()), (state.side, size))}
                found[f"{SIZES[size]} {site(point)}"] = self._after(state, after, left)
        return found

    def _moved(self, state: State) -> dict[str, State]:
        """Return the turns that move a piece of the board."""
        piles, found = dict(state.board), {}
        nests = state.white if state.side == "White" else state.black
        for begin, side in owners(piles).items():
            piece = piles[begin][-1]
            for end in square(WIDE) if side == state.side else ():
                under = piles.get(end, ())
                if end == begin or (under and under[-1][1] >= piece[1]):
                    continue
                after = {**piles, begin: piles[begin][:-1], end: (*under, piece)}
                found[f"{site(begin)}-{site(end)}"] = self._after(state, after, nests)
        return found

    def _after(self, state: State, piles: dict[Point, Pile], nests: tuple[int, ...]) -> State:
        board = tuple(sorted((point, pile) for point, pile in piles.items() if pile))
        white = nests if state.side == "White" else state.white
        black = nests if state.side == "Black" else state.black
        side = other(state.side)
        return State(board, white, black, side, (*state.past, (board, side)))

    def key(self, text: str) -> str:
        return text

    def outcome(self, state: State) -> str | None:
        seen = owners(dict(state.board))
        for side in (state.side, other(state.side)):
            if any(all(seen.get(point) == side for point in line) for line in LINES):
                return side
        return DRAW if state.past.count(state.past[-1]) >= 3 else None

    def pieces(self, state: State) -> dict[str, str]:
        return {site(point): side for point, side in owners(dict(state.board)).items()}

    def turn(self, state: State) -> tuple[str, int | None]:
        return state.side, 1 if state.side == "White" else 2
