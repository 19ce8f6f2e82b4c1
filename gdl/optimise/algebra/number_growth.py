"""How large the numbers of a turn can get, if those of the position before it are small.

In: the block of a turn. Out: of each slot how large its number can get while the turn lasts, where
that is known. What then holds: where every number without bounds is at most `SMALL` at the
beginning of a turn, no assignment that `fits` is an error.

A slot is given what does not rest on its own value, or its own value and something more, so much
at most and so often at most: a loop has no more rounds than there may be.
"""

from __future__ import annotations

from collections.abc import Iterable

from gdl.core.known import all_known
from gdl.core.nodes import (
    GREATEST,
    Assign,
    AssignAt,
    Block,
    Choose,
    Const,
    Expression,
    Fold,
    ForEach,
    Get,
    GetAt,
    If,
    Let,
    Op,
    Program,
    Repeat,
    Slot,
    most_rounds,
)
from gdl.core.operations import SMALL
from gdl.core.types import FRACTION, NUMBER
from gdl.core.walk import blocks_of, expressions_in, expressions_of
from gdl.optimise.algebra.cost import Costs
from gdl.optimise.algebra.terms import Terms

_SAFE_WIDTH = 4000
"""Numbers of so many bits can be worked out: the most is 4,096."""


def unbounded_numbers(program: Program) -> frozenset[Slot]:
    """Return the slots of a position that are numbers without bounds."""
    pasts = {memory.slot for memory in program.memories}
    return frozenset(slot for slot in program.state if slot.is_unbounded and slot not in pasts)


class Growth:
    """How large the numbers of one turn can get."""

    def __init__(self, block: Block, terms: Terms) -> None:
        self._terms = terms
        self._costs = Costs(terms, width_of=self._width_of, safe_width=_SAFE_WIDTH)
        self._rounds = most_rounds(terms.size)
        self._values: dict[Slot, list[tuple[Expression, int]]] = {}
        self._largest: dict[Slot, int | None] = {}
        self._gather(block, 1)

    def fits(self, slot: Slot, value: Expression) -> bool:
        """Whether a slot without bounds can be given a value of the turn without an error."""
        if slot.type == FRACTION:
            return isinstance(value, Const | Get)
        is_small = slot.type != NUMBER or self._largest_of(slot) is not None
        return is_small and self.is_safe(value)

    def is_safe(self, node: Expression) -> bool:
        """Whether an expression of the turn can be worked out without an error."""
        return self._costs.is_safe(self._terms.intern(node))

    def _gather(self, block: Block, times: int) -> None:
        """Note what slots are given, and how often at most."""
        for statement in block:
            parts = [self._terms.intern(part) for part in expressions_of(statement)]
            if isinstance(statement, Assign | AssignAt):
                self._note(statement.slot, parts[-1:], times)
            elif isinstance(statement, Choose | ForEach):
                self._note(statement.slot, parts, times)
            for part in parts:
                self._note_variables(part, times)
            is_loop = isinstance(statement, ForEach | Repeat)
            for inner in blocks_of(statement):
                self._gather(inner, times * self._rounds if is_loop else times)

    def _note_variables(self, root: Expression, times: int) -> None:
        """Note what the variables are given that an expression has."""
        for node in expressions_in(root):
            if isinstance(node, Fold):
                self._note(node.slot, node.domain.parts(), times)
            elif isinstance(node, Let):
                self._note(node.slot, (node.value,), times)

    def _note(self, slot: Slot, values: Iterable[Expression], times: int) -> None:
        if slot.is_unbounded:
            self._values.setdefault(slot, []).extend((value, times) for value in values)

    def _width_of(self, slot: Slot) -> int | None:
        largest = self._largest_of(slot)
        return None if largest is None else largest.bit_length()

    def _largest_of(self, slot: Slot) -> int | None:
        """Return how large a slot's number can get, either way; None if it may be too large."""
        if slot.type != NUMBER:
            return None
        if slot.low is not None and slot.high is not None:
            return max(abs(slot.low), abs(slot.high))
        if not slot.is_unbounded:
            return None
        if slot not in self._largest:
            self._largest[slot] = None  # is the answer to what rests on itself
            self._largest[slot] = self._found(slot)
        return self._largest[slot]

    def _found(self, slot: Slot) -> int | None:
        written = self._values.get(slot, ())
        if not slot.is_state and not written:
            return None
        largest, more = SMALL if slot.is_state else 0, 0
        for value, times in written:
            ways = self._ways(slot, value)
            if ways is None or any(size > SMALL for _, size in ways):
                return None
            largest = max(largest, *(size for is_own, size in ways if not is_own), 0)
            more += times * max((size for is_own, size in ways if is_own), default=0)
        return largest + more if largest + more <= GREATEST else None

    def _ways(self, slot: Slot, value: Expression) -> list[tuple[bool, int]] | None:
        """Return what a value may be: whether the slot's own and so much more, or so much at most.

        How much is told without its sign. None if it is not known.
        """
        match value:
            case Get(own) | GetAt(own) if own is slot:
                return [(True, 0)]
            case If(_, then, otherwise):
                return self._ways_of_all(slot, (then, otherwise))
            case Op("maximum" | "minimum", parts):
                return self._ways_of_all(slot, parts)
            case Op("add" | "subtract", parts) if slot in value.free:
                within = [part for part in parts if slot in part.free]
                ways = self._ways(slot, within[0])
                sizes = all_known(self._size(part) for part in parts if part is not within[0])
                if len(within) > 1 or ways is None or sizes is None:
                    return None
                return [(is_own, size + sum(sizes)) for is_own, size in ways]
        size = self._size(value)
        return None if size is None else [(False, size)]

    def _ways_of_all(
        self, slot: Slot, parts: Iterable[Expression]
    ) -> list[tuple[bool, int]] | None:
        ways = all_known(self._ways(slot, part) for part in parts)
        return None if ways is None else [one for some in ways for one in some]

    def _size(self, value: Expression) -> int | None:
        width = self._costs.width(value)
        return None if width is None else 2**width
