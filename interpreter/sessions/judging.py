"""Whether a signed game is in order: who has signed what, and whether chance was drawn as it must.

In: a record, and the positions that its moves lead through. Out: how the game stands between its
players. What then holds, if nothing is raised: each entry was signed by the owner of its seat, over
all before it; each move was made by the owner of the seat on turn; what chance did is what the
secrets of all players give; nothing in the record is unsigned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, Span
from interpreter.evaluation.evaluator import Outcome
from interpreter.evaluation.moves import Move
from interpreter.positions.position import Position
from interpreter.sessions.chain import added, digests
from interpreter.sessions.record import Record
from interpreter.sessions.resigning import given_up
from interpreter.sessions.rounds import Round, deciders, is_legal
from interpreter.sessions.signing.entries import Entry
from interpreter.sessions.signing.keys import from_text
from interpreter.sessions.signing.secrets import ChanceDraws

_OLDER_COPY = "Take an older copy, or ask the other player for one."
_GAME_ID = re.compile(r"[A-Za-z0-9_-]{22}")


@dataclass(frozen=True)
class SignedState:
    """How a signed game stands: who has joined, what was drawn, what all has come to."""

    record: Record
    players: dict[int, Entry]
    draws: ChanceDraws
    round: Round
    digests: tuple[bytes, ...]
    seats: int

    @property
    def resigned(self) -> int | None:
        """The seat that has given up, if one has."""
        last = self.record.entries[-1]
        return last.seat if last.resigns else None

    @property
    def waits_for(self) -> tuple[int, ...]:
        """The seats whose secrets the next draw needs; while some are free, these alone."""
        free = tuple(seat for seat in range(1, self.seats + 1) if seat not in self.players)
        return free or self.draws.missing(self.seats)

    def before(self, seat: int) -> bytes:
        """Return the digest of all before a player joined."""
        return self.digests[self.record.entries.index(self.players[seat])]

    def name(self, seat: int) -> str:
        """Return the name of the player at a seat; empty if nobody has joined there."""
        return self.players[seat].name if seat in self.players else ""

    def seat_of(self, public: str) -> int | None:
        """Return the seat of a key's owner."""
        return next((s for s, entry in self.players.items() if entry.key == public), None)


def check_signatures(record: Record) -> None:
    """Raise GameError (`edited-record`, `unsigned-part`, `damaged-record`) at what is not signed.

    Positions are not needed for that.
    """
    _refuse_unsigned(record)
    players: dict[int, Entry] = {}
    done = 0
    parts = zip(record.entries, added(record), _pairs(record), strict=True)
    for number, (entry, texts, digest) in enumerate(parts):
        span = _span(record.entry_spans, number)
        fault = _fault(entry, players, record, done)
        if fault:
            raise _refused("damaged-record", fault, span)
        if entry.joins:
            players[entry.seat] = entry
        if not entry.is_signed_by(players[entry.seat].key, digest):
            raise _edited(record, players, entry, done, texts, span)
        done += len(texts)
    if done < len(record.moves):
        raise _refused(
            "unsigned-part",
            f"Nobody has signed move {done + 1}.",
            _span(record.spans, done),
            "Take it out, and make it with `gdl move`.",
        )


def _pairs(record: Record) -> Sequence[bytes]:
    return tuple(digests(record))[1:]


def _refuse_unsigned(record: Record) -> None:
    parts = {
        "seed": record.seed is not None,
        "seats": bool(record.seats),
        "clock": bool(record.clock),
        "left": bool(record.left),
        "variations": bool(record.variations),
    }
    found = [name for name, is_there in parts.items() if is_there]
    if found:
        message = f"A signed game has no `{found[0]}`: nobody signs it."
        raise _refused("unsigned-part", message, None, "Take that part out.")
    if not record.entries or not _GAME_ID.fullmatch(record.game_id):
        message = "The game says that it is signed, and has not what that takes."
        raise _refused("damaged-record", message, None, _OLDER_COPY)


def _fault(entry: Entry, players: dict[int, Entry], record: Record, done: int) -> str:
    """Return why an entry can't stand where it does; empty if it can."""
    if record.entries[-1] is not entry and entry.resigns:
        return "The game has ended here, and goes on."
    if entry.joins:
        reserved = record.reserved.get(entry.seat, entry.key)
        is_known = any(player.key == entry.key for player in players.values())
        if entry.seat in players or is_known:
            return "A player takes one seat that is free."
        return "" if reserved == entry.key else "The seat is reserved for another key."
    if entry.seat not in players:
        return f"Nobody has joined at seat {entry.seat}."
    if entry.plays and not done <= entry.moves <= len(record.moves):
        return f"There are not {entry.moves} moves here: the record was cut, or moves taken out."
    return ""


def _edited(
    record: Record,
    players: dict[int, Entry],
    entry: Entry,
    done: int,
    texts: Sequence[str],
    span: Span | None,
) -> GameError:
    first = done + 1
    what = {0: "this entry", 1: f"move {first}"}.get(
        len(texts), f"moves {first} to {done + len(texts)}"
    )
    if record.entries[0] is entry:
        what = "what the game begins with"
    return _refused(
        "edited-record",
        f"The signature of {players[entry.seat].name} does not fit: {what} was changed, or is not"
        f" of {players[entry.seat].name}.",
        _span(record.spans, done) if texts else span,
        _OLDER_COPY,
    )


# ------------------------------------------------------------------------ what was played


def judged(record: Record, positions: Sequence[Position], moves: Sequence[Move]) -> SignedState:
    """Return how a signed game stands, of which the signatures fit; `positions` as `moves` lead.

    Raises GameError (`wrong-signer`, `wrong-secret`, `missing-secret`, `wrong-draw`,
    `wrong-decision`).
    """
    seats = len(positions[0].rules.sides)
    draws, round = ChanceDraws(), Round()
    players: dict[int, Entry] = {}
    done = 0
    for number, (entry, texts) in enumerate(zip(record.entries, added(record), strict=True)):
        span = _span(record.entry_spans, number)
        if entry.seat > seats:
            raise _refused("damaged-record", f"There is no seat {entry.seat}.", span)
        if entry.joins:
            players[entry.seat] = entry
            draws.join(entry.seat, from_text(entry.commitment, 32) or b"")
        if entry.secret:
            _show(draws, entry, players[entry.seat].name, span)
        after_each = positions[done : done + len(texts) + 1]
        if entry.decision or entry.nonce:
            _decide(round, entry, after_each[0], players[entry.seat].name, span)
        if entry.plays:
            _Turn(record, moves, draws, round, players, seats, entry, done, span).check(after_each)
        done += len(texts)
    standing = SignedState(record, players, draws, round, tuple(digests(record)), seats)
    _check_result(standing, positions[-1])
    return standing


def _show(draws: ChanceDraws, entry: Entry, name: str, span: Span | None) -> None:
    if not draws.show(entry.seat, from_text(entry.secret, 32) or b""):
        raise _refused(
            "wrong-secret",
            f"The secret that {name} shows is not the one that {name} was committed to.",
            span,
            "It was chosen afterwards, to have chance as one likes. Don't go on with this copy.",
        )


def _decide(round: Round, entry: Entry, position: Position, name: str, span: Span | None) -> None:
    """Take down what a player decides when others do, or tells of that. Raises GameError."""
    at = deciders(position)
    if entry.decision and entry.seat in round.to_decide(at):
        round.decide(entry.seat, from_text(entry.decision, 32) or b"")
        return
    if entry.nonce and entry.seat in round.to_tell(at):
        nonce = from_text(entry.nonce, 32) or b""
        if not round.fits(entry.seat, entry.text, nonce):
            message = f"What {name} tells is not what {name} has decided."
        elif not is_legal(entry.text, at[entry.seat]):
            message = f"What {name} has decided is not a legal move."
        else:
            round.tell(entry.seat, entry.text)
            return
    else:
        message = f"Here is nothing for {name} to decide, or to tell."
    raise _refused("wrong-decision", message, span)


@dataclass(frozen=True)
class _Turn:
    """An entry whose moves are looked at, one after another."""

    record: Record
    moves: Sequence[Move]
    draws: ChanceDraws
    round: Round
    players: dict[int, Entry]
    seats: int
    entry: Entry
    done: int
    span: Span | None

    def check(self, positions: Sequence[Position]) -> None:
        """Raise GameError at a move that should not be there, or is missing."""
        number = 0
        while number < len(positions) - 1:
            before = positions[number]
            if before.seat is None:
                number = self._follow_chance(positions, number)
            elif deciders(before):
                number = self._follow_round(positions, number)
            elif before.seat == self.entry.seat:
                number += 1
            else:
                who = self.players[self.entry.seat].name
                message = f"Move {self._ply(number)} was not for {who} to make."
                raise _refused("wrong-signer", message, self._place(number), _OLDER_COPY)
        last = positions[-1]
        is_drawn = last.seat is None and not last.over and not self.draws.missing(self.seats)
        most = self.draws.done + (last.seat is None and not last.over)
        if is_drawn or self.draws.shown(self.entry.seat) > most:
            message = "What chance has done is missing, or a secret was shown too early."
            raise _refused("missing-secret", message, self.span, _OLDER_COPY)

    def _follow_chance(self, positions: Sequence[Position], number: int) -> int:
        """Return the number of the position that a draw leads to."""
        missing = self.draws.missing(self.seats)
        if missing:
            names = " and ".join(_who(self.players, seat) for seat in missing)
            message = f"Chance has drawn, and {names} had not shown a secret."
            raise _refused("missing-secret", message, self._place(number), _OLDER_COPY)
        for move, _ in self.draws.draw(positions[number]):
            if self._made(number) != move:
                message = (
                    f"Move {self._ply(number)} should be `{move}`: that is what the players'"
                    " secrets draw."
                )
                raise _refused("wrong-draw", message, self._place(number), _OLDER_COPY)
            number += 1
        return number

    def _follow_round(self, positions: Sequence[Position], number: int) -> int:
        """Return the number of the position that a round leads to."""
        at = deciders(positions[number])
        made = [self._made(number + place) for place in range(len(at))]
        waits = self.round.waits_for(at)
        if waits or made != [move for move, _ in self.round.end(positions[number])]:
            message = f"Move {self._ply(number)} is not what was decided."
            raise _refused("wrong-decision", message, self._place(number), _OLDER_COPY)
        return number + len(made)

    def _made(self, number: int) -> Move | None:
        place = self.done + number
        return self.moves[place] if place < self.entry.moves else None

    def _ply(self, number: int) -> int:
        return self.done + number + 1

    def _place(self, number: int) -> Span | None:
        return _span(self.record.spans, self.done + number) or self.span


def outcome_of(standing: SignedState, position: Position) -> Outcome | None:
    """Return how a signed game has ended, by its last position or by giving up."""
    if standing.resigned is None:
        return position.outcome
    return given_up(position, standing.resigned)


def _check_result(standing: SignedState, last: Position) -> None:
    outcome = outcome_of(standing, last)
    told = "" if outcome is None else outcome.text
    result = standing.record.result
    if result != told and (outcome is None or not outcome.is_told_by(result)):
        message = f"The result should be `{told}`." if told else "The game has no result as yet."
        raise _refused("unsigned-part", message, None, "Mend it, or take it out.")


def _span(spans: Sequence[Span], number: int) -> Span | None:
    return spans[number] if number < len(spans) else None


def _who(players: dict[int, Entry], seat: int) -> str:
    return players[seat].name if seat in players else f"seat {seat}"


def _refused(code: str, message: str, span: Span | None, hint: str = "") -> GameError:
    return GameError([Diagnostic(code, message, span, hint or _OLDER_COPY)])
