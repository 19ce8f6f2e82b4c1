"""Chance that no player foresees or chooses: secrets committed to, and shown one by one.

In: a player's key, and where the player joined. Out: a chain of secrets, each hashed to the one
before; the first one is the commitment, told on joining, when no other secret of anybody is known.
What then holds: a secret that is shown is proved by the one before, and could not have been chosen
later; what is drawn depends on the secrets of all players, so that none knows it before all have
shown theirs. `protocol` has the formulas, and where they come from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Position
from gdl.interpreter.sessions.signing.keys import Key
from gdl.interpreter.sessions.signing.protocol import Place, number_drawn

_LENGTH = 20_000
"""More than a saved game has room for."""
_MOST_AT_ONCE = 2
"""Draws before and after one's own move."""


class Secrets:
    """The secrets of one player in one game."""

    def __init__(self, key: Key, place: Place) -> None:
        """Derive them from the key, and where the player joined."""
        self._place = place
        self._last = place.last_secret(key)

    def number(self, number: int) -> bytes:
        """Return a secret by its number from 1; 0 is the commitment."""
        return self._place.secret_before(self._last, _LENGTH - number)


class ChanceDraws:
    """The secrets that players have shown so far, and the draws that were made with them.

    `known` are all secrets and commitments of the game.
    """

    def __init__(self) -> None:
        """Begin without players."""
        self.done = 0
        self.known: set[bytes] = set()
        self._shown: dict[int, list[bytes]] = {}
        self._places: dict[int, Place] = {}

    @property
    def joined(self) -> int:
        """How many players there are."""
        return len(self._shown)

    def join(self, commitment: bytes, place: Place) -> None:
        """Let a player in, who is committed to a chain."""
        self.known.add(commitment)
        self._shown[place.seat] = [commitment]
        self._places[place.seat] = place

    def shown(self, seat: int) -> int:
        """Return how many secrets a player has shown."""
        return len(self._shown[seat]) - 1

    def show(self, seat: int, secret: bytes) -> bool:
        """Take note of the next secret of a player, or of the next two by the second.

        Returns whether it is one.
        """
        shown, place = self._shown[seat], self._places[seat]
        between = [secret]
        for _ in range(_MOST_AT_ONCE):
            before = place.secret_before(between[-1])
            if before == shown[-1]:
                shown.extend(reversed(between))
                self.known.update(between)
                return True
            between.append(before)
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

    Those that `secrets` has by seats are joined in the order of these.
    """
    together = b"".join(secret for _, secret in sorted(secrets.items()))
    made = 0
    while position.seat is None and not position.over:
        made += 1
        legal = position.moves()
        move = legal[number_drawn(number, made, together, len(legal))]
        position = position.play(move)
        yield move, position
