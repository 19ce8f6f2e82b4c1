"""Thinking while others are on turn.

In: an engine, and the position after its move. Out: nothing but what the engine's tree knows then.
What then holds: the engine is free again a part of a second after it is asked for; who has no
use for it any more need not say so.
"""

from __future__ import annotations

import time
from contextlib import suppress
from threading import Event, Thread
from weakref import finalize

from gdl.diagnostic import GameError
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.positions.position import Position
from gdl.interpreter.search.engine import Engine

_STRETCH = 0.1
"""Seconds of a search, after each of which it may be asked to end."""
_LONGEST = 600.0
"""Seconds after which there is little left to find out: who left the table comes back to it."""


class Pondering:
    """Searches in a thread of its own between `begin` and `end`."""

    def __init__(self, engine: Engine) -> None:
        """Let `engine` think; nobody else may use it before `end`."""
        self._engine = engine
        self._thread: Thread | None = None
        self._wanted = Event()
        self._found = Event()
        finalize(self, self._wanted.clear)

    @property
    def is_searching(self) -> bool:
        """Whether it thinks now."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def has_searched(self) -> bool:
        """Whether something of the last position was found out."""
        return self._found.is_set()

    def begin(self, position: Position) -> None:
        """Think about a position; about nothing, where the game is over."""
        self.end()
        if position.over:
            return
        self._wanted.set()
        self._found.clear()
        arguments = self._engine, position, self._wanted, self._found
        self._thread = Thread(target=_search, args=arguments, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop thinking."""
        self._wanted.clear()
        if self._thread is not None:
            self._thread.join()
            self._thread = None


def _search(engine: Engine, position: Position, wanted: Event, found: Event) -> None:
    end = time.monotonic() + _LONGEST
    with suppress(GameError, RuleError):
        while wanted.is_set() and time.monotonic() < end:
            analysis = engine.analyse(position, seconds=_STRETCH, lines=0)
            if not analysis.iterations or analysis.verdict:
                return
            found.set()
