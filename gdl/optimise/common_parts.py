"""Parts of several alternatives, held beside one another: what they have in common is soon told.

In: blocks, statements or expressions of which each is of another alternative. Out: how large they
are, what they have in one field, whether they are equal. What then holds: nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from gdl.core.nodes import Assign, Block, Expression, Get, Op, Slot, Statement
from gdl.core.walk import expressions_of, statements_in

Part = TypeVar("Part")


class Unlike(Exception):
    """The parts can't be made one."""


class Sizes:
    """Tells how large blocks are; what several of them have is weighed once."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}

    def of(self, block: Block) -> int:
        """Return how many statements and nodes of expressions a block has."""
        total = 0
        for statement in statements_in(block):
            total += 1
            for node in expressions_of(statement):
                total += self._known.get(id(node)) or self._weight(node)
        return total

    def is_larger(self, blocks: Iterable[Block], size: float) -> bool:
        """Return whether blocks have a size together; no more of them is weighed than that."""
        total = 0
        for block in blocks:
            total += self.of(block)
            if total >= size:
                return True
        return False

    def _weight(self, node: Expression) -> int:
        weight = 1
        for part in node.parts():
            weight += (
                1 if isinstance(part, Get) else self._known.get(id(part)) or self._weight(part)
            )
        self._known[id(node)] = weight
        return weight


def given_to(all_: Sequence[Statement], slot: Slot) -> list[Expression]:
    """Return the values that statements give to a slot; none if some of them does anything else."""
    values = [one.value for one in all_ if isinstance(one, Assign) and one.slot is slot]
    return values if len(values) == len(all_) else []


def have_one_head(nodes: Sequence[Expression]) -> bool:
    """Return whether expressions are of one class, and operations of one name."""
    first = nodes[0]
    if isinstance(first, Get) and first.slot.is_state:
        return False  # it has its own name in each case, and is not the same in all
    kind = first.__class__
    alike = [node for node in nodes if node.__class__ is kind]
    if isinstance(first, Op):
        alike = [node for node in alike if isinstance(node, Op) and node.name == first.name]
    return len(alike) == len(nodes)


def are_equal(one: Expression, other: Expression) -> bool:
    """Return whether two expressions are equal; most are not, which is soon told."""
    if isinstance(one, Get):
        return isinstance(other, Get) and other.slot is one.slot
    return one.__class__ is other.__class__ and one == other


def in_line(blocks: Sequence[Block]) -> Sequence[Sequence[Statement | None]]:
    """Return blocks of one length, with None where one has nothing for a word of the text."""
    if len({len(block) for block in blocks}) == 1:
        return blocks
    longest = max(blocks, key=len)
    result: list[list[Statement | None]] = []
    for block in blocks:
        pending = list(block)
        line: list[Statement | None] = []
        for other in longest:
            is_same = pending and (type(pending[0]), pending[0].span) == (type(other), other.span)
            line.append(pending.pop(0) if is_same else None)
        if pending:
            raise Unlike
        result.append(line)
    return result


def fields(
    all_: Sequence[object], of: type[Part], fields: Callable[[Part], tuple[object, ...]]
) -> list[list[Any]]:
    """Return the fields of parts of one class, each field of all parts together."""
    found = []
    for one in all_:
        if not isinstance(one, of):
            raise Unlike
        found.append(fields(one))
    return [list(field) for field in zip(*found, strict=True)]
