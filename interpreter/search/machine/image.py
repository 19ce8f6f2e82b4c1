"""Records as data, so that a host that isn't this process can lay them out in memory of its own.

In: records, with all that they lead to. Out: an `Image`: how large each piece of memory is, what
stands in it, and which of its words are addresses. What then holds: a host that takes the pieces
and puts in the addresses has what compiled functions read and write; it need know no field but
those that it asks for by name.
"""

from __future__ import annotations

import ctypes
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gdl.interpreter.search.machine.instructions import (
    ELEMENTS,
    WORD_BYTES,
    Outside,
    Record,
    address,
)

_APART = 64
"""Stretches of so many zeros are left out: memory that a host takes is empty."""
_CHUNK = 1 << 16
_NOTHING = bytes(_CHUNK)


class Image:
    """The memory of some records, by name.

    A *piece* is a stretch of memory, known by its number; a place in it is its number and an
    offset.
    """

    def __init__(self, records: Mapping[str, Record]) -> None:
        """Take in records and what they lead to, as it is when `data` is asked for."""
        self._records = records
        self._ranges: list[tuple[int, int]] = []
        self._links: list[tuple[int, int, int]] = []
        self._functions: list[tuple[int, str]] = []
        self._known: set[int] = set()
        for record in records.values():
            self._take(record)

    def _take(self, record: Record) -> None:
        if record.address in self._known:
            return
        self._known.add(record.address)
        self.add(record.address, len(type(record).__annotations__) * WORD_BYTES)
        for place, name in enumerate(type(record).__annotations__):
            value, at = getattr(record, name), record.address + place * WORD_BYTES
            if isinstance(value, Record):
                self._take(value)
                self.link(at, value.address)
            elif isinstance(value, memoryview):
                self.add(address(value), _extent(value))
                self.link(at, address(value))
            elif isinstance(value, Outside):
                self.name(at, value.name)

    def add(self, begin: int, size: int) -> None:
        """Take in so many bytes of memory, from an address on."""
        self._ranges.append((begin, size))

    def link(self, at: int, target: int, beyond: int = 0) -> None:
        """Say of the word at an address that it has that of something else, or a place beyond."""
        self._links.append((at, target, beyond))

    def name(self, at: int, function: str) -> None:
        """Say of the word at an address that it has that of a function, by its name."""
        self._functions.append((at, function))

    def data(self, told: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        """Return it as plain data; `told` are the fields of each record that a host asks for.

        `pieces` has the size of each; `links` pairs of places, of a word and of what it leads to;
        `functions` places of words, each with a name. What stands in the pieces are the `bytes`, in
        hexadecimal digits, since these are packed better than base 64 is; a part of them for each
        of `filled`: a piece, where it begins there, and how long it is. `records` has the place of
        each, and `fields` of each record what is told: of a number the place of its word; of an
        array where it begins, its kind, how far one element is from the next, and how many there
        are.
        """
        pieces = list(_joined(self._ranges))
        begins = [begin for begin, _ in pieces]

        def place(at: int) -> tuple[int, int]:
            number = bisect_right(begins, at) - 1
            return number, at - begins[number]

        holes = [at for at, _, _ in self._links] + [at for at, _ in self._functions]
        holes.sort()
        filled, contents = list[tuple[int, int, int]](), list[bytes]()
        for number, (begin, size) in enumerate(pieces):
            for offset, content in _contents(begin, size, holes):
                filled.append((number, offset, len(content)))
                contents.append(content)
        return {
            "pieces": [size for _, size in pieces],
            "links": [
                [*place(at), (there := place(target))[0], there[1] + beyond]
                for at, target, beyond in self._links
            ],
            "functions": [[*place(at), name] for at, name in self._functions],
            "filled": filled,
            "bytes": b"".join(contents).hex(),
            "records": {name: place(record.address) for name, record in self._records.items()},
            "fields": {
                name: {field: self._told(name, field, place) for field in fields}
                for name, fields in told.items()
            },
        }

    def _told(self, name: str, field: str, place: Any) -> list[Any]:
        record = self._records[name]
        value, kinds = getattr(record, field), type(record).__annotations__
        if not isinstance(value, memoryview):
            return [*place(record.address + list(kinds).index(field) * WORD_BYTES)]
        element = ELEMENTS[kinds[field]]
        return [*place(address(value)), kinds[field], element.step or element.bytes, len(value)]


def _extent(view: memoryview[Any]) -> int:
    """Return from where to where an array goes, in bytes, with what lies between its elements."""
    if not view.strides or not len(view):
        return view.nbytes
    return (len(view) - 1) * view.strides[0] + view.itemsize


def _joined(ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield stretches of memory, in order; those that lie over one another are one."""
    begin = end = 0
    for first, size in sorted(ranges):
        if first < end:
            end = max(end, first + size)
            continue
        if end:
            yield begin, end - begin
        begin, end = first, first + size
    if end:
        yield begin, end - begin


def _contents(begin: int, size: int, holes: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """Yield what stands in memory, each stretch with where it begins; words at `holes` are 0."""
    for offset in range(0, size, _CHUNK):
        found = ctypes.string_at(begin + offset, min(_CHUNK, size - offset))
        if found == _NOTHING[: len(found)]:  # most of it is memory that was never used
            continue
        data, first = bytearray(found), begin + offset
        for at in holes[bisect_left(holes, first) : bisect_left(holes, first + len(data))]:
            data[at - first : at - first + WORD_BYTES] = bytes(WORD_BYTES)
        yield from ((offset + at, part) for at, part in _stretches(bytes(data)))


def _stretches(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield what is not 0, without the long stretches of zeros between."""
    gap, at = bytes(_APART), 0
    while at < len(data):
        at += len(data) - at - len(data[at:].lstrip(b"\0"))
        end = data.find(gap, at)
        end = len(data) if end < 0 else end
        if end > at:
            yield at, data[at:end].rstrip(b"\0")
        at = end
