"""A game that shows a difference, made shorter.

In: two games in lockstep, and a game in which they differ. Out: one that is as short or shorter.
What then holds: its moves are legal in both, one after the other, and both differ after it.

The rest of a game is played as it was, by whichever side is on turn then; and, if it is short, also
so that each side makes its own moves in their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from interpreter.compare.breadth import look_at_all
from interpreter.compare.lockstep import BothFail, Difference, Differs, Lockstep, MovePair
from interpreter.compare.near import Near
from interpreter.evaluation.moves import PASS
from interpreter.verify.deadline import Deadline, TimeUp

_SHORT = 24  # moves of a game that is played in two ways
_FEW = 10  # moves of which all orders are tried
_MOST_ORDERS = 3_000  # positions
_FARTHEST = 4  # steps from what differs

Played = tuple[MovePair, int]
"""A move in both games, and the side that made it."""


def shortened(lockstep: Lockstep, found: Difference, deadline: Deadline) -> Difference:
    """Leave out stretches of moves, and pairs of them, as long as what remains differs.

    Of a few moves, all orders are tried.
    """
    best = found
    try:
        improved = True
        while improved:
            improved = False
            played = _played(lockstep, best.moves)
            for moves, keeps_sides in chain(_nearby(lockstep, best, played), _orders(played)):
                deadline.check()
                again = _replayed(lockstep, moves, keeps_sides, len(best.moves))
                if again is not None and len(again.moves) < len(best.moves):
                    best, improved = again, True
                    break
    except TimeUp:
        pass
    if len(best.moves) <= _FEW:
        again = look_at_all(lockstep, _MOST_ORDERS, deadline, only=best.moves).difference
        best = best if again is None or len(again.moves) >= len(best.moves) else again
    return best


def _nearby(
    lockstep: Lockstep, found: Difference, moves: Sequence[Played]
) -> Iterator[tuple[list[Played], bool]]:
    """Yield the moves that are near to those that are legal in one game alone, farther and farther.

    What they depend on is most often there.
    """
    near = Near(lockstep.first.game.board)
    sites = 0
    for text in (*found.only_first, *found.only_second)[:_FEW]:
        sites |= near.sites(text)
    for _ in range(_FARTHEST if sites else 0):
        sites = near.around(sites)
        yield [move for move in moves if near.sites(move[0][0].text) & sites], True


def _orders(moves: Sequence[Played]) -> Iterator[tuple[list[Played], bool]]:
    """Yield shorter games, and whether each side makes its own moves in them."""
    for shorter in _shorter(moves):
        yield shorter, False
        if len(moves) <= _SHORT:
            yield shorter, True


def _shorter(moves: Sequence[Played]) -> Iterator[list[Played]]:
    """Yield the moves without the first of them, without one stretch, the longest first, or two."""
    length = len(moves)
    while length := length // 2:
        yield list(moves[length:])
    length = len(moves)
    while length:
        for start in range(0, len(moves) - length + 1, max(1, length // 2)):
            yield [*moves[:start], *moves[start + length :]]
        length //= 2
    for first in range(len(moves)):
        for second in range(first + 1, len(moves)):
            yield [*moves[:first], *moves[first + 1 : second], *moves[second + 1 :]]


def _played(lockstep: Lockstep, moves: Sequence[str]) -> list[Played]:
    """Return moves with the side that makes each."""
    pair, made = lockstep.begin(), []
    for number, text in enumerate(moves):
        both = next(b for b in lockstep.look(pair, ()) if b[0].text == text)
        made.append((both, lockstep.side(pair)))
        if number + 1 < len(moves):
            pair = lockstep.advance(pair, both, ())
    return made


def _replayed(
    lockstep: Lockstep, moves: Sequence[Played], keeps_sides: bool, most: int
) -> Difference | None:
    """Play moves, each side its own or not; return the first difference before `most` moves.

    A side that has none left while others have makes another move.
    """
    queues: dict[int, list[MovePair]] = {}
    for both, side in reversed(moves):
        queues.setdefault(side if keeps_sides else 0, []).append(both)
    made: tuple[str, ...] = ()
    try:
        pair = lockstep.begin()
        while True:
            legal = lockstep.look(pair, made)
            if not legal:
                return None
            queue = queues.get(lockstep.side(pair) if keeps_sides else 0)
            if not queue and not any(queues.values()):
                return None
            both = queue.pop() if queue else _other(legal)
            if both not in legal or len(made) >= most:
                return None
            made = (*made, both[0].text)
            pair = lockstep.advance(pair, both, made)
    except Differs as found:
        return found.difference
    except BothFail:
        return None


def _other(legal: Sequence[MovePair]) -> MovePair:
    """Return a move that disturbs little: to pass, or the last."""
    return next((both for both in legal if both[0].text == PASS), legal[-1])
