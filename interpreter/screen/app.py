"""The application: the screens, and how they look.

In: a table. Out: the terminal as it was before, when somebody has left.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
from collections.abc import Callable, Mapping
from typing import ClassVar

from textual.app import App
from textual.binding import Binding

from gdl.visible import visible_line
from interpreter.render.theme import LIGHT, Theme
from interpreter.screen.beginnings import Again, Load
from interpreter.screen.play import PlayScreen
from interpreter.sessions.audience import Audience
from interpreter.sessions.keeping import Keeper
from interpreter.sessions.replaying import replay
from interpreter.sessions.saves import named_file, read_record
from interpreter.sessions.seats import Player, people_at, players_at
from interpreter.sessions.session import Session
from interpreter.sessions.table import Table

_SURROUNDINGS = {
    "": "textual-dark",
    "light": "textual-light",
    "dark": "textual-dark",
    "paper": "textual-light",
}
"""What textual calls the colours around a board."""


class Screens(App[None]):
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
        again: Again,
        load: Load | None = None,
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
            again=again,
            load=load,
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
        """Leave, by the key that all such applications have, as the board does it."""
        if self.screen is self._first:
            self._first.action_leave()

    def action_interrupt(self) -> None:
        """Leave, as by an interrupt: at once, if it is asked already whether that is meant."""
        if self.screen is self._first:
            self._first.action_leave()
        else:
            self._first.leave()

    @property
    def table(self) -> Table:
        """The table that is played at now."""
        return self._first.table


def play_on_screen(
    session: Session,
    players: Mapping[int, Player],
    chance: random.Random,
    *,
    keeper: Keeper | None = None,
    as_side: str | None = None,
    is_open: bool = False,
    ascii: bool = False,
    theme: Theme | None = None,
    delay: float = 0.0,
    asks_seats: bool = False,
) -> Table:
    """Play a session until somebody leaves; return the table as it is left.

    It is kept as it goes by `keeper`, and games that are begun then by others of their own; without
    one, none is kept. Where the rules hide something, people see what their side does, or all
    what `as_side` does; unless it `is_open` and all is shown. It begins with the question who plays
    if it `asks_seats`. Raises GameError where a player can't be had.
    """
    begun = session
    keepers: list[Keeper] = []

    def seated(shown: Session, at: Mapping[int, Player], kept: Keeper | None) -> Table:
        here = shown.position.rules
        audience = None if is_open else Audience(shown, people_at(at, here), as_side)
        if kept is None:
            return Table(shown, at, chance, audience=audience)
        keepers.append(kept)
        return Table(shown, at, chance, kept.keep, audience)

    def seated_anew(shown: Session) -> Table:
        here = shown.position.rules
        kept = None if keeper is None else Keeper.new(here.game.name)
        return seated(shown, players_at(shown.seats, here, chance, are_ready=False), kept)

    def again(seats: Mapping[int, str]) -> Table:
        return seated_anew(begun.again(seats, chance.getrandbits(32)))

    def load(path: str) -> Callable[[], Table]:
        path = named_file(path)
        record = read_record(path)
        found = replay(record, path)
        loaded = Session(found, record.seed, record.seats)

        def at_table() -> Table:
            nonlocal begun
            table = seated_anew(loaded)
            table.message = visible_line(" ".join(one.message for one in found.warnings))
            begun = loaded
            return table

        return at_table

    app = Screens(
        seated(session, players, keeper),
        again=again,
        load=None if is_open else load,
        ascii=ascii,
        theme=theme,
        delay=delay,
        asks_seats=asks_seats,
    )
    try:
        app.run()
    finally:
        for one in keepers:
            one.close()
    return app.table
