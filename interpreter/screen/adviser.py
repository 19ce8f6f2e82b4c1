"""The engine's help at a table: a search that goes on while the board stays alive.

In: positions. Out: analyses. What then holds: one search runs at a time, each ends within a part of
a second, and one of another position begins with what is known already.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.positions.position import Position
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
        from interpreter.solve.store import engine_for

        with self._lock:
            engine = self._engine
            if engine is None or engine.rules.game.digest != position.rules.game.digest:
                engine = self._engine = engine_for(position.rules)
            return engine.analyse(position, seconds=seconds)
