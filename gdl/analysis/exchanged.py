"""What changes places where another side is on turn, and which expressions are the same then.

In: the blocks of two sides' turns in a phase. Out: which slots of the position stand in one where
others do in the other; numbers of expressions. What then holds: two expressions of one number are
the same but for what is exchanged, and for the order of parts that may stand in any.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from gdl.board.relation import Relation
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Can,
    Const,
    Expression,
    Fold,
    Get,
    GetAt,
    Op,
    Slot,
    Times,
)
from gdl.core.types import FRACTION
from gdl.core.walk import blocks_of, expressions_of

IN_ANY_ORDER = frozenset(("union", "intersection", "and", "or", "add", "multiply"))
"""The operations whose arguments may stand in any order."""


def exchanged_slots(first: Block, second: Block) -> Mapping[Slot, Slot]:
    """Return which slots of the position stand in the second block where others do in the first.

    It is a guess, by how often that is so: each of these slots has one partner, whose it is.
    Fractions have none: what is kept of each is over a denominator of its own.
    """
    votes = Counter(_paired_in_blocks(first, second))
    found: dict[Slot, Slot] = {}
    for (a, b), _ in votes.most_common():
        is_free = a not in found and b not in found and a.type != FRACTION
        if is_free and are_of_one_kind(a, b):
            found[a], found[b] = b, a
    return found


def are_of_one_kind(a: Slot, b: Slot) -> bool:
    """Return whether one slot may stand for another: whether they may hold the same."""
    return (a.type, a.per_site, a.low, a.high) == (b.type, b.per_site, b.low, b.high)


Pairs = list[tuple[Slot, Slot]]


def _paired_in_blocks(first: Block, second: Block) -> Pairs:
    """Return slots of the position that stand at the same place in two blocks, and differ."""
    found: Pairs = []
    _pair_blocks(first, second, found)
    return found


def _pair_blocks(first: Block, second: Block, found: Pairs) -> None:
    for a, b in zip(first, second, strict=False):
        if type(a) is not type(b):
            continue
        if isinstance(a, Assign | AssignAt) and isinstance(b, Assign | AssignAt):
            _pair_slots(a.slot, b.slot, found)
        seen: set[tuple[int, int]] = set()
        for x, y in zip(expressions_of(a), expressions_of(b), strict=False):
            _pair(x, y, seen, found)
        for inner, other in zip(blocks_of(a), blocks_of(b), strict=False):
            _pair_blocks(inner, other, found)


def _pair(a: Expression, b: Expression, seen: set[tuple[int, int]], found: Pairs) -> None:
    if a is b or a.__class__ is not b.__class__ or (id(a), id(b)) in seen:
        return
    seen.add((id(a), id(b)))
    if isinstance(a, Get | GetAt) and isinstance(b, Get | GetAt):
        _pair_slots(a.slot, b.slot, found)
        if isinstance(a, Get):
            return
    for x, y in zip(a.parts(), b.parts(), strict=False):
        _pair(x, y, seen, found)


def _pair_slots(a: Slot, b: Slot, found: Pairs) -> None:
    if a.is_state and b.is_state and a is not b:
        found.append((a, b))


class Numbers:
    """Numbers of one side's expressions.

    Slots have the names that are `known`, or their own; those in `nameless` have no other.
    """

    def __init__(
        self,
        keys: dict[tuple[object, ...], int],
        known: Mapping[Slot, Slot],
        nameless: AbstractSet[Slot] = frozenset(),
    ) -> None:
        self._keys = keys
        self._known = known
        self._nameless = nameless
        self._numbers: dict[int, tuple[Expression, int]] = {}

    def of(self, node: Expression) -> int:
        """Return the number of an expression."""
        found = self._numbers.get(id(node))
        if found is not None:
            return found[1]
        number = self._keys.setdefault(self._key(node), len(self._keys))
        self._numbers[id(node)] = node, number
        return number

    def _key(self, node: Expression) -> tuple[object, ...]:
        if isinstance(node, Get):
            return (Get, self._name(node.slot))
        match node:
            case Op(name, arguments, of, payload):
                parts = [self.of(part) for part in arguments]
                if name in IN_ANY_ORDER:
                    parts.sort()
                known: object = id(payload) if isinstance(payload, Relation) else payload
                return (Op, name, of, known, *parts)
            case GetAt(slot):
                return (GetAt, self._name(slot), self.of(node.sites))
            case Const(value):
                return (Const, node.type, value)
            case Fold(combine, _, domain, _, initial):
                kind: tuple[object, ...] = (Fold, combine, type(domain), initial)
            case Times() | Can():
                return (type(node), id(node))
            case _:
                kind = (type(node),)
        return (*kind, *node.binds(), *map(self.of, node.parts()))

    def _name(self, slot: Slot) -> object:
        known = self._known.get(slot)
        if known is None and slot in self._nameless:
            return (slot, "of the later side")
        return slot if known is None else known
