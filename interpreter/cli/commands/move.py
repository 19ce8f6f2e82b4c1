"""`gdl move`: the next move of a game by correspondence."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from gdl.codes import Code
from gdl.diagnostic import Source, refused
from gdl.interpreter.cli.declarations import argument, option
from gdl.interpreter.cli.output import print_diagnostics, print_message, write
from gdl.interpreter.cli.parameters import AsJson, AsMail
from gdl.interpreter.cli.passphrase import unlocked_key
from gdl.interpreter.cli.picture import write_position
from gdl.interpreter.positions.position_text import ended_text
from gdl.interpreter.records.files import named_game
from gdl.interpreter.sessions.correspondence.acting import act, is_due
from gdl.interpreter.sessions.correspondence.mail import mail_line, mail_text, refuse_other_course
from gdl.interpreter.sessions.correspondence.seen import note, refuse_bare, refuse_older
from gdl.interpreter.sessions.games_file import has_several_games
from gdl.interpreter.sessions.record import Record
from gdl.interpreter.sessions.replaying import Replay, replay
from gdl.interpreter.sessions.saves import (
    SAVED_GAME,
    is_mail,
    read_record,
    record_in,
    saved_text,
    write_record,
)
from gdl.interpreter.sessions.seats import chance_of, play_chance
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.typed import typed_move

_RESIGN = "resign"


def move(
    save: Annotated[Path, argument("SAVE", help="The file that keeps the game.")],
    text: Annotated[
        list[str] | None,
        argument(
            "[MOVE]",
            help="The move, such as b2, b2-b4 or pass; or resign. Without one, do what else is due"
            " in a signed game: join, show a secret for chance.",
        ),
    ] = None,
    source: Annotated[
        str | None,
        option(
            "--from",
            metavar="MAIL",
            help="Take the game from a mail first: a file with its text, or - for stdin.",
            show_default=False,
        ),
    ] = None,
    mail: AsMail = False,
    as_json: AsJson = False,
) -> None:
    """Make a move in a game by correspondence.

    In a game that hides something, what the side sees that has moved is shown. In a signed game the
    move is signed with your key (`gdl key`).
    """
    record, before = _kept(save, source)
    played = replay(record, save)
    print_diagnostics(played.warnings)
    typed = " ".join(text or ())
    if not typed and played.standing is None and source is None:
        raise refused(Code.WRONG_MOVE, "Which move is to be made?", "`gdl moves` lists them.")
    mover = played.last.mover
    if played.standing is not None:
        played = _signed(played, typed, is_new=source is not None)
    else:
        refuse_bare(save)
        played = _unsigned(played, typed) if typed else played
    after = played.record
    assert after is not None
    write_record(after, save, is_new=before is None, instead_of=before)
    if played.standing is not None:
        print_diagnostics(note(played.standing, save))
    if mail:
        write(mail_text(played, after.to_text(), save.name))
    else:
        as_side = mover if played.is_secret else None
        write_position(played.last, as_side=as_side, as_json=as_json, told=mail_line(played))
    if not as_json:
        print_message(f"Kept in {save}.")


def _kept(save: Path, source: str | None) -> tuple[Record, str | None]:
    """Return the game to go on with, and what stands in its file now, if that is there.

    Raises GameError.
    """
    text = saved_text(save)
    if text is not None and is_mail(text):
        hint = f"Write `gdl move FILE --from {save}`; the game is kept in FILE then."
        raise refused(Code.WRONG_OPTION, f"`{save}` is a mail.", hint)
    if named_game(save) is not None or has_several_games(save):
        hint = "Write `gdl move FILE --from GAMES:3`; the game is kept in FILE then."
        raise refused(Code.WRONG_OPTION, f"`{save}` belongs to a file of games.", hint)
    if source is None:
        record = read_record(save)
        return record, record.text
    mailed = _mailed(source)
    if not save.exists():
        return mailed, None
    known = read_record(save)
    refuse_other_course(known, mailed)
    return replace(mailed, game=known.game), known.text


def _mailed(source: str) -> Record:
    if source != "-":
        return read_record(source)
    text = sys.stdin.read(SAVED_GAME.bytes)
    return record_in(Source("stdin", text))


def _unsigned(played: Replay, typed: str) -> Replay:
    """Return the game after a move, and what chance does then. Raises GameError, MoveError."""
    record, position = played.record, played.last
    assert record is not None
    if record.result:
        raise refused(Code.GAME_OVER, f"The game is over: {record.result}.")
    if position.outcome is not None:
        raise refused(
            Code.GAME_OVER, f"The game is over: {ended_text(position, position.outcome)}."
        )
    session = Session(played, record.seed, record.seats)
    if typed == _RESIGN:
        session.resign()
    else:
        session.play(typed_move(typed, position))
        play_chance(session, chance_of(record.seed or 0, len(session.moves)))
    return replace(
        played,
        positions=tuple(session.positions),
        moves=tuple(session.moves),
        record=session.record(),
    )


def _signed(played: Replay, typed: str, *, is_new: bool) -> Replay:
    """Return the game with what its player has to add, signed. Raises GameError, MoveError."""
    assert played.standing is not None
    refuse_older(played.standing)
    if typed == _RESIGN:
        return act(played, unlocked_key(), resigns=True)
    if not typed and is_new and not is_due(played, unlocked_key()):
        return played
    return act(played, unlocked_key(), typed)
