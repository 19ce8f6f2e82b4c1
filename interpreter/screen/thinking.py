"""Players that think beside a screen, and the moves that they answer with.

In: the table that is played at. Out: moves made there. What then holds: the screen stays alive, and
an answer that comes too late, since the position shown is another one now, is not made.
"""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen
from textual.worker import get_current_worker

from gdl.diagnostic import GameError
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.sessions.messages import trouble
from gdl.interpreter.sessions.seats import Player, chosen
from gdl.interpreter.sessions.table import Table


class Thinking:
    """What players think of at a screen, on whose threads they do."""

    def __init__(
        self,
        screen: Screen[None],
        table: Table,
        show: Callable[[], None],
        draw: Callable[[], None],
        delay: float,
    ) -> None:
        """Have the players think who sit at a table then.

        `show` is called when a move was made, `draw` when there is something new to say. Players
        wait for `delay` seconds before they move.
        """
        self._screen = screen
        self._table = table
        self._show = show
        self._draw = draw
        self._delay = delay
        self._moment = 0
        self._is_paused = False

    def pause(self) -> None:
        """Wait before the next move, or go on, where players play among themselves.

        From a position that was looked back at, they go on where the game has come to.
        """
        if self._table.looks_back:
            self._table.go_to(len(self._table.session.line))
            self._is_paused = False
            self._show()
            return
        self._is_paused = not self._is_paused
        self._table.say("Paused: Space goes on." if self._is_paused else "")
        self.look()
        self._draw()

    def look(self) -> None:
        """Have the player on turn think of the position that is shown now; forget all others."""
        self._moment += 1
        player = self._table.player
        if player is not None and not self._is_paused:
            self.begin(player)

    def drop(self) -> None:
        """Make no move any more: the screen is left."""
        self._moment += 1

    def begin(self, player: Player) -> None:
        """Have a player find a move, beside the screen."""
        session, moment = self._table.session, self._moment

        def work() -> None:
            try:
                move: Move | str = chosen(player, session.positions, session.moves)
            except (GameError, RuleError) as problem:
                move = trouble(problem)
            if not get_current_worker().is_cancelled:
                self._screen.app.call_from_thread(self.answered, move, moment)

        self._screen.run_worker(work, thread=True, group="player")

    def answered(self, move: Move | str, moment: int) -> None:
        """Make a move that was found at a moment, or say why there is none, unless it is past."""
        if moment != self._moment:
            return
        if isinstance(move, str):
            self._table.say(move)
            self._draw()
        elif self._delay:
            self._screen.set_timer(self._delay, lambda: self._make(move, moment))
        else:
            self._make(move, moment)

    def _make(self, move: Move, moment: int) -> None:
        if moment == self._moment:
            self._table.make(move)
            self._show()
