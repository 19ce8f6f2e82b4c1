"""`gdl replay`: a saved game, step by step."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated

import typer

from interpreter.cli.commands.play import Plain, fits_screen
from interpreter.cli.output import print_diagnostics, wants_ascii, write, write_drawn
from interpreter.cli.parameters import Ascii
from interpreter.cli.picture import board_text, write_turn
from interpreter.sessions.record import Replay, read_record
from interpreter.sessions.record import replay as played_again
from interpreter.sessions.session import Session


def replay(
    save: Annotated[Path, typer.Argument(metavar="SAVE", help="A saved game.", show_default=False)],
    ascii: Ascii = False,
    plain: Plain = False,
) -> None:
    """Step through a saved game; what is played there begins a variation."""
    record = read_record(save)
    course = played_again(record, save)
    print_diagnostics(course.warnings)
    if not plain and fits_screen():
        from interpreter.screen.app import play_on_screen

        session = Session(course, record.seed)
        session.go_to(0)
        play_on_screen(session, {}, random.Random(record.seed), ascii=ascii or wants_ascii())
        return
    _print(course, ascii)


def _print(course: Replay, ascii: bool) -> None:
    """Print each position, with the move that led there above it."""
    write_drawn(board_text(course.positions[0], ascii=ascii))
    moves = zip(course.positions, course.moves, course.positions[1:], strict=False)
    for number, (before, move, after) in enumerate(moves, start=1):
        who = "Chance" if before.seat is None else before.mover
        write(f"{number}. {who}: {move}")
        write_drawn(board_text(after, ascii=ascii))
    write_turn(course.last)
