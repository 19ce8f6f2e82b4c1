"""Whether a game that came by mail goes on from the one that is kept."""

from __future__ import annotations

from gdl.diagnostic import Diagnostic, GameError
from interpreter.sessions.record import Record


def refuse_other_course(known: Record, mailed: Record) -> None:
    """Raise GameError unless the mailed record has all that is known, and perhaps more.

    The codes are `cut-record` where it has less, `other-course` where it has something else.
    """
    if _begins(mailed, known):
        return
    if _begins(known, mailed):
        message = f"The mail has an older copy: {len(mailed.moves)} moves of {len(known.moves)}."
        raise GameError([Diagnostic("cut-record", message, None, "Take the newest mail.")])
    message = "The game in the mail is not the one in the file, or has gone another way."
    hint = "Name another file to keep it in."
    raise GameError([Diagnostic("other-course", message, None, hint)])


def _begins(longer: Record, record: Record) -> bool:
    """Return whether a record goes on where another one ends."""
    return _head(longer) == _head(record) and all(
        whole[: len(part)] == part
        for whole, part in ((longer.moves, record.moves), (longer.entries, record.entries))
    )


def _head(record: Record) -> tuple[object, ...]:
    options, reserved = dict(record.options), dict(record.reserved)
    signed = record.game_id, record.protocol, reserved
    return record.digest, options, record.variants, record.start, *signed
