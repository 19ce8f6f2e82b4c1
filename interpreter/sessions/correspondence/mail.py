"""What is said of a game in a mail: what was played, whose turn it is, and how to go on.

In: a game as it was played. Out: texts. What then holds: no move is told that the rules hide.
"""

from __future__ import annotations

from gdl.codes import Code
from gdl.diagnostic import refused
from gdl.interpreter.english import verb_of
from gdl.interpreter.positions.information import told_moves
from gdl.interpreter.positions.position import Position
from gdl.interpreter.positions.position_text import turn_text
from gdl.interpreter.sessions.judging import outcome_of
from gdl.interpreter.sessions.record import Record
from gdl.interpreter.sessions.replaying import Replay
from gdl.interpreter.sessions.rounds import deciders
from gdl.interpreter.sessions.saves import block


def mail_line(played: Replay) -> str:
    """Return what was played last, and whose turn it is, in a line.

    Where the rules hide moves from a side, they are not told. What chance does counts as no move.
    """
    last, title = played.last, played.last.rules.game.title
    said, number = _last_moves(played), sum(at.seat is not None for at in played.positions[:-1])
    standing, record = played.standing, played.record
    if standing is not None and standing.resigned is not None:
        who = standing.name(standing.resigned)
        outcome = outcome_of(standing, last)
        return f"{title}, move {number}: {who} resigns. {turn_text(last, outcome)}"
    if record is not None and record.result and last.outcome is None:
        return f"{title}, move {number}: {record.result}."
    head = f"{title}, move {number}" if number else title
    return f"{head}: {said}{_to_move(played)}"


def mail_text(played: Replay, text: str, name: str) -> str:
    """Return a whole mail: the line, how to go on, and the record, of which this is the text.

    `name` is that of the file that keeps the game.
    """
    move = "MOVE " if _awaits_move(played) else ""
    how = f"To go on, keep this mail as mail.txt: gdl move {name} {move}--from mail.txt"
    if played.last.over or (played.record is not None and played.record.result):
        how = "To look at it, keep this mail as mail.txt: gdl replay mail.txt"
    return "\n".join([mail_line(played), how, "", block(text)])


def _awaits_move(played: Replay) -> bool:
    """Return whether somebody is to choose, and not just to show what was chosen already."""
    last, standing = played.last, played.standing
    return last.seat is not None and (
        standing is None or not standing.round.to_tell(deciders(last))
    )


def _to_move(played: Replay) -> str:
    last, standing = played.last, played.standing
    text = turn_text(last)
    if standing is None or last.outcome is not None:
        return text
    if last.seat is None:
        names = (standing.name(seat) or f"seat {seat}" for seat in standing.waits_for)
        return f"{text[:-1]}, and waits for {' and '.join(names)}."
    if at := deciders(last):
        verb = "decide" if standing.round.to_decide(at) else "tell what was decided"
        names = (standing.name(seat) or f"seat {seat}" for seat in standing.round.waits_for(at))
        return f"{' and '.join(names)} to {verb}."
    name = standing.name(last.seat)
    return f"{name} ({last.mover}){text.removeprefix(last.mover)}" if name else text


def _last_moves(played: Replay) -> str:
    """Return who has made the last move, what chance did after it, and what is told of both."""
    moves, positions = played.moves, played.positions
    by_seats = [n for n in range(len(moves)) if positions[n].seat is not None]
    first = by_seats[-1] if by_seats else 0
    told = _told(played)
    parts = []
    while first and positions[first].is_undecided:
        first -= 1
    for number in [n for n in by_seats if n >= first]:
        who = _who(played, positions[number])
        has = verb_of([who], "has") if who == positions[number].mover else "has"
        parts.append(f"{who} played {told[number]}" if told[number] else f"{who} {has} played")
        first = number + 1
    chance = [told[n] for n in range(first, len(moves))]
    if chance:
        parts.append(f"chance {', '.join(filter(None, chance))}" if all(chance) else "chance")
    return f"{'; '.join(parts)}. " if parts else ""


def _who(played: Replay, position: Position) -> str:
    name = ""
    if played.standing is not None and position.seat is not None:
        name = played.standing.name(position.seat)
    return f"{name} ({position.mover})" if name else position.mover


def _told(played: Replay) -> list[str | None]:
    """Return the text of each move that all sides may know of."""
    if not played.last.is_secret:
        return [move.text for move in played.moves]
    sides = played.last.rules.sides
    told = [told_moves(played.positions, played.moves, side) for side in sides]
    return [texts[0] if all(texts) else None for texts in zip(*told, strict=True)]


# ------------------------------- whether a game that came by mail goes on from the one that is kept


def refuse_other_course(known: Record, mailed: Record) -> None:
    """Raise GameError unless the mailed record has all that is known, and perhaps more.

    The codes are `cut-record` where it has less, `other-course` where it has something else.
    """
    if _begins(mailed, known):
        return
    if _begins(known, mailed):
        had, there_are = len(mailed.moves), len(known.moves)
        moves = "1 move" if had == 1 else f"{had} moves"
        message = f"The mail has an older copy: {moves} of {there_are}."
        raise refused(Code.CUT_RECORD, message, "Take the newest mail.")
    message = "The game in the mail is not the one in the file, or has gone another way."
    hint = "Name another file to keep it in."
    raise refused(Code.OTHER_COURSE, message, hint)


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
