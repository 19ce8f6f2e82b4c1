"""Quick wins, found by every way, which a search may overlook: by random games, or by pruning.

In: a position, and some time. Out: a move that is proven to win, or nothing. What then holds: no
win is quicker; that nothing is found says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from gdl.diagnostic import GameError
from interpreter.evaluation.evaluator import RuleError
from interpreter.positions.position import Position, Rules
from interpreter.search.analysis import MoveAnalysis
from interpreter.search.engine import Engine
from interpreter.solve.clock import OutOfTime
from interpreter.solve.forced_wins import ForcedWins
from interpreter.solve.retrograde import NoRoom

_MEMORY = 1 << 26


class QuickWins:
    """Looks for quick wins in the positions of one game, with the code of an engine."""

    def __init__(self, rules: Rules, engine: Engine) -> None:
        """Look for wins by these rules; nothing is compiled before the first time."""
        self._rules = rules
        self._engine = engine

    @cached_property
    def _search(self) -> ForcedWins | None:
        """The search; None in a game that is none for it."""
        try:
            return ForcedWins(self._rules, memory=_MEMORY, engine=self._engine)
        except GameError:
            return None

    def forget(self) -> None:
        """Forget all that was found out so far."""
        self.__dict__.pop("_search", None)

    def find(
        self, position: Position, plies: int, seconds: float, first: Sequence[int] = ()
    ) -> MoveAnalysis | None:
        """Return the move that begins the quickest win of so many plies, if it is found in time.

        The moves with the numbers in `first` are tried before the others.
        """
        if self._search is None or position.seat is None:
            return None
        try:
            best = self._search.quickest(position, plies, seconds=seconds, first=first)
        except (OutOfTime, NoRoom, RuleError):
            return None
        if best is None:
            return None
        return MoveAnalysis(best.move, 0, 1.0, (1.0, 1.0), best.result.plies, (best.move,))
