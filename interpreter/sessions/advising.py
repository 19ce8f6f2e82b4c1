"""What the engine finds out for those who look at a game: a good move, what it is worth, a review.

In: positions, and what is known of them. Out: analyses and judgements. What then holds: the game is
compiled once, when something is first asked, and one question is answered at a time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from gdl.diagnostic import GameError
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.information import Information
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.sessions.failing import led_to
from gdl.interpreter.sessions.messages import trouble
from gdl.interpreter.sessions.seats import GreedyPlayer

if TYPE_CHECKING:
    from gdl.interpreter.search.analysis import Analysis
    from gdl.interpreter.search.engine import Engine
    from gdl.interpreter.search.review import Judgement

NOT_KNOWN = "There is no advice: nothing was found that agrees with what you have seen."


class Adviser:
    """Searches positions of one game; compiles it when it is first asked."""

    def __init__(self, seed: Callable[[], int] = int) -> None:
        """Begin without an engine; `seed` tells where the chance of each begins."""
        self._seed = seed
        self._engine: Engine | None = None
        self._lock = Lock()

    def analyse(
        self, position: Position, known: Information | None = None, seconds: float | None = None
    ) -> Analysis | None:
        """Return what is found out within so many seconds, and before.

        It looks at no more than what a side knows, where that is given; None where that is nothing.
        Raises GameError where there is no engine for the game, RuleError where its rules fail.
        """
        with self._lock:
            engine = self.engine_for(position.rules)
            if known is not None:
                return engine.analyse_known(known, seconds=seconds)
            return engine.analyse(position, seconds=seconds)

    def told(
        self, position: Position, known: Information | None = None, seconds: float | None = None
    ) -> Analysis | str:
        """Return what is found out as `analyse` does; a sentence, where that is nothing.

        Raises RuleError where the rules fail.
        """
        try:
            return self.analyse(position, known, seconds) or NOT_KNOWN
        except GameError as problem:
            return trouble(problem)

    def hint(
        self, position: Position, known: Information | None = None, seconds: float | None = None
    ) -> tuple[str, Move | None]:
        """Return what to say of a good move, and the move, if there is one that may be shown.

        Where there is no engine, it is a greedy player's. Raises RuleError where the rules fail.
        """
        from gdl.interpreter.search.analysis_text import advice

        try:
            self.engine_for(position.rules)
        except GameError:
            move = GreedyPlayer(random.Random(self._seed())).choose(position, known)
            why = "There is no engine for this game: that is a greedy player's move."
            return f"Perhaps {move}. ({why})", move
        found = self.told(position, known, seconds)
        return (found, None) if isinstance(found, str) else (advice(found), found.best_move)

    def reviewed(
        self,
        positions: Sequence[Position],
        moves: Sequence[Move],
        seconds: float | None = None,
        iterations: int | None = None,
    ) -> Iterator[Judgement]:
        """Yield what is to say of each move of a game; each position is searched for so long.

        Without either bound it is for longer the fewer moves there are. Raises GameError where
        there is no engine for the game, RuleError where its rules fail.
        """
        from gdl.interpreter.search.review import reviewed, seconds_each

        if seconds is None and iterations is None:
            seconds = seconds_each(len(moves))
        engine = self.engine_for(positions[0].rules)

        def searched(position: Position) -> Analysis:
            with led_to(position, positions, moves), self._lock:
                return engine.analyse(position, seconds=seconds, iterations=iterations)

        def known(what: Information) -> Analysis | None:
            with self._lock:
                return engine.analyse_known(what, seconds=seconds, iterations=iterations)

        return reviewed(positions, moves, searched, known)

    def engine_for(self, rules: Rules) -> Engine:
        """Return the engine for these rules. Raises GameError where there is none."""
        from gdl.interpreter.solve.store import engine_for

        if self._engine is None or self._engine.rules.game.digest != rules.game.digest:
            self._engine = engine_for(rules, seed=self._seed())
        return self._engine
