"""`gdl new`: the beginning of a game by correspondence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from gdl.codes import Code
from gdl.diagnostic import refused
from gdl.interpreter.cli.beginning import begin
from gdl.interpreter.cli.declarations import option
from gdl.interpreter.cli.output import print_diagnostics, print_message, write
from gdl.interpreter.cli.parameters import (
    AsJson,
    AsMail,
    Seed,
    StartRequest,
    drawn_seed,
    seat_kinds,
)
from gdl.interpreter.cli.passphrase import unlocked_key
from gdl.interpreter.cli.picture import write_position
from gdl.interpreter.files import file_exists
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.sessions.correspondence.acting import begun
from gdl.interpreter.sessions.correspondence.mail import mail_line, mail_text
from gdl.interpreter.sessions.correspondence.seen import forget, note
from gdl.interpreter.sessions.replaying import Replay
from gdl.interpreter.sessions.saves import write_record
from gdl.interpreter.sessions.seats import chance_of, play_chance
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.signing.keys import is_public, is_weak_key

_MYSELF = "me"


def new(
    save: Annotated[
        Path,
        option(
            "--output",
            "-o",
            metavar="SAVE",
            help="The file to keep the game in.",
            show_default=False,
        ),
    ],
    request: StartRequest,
    seats: Annotated[
        list[str] | None,
        option(
            "--seat",
            metavar="SEAT=PLAYER",
            help="Sign the game: 1=me is your own seat; a public key (`gdl key`) instead of `me`"
            " keeps a seat for its owner, others are free to the first who moves. Repeatable.",
            show_default=False,
        ),
    ] = None,
    seed: Seed = None,
    mail: AsMail = False,
    as_json: AsJson = False,
) -> None:
    """Begin a game by correspondence.

    It is kept in one file, which `gdl move` goes on with. With `--seat` players sign what they add,
    so that nobody else moves for them and an edited file is noticed; chance is then drawn from
    secrets of all players.
    """
    if save.exists():
        raise file_exists(save)
    played = begin(request)
    begun = _signed(played, seats, seed) if seats else _unsigned(played, drawn_seed(seed))
    record = begun.record
    assert record is not None
    write_record(record, save, is_new=True)
    if begun.standing is None:
        forget(save)
    else:
        print_diagnostics(note(begun.standing, save))
    first = begun.last
    if mail:
        write(mail_text(begun, record.to_text(), save.name))
    else:
        told = mail_line(begun) if begun.standing is not None else ""
        as_side = first.mover if begun.is_secret else None
        write_position(first, as_side=as_side, as_json=as_json, told=told)
    if not as_json:
        print_message(f"Kept in {save}. Go on with `gdl move {save} MOVE`.")


def _unsigned(played: Replay, seed: int) -> Replay:
    """Return a game in which chance has moved, if it is on turn first."""
    session = Session(played, seed)
    play_chance(session, chance_of(seed, len(session.moves)))
    return Replay(tuple(session.positions), tuple(session.moves), record=session.record())


def _signed(played: Replay, seats: Sequence[str], seed: int | None) -> Replay:
    """Return a game that its players sign, with one of them. Raises GameError."""
    if seed is not None:
        message = "Chance is drawn from the players' secrets where moves are signed."
        raise refused(Code.WRONG_OPTION, message, "Leave out `--seed`, or `--seat`.")
    if len(played.moves):
        message = "Moves that were made before can't be signed."
        raise refused(Code.WRONG_OPTION, message, "Leave out `--after`, or `--seat`.")
    mine, reserved = _players(seats, played.last.rules)
    return begun(played, unlocked_key, mine, reserved)


def _players(typed: Sequence[str], rules: Rules) -> tuple[int, dict[int, str]]:
    """Return one's own seat, and the keys that other seats are kept for."""
    kinds = seat_kinds(typed, rules)
    mine = [seat for seat, kind in kinds.items() if kind == _MYSELF]
    keys = {seat: kind.split()[-1] for seat, kind in kinds.items() if kind not in ("", _MYSELF)}
    for seat, key in keys.items():
        if not is_public(key):
            hint = f"Write `--seat {seat}=me`, or the key that the other's `gdl key` prints."
            raise refused(Code.WRONG_OPTION, f"`{key}` is no key of a player.", hint)
        if is_weak_key(key):
            message = f"`{key}` is no key that `gdl key` makes: a signature by it may fit anything."
            raise refused(Code.WEAK_KEY, message, "Ask the other player for another one.")
    if len(mine) != 1:
        hint = "Write `--seat 1=me`; the others join with their first moves."
        raise refused(Code.WRONG_OPTION, "One seat is yours in a signed game.", hint)
    return mine[0], keys
