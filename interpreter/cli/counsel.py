"""What may be asked at the terminal: which moves there are, why, what is threatened, what is good.

In: a session, and who looks at it. Out: texts and drawings on stdout. What then holds: nothing is
told that the rules hide from who looks.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import wraps
from textwrap import fill
from typing import TYPE_CHECKING

from gdl.diagnostic import GameError
from interpreter.cli.output import tracked, write, write_table
from interpreter.evaluation.moves import MoveError, words
from interpreter.positions.information import Information
from interpreter.positions.meant import meant
from interpreter.positions.position import Position
from interpreter.positions.position_text import ended_text
from interpreter.positions.threats import threats
from interpreter.render.scene import Scene
from interpreter.sessions.audience import Audience
from interpreter.sessions.entry import next_words
from interpreter.sessions.failing import led_by, led_to
from interpreter.sessions.seats import GreedyPlayer, chosen
from interpreter.sessions.session import Session
from interpreter.sessions.spelling import all_spelled

if TYPE_CHECKING:
    from interpreter.search.analysis import Analysis
    from interpreter.search.engine import Engine

_WIDTH = 80
_MOST_LISTED = 200  # moves
_MOST_ANALYSED = 5  # moves
_NOT_KNOWN = "There is no advice: nothing was found that agrees with what you have seen."
_NO_ENGINE = "There is no engine for this game: it has no native code."


Answer = Callable[["Counsel", Audience, str], None]


def _while_it_goes_on(answer: Answer) -> Answer:
    """Have it said that the game is over, where it is, instead of an answer about what comes."""

    @wraps(answer)
    def answered(self: Counsel, audience: Audience, argument: str) -> None:
        session = audience.session
        if session.outcome is None:
            answer(self, audience, argument)
        else:
            write(f"The game is over: {ended_text(session.position, session.outcome)}.")

    return answered


class Counsel:
    """Answers about the game that is played, for an audience, as far as that may know."""

    def __init__(self, random: random.Random, draw: Callable[[Scene], None]) -> None:
        """Draw by `random`; `draw` shows a drawing."""
        self._random = random
        self._draw = draw
        self._engine: Engine | None = None

    @_while_it_goes_on
    def moves(self, audience: Audience, argument: str) -> None:
        """List the legal moves, or those that begin with some words."""
        position = audience.session.position
        legal, begun = position.moves(), words(argument)
        texts = [
            f"{short}: {text}" if (short := position.short(move)) else text
            for move, text in zip(legal, all_spelled(position), strict=True)
            if any(form[: len(begun)] == begun for form in move.forms)
        ]
        order = {word.lower(): n for n, word in enumerate(position.rules.vocabulary)}
        firsts = sorted(next_words("", legal), key=lambda word: order.get(word, len(order)))
        if not texts:
            write(f"No legal move begins with `{argument}`.")
        elif not begun and len(firsts) < len(texts) > _MOST_LISTED:
            write(f"There are {len(texts)} legal moves. They begin with:")
            write(_wrapped(firsts))
            write(f"`moves {firsts[0]}` lists those that begin with {firsts[0]}, and so on.")
        else:
            write(_wrapped(texts))

    def why(self, audience: Audience, argument: str) -> None:
        """Tell why a move is legal or not, what a site is, or how the game stands."""
        from interpreter.explain.telling import explanation_scene, explanation_text

        try:
            found = audience.why(argument)
        except MoveError as error:
            write(f"{error.message} {error.hint}".rstrip())
            return
        if isinstance(found, str):
            write(found)
            return
        for told in found:
            if told.witness.sites:
                self._draw(explanation_scene(told))
            write(explanation_text(told))

    @_while_it_goes_on
    def hint(self, audience: Audience, argument: str) -> None:
        """Tell a good move, and show it on the board."""
        from interpreter.search.analysis_text import advice

        session = audience.session
        engine = self._engine_for(session)
        if engine is not None:
            analysis = self._searched(audience, engine)
            if analysis is not None and analysis.best_move is not None:
                self._draw(meant(session.position, analysis.best_move).on(audience.scene()))
            write(_NOT_KNOWN if analysis is None else advice(analysis))
            return
        if not audience.is_on_turn:
            write(_NOT_KNOWN)
            return
        move = chosen(GreedyPlayer(self._random), session.positions, session.moves)
        write(
            f"Perhaps {move}. (There is no engine for this game: that is a greedy player's move.)"
        )

    @_while_it_goes_on
    def value(self, audience: Audience, argument: str) -> None:
        """Tell what the position is worth for each side."""
        self._tell_values(audience)

    @_while_it_goes_on
    def analyse(self, audience: Audience, argument: str) -> None:
        """Tell the best moves, and what they are worth."""
        from interpreter.search.analysis_text import ROW_HEADS, rows

        analysis = self._tell_values(audience)
        if analysis is not None:
            write_table(ROW_HEADS, rows(analysis, _MOST_ANALYSED))

    def _tell_values(self, audience: Audience) -> Analysis | None:
        """Tell what the position is worth, and return what was found out, if anything was."""
        from interpreter.search.analysis_text import values_text

        engine = self._engine_for(audience.session)
        if engine is None:
            write(_NO_ENGINE)
            return None
        analysis = self._searched(audience, engine)
        write(_NOT_KNOWN if analysis is None else values_text(analysis))
        return analysis

    @_while_it_goes_on
    def threats(self, audience: Audience, argument: str) -> None:
        """Tell what the others could win by or take at once."""
        if audience.is_limited:
            write("In this game a threat could tell what you are not to see.")
            return
        position = audience.session.position
        found = threats(position)
        marks = dict.fromkeys(found.marked, "x")
        if marks:
            self._draw(position.scene(marks))
        write(found.text)

    def review(self, audience: Audience, argument: str) -> None:
        """Tell the moves that changed the value of the game most."""
        session = audience.session
        if session.outcome is None:
            write("A game is reviewed when it is over; `analyse` tells of this position.")
            return
        if not session.moves:
            write("There is no move to review.")
            return
        from interpreter.search.analysis_text import review_text
        from interpreter.search.review import reviewed, seconds_each

        engine = self._engine_for(session)
        if engine is None:
            write(_NO_ENGINE)
            return
        moves = session.moves
        each = seconds_each(len(moves))
        write(f"The engine looks through {len(moves)} move{'' if len(moves) == 1 else 's'}.")

        def searched(position: Position) -> Analysis:
            with led_to(position, session.positions, moves):
                return engine.analyse(position, seconds=each)

        def known(what: Information) -> Analysis | None:
            return engine.analyse_known(what, seconds=each)

        found = reviewed(session.positions, moves, searched, known)
        write(review_text(tuple(tracked(found, len(moves), "Moves"))))

    def _searched(self, audience: Audience, engine: Engine) -> Analysis | None:
        """Return what an engine finds out that knows no more than the side that looks.

        None where it finds nothing that agrees with it, or another side is on turn.
        """
        known, session = audience.known(), audience.session
        if known is None:
            with led_by(session.positions, session.moves):
                return engine.analyse(session.position)
        return engine.analyse_known(known) if audience.is_on_turn else None

    def _engine_for(self, session: Session) -> Engine | None:
        """Return the engine for the game that is played; None if there is none."""
        from interpreter.solve.store import engine_for

        position = session.position
        if self._engine is None or self._engine.rules.game.digest != position.rules.game.digest:
            try:
                self._engine = engine_for(position.rules, seed=self._random.getrandbits(32))
            except GameError:
                return None
        return self._engine


def _wrapped(texts: Sequence[str]) -> str:
    return fill(", ".join(texts), _WIDTH, break_on_hyphens=False, break_long_words=False)
