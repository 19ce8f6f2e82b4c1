"""Several parts of a program made one, field by field.

In: parts of one class, each of another case: of another side's turn, or of another alternative.
Out: one part, the first one but for what had to be made one in it. What then holds: what fields
hold is made one in the order in which it is worked out, a slot before what reads it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar

from gdl.core.memo import PairMemo
from gdl.core.nodes import (
    Alternative,
    Assign,
    AssignAt,
    Block,
    Branch,
    Choose,
    Closure,
    Const,
    Decide,
    Decision,
    Domain,
    Expression,
    Fold,
    ForEach,
    Get,
    GetAt,
    GroupsOf,
    If,
    Let,
    Op,
    RangeOf,
    Repeat,
    Require,
    Say,
    Select,
    SitesOf,
    Slot,
    Statement,
    Times,
)

Part = TypeVar("Part", bound=Statement | Expression | Domain | Alternative)
Value = TypeVar("Value")

_FIELDS: Mapping[type, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        Assign: (("value", "expression"), ("slot", "filled")),
        AssignAt: (("slot", "filled"), ("sites", "expression"), ("value", "expression")),
        Branch: (("condition", "expression"), ("then", "block"), ("otherwise", "block")),
        Require: (("condition", "expression"),),
        Say: (("token", "same"),),
        Choose: (
            *(("domain", "part"), ("separator", "same"), ("rank", "same"), ("slot", "filled")),
            *(("unordered_with", "read_if_any"), ("decision", "decision")),
        ),
        Decide: (("decision", "decision"), ("alternatives", "alternatives")),
        Alternative: (("token", "same"), ("body", "block")),
        ForEach: (("domain", "part"), ("slot", "filled"), ("body", "repeated_block")),
        Repeat: (
            *(("mode", "same"), ("limit", "same"), ("bound", "repeated_if_any")),
            *(("body", "repeated_block"), ("compared", "all_read")),
        ),
        Const: (("value", "same"), ("of", "same")),
        Get: (("slot", "read"),),
        GetAt: (("slot", "read"), ("sites", "expression")),
        Op: (
            *(("name", "same"), ("of", "same"), ("payload", "same")),
            ("arguments", "all_expressions"),
        ),
        If: (("condition", "expression"), ("then", "expression"), ("otherwise", "expression")),
        Let: (("value", "expression"), ("slot", "filled"), ("body", "expression")),
        Fold: (
            *(("combine", "same"), ("initial", "same"), ("domain", "part"), ("slot", "filled")),
            ("body", "repeated"),
        ),
        Select: (("sites", "expression"), ("slot", "filled"), ("condition", "repeated")),
        Closure: (("seed", "expression"), ("frontier", "filled"), ("step", "repeated")),
        Times: (("history", "same"), ("key", "all_expressions")),
        SitesOf: (("sites", "expression"),),
        RangeOf: (("low", "expression"), ("high", "expression")),
        GroupsOf: (("sites", "expression"), ("frontier", "filled"), ("step", "repeated")),
    }
)
"""The fields of each class, each with the method of `Merger` that makes one of what they hold."""


class Unlike(Exception):
    """The parts can't be made one, or it would take long to find out."""


class Merger(ABC):
    """Makes one of several parts; all methods take a list of one for each case, or raise Unlike."""

    def part(self, parts: Sequence[Part]) -> Part:
        """Return one part for several of one class: the first one itself if nothing changes."""
        first = parts[0]
        of = first.__class__
        if of not in _FIELDS or len({part.__class__ for part in parts}) > 1:
            raise Unlike
        changed: dict[str, Any] = {}
        for name, how in _FIELDS[of]:
            values = [getattr(part, name) for part in parts]
            made = getattr(self, how)(values)
            if made is not values[0]:
                changed[name] = made
        return replace(first, **changed) if changed else first

    @abstractmethod
    def block(self, blocks: Sequence[Block]) -> Block:
        """Return one block for several."""

    @abstractmethod
    def expression(self, nodes: Sequence[Expression]) -> Expression:
        """Return one expression for several."""

    @abstractmethod
    def filled(self, slots: Sequence[Slot]) -> Slot:
        """Return the slot that is given a value in place of several."""

    @abstractmethod
    def read(self, slots: Sequence[Slot]) -> Slot:
        """Return the slot that stands for several where they are read."""

    def repeated(self, nodes: Sequence[Expression]) -> Expression:
        """Return one expression for several that are worked out in each round of a loop."""
        return self.expression(nodes)

    def repeated_block(self, blocks: Sequence[Block]) -> Block:
        """Return one block for several that are done in each round of a loop."""
        return self.block(blocks)

    def decision(self, decisions: Sequence[Decision]) -> Decision:
        """Return the identity of what is decided in place of several decisions."""
        return decisions[0]

    def same(self, values: Sequence[Value]) -> Value:
        """Return what is the same in all cases."""
        if any(value != values[0] for value in values):
            raise Unlike
        return values[0]

    def alternatives(self, ways: Sequence[Sequence[Alternative]]) -> tuple[Alternative, ...]:
        """Return alternatives in place of as many of the same words."""
        self.same([tuple(way.token for way in own) for own in ways])
        return tuple(map(self.part, zip(*ways, strict=True)))

    def read_if_any(self, slots: Sequence[Slot | None]) -> Slot | None:
        """Return the slot that stands for several, or None for none in all cases."""
        found = [slot for slot in slots if slot is not None]
        self.same([slot is None for slot in slots])
        return self.read(found) if found else None

    def all_read(self, slots: Sequence[Sequence[Slot]]) -> tuple[Slot, ...]:
        """Return slots that stand each for several."""
        self.same([len(own) for own in slots])
        return tuple(map(self.read, zip(*slots, strict=True)))

    def repeated_if_any(self, nodes: Sequence[Expression | None]) -> Expression | None:
        """Return one expression for several of a loop, or None for none in all cases."""
        found = [node for node in nodes if node is not None]
        self.same([node is None for node in nodes])
        return self.repeated(found) if found else None

    def all_expressions(self, nodes: Sequence[Sequence[Expression]]) -> tuple[Expression, ...]:
        """Return expressions each in place of several."""
        self.same([len(own) for own in nodes])
        return tuple(map(self.expression, zip(*nodes, strict=True)))


# ------------------------- parts of programs that are the same but for the names of their variables


def equal_up_to_names(a: object, b: object, fixed: Collection[Slot]) -> bool:
    """Return whether two parts differ in nothing but the names of slots that are not `fixed`."""
    return _Pairing(fixed).matches(a, b)


def are_of_one_kind(a: Slot, b: Slot) -> bool:
    """Return whether one slot may stand for another: whether they may hold the same."""
    return (a.type, a.per_site, a.low, a.high) == (b.type, b.per_site, b.low, b.high)


@cache
def _compared(of: type) -> tuple[str, ...] | None:
    """Return the names of a dataclass's fields by which it is compared; None if it is none."""
    if not is_dataclass(of):
        return None
    return tuple(field.name for field in fields(of) if field.compare and field.init)


class _Pairing:
    """Slots of one part, each with the one that it stands for in the other."""

    def __init__(self, fixed: Collection[Slot]) -> None:
        self._there = {slot: slot for slot in fixed}
        self._back = dict(self._there)
        self._same = PairMemo[object, object, bool]()

    def matches(self, a: object, b: object) -> bool:
        """Return whether two parts are the same, and pair their slots."""
        if isinstance(a, Slot) or isinstance(b, Slot):
            return isinstance(a, Slot) and isinstance(b, Slot) and self._pairs(a, b)
        if isinstance(a, tuple) and isinstance(b, tuple):
            return len(a) == len(b) and self._match_all(a, b)
        if type(a) is not type(b):
            return False
        kind: type = type(a)
        names = _compared(kind)
        if names is None:
            return a is b or a == b
        if self._same.get(a, b):
            return True
        # Slots once paired stay so: what was the same is the same wherever it stands again.
        is_same = all(self.matches(getattr(a, name), getattr(b, name)) for name in names)
        return self._same.keep(a, b, is_same)

    def _match_all(self, a: tuple[object, ...], b: tuple[object, ...]) -> bool:
        if all(isinstance(item, int) for item in a):
            return a == b
        return all(self.matches(one, other) for one, other in zip(a, b, strict=True))

    def _pairs(self, a: Slot, b: Slot) -> bool:
        if not are_of_one_kind(a, b):
            return False
        return self._there.setdefault(a, b) is b and self._back.setdefault(b, a) is a
