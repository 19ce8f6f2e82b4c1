"""What is asked at a screen before something ends or is lost: resigning, leaving, saving.

In: the table that is played at, and what a person asks for. Out: the game given up, left or kept in
a file. What then holds: nothing that matters is lost without a question.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from textual.screen import Screen

from gdl.visible import visible_line
from interpreter.screen.pages import Question
from interpreter.screen.table import Table
from interpreter.sessions.saves import named_file, saved_text


class Leaving:
    """What ends at a screen."""

    def __init__(
        self,
        screen: Screen[None],
        table: Callable[[], Table],
        show: Callable[[], None],
        draw: Callable[[], None],
        leave: Callable[[], None],
    ) -> None:
        """End the game of the table that is played at now.

        `show` is called when the game stands otherwise, `draw` when there is something new to say,
        `leave` when the screen is left.
        """
        self._screen = screen
        self._table = table
        self._show = show
        self._draw = draw
        self._leave = leave

    def resign(self) -> None:
        """Give up, if that is meant."""
        table = self._table()
        if table.over:
            table.message = "The game is over."
            self._draw()
            return

        def answered(yes: bool | None) -> None:
            if yes:
                table.resign()
                self._show()

        self._ask(f"Resign as {table.position.mover}?", answered)

    def leave(self) -> None:
        """Leave the game; ask first if it would be lost."""

        def answered(yes: bool | None) -> None:
            if yes:
                self._leave()

        if self._table().is_unkept:
            self._ask("These moves are not kept. Leave them?", answered)
        else:
            answered(True)

    def save(self, path: str) -> None:
        """Keep the game in a file; ask first if there is one already."""
        table = self._table()
        if not path:
            table.message = "Type save and the name of a file."
            return
        path = named_file(path)
        is_new, standing = not os.path.exists(path), saved_text(path)

        def answered(yes: bool | None) -> None:
            if yes:
                table.save(path, is_new, standing)
                self._draw()

        if is_new:
            answered(True)
        else:
            self._ask(f"{visible_line(path)} is there already. Write over it?", answered)

    def _ask(self, text: str, answered: Callable[[bool | None], None]) -> None:
        self._screen.app.push_screen(Question(text), answered)
