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
from interpreter.positions.meant import meant
from interpreter.positions.position_text import ended_text
from interpreter.positions.threats import threats
from interpreter.render.scene import Scene
from interpreter.sessions.advising import NOT_KNOWN, Adviser
from interpreter.sessions.audience import NO_ADVICE, Audience
from interpreter.sessions.entry import next_words
from interpreter.sessions.failing import led_by
from interpreter.sessions.seats import GreedyPlayer, chosen
from interpreter.sessions.spelling import all_spelled

if TYPE_CHECKING:
    from interpreter.search.analysis import Analysis

_WIDTH = 80
_MOST_LISTED = 200  # moves
_MOST_ANALYSED = 5  # moves
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
        self._adviser = Adviser(lambda: random.getrandbits(32))

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
        found = self._searched(audience)
        if found == _NO_ENGINE:
            move = chosen(GreedyPlayer(self._random), session.positions, session.moves)
            why = "There is no engine for this game: that is a greedy player's move."
            found = f"Perhaps {move}. ({why})"
        elif not isinstance(found, str) and found.best_move is not None:
            self._draw(meant(session.position, found.best_move).on(audience.scene()))
        write(found if isinstance(found, str) else advice(found))

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

        found = self._searched(audience)
        write(found if isinstance(found, str) else values_text(found))
        return None if isinstance(found, str) else found

    @_while_it_goes_on
    def threats(self, audience: Audience, argument: str) -> None:
        """Tell what the others could win by or take at once."""
        if audience.is_limited:
            write(NO_ADVICE)
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

        try:
            self._adviser.engine_for(session.position.rules)
        except GameError:
            write(_NO_ENGINE)
            return
        number = len(session.moves)
        write(f"The engine looks through {number} move{'' if number == 1 else 's'}.")
        found = self._adviser.reviewed(session.positions, session.moves)
        write(review_text(tuple(tracked(found, number, "Moves"))))

    def _searched(self, audience: Audience) -> Analysis | str:
        """Return what an engine finds out that knows no more than the side that looks; or why not.

        So it is where it finds nothing that agrees with it, or another side is on turn.
        """
        session = audience.session
        if not audience.is_on_turn:
            return NOT_KNOWN
        try:
            with led_by(session.positions, session.moves):
                return self._adviser.analyse(session.position, audience.known()) or NOT_KNOWN
        except GameError:
            return _NO_ENGINE


def _wrapped(texts: Sequence[str]) -> str:
    return fill(", ".join(texts), _WIDTH, break_on_hyphens=False, break_long_words=False)
