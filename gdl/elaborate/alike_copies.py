"""Whether a text becomes much work for each number of a range, and the same but for the number.

In: what it was elaborated to for two of the numbers. Out: whether a loop should take the place of
a copy for each.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.core.merging import Merger, Unlike
from gdl.core.nodes import Block, Can, Closure, Const, Expression, Fold, Select, Slot
from gdl.core.types import NUMBER
from gdl.core.walk import expressions_in

MOST_COPIES = 8
"""More copies than these become a loop if they are dear: if there is a loop inside already."""


def should_be_a_loop(copies: Sequence[Expression], numbers: Sequence[int]) -> bool:
    """Return whether copies for some numbers are dear, and differ in the number alone."""
    if not any(isinstance(part, Fold | Select | Closure) for part in expressions_in(copies[-1])):
        return False
    try:
        _Copies(numbers).expression(copies)
    except Unlike:
        return False
    return True


class _Copies(Merger):
    """Goes through copies at once; each has its own names for the variables of the first one."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = list(numbers)
        self._names: list[dict[Slot, Slot]] = [{} for _ in numbers]

    def block(self, blocks: Sequence[Block]) -> Block:
        """Raise Unlike: expressions have no blocks."""
        raise Unlike

    def expression(self, nodes: Sequence[Expression]) -> Expression:
        """Return the first one; raise Unlike if the others differ in more than the numbers."""
        first = nodes[0]
        if isinstance(first, Can) and all(node is first for node in nodes):
            return first
        values = [node.value for node in nodes if isinstance(node, Const) and node.of == NUMBER]
        if values == self._numbers and len(set(values)) > 1:
            return first
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
