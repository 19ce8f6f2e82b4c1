"""`gdl play`: a game in the terminal."""

from __future__ import annotations

import random
from typing import Annotated

import typer

from interpreter.cli.beginning import begin
from interpreter.cli.dialogue import Dialogue
from interpreter.cli.failures import wrong_use
from interpreter.cli.parameters import Ascii, Request, Seed
from interpreter.positions.position import Rules
from interpreter.sessions.seats import Player, make_player
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
    drawn = random.SystemRandom().getrandbits(32) if seed is None else seed
    chance = random.Random(drawn)
    players = _players(seats or [], course.last.rules, chance)
    dialogue = Dialogue(Session(course, drawn), players, chance, ascii)
    if course.record is not None:
        dialogue.keeps(request.game, course.record.text)
    dialogue.run()


def _players(given: list[str], rules: Rules, chance: random.Random) -> dict[int, Player]:
    """Return the players that sit at seats, from 1; people sit at the others."""
    players: dict[int, Player] = {}
    seats = len(rules.sides)
    for text in given:
        number, equals, kind = text.partition("=")
        if not equals or not number.strip().isdecimal():
            raise wrong_use("wrong-option", f"`{text}` fills no seat.", "Write `--seat 2=engine`.")
        seat = int(number)
        if not 1 <= seat <= seats:
            raise wrong_use("wrong-option", f"There is no seat {seat}.", f"There are {seats}.")
        player = make_player(kind.strip(), chance, rules)
        if player is not None:
            players[seat] = player
    return players
