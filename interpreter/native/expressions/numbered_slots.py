"""Slots of a frame of which a number, known in play only, tells the one that is meant.

In: expressions of which each reads one of several slots. Out: what they have in common, and code
that reads the slot of a number. What then holds: the slots lie as far from one another as their
numbers, and hold the same kind of value; so one instruction reads whichever is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from gdl.core.nodes import Assign, Block, Branch, Const, Expression, Get, Op, Slot
from gdl.data_classes import dataclass
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.memory.frame import FrameLayout

_FEWEST = 4
"""So many slots are worth being read by their number."""


@dataclass(frozen=True)
class OneForSlots:
    """What several expressions are: `node`, in which `placeholder` stands for one of the slots."""

    node: Expression
    placeholder: Slot
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Assigned:
    """A value that is given to one of `slots`, in the order of their numbers, from 0 on.

    `number` is the slot that has the number; the `value` is the same for all, or tells one.
    """

    number: Slot
    slots: tuple[Slot, ...]
    value: Expression | OneForSlots


def assigned_by_number(statement: Branch) -> Assigned | None:
    """Return what is given to the slot that a number tells, if a statement does just that."""
    number = _number_asked(statement.condition)
    blocks = [] if number is None else _cases((statement,), number, 0, _count(number))
    found = []
    for block in blocks:
        match block:
            case (Assign() as one,) if one.slot is not number:
                found.append(one)
    slots = tuple(one.slot for one in found)
    kinds = {(slot.type, slot.low, slot.high) for slot in slots}
    if number is None or len(found) < len(blocks) or len(kinds) != 1:
        return None
    values = [one.value for one in found]
    value = values[0] if all(each == values[0] for each in values) else one_for_slots(values)
    return None if value is None else Assigned(number, slots, value)


def _count(number: Slot) -> int:
    """Return how many values a number may have that begins at 0; 0 if that is not known."""
    return number.high + 1 if number.low == 0 and number.high is not None else 0


def _number_asked(condition: Expression) -> Slot | None:
    """Return the number of which a condition asks how large it is, if it may tell enough slots."""
    match condition:
        case Op("less", (Get(number), Const())) if _count(number) >= _FEWEST:
            return number
    return None


def _cases(block: Block, number: Slot, low: int, high: int) -> list[Block]:
    """Return what a block is for each number from `low` to below `high`, told apart by halves.

    There is nothing in the list if it is not told apart so to the end.
    """
    if high - low == 1:
        return [block]
    match block:
        case (Branch(_, Op("less", (Get(asked), Const(value))), then, otherwise),) if (
            asked is number
        ):
            middle = int(value)
            if low < middle < high:
                lower = _cases(then, number, low, middle)
                upper = _cases(otherwise, number, middle, high)
                return lower + upper if lower and upper else []
    return []


def one_for_slots(nodes: Sequence[Expression]) -> OneForSlots | None:
    """Return what expressions are that are the same but for one slot in each, if they are that."""
    found: dict[tuple[Slot, ...], Slot] = {}
    node = _joined(nodes, found) if len(nodes) >= _FEWEST else None
    if node is None or len(found) != 1:
        return None
    ((slots, placeholder),) = found.items()
    return OneForSlots(node, placeholder, slots)


def _joined(nodes: Sequence[Expression], found: dict[tuple[Slot, ...], Slot]) -> Expression | None:
    """Return what expressions are alike, but for slots: `found` has what stands for which."""
    first = nodes[0]
    if all(node is first or (isinstance(node, Const | Get) and node == first) for node in nodes):
        return first
    if isinstance(first, Get):
        slots = tuple(
            node.slot for node in nodes if isinstance(node, Get) and node.slot.type == first.type
        )
        if len(slots) < len(nodes):
            return None
        return Get(found.setdefault(slots, Slot("one of several", first.type)))
    if not isinstance(first, Op) or not all(_is_same_operation(node, first) for node in nodes):
        return None
    places = zip(*(node.parts() for node in nodes), strict=True)
    arguments = [part for own in places if (part := _joined(own, found)) is not None]
    if len(arguments) < len(first.arguments):
        return None
    return Op(first.name, tuple(arguments), first.of, first.payload)


def _is_same_operation(node: Expression, first: Op) -> bool:
    """Return whether two operations are the same, of as many arguments, but for what these are."""
    return (
        isinstance(node, Op)
        and (node.name, node.of, node.payload) == (first.name, first.of, first.payload)
        and len(node.arguments) == len(first.arguments)
    )


def spacing(p: Place, layout: FrameLayout, slots: Sequence[Slot]) -> int | None:
    """Return how many bytes slots lie apart, one after the other, if that can be told."""
    fields = [layout.fields.get(slot) for slot in slots]
    known = [field for field in fields if field is not None and field.count == 1]
    others = (layout.singles, p.bound, p.own)
    if len(known) < len(slots) or not all(one.keys().isdisjoint(slots) for one in others):
        return None
    kinds = {(field.bits, field.range) for field in known}
    if len(kinds) > 1 or len({p.moved.get(slot) for slot in slots}) > 1:
        return None
    apart = {after.offset - before.offset for before, after in pairwise(known)}
    return apart.pop() if len(apart) == 1 else None
