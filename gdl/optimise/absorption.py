"""What adds nothing to what it is joined with: `x | x & y` is `x`.

In: interned parts of an operation, or the step of a closure. Out: the parts that add something, or
whether the step leads anywhere. What then holds: no loop of machine code joins a set with a part of
itself. LLVM's numbering of values (NewGVN) can come to no end in such a loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from gdl.board.relation import Relation
from gdl.core.memo import Met
from gdl.core.nodes import Const, Expression, Get, If, Op, Slot

_OTHER: Mapping[str, str] = MappingProxyType(
    {"union": "intersection", "intersection": "union", "or": "and", "and": "or"}
)
"""By operation, the one of which a part of one of its own parts can be the whole of another."""


def not_absorbed(name: str, parts: Sequence[Expression]) -> list[Expression]:
    """Return the interned parts of an operation without those that another part absorbs."""
    other = _OTHER.get(name)
    if not any(isinstance(part, Op) and part.name == other for part in parts):
        return list(parts)
    alone = Met(parts)
    return [
        part
        for part in parts
        if not (isinstance(part, Op) and part.name == other)
        or not any(argument in alone for argument in part.arguments)
    ]


def stays_within(step: Expression, frontier: Slot) -> bool:
    """Whether a step leads only to sites that it goes on from."""
    match step:
        case Get(slot):
            return slot == frontier
        case Const():
            return not step.value
        case If():
            return all(stays_within(way, frontier) for way in (step.then, step.otherwise))
        case Op("intersection", parts):
            return any(stays_within(part, frontier) for part in parts)
        case Op("difference", (of, _)):
            return stays_within(of, frontier)
        case Op("union", parts):
            return all(stays_within(part, frontier) for part in parts)
        case Op("image", (of,), payload=Relation() as relation):
            stays = all(shift == 0 for _, shift in relation.offset_classes)
            return stays and stays_within(of, frontier)
        case _:
            return False
