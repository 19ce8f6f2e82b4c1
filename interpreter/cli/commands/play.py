"""`gdl play`: a game in the terminal."""

from __future__ import annotations

import os
import random
import shutil
import sys
from contextlib import suppress
from dataclasses import replace
from typing import Annotated

from gdl.codes import Code
from gdl.diagnostic import GameError, refused
from gdl.interpreter.cli import completion
from gdl.interpreter.cli.beginning import begin, load_requested, refuse_secret
from gdl.interpreter.cli.declarations import option
from gdl.interpreter.cli.drawing import ColourBlind, ThemedTerminal, terminal_theme
from gdl.interpreter.cli.output import (
    print_diagnostics,
    print_message,
    told_meanwhile,
    wants_ascii,
)
from gdl.interpreter.cli.parameters import (
    Ascii,
    AsSide,
    OptionalRequest,
    Seed,
    StartRequest,
    drawn_seed,
    seat_kinds,
)
from gdl.interpreter.render.theme import LIGHT
from gdl.interpreter.sessions.autosave import Keeper, resumed
from gdl.interpreter.sessions.clock import Clock, TimeControl
from gdl.interpreter.sessions.following import Followed
from gdl.interpreter.sessions.record import Record
from gdl.interpreter.sessions.replaying import replay
from gdl.interpreter.sessions.saves import is_saved_game
from gdl.interpreter.sessions.seats import people_at, players_at
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.table import Table
from gdl.load import is_path

Seats = Annotated[
    list[str] | None,
    option(
        "--seat",
        metavar="SEAT=PLAYER",
        help="Who sits at a seat: human (the usual), random, greedy, engine; engine:1 to engine:10"
        " are levels, engine:2s and engine:5000i are times and iterations; engine:2s+ponder thinks"
        " on your time as well. Repeatable.",
        show_default=False,
        offers=completion.seats,
    ),
]


Plain = Annotated[
    bool,
    option("--plain", help="Line by line, without the full screen."),
]
Resume = Annotated[
    bool,
    option("--resume", help="Continue the last game that was left before its end."),
]
ClockChoice = Annotated[
    str | None,
    option(
        "--clock",
        metavar="TIME",
        help="Time for each seat, such as 10m, or 10m+5s with five seconds more a move; who uses"
        " it up loses.",
        show_default=False,
    ),
]
Watch = Annotated[
    bool,
    option("--watch", help="Follow the file of the game: when it is saved, its new rules hold."),
]
_LEAST_COLUMNS, _LEAST_LINES = 60, 20


def play(
    *,
    seats: Seats = None,
    request: OptionalRequest,
    as_side: AsSide = None,
    seed: Seed = None,
    clock: ClockChoice = None,
    resume: Resume = False,
    watch: Watch = False,
    ascii: Ascii = False,
    plain: Plain = False,
    theme: ThemedTerminal = None,
    colour_blind: ColourBlind = False,
) -> None:
    """Play in the terminal. Type `help` there for what else can be typed.

    In a game that hides something, people see what their side sees; they hand over to each other.
    Without a GAME there is a menu of the shipped ones, and again after each game.
    """
    has_screen = not plain and fits_screen()
    is_from_menu = not resume and not request.game
    left = resumed(request.game or None) if resume else None
    while True:
        chosen, asks_seats = request, is_from_menu and not seats
        if is_from_menu:
            chosen, left = _chosen(request, has_screen)
            asks_seats = asks_seats and left is None
            if left is None and not chosen.game:
                return
        keeper = None
        if left is not None:
            record, keeper = left
            with told_meanwhile(f"Loading {record.game} …"):
                played = replay(record, keeper.path)
            print_diagnostics(played.warnings)
        else:
            with told_meanwhile(f"Loading {chosen.game} …"):
                played = begin(chosen, hides=True)
        kept = played.record
        drawn = _seed(seed, kept)
        chance = random.Random(drawn)
        rules = played.last.rules
        kinds = {**({} if kept is None else kept.seats), **seat_kinds(seats or [], rules)}
        players = players_at(kinds, rules, chance, are_ready=not has_screen)
        session = Session(played, drawn, kinds, _clock(clock))
        side = None if as_side is None else played.last.view(as_side).side
        if side is None and not people_at(players, rules):
            refuse_secret(played, f"Say who looks on: `--as {rules.sides[0]}`.")
        keeper = keeper or Keeper.new(rules.game.name)
        colours = terminal_theme(theme, colour_blind)
        table = Table(
            session,
            players,
            chance,
            keeper=keeper,
            as_side=side,
            are_ready=not has_screen,
            followed=_followed(chosen) if watch else None,
        )
        if kept is not None and left is None and not kept.is_signed:
            table.keeps(chosen.game, kept.text)
        try:
            if has_screen:
                from gdl.interpreter.screen.app import Screens

                shown = ascii or wants_ascii()
                Screens(table, ascii=shown, theme=colours, asks_seats=asks_seats).run()
                _say_how_to_go_on(table)
            else:
                from gdl.interpreter.cli.dialogue import Dialogue

                Dialogue(table, ascii=ascii, theme=colours or LIGHT).run()
        finally:
            keeper.close()
        if not is_from_menu:
            return


def _followed(request: StartRequest) -> Followed:
    """Return the file of a game, to be followed. Raises GameError where the game is none."""
    if not is_path(request.game) or is_saved_game(request.game):
        raise refused(
            Code.WRONG_OPTION,
            "`--watch` follows the file of a game.",
            "Name one by its path: `gdl play ./mine.yaml --watch`.",
        )
    return Followed(request.game, lambda: load_requested(request))


def _clock(text: str | None) -> Clock | None:
    """Return the clock that was asked for."""
    control = None if text is None else TimeControl.of(text)
    if text is not None and control is None:
        raise refused(Code.WRONG_OPTION, f"`{text}` is no time.", "Write `--clock 10m+5s`.")
    return None if control is None else Clock(control)


def _seed(asked: int | None, kept: Record | None) -> int:
    """Return where chance begins: as it was asked for, as it is kept, or anywhere."""
    return drawn_seed(asked if asked is not None or kept is None else kept.seed)


def _chosen(
    request: OptionalRequest, has_screen: bool
) -> tuple[OptionalRequest, tuple[Record, Keeper] | None]:
    """Return the game that a person chooses from a menu, or the last one that was left.

    There is neither if the person leaves the menu. Raises GameError where there is none.
    """
    if not has_screen:
        hint = "`gdl list` lists the games; in a large enough terminal there is a menu."
        raise refused(Code.NO_GAME, "Which game is to be played?", hint)
    from gdl.interpreter.screen.menu import choose_game

    left, told = None, ""
    with suppress(GameError):
        left = resumed()
        number, name = len(left[0].moves), os.path.basename(left[0].game)
        told = f"Go on with {name} ({number} move{'' if number == 1 else 's'})"
    chosen = choose_game(left=told, ascii=wants_ascii())
    if chosen is not None and not chosen.game:
        return request, left
    if left is not None:
        left[1].close()
    if chosen is None:
        return request, None
    options = [f"{name}={value}" for name, value in chosen.options.items()]
    wanted = replace(
        request,
        game=chosen.game,
        options=[*(request.options or ()), *options],
        variants=[*(request.variants or ()), *chosen.variants],
    )
    return wanted, None


def _say_how_to_go_on(left: Table) -> None:
    """Tell how to go on with a game that was left."""
    if left.session.moves and left.session.outcome is None:
        print_message("The game is kept: `gdl play --resume` goes on with it.")


def fits_screen() -> bool:
    """Return whether there is a terminal that is large enough for a full screen."""
    size = shutil.get_terminal_size((0, 0))
    is_large = size.columns >= _LEAST_COLUMNS and size.lines >= _LEAST_LINES
    is_able = os.environ.get("TERM", "dumb") != "dumb"
    return is_large and is_able and sys.stdin.isatty() and sys.stdout.isatty()
