"""How an image is made of shifts, with as few masks as will do.

In: a relation as its offset classes. Out: a plan: shifts, and the masks before them. What then
holds: the union of the masked sets, each shifted, is the image; but sites may be set beyond the
last one of the board, if the plan says that it spills.

A site that is shifted off the end of a register need not be masked away before; nor one shifted
beyond the board, if all that is beyond is masked away once, in the end. What is left are masks
against going round the edge, which several directions share.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from gdl.board.relation import Relation


@dataclass(frozen=True)
class ShiftPlan:
    """The steps of an image: pairs of a mask (None: all sites) and a shift."""

    steps: tuple[tuple[int | None, int], ...]
    spills: bool


@lru_cache(maxsize=4096)
def shift_plan(relation: Relation, bits: int, *, shares: bool = True) -> ShiftPlan:
    """Return the plan for sets of so many bits; masks are only saved if `shares`."""
    size = relation.size
    everywhere = (1 << size) - 1
    classes = relation.offset_classes
    if not shares:
        return ShiftPlan(tuple((sources, shift) for sources, shift in classes), False)
    most = [sources | everywhere & ~_kept(size, shift) for sources, shift in classes]
    candidates = (everywhere, *most, *(sources for sources, _ in classes))
    fits = {
        mask: sum(
            not sources & ~mask and not mask & ~limit
            for (sources, _), limit in zip(classes, most, strict=True)
        )
        for mask in candidates
    }
    steps = []
    spills = False
    for (sources, shift), limit in zip(classes, most, strict=True):
        fitting = [m for m in candidates if not sources & ~m and not m & ~limit]
        mask = max(fitting, key=lambda m: (m == everywhere, fits[m]))
        spills |= mask << shift > everywhere if shift > 0 else False
        steps.append((None if mask == everywhere else mask, shift))
    return ShiftPlan(tuple(steps), spills and size < bits)


def _kept(size: int, shift: int) -> int:
    """Return the sites that a shift leaves on the board."""
    everywhere = (1 << size) - 1
    return everywhere >> shift if shift >= 0 else everywhere & ~((1 << -shift) - 1)
