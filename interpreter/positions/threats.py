"""What the other sides threaten: what they could do at once if it were their turn.

In: a position. Out: the sites where they would win, and the pieces they could take. What then
holds: a threat is a legal move of the rules in the same position with another side on turn; where
a game has no such position, since a phase belongs to a seat or the rules fail there, it has none.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.evaluation.evaluator import RuleError
from interpreter.evaluation.moves import Move
from interpreter.positions.position import Position

_SECONDS = 3.0


@dataclass(frozen=True)
class Threats:
    """Moves by which others would win at once, by their sites, and pieces that they could take.

    `winning` are those moves, `by` the sides that have them; `is_whole` tells whether there was
    time to try all moves.
    """

    winning: tuple[Move, ...]
    winning_sites: frozenset[int]
    taken: frozenset[int]
    is_whole: bool

    @property
    def text(self) -> str:
        """What is threatened, in a sentence."""
        told = []
        if self.winning:
            moves = ", ".join(move.text for move in self.winning[:_MOST_SHOWN])
            told.append(f"a win by {moves}{' …' if len(self.winning) > _MOST_SHOWN else ''}")
        if self.taken:
            pieces = f"{len(self.taken)} piece{'s' if len(self.taken) > 1 else ''}"
            told.append(f"to take {pieces}")
        said = f"Threatened: {' and '.join(told)}." if told else "Nothing is threatened at once."
        return said if self.is_whole else f"{said} Not all moves were looked at."


_MOST_SHOWN = 6


def threats(position: Position, seconds: float = _SECONDS) -> Threats:
    """Return what the sides that are not on turn threaten, tried for so many seconds."""
    end = time.monotonic() + seconds
    own = _sites_of(position, position.mover)
    winning: dict[Move, None] = {}
    sites: set[int] = set()
    taken: set[int] = set()
    for other in _with_others_on_turn(position):
        for move in _legal(other):
            if time.monotonic() > end:
                return Threats(tuple(winning), frozenset(sites), frozenset(taken), False)
            try:
                after = other.play(move)
                outcome = after.outcome
            except RuleError:
                continue
            if outcome is not None and other.mover in outcome.winners:
                winning[move] = None
                sites |= other.sites_of(move)
            taken |= own - _sites_of(after, position.mover)
    return Threats(tuple(winning), frozenset(sites), frozenset(taken), True)


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
