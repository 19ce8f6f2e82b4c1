"""What compiled functions work with: records and arrays, and functions that stand for instructions.

In: numbers. Out: memory that Python and machine code both read and write. What then holds: what
stands here does in plain Python what its compiled form does, but for calls by address.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    Words: TypeAlias = memoryview[int]
    Shorts: TypeAlias = memoryview[int]
    Signs: TypeAlias = memoryview[int]
    Bytes: TypeAlias = memoryview[int]
    Doubles: TypeAlias = memoryview[float]
    Floats: TypeAlias = memoryview[float]
else:
    Words = Shorts = Signs = Bytes = Doubles = Floats = memoryview
"""Arrays: of whole numbers of 64, 32, 8 bits; of bytes; of fractions of 64 and 32 bits."""


@dataclass(frozen=True)
class Element:
    """The elements of an array: LLVM's type, Python's code for it, what makes it a wide one."""

    type: str
    code: str
    widen: str


ELEMENTS = {
    "Words": Element("i64", "q", ""),
    "Shorts": Element("i32", "i", "sext"),
    "Signs": Element("i8", "b", "sext"),
    "Bytes": Element("i8", "B", "zext"),
    "Doubles": Element("double", "d", ""),
    "Floats": Element("float", "f", "fpext"),
}
WORD_BYTES = 8

Function = TypeVar("Function", bound=Callable[..., Any])


class Record:
    """Numbers and arrays that native functions get as one: a class with annotated fields.

    A field is a whole number, a fraction or a condition, which stays as it is; or an array.
    """

    def __init__(self, **values: Any) -> None:
        """Take the value of each field."""
        names = list(type(self).__annotations__)
        assert set(names) == set(values), "each field has a value"
        self._memory = (ctypes.c_int64 * len(names))()
        for place, name in enumerate(names):
            value = values[name]
            setattr(self, name, value)
            if isinstance(value, float):
                ctypes.c_double.from_buffer(self._memory, place * WORD_BYTES).value = value
            else:
                self._memory[place] = _address(value) if isinstance(value, memoryview) else value

    @property
    def address(self) -> int:
        """Where it stands in memory."""
        return ctypes.addressof(self._memory)


def array(kind: str, number: int) -> Any:
    """Return an array of so many zeros; of what is never touched, nothing is taken."""
    code = ELEMENTS[kind].code
    size = max(1, number) * struct.calcsize(code)
    memory = memoryview(bytearray(size) if size < mmap.PAGESIZE else mmap.mmap(-1, size))
    return memory.cast(code)  # type: ignore[call-overload]


def _address(view: memoryview[int] | memoryview[float]) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(view)) if view.nbytes else 0


# ------------------------------------------------- functions that stand for instructions


def call(address: int, *arguments: int) -> int:
    """Call a function at an address; of one that gives 32 bits, only these mean something."""
    raise NotImplementedError("there is no such call in Python")


def copy(target: int, source: int, size: int) -> None:
    """Copy bytes from one address to another."""
    ctypes.memmove(target, source, size)


def exchanged(array: memoryview, place: int, value: int) -> int:
    """Put a value into an element of an array of words at once; return the one before."""
    before = int(array[place])
    array[place] = value
    return before


def address(array: memoryview[int] | memoryview[float]) -> int:
    """Return where an array begins."""
    return _address(array)


def shifted(word: int, places: int) -> int:
    """Return a word's bits, moved down by some places; the upper ones are 0."""
    return word % (1 << 64) >> places


def lowest_bit(word: int) -> int:
    """Return the number of the lowest bit that is set in a word, which is not 0."""
    return (word & -word).bit_length() - 1


def ones(word: int) -> int:
    """Return how many bits are set in a word."""
    return (word % (1 << 64)).bit_count()


def native(function: Function) -> Function:
    """Mark a function as one that is compiled."""
    function.is_native = True  # type: ignore[attr-defined]
    return function
