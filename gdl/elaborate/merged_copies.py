"""Copies of an expression that differ in a number alone, made one expression of that number.

In: what a text was elaborated to for each of some numbers. Out: one expression over a slot that
stands for the number; or nothing, where the copies differ in more. What then holds: with each of
the numbers in the slot, its value is that of the number's copy.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.core.merging import Merger, Unlike
from gdl.core.nodes import Block, Can, Closure, Const, Expression, Fold, Get, Select, Slot
from gdl.core.types import NUMBER
from gdl.core.walk import expressions_in

MOST_COPIES = 8
"""More copies than these become a loop if they are dear: if there is a loop inside already."""


def in_one(copies: Sequence[Expression], numbers: Sequence[int], slot: Slot) -> Expression | None:
    """Return one expression over the slot for many dear copies; None: they stay as they are."""
    if len(copies) <= MOST_COPIES or not _loops(copies[-1]):
        return None
    try:
        return _Copies(numbers, slot).expression(copies)
    except Unlike:
        return None


def _loops(node: Expression) -> bool:
    return any(isinstance(part, Fold | Select | Closure) for part in expressions_in(node))


class _Copies(Merger):
    """Makes one of copies; each has its own names for the variables of the first one."""

    def __init__(self, numbers: Sequence[int], slot: Slot) -> None:
        self._numbers = list(numbers)
        self._slot = slot
        self._names: list[dict[Slot, Slot]] = [{} for _ in numbers]

    def block(self, blocks: Sequence[Block]) -> Block:
        """Raise Unlike: expressions have no blocks."""
        raise Unlike

    def expression(self, nodes: Sequence[Expression]) -> Expression:
        """Return one expression for those of all copies."""
        first = nodes[0]
        if isinstance(first, Can) and all(node is first for node in nodes):
            return first
        values = [node.value for node in nodes if isinstance(node, Const) and node.of == NUMBER]
        if values == self._numbers and len(set(values)) > 1:
            return Get(self._slot)
        return self.part(nodes)

    def filled(self, slots: Sequence[Slot]) -> Slot:
        """Return the first copy's variable, for which each copy has another."""
        self.same([slot.type for slot in slots])
        for names, slot in zip(self._names, slots, strict=True):
            names[slot] = slots[0]
        return slots[0]

    def read(self, slots: Sequence[Slot]) -> Slot:
        """Return the slot that all copies read, by the name that the first one has for it."""
        return self.same([names.get(s, s) for names, s in zip(self._names, slots, strict=True)])
