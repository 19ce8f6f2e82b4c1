"""What is required is tested as early as it is known, and only where it is not known already.

In: a program, as it was written. Out: the same program, in which a requirement that compares
variables stands before choices that do not bear upon it, and not at all where a condition around it
or a requirement before it says the same. What then holds: the same is decided and said, in the same
order; nothing that could fail is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from gdl.core.build import flattened
from gdl.core.nodes import (
    Assign,
    Block,
    Branch,
    Choose,
    Const,
    Expression,
    Get,
    GetAt,
    Op,
    Program,
    Require,
    SitesOf,
    Statement,
)
from gdl.core.rebuild import change_turns, with_blocks
from gdl.core.walk import changed_slots, expressions_in

_COMPARISONS = frozenset(("less", "not_more", "equal", "not", "and", "or"))

Facts = tuple[Expression, ...]
"""Conditions that hold at a place."""


def require_early(program: Program) -> Program:
    """Move requirements before choices, and leave out those that are known to hold."""
    return change_turns(program, lambda block: _block(block, ()))


def _block(block: Block, facts: Facts) -> Block:
    made: list[Statement] = []
    for statement in block:
        if isinstance(statement, Assign):
            if facts:
                slot = statement.slot
                facts = tuple([fact for fact in facts if slot not in fact.free])
            made.append(statement)
            continue
        if isinstance(statement, Require) and _is_plain(statement.condition):
            if statement.condition not in facts:
                made.insert(_place(made, statement), statement)
                facts = (*facts, statement.condition, *_parts(statement.condition))
            continue
        around = facts
        if facts:
            changed = changed_slots((statement,))
            around = tuple(fact for fact in facts if not fact.free & changed)
        if isinstance(statement, Branch):
            then = _block(statement.then, (*facts, *_parts(statement.condition)))
            otherwise = _block(statement.otherwise, facts)
            statement = Branch(
                statement.span,
                statement.condition,
                then,
                otherwise,
                origin=statement.origin,
            )
        else:
            statement = with_blocks(statement, partial(_block, facts=around))
        made.append(statement)
        facts = around
    return tuple(made)


def _place(before: list[Statement], required: Require) -> int:
    """Return the place of a requirement: before the choices that it does not depend on."""
    place = len(before)
    while place:
        choice = before[place - 1]
        if not isinstance(choice, Choose) or choice.slot in required.condition.free:
            break
        if not isinstance(choice.domain, SitesOf) or choice.unordered_with is not None:
            break
        if _may_fail(choice.domain.sites):
            break
        place -= 1
    return place


def _is_plain(condition: Expression) -> bool:
    """Return whether a condition only compares variables with each other and with constants."""
    return all(
        isinstance(part, Const | Get) or (isinstance(part, Op) and part.name in _COMPARISONS)
        for part in expressions_in(condition)
    )


def _may_fail(sites: Expression) -> bool:
    """Return whether a set may ask for a number that grows too large, or look ahead."""
    return sites.looks_ahead or any(map(_is_worked_out, expressions_in(sites)))


def _is_worked_out(part: Expression) -> bool:
    is_kept = isinstance(part, Const | Get | GetAt)
    is_counted = isinstance(part, Op) and part.name in ("count", "lookup")
    return part.type.is_numeric and not is_kept and not is_counted


def _parts(condition: Expression) -> Iterator[Expression]:
    """Return the plain conditions that hold if a condition does."""
    return filter(_is_plain, flattened("and", (condition,)))
