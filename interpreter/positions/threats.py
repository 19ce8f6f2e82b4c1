"""What can be done at once: by the side on turn, and by the others if it were their turn.

In: a position. Out: moves that win, the sites where others would win, and the pieces that they
could take. What then holds: a threat is a legal move of the rules in the same position with another
side on turn; where a game has no such position, since a phase belongs to a seat or the rules fail
there, it has none.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from gdl.data_classes import dataclass
from interpreter.evaluation.evaluator import RuleError
from interpreter.evaluation.moves import Move
from interpreter.positions.position import Position

_SECONDS = 3.0


@dataclass(frozen=True)
class Threats:
    """What the side `on_turn` and the `others` could do at once.

    `chances` are the moves by which the side on turn wins, `winning` those by which others would,
    `winning_sites` their sites, and `taken` the pieces that others could take; `is_whole` tells
    whether there was time to try all moves.
    """

    on_turn: str
    others: tuple[str, ...]
    chances: tuple[Move, ...]
    winning: tuple[Move, ...]
    winning_sites: frozenset[int]
    taken: frozenset[int]
    is_whole: bool

    @property
    def text(self) -> str:
        """What can be done at once and by whom, in sentences."""
        said = []
        if self.chances:
            said.append(f"{self.on_turn} can win at once by {_listed(self.chances)}.")
        told = []
        if self.winning:
            told.append(f"to win by {_listed(self.winning)}")
        if self.taken:
            pieces = f"{len(self.taken)} piece{'s' if len(self.taken) > 1 else ''}"
            told.append(f"to take {pieces}")
        who = " or ".join(self.others)
        if told:
            said.append(f"{who} threatens {' and '.join(told)}.")
        elif self.others:
            nobody = f"Neither {' nor '.join(self.others)} threatens anything at once."
            sentence = f"{who} threatens nothing at once." if len(self.others) < 2 else nobody
            said.append(sentence if self.is_whole else f"{sentence[:-1]}, as far as was seen.")
        elif not said:
            said.append("Nothing is threatened at once.")
        return " ".join(said if self.is_whole else [*said, "Not all moves were looked at."])


_MOST_SHOWN = 6


def threats(position: Position) -> Threats:
    """Return what can be done at once, as far as the time allows; each part has half of it."""
    begun = time.monotonic()
    on_turn = position.mover
    own = _sites_of(position, on_turn)
    chances: dict[Move, None] = {}
    winning: dict[Move, None] = {}
    sites: set[int] = set()
    taken: set[int] = set()
    others: dict[str, None] = {}
    is_whole = True
    if not position.over and position.seat is not None:
        for move, after in _tried(position, begun + _SECONDS / 2):
            if after is None:
                is_whole = False
            elif _wins(position, after):
                chances[move] = None
    for other in _with_others_on_turn(position):
        others[other.mover] = None
        for move, after in _tried(other, begun + _SECONDS):
            if after is None:
                is_whole = False
                continue
            if _wins(other, after):
                winning[move] = None
                sites |= other.sites_of(move)
            taken |= own - _sites_of(after, on_turn)
    found = tuple(chances), tuple(winning), frozenset(sites), frozenset(taken)
    return Threats(on_turn, tuple(others), *found, is_whole)


def _tried(position: Position, end: float) -> Iterator[tuple[Move, Position | None]]:
    """Yield each legal move and where it leads; nowhere, and no more, once the time is up."""
    for move in _legal(position):
        if time.monotonic() > end:
            yield move, None
            return
        try:
            yield move, position.play(move)
        except RuleError:
            continue


def _wins(position: Position, after: Position) -> bool:
    """Return whether the side on turn has won by the move that leads to `after`."""
    return after.outcome is not None and position.mover in after.outcome.winners


def _listed(moves: Sequence[Move]) -> str:
    more = " …" if len(moves) > _MOST_SHOWN else ""
    return f"{', '.join(move.text for move in moves[:_MOST_SHOWN])}{more}"


def _with_others_on_turn(position: Position) -> Iterator[Position]:
    """Yield the position with each other side on turn, where it may be."""
    if position.over or position.seat is None or len(position.rules.sides) < 2:
        return
    rules = position.rules
    place = rules.places[rules.game.program.system.mover]
    for side in range(len(rules.sides)):
        if side == position.side:
            continue
        values = list(position.state.values)
        values[place] = side
        try:
            other = Position(rules, rules.evaluator.settle(values))
            is_turn = not other.over and other.seat == other.seat_of(other.mover)
        except RuleError:
            continue
        if is_turn:
            yield other


def _legal(position: Position) -> tuple[Move, ...]:
    try:
        return position.moves()
    except RuleError:
        return ()


def _sites_of(position: Position, side: str) -> frozenset[int]:
    number = position.rules.sides.index(side)
    return frozenset(site for site, layer in position.occupied() if layer.side == number)
