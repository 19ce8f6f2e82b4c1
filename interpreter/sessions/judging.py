"""Whether a signed game is in order: who has signed what, and whether chance was drawn as it must.

In: a record, and the positions that its moves lead through. Out: how the game stands between its
players. What then holds, if nothing is raised: each entry was signed by the owner of its seat, over
all before it; each move was made by the owner of the seat on turn; what chance did is what the
secrets of all players give; nothing in the record is unsigned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, Span
from gdl.interpreter.evaluation.evaluator import Outcome
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Position
from gdl.interpreter.sessions.record import Record
from gdl.interpreter.sessions.rounds import Round, deciders, is_legal
from gdl.interpreter.sessions.signing.entries import Entry
from gdl.interpreter.sessions.signing.keys import from_text, is_weak_key
from gdl.interpreter.sessions.signing.protocol import NEWEST, Place, head_digest
from gdl.interpreter.sessions.signing.secrets import ChanceDraws

_OLDER_COPY = "Take an older copy, or ask the other player for one."
_CHEATED = "Don't go on with this copy."
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
    resigned: int | None = None

    @classmethod
    def before(cls, record: Record, start: Position) -> SignedState:
        """Return how a game stands before its first entry, at its first position."""
        seats = len(start.rules.sides)
        return cls(record, {}, ChanceDraws(), Round(), tuple(digests(record)), seats)

    @property
    def is_bound(self) -> bool:
        """Whether what players are committed to is bound to its place in the game."""
        return self.record.protocol == NEWEST

    @property
    def waits_for(self) -> tuple[int, ...]:
        """The seats whose secrets the next draw needs; while some are free, these alone."""
        free = tuple(seat for seat in range(1, self.seats + 1) if seat not in self.players)
        return free or self.draws.missing(self.seats)

    def place(self, seat: int) -> Place:
        """Return where a player joined."""
        number = self.record.entries.index(self.players[seat]) + 1
        return place_of(self.record, self.digests, seat, number)

    def name(self, seat: int) -> str:
        """Return the name of the player at a seat; empty if nobody has joined there."""
        return self.players[seat].name if seat in self.players else ""

    def seat_of(self, public: str) -> int | None:
        """Return the seat of a key's owner."""
        return next((s for s, entry in self.players.items() if entry.key == public), None)


def check_signatures(record: Record) -> None:
    """Raise GameError at what is not signed; positions are not needed for that.

    The codes are `edited-record`, `unsigned-part`, `weak-key` and `damaged-record`.
    """
    _refuse_unsigned(record)
    players: dict[int, Entry] = {}
    done = 0
    parts = zip(record.entries, added(record), _pairs(record), strict=True)
    for number, (entry, texts, digest) in enumerate(parts):
        span = _span(record.entry_spans, number)
        fault = _fault(entry, players, record, done)
        if fault:
            raise _refused(Code.DAMAGED_RECORD, fault, span)
        if entry.joins:
            _refuse_weak(entry, span)
            players[entry.seat] = entry
        if not entry.is_signed_by(players[entry.seat].key, record.protocol, digest):
            raise _edited(record, players, entry, done, texts, span)
        done += len(texts)
    if done < len(record.moves):
        raise _refused(
            Code.UNSIGNED_PART,
            f"Nobody has signed move {done + 1}.",
            _span(record.spans, done),
            "Take it out, and make it with `gdl move`.",
        )


def _refuse_weak(entry: Entry, span: Span | None) -> None:
    if is_weak_key(entry.key):
        message = f"The key of {entry.name} is none: one signature by it may fit anything."
        raise _refused(Code.WEAK_KEY, message, span, "Don't play on: `gdl key` makes no such key.")


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
        raise _refused(Code.UNSIGNED_PART, message, None, "Take that part out.")
    if not record.entries or not _GAME_ID.fullmatch(record.game_id):
        message = "The game says that it is signed, and has not what that takes."
        raise _refused(Code.DAMAGED_RECORD, message, None, _OLDER_COPY)


def _fault(entry: Entry, players: dict[int, Entry], record: Record, done: int) -> str:
    """Return why an entry can't stand where it does; empty if it can."""
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
        Code.EDITED_RECORD,
        f"The signature of {players[entry.seat].name} does not fit: {what} was changed, or is not"
        f" of {players[entry.seat].name}.",
        _span(record.spans, done) if texts else span,
        _OLDER_COPY,
    )


# ------------------------------------------------------------------------ what was played


def judged(record: Record, positions: Sequence[Position], moves: Sequence[Move]) -> SignedState:
    """Return how a signed game stands, of which the signatures fit; `positions` as `moves` lead.

    Raises GameError (`wrong-signer`, `wrong-secret`, `missing-secret`, `wrong-draw`), and as `take`
    does.
    """
    standing = SignedState.before(record, positions[0])
    done = 0
    for number, (entry, texts) in enumerate(zip(record.entries, added(record), strict=True)):
        span = _span(record.entry_spans, number)
        after_each = positions[done : done + len(texts) + 1]
        place = place_of(record, standing.digests, entry.seat, number + 1)
        standing = take(entry, standing, after_each[0], place, span)
        if entry.plays:
            _Turn(standing, moves, entry, done, span).check(after_each)
        done += len(texts)
    _check_result(standing, positions[-1])
    return standing


def refuse_after_end(standing: SignedState, position: Position, span: Span | None = None) -> None:
    """Raise GameError (`game-over`) if a game has come to its end, at this position or before."""
    outcome = outcome_of(standing, position)
    if outcome is not None:
        hint = _OLDER_COPY if span else ""
        message = f"The game is over: {outcome.text}."
        raise GameError([Diagnostic(Code.GAME_OVER, message, span, hint)])


def take(
    entry: Entry,
    standing: SignedState,
    position: Position,
    place: Place,
    span: Span | None = None,
) -> SignedState:
    """Return how a game stands after an entry that is made at a position, but for its moves.

    Both what stands in a record and what somebody is about to sign go through this. Raises
    GameError (`game-over`, `damaged-record`, `missing-secret`, `copied-commitment`,
    `wrong-decision`).
    """
    refuse_after_end(standing, position, span)
    if entry.seat > standing.seats:
        raise _refused(Code.DAMAGED_RECORD, f"There is no seat {entry.seat}.", span)
    if entry.joins:
        standing.players[entry.seat] = entry
    name = standing.name(entry.seat)
    committed = from_text(entry.commitment or entry.decision, 32) or b""
    if committed in standing.draws.known or committed in standing.round.known:
        message = f"What {name} is committed to is a copy of what was told before in this game."
        raise _refused(Code.COPIED_COMMITMENT, message, span, _CHEATED)
    if entry.joins:
        standing.draws.join(committed, place)
    elif entry.decision or entry.nonce:
        _decide(standing.round, entry, deciders(position), committed, place, name, span)
    elif entry.resigns:
        return replace(standing, resigned=entry.seat)
    elif entry.secret and standing.draws.joined < standing.seats:
        message = f"{name} shows a secret before all have joined, who could choose theirs by it."
        raise _refused(Code.MISSING_SECRET, message, span)
    return standing


def _decide(
    round: Round,
    entry: Entry,
    at: dict[int, Position],
    committed: bytes,
    place: Place,
    name: str,
    span: Span | None,
) -> None:
    """Take down what a player decides when others do, or tells of that. Raises GameError."""
    if entry.decision and entry.seat in round.to_decide(at):
        round.decide(committed, place)
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
    raise _refused(Code.WRONG_DECISION, message, span)


@dataclass(frozen=True)
class _Turn:
    """An entry whose moves are looked at, one after another."""

    standing: SignedState
    moves: Sequence[Move]
    entry: Entry
    done: int
    span: Span | None

    def check(self, positions: Sequence[Position]) -> None:
        """Raise GameError at a move that should not be there, or is missing."""
        self._show()
        if len(positions) == 1 and not self.entry.secret:
            raise _refused(Code.DAMAGED_RECORD, "This entry adds nothing.", self.span)
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
                message = f"Move {self._ply(number)} was not for {self._name} to make."
                raise _refused(Code.WRONG_SIGNER, message, self._place(number), _OLDER_COPY)
        last = positions[-1]
        draws, is_chance = self.standing.draws, last.seat is None and not last.over
        is_drawn = is_chance and not draws.missing(self.standing.seats)
        if is_drawn or draws.shown(self.entry.seat) > draws.done + is_chance:
            message = "What chance has done is missing, or a secret was shown too early."
            raise _refused(Code.MISSING_SECRET, message, self.span, _OLDER_COPY)

    def _show(self) -> None:
        """Take down the secret that is shown, if there is one. Raises GameError."""
        secret, draws = from_text(self.entry.secret, 32), self.standing.draws
        if not secret:
            return
        if secret in draws.known:
            message = f"The secret that {self._name} shows was shown before in this game."
            raise _refused(Code.COPIED_COMMITMENT, message, self.span, _CHEATED)
        if not draws.show(self.entry.seat, secret):
            raise _refused(
                Code.WRONG_SECRET,
                f"The secret that {self._name} shows is not the one that {self._name} was"
                " committed to.",
                self.span,
                f"It was chosen afterwards, to have chance as one likes. {_CHEATED}",
            )

    def _follow_chance(self, positions: Sequence[Position], number: int) -> int:
        """Return the number of the position that a draw leads to."""
        missing = self.standing.draws.missing(self.standing.seats)
        if missing:
            names = " and ".join(_who(self.standing.players, seat) for seat in missing)
            message = f"Chance has drawn, and {names} had not shown a secret."
            raise _refused(Code.MISSING_SECRET, message, self._place(number), _OLDER_COPY)
        for move, _ in self.standing.draws.draw(positions[number]):
            if self._made(number) != move:
                message = (
                    f"Move {self._ply(number)} should be `{move}`: that is what the players'"
                    " secrets draw."
                )
                raise _refused(Code.WRONG_DRAW, message, self._place(number), _OLDER_COPY)
            number += 1
        return number

    def _follow_round(self, positions: Sequence[Position], number: int) -> int:
        """Return the number of the position that a round leads to."""
        at = deciders(positions[number])
        made = [self._made(number + place) for place in range(len(at))]
        round = self.standing.round
        if round.waits_for(at) or made != [move for move, _ in round.end(positions[number])]:
            message = f"Move {self._ply(number)} is not what was decided."
            raise _refused(Code.WRONG_DECISION, message, self._place(number), _OLDER_COPY)
        return number + len(made)

    @property
    def _name(self) -> str:
        return self.standing.name(self.entry.seat)

    def _made(self, number: int) -> Move | None:
        place = self.done + number
        return self.moves[place] if place < self.entry.moves else None

    def _ply(self, number: int) -> int:
        return self.done + number + 1

    def _place(self, number: int) -> Span | None:
        return _span(self.standing.record.spans, self.done + number) or self.span


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
        raise _refused(Code.UNSIGNED_PART, message, None, "Mend it, or take it out.")


def _span(spans: Sequence[Span], number: int) -> Span | None:
    return spans[number] if number < len(spans) else None


def _who(players: dict[int, Entry], seat: int) -> str:
    return players[seat].name if seat in players else f"seat {seat}"


def _refused(code: Code, message: str, span: Span | None, hint: str = "") -> GameError:
    return GameError([Diagnostic(code, message, span, hint or _OLDER_COPY)])


# --------------------------------------------------------------------- the digests of a signed game


def digests(record: Record) -> Iterator[bytes]:
    """Yield the digest of what a record begins with, and then that up to each entry."""
    digest = first_digest(record)
    yield digest
    for entry, texts in zip(record.entries, added(record), strict=True):
        digest = entry.digest(digest, texts)
        yield digest


def place_of(record: Record, before: Sequence[bytes], seat: int, number: int) -> Place:
    """Return where a seat commits itself, in the entry with a number from 1, of these digests."""
    return Place(record.protocol, before[0], number, seat, before[number - 1])


def added(record: Record) -> Iterator[Sequence[str]]:
    """Yield the texts of the moves that each entry has added."""
    done = 0
    for entry in record.entries:
        yield record.moves[done : entry.moves]
        done = max(done, entry.moves)


def first_digest(record: Record) -> bytes:
    """Return the digest of what a game begins with."""
    head = [
        record.game_id,
        record.digest,
        _sorted(record.options),
        list(record.variants),
        record.start,
        _sorted({str(seat): key for seat, key in record.reserved.items()}),
    ]
    return head_digest(record.protocol, head)


def _sorted(table: Mapping[str, str]) -> list[list[str]]:
    return sorted([name, value] for name, value in table.items())


# ----------------------------------------------------------- how a game ends that somebody gives up


def given_up(position: Position, seat: int) -> Outcome:
    """Return how a game ends when a seat (from 1) gives it up: all others but its team win."""
    sides = position.rules.sides
    own_sides = (n for n, side in enumerate(sides) if position.seat_of(side) == seat)
    losing = position.rules.game.program.together(own_sides)
    winners = tuple(side for n, side in enumerate(sides) if n not in losing)
    seats = tuple(position.seat_of(side) for side in winners)
    return Outcome(winners, seats, is_puzzle=not winners)


def result_read(position: Position, text: str) -> Outcome | None:
    """Return how a game has ended by giving up, of which a record tells this result.

    It is None where the game has ended by itself, or nobody's giving up comes to that.
    """
    if not text or position.outcome is not None:
        return None
    seats = range(1, len(position.rules.sides) + 1)
    found = (given_up(position, seat) for seat in seats)
    return next((outcome for outcome in found if outcome.is_told_by(text)), None)
