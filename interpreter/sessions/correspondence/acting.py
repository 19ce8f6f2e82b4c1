"""What a player adds to a signed game: joining, secrets for chance, a move, giving up.

In: a record that is in order, the player's key, and perhaps a move. Out: the record with one or two
entries more. What then holds: only the owner of a seat acts for it, and all that is due from the
player besides the move is done as well.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace

from gdl.codes import Code
from gdl.diagnostic import GameError, refused
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Position
from gdl.interpreter.sessions.judging import (
    SignedState,
    digests,
    given_up,
    judged,
    outcome_of,
    place_of,
    refuse_after_end,
    take,
)
from gdl.interpreter.sessions.notation import all_spelled, spelled
from gdl.interpreter.sessions.record import Record, digest_of
from gdl.interpreter.sessions.replaying import Replay
from gdl.interpreter.sessions.rounds import Round, deciders
from gdl.interpreter.sessions.signing.entries import Entry
from gdl.interpreter.sessions.signing.keys import Key, as_text
from gdl.interpreter.sessions.signing.protocol import NEWEST, Place
from gdl.interpreter.sessions.signing.secrets import ChanceDraws, Secrets
from gdl.interpreter.sessions.typed import typed_move

_ID_BYTES = 16


def begun(
    start: Replay, unlocked: Callable[[], Key], seat: int, reserved: Mapping[int, str]
) -> Replay:
    """Return a new signed game, in which the owner of the key that is `unlocked` sits at a seat.

    `reserved` has the keys that others must join with, by seat. Raises GameError (`not-secret`,
    `chance-alone`).
    """
    position = start.last
    game = position.rules.game
    if game.hides_by_sight:
        raise refused(
            Code.NOT_SECRET,
            f"{game.title} hides something, and who holds a file that goes to and fro has it all.",
            "Without `--seat`, moves are kept from a glance; to hide them, play at one terminal.",
        )
    has_chance = game.program.has_chance
    if has_chance and len(position.rules.sides) == 1:
        raise refused(
            Code.CHANCE_ALONE,
            "Chance that nobody foresees takes two players at least.",
            "Without `--seat`, chance is drawn by a seed.",
        )
    record = replace(
        Record.told(position, []),
        are_sealed=False,
        game_id=as_text(secrets.token_bytes(_ID_BYTES)),
        protocol=NEWEST,
        reserved=dict(reserved),
    )
    record = replace(record, digest=digest_of(record, game))
    told = _Pen(SignedState.before(record, position), [position], [], unlocked())
    told.join(seat)
    return told.replay()


def act(played: Replay, key: Key, text: str = "", *, resigns: bool = False) -> Replay:
    """Return a signed game with all that its player has to add now: by a move, if there is a text.

    Raises GameError (`game-over`, `other-rules`, `not-your-seat`, `not-your-turn`,
    `missing-secret`, `old-protocol`) and MoveError.
    """
    standing, record = played.standing, played.record
    assert standing is not None and record is not None
    refuse_after_end(standing, played.last)
    changed = [found for found in played.warnings if found.code == Code.OTHER_RULES]
    if changed:
        raise GameError([replace(found, severity="error") for found in changed])
    told = _Pen(standing, list(played.positions), list(played.moves), key)
    seat = standing.seat_of(key.public)
    if seat is None:
        seat = _free_seat(standing, played.last, key)
        _refuse_unbound(record)
        own = told.join(seat)
    else:
        own = Secrets(key, standing.place(seat))
    if resigns:
        told.resign(seat)
        return told.replay()
    _go_on(told, standing, seat, own, text)
    if told.record is record:
        raise _nothing_due(standing, told.position, seat)
    return told.replay()


def is_due(played: Replay, key: Key) -> bool:
    """Return whether the owner of a key has to add something besides a move."""
    standing, last = played.standing, played.last
    assert standing is not None
    if outcome_of(standing, last) is not None:
        return False
    seat = standing.seat_of(key.public)
    if last.seat is not None:
        return seat in standing.round.to_tell(deciders(last))
    return seat is None or (seat in standing.waits_for and standing.draws.joined == standing.seats)


def _go_on(told: _Pen, standing: SignedState, seat: int, own: Secrets, text: str) -> None:
    """Show secrets, draw, and make the move, in the order in which they are due."""
    draws, seats = standing.draws, standing.seats
    secret, left = b"", text
    while not told.position.over:
        if told.position.seat is None:
            if seat in draws.missing(seats) and draws.joined == seats:
                secret = own.number(draws.done + 1)
                draws.show(seat, secret)
            if draws.missing(seats):
                break
            told.draw(draws)
        elif at := deciders(told.position):
            told.play(seat, secret)
            secret = b""
            if left and seat in standing.round.to_decide(at):
                told.decide(seat, typed_move(left, at[seat]), at[seat])
                left = ""
            if seat in standing.round.to_tell(at):
                told.tell(seat, at[seat])
            if standing.round.waits_for(at):
                break
            told.end(standing.round)
        elif left and told.position.seat == seat:
            told.make(typed_move(left, told.position))
            left = ""
        else:
            break
    if left:
        raise _not_now(standing, told.position, seat)
    told.play(seat, secret)


class _Pen:
    """Writes a record on."""

    def __init__(
        self, standing: SignedState, positions: list[Position], moves: list[Move], key: Key
    ) -> None:
        self.record = standing.record
        self._standing = standing
        self._positions = positions
        self._moves = moves
        self._key = key
        self._texts = list(self.record.moves)

    @property
    def position(self) -> Position:
        return self._positions[-1]

    def make(self, move: Move) -> None:
        self._add(move, self.position.play(move))

    def draw(self, draws: ChanceDraws) -> None:
        for move, position in draws.draw(self.position):
            self._add(move, position)

    def _add(self, move: Move, position: Position) -> None:
        self._texts.append(spelled(move, self.position))
        self._moves.append(move)
        self._positions.append(position)

    def join(self, seat: int) -> Secrets:
        own = Secrets(self._key, self._place(seat))
        name, key = self._key.name, self._key.public
        self._sign(Entry(seat, key=key, name=name, commitment=as_text(own.number(0))), ())
        return own

    def decide(self, seat: int, move: Move, position: Position) -> None:
        text, place = spelled(move, position), self._place(seat)
        committed = place.commitment(text, place.nonce(self._key, text))
        self._sign(Entry(seat, decision=as_text(committed)), ())

    def tell(self, seat: int, position: Position) -> None:
        """Tell what was decided: the legal move that fits what the player is committed to."""
        round = self._standing.round
        for text in all_spelled(position):
            nonce = round.place(seat).nonce(self._key, text)
            if round.fits(seat, text, nonce):
                self._sign(Entry(seat, nonce=as_text(nonce), text=text), ())
                return
        message = "What was decided can't be found out any more: the rules have changed."
        raise refused(Code.WRONG_DECISION, message)

    def _place(self, seat: int) -> Place:
        before = tuple(digests(self.record))
        return place_of(self.record, before, seat, len(before))

    def end(self, round: Round) -> None:
        for move, position in round.end(self.position):
            self._add(move, position)

    def play(self, seat: int, secret: bytes) -> None:
        new = self._texts[len(self.record.moves) :]
        if new or secret:
            shown = as_text(secret) if secret else ""
            self._sign(Entry(seat, len(self._texts), secret=shown), new)
        if self.position.outcome is not None:
            self.record = replace(self.record, result=self.position.outcome.text)

    def resign(self, seat: int) -> None:
        self._sign(Entry(seat, resigns=True), ())
        self.record = replace(self.record, result=given_up(self.position, seat).text)

    def _sign(self, entry: Entry, new: tuple[str, ...] | list[str]) -> None:
        place = self._place(entry.seat)
        at = self._positions[len(self.record.moves)]
        self._standing = take(entry, self._standing, at, place)
        digest = entry.digest(place.before, new)
        entry = replace(entry, signature=entry.signed_by(self._key, place.version, digest))
        self.record = replace(
            self.record,
            moves=(*self.record.moves, *new),
            entries=(*self.record.entries, entry),
            spans=(),
            entry_spans=(),
        )

    def replay(self) -> Replay:
        """Return the game with what was written, judged as others will."""
        positions, moves = tuple(self._positions), tuple(self._moves)
        standing = judged(self.record, positions, moves)
        return Replay(positions, moves, record=self.record, standing=standing)


def _refuse_unbound(record: Record) -> None:
    """Raise GameError (`old-protocol`) for a game that nobody should join any more."""
    if record.protocol != NEWEST:
        message = "The game is signed by an old protocol, by which nobody joins any more."
        raise refused(Code.OLD_PROTOCOL, message, "`gdl new` begins one by the new protocol.")


def _free_seat(standing: SignedState, position: Position, key: Key) -> int:
    """Return the seat that a new player takes. Raises GameError."""
    reserved = standing.record.reserved
    free = [
        seat
        for seat in range(1, standing.seats + 1)
        if seat not in standing.players and reserved.get(seat, key.public) == key.public
    ]
    if not free:
        names = ", ".join(entry.name for entry in standing.players.values())
        raise refused(
            Code.NOT_YOUR_SEAT,
            f"The key on this machine, of {key.name}, has no seat in this game. Players: {names}.",
            "`gdl key` prints the key; `gdl show FILE --signatures` those of the players.",
        )
    return min(free, key=lambda seat: (seat not in reserved, seat != position.seat, seat))


def _not_now(standing: SignedState, position: Position, seat: int) -> GameError:
    """Return why a move can't be made now."""
    if position.over:
        return refused(
            Code.GAME_OVER, "Chance has ended the game: `gdl move FILE` takes that down."
        )
    if position.seat is None:
        names = _names(standing, tuple(s for s in standing.waits_for if s != seat))
        return refused(
            Code.MISSING_SECRET,
            f"Chance is to move, and waits for {names}.",
            "`gdl move FILE` without a move shows your own secret, if it is due.",
        )
    if at := deciders(position):
        names = _names(standing, standing.round.waits_for(at))
        message = f"All decide at the same time here, and the game waits for {names}."
        return refused(Code.NOT_YOUR_TURN, message, "Mail the file, and wait for the answer.")
    return _not_your_turn(standing, position, seat)


def _nothing_due(standing: SignedState, position: Position, seat: int) -> GameError:
    at = deciders(position)
    if (position.seat == seat and not at) or seat in standing.round.to_decide(at):
        return refused(Code.WRONG_MOVE, "It is your turn: which move?", "`gdl moves` lists them.")
    return _not_now(standing, position, seat)


def _not_your_turn(standing: SignedState, position: Position, seat: int) -> GameError:
    assert position.seat is not None
    name = standing.name(position.seat)
    who = f"{name} ({position.mover})" if name else position.mover
    mine = standing.name(seat) or "another seat"
    message = f"It is the turn of {who}, and the key on this machine is that of {mine}."
    return refused(Code.NOT_YOUR_TURN, message, "Mail the file, and wait for the answer.")


def _names(standing: SignedState, seats: tuple[int, ...]) -> str:
    return " and ".join(standing.name(seat) or f"seat {seat}" for seat in seats)
