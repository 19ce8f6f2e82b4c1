"""`gdl play`: a game in the terminal."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Annotated

import typer

from interpreter.cli.beginning import begin
from interpreter.cli.dialogue import Dialogue
from interpreter.cli.failures import wrong_use
from interpreter.cli.parameters import Ascii, Request, Seed
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


def play(
    *,
    seats: Seats = None,
    request: Request,
    seed: Seed = None,
    ascii: Ascii = False,
) -> None:
    """Play in the terminal. Type `help` there for what else can be typed."""
    course = begin(request)
    kept = course.record
    drawn = random.SystemRandom().getrandbits(32) if seed is None else seed
    chance = random.Random(drawn)
    kinds = {**({} if kept is None else kept.seats), **seat_kinds(seats or [], course.last.rules)}
    players = players_at(kinds, course.last.rules, chance)
    dialogue = Dialogue(Session(course, drawn, kinds), players, chance, ascii)
    if kept is not None:
        dialogue.keeps(request.game, kept.text)
    dialogue.run()


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
