"""Where the pieces of a side can go, move by move.

In: a turn's program. Out: a `Reach`: where the pieces stand that may be moved, and where a move
leads from any sites. What then holds: moves are taken as they are now, with all that stands in the
way, as if the side went on and on alone.

A turn tells it where a site is chosen first, and then another in a set that distributes over the
union of what was chosen: that set, from several sites at once, is where one of them leads.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from gdl.core.nodes import (
    Block,
    Choose,
    Closure,
    Const,
    Expression,
    Fold,
    Get,
    If,
    Let,
    Op,
    Select,
    SitesOf,
    Slot,
)
from gdl.core.types import SITES
from gdl.core.walk import statements_in
from gdl.data_classes import dataclass


@dataclass(frozen=True)
class Reach:
    """Sites that are reached from where pieces stand at the `start`.

    One move leads from the sites in the slot `frontier` to those of `step`, which distributes over
    union.
    """

    start: Expression
    frontier: Slot
    step: Expression

    @property
    def free(self) -> frozenset[Slot]:
        """The slots of a position that it depends on."""
        return self.start.free | (self.step.free - {self.frontier})

    def from_all_of(self, size: int) -> Expression:
        """Return where a move leads from any site of a board of this size."""
        return Let(self.frontier, Const((1 << size) - 1, SITES), self.step)


def reach_of(block: Block) -> Reach | None:
    """Return where the moves of a turn lead; None if its first such choices do not tell."""
    chosen: dict[Slot, Expression] = {}
    for statement in statements_in(block):
        if not isinstance(statement, Choose) or not isinstance(statement.domain, SitesOf):
            continue
        domain = statement.domain.sites
        for slot in domain.free & chosen.keys():
            start = chosen[slot]
            while isinstance(start, Select):  # as if none of its conditions ruled any site out
                start = start.sites
            found = Reach(start, slot, domain)
            if all(read.is_state for read in found.free) and leads(domain, frozenset((slot,))):
                return found
        chosen[statement.slot] = domain
    return None


def leads(node: Expression, slots: AbstractSet[Slot]) -> bool:
    """Return whether a set distributes over the union of what slots hold, and reads one of them."""
    if node.free.isdisjoint(slots):
        return False

    def stays(*parts: Expression) -> bool:
        return all(part.free.isdisjoint(slots) for part in parts)

    match node:
        case Get():
            return True
        case Op("image", (of,)):
            return leads(of, slots)
        case Op("union", parts):
            return all(leads(part, slots) for part in parts)
        case Op("intersection", parts):
            moving = [part for part in parts if not stays(part)]
            return len(moving) == 1 and leads(moving[0], slots)
        case Op("difference", (of, *away)):
            return stays(*away) and leads(of, slots)
        case Closure(seed, frontier, step):
            return step.free.isdisjoint(slots - {frontier}) and leads(seed, slots)
        case Let(slot, value, body):
            if stays(value):
                return leads(body, slots)
            return leads(value, slots) and leads(body, slots | {slot})
        case Select(_, sites, condition):
            return stays(condition) and leads(sites, slots)
        case If(condition, then, otherwise):
            return stays(condition) and leads(then, slots) and leads(otherwise, slots)
        case Fold("union", _, domain, body):
            return stays(*domain.parts()) and leads(body, slots)
    return False
