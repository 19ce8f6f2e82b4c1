"""Slots of a frame of which a number, known in play only, tells the one that is meant.

In: expressions of which each reads one of several slots. Out: what they have in common, and code
that reads the slot of a number. What then holds: the slots lie as far from one another as their
numbers, and hold the same kind of value; so one instruction reads whichever is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

from gdl.core.nodes import Assign, Block, Branch, Const, Expression, Get, If, Op, Slot
from gdl.data_classes import dataclass
from interpreter.native.expressions.places import Place
from interpreter.native.memory.frame import FrameLayout

_Whole = TypeVar("_Whole", Expression, Block)
_WaysOf = Callable[[_Whole], tuple[Expression, _Whole, _Whole] | None]

_FEWEST = 4
"""So many slots are worth being read by their number."""


@dataclass(frozen=True)
class ByNumber:
    """Slots in the order of their numbers, from 0 on; `number` is the slot that has the number."""

    number: Slot
    slots: tuple[Slot, ...]


def by_number(node: If) -> ByNumber | None:
    """Return the slots of which an expression is the one that a number tells, if it is such."""
    number = _number_asked(node.condition)
    leaves = None if number is None else _cases(node, _ways_of_value, number, 0, _count(number))
    slots = tuple(leaf.slot for leaf in leaves or () if isinstance(leaf, Get))
    if number is None or leaves is None or len(slots) < len(leaves):
        return None
    return ByNumber(number, slots)


def _count(number: Slot) -> int:
    """Return how many values a number may have that begins at 0; 0 if that is not known."""
    return number.high + 1 if number.low == 0 and number.high is not None else 0


def _number_asked(condition: Expression) -> Slot | None:
    """Return the number of which a condition asks how large it is, if it may tell enough slots."""
    match condition:
        case Op("less", (Get(number), Const())) if _count(number) >= _FEWEST:
            return number
    return None


def _cases(
    whole: _Whole, ways_of: _WaysOf[_Whole], number: Slot, low: int, high: int
) -> list[_Whole] | None:
    """Return what a whole is for each number from `low` to below `high`, told apart by halves."""
    if high - low == 1:
        return [whole]
    match ways_of(whole):
        case (Op("less", (Get(asked), Const(value))), then, otherwise) if asked is number:
            middle = int(value)
            if low < middle < high:
                lower = _cases(then, ways_of, number, low, middle)
                upper = _cases(otherwise, ways_of, number, middle, high)
                return None if lower is None or upper is None else lower + upper
    return None


def _ways_of_value(node: Expression) -> tuple[Expression, Expression, Expression] | None:
    return (node.condition, node.then, node.otherwise) if isinstance(node, If) else None


def _ways_of_block(block: Block) -> tuple[Expression, Block, Block] | None:
    match block:
        case (Branch(_, condition, then, otherwise),):
            return condition, then, otherwise
    return None


@dataclass(frozen=True)
class Assigned:
    """A value that one of several slots is given: `value` is the same for all, or tells one."""

    target: ByNumber
    value: Expression | OneForSlots


def assigned_by_number(statement: Branch) -> Assigned | None:
    """Return what is given to the slot that a number tells, if a statement does just that."""
    number = _number_asked(statement.condition)
    if number is None:
        return None
    blocks = _cases((statement,), _ways_of_block, number, 0, _count(number))
    found = [
        block[0]
        for block in blocks or ()
        if len(block) == 1 and isinstance(block[0], Assign) and block[0].slot is not number
    ]
    if blocks is None or len(found) < len(blocks):
        return None
    slots = tuple(one.slot for one in found)
    if len({(slot.type, slot.low, slot.high) for slot in slots}) > 1:
        return None
    values = [one.value for one in found]
    value = values[0] if all(each == values[0] for each in values) else one_for_slots(values)
    return None if value is None else Assigned(ByNumber(number, slots), value)


@dataclass(frozen=True)
class OneForSlots:
    """What several expressions are: `node`, in which `placeholder` stands for one of the slots."""

    node: Expression
    placeholder: Slot
    slots: tuple[Slot, ...]


def one_for_slots(nodes: Sequence[Expression]) -> OneForSlots | None:
    """Return what expressions are that are the same but for one slot in each, if they are that."""
    if len(nodes) < _FEWEST:
        return None
    found: list[tuple[Slot, tuple[Slot, ...]]] = []
    node = _joined(nodes, found)
    return OneForSlots(node, *found[0]) if node is not None and len(found) == 1 else None


def _joined(
    nodes: Sequence[Expression], found: list[tuple[Slot, tuple[Slot, ...]]]
) -> Expression | None:
    first = nodes[0]
    if all(node is first or (isinstance(node, Const | Get) and node == first) for node in nodes):
        return first
    if isinstance(first, Get):
        slots = tuple(node.slot for node in nodes if isinstance(node, Get))
        if len(slots) < len(nodes) or any(slot.type != first.type for slot in slots):
            return None
        if not found:
            found.append((Slot("one of several", first.type), slots))
        placeholder, known = found[0]
        return Get(placeholder) if known == slots else None
    if not isinstance(first, Op):
        return None
    others = [node for node in nodes if isinstance(node, Op) and is_same_operation(node, first)]
    if len(others) < len(nodes):
        return None
    arguments = [_joined(own, found) for own in zip(*(o.arguments for o in others), strict=True)]
    known_arguments = tuple(part for part in arguments if part is not None)
    if len(known_arguments) < len(arguments):
        return None
    return Op(first.name, known_arguments, first.of, first.payload)


def is_same_operation(node: Op, first: Op) -> bool:
    """Return whether two operations are the same, of as many arguments, but for what these are."""
    is_one = node.name == first.name and node.of == first.of and node.payload == first.payload
    return is_one and len(node.arguments) == len(first.arguments)


def spacing(p: Place, layout: FrameLayout, slots: Sequence[Slot]) -> int | None:
    """Return how many bytes slots lie apart, one after the other, if that can be told."""
    fields = [layout.fields.get(slot) for slot in slots]
    known = [field for field in fields if field is not None and field.count == 1]
    if len(known) < len(slots) or not layout.singles.keys().isdisjoint(slots):
        return None
    if not p.bound.keys().isdisjoint(slots) or not p.by_round.keys().isdisjoint(slots):
        return None
    if len({p.moved.get(slot) for slot in slots}) > 1:
        return None
    if len({(field.bits, field.range) for field in known}) > 1:
        return None
    apart = {after.offset - before.offset for before, after in pairwise(known)}
    return apart.pop() if len(apart) == 1 else None
