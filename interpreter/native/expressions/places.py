"""Places in the code, and the values of the frames that are at hand there.

In: slots, fields of the layout, nodes of the core. Out: instructions that read and write them, in
a frame or in a variable of the function. What then holds: what is read is what was put there
last; a number is as wide as its field or its bounds say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from math import lcm
from typing import Any

from gdl.analysis.both_sides import BothSides
from gdl.analysis.number_ranges import NumberRanges
from gdl.analysis.ranges import Uncovered
from gdl.core.nodes import Expression, Slot
from gdl.core.types import FLAG, SITES
from gdl.data_classes import dataclass
from interpreter.native.emit.arithmetic import to_range
from interpreter.native.emit.ir import FRAME, WORLD, Function, width_of
from interpreter.native.emit.kinds import (
    I1,
    I8,
    I16,
    I64,
    Address,
    Bit,
    Integer,
    Type,
    Word,
    integer,
)
from interpreter.native.emit.values import Flag, Number, Sites, Value
from interpreter.native.memory.fields import Field
from interpreter.native.memory.frame import FrameLayout
from interpreter.native.sets.arrays import ArraySets
from interpreter.native.sets.set_code import SetCode


@dataclass
class Place:
    """Where code is written: a function, the address of its frame, the values bound so far.

    `world` is the address of what all frames of a game share.

    In code for two sides, `is_later` says which of them is on turn. Slots that stand for others of
    the frame then lie further on than they usually do: by as many bytes (i64) as `moved` has. Where
    there is a function that is to `exchange` them, it has been called of the frame: then only slots
    that stand for themselves lie further on. In a round of a loop over statements that are alike,
    slots lie as much further on again as `by_round` has (i64).
    """

    f: Function
    frame: Address = FRAME
    world: Address = WORLD
    bound: dict[Slot, Value] = field(default_factory=dict)
    moved: Mapping[Slot, Word] = field(default_factory=dict)
    is_later: Slot | None = None
    exchange: str = ""
    by_round: Mapping[Slot, Word] = field(default_factory=dict)

    def binding(self, slot: Slot, value: Value) -> Place:
        """Return the place with one more value bound."""
        return replace(self, bound={**self.bound, slot: value})

    def address(self, slot: Slot, field: Field[Any]) -> Address:
        """Return the address of a slot, which has a field in frames."""
        address = field.at(self.f, self.frame)
        if slot in self.moved and not self.exchange:
            address = self.f.at(address, self.moved[slot])
        return self.f.at(address, self.by_round[slot]) if slot in self.by_round else address

    @property
    def moved_slots(self) -> set[Slot]:
        """The slots that lie elsewhere in the frame than they usually do."""
        return {*self.by_round, *(() if self.exchange else self.moved)}

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


class Frames:
    """Reads and writes the slots of frames, and variables that are made for values."""

    def __init__(self, sets: SetCode, layout: FrameLayout, ranges: NumberRanges) -> None:
        self.sets = sets
        self.layout = layout
        self.ranges = ranges

    def read(self, p: Place, slot: Slot) -> Value:
        """Write the code that reads a slot of the frame."""
        field = self.layout.fields[slot]
        address = p.address(slot, field)
        if slot in self.layout.singles:
            index = p.f.convert("sext", I16, p.f.get(I16, address), I64)
            single = self.sets.one(index, is_there=self.layout.singles[slot])
            if isinstance(self.sets, ArraySets):
                single.within = self.sets.bounds.get(slot, self.sets.everywhere)
            return single
        return self.read_field(p.f, field, slot, address)

    def write(self, p: Place, slot: Slot, value: Value) -> None:
        """Write the code that puts a value, known to fit, into a slot of the frame."""
        field = self.layout.fields[slot]
        address = p.address(slot, field)
        if isinstance(value, Sites) and slot not in self.layout.singles:
            self.store(p, value, address)
        else:
            self.write_field(p.f, field, slot, value, address)

    def store(self, p: Place, sites: Sites, address: Address) -> None:
        """Write the code that puts a set into the frame, so that it can be taken back."""
        if isinstance(self.sets, ArraySets):
            self.sets.trails.store(p.f, p.world, sites, address)
        else:
            self.sets.write(p.f, sites, address)

    def read_field(self, f: Function, field: Field[Any], slot: Slot, address: Address) -> Value:
        """Write the code that reads an entry of a slot's field at an address."""
        if slot.type == SITES:
            return self.sets.read(f, address)
        register = f.get(field.type, address)
        if slot.type == FLAG:
            return Flag(f.convert("trunc", I8, register, I1))
        assert field.range is not None, "the field of a number has a range"
        if field.bits < 64:
            register = f.convert("sext", field.type, register, I64)
        return Number(register, field.range)

    def write_field(
        self, f: Function, field: Field[Any], slot: Slot, value: Value, address: Address
    ) -> None:
        """Write the code that puts a value into an entry of a slot's field at an address."""
        if isinstance(value, Sites):
            if slot in self.layout.singles:
                index = self.sets.index(f, value)
                f.put(I16, f.convert("trunc", I64, index, I16), address)
            else:
                self.sets.write(f, value, address)
        elif isinstance(value, Flag):
            f.put(I8, f.convert("zext", I1, value.register, I8), address)
        else:
            assert field.range is not None, "the field of a number has a range"
            common = lcm(value.range.denominator, field.range.denominator)
            if common != field.range.denominator:
                raise Uncovered(
                    f"`{slot.name}`, a fraction without a common denominator", slot.span
                )
            wide = field.range.scaled(common).hull(value.range)
            register = to_range(f, value, wide)
            bits = width_of(wide)
            if bits != field.bits:
                way = "trunc" if bits > field.bits else "sext"
                register = f.convert(way, integer(bits), register, field.type)
            f.put(field.type, register, address)

    # ------------------------------------------------------------------------- variables

    def variable(self, f: Function, node: Expression) -> Address:
        """Return a variable for an expression's value."""
        if node.type == SITES:
            return self.sets.variable(f)
        return f.room(I1 if node.type == FLAG else self._type(node))

    def keep(self, f: Function, node: Expression, value: Value, address: Address) -> None:
        """Put a value into a variable made for it."""
        if isinstance(value, Sites):
            self.sets.write(f, value, address)
        elif isinstance(value, Flag):
            f.put(I1, value.register, address)
        else:
            register = to_range(f, value, self.ranges.of(node))
            f.put(self._type(node), register, address)

    def kept(self, f: Function, node: Expression, address: Address) -> Value:
        """Return the value in a variable."""
        if node.type == SITES:
            return self.sets.read(f, address)
        if node.type == FLAG:
            return Flag(f.get(I1, address))
        return Number(f.get(self._type(node), address), self.ranges.of(node))

    def _type(self, node: Expression) -> Type[Integer]:
        """Return the type of the register of a number."""
        found = self.ranges.of(node)
        return integer(width_of(found))
