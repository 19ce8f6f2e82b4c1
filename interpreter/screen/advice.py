"""What the engine says at a screen: a hint, an analysis that goes on, a review of the whole game.

In: the table that is played at. Out: its advice and message, an `analysis`, judgements of moves.
What then holds: the engine works beside the screen, and what it says of a position that is no more
shown is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from textual.screen import Screen
from textual.worker import get_current_worker

from gdl.diagnostic import GameError
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.meant import Meant, meant
from gdl.interpreter.positions.position import Position
from gdl.interpreter.positions.threats import Threats, threats
from gdl.interpreter.search.analysis import Analysis
from gdl.interpreter.search.analysis_text import values_text
from gdl.interpreter.search.review import Judgement
from gdl.interpreter.sessions.advising import Adviser
from gdl.interpreter.sessions.messages import trouble
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.snapshot import Reviewed
from gdl.interpreter.sessions.table import Table

Found = TypeVar("Found")

_HINT_SECONDS = 1.0
_ANALYSIS_SECONDS = 0.4
_ESC_STOPS = "Esc stops it."
_MOST_ANALYSED = 30.0  # seconds, of one position


class Advice:
    """The engine's help on a screen, on whose threads it works."""

    def __init__(
        self,
        screen: Screen[None],
        table: Table,
        draw: Callable[[], None],
        reviewed: Callable[[], None],
    ) -> None:
        """Help with the game that is played at a table then.

        `draw` is called when there is something new to show, `reviewed` when a review is done.
        """
        self._screen = screen
        self._table = table
        self._draw = draw
        self._reviewed = reviewed
        self._adviser = Adviser()
        self._moment = 0
        self.is_analysing = False
        """Whether the engine says what it thinks, as it thinks."""
        self.analysis: Analysis | None = None

    def look(self) -> None:
        """Take note that perhaps another position is shown now."""
        self._moment += 1
        if self.analysis is not None and self.analysis.position is not self._table.position:
            self.analysis = None
        self.is_analysing = self.is_analysing and not self._table.audience.is_limited
        if self.is_analysing and self._table.player is None and not self._table.over:
            self._begin_to_analyse()

    def drop(self) -> None:
        """Stop all work: the screen is left."""
        self._moment += 1

    # ------------------------------------------------------------------------ a hint

    def hint(self) -> None:
        """Look for a good move, for the person who looks."""
        self._ask("The engine looks for a move.", self._adviser.hint, self._advised)

    def value(self) -> None:
        """Find out what the position is worth, for the person who looks."""
        self._ask("The engine looks at the position.", self._adviser.told, self._valued)

    def _ask(
        self, told: str, ask: Callable[..., Found], answer: Callable[[Found, int], None]
    ) -> None:
        table = self._table
        if not table.may_ask():
            return
        table.say(told)
        position, known, moment = table.position, table.audience.known(), self._moment

        def work() -> None:
            try:
                found = ask(position, known, _HINT_SECONDS)
            except RuleError as problem:
                self._tell(self._failed, trouble(problem), moment)
            else:
                self._tell(answer, found, moment)

        self._screen.run_worker(work, thread=True, group="advice")

    def _failed(self, told: str, moment: int) -> None:
        if moment == self._moment:
            self._table.say(told)
            self._draw()

    def _valued(self, found: Analysis | str, moment: int) -> None:
        if moment == self._moment:
            self._table.say(found if isinstance(found, str) else values_text(found))
            self._draw()

    def _advised(self, found: tuple[str, Move | None], moment: int) -> None:
        if moment != self._moment:
            return
        table, (told, move) = self._table, found
        table.say(told)
        if move is not None:
            table.advice = meant(table.position, move)
            table.threatened = frozenset()
        self._draw()

    # ----------------------------------------------------------------------- threats

    def threats(self) -> None:
        """Mark what the others could do at once if it were their turn."""
        table = self._table
        if not table.may_ask(of_threats=True):
            return
        table.say("Looking for threats.")
        work = partial(self._find_threats, table.position, self._moment)
        self._screen.run_worker(work, thread=True, group="threats")

    def _find_threats(self, position: Position, moment: int) -> None:
        self._tell(self._threatened, threats(position), moment)

    def _threatened(self, found: Threats, moment: int) -> None:
        if moment == self._moment:
            table = self._table
            table.advice, table.threatened = Meant(), found.marked
            table.say(found.text)
            self._draw()

    # ------------------------------------------------------------------- an analysis

    def toggle_analysis(self) -> None:
        """Say what the engine thinks of each position, as it thinks, or no more."""
        if not self.is_analysing and not self._table.may_ask(of_threats=True):
            return
        self.is_analysing = not self.is_analysing
        self.analysis = None
        self.look()

    def _begin_to_analyse(self) -> None:
        work = partial(self._analyse, self._table.position, self._moment)
        self._screen.run_worker(work, thread=True, group="analysis", exclusive=True)

    def _analyse(self, position: Position, moment: int) -> None:
        spent = 0.0
        while moment == self._moment and spent < _MOST_ANALYSED:
            found: Analysis | str
            try:
                found = self._adviser.told(position, seconds=_ANALYSIS_SECONDS)
            except RuleError as problem:
                found = trouble(problem)
            self._tell(self._analysed, found, moment)
            if isinstance(found, str) or found.verdict or position.over:
                return
            spent += _ANALYSIS_SECONDS

    def _analysed(self, found: Analysis | str, moment: int) -> None:
        if moment != self._moment:
            return
        if isinstance(found, str):
            self.is_analysing = False
            self._table.say(found)
        else:
            self.analysis = found
        self._draw()

    # ---------------------------------------------------------------------- a review

    def review(self) -> None:
        """Look through all moves of the line; what is said of them is the table's `review` then."""
        session = self._table.session
        positions, moves = session.line_positions, [move for _, move in session.line]
        self._table.say(f"The engine looks through {len(moves)} moves. {_ESC_STOPS}")

        def work() -> None:
            found: list[Judgement] = []
            try:
                for judgement in self._adviser.reviewed(positions, moves):
                    if get_current_worker().is_cancelled:
                        return
                    found.append(judgement)
                    self._tell(self._come_to, session, judgement.number, len(moves))
            except (GameError, RuleError) as problem:
                self._tell(self._review_failed, session, trouble(problem))
                return
            self._tell(self._review_done, session, found)

        self._screen.run_worker(work, thread=True, group="review", exclusive=True)

    def stop_review(self) -> bool:
        """Stop the review that is being made; return whether there was one."""
        stopped = self._screen.workers.cancel_group(self._screen, "review")
        if any(worker.is_running for worker in stopped):
            self._table.say("The review was stopped.")
            return True
        return False

    def _come_to(self, session: Session, number: int, whole: int) -> None:
        if session is self._table.session:
            said = f"The engine has looked through {number} of {whole} moves."
            self._table.say(f"{said} {_ESC_STOPS}")
            self._draw()

    def _review_failed(self, session: Session, text: str) -> None:
        if session is self._table.session:
            self._table.say(text)
            self._draw()

    def _review_done(self, session: Session, found: list[Judgement]) -> None:
        if session is self._table.session:
            self._table.say()
            self._table.review = Reviewed(tuple(found), session.position.rules.sides[0])
            self._reviewed()

    # ------------------------------------------------------------------------ inside

    def _tell(self, hear: Callable[..., None], *told: object) -> None:
        """Tell the screen, from a thread, unless the work has been stopped meanwhile."""
        if not get_current_worker().is_cancelled:
            self._screen.app.call_from_thread(hear, *told)
