"""What compiled functions work with: records and arrays, and functions that stand for instructions.

In: numbers. Out: memory that Python and machine code both read and write. What then holds: what
stands here does in plain Python what its compiled form does, but for calls by address.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.kinds import DOUBLE, FLOAT, I8, I32, I64, Type

if TYPE_CHECKING:
    Words: TypeAlias = memoryview[int]
    Shorts: TypeAlias = memoryview[int]
    Signs: TypeAlias = memoryview[int]
    Bytes: TypeAlias = memoryview[int]
    Doubles: TypeAlias = memoryview[float]
    Floats: TypeAlias = memoryview[float]
    RowShorts: TypeAlias = memoryview[int]
    RowSigns: TypeAlias = memoryview[int]
    PairFloats: TypeAlias = memoryview[float]
else:
    Words = Shorts = Signs = Bytes = Doubles = Floats = memoryview
    RowShorts = RowSigns = PairFloats = memoryview
"""Arrays: of whole numbers of 64, 32, 8 bits; of bytes; of fractions of 64 and 32 bits.

Those of rows and pairs are interleaved: what has the same number in all of them is side by side.
"""

ROW_BYTES = 64
"""How long a row is: a line of a processor's cache, which it fetches as a whole."""
_OWN_BYTES = 128
"""Arrays begin at multiples of this, so that no line has parts of two that threads write to."""
_SMALL_PAGES = 1 << 22
"""How much of an array is in small pages; what follows is in huge ones, which are found sooner."""


@dataclass(frozen=True)
class Element:
    """The elements of an array: LLVM's type, Python's code for it, what makes it a wide one.

    From one to the next there are `step` bytes, or (0) as many as one has.
    """

    type: Type[Any]
    code: str
    widen: str
    step: int = 0

    @property
    def wide(self) -> Type[Any]:
        """The type that an element has as a value."""
        return DOUBLE if self.type in (DOUBLE, FLOAT) else I64

    @property
    def bytes(self) -> int:
        """How long it is."""
        return struct.calcsize(self.code)


ELEMENTS = {
    "Words": Element(I64, "q", ""),
    "Shorts": Element(I32, "i", "sext"),
    "Signs": Element(I8, "b", "sext"),
    "Bytes": Element(I8, "B", "zext"),
    "Doubles": Element(DOUBLE, "d", ""),
    "Floats": Element(FLOAT, "f", "fpext"),
    "RowShorts": Element(I32, "i", "sext", ROW_BYTES),
    "RowSigns": Element(I8, "b", "sext", ROW_BYTES),
    "PairFloats": Element(FLOAT, "f", "fpext", 8),
}
WORD_BYTES = 8


class Outside(int):
    """The address of a function that is known by its `name` to another host alone: here, 1."""

    name: str

    def __new__(cls, name: str) -> Self:
        """Stand for the function of this name."""
        made = super().__new__(cls, 1)
        made.name = name
        return made


Function = TypeVar("Function", bound=Callable[..., Any])


class Record:
    """Numbers and arrays that native functions get as one: a class with annotated fields.

    A field is a whole number, a fraction or a condition, which stays as it is; or an array, or
    another record. Its `address` is where it stands in memory.
    """

    def __init__(self, **values: Any) -> None:
        """Take the value of each field."""
        names = list(type(self).__annotations__)
        assert set(names) == set(values), "each field has a value"
        self._memory = (ctypes.c_int64 * len(names))()
        self.address = ctypes.addressof(self._memory)
        for place, name in enumerate(names):
            value = values[name]
            setattr(self, name, value)
            if isinstance(value, float):
                ctypes.c_double.from_buffer(self._memory, place * WORD_BYTES).value = value
            elif isinstance(value, Record):
                self._memory[place] = value.address
            else:
                self._memory[place] = address(value) if isinstance(value, memoryview) else value

    def replaced(self, **values: Any) -> Self:
        """Return a record of the same values and arrays but for these."""
        return type(self)(**{n: getattr(self, n) for n in type(self).__annotations__} | values)


def array(kind: str, number: int) -> Any:
    """Return an array of so many zeros; of what is never touched, nothing is taken."""
    code = ELEMENTS[kind].code
    size = max(1, number) * ELEMENTS[kind].bytes
    return _memory(size).cast(code)  # type: ignore[call-overload]


def filled(kind: str, values: Sequence[int]) -> Any:
    """Return an array with these elements."""
    result = array(kind, len(values))
    for place, value in enumerate(values):
        result[place] = value
    return result


def interleaved(
    kinds: Mapping[str, str], memory: memoryview[int], begin: int = 0
) -> dict[str, memoryview]:
    """Return arrays by name, each of a kind, that share memory.

    The kinds have the same step, of which the first `begin` bytes are not theirs.
    """
    found: dict[str, memoryview] = {}
    for name in sorted(kinds, key=lambda name: -ELEMENTS[kinds[name]].bytes):
        element = ELEMENTS[kinds[name]]
        view = memory.cast(element.code)  # type: ignore[call-overload]
        found[name] = view[begin // element.bytes :: element.step // element.bytes]
        begin += element.bytes
        assert begin <= element.step, "a step has room for one element of each"
    return found


def _memory(size: int) -> memoryview[int]:
    """Return so many bytes, which are 0, and whose lines of the cache have nothing else."""
    if size < mmap.PAGESIZE:
        whole = memoryview(bytearray(-(-size // _OWN_BYTES) * _OWN_BYTES + _OWN_BYTES))
        begin = -address(whole) % _OWN_BYTES
        return whole[begin : begin + size]
    if not hasattr(mmap, "MAP_PRIVATE"):
        return memoryview(mmap.mmap(-1, size))
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if size > _SMALL_PAGES and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):
            pages.madvise(mmap.MADV_HUGEPAGE, _SMALL_PAGES)
    return memoryview(pages)


# ------------------------------------------------- functions that stand for instructions


def call(address: int, *arguments: int) -> int:
    """Call a function at an address; of one that gives 32 bits, only these mean something."""
    raise NotImplementedError("there is no such call in Python")


def copy(target: int, source: int, size: int) -> None:
    """Copy bytes from one address to another."""
    ctypes.memmove(target, source, size)


def exchanged(array: memoryview[int], place: int, value: int) -> int:
    """Put a value into an element of an array at once; return the one before."""
    before = array[place]
    array[place] = value
    return before


def add_at_once(array: Any, place: int, number: float) -> None:
    """Add a number to an element of an array, of which nothing is lost if other threads add."""
    array[place] += number


def latest(array: memoryview[int], place: int) -> int:
    """Return an element of an array, before what is read next is read."""
    return array[place]


def publish(array: memoryview[int], place: int, value: int) -> None:
    """Put a value into an element of an array, when all that was written before is there.

    A thread that finds it there by `latest` finds that, too.
    """
    array[place] = value


def address(array: memoryview[int] | memoryview[float]) -> int:
    """Return where an array begins."""
    return ctypes.addressof(ctypes.c_char.from_buffer(array[:1])) if array.nbytes else 0


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
