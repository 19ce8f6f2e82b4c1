"""Games, and ends of games, that are small enough to be solved while somebody waits.

In: a position that is to be analysed, and how many seconds there are. Out: an `Analysis` that has
proven all, or None. What then holds: no more than a part of the time is taken; what was found out
serves for all positions that follow; where there are too many positions, it is tried again when
some others have been asked for.
"""

from __future__ import annotations

from interpreter.evaluation.evaluator import RuleError
from interpreter.positions.position import Position, Rules
from interpreter.search.analysis import Analysis
from interpreter.search.engine import Engine
from interpreter.solve.clock import Clock, OutOfTime
from interpreter.solve.enumeration import enumerate_more
from interpreter.solve.knowledge import Knowledge
from interpreter.solve.retrograde import NoRoom, Retrograde
from interpreter.solve.solution import Result
from interpreter.solve.subject import Subject, compiled

_MEMORY = 64 << 20
_TRIAL = 4096
"""So many positions are found before it is estimated how many there will be."""
_SHARE = 0.3
"""The part of the time that is taken at most."""
_LEFT_OUT = 3
"""Where there were too many positions, it is not tried for so many other ones."""


class SmallGame(Knowledge):
    """Solves a game, or what is left of it, if that is soon done."""

    def __init__(self, rules: Rules, engine: Engine) -> None:
        """Use the code of an engine. Raises GameError (`not-solvable`)."""
        super().__init__(Subject(rules, with_symmetries=False, engine=engine))
        self._solved: Retrograde | None = None
        self._left_out: list[Position] = []

    def result(self, position: Position) -> Result | None:
        """Return what a position is worth, if it was solved or follows one that was."""
        found = None if self._solved is None else self._solved.look_up(position)
        return None if found is None else self._subject.result(*found)

    def forget(self) -> None:
        """Forget all that was found out so far."""
        self._solved, self._left_out = None, []

    def solved(self, position: Position, lines: int, seconds: float) -> Analysis | None:
        """Return what a position is worth, if that takes a part of so many seconds at most.

        Nothing is known where the rules fail in some position: who searches tells where.
        """
        found = self.analysis(position, lines)
        if found is not None or self._is_left_out(position):
            return found
        work = Retrograde(self._subject, position, _MEMORY)
        compiled(enumerate_more)
        clock = Clock(_SHARE * seconds)
        try:
            work.work(clock, _TRIAL)
            if not work.is_solved and work.estimate() > work.room:
                raise NoRoom
            work.work(clock)
        except (NoRoom, OutOfTime, RuleError):
            self._left_out = [position]
            return None
        self._solved = work
        return self.analysis(position, lines)

    def _is_left_out(self, position: Position) -> bool:
        """Return whether a position is among those for which it is not tried again."""
        if not self._left_out or position in self._left_out:
            return bool(self._left_out)
        self._left_out.append(position)
        return len(self._left_out) <= _LEFT_OUT + 1
