"""Who plays at a screen: what may be chosen, and players that get ready beside it.

In: the table that is played at. Out: other players at it, or another game there. What then holds:
the screen tells what keeps players from getting ready.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from textual.screen import Screen
from textual.worker import get_current_worker

from gdl.diagnostic import GameError
from gdl.interpreter.screen.pages import Picker
from gdl.interpreter.sessions.messages import trouble
from gdl.interpreter.sessions.seats import ENGINE, Player
from gdl.interpreter.sessions.table import Table
from gdl.visible import visible_line


class Players:
    """Those that sit at the table of a screen."""

    def __init__(
        self, screen: Screen[None], table: Table, show: Callable[[], None], draw: Callable[[], None]
    ) -> None:
        """Seat players at this table.

        `show` is called when others sit there, `draw` when there is something new to say.
        """
        self._screen = screen
        self._table = table
        self._show = show
        self._draw = draw
        self._at: Mapping[int, Player] = {}

    def ask(self) -> None:
        """Ask who plays which side from now on."""
        table, session = self._table, self._table.session
        hides = table.position.rules.game.hides
        if hides and not table.is_new and session.outcome is None:
            table.sit({})  # which says why not
            self._show()
            return
        offered = list(seatings(table.position.rules.sides))

        def chosen(number: int | None) -> None:
            if number is None or session is not table.session:
                return
            if table.is_new:
                table.beginning(offered[number][1]).do()
            else:
                table.sit(offered[number][1])
            self._show()

        if len(offered) > 1:
            later = "" if hides else " It can be changed at any time by F10."
            kinds = [kinds for _, kinds in offered]
            seats = {seat: kind for seat, kind in session.seats.items() if kind}
            now = kinds.index(seats) if seats in kinds else 0
            texts = [text for text, _ in offered]
            page = Picker("Seats", f"Who plays?{later}", texts, now)
            self._screen.app.push_screen(page, chosen)

    def look(self) -> None:
        """Have players who have sat down get ready, when the screen shows it."""
        if self._at is not self._table.players:
            self._at = self._table.players
            work = partial(self._make_ready, self._at)
            start = partial(self._screen.run_worker, work, thread=True, group="players")
            self._screen.call_after_refresh(start)

    def _make_ready(self, players: Mapping[int, Player]) -> None:
        try:
            for player in tuple(players.values()):
                player.prepare()
        except GameError as problem:
            if not get_current_worker().is_cancelled:
                self._screen.app.call_from_thread(self._not_ready, players, trouble(problem))

    def _not_ready(self, players: Mapping[int, Player], told: str) -> None:
        if players is self._table.players:
            self._table.say(told, "F10 asks who plays.")
            self._draw()


# -------------------------------------------------------------------------------- who may sit where

_LEVELS, _SECONDS, _WATCHED = range(1, 11), 3, 3
"""The levels that can be chosen, how long the engine thinks at its best, and who is watched."""


def seatings(sides: Sequence[str]) -> Iterator[tuple[str, Mapping[int, str]]]:
    """Yield what can be chosen: people alone, one person against the engine, or the engine alone.

    >>> found = list(seatings(["White", "Black"]))
    >>> found[3], len(found)
    (('You play White, engine level 3 plays Black', {2: 'engine:3'}), 24)
    """
    names = [visible_line(side) for side in sides]
    yield "People play all sides", {}
    for own in range(len(names)):
        others = [seat for seat in range(len(names)) if seat != own]
        strengths = [(f"engine level {level}", str(level)) for level in _LEVELS]
        strengths.append((f"the engine with {_SECONDS} seconds a move", f"{_SECONDS}s"))
        for called, strength in strengths if others else ():
            text = f"{called} plays {', '.join(names[seat] for seat in others)}"
            kinds = {seat + 1: f"{ENGINE}:{strength}" for seat in others}
            yield f"You play {names[own]}, {text}", kinds
    if len(names) > 1:
        every = {seat + 1: f"{ENGINE}:{_WATCHED}" for seat in range(len(names))}
        yield f"Engine level {_WATCHED} plays all sides", every
