"""Why there is no native code for a game, told at the expression that keeps it from being written.

In: a refusal, told at a statement. Out: the same at the innermost expression of the file whose
numbers can't be kept, be it in a definition far away. What then holds: what is told of a number is
told where that number is written down, if the rules have it as it is written.
"""

from __future__ import annotations

from gdl.analysis.number_ranges import NumberRanges, uncovered_numbers
from gdl.analysis.ranges import Uncovered
from gdl.elaborate.names.origins import Origins, origins_noted
from gdl.load import load_source
from gdl.model import Game


def told_at_its_expression(problem: Uncovered, game: Game) -> Uncovered:
    """Return a refusal at its expression; as it is where that is no number of the rules.

    Where expressions stand is known only while a game is loaded; so it is loaded once more.
    """
    source, origins = game.document.span.source, Origins()
    with origins_noted(origins):
        again = load_source(source, {o.name: o.value for o in game.options}, game.variants)
    ranges = NumberRanges(again.program, again.board.size)
    found = [*uncovered_numbers(again.program, ranges, origins.places_of_number)]
    same = (one for one in found if one.facts == problem.diagnostic.facts)
    problem.diagnostic = next(same, problem.diagnostic)
    return problem
