"""Which expressions never have more than one site.

In: expressions. Out: yes or no. What then holds: where the answer is yes, the set is kept as the
index of its site.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Any

from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Choose,
    Const,
    Expression,
    ForEach,
    Get,
    GroupsOf,
    If,
    Let,
    Op,
    Program,
    Select,
    Slot,
)
from gdl.core.types import SITES
from gdl.core.walk import program_statements


def is_single(node: Expression, singles: AbstractSet[Slot]) -> bool:
    """Return whether a set has one site at most, where the slots in `singles` do."""
    match node:
        case Const(value):
            return int(value).bit_count() <= 1
        case Get(slot):
            return slot in singles
        case Op("first"):
            return True
        case Op("intersection", arguments):
            return any(is_single(part, singles) for part in arguments)
        case Op("difference", arguments):
            return is_single(arguments[0], singles)
        case Op("image", (of,), _, relation):
            leads_on: Any = relation
            return bool(leads_on.is_function) and is_single(of, singles)
        case If(_, then, otherwise):
            return is_single(then, singles) and is_single(otherwise, singles)
        case Let(slot, value, body):
            inner = {*singles, slot} if _is_set(value) and is_single(value, singles) else singles
            return is_single(body, inner)
        case Select(_, sites):
            return is_single(sites, singles)
    return False


def single_slots(program: Program, more: Iterable[Block] = ()) -> dict[Slot, bool]:
    """Return a turn's variables that hold one site at most, with whether they always have one.

    `more` are further blocks that give values to them.
    """
    values = _values(program, more)
    found = set(values)
    while True:
        kept = {
            slot
            for slot in found
            if all(value is None or is_single(value, found) for value in values[slot])
        }
        if kept == found:
            return {slot: all(value is None for value in values[slot]) for slot in kept}
        found = kept


def always_single_slots(program: Program) -> frozenset[Slot]:
    """Return a turn's variables that hold a single site whenever they hold anything."""
    values = _values(program)
    return frozenset(slot for slot in values if all(value is None for value in values[slot]))


def _values(program: Program, more: Iterable[Block] = ()) -> dict[Slot, list[Expression | None]]:
    """Return what each variable for a set is given; None stands for one site of a set."""
    values: dict[Slot, list[Expression | None]] = {}
    for statement in program_statements(program, more):
        if isinstance(statement, Assign | AssignAt):
            value: Expression | None = statement.value
        elif isinstance(statement, Choose | ForEach):
            domain = statement.domain
            value = domain.sites if isinstance(domain, GroupsOf) else None
        else:
            continue
        if statement.slot.type == SITES and not statement.slot.is_state:
            values.setdefault(statement.slot, []).append(value)
    return values


def _is_set(node: Expression) -> bool:
    return node.type.name == "sites"
