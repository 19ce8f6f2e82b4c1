"""Columns: what an expression is worth for each of many sites, worked out for all at once.

In: an expression over a slot that holds one site. Out: its value for each site, as evaluation one
by one gives it; or None, where only that can tell. Operations run over whole columns of numbers
and conditions, which is many times as fast on large boards.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from gdl.core.nodes import Const, Expression, Get, Op, Slot
from gdl.core.operations import OPERATIONS, Overflow

_JUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {"and": operator.and_, "or": operator.or_}


def column(node: Expression, slot: Slot, sites: Sequence[int]) -> list[Any] | None:
    """Return the values of an expression for each of the sites, given by index, or None.

    None if there is more to it than operations on tables of the board and constants. Both sides
    of `and` and `or` are evaluated: None, too, if a number becomes too large.
    """
    try:
        return _column(node, slot, sites)
    except Overflow:
        return None


def _column(node: Expression, slot: Slot, sites: Sequence[int]) -> list[Any] | None:
    if isinstance(node, Const):
        return [node.value] * len(sites)
    if not isinstance(node, Op):
        return None
    if node.name == "lookup" and node.arguments == (Get(slot),):
        table = node.payload
        assert isinstance(table, tuple)
        return [table[site] for site in sites]
    apply: Callable[..., Any] | None = OPERATIONS.get(node.name) or _JUNCTIONS.get(node.name)
    if apply is None:
        return None
    columns: list[list[Any]] = []
    for argument in node.arguments:
        found = _column(argument, slot, sites)
        if found is None:
            return None
        columns.append(found)
    first, *others = columns
    if not others:
        return list(map(apply, first))
    for other in others:
        first = list(map(apply, first, other))
    return first
