"""Rows that are asked for from both ends: a row to the north is one to the south.

In: conditions of which one has to hold. Out: those that differ. What then holds: a condition that a
set meets its own images, shifted along a lattice, is left out if an earlier one asks for the same
rows of sites, as `line` does along a direction and along its opposite.
"""

from __future__ import annotations

from collections.abc import Iterable

from gdl.board.relation import Relation
from gdl.core.nodes import Const, Expression, Op

_Rows = tuple[int, frozenset[int], int]
"""The identity of a set, and which rows must lie in it: by distance from their first sites."""


def different_rows(parts: Iterable[Expression]) -> list[Expression]:
    """Return interned conditions in their order, without those that ask for the same rows."""
    kept: list[Expression] = []
    asked: set[_Rows] = set()
    for part in parts:
        rows = _rows(part)
        if rows is None or rows not in asked:
            kept.append(part)
        if rows is not None:
            asked.add(rows)
    return kept


def _rows(node: Expression) -> _Rows | None:
    """Return the rows of which a condition asks whether one lies in a set; None if it does not."""
    match node:
        case Op("some", (Op("intersection", parts),)):
            pass
        case _:
            return None
    last = -1
    whole: set[int] = set()
    shifts: set[int] = set()
    for part in parts:
        of, shift = part, 0
        if isinstance(part, Const):
            last &= int(part.value)
            continue
        if isinstance(part, Op) and isinstance(part.payload, Relation):
            if len(part.payload.offset_classes) != 1:
                return None
            ((sources, shift),) = part.payload.offset_classes
            last &= sources << shift if shift >= 0 else sources >> -shift
            (of,) = part.arguments
        whole.add(id(of))
        shifts.add(shift)
    if len(whole) != 1 or last < 0:
        return None
    far = max(shifts)
    first = last >> far if far >= 0 else last << -far
    return whole.pop(), frozenset(far - shift for shift in shifts), first
