"""Conditions on a group that say only which known sets it touches, and how many of them.

In: a condition on a set of sites. Out: the known sets, and for which of them together it holds.
What then holds: the condition depends on nothing but whether the set has a site of each of them,
and once it holds of a set, it holds of any larger one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_

from gdl.board.relation import bits
from gdl.core.known import all_known
from gdl.core.nodes import Const, Expression, Get, If, Op, Slot
from gdl.core.types import FLAG
from gdl.data_classes import dataclass

_MOST_COUNTED = 8


@dataclass(frozen=True)
class TouchCondition:
    """A condition on a set: it has to touch some of the `targets`, which are sets of sites.

    `holds` is a table of bits: that of number i tells whether the condition holds of a set that
    touches those targets alone whose bits are in i.
    """

    targets: tuple[int, ...]
    holds: int


@dataclass(frozen=True)
class _AtLeast:
    """At least `number` of some conditions hold; each is one of this kind, or a target's number."""

    number: int
    of: tuple[_AtLeast | int, ...]


def touches_all(targets: Sequence[int]) -> TouchCondition:
    """Return the condition that a set touches all of some sets."""
    return TouchCondition(tuple(targets), 1 << (1 << len(targets)) - 1)


def touch_condition(condition: Expression, group: Slot, most: int) -> TouchCondition | None:
    """Return what a condition says of the set in a slot; None if it may say anything else.

    It has at most `most` targets.
    """
    targets: dict[int, int] = {}
    found = _formula(condition, group, targets)
    if found is None or len(targets) > most:
        return None
    return TouchCondition(tuple(targets), _table(found, len(targets)))


def _formula(node: Expression, group: Slot, targets: dict[int, int]) -> _AtLeast | int | None:
    match node:
        case Const(value) if node.of == FLAG:
            return _AtLeast(0 if value else 1, ())
        case Op("some", (sites,)):
            mask = _within(sites, group)
            return None if mask is None else targets.setdefault(mask, len(targets))
        case Op("and" | "or" as name, arguments):
            found = (_formula(part, group, targets) for part in arguments)
            known: list[_AtLeast | int] | None = all_known(found)
            if known is None:
                return None
            return _AtLeast(len(known) if name == "and" else 1, tuple(known))
        case Op("not_more" | "less" as name, (Const(int(least)), number)):
            counted = _counted(number, group, targets)
            at_least = least if name == "not_more" else least + 1
            return None if counted is None else _AtLeast(at_least, tuple(counted))
    return None


def _counted(node: Expression, group: Slot, targets: dict[int, int]) -> list[_AtLeast | int] | None:
    """Return the conditions of which a number tells how many hold."""
    match node:
        case Op("add", arguments):
            parts = all_known(_counted(part, group, targets) for part in arguments)
            return None if parts is None else [one for part in parts for one in part]
        case If(condition, Const(1), Const(0)):
            found = _formula(condition, group, targets)
            return None if found is None else [found]
        case Op("count", (sites,)):
            mask = _within(sites, group)
            if mask is None or mask < 0 or mask.bit_count() > _MOST_COUNTED:
                return None
            return [targets.setdefault(1 << site, len(targets)) for site in bits(mask)]
    return None


def _within(node: Expression, group: Slot) -> int | None:
    """Return the known set of which a set has the group's sites; below 0, all but some sites."""
    match node:
        case Op("intersection", arguments):
            known = [int(part.value) for part in arguments if isinstance(part, Const)]
            others = [part for part in arguments if not isinstance(part, Const)]
            mask = _within(others[0], group) if len(others) == 1 else None
            return None if mask is None else reduce(and_, known, mask)
        case Op("difference", (of, Const(value))):
            mask = _within(of, group)
            return None if mask is None else mask & ~int(value)
        case Get(slot) if slot is group:
            return -1
    return None


def _table(formula: _AtLeast | int, targets: int) -> int:
    """Return the table of a formula: a bit for each set of targets."""
    rows = 1 << targets
    if isinstance(formula, int):
        half = 1 << formula
        return sum(((1 << half) - 1) << begin + half for begin in range(0, rows, 2 * half))
    at_least = [(1 << rows) - 1] + [0] * max(0, formula.number)
    for part in formula.of:
        column = _table(part, targets)
        for number in range(len(at_least) - 1, 0, -1):
            at_least[number] |= at_least[number - 1] & column
    return at_least[max(0, formula.number)]
