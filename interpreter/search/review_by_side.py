"""A game of which each side sees a part, looked through: each move by what its side knew of it.

In: the positions and moves of a game, and what analyses what a side knows. Out: a `Judgement` of
each move. What then holds: a move is held against the best one that the same search found, so
nobody is blamed for what was hidden; what chance brings, and what too little was tried for, changes
nothing. Where all is seen, positions are analysed as `interpreter.search.review` does it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from interpreter.evaluation.moves import Move
from interpreter.positions.information import Information
from interpreter.positions.position import Position
from interpreter.search.analysis import Analysis
from interpreter.search.review import Judgement, judgements, outlook

_FEWEST_VISITS = 5


def reviewed(
    positions: Sequence[Position],
    moves: Sequence[Move],
    analyse: Callable[[Position], Analysis],
    analyse_known: Callable[[Information], Analysis | None],
) -> Iterator[Judgement]:
    """Yield what is to say of each move of a game, as soon as it is known.

    `positions` are one more than `moves`. Raises what `analyse` and `analyse_known` do.
    """
    if positions[0].rules.game.hides:
        return _by_side(positions, moves, analyse_known)
    return judgements(positions, moves, analyse)


def _by_side(
    positions: Sequence[Position],
    moves: Sequence[Move],
    analyse: Callable[[Information], Analysis | None],
) -> Iterator[Judgement]:
    sides = positions[0].rules.sides
    known = {side: Information.at(positions[0], side) for side in sides}
    worth: Mapping[str, float] = dict.fromkeys(sides, 1 / len(sides))
    for number, (move, before) in enumerate(zip(moves, positions[:-1], strict=True), start=1):
        after = positions[number]
        found = None if before.seat is None else analyse(known[before.mover])
        if found is None:
            yield _unchanged(number, before, move, after, worth)
        else:
            judgement = _of_choice(number, before, move, after, found)
            worth = judgement.worth_after
            yield judgement
        known = {side: each.after(before, move, after) for side, each in known.items()}


def _of_choice(
    number: int, before: Position, move: Move, after: Position, found: Analysis
) -> Judgement:
    """Return what a side's choice did, as far as the side could know."""
    worth, best = outlook(found), found.best
    made = next((one for one in found.moves if one.move.text == move.text), None)
    if made is None or made.visits < _FEWEST_VISITS or best is None:
        return _unchanged(number, before, move, after, worth)
    # A search soon leaves what is bad: it is taken for as good as so few tries leave it possible.
    lost = max(0.0, worth[before.mover] - made.value - 0.5 / math.sqrt(made.visits))
    worth_after = {**worth, before.mover: worth[before.mover] - lost}
    if len(worth) == 2:
        other = next(side for side in worth if side != before.mover)
        worth_after[other] = worth[other] + lost
    is_best = best.move.text == move.text
    return Judgement(
        number,
        before,
        move,
        after,
        worth,
        worth_after,
        "",
        "",
        None if is_best else best.move,
        () if is_best else best.line[1:],
    )


def _unchanged(
    number: int, before: Position, move: Move, after: Position, worth: Mapping[str, float]
) -> Judgement:
    return Judgement(number, before, move, after, worth, worth, "", "", None, (), is_known=False)
