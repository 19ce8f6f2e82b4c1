"""What an analysis or a review says, in words.

In: an `Analysis`, or judgements of moves. Out: texts. What then holds: what is proven is told
apart from what is likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from gdl.interpreter.english import possessive, sentence
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.search.analysis import Analysis, MoveAnalysis
from gdl.interpreter.search.review import Judgement, moments

_LONGEST_LINE = 8
_FEWEST_VISITS = 10
_FEWEST_ITERATIONS = 50
_HARDLY_TRIED = "too little was tried to say what it is worth"
_UNSOLVED = "no solution was found yet"
_LITTLE_TRIED = "hardly tried"
_LEAST_TOLD = 0.005
_EVEN = 0.03
"""Chances that are so near to a half are called even: what random games tell is no surer."""
_LEAST_MARGIN = 0.01
_MOST_MOMENTS = 8
_HEIGHTS = "▁▂▃▄▅▆▇█"


def advice(analysis: Analysis) -> str:
    """Return the best move and why it is that, in a line; empty where there is none to choose."""
    best = analysis.best
    if best is None:
        return ""
    if analysis.verdict:
        return f"{best.move}: {analysis.verdict}."
    return f"Perhaps {best.move}: {_reason(analysis, best)}"


def _reason(analysis: Analysis, best: MoveAnalysis) -> str:
    if _is_hardly_tried(best):
        return f"{_HARDLY_TRIED}."
    if _is_unsolved(analysis):
        return f"{_UNSOLVED}."
    answer = f"; then {best.line[1]} is expected" if len(best.line) > 1 else ""
    return f"{possessive(analysis.position.mover)} chances are {_chances(analysis, best)}{answer}."


def _chances(analysis: Analysis, best: MoveAnalysis) -> str:
    """Return the value of the best move in words, with how sure it is: that of a tree is a mean.

    Twice the standard deviation of a mean of so many games is told, if it is a hundredth or more.
    """
    told, value = percent(best.value), best.value
    is_mean = best.depth is None and not analysis.payoffs
    margin = 2 * sqrt(value * (1 - value) / best.visits) if is_mean and best.visits else 0.0
    if len(analysis.value) == 2 and abs(value - 0.5) <= max(_EVEN, margin):
        return f"about even ({told})"
    if round(margin, 2) < _LEAST_MARGIN or told.startswith(("<", ">")):
        return told
    return f"{told}, give or take {percent(margin)}"


def _is_hardly_tried(best: MoveAnalysis) -> bool:
    return best.visits < _FEWEST_VISITS and not best.is_proven


def _is_unsolved(analysis: Analysis) -> bool:
    """Return whether it is a puzzle of which nobody knows yet how it is solved."""
    return len(analysis.value) == 1 and not any(analysis.value.values())


def percent(value: float) -> str:
    """Return a value in words; only what is nothing or all is told as such.

    >>> percent(0.514), percent(0.002), percent(0.998), percent(1)
    ('51 %', '< 1 %', '> 99 %', '100 %')
    """
    if 0 < value < _LEAST_TOLD:
        return "< 1 %"
    if 1 - _LEAST_TOLD < value < 1:
        return "> 99 %"
    return f"{value:.0%}".replace("%", " %")


def worth(move: MoveAnalysis, has_payoffs: bool = False) -> str:
    """Return what is known of the value of a move: what is proven, or an estimate.

    Where a game `has_payoffs`, it can be worth more or less than a win or a loss. The mean of a few
    games says nothing; a position that alpha-beta has judged says something.
    """
    if move.depth is None and _is_hardly_tried(move):
        return _LITTLE_TRIED
    if not move.is_proven:
        told = percent(move.value)
        return f"≤ {told}" if move.is_bound and not told.startswith("<") else told
    if has_payoffs:
        return f"{percent(move.value)}, certain"
    if move.value in (0, 1):
        within = "" if move.plies is None else f" in {move.plies}"
        return f"{'wins' if move.value else 'loses'}{within}"
    return "draw"


def line_text(moves: Sequence[Move]) -> str:
    """Return moves that follow one another, the first of them."""
    return ", ".join(map(str, moves[:_LONGEST_LINE]))


def values_text(analysis: Analysis) -> str:
    """Return what a position is worth for each side, in a line."""
    if analysis.verdict:
        return sentence(analysis.verdict)
    if _is_unsolved(analysis):
        return sentence(_UNSOLVED)
    if analysis.payoffs:
        told = (f"{side} {payoff:+.2f}" for side, payoff in analysis.payoffs.items())
        return f"Expected payoff: {', '.join(told)}"
    if _is_little_known(analysis):
        return sentence(_HARDLY_TRIED)
    return ", ".join(f"{side} {percent(value)}" for side, value in analysis.value.items())


def _is_little_known(analysis: Analysis) -> bool:
    """Return whether a position's value is that of a few games: all of them, or the best move's."""
    best = analysis.best
    if best is None or not _is_hardly_tried(best):
        return False
    is_of_best = analysis.value[analysis.position.mover] == best.value
    return is_of_best or analysis.iterations < _FEWEST_ITERATIONS


def rows(analysis: Analysis, number: int) -> list[tuple[str, str, str, str]]:
    """Return the best moves, each with its visits, its value and what is expected to follow."""
    return [
        (
            str(one.move),
            str(one.visits),
            worth(one, bool(analysis.payoffs)) + _ahead(one, analysis),
            line_text(one.line[1:]),
        )
        for one in analysis.moves[:number]
    ]


def _ahead(move: MoveAnalysis, analysis: Analysis) -> str:
    """Return how far ahead a move was looked at, if that is not as far as others were."""
    if move.is_proven or move.depth is None or move.depth == analysis.depth:
        return ""
    return f", {move.depth} ahead"


ROW_HEADS = ("move", "visits", "value", "then")


def judgement_text(judgement: Judgement) -> str:
    """Return what is to say of a move that was made, in a line."""
    side = judgement.side
    change = f"{percent(judgement.worth[side])} → {percent(judgement.worth_after[side])}"
    who = f"Chance {judgement.move}: for {side}" if judgement.is_chance else _made(judgement)
    told = f"{judgement.ply}{':' if judgement.is_chance else '.'} {who} {change}"
    if judgement.better is not None and judgement.change < 0:
        line = line_text(judgement.line[:3])
        told += f"; better {judgement.better}" + (f", then {line}" if line else "")
    if judgement.proven_after and judgement.proven_after != judgement.proven:
        told += f"; {judgement.proven_after}"
    return told


def _made(judgement: Judgement) -> str:
    return f"{judgement.side} {judgement.move}{judgement.sign}:"


def review_text(found: Sequence[Judgement]) -> str:
    """Return what a game was worth for the first side, move by move, and the moments that mattered.

    They are the moves that changed the value most.
    """
    if not found:
        return "There is no move to review."
    first = next(iter(found[0].worth))
    told = moments(found, _MOST_MOMENTS)
    lines = [f"{first} {curve(found)}", ""]
    lines += [judgement_text(one) for one in told] or ["No move changed the value much."]
    return "\n".join(lines)


def curve(found: Sequence[Judgement]) -> str:
    """Return what the game was worth for the first side after each move, as a row of bars."""
    first = next(iter(found[0].worth))
    values = [found[0].worth[first], *(one.worth_after[first] for one in found)]
    return "".join(_HEIGHTS[min(7, int(8 * value))] for value in values)
