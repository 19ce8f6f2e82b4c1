"""The structure of expressions: what they are, whatever their slots are called.

In: an expression, and slots that have numbers. Out: a value to compare it by. What then holds: two
expressions of equal structures have equal values where slots of equal numbers have.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from gdl.core.nodes import Closure, Const, Expression, Fold, Get, If, Let, Op, Select, Slot


def structure(node: Expression, slots: Sequence[Slot]) -> object:
    """Return the structure of an expression that depends on the slots given, and no others.

    It can be hashed. None if there is a part in it that has a meaning in play alone.
    """
    try:
        return _structure(node, {slot: number for number, slot in enumerate(slots)})
    except LookupError:
        return None


def _structure(node: Expression, numbers: dict[Slot, int]) -> object:
    match node:
        case Const(value, of):
            own: tuple[object, ...] = (type(value), value, of)
        case Get(slot):
            own = (numbers[slot],)
        case Op(name, _, of, payload):
            own = (name, of, payload)
        case Fold(combine, _, domain, _, initial):
            own = (combine, type(domain), type(initial), initial)
        case If() | Let() | Select() | Closure():
            own = ()
        case _:
            raise LookupError
    if node.binds():
        unused = count(1 + max(numbers.values(), default=-1))
        numbers = numbers | dict(zip(node.binds(), unused, strict=False))
    return (type(node), *own, *(_structure(part, numbers) for part in node.parts()))
