"""New games and other players at a screen: the same seats again, exchanged ones, who plays.

In: the table that is played at, and what a person asks for. Out: another table, or other players at
it. What then holds: a game that goes on is left only if that is meant, and players get ready beside
the screen, which tells what keeps them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from textual.screen import Screen
from textual.worker import get_current_worker

from gdl.diagnostic import GameError
from gdl.visible import visible_line
from interpreter.screen.pages import Picker, Question
from interpreter.sessions.news import trouble
from interpreter.sessions.seats import ENGINE, exchanged
from interpreter.sessions.table import Table

Again = Callable[[Mapping[int, str]], Table]
"""Makes the table of a new game from the kinds of players at its seats. Raises GameError."""
Load = Callable[[str], Callable[[], Table]]
"""Reads the saved game in a file, and returns what makes its table. Both raise GameError."""


class Beginnings:
    """What begins at a screen."""

    def __init__(
        self,
        screen: Screen[None],
        table: Callable[[], Table],
        again: Again,
        load: Load | None,
        sit_at: Callable[[Table], None],
        draw: Callable[[], None],
    ) -> None:
        """Begin where the table that is played at now ends.

        `sit_at` is called with a table where the game or its players are others now, `draw` when
        there is something new to show.
        """
        self._screen = screen
        self._table = table
        self._again = again
        self._load = load
        self._sit_at = sit_at
        self._draw = draw

    def anew(self) -> None:
        """Begin a new game with the same seats."""
        self._begin(self._table().session.seats)

    def exchanged(self) -> None:
        """Begin a new game in which each seat's player sits at the next one."""
        seats = self._table().session.seats
        number = len(self._table().position.rules.sides)
        self._begin(exchanged(seats, number))

    def load(self, path: str) -> None:
        """Go on with the game of a file, instead of this one."""
        load = self._load
        if not path or load is None:
            self._table().message = "Type load and the name of a saved game's file."
            return
        try:
            make = load(path)
        except GameError as problem:
            self._table().message = trouble(problem)
            return
        self._leave_for(make, "Leave this game, and go on with that one?")

    def ask_seats(self) -> None:
        """Ask who plays which side from now on."""
        table = self._table()
        offered = list(seatings(table.position.rules.sides))

        def chosen(number: int | None) -> None:
            if number is None or table is not self._table():
                return
            seats = offered[number][1]
            if table.is_new:
                self._sit_at_new(lambda: self._again(seats))
            else:
                table.sit(seats)
                self._sit_at(table)

        if len(offered) > 1:
            heading = "Who plays? It can be changed at any time by F10."
            page = Picker("Seats", heading, [text for text, _ in offered])
            self._screen.app.push_screen(page, chosen)

    def prepare(self, table: Table) -> None:
        """Have the players at a table get ready, when the screen shows it."""
        work = partial(self._make_ready, table)
        start = partial(self._screen.run_worker, work, thread=True, group="players")
        self._screen.call_after_refresh(start)

    def _begin(self, seats: Mapping[int, str]) -> None:
        self._leave_for(lambda: self._again(seats), "Leave this game, and begin a new one?")

    def _leave_for(self, make: Callable[[], Table], question: str) -> None:
        """Sit at a table that is made; ask first if this game would be left for it."""

        def answered(yes: bool | None) -> None:
            if yes:
                self._sit_at_new(make)

        if self._table().over or not self._table().session.moves:
            answered(True)
        else:
            self._screen.app.push_screen(Question(question), answered)

    def _sit_at_new(self, make: Callable[[], Table]) -> None:
        try:
            table = make()
        except GameError as problem:
            self._table().message = trouble(problem)
            self._draw()
            return
        table.begin()
        self._sit_at(table)

    def _make_ready(self, table: Table) -> None:
        try:
            for player in tuple(table.players.values()):
                player.prepare()
        except GameError as problem:
            if not get_current_worker().is_cancelled:
                self._screen.app.call_from_thread(self._not_ready, table, trouble(problem))

    def _not_ready(self, table: Table, told: str) -> None:
        if table is self._table():
            table.message = f"{told} F10 asks who plays."
            self._draw()


# -------------------------------------------------------------------------------- who may sit where

_LEVELS = (1, 3, 6, 10)


def seatings(sides: Sequence[str]) -> Iterator[tuple[str, Mapping[int, str]]]:
    """Yield what can be chosen: people alone, or one person against the engine, from each seat.

    >>> found = list(seatings(["White", "Black"]))
    >>> found[2], len(found)
    (('You play White, engine level 3 plays Black', {2: 'engine:3'}), 9)
    """
    names = [visible_line(side) for side in sides]
    yield "People play all sides", {}
    for own in range(len(names)):
        others = [seat for seat in range(len(names)) if seat != own]
        for level in _LEVELS if others else ():
            text = f"engine level {level} plays {', '.join(names[seat] for seat in others)}"
            kinds = {seat + 1: f"{ENGINE}:{level}" for seat in others}
            yield f"You play {names[own]}, {text}", kinds
