"""`gdl move`: the next move of a game by correspondence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from interpreter.cli.failures import wrong_use
from interpreter.cli.output import print_diagnostics, print_message
from interpreter.cli.parameters import AsJson
from interpreter.cli.picture import write_position
from interpreter.positions.telling import ended_text
from interpreter.sessions.replaying import replay
from interpreter.sessions.saves import read_record, write_record
from interpreter.sessions.seats import chance_of, play_chance
from interpreter.sessions.session import Session
from interpreter.sessions.typed import typed_move


def move(
    save: Annotated[
        Path, typer.Argument(metavar="SAVE", help="The file that keeps the game.", exists=False)
    ],
    text: Annotated[
        list[str],
        typer.Argument(metavar="MOVE", help="The move, such as b2, b2-b4 or pass."),
    ],
    as_json: AsJson = False,
) -> None:
    """Make a move in a game by correspondence.

    In a game that hides something, what the side sees that has moved is shown.
    """
    record = read_record(save)
    course = replay(record, save)
    print_diagnostics(course.warnings)
    session = Session(course, record.seed, record.seats)
    position = session.position
    if record.result:
        raise wrong_use("game-over", f"The game is over: {record.result}.")
    if position.outcome is not None:
        raise wrong_use("game-over", f"The game is over: {ended_text(position, position.outcome)}.")
    session.play(typed_move(" ".join(text), position))
    is_shown = session.outcome is not None or not position.rules.game.hides
    play_chance(session, chance_of(record.seed or 0, len(session.moves)))
    write_record(session.record(), save, instead_of=record.text)
    write_position(session.position, as_side=None if is_shown else position.mover, as_json=as_json)
    if not as_json:
        print_message(f"Kept in {save}.")
