"""`gdl watch`: sides that play by themselves."""

from __future__ import annotations

import random
from typing import Annotated

from gdl.interpreter.cli.beginning import begin
from gdl.interpreter.cli.commands.play import Plain, Seats, fits_screen
from gdl.interpreter.cli.declarations import option
from gdl.interpreter.cli.dialogue import Dialogue
from gdl.interpreter.cli.drawing import ColourBlind, ThemedTerminal, terminal_theme
from gdl.interpreter.cli.output import wants_ascii
from gdl.interpreter.cli.parameters import Ascii, Request, Seed, drawn_seed, finite, seat_kinds
from gdl.interpreter.render.theme import LIGHT
from gdl.interpreter.sessions.seats import HUMAN, players_at
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.table import Table

_USUAL_PLAYER = "engine:3"


def watch(
    *,
    seats: Seats = None,
    request: Request,
    seed: Seed = None,
    delay: Annotated[
        float, option(min=0.0, max=60.0, check=finite, help="Seconds between two moves.")
    ] = 0.5,
    ascii: Ascii = False,
    plain: Plain = False,
    theme: ThemedTerminal = None,
    colour_blind: ColourBlind = False,
) -> None:
    """Watch sides that play by themselves.

    Those of a saved game are the players that it was kept with.
    """
    played = begin(request)
    rules = played.last.rules
    drawn = drawn_seed(seed)
    chance = random.Random(drawn)
    usual = dict.fromkeys(range(1, len(rules.sides) + 1), _USUAL_PLAYER)
    kept = {} if played.record is None else played.record.seats
    sitting = {seat: kind for seat, kind in kept.items() if kind != HUMAN}
    kinds = {**usual, **sitting, **seat_kinds(seats or [], rules)}
    has_screen = not plain and fits_screen()
    players = players_at(kinds, rules, chance, are_ready=not has_screen)
    session = Session(played, drawn, kinds)
    colours = terminal_theme(theme, colour_blind)
    table = Table(session, players, chance, are_ready=not has_screen)
    if has_screen:
        from gdl.interpreter.screen.app import Screens

        Screens(table, ascii=ascii or wants_ascii(), theme=colours, delay=delay).run()
        return
    Dialogue(table, ascii=ascii, theme=colours or LIGHT, delay=delay).run()
