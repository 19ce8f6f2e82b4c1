"""Making a game that shows a difference as short as can be.

In: a difference and the moves that lead to it. Out: a difference with as many moves or fewer.
What then holds: its moves are legal, one after the other, for the reference; if `is_shortest`,
no game with fewer moves shows one, to the questions that found it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

from gdl.data_classes import dataclass
from interpreter.evaluation.evaluator import State
from interpreter.evaluation.moves import Move
from interpreter.verify.deadline import Deadline, TimeUp, limited
from interpreter.verify.lockstep import Difference, Differs, Failed, Lockstep, Pair

Made = TypeVar("Made")
_MOST_POSITIONS = 50_000
_SHARE_OF_CUTTING = 0.5


@dataclass(frozen=True)
class Search:
    """Two evaluators, what to ask them in each position, and when to give up."""

    lockstep: Lockstep
    perft: int
    settle: bool
    deadline: Deadline

    def look(self, pair: Pair) -> Sequence[Move]:
        """Return the legal moves. Raises Differs, Failed and TimeUp."""
        self.deadline.check()
        legal = self.lockstep.look(pair)
        self.lockstep.count(pair, self.perft)
        if self.settle:
            self.lockstep.settle(pair)
        return legal


def shrunk(lockstep: Lockstep, difference: Difference, seconds: float) -> Difference:
    """Return the difference of the shortest game that can be found in some seconds."""
    if difference.kind == "playout":
        return difference
    lockstep = Lockstep(lockstep.reference, lockstep.other)
    perft = 2 if difference.kind == "perft" else 0
    search = partial(Search, lockstep, perft, difference.kind == "settle")
    best = Best(difference)
    with suppress(TimeUp), limited(seconds * _SHARE_OF_CUTTING) as deadline:
        _cut(search(deadline), best)
    with suppress(TimeUp), limited(seconds * (1 - _SHARE_OF_CUTTING)) as deadline:
        _look_at_shorter(search(deadline), best)
    return best.difference


@dataclass
class Best:
    """The difference after the fewest moves that was found so far."""

    difference: Difference


# -------------------------------------------------------------------- leaving moves out


def _cut(search: Search, best: Best) -> None:
    """Leave out stretches of moves, as long as what remains can be played and differs."""
    improved = True
    while improved:
        improved = False
        for moves in shorter(best.difference.moves):
            found = _replayed(search, moves)
            if found is not None:
                best.difference = found
                improved = True
                break


def shorter(moves: tuple[Made, ...]) -> Iterator[tuple[Made, ...]]:
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


def _look_at_shorter(search: Search, best: Best) -> None:
    """Look at all positions that fewer moves lead to, nearer ones first."""
    try:
        is_shortest = _finds_nothing(search, len(best.difference.moves))
    except Differs as found:
        best.difference, is_shortest = found.difference, True
    best.difference = replace(best.difference, is_shortest=is_shortest)


def _finds_nothing(search: Search, length: int) -> bool:
    """Return whether no game of fewer moves differs; False if there are too many of them.

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
            with suppress(Failed):
                legal.append((pair, search.look(pair)))
        if depth == length - 1:
            return True
        level = []
        for pair, moves in legal:
            for move in moves:
                if len(seen) > _MOST_POSITIONS:
                    return False
                with suppress(Failed):
                    after = search.lockstep.advance(pair, move)
                    if after.reference not in seen:
                        seen.add(after.reference)
                        level.append(after)
    return True
