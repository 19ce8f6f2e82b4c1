"""Chance that no player foresees or chooses: secrets committed to, and shown one by one.

In: a player's key, and where the player joined. Out: a chain of secrets, each the SHA-256 digest of
the next; the first one is the commitment, told on joining, when no other secret of anybody is
known. What then holds: a secret that is shown is proved by the one before, and could not have been
chosen later; what is drawn depends on the secrets of all players, so that none knows it before all
have shown theirs. (L. Lamport, "Password Authentication with Insecure Communication", 1981, has the
chain; M. Blum, "Coin Flipping by Telephone", 1981, the commitment.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256

from interpreter.evaluation.moves import Move
from interpreter.positions.position import Position
from interpreter.sessions.signing.keys import Key

_LENGTH = 20_000
"""More than a saved game has room for."""
_MOST_AT_ONCE = 2
"""Draws before and after one's own move."""


class Secrets:
    """The secrets of one player in one game."""

    def __init__(self, key: Key, seat: int, before: bytes) -> None:
        """Derive them from the key, the seat, and the digest of all before the player joined."""
        self._last = key.derived(b"secrets\0%d\0" % seat + before)

    def number(self, number: int) -> bytes:
        """Return a secret by its number from 1; 0 is the commitment."""
        secret = self._last
        for _ in range(_LENGTH - number):
            secret = sha256(secret).digest()
        return secret


class ChanceDraws:
    """The secrets that players have shown so far, and the draws that were made with them."""

    def __init__(self) -> None:
        """Begin without players."""
        self.done = 0
        self._shown: dict[int, list[bytes]] = {}

    @property
    def joined(self) -> int:
        """How many players there are."""
        return len(self._shown)

    def join(self, seat: int, commitment: bytes) -> None:
        """Let a player in."""
        self._shown[seat] = [commitment]

    def shown(self, seat: int) -> int:
        """Return how many secrets a player has shown."""
        return len(self._shown[seat]) - 1

    def show(self, seat: int, secret: bytes) -> bool:
        """Take note of the next secret of a player, or of the next two by the second.

        Returns whether it is one.
        """
        shown = self._shown[seat]
        between = [secret]
        for _ in range(_MOST_AT_ONCE):
            if sha256(between[-1]).digest() == shown[-1]:
                shown.extend(reversed(between))
                return True
            between.append(sha256(between[-1]).digest())
        return False

    def missing(self, seats: int) -> tuple[int, ...]:
        """Return which of the seats have not shown what the next draw needs."""
        return tuple(
            seat
            for seat in range(1, seats + 1)
            if seat not in self._shown or self.shown(seat) <= self.done
        )

    def draw(self, position: Position) -> Iterator[tuple[Move, Position]]:
        """Make the next draw: yield the moves of chance, until a seat is on turn."""
        self.done += 1
        return drawn(position, self.done, {s: shown[self.done] for s, shown in self._shown.items()})


def drawn(
    position: Position, number: int, secrets: Mapping[int, bytes]
) -> Iterator[tuple[Move, Position]]:
    """Yield the moves of chance that the secrets of a draw give, each with the position after it.

    The n-th move is that of the legal ones whose number is the SHA-256 digest of the draw's number,
    n, and the secrets in the order of seats, modulo how many there are.
    """
    together = b"".join(secret for _, secret in sorted(secrets.items()))
    made = 0
    while position.seat is None and not position.over:
        made += 1
        digest = sha256(b"gdl draw\0%d\0%d\0" % (number, made) + together).digest()
        legal = position.moves()
        move = legal[int.from_bytes(digest) % len(legal)]
        position = position.play(move)
        yield move, position
