"""What in a position may be worth something: its sets of sites, and its numbers.

In: the layout of a game's positions. Out: a `Feature` for each set and each number, with where it
stands. What then holds: a feature's name is that of the rules, so that a person can read what a
program found it to be worth.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.core.nodes import Program
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from gdl.interpreter.native.memory.frame import FrameLayout

_WIDEST = 32
"""Numbers of more bits are no features: they only count."""


@dataclass(frozen=True)
class Feature:
    """A set of sites, or numbers, in a position.

    It begins at `offset`; there are `count` entries of `entry_bytes`: one for each site, or one.
    Of a set, the n-th bit of its one entry is the n-th site. `side` is whose pieces they are, if
    they are pieces of a side.
    """

    name: str
    is_set: bool
    offset: int
    entry_bytes: int
    count: int
    side: int | None = None

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.offset + self.entry_bytes * self.count


def features_of(program: Program, layout: FrameLayout) -> Iterator[Feature]:
    """Yield the features of a program's positions; who is on turn, and in which phase, is none."""
    system, layers = program.system, frozenset(program.layers)
    others = {system.mover, system.phase, *system.seats, *layout.histories}
    for slot in program.state:
        field = layout.fields[slot]
        is_set = slot.type == SITES
        if slot in others or (is_set and slot.per_site) or (not is_set and field.range is None):
            continue
        if is_set or field.bits <= _WIDEST:
            side = slot.sides[0] if slot in layers and slot.sides else None
            yield Feature(slot.name, is_set, field.offset, field.entry_bytes, field.count, side)
