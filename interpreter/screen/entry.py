"""Moves that a person enters at a screen: by pointing at sites, by typing, by agreeing.

In: the table that is played at, and what a person does. Out: words of a move chosen there, or the
move made. What then holds: what can't be chosen is said, and nothing is chosen out of turn.
"""

from __future__ import annotations

from collections.abc import Callable

from gdl.visible import visible_line
from interpreter.evaluation.moves import MoveError
from interpreter.positions.position_text import mover_does, mover_text
from interpreter.screen.table import Table
from interpreter.sessions.choosing import Choosing
from interpreter.sessions.slips import way_out
from interpreter.sessions.spelling import unspelled
from interpreter.sessions.typed import typed_move

_MOST_DIGITS = 9


class Entry:
    """What is entered at a screen."""

    def __init__(self, table: Callable[[], Table]) -> None:
        """Enter moves at the table that is played at now."""
        self._table = table

    def point(self, site: int) -> None:
        """Choose a site: the next word of a move, or a new beginning of one.

        The site that was chosen last is taken back, unless a move goes on with it once more.
        """
        table = self._table()
        name = table.position.rules.game.board.sites[site].name
        if not self._may_choose():
            return
        longer = table.choosing.with_word(name)
        if longer is None and name.lower() == (table.choosing.chosen[-1:] or ("",))[0]:
            self.back()
            return
        if longer is None and table.choosing.chosen:
            longer = Choosing(table.choosing.legal).with_word(name)
        if longer is None:
            table.message = table.offers.why_not(name, table.sight.pieces())
            return
        self._choose(longer)

    def look_at(self, site: int | None) -> None:
        """Say what Enter does at a site, while a move is being chosen."""
        table = self._table()
        if table.is_asked and table.choosing.chosen:
            table.message = table.offers.told(site)

    def agree(self) -> None:
        """Make the move that is meant: the one of which all is chosen, or the only one there is."""
        table = self._table()
        if not self._may_choose():
            return
        only = table.choosing.only
        if only is None:
            table.message = table.offers.told()
        elif table.choosing.chosen or len(table.choosing.legal) == 1:
            table.make(only)

    def read(self, text: str) -> bool:
        """Make the move that a text names, or choose its words; return whether it was either."""
        table = self._table()
        if not self._may_choose():
            return False
        whole = f"{table.choosing.text} {text}".strip()
        for wanted in dict.fromkeys((whole, text)):
            try:
                move = unspelled(wanted, table.position)
            except MoveError as problem:
                table.message = visible_line(str(problem))
            else:
                table.make(move)
                return True
        for beginning in (table.choosing, Choosing(table.choosing.legal)):
            longer = beginning.with_word(text)
            if longer is not None:
                self._choose(longer)
                return True
        return False

    def read_short(self, text: str) -> None:
        """Make the move that a text means in a shorter spelling, or say why it is none."""
        table = self._table()
        if not self._may_choose():
            return
        names = table.offers.named()
        if text.isdecimal() and 0 < int(text[:_MOST_DIGITS]) <= len(names):
            self.read(names[int(text) - 1])
            return
        try:
            table.make(typed_move(f"{table.choosing.text} {text}".strip(), table.position))
        except MoveError as problem:
            told = way_out(table.position, text, table.sight.pieces())
            table.message = visible_line(
                f"{problem} {table.offers.told() if names else told}".strip()
            )

    def back(self) -> None:
        """Take the word back that was chosen last."""
        table = self._table()
        table.message = ""
        table.choosing = table.choosing.without_last()

    def _may_choose(self) -> bool:
        table = self._table()
        table.message = ""
        if table.over:
            table.message = table.ended() or table.message
            return False
        if table.player is not None:
            table.message = f"{mover_does(table.position, 'thinks')}."
            return False
        if table.sight.must_change:
            table.message = f"Hand over to {mover_text(table.position)}."
            return False
        return True

    def _choose(self, longer: Choosing) -> None:
        table = self._table()
        table.message = ""
        table.choosing = longer
        if longer.move is not None:
            table.make(longer.move)
        else:
            table.message = table.offers.told()
