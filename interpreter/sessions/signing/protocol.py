"""The protocol of signed games: what is hashed, what is signed, what is committed to, and why.

In: parts of a game. Out: digests of them. What then holds: whatever is signed, committed to or
drawn from belongs to one place of one game under one version of the protocol.

- **A chain of digests.** That of the head binds the version, the game's identity (a random number),
  the digest of its rules with their options and variants, the start, and the keys that seats are
  kept for. Each entry has the digest of the one before and of all that it adds, and its author
  signs that, with the version. So an entry fits where it was made: not in another order, in another
  game, or under another version of the protocol, which editing the head can't change.
- **Commitments** are told before what they hide: SHA-256 of the place, a random-looking nonce and
  the decision (M. Blum, "Coin Flipping by Telephone", 1981). Hiding and binding are not enough: who
  repeats another's commitment, and then what opens it, has decided the same without knowing it (D.
  Dolev, C. Dwork and M. Naor, "Non-Malleable Cryptography", 1991). So the place is hashed, too: the
  game, the entry's number, the seat, and the digest of all before. A copy can't be opened.
- **Secrets for chance** are a chain (L. Lamport, "Password Authentication with Insecure
  Communication", 1981): each is hashed, with the place where its player joined, to the one before;
  the first is the commitment. So nobody can go along another's chain.
- **What a key gives in secret** (nonces, the end of a chain) is the HMAC-SHA-256, under the private
  key, of the place, and of the decision, so that no two decisions share a nonce.

Version 1 did not hash places: what is committed to is bound to no game and no seat. Its games are
read and gone on with; copies within a game are refused as such, but not copies of another game.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256

from gdl.data_classes import dataclass
from gdl.interpreter.sessions.signing.keys import Key

UNBOUND, NEWEST = 1, 2
"""The version whose commitments are bound to no place, and that of games begun now."""


def plain_bytes(data: object) -> bytes:
    """Return plain data as bytes, the same for equal data alone."""
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode()


def head_digest(version: int, head: Sequence[object]) -> bytes:
    """Return the digest of what a game begins with."""
    return sha256(plain_bytes([_form(version), *head])).digest()


def entry_digest(before: bytes, told: Sequence[object]) -> bytes:
    """Return the digest of all up to an entry, which tells this."""
    return sha256(before + plain_bytes(told)).digest()


def signed_message(version: int, digest: bytes) -> bytes:
    """Return what is signed of an entry. It begins with the protocol: it is nothing else."""
    return _form(version).encode() + b"\0" + digest


def _form(version: int) -> str:
    return f"gdl signed game {version}"


@dataclass(frozen=True)
class Place:
    """Where something is committed to.

    `game` is the digest of what the game begins with, `number` (from 1) that of the entry, `before`
    the digest of all before it.
    """

    version: int
    game: bytes
    number: int
    seat: int
    before: bytes

    @property
    def _bound(self) -> bytes:
        if self.version == UNBOUND:
            return b""
        place = [_form(self.version), self.game.hex(), self.number, self.seat, self.before.hex()]
        return sha256(plain_bytes(place)).digest()

    def commitment(self, text: str, nonce: bytes) -> bytes:
        """Return what fits a decision alone, and shows nothing of it to who has no `nonce`."""
        return sha256(b"gdl decision\0" + self._bound + nonce + text.encode()).digest()

    def nonce(self, key: Key, text: str) -> bytes:
        """Return the nonce that the owner of a key takes for a decision here."""
        if self.version == UNBOUND:
            return key.derived(b"decision\0" + self.before)
        return key.derived(b"bound decision\0" + self._bound + text.encode())

    def secret_before(self, secret: bytes, times: int = 1) -> bytes:
        """Return the secret before another one, or so many before it."""
        bound = self._bound and b"gdl secret\0" + self._bound
        for _ in range(times):
            secret = sha256(bound + secret).digest()
        return secret

    def last_secret(self, key: Key) -> bytes:
        """Return the end of the chain of the owner of a key who joins here."""
        if self.version == UNBOUND:
            return key.derived(b"secrets\0%d\0" % self.seat + self.before)
        return key.derived(b"bound secrets\0" + self._bound)


def number_drawn(draw: int, made: int, secrets: bytes, choices: int) -> int:
    """Return the number, from 0, of what is drawn of so many `choices`.

    `draw` and `made` number the draw, and the decision of chance within it, from 1.
    """
    digest = sha256(b"gdl draw\0%d\0%d\0" % (draw, made) + secrets).digest()
    return int.from_bytes(digest) % choices
