"""Conditions that several places of a program ask for, and that are long.

In: a program. Out: those conditions. What then holds: each is asked in at least two requirements,
tests or clauses, for the same or different moves; the code of it may stand apart from all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gdl.core.nodes import Branch, Can, Expression, Op, Program, Require, Times
from gdl.core.types import FLAG
from gdl.core.walk import expressions_in, program_statements

_LONG = 80
"""An expression of so many nodes takes longer to work out than a call takes."""


def long_conditions(program: Program) -> frozenset[Expression]:
    """Return the long conditions that are asked in several places of a program."""
    found = Counter(condition for root in _roots(program) for condition in _conditions(root))
    return frozenset(condition for condition, times in found.items() if times > 1)


def _roots(program: Program) -> Iterator[Expression]:
    for statement in program_statements(program):
        if isinstance(statement, Require | Branch):
            yield statement.condition
    for phase in program.phases:
        for turn in phase.turns:
            for ending in (*turn.stuck, *turn.endings):
                yield ending.condition


def _conditions(node: Expression) -> Iterator[Expression]:
    """Yield the long conditions that a condition is joined from."""
    if isinstance(node, Op) and node.name in ("and", "or", "not"):
        for part in node.arguments:
            yield from _conditions(part)
        return
    parts = tuple(expressions_in(node))
    looks_elsewhere = any(isinstance(part, Can | Times) for part in parts)
    if node.type == FLAG and len(parts) >= _LONG and not looks_elsewhere:
        yield node
