"""What a side knows of a game in progress: all that it has seen and done, in order.

In: positions and the moves between them. Out: an `Information` (what the literature calls an
information state, with perfect recall). What then holds: two games with equal information are
alike to the side; time in which it sees nothing new does not pass for it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import field

from gdl.data_classes import dataclass
from gdl.diagnostic import wanted
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Position
from gdl.interpreter.positions.view import View


@dataclass(frozen=True)
class Information:
    """What a side has seen and done: `events` are views, its own moves, and moves it was told.

    Of `ALL_SIDES`, it is what each of them has seen and was told.
    Moves of others in a round that is not over are `withheld` until all sides have decided.
    """

    side: str
    view: View
    events: tuple[Hashable, ...]
    withheld: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def at(cls, start: Position, side: str) -> Information:
        """Return what a side knows where a game begins."""
        view = start.view(side)
        return cls(side, view, (view,))

    def after(self, before: Position, move: Move, position: Position) -> Information:
        """Return what the side knows when a move of `before` has led to `position`."""
        view = position.view(self.side)
        made = (before.mover if before.seat is not None else "", move.text)
        if made[0] == self.side:
            events: tuple[Hashable, ...] = (*self.events, made)
            withheld = self.withheld
        else:
            events, withheld = self.events, (*self.withheld, made)
        if not position.is_undecided:
            if position.tells_moves(self.side):
                events = (*events, *withheld)
            withheld = ()
        if len(events) > len(self.events) or view != self.view:
            events = (*events, view)
        return Information(self.side, view, events, withheld)


def information(positions: Sequence[Position], moves: Sequence[Move], side: str) -> Information:
    """Return what a side knows after the moves that lead from each position to the next.

    Raises ValueError where there is not one move less than there are positions, TypeError for what
    are no lists of them.
    """
    wanted(positions, Sequence, "a list of positions")
    wanted(moves, Sequence, "a list of moves")
    for move in moves:
        wanted(move, Move, "a Move, as `Position.parse` reads it,")
    if len(positions) != len(moves) + 1:
        raise ValueError(f"{len(positions)} positions, but {len(moves)} moves between them")
    known = Information.at(positions[0], side)
    for before, move, position in zip(positions[:-1], moves, positions[1:], strict=True):
        known = known.after(before, move, position)
    return known


def told_moves(
    positions: Sequence[Position], moves: Sequence[Move], side: str
) -> tuple[str | None, ...]:
    """Return the text of each move that a side has made or was told of; None for the others."""
    told: list[str | None] = []
    waiting: list[int] = []
    for number, (before, move) in enumerate(zip(positions[:-1], moves, strict=True)):
        is_own = before.seat is not None and before.mover == side
        told.append(move.text if is_own else None)
        if not is_own:
            waiting.append(number)
        after = positions[number + 1]
        if not after.is_undecided:
            for place in waiting if after.tells_moves(side) else ():
                told[place] = moves[place].text
            waiting = []
    return tuple(told)
