"""Entries of a signed game: what each player has added to the record, and signed.

In: lines of a record. Out: entries, each with a digest of what it adds and of all before it. What
then holds: a signature of the digest is one of all up to there.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.data_classes import dataclass
from gdl.interpreter.sessions.signing.keys import LONGEST_NAME, Key, from_text, is_public, is_signed
from gdl.interpreter.sessions.signing.protocol import entry_digest, signed_message

_JOINS, _PLAYS, _RESIGNS = "joins", "plays", "resigns"
_DECIDES, _TELLS = "decides", "tells"
_LONGEST_NUMBER = 6
_LONGEST_DECISION = 1000


@dataclass(frozen=True)
class Entry:
    """What the player at a seat (from 1) has added.

    Who joins tells a `key`, a `name` and a `commitment` to secrets. Who plays makes it so many
    `moves` in the record; `secret` is the last of the player's secrets that is shown, empty if none
    is shown here. Who decides when others do tells what the `decision` is committed to, and later a
    `nonce` and its `text`, which fit that.
    """

    seat: int
    moves: int = 0
    key: str = ""
    name: str = ""
    commitment: str = ""
    secret: str = ""
    resigns: bool = False
    decision: str = ""
    nonce: str = ""
    text: str = ""
    signature: str = ""

    @property
    def joins(self) -> bool:
        """Whether the player takes the seat by this entry."""
        return bool(self.key)

    @property
    def plays(self) -> bool:
        """Whether the player adds moves, or a secret."""
        return self._verb == _PLAYS

    @property
    def _verb(self) -> str:
        if self.joins:
            return _JOINS
        if self.resigns:
            return _RESIGNS
        if self.decision:
            return _DECIDES
        return _TELLS if self.nonce else _PLAYS

    @property
    def line(self) -> str:
        """The entry as a line."""
        if self.decision:
            told = f"{_DECIDES} {self.decision} {self.signature}"
        elif self.nonce:
            told = f"{_TELLS} {self.nonce} {self.signature} {self.text}"
        elif self.joins:
            told = f"{_JOINS} {self.key} {self.commitment} {self.signature} {self.name}"
        elif self.resigns:
            told = f"{_RESIGNS} {self.signature}"
        else:
            secret = f"{self.secret} " if self.secret else ""
            told = f"{_PLAYS} {self.moves} {secret}{self.signature}"
        return f"{self.seat} {told}"

    @classmethod
    def of(cls, text: str) -> Entry | None:
        """Return the entry that a line is; None if it is none."""
        match text.split(" "):
            case [seat, verb, key, commitment, signature, *name] if verb == _JOINS:
                found = cls(_number(seat), 0, key, " ".join(name), commitment, signature=signature)
            case [seat, verb, decision, signature] if verb == _DECIDES:
                found = cls(_number(seat), decision=decision, signature=signature)
            case [seat, verb, nonce, signature, *told] if verb == _TELLS:
                found = cls(_number(seat), nonce=nonce, text=" ".join(told), signature=signature)
            case [seat, verb, signature] if verb == _RESIGNS:
                found = cls(_number(seat), resigns=True, signature=signature)
            case [seat, verb, moves, signature] if verb == _PLAYS:
                found = cls(_number(seat), _number(moves), signature=signature)
            case [seat, verb, moves, secret, signature] if verb == _PLAYS:
                found = cls(_number(seat), _number(moves), secret=secret, signature=signature)
            case _:
                return None
        return found if found._is_whole and found.line == text else None

    @property
    def _is_whole(self) -> bool:
        has_name = 0 < len(self.name) <= LONGEST_NAME and self.name.isprintable()
        is_player = has_name and is_public(self.key) and from_text(self.commitment, 32)
        return (
            self.seat > 0
            and self.moves >= 0
            and (not self.joins or bool(is_player))
            and all(
                not text or from_text(text, 32) is not None
                for text in (self.secret, self.decision, self.nonce)
            )
            and (not self.nonce or 0 < len(self.text) <= _LONGEST_DECISION)
            and self.text.isprintable()
            and from_text(self.signature, 64) is not None
        )

    def digest(self, before: bytes, moves: Sequence[str]) -> bytes:
        """Return the digest of all up to this entry, which adds these moves."""
        who = [self._verb, self.seat, self.key, self.name, self.commitment, self.secret]
        told = [*who, self.decision, self.nonce, self.text, *moves]
        return entry_digest(before, told)

    def signed_by(self, key: Key, version: int, digest: bytes) -> str:
        """Return the signature of this entry, of which the digest is given."""
        return key.sign(signed_message(version, digest))

    def is_signed_by(self, public: str, version: int, digest: bytes) -> bool:
        """Return whether the owner of a key has signed the digest here."""
        return is_signed(signed_message(version, digest), self.signature, public)


def _number(text: str) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER
    return int(text) if is_number else -1
