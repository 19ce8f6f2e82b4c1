"""Which expressions never have more than one site.

In: expressions. Out: yes or no. What then holds: where the answer is yes, the set is kept as the
index of its site.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any

from gdl.core.nodes import Const, Expression, Get, If, Let, Op, Select, Slot


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


def _is_set(node: Expression) -> bool:
    return node.type.name == "sites"
