"""Quarto (Blaise Müller), from the publisher's rules.

In: whether squares count. Out: an oracle. What then holds: a piece is a number of four bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from oracles.oracle import DRAW, Point, site

WORDS = (("tall", "short"), ("red", "blue"), ("round", "cornered"), ("solid", "hollow"))
SQUARES = list(product(range(1, 5), repeat=2))


def name(piece: int) -> str:
    """Return a piece's name: a word for each of its bits."""
    return "_".join(pair[piece >> bit & 1] for bit, pair in enumerate(WORDS))


@dataclass(frozen=True)
class State:
    """What stands where, what was given to the side on turn, and whose turn it is."""

    at: Mapping[Point, int] = field(default_factory=dict)
    given: int | None = None
    side: int = 0


@dataclass(frozen=True)
class Quarto:
    """Two sides, First and Second."""

    squares: bool = False
    sides = ("First", "Second")

    def start(self) -> State:
        return State()

    def moves(self, state: State) -> dict[str, State]:
        if self._won(state) or len(state.at) == len(SQUARES):
            return {}
        left = [p for p in range(16) if p not in state.at.values() and p != state.given]
        if state.given is None:
            return {name(piece): State({}, piece, 1) for piece in left}
        found = {}
        for square in SQUARES:
            if square not in state.at:
                at = {**state.at, square: state.given}
                for piece in left or [None]:
                    words = [site(square), *([] if piece is None else [name(piece)])]
                    found[" ".join(words)] = State(at, piece, 1 - state.side)
        return found

    def _fours(self) -> Iterator[list[Point]]:
        span = range(1, 5)
        for n in span:
            yield [(n, m) for m in span]
            yield [(m, n) for m in span]
        yield [(n, n) for n in span]
        yield [(n, 5 - n) for n in span]
        if self.squares:
            for x, y in product(range(1, 4), repeat=2):
                yield [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]

    def _won(self, state: State) -> bool:
        for four in self._fours():
            if all(square in state.at for square in four):
                pieces = [state.at[square] for square in four]
                if any(len({piece >> bit & 1 for piece in pieces}) == 1 for bit in range(4)):
                    return True
        return False

    def outcome(self, state: State) -> str | None:
        if self._won(state):
            return self.sides[1 - state.side]
        return DRAW if len(state.at) == len(SQUARES) else None

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: State) -> dict[str, str]:
        return {site(square): name(piece) for square, piece in state.at.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return self.sides[state.side], state.side + 1
