"""`gdl replay`: a saved game, step by step, or looked through by the engine."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated

from gdl.codes import Code
from gdl.diagnostic import refused
from gdl.interpreter.cli.beginning import refuse_secret
from gdl.interpreter.cli.commands.play import Plain, fits_screen
from gdl.interpreter.cli.declarations import argument, option
from gdl.interpreter.cli.drawing import (
    ColourBlind,
    Export,
    Flip,
    Look,
    Seconds,
    Size,
    ThemedTerminal,
    ThemeName,
    Turn,
    export_game,
    terminal_theme,
)
from gdl.interpreter.cli.output import (
    print_diagnostics,
    tracked,
    wants_ascii,
    write,
    write_drawn,
    write_json,
)
from gdl.interpreter.cli.parameters import Ascii, AsJson, Seed, drawn_seed, finite
from gdl.interpreter.cli.picture import board_text, write_turn
from gdl.interpreter.records.writing import branches
from gdl.interpreter.render.theme import LIGHT, Theme
from gdl.interpreter.sessions.advising import Adviser
from gdl.interpreter.sessions.replaying import Replay
from gdl.interpreter.sessions.replaying import replay as played_again
from gdl.interpreter.sessions.saves import read_record
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.table import Table


def replay(
    save: Annotated[
        Path,
        argument(
            "SAVE",
            help="A saved game, or PGN, PDN, SGF or KIF; games.pgn:3 is the third of a file.",
        ),
    ],
    ascii: Ascii = False,
    plain: Plain = False,
    review: Annotated[
        bool, option("--review", help="Tell which moves changed the value of the game most.")
    ] = False,
    seconds: Annotated[
        float | None,
        option(
            min=0.001,
            check=finite,
            help="With --review: how long to search each position.",
            show_default="0.05 to 0.5, by the length of the game",
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        option(min=1, help="With --review: how many iterations to search.", show_default=False),
    ] = None,
    seed: Seed = None,
    as_json: AsJson = False,
    export: Export = None,
    pace: Seconds = 1.0,
    theme: ThemedTerminal = None,
    colour_blind: ColourBlind = False,
    flip: Flip = False,
    size: Size = None,
) -> None:
    """Step through a saved game; moves there begin variations.

    With `--review` the engine looks through it: each line tells a move that changed the value of
    the game much, what it was worth for that side before and after, and what would have been
    better. `?` is a mistake, `??` a blunder. `--json` has all moves. `--export` writes the game to
    a file instead: an animated picture, a page that plays it, or its moves as PGN, PDN or SGF.
    """
    record = read_record(save)
    played = played_again(record, save)
    print_diagnostics(played.warnings)
    refuse_secret(played, f"`gdl show {save} --as SIDE` shows what a side sees.")
    if export is not None:
        look = Look.asked(theme or ThemeName.LIGHT, colour_blind, flip, Turn.NONE, size)
        export_game(played, look, export, pace)
        return
    if review:
        _review(played, seconds, iterations, drawn_seed(seed), as_json)
        return
    if as_json or seconds is not None or iterations is not None:
        raise refused(Code.WRONG_OPTION, "That is an option of a review.", "Add `--review`.")
    colours = terminal_theme(theme, colour_blind)
    if not plain and fits_screen():
        from gdl.interpreter.screen.app import Screens

        session = Session(played, record.seed)
        session.clock = None
        session.go_to(0)
        table = Table(session, {}, random.Random(record.seed), is_open=True)
        Screens(table, ascii=ascii or wants_ascii(), theme=colours).run()
        return
    _print(played, ascii, colours or LIGHT, flip)


def _review(
    played: Replay, seconds: float | None, iterations: int | None, seed: int, as_json: bool
) -> None:
    """Print what the engine says of the moves of a game."""
    from gdl.interpreter.search.analysis_text import review_text

    adviser = Adviser(lambda: seed)
    found = adviser.reviewed(played.positions, played.moves, seconds, iterations)
    told = list(tracked(found, len(played.moves), "Moves"))
    if as_json:
        write_json(
            {
                "game": played.last.rules.game.name,
                "seed": seed,
                "moves": [judgement.to_json() for judgement in told],
            }
        )
        return
    write(review_text(told))


def _print(played: Replay, ascii: bool, theme: Theme, flip: bool) -> None:
    """Print each position, with the move that led there above it."""
    write_drawn(board_text(played.positions[0], ascii=ascii, theme=theme, flip=flip))
    if 0 in played.remarks:
        write(f"   {played.remarks[0]}")
    others = branches(played.moves, played.variations, played.asides)
    moves = zip(played.positions, played.moves, played.positions[1:], strict=False)
    for number, (before, move, after) in enumerate(moves, start=1):
        who = "Chance" if before.seat is None else before.mover
        write(f"{number}. {who}: {move}")
        if remark := played.remarks.get(number):
            write(f"   {remark}")
        for line, said in others.get(number - 1, ()):
            told = ((move, said.get(n)) for n, (move, _) in enumerate(line, 1) if n >= number)
            shown = (f"{move} ({remark})" if remark else str(move) for move, remark in told)
            write(f"   or {', '.join(shown)}")
        write_drawn(board_text(after, ascii=ascii, theme=theme, flip=flip))
    write_turn(played.last)
