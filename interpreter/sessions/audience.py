"""Who looks at the screen of a game, and what may be shown there.

In: a session, and the seats at which people sit. Out: the side whose view is drawn, and the moves
that may be told. What then holds: where the rules hide something, no more is shown than every
person who looks may know, until the game is over.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.evaluation.moves import Move
from interpreter.positions.information import told_moves
from interpreter.positions.position import Position
from interpreter.positions.view import View
from interpreter.sessions.session import Session


class Audience:
    """The people at one screen; one of them looks at a time."""

    def __init__(self, people: frozenset[int], as_side: str | None = None) -> None:
        """Know the seats (from 1) of people; `as_side` looks on, whoever is on turn."""
        self._people = people
        self._as_side = as_side
        self._looking: str | None = None
        self._told = 0

    def side(self, session: Session) -> str | None:
        """Return the side whose view is shown; None if everything may be seen."""
        position = session.position
        if self._as_side is not None:
            return self._as_side
        if not self._people or not position.rules.game.hides or session.outcome is not None:
            return None
        return self._looking or self._first(position)

    def _first(self, position: Position) -> str:
        if position.seat in self._people:
            return position.mover
        return next(s for s in position.rules.sides if position.seat_of(s) in self._people)

    def shown(self, session: Session) -> Position | View:
        """Return what is drawn: the position, or what a side sees of it."""
        side = self.side(session)
        return session.position if side is None else session.position.view(side)

    def must_change(self, session: Session) -> bool:
        """Return whether another person than the one who looks is on turn."""
        side = self.side(session)
        return self._as_side is None and side is not None and side != session.position.mover

    def change(self, session: Session) -> None:
        """Let the person on turn look."""
        self._looking = session.position.mover

    def look_anew(self, people: frozenset[int]) -> None:
        """Forget who has looked: another game begins, with people at these seats."""
        self._people = people
        self._looking, self._told = None, 0

    def newly_told(self, session: Session) -> Iterator[tuple[str, Move]]:
        """Yield the moves that others have made since, each with who made it, if they are told.

        Chance is nobody. A move that may not be told is left out for now, or for good.
        """
        side = self.side(session)
        if side is None:
            told: list[str | None] = [move.text for move in session.moves]
        elif len(self._people) > 1 and self._as_side is None:
            return
        else:
            told = list(told_moves(session.positions, session.moves, side))
        while self._told < len(told) and not session.positions[self._told + 1].is_undecided:
            before, move = session.positions[self._told], session.moves[self._told]
            by_person = before.seat in self._people
            if told[self._told] is not None and not by_person:
                yield before.mover if before.seat is not None else "", move
            self._told += 1
