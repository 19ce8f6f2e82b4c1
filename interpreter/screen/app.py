"""The application: the screens, and how they look.

In: a table. Out: the terminal as it was before, when somebody has left.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from typing import ClassVar, TypeVar

from textual.app import App
from textual.binding import Binding
from textual.driver import Driver

from gdl.interpreter.render.theme import LIGHT, Theme
from gdl.interpreter.screen.pages import Question
from gdl.interpreter.screen.play import PlayScreen
from gdl.interpreter.sessions.table import Table

_SURROUNDINGS = {
    "": "textual-dark",
    "light": "textual-light",
    "dark": "textual-dark",
    "paper": "textual-light",
}
"""What textual calls the colours around a board."""


Result = TypeVar("Result")


class _GoesOn(Driver):
    """A terminal's driver that drops bytes which are no text, instead of ending the program."""

    def run_input_thread(self) -> None:
        """Read the terminal's input until the program ends."""
        is_done = False
        while not is_done:
            with contextlib.suppress(UnicodeDecodeError):
                getattr(super(), "run_input_thread")()  # noqa: B009
                is_done = True


class TerminalApp(App[Result]):
    """An application that whatever comes from the terminal does not end."""

    def get_driver_class(self) -> type[Driver]:
        """Return what reads and writes the terminal."""
        found = super().get_driver_class()
        is_read = hasattr(found, "run_input_thread")
        return type("Terminal", (_GoesOn, found), {}) if is_read else found


class Screens(TerminalApp[None]):
    """The full-screen player."""

    CSS_PATH = "screens.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = [
        Binding("ctrl+q", "quit", "Leave", priority=True),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    def __init__(
        self,
        table: Table,
        *,
        ascii: bool = False,
        theme: Theme | None = None,
        delay: float = 0.0,
        asks_seats: bool = False,
    ) -> None:
        """Play at a table; see `PlayScreen`. Without a theme, the screen alone is dark."""
        super().__init__()
        self.theme = _SURROUNDINGS["" if theme is None else theme.name]
        self._first = PlayScreen(
            table,
            ascii=ascii,
            theme=theme or LIGHT,
            delay=delay,
            asks_seats=asks_seats,
        )

    def on_mount(self) -> None:
        """Show the board; give the terminal back to who ends the program from outside."""
        self.push_screen(self._first)
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._first.leave)

    async def action_quit(self) -> None:
        """Leave, by the key that all such applications have, as the board does it.

        What is laid over the board stays there while a question is asked: it may hide the board.
        """
        if not isinstance(self.screen, Question):
            self._first.action_leave()

    def action_interrupt(self) -> None:
        """Leave, as by an interrupt: at once, if it is asked already whether that is meant."""
        if self.screen is self._first:
            self._first.action_leave()
        else:
            self._first.leave()
