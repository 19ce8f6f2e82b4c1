"""Copies of an expression that differ in a number alone, made one expression of that number.

In: what a text was elaborated to for each of some numbers. Out: one expression over a slot that
stands for the number; or nothing, where the copies differ in more. What then holds: with each of
the numbers in the slot, its value is that of the number's copy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gdl.core.nodes import (
    Can,
    Closure,
    Const,
    Expression,
    Fold,
    Get,
    GetAt,
    Op,
    Select,
    Slot,
    Times,
)
from gdl.core.rebuild import with_parts
from gdl.core.types import NUMBER
from gdl.core.walk import expressions_in

MOST_COPIES = 8
"""More copies than these become a loop if they are dear: if there is a loop inside already."""

_Bound = tuple[Mapping[Slot, Slot], ...]


class _DifferInMore(Exception):
    """The copies are not the same but for the number."""


def in_one(copies: Sequence[Expression], numbers: Sequence[int], slot: Slot) -> Expression | None:
    """Return one expression over the slot for many dear copies; None: they stay as they are."""
    if len(copies) <= MOST_COPIES or not _loops(copies[-1]):
        return None
    try:
        return _Copies(numbers, slot).merged(tuple(copies), tuple({} for _ in copies))
    except _DifferInMore:
        return None


def _loops(node: Expression) -> bool:
    return any(isinstance(part, Fold | Select | Closure) for part in expressions_in(node))


class _Copies:
    """Merges copies; what has been merged under the same variables is kept."""

    def __init__(self, numbers: Sequence[int], slot: Slot) -> None:
        self._numbers = tuple(numbers)
        self._slot = slot

    def merged(self, copies: tuple[Expression, ...], bound: _Bound) -> Expression:
        """Return what the copies have in common. Raises _DifferInMore.

        `bound` has the first copy's name for each variable of each copy.
        """
        first = copies[0]
        if isinstance(first, Const):
            return self._number(copies)
        if len({_kind(each, names) for each, names in zip(copies, bound, strict=True)}) > 1:
            raise _DifferInMore
        if first.binds():
            bound = tuple(
                {**names, **dict(zip(each.binds(), first.binds(), strict=True))}
                for each, names in zip(copies, bound, strict=True)
            )
        parts = zip(*(each.parts() for each in copies), strict=True)
        made = iter([self.merged(part, bound) for part in parts])
        return with_parts(first, lambda _: next(made))

    def _number(self, copies: tuple[Expression, ...]) -> Expression:
        if not all(isinstance(each, Const) and each.type == copies[0].type for each in copies):
            raise _DifferInMore
        values = tuple(each.value for each in copies if isinstance(each, Const))
        if len(set(values)) == 1:
            return copies[0]
        if copies[0].type != NUMBER or values != self._numbers:
            raise _DifferInMore
        return Get(self._slot)


def _kind(node: Expression, names: Mapping[Slot, Slot]) -> tuple[object, ...]:
    """Return all of a node that has to be the same in each copy, but for its parts."""
    kind = (type(node), len(node.parts()), node.type)
    match node:
        case Get(slot) | GetAt(slot):
            return (*kind, names.get(slot, slot))
        case Op(name, _, _, payload):
            return (*kind, name, payload)
        case Fold(combine, _, domain, _, initial):
            return (*kind, combine, type(domain), initial)
        case Times(history):
            return (*kind, history)
        case Can():
            return (*kind, id(node))
    return kind
