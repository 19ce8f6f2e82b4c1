"""A layer of checking: is there native code for the rules?

In: a game, with each variant as well. Out: a warning at each place that keeps it from native code,
so that random games and searches are slow or not to be had. What then holds: the numbers of the
rules have bounds wherever nothing is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gdl.analysis.number_ranges import NumberRanges, uncovered_numbers
from gdl.diagnostic import Diagnostic
from gdl.interpreter.check.finding import Finding, in_all_variants
from gdl.interpreter.check.rules.numbers import ranges_of
from gdl.interpreter.check.subject import Subject
from gdl.model import Game


def check_native(subject: Subject) -> Iterator[Finding]:
    """Yield a warning for each place without native code."""
    return in_all_variants(subject, lambda game: _found(game, subject))


def _found(game: Game, subject: Subject) -> Iterator[Diagnostic]:
    written = [*uncovered_numbers(game.program, ranges_of(game), subject.origins.places_of_number)]
    if not written:
        return
    from gdl.optimise import optimise

    program = optimise(game.program, game.board.size)
    if next(uncovered_numbers(program, NumberRanges(program, game.board.size)), None) is None:
        return
    told = set()
    for found in written:
        if found.span not in told:
            told.add(found.span)
            hint = "Bound it: `min(n, 12)`, or a variable declared as `number in 0..12`."
            yield replace(found, severity="warning", hint=hint)
