"""`gdl play`: a game in the terminal."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from interpreter.cli.beginning import begin
from interpreter.cli.dialogue import Dialogue
from interpreter.cli.failures import wrong_use
from interpreter.cli.output import wants_ascii
from interpreter.cli.parameters import Ascii, AsSide, Request, Seed
from interpreter.positions.position import Rules
from interpreter.sessions.seats import players_at
from interpreter.sessions.session import Session

Seats = Annotated[
    list[str] | None,
    typer.Option(
        "--seat",
        metavar="SEAT=PLAYER",
        help="Who sits at a seat: human (the usual), random, greedy, engine; engine:1 to engine:10"
        " are levels, engine:2s and engine:5000 are times and iterations. Repeatable.",
        show_default=False,
    ),
]


Plain = Annotated[
    bool,
    typer.Option("--plain", help="Line by line, without the full screen."),
]
_LEAST_COLUMNS, _LEAST_LINES = 60, 20


def play(
    *,
    seats: Seats = None,
    request: Request,
    as_side: AsSide = None,
    seed: Seed = None,
    ascii: Ascii = False,
    plain: Plain = False,
) -> None:
    """Play in the terminal. Type `help` there for what else can be typed.

    In a game that hides something, people see what their side sees; they hand over to each other.
    """
    course = begin(request)
    kept = course.record
    drawn = random.SystemRandom().getrandbits(32) if seed is None else seed
    chance = random.Random(drawn)
    rules = course.last.rules
    kinds = {**({} if kept is None else kept.seats), **seat_kinds(seats or [], rules)}
    players = players_at(kinds, rules, chance)
    session = Session(course, drawn, kinds)
    side = None if as_side is None else course.last.view(as_side).side
    # The screen shows everything: what is hidden is kept in the dialogue alone.
    shows_all = side is None and not rules.game.hides
    if not plain and shows_all and _has_screen():
        from interpreter.screen.app import play_on_screen

        play_on_screen(session, players, chance, ascii=ascii or wants_ascii())
        return
    dialogue = Dialogue(session, players, chance, ascii, side)
    if kept is not None:
        dialogue.keeps(request.game, kept.text)
    dialogue.run()


def _has_screen() -> bool:
    """Return whether there is a terminal that is large enough for a full screen."""
    size = shutil.get_terminal_size((0, 0))
    is_large = size.columns >= _LEAST_COLUMNS and size.lines >= _LEAST_LINES
    is_able = os.environ.get("TERM", "dumb") != "dumb"
    return is_large and is_able and sys.stdin.isatty() and sys.stdout.isatty()


def seat_kinds(given: Sequence[str], rules: Rules) -> dict[int, str]:
    """Return the kind of player at each seat, from 1, of texts such as `2=engine`."""
    kinds: dict[int, str] = {}
    seats = len(rules.sides)
    for text in given:
        number, equals, kind = text.partition("=")
        if not equals or not number.strip().isdecimal():
            raise wrong_use("wrong-option", f"`{text}` fills no seat.", "Write `--seat 2=engine`.")
        seat = int(number)
        if not 1 <= seat <= seats:
            raise wrong_use("wrong-option", f"There is no seat {seat}.", f"There are {seats}.")
        kinds[seat] = kind.strip()
    return kinds
