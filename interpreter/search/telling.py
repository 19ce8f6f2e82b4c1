"""What an analysis says, in words.

In: an `Analysis`. Out: texts. What then holds: what is proven is told apart from what is likely.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.evaluation.moves import Move
from interpreter.search.analysis import Analysis, MoveAnalysis

_LONGEST_LINE = 8


def advice(analysis: Analysis) -> str:
    """Return the best move and why it is that, in a line; empty where there is none to choose."""
    best = analysis.best
    if best is None:
        return ""
    return f"Perhaps {best.move}: {_reason(analysis, best)}"


def _reason(analysis: Analysis, best: MoveAnalysis) -> str:
    if analysis.verdict:
        return f"{analysis.verdict}."
    answer = f"; then {best.line[1]} is expected" if len(best.line) > 1 else ""
    return f"{analysis.position.mover}'s chances are {percent(best.value)}{answer}."


def percent(value: float) -> str:
    """Return a value in words.

    >>> percent(0.514)
    '51 %'
    """
    return f"{value:.0%}".replace("%", " %")


def worth(move: MoveAnalysis) -> str:
    """Return what is known of the value of a move: what is proven, or an estimate."""
    if not move.is_proven:
        return percent(move.value)
    if move.value in (0, 1):
        return f"{'wins' if move.value else 'loses'} in {move.plies}"
    return "draw"


def line_text(moves: Sequence[Move]) -> str:
    """Return moves that follow one another, the first of them."""
    return ", ".join(map(str, moves[:_LONGEST_LINE]))


def values_text(analysis: Analysis) -> str:
    """Return what a position is worth for each side, in a line."""
    if analysis.verdict:
        return f"{analysis.verdict[0].upper()}{analysis.verdict[1:]}."
    return ", ".join(f"{side} {percent(value)}" for side, value in analysis.value.items())


def rows(analysis: Analysis, number: int) -> list[tuple[str, str, str, str]]:
    """Return the best moves, each with its visits, its value and what is expected to follow."""
    return [
        (str(move.move), str(move.visits), worth(move), line_text(move.line[1:]))
        for move in analysis.moves[:number]
    ]


ROW_HEADS = ("move", "visits", "value", "then")
