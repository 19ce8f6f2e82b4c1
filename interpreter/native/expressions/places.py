"""Places in the code: which function it stands in, and where the slots of its frame lie.

In: a function, the address of a frame, values of slots. Out: the place with more of them. What
then holds: a slot is read where it lies, in code for one side, or for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from gdl.analysis.side_symmetry import BothSides
from gdl.core.nodes import Slot
from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.ir import FRAME, WORLD, Function
from gdl.interpreter.native.emit.kinds import I64, Address, Bit, Word
from gdl.interpreter.native.emit.values import Flag, Value
from gdl.interpreter.native.memory.fields import Field
from gdl.interpreter.native.memory.frame import FrameLayout


@dataclass
class Place:
    """Where code is written: a function, the address of its frame, the values bound so far.

    `world` is the address of what all frames of a game share.

    In code for two sides, `is_later` says which of them is on turn. Slots that stand for others of
    the frame then lie further on than they usually do: by as many bytes (i64) as `moved` has. Where
    there is a function that is to `exchange` them, it has been called of the frame: then only slots
    that stand for themselves lie further on.

    `takes_back`: this is a search that goes through several ways in one frame, so that changes of
    sets in memory are put on the trail, from which they are taken back. `is_counted`: the turn is
    over, and counted. Slots that are the function's `own` lie at addresses outside of the frame, so
    that they may live in registers.
    """

    f: Function
    frame: Address = FRAME
    world: Address = WORLD
    bound: dict[Slot, Value] = field(default_factory=dict)
    moved: Mapping[Slot, Word] = field(default_factory=dict)
    is_later: Slot | None = None
    exchange: str = ""
    takes_back: bool = False
    is_counted: bool = False
    own: dict[Slot, Address] = field(default_factory=dict)

    def binding(self, slot: Slot, value: Value) -> Place:
        """Return the place with one more value bound."""
        return replace(self, bound={**self.bound, slot: value})

    def address(self, slot: Slot, field: Field[Any]) -> Address:
        """Return the address of a slot, which has a field in frames."""
        if slot in self.own:
            return self.own[slot]
        address = field.at(self.f, self.frame)
        if slot in self.moved and not self.exchange:
            return self.f.at(address, self.moved[slot])
        return address

    @property
    def moved_slots(self) -> set[Slot]:
        """The slots that lie elsewhere in the frame than they usually do."""
        return set() if self.exchange else {*self.moved}

    @property
    def as_it_is(self) -> Place:
        """The place where each slot of the position stands for itself."""
        return replace(self, exchange="") if self.exchange else replace(self, moved={})


def for_side(
    p: Place, both: BothSides, layout: FrameLayout, is_later: Bit, exchange: str = ""
) -> Place:
    """Return a place of code for two sides; `is_later` says which is on turn (i1)."""
    further: dict[int, Word] = {}
    moved: dict[Slot, Word] = {}
    for slot, other in both.exchanged.items():
        distance = layout.fields[other].offset - layout.fields[slot].offset
        if distance not in further:
            further[distance] = p.f.select(is_later, I64, distance, 0)
        moved[slot] = further[distance]
    p = p.binding(both.is_later, Flag(is_later))
    return replace(p, moved=moved, is_later=both.is_later, exchange=exchange)
