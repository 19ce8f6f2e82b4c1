"""Rounds in which sides decide at the same time, by mail: each commits first, then all tell.

In: a position at which a round begins, and what players have added since. Out: who is to decide or
to tell, and the moves once all have told. What then holds: nobody knows another's decision before
the own one is made, and nobody can change one afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.interpreter.evaluation.moves import Move, MoveError
from gdl.interpreter.positions.position import Position
from gdl.interpreter.sessions.notation import unspelled
from gdl.interpreter.sessions.signing.protocol import Place


def deciders(position: Position) -> dict[int, Position]:
    """Return the seats that decide at the same time here, each with a position it decides in.

    There are none where one seat is on turn alone, or chance. What the others have decided in such
    a position means nothing: no side's moves depend on it.
    """
    found: dict[int, Position] = {}
    if not position.rules.game.undecided:
        return found
    while position.seat is not None and not position.over and not found.get(position.seat):
        found[position.seat] = position
        position = position.play(position.moves()[0])
        if not position.is_undecided:
            return found if len(found) > 1 else {}
    return {}


class Round:
    """What the players have decided of a round so far, and told.

    `known` are all commitments of the game.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.known: set[bytes] = set()
        self._decided: dict[int, tuple[bytes, Place]] = {}
        self._told: dict[int, str] = {}

    def to_decide(self, at: dict[int, Position]) -> tuple[int, ...]:
        """Return the seats that have not decided, of those that are to."""
        return tuple(seat for seat in at if seat not in self._decided)

    def to_tell(self, at: dict[int, Position]) -> tuple[int, ...]:
        """Return the seats that have not told their decision, when all have made one."""
        if self.to_decide(at):
            return ()
        return tuple(seat for seat in at if seat not in self._told)

    def waits_for(self, at: dict[int, Position]) -> tuple[int, ...]:
        """Return the seats without which the round can't go on."""
        return self.to_decide(at) or self.to_tell(at)

    def decide(self, committed: bytes, place: Place) -> None:
        """Take down that a seat has decided, and where."""
        self.known.add(committed)
        self._decided[place.seat] = committed, place

    def place(self, seat: int) -> Place:
        """Return where a seat has decided that has."""
        return self._decided[seat][1]

    def fits(self, seat: int, text: str, nonce: bytes) -> bool:
        """Return whether this is what a seat has decided that has."""
        committed, place = self._decided[seat]
        return committed == place.commitment(text, nonce)

    def tell(self, seat: int, text: str) -> None:
        """Take down what a seat has decided."""
        self._told[seat] = text

    def end(self, position: Position) -> Iterator[tuple[Move, Position]]:
        """End a round of which all was told: yield the moves, each with the position after it.

        Raises MoveError.
        """
        for text in (self._told[seat] for seat in deciders(position)):
            move = unspelled(text, position)
            position = position.play(move)
            yield move, position
        self._decided, self._told = {}, {}


def is_legal(text: str, position: Position) -> bool:
    """Return whether a text is that of a move that can be made."""
    try:
        unspelled(text, position)
    except MoveError:
        return False
    return True
