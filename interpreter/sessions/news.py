"""What is to be told, in a line: of a move that somebody else has made, of one that was taken back,
of what went wrong.

In: the positions before and after a move, those who look at the game, or an error. Out: texts, or
what a text is made of.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.data_classes import dataclass
from gdl.diagnostic import GameError
from gdl.visible import visible_line
from interpreter.evaluation.evaluator import RuleError
from interpreter.evaluation.moves import Move
from interpreter.positions.position import Position
from interpreter.positions.position_text import mover_does
from interpreter.sessions.audience import NO_WAY_BACK, Audience

_MOST_TOLD = 8  # moves of chance in a row


def made_text(before: Position, move: Move, after: Position) -> str:
    """Return who has made a move, and how many pieces of others it took off the board."""
    side = before.side
    lost = sum(layer.side != side for _, layer in before.occupied())
    lost -= sum(layer.side != side for _, layer in after.occupied())
    fewer = sum(1 for _ in before.occupied()) - sum(1 for _ in after.occupied())
    taken = min(lost, fewer)
    takes = f" and takes {'a piece' if taken == 1 else f'{taken} pieces'}" if taken > 0 else ""
    return f"{mover_does(before, 'plays')} {move}{takes}."


def trouble(problem: Exception) -> str:
    """Return what went wrong and the ways out, as sentences without codes and places.

    >>> from gdl.diagnostic import Diagnostic
    >>> trouble(GameError([Diagnostic("file-gone", "It is gone.", None, "Take\\nanother.")]))
    'It is gone. Take another.'
    """
    found = problem.diagnostics if isinstance(problem, GameError) else ()
    if isinstance(problem, RuleError):
        found = (problem.diagnostic,)
    told = f"{found[0].message} {found[0].hint}" if found else str(problem)
    more = f" And {len(found) - 1} more." if len(found) > 1 else ""
    return visible_line(" ".join(told.split()) + more)


def chance_text(made: Sequence[Move]) -> str:
    """Return what chance has done, of many moves in a row the first.

    >>> chance_text([Move((number,), str(number)) for number in range(9)])
    'Chance: 0, 1, 2, 3, 4, 5, 6, 7 and 1 more'
    """
    more = f" and {len(made) - _MOST_TOLD} more" if len(made) > _MOST_TOLD else ""
    return f"Chance: {', '.join(map(str, made[:_MOST_TOLD]))}{more}"


def exchange_text(before: Position, after: Position) -> str:
    """Return which seat plays which side now, if that is another one than before; else nothing."""
    sides = after.rules.sides
    if all(before.seat_of(side) == after.seat_of(side) for side in sides):
        return ""
    told = (f"seat {after.seat_of(side)} plays {side}" for side in sides)
    return f"Seats have exchanged sides: {', '.join(told)} now."


@dataclass(frozen=True)
class Course:
    """How far a game has gone back, or forward again.

    So many `moves` were taken back (below nothing), or done again; `is_ended` if it was resigning
    instead. `text` tells it, and `can_redo`, that it can be done again; nobody may go back, and
    has not, if it `is_closed`.
    """

    text: str
    moves: int = 0
    is_ended: bool = False
    is_closed: bool = False
    can_redo: bool = False

    @classmethod
    def back(cls, audience: Audience, seats: frozenset[int]) -> Course:
        """Take a resignation back, else the moves since one of the seats was on turn before."""
        if audience.is_limited:
            return cls(NO_WAY_BACK, is_closed=True)
        if audience.session.withdraw():
            return cls("Took back the resignation.", is_ended=True, can_redo=True)
        taken = audience.session.take_back(seats)
        if not taken:
            return cls("There is no move to take back.")
        return cls(f"Took back {taken} move{'' if taken == 1 else 's'}.", -taken, can_redo=True)

    @classmethod
    def again(cls, audience: Audience, seats: frozenset[int]) -> Course:
        """Resign again, else go forward to where one of the seats is on turn, or to the end."""
        session = audience.session
        if audience.is_limited:
            return cls(NO_WAY_BACK, is_closed=True)
        if session.resign_again():
            return cls(f"{mover_does(session.position, 'resigns')}.", is_ended=True)
        made = session.redo(seats)
        if not made:
            return cls("There is nothing to do again.")
        return cls(f"Made {made} move{'' if made == 1 else 's'} again.", made)

    def told(self, redo: str) -> str:
        """Return the text, and how what was taken back is done again: by the word or key `redo`."""
        return visible_line(f"{self.text} {redo} does it again." if self.can_redo else self.text)
