"""What is known of positions for certain, told as an analysis.

In: the results of positions, from a table or from work that was done. Out: moves from best to
worst, an `Analysis`. What then holds: nothing is told where the best move is not known.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from interpreter.evaluation.moves import Move
from interpreter.positions.position import Position
from interpreter.search.analysis import Analysis, MoveAnalysis
from interpreter.solve.solution import Result, SolvedMove, ranked
from interpreter.solve.subject import Subject

_LONGEST_LINE = 12


class Knowledge(ABC):
    """What is known of the positions of a game."""

    def __init__(self, subject: Subject) -> None:
        """Know positions of a subject's game."""
        self.rules = subject.rules
        self._subject = subject

    @abstractmethod
    def result(self, position: Position) -> Result | None:
        """Return what a position is worth, if that is known."""

    def moves(self, position: Position) -> tuple[SolvedMove, ...]:
        """Return the moves whose results are known, from best to worst."""
        found = []
        for move, after in [] if position.over else self._subject.after(position):
            result = self.result(after)
            if result is not None:
                plies = None if result.plies is None else result.plies + 1
                found.append(SolvedMove(move, Result(result.value, plies)))
        return ranked(found, position.seat or 1)

    def analysis(self, position: Position, lines: int = 1) -> Analysis | None:
        """Return what is known of a position as an analysis; None if it is not enough.

        It is enough where the best move is known.
        """
        result = self.result(position)
        if result is None or position.over:
            return None
        moves = self.moves(position)
        seat = position.seat or 1
        if not moves or moves[0].result.for_seat(seat) != result.for_seat(seat):
            return None
        value = {side: result.for_seat(position.seat_of(side)) for side in position.rules.sides}
        told = []
        for rank, one in enumerate(moves):
            worth = one.result.for_seat(seat)
            line = (one.move, *self._line(position, one)) if rank < lines else (one.move,)
            told.append(MoveAnalysis(one.move, 0, worth, (worth, worth), one.result.plies, line))
        return Analysis(position, 0, 0.0, value, tuple(told))

    def _line(self, position: Position, one: SolvedMove) -> list[Move]:
        """Return the moves that follow a move if both go on playing well."""
        found: list[Move] = []
        native = self._subject.native
        position = Position(self.rules, native.apply(position.state, one.move))
        while len(found) < _LONGEST_LINE:
            result, moves = self.result(position), self.moves(position)
            if not moves or result is None or moves[0].result.value != result.value:
                break
            found.append(moves[0].move)
            position = Position(self.rules, native.apply(position.state, moves[0].move))
        return found
