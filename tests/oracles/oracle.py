"""What an oracle is: a second implementation of a game, written from its sources alone.

In: nothing of the language or its interpreters. Out: an interface that tells positions, legal
turns and outcomes, and the few ideas that several games share. What then holds: an oracle and a
game file agree only if both read the sources alike.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Protocol, TypeVar

State = TypeVar("State")
Item = TypeVar("Item", bound=Hashable)

Point = tuple[int, int]
"""Column and row, both counted from 1."""

DRAW = "draw"


class Oracle(Protocol[State]):
    """A game as one plain program plays it; its states are never changed in place."""

    def start(self) -> State:
        """Return the position that the game begins with."""

    def moves(self, state: State) -> Mapping[str, State]:
        """Return each legal turn's key and the position after it; none when the game is over."""

    def key(self, text: str) -> str:
        """Return the key of the turn that the interpreter writes as `text`."""

    def outcome(self, state: State) -> str | None:
        """Return the winner's side, "draw", or None while the game goes on."""

    def pieces(self, state: State) -> dict[str, str]:
        """Return who stands where: the side, or the piece if it is neutral, by site name."""

    def turn(self, state: State) -> tuple[str, int | None]:
        """Return the side whose turn it is and the seat, from 1, that plays it; None is chance."""


class Turns(Mapping[str, State]):
    """Legal turns by their keys, each carried out only when it is looked up."""

    def __init__(self, after: Mapping[str, Callable[[], State]]) -> None:
        """Take what carries out each turn."""
        self.after = after

    def __getitem__(self, key: str) -> State:
        return self.after[key]()

    def __iter__(self) -> Iterator[str]:
        return iter(self.after)

    def __len__(self) -> int:
        return len(self.after)


def letters(number: int) -> str:
    """Return the letters of a column, counted from 1: a … z, aa, ab …"""
    text = ""
    while number:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("a") + digit) + text
    return text


def site(point: Point) -> str:
    """Return the name of a point: its column's letters and its row."""
    column, row = point
    return f"{letters(column)}{row}"


def square(size: int) -> list[Point]:
    """Return the points of a square board."""
    return [(column, row) for row in range(1, size + 1) for column in range(1, size + 1)]


def beside(point: Point) -> list[Point]:
    """Return the four points that are orthogonally next to one, on the board or off it."""
    column, row = point
    return [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]


def reached(start: Iterable[Item], step: Callable[[Item], Iterable[Item]]) -> set[Item]:
    """Return all that can be reached from `start` by steps, `start` included."""
    found = set(start)
    frontier = list(found)
    while frontier:
        for item in step(frontier.pop()):
            if item not in found:
                found.add(item)
                frontier.append(item)
    return found


def other(side: str) -> str:
    """Return the opponent of Black or White."""
    return "White" if side == "Black" else "Black"
