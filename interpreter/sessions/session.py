"""A game in progress: its positions and moves, taking back, resigning, keeping.

In: a start, and moves. Out: the position now, and the record of the game. What then holds:
there is one move fewer than positions.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.evaluation.evaluator import Outcome
from interpreter.evaluation.moves import Move
from interpreter.positions.position import Position
from interpreter.sessions.record import Record, Replay


class Session:
    """A game that is being played."""

    def __init__(self, course: Replay, seed: int | None = None) -> None:
        """Go on where `course` has come to; `seed` is kept in the record.

        So is the digest of the rules that the game was begun with, even if these are others now.
        """
        self._digest = "" if course.record is None else course.record.digest
        self._positions = list(course.positions)
        self._moves = list(course.moves)
        self._seed = seed
        self._resigned: Outcome | None = None

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[-1]

    @property
    def moves(self) -> Sequence[Move]:
        """The moves made so far."""
        return tuple(self._moves)

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended, also by resigning; None if it goes on."""
        return self._resigned or self.position.outcome

    def play(self, move: Move) -> None:
        """Make a legal move."""
        after = self.position.play(move)
        self._positions.append(after)
        self._moves.append(move)

    def take_back(self, seats: frozenset[int]) -> int:
        """Go back to the last position but this in which one of the seats was on turn.

        Returns the number of moves taken back: 0 if there is no such position.
        """
        for number in range(len(self._moves) - 1, -1, -1):
            if self._positions[number].seat in seats:
                taken = len(self._moves) - number
                del self._positions[number + 1 :]
                del self._moves[number:]
                self._resigned = None
                return taken
        return 0

    def resign(self) -> Outcome:
        """End the game: the side on turn gives up, and all the others win."""
        position = self.position
        winners = tuple(side for side in position.rules.sides if side != position.mover)
        seats = tuple(position.seat_of(side) for side in winners)
        self._resigned = Outcome(winners, seats)
        return self._resigned

    def record(self) -> Record:
        """Return the record of the game so far."""
        outcome = self.outcome
        result = "" if outcome is None else outcome.text
        record = Record.of(self._positions[0], self._moves, seed=self._seed, result=result)
        return record.with_digest(self._digest) if self._digest else record
