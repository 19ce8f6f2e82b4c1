"""Fields: places in a piece of memory, and the code that reads and writes them.

In: where a field lies, and what it holds. Out: instructions. What then holds: a field is
written as what it is read as.
"""

from __future__ import annotations

from typing import Generic

from gdl.analysis.ranges import Range
from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.ir import Function
from gdl.interpreter.native.emit.kinds import I64, PTR, Address, Bit, Kind, Type, Word


@dataclass(frozen=True)
class Field(Generic[Kind]):
    """A place in memory, in bytes: of `count` entries of `bits` bits each.

    `range` are the bounds of the numbers in it; None for sets and conditions.
    """

    offset: int
    bits: int
    count: int = 1
    range: Range | None = None

    @property
    def type(self) -> Type[Kind]:
        """The type of an entry."""
        return Type(f"i{self.bits}")

    @property
    def entry_bytes(self) -> int:
        """The size of an entry."""
        return self.bits // 8

    @property
    def bytes(self) -> int:
        """The size of all entries."""
        return self.count * self.entry_bytes

    def at(self, f: Function, memory: Address) -> Address:
        """Return its address in the memory that begins at an address."""
        return f.at(memory, self.offset)

    def get(self, f: Function, memory: Address) -> Kind:
        """Read its first entry."""
        return f.get(self.type, self.at(f, memory))

    def word(self, f: Function, memory: Address) -> Word:
        """Read its first entry, a number without a sign, as an i64."""
        return f.convert("zext", self.type, self.get(f, memory), I64)

    def is_set(self, f: Function, memory: Address) -> Bit:
        """Return whether its first entry is not zero."""
        return f.compare("ne", self.type, self.get(f, memory), 0)

    def put(self, f: Function, value: Kind | int, memory: Address) -> None:
        """Write its first entry."""
        f.put(self.type, value, self.at(f, memory))

    def add(self, f: Function, value: Kind | int, memory: Address) -> Kind:
        """Add to its first entry; return the sum."""
        return f.add(self.type, value, self.at(f, memory))


class OwnField(Field[Kind]):
    """What a slot holds that lies outside of frames, in memory of the functions that use it."""

    def at(self, f: Function, memory: Address) -> Address:
        """Refuse to tell an address in a frame."""
        raise AssertionError("the slot lies in no frame")


class Pointer(Field[Address]):
    """A field that holds an address."""

    @property
    def type(self) -> Type[Address]:
        """The type of an address."""
        return PTR
