"""Making a game that shows a difference as short as can be.

In: a difference and the moves that lead to it. Out: a difference with as many moves or fewer.
What then holds: its moves are legal, one after the other, for the reference; if `is_shortest`,
no game with fewer moves shows one, to the questions that found it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from interpreter.evaluation.evaluator import State
from interpreter.evaluation.moves import Move
from interpreter.verify.lockstep import Difference, Differs, Failed, Lockstep, Pair

_MOST_POSITIONS = 50_000
_SHARE_OF_CUTTING = 0.5


@dataclass(frozen=True)
class Search:
    """Two evaluators, what to ask them in each position, and when to give up."""

    lockstep: Lockstep
    perft: int
    settle: bool
    deadline: float

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self.deadline

    def look(self, pair: Pair) -> Sequence[Move]:
        """Return the legal moves. Raises Differs and Failed."""
        return self.lockstep.look(pair, perft=self.perft, settle=self.settle)


def shrunk(lockstep: Lockstep, difference: Difference, seconds: float) -> Difference:
    """Return the difference of the shortest game that can be found in some seconds."""
    if difference.kind == "playout":
        return difference
    now = time.monotonic()
    perft = 2 if difference.kind == "perft" else 0
    settle = difference.kind == "settle"
    cutting = Search(lockstep, perft, settle, now + seconds * _SHARE_OF_CUTTING)
    difference = _cut(cutting, difference)
    return _shortest(replace(cutting, deadline=now + seconds), difference)


# -------------------------------------------------------------------- leaving moves out


def _cut(search: Search, difference: Difference) -> Difference:
    """Leave out stretches of moves, as long as what remains can be played and differs."""
    improved = True
    while improved:
        improved = False
        for moves in _shorter(difference.moves):
            if search.is_over:
                return difference
            found = _replayed(search, moves)
            if found is not None:
                difference = found
                improved = True
                break
    return difference


def _shorter(moves: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
    """Yield the moves without one stretch of them, the longest stretches first."""
    length = len(moves)
    while length:
        for start in range(0, len(moves) - length + 1, max(1, length // 2)):
            yield moves[:start] + moves[start + length :]
        length //= 2
    for first in range(len(moves)):
        for second in range(first + 1, len(moves)):
            yield moves[:first] + moves[first + 1 : second] + moves[second + 1 :]


def _replayed(search: Search, moves: tuple[Move, ...]) -> Difference | None:
    """Return the first difference that these moves lead to; None if they can't be played."""
    try:
        pair = search.lockstep.begin()
        for move in moves:
            legal = search.look(pair)
            if move not in legal:
                return None
            pair = search.lockstep.advance(pair, move)
        search.look(pair)
    except Differs as found:
        return found.difference
    except Failed:
        pass
    return None


# ------------------------------------------------------------------ all shorter games


def _shortest(search: Search, difference: Difference) -> Difference:
    """Look at all positions that fewer moves lead to, nearer ones first."""
    try:
        if _finds_nothing(search, len(difference.moves)):
            return replace(difference, is_shortest=True)
    except Differs as found:
        return replace(found.difference, is_shortest=True)
    return difference


def _finds_nothing(search: Search, length: int) -> bool:
    """Return whether no game of fewer moves differs; False if that took too long.

    Raises Differs with a shortest game.
    """
    if length == 0:
        return True
    try:
        level = [search.lockstep.begin()]
    except Failed:
        return True
    seen: set[State] = {level[0].reference}
    for depth in range(length):
        legal = []
        for pair in level:
            if search.is_over:
                return False
            try:
                legal.append((pair, search.look(pair)))
            except Failed:
                continue
        if depth == length - 1:
            return True
        level = []
        for pair, moves in legal:
            for move in moves:
                if search.is_over or len(seen) > _MOST_POSITIONS:
                    return False
                try:
                    after = search.lockstep.advance(pair, move)
                except Failed:
                    continue
                if after.reference not in seen:
                    seen.add(after.reference)
                    level.append(after)
    return True
