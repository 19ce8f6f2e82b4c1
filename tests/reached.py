"""Positions that some moves lead to."""

from __future__ import annotations

from gdl.interpreter import load
from gdl.interpreter.positions.position import Position


def after(name: str, moves: str, **options: int) -> Position:
    """Return the position of a game after moves, which are divided by blanks."""
    position = load(name, options).start()
    for move in moves.split():
        position = position.play(move)
    return position
