"""What solving a position has found out, as frozen data.

In: values of a position and of its moves. Out: a `Solution`, or why there is none. What then holds:
what is not known is not there; moves stand from best to worst, as the seat sees them that decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from gdl.data_classes import dataclass
from gdl.interpreter.english import does
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Position
from gdl.interpreter.solve.workspace import DRAWN, LOST, WON


@dataclass(frozen=True)
class Result:
    """What a position is worth.

    `value` is 1 where the first seat wins, 0 where it loses, 0.5 for a draw; `plies` in how many
    moves of both the game ends, if those who win hurry and those who lose delay; a draw has none.
    """

    value: float
    plies: int | None

    @classmethod
    def of(cls, value: int, plies: int) -> Result:
        """Return the result that native code tells by two numbers."""
        return cls(value / WON, None if value == DRAWN else plies)

    def for_seat(self, seat: int) -> float:
        """Return the value for a seat, from 1."""
        return self.value if seat == 1 else 1 - self.value


@dataclass(frozen=True)
class SolvedMove:
    """A move, and the result that it leads to; its plies count this move, too."""

    move: Move
    result: Result

    def to_json(self, seat: int) -> dict[str, Any]:
        """Return it as plain data, as a seat sees it."""
        value = self.result.for_seat(seat)
        return {"move": self.move.text, "value": value, "plies": self.result.plies}


@dataclass(frozen=True)
class Solution:
    """A solved position.

    `moves` are those whose result is known. `positions` is how many were reached, with all their
    images under the `symmetries` that were used; of a proof, how many were gone on from. With
    `is_shortest`, plies are those of the best play, else the game ends in at most so many. `line`
    is such a game. `endless` is how many positions are draws because nobody can force an end.
    """

    position: Position
    result: Result
    moves: tuple[SolvedMove, ...]
    line: tuple[Move, ...]
    method: str
    positions: int
    symmetries: int
    is_shortest: bool
    endless: int
    seconds: float

    @property
    def winner(self) -> str | None:
        """The side that wins if both play well: the one that its seat plays now; None: a draw."""
        if self.result.value == DRAWN / WON:
            return None
        seat = 1 if self.result.value else 2
        sides = self.position.rules.sides
        return next((side for side in sides if self.position.seat_of(side) == seat), None)

    @property
    def seat(self) -> int | None:
        """The seat that wins if both play well, None if none does."""
        return None if self.winner is None else self.position.seat_of(self.winner)

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves that are as good as any, of those that are known."""
        if not self.moves:
            return ()
        first = self.moves[0].result
        return tuple(one.move for one in self.moves if one.result == first)

    @property
    def told(self) -> str:
        """The result in words: `SIDE wins`, `draw`, or `no solution` of a puzzle.

        The side is the one that the seat plays now that wins, where seats may exchange sides.
        """
        if self.winner is not None:
            return does([self.winner], "wins")
        return "no solution" if len(self.position.rules.sides) == 1 else "draw"

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data; values of moves are those for the seat on turn."""
        seat = self.position.seat or 1
        return {
            "result": self.told,
            "reason": None,
            "seat": self.seat,
            "plies": self.result.plies,
            "is_shortest": self.is_shortest,
            "best": [move.text for move in self.best],
            "moves": [one.to_json(seat) for one in self.moves],
            "line": [move.text for move in self.line],
            "method": self.method,
            "positions": self.positions,
            "symmetries": self.symmetries,
            "endless": self.endless,
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class Unsolved:
    """Why nothing is known, and what was done: by which method, at how many positions."""

    reason: str
    method: str | None
    positions: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data, under the names that a solution has."""
        unknown = dict.fromkeys(("seat", "plies", "is_shortest", "symmetries", "endless"))
        told = {"result": "unknown", "best": [], "moves": [], "line": []}
        return told | unknown | asdict(self)


def ranked(moves: Iterable[SolvedMove], seat: int) -> tuple[SolvedMove, ...]:
    """Return moves from best to worst for a seat: quick wins first, slow losses last but one."""

    def worth(one: SolvedMove) -> tuple[float, int]:
        value, plies = one.result.for_seat(seat), one.result.plies or 0
        return -value, plies if value == 1 else -plies if value == LOST else 0

    return tuple(sorted(moves, key=worth))
