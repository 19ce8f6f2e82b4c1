"""The engine's help at a table: a search that goes on while the board stays alive.

In: positions. Out: analyses. What then holds: one search runs at a time, each ends within a part of
a second, and one of another position begins with what is known already.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.positions.information import Information
    from interpreter.positions.position import Position, Rules
    from interpreter.search.analysis import Analysis
    from interpreter.search.engine import Engine


class Adviser:
    """Searches positions of one game; compiles it when it is first asked."""

    def __init__(self) -> None:
        """Begin without an engine."""
        self._engine: Engine | None = None
        self._lock = Lock()

    def analyse(self, position: Position, seconds: float) -> Analysis:
        """Return what is found out within so many seconds, and before.

        Raises GameError where there is no engine for the game, RuleError where its rules fail.
        """
        with self._lock:
            return self._engine_for(position.rules).analyse(position, seconds=seconds)

    def analyse_known(self, rules: Rules, known: Information, seconds: float) -> Analysis | None:
        """Return what is found out of no more than what a side knows; None where that is nothing.

        Raises GameError and RuleError, as `analyse` does.
        """
        with self._lock:
            return self._engine_for(rules).analyse_known(known, seconds=seconds)

    def _engine_for(self, rules: Rules) -> Engine:
        from interpreter.solve.store import engine_for

        if self._engine is None or self._engine.rules.game.digest != rules.game.digest:
            self._engine = engine_for(rules)
        return self._engine
