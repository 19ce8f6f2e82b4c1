"""What may be asked at the terminal: which moves there are, why, what is threatened, what is good.

In: a table. Out: texts and drawings on stdout. What then holds: nothing is told that the rules hide
from who looks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from textwrap import fill
from typing import TYPE_CHECKING

from gdl.diagnostic import GameError
from gdl.interpreter.cli.output import tracked, write, write_table
from gdl.interpreter.evaluation.moves import words
from gdl.interpreter.positions.meant import meant
from gdl.interpreter.positions.threats import threats
from gdl.interpreter.render.scene import Scene
from gdl.interpreter.sessions.advising import Adviser
from gdl.interpreter.sessions.choosing import next_words
from gdl.interpreter.sessions.failing import led_by
from gdl.interpreter.sessions.messages import trouble
from gdl.interpreter.sessions.notation import all_spelled
from gdl.interpreter.sessions.table import THREATENED, Table

if TYPE_CHECKING:
    from gdl.interpreter.search.analysis import Analysis

_WIDTH = 80
_MOST_LISTED = 200  # moves
_MOST_ANALYSED = 5  # moves


class Advice:
    """Answers about the game at a table, to who looks there, as far as that one may know."""

    def __init__(self, table: Table, draw: Callable[[Scene], None]) -> None:
        """Answer of the game that is played at a table then; `draw` shows a drawing."""
        self._table = table
        self._draw = draw
        self._adviser = Adviser(lambda: table.random.getrandbits(32))

    def moves(self, beginning: str) -> None:
        """List the legal moves, or those that begin with some words."""
        if not self._table.may_list():
            return
        position = self._table.position
        legal, begun = position.moves(), words(beginning)
        texts = [
            f"{short}: {text}" if (short := position.short(move)) else text
            for move, text in zip(legal, all_spelled(position), strict=True)
            if any(form[: len(begun)] == begun for form in move.forms)
        ]
        order = {word.lower(): n for n, word in enumerate(position.rules.vocabulary)}
        firsts = sorted(next_words("", legal), key=lambda word: order.get(word, len(order)))
        if not texts:
            write(f"No legal move begins with `{beginning}`.")
        elif not begun and len(firsts) < len(texts) > _MOST_LISTED:
            write(f"There are {len(texts)} legal moves. They begin with:")
            write(_wrapped(firsts))
            write(f"`moves {firsts[0]}` lists those that begin with {firsts[0]}, and so on.")
        else:
            write(_wrapped(texts))

    def why(self, text: str) -> None:
        """Tell why a move is legal or not, what a site is, or how the game stands."""
        for told, scene in self._table.audience.reasons(text):
            if scene is not None:
                self._draw(scene)
            write(told)

    def hint(self, _: str) -> None:
        """Tell a good move, and show it on the board."""
        table = self._table
        if not table.may_ask():
            return
        with self._led():
            told, move = self._adviser.hint(table.position, table.audience.known())
        if move is not None:
            self._draw(meant(table.position, move).on(table.audience.scene()))
        write(told)

    def value(self, _: str) -> None:
        """Tell what the position is worth for each side."""
        self._tell_values()

    def analyse(self, _: str) -> None:
        """Tell the best moves, and what they are worth."""
        from gdl.interpreter.search.analysis_text import ROW_HEADS, rows

        analysis = self._tell_values()
        if analysis is not None:
            write_table(ROW_HEADS, rows(analysis, _MOST_ANALYSED))

    def _tell_values(self) -> Analysis | None:
        """Tell what the position is worth, and return what was found out, if anything was."""
        from gdl.interpreter.search.analysis_text import values_text

        table = self._table
        if not table.may_ask():
            return None
        with self._led():
            found = self._adviser.told(table.position, table.audience.known())
        write(found if isinstance(found, str) else values_text(found))
        return None if isinstance(found, str) else found

    def _led(self) -> AbstractContextManager[None]:
        """Let a failure of the rules tell all moves of the game that lead there."""
        session = self._table.session
        return led_by(session.positions, session.moves)

    def threats(self, _: str) -> None:
        """Tell what the others could win by or take at once."""
        if not self._table.may_ask(of_threats=True):
            return
        position = self._table.position
        found = threats(position)
        marks = dict.fromkeys(found.marked, THREATENED)
        if marks:
            self._draw(position.scene(marks))
        write(found.text)

    def review(self, _: str) -> None:
        """Tell the moves that changed the value of the game most."""
        from gdl.interpreter.search.analysis_text import review_text

        session = self._table.session
        if not self._table.may_review():
            return
        number = len(session.moves)
        try:
            found = self._adviser.reviewed(session.positions, session.moves)
        except GameError as problem:
            write(trouble(problem))
            return
        write(f"The engine looks through {number} move{'' if number == 1 else 's'}.")
        write(review_text(tuple(tracked(found, number, "Moves"))))


def _wrapped(texts: Sequence[str]) -> str:
    return fill(", ".join(texts), _WIDTH, break_on_hyphens=False, break_long_words=False)
