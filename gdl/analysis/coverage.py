"""Which numbers native code can't hold: powers and fractions that may grow without a bound.

In: a program. Out: for each statement or ending with such a number, what it is and where. What then
holds: where nothing is found, every number of the program has bounds that fit into 4,096 bits.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.analysis.number_ranges import NumberRanges
from gdl.analysis.ranges import Uncovered
from gdl.core.memo import Met
from gdl.core.nodes import Expression, Program
from gdl.core.types import FRACTION, NUMBER
from gdl.core.walk import expressions_of, program_statements
from gdl.diagnostic import Diagnostic, Span


def uncovered_numbers(program: Program, ranges: NumberRanges) -> Iterator[Diagnostic]:
    """Yield what keeps the numbers of a program, with these ranges, from native code."""
    seen = Met[Expression]()
    for roots, span in _roots(program):
        try:
            for root in roots:
                _look_at(root, ranges, seen)
        except Uncovered as found:
            yield found.at(span).diagnostic


def _roots(program: Program) -> Iterator[tuple[tuple[Expression, ...], Span | None]]:
    for statement in program_statements(program):
        yield expressions_of(statement), statement.span
    for turn in program.turns:
        for ending in turn.clauses:
            yield ending.expressions, ending.span


def _look_at(node: Expression, ranges: NumberRanges, seen: Met[Expression]) -> None:
    """Ask for the range of each number in an expression, once. Raises Uncovered."""
    if node in seen:
        return
    if node.type in (NUMBER, FRACTION):
        ranges.of(node)
    for part in node.parts():
        _look_at(part, ranges, seen)
    seen.add(node)
