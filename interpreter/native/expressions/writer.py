"""What writes expressions: what all modules have in common that write some of them.

In: an expression, and the place where it stands; slots, fields of the layout. Out: instructions,
and where the value is. What then holds: what is read from a slot or a variable is what was put
there last; a number is as wide as its field or its bounds say.

`Expressions` is the one writer. It is written in parts: each has some of the expressions, and asks
for those inside them by the methods of `ExpressionWriter`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Set as AbstractSet
from math import lcm
from typing import Any

from gdl.analysis.number_ranges import NumberRanges
from gdl.analysis.ranges import Uncovered
from gdl.core.nodes import Expression, Slot
from gdl.core.types import FLAG, SITES
from gdl.interpreter.native.emit.arithmetic import to_range
from gdl.interpreter.native.emit.ir import Function, number_type, width_of
from gdl.interpreter.native.emit.kinds import I1, I8, I16, I64, Address, Bit
from gdl.interpreter.native.emit.values import Flag, Number, Sites, Value
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.memory.fields import Field
from gdl.interpreter.native.memory.frame import FrameLayout
from gdl.interpreter.native.sets import SetCode
from gdl.interpreter.native.sets.arrays import ArraySets


class ExpressionWriter(ABC):
    """Writes expressions over one program's frames; `choices` are names of ways to write them."""

    def __init__(
        self, sets: SetCode, layout: FrameLayout, ranges: NumberRanges, choices: AbstractSet[str]
    ) -> None:
        self.sets = sets
        self.layout = layout
        self.ranges = ranges
        self.choices = choices

    @abstractmethod
    def value(self, p: Place, node: Expression) -> Value:
        """Write the code of an expression."""

    def sites(self, p: Place, node: Expression) -> Sites:
        """Write the code of a set."""
        value = self.value(p, node)
        assert isinstance(value, Sites), node.type
        return value

    def flag(self, p: Place, node: Expression) -> Bit:
        """Write the code of a condition; return its register (i1)."""
        value = self.value(p, node)
        assert isinstance(value, Flag), node.type
        return value.register

    def number(self, p: Place, node: Expression) -> Number:
        """Write the code of a number, a fraction or a choice."""
        value = self.value(p, node)
        assert isinstance(value, Number), node.type
        return value

    # ---------------------------------------------------------------- slots of a frame

    def read(self, p: Place, slot: Slot) -> Value:
        """Write the code that reads a slot of the frame."""
        return self.read_field(p.f, slot, p.address(slot, self.layout.fields[slot]))

    def write(self, p: Place, slot: Slot, value: Value) -> None:
        """Write the code that puts a value, known to fit, into a slot of the frame."""
        field = self.layout.fields[slot]
        address = p.address(slot, field)
        if isinstance(value, Sites) and slot not in self.layout.singles:
            self.store(p, value, address)
        else:
            self.write_field(p.f, field, slot, value, address)

    def store(self, p: Place, sites: Sites, address: Address) -> None:
        """Write the code that puts a set into the frame; a search can take that back."""
        if p.takes_back and isinstance(self.sets, ArraySets):
            self.sets.trails.store(p.f, p.world, sites, address)
        else:
            self.sets.write(p.f, sites, address)

    def read_field(self, f: Function, slot: Slot, address: Address) -> Value:
        """Write the code that reads an entry of a slot's field at an address."""
        field, sets = self.layout.fields[slot], self.sets
        if slot in self.layout.singles:
            index = f.convert("sext", I16, f.get(I16, address), I64)
            single = sets.one(index, is_there=self.layout.singles[slot])
            if isinstance(sets, ArraySets):
                single.within = sets.bounds.get(slot, sets.everywhere)
            return single
        if slot.type == SITES:
            return sets.read(f, address)
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
            if width_of(wide) != field.bits:
                way = "trunc" if width_of(wide) > field.bits else "sext"
                register = f.convert(way, number_type(wide), register, field.type)
            f.put(field.type, register, address)

    # ------------------------------------------------------------------------- variables

    def variable(self, f: Function, node: Expression) -> Address:
        """Return a variable for an expression's value."""
        if node.type == SITES:
            return self.sets.variable(f)
        return f.room(I1 if node.type == FLAG else number_type(self.ranges.of(node)))

    def keep(self, f: Function, node: Expression, value: Value, address: Address) -> None:
        """Put a value into a variable made for it."""
        if isinstance(value, Sites):
            self.sets.write(f, value, address)
        elif isinstance(value, Flag):
            f.put(I1, value.register, address)
        else:
            found = self.ranges.of(node)
            f.put(number_type(found), to_range(f, value, found), address)

    def kept(self, f: Function, node: Expression, address: Address) -> Value:
        """Return the value in a variable."""
        if node.type == SITES:
            return self.sets.read(f, address)
        if node.type == FLAG:
            return Flag(f.get(I1, address))
        found = self.ranges.of(node)
        return Number(f.get(number_type(found), address), found)
