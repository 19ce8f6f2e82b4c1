"""Answers to `why`: of a move, of a site, or of the position as it is.

In: the course of a game, and what was asked. Out: explanations. What then holds: a text that is a
site and may be a move is answered as both, if there is anything to tell of the site.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.evaluation.moves import Move, MoveError
from interpreter.explain.endings import Made, needs, over, stuck
from interpreter.explain.explanation import Explanation
from interpreter.explain.moment import rules_of
from interpreter.explain.sites import why_site
from interpreter.explain.why_move import Reader, plainly_read, why_move
from interpreter.positions.position import Position


def why(
    positions: Sequence[Position],
    moves: Sequence[Move],
    text: str = "",
    read: Reader = plainly_read,
) -> list[Explanation]:
    """Return what the rules say of a text in the last position, or of that position itself.

    `moves` lead from each position to the next; `read` tells the legal move that a text means.
    Raises MoveError of a text that is neither a move nor a site, RuleError where the rules fail.
    """
    position = positions[-1]
    if not text.strip():
        return [_of_position(positions, moves)]
    site = position.rules.game.board.index(text.strip().lower())
    if site is None:
        return [why_move(position, text, read)]
    told = why_site(positions, moves, site)
    try:
        of_move = why_move(position, text, read)
    except MoveError:
        return [told]
    is_known = told.rulings or text.strip().lower() in position.pieces()
    return [told, of_move] if is_known else [of_move]


def _of_position(positions: Sequence[Position], moves: Sequence[Move]) -> Explanation:
    position = positions[-1]
    made = Made(positions[-2], moves[-1]) if moves else None
    if position.over:
        return over(position, made)
    rules = rules_of(position)
    frame = rules.machine.frame(position.state.values)
    turn = rules.machine.turn(rules.machine.phase(frame), position.side)
    if not rules.machine.ways.has_move(frame, turn):
        return stuck(position)
    return needs(position, made)
