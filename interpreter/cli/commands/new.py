"""`gdl new`: the beginning of a game by correspondence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from interpreter.cli.beginning import begin
from interpreter.cli.output import print_message
from interpreter.cli.parameters import AsJson, Seed, StartRequest, drawn_seed
from interpreter.cli.picture import write_position
from interpreter.files import file_exists
from interpreter.sessions.saves import write_record
from interpreter.sessions.seats import chance_of, play_chance
from interpreter.sessions.session import Session


def new(
    save: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="SAVE",
            help="The file to keep the game in.",
            show_default=False,
        ),
    ],
    request: StartRequest,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Begin a game by correspondence.

    It is kept in one file, which `gdl move` goes on with.
    """
    if save.exists():
        raise file_exists(save)
    course = begin(request)
    drawn = drawn_seed(seed)
    session = Session(course, drawn)
    play_chance(session, chance_of(drawn, len(session.moves)))
    write_record(session.record(), save, is_new=True)
    first = session.position
    hides = first.rules.game.hides and not first.over
    write_position(first, as_side=first.mover if hides else None, as_json=as_json)
    if not as_json:
        print_message(f"Kept in {save}. Go on with `gdl move {save} MOVE`.")
