"""From LLVM's object file for WebAssembly to a module that a host can run: no linker is needed.

In: an object file, and what is to be known of it outside. Out: a `WasmModule`. What then holds: the
module imports nothing; it brings its memory, its stack and its table of functions along.

An object file is nearly a module. Addresses in it are as if its data began at 0, its functions have
the numbers that they keep, and what it takes from elsewhere (memory, table, the stack's pointer) is
imported. So its imports become definitions of its own, its data stays where it is, the stack lies
behind that and grows down to it, and behind the stack is what the host may use. Long data comes
packed, where the stack will be, and is unpacked when the module begins. Numbers for which room was
left are written as short as they can be. Each function that is known outside has a place in the
table too: its address, by which others call it.

Of functions that were linked in for LLVM's sake, those are emptied that nobody calls. Source of the
format: the core specification's chapter "Binary Format", and `Linking.md` of the WebAssembly tool
conventions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from gdl.data_classes import dataclass
from gdl.interpreter.native.wasm.packing import packed

PAGE = 1 << 16
_ALIGNED = 128
_MAGIC = b"\0asm\1\0\0\0"
_CUSTOM, _TYPE, _IMPORT, _FUNCTION, _TABLE, _MEMORY, _GLOBAL, _EXPORT, _START = range(9)
_ELEMENT, _CODE, _DATA, _DATA_COUNT = 9, 10, 11, 12
_KINDS = {"function": 0, "table": 1, "memory": 2, "global": 3}
_ORDER = (
    *(_TYPE, _FUNCTION, _TABLE, _MEMORY, _GLOBAL, _EXPORT, _START, _ELEMENT, _DATA_COUNT),
    *(_CODE, _DATA),
)
_FIRST_PLACE = 1
"""The first place in the table that is used: 0 is the address of nothing."""
_FUNCREF, _I32 = b"\x70", b"\x7f"
_WITHOUT_ANYTHING = b"\x60\0\0"
_I32_CONST, _UNREACHABLE, _CALL, _END = b"\x41", b"\0", b"\x10", b"\x0b"
_PACKED_PAYS = 1024
"""How many bytes must be won for data to be packed."""
_SYMBOL_TABLE = 8
_OF_FUNCTION, _OF_DATA, _OF_SECTION = 0, 1, 3
_IS_UNDEFINED, _HAS_NAME = 0x10, 0x40
_OF_TYPE, _WITH_ADDEND = 6, {3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23, 25}
"""Relocations: those that name no symbol, and those that have a number to be added."""
_WITHOUT_SIGN, _WITH_SIGN = {0, 3, _OF_TYPE, 7, 20}, {1, 4}
"""Those of numbers of any size: LLVM leaves room for the largest."""


class NotAlone(Exception):
    """A module needs functions that it does not have: `names` are theirs."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        super().__init__(f"functions are missing: {', '.join(self.names)}")


@dataclass(frozen=True)
class WasmModule:
    """A module, and what its host has to know.

    The stack has `stack_bytes`, and ends at `heap_base`, where what the host may use begins. The
    memory has `pages` at first. `functions` are the addresses of the exported functions: their
    places in the table.
    """

    code: bytes
    heap_base: int
    stack_bytes: int
    pages: int
    functions: Mapping[str, int]


class _Reader:
    """Reads bytes one thing after another."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """Read a number of any size (LEB128), without a sign."""
        found = shift = 0
        while True:
            byte = self.byte()
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found

    def signed(self) -> int:
        """Read a number of any size, with a sign."""
        begin, found = self.at, self.number()
        bits = 7 * (self.at - begin)
        return found - (found >> (bits - 1) << bits)

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def name(self) -> str:
        return self.take(self.number()).decode()


def _number(value: int) -> bytes:
    """Return a number without a sign as the format has it."""
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes((*found, value))


def _signed(value: int) -> bytes:
    """Return a number with a sign as the format has it."""
    found = bytearray()
    while not -64 <= value < 64:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes((*found, value & 127))


def _counted(items: list[bytes]) -> bytes:
    return _number(len(items)) + b"".join(items)


def _text(name: str) -> bytes:
    data = name.encode()
    return _number(len(data)) + data


class _Object:
    """An object file: its sections by their kinds, its functions' names, and who calls whom."""

    def __init__(self, data: bytes) -> None:
        assert data.startswith(_MAGIC), "an object file for WebAssembly"
        reader = _Reader(data, len(_MAGIC))
        self.sections: dict[int, bytes] = {}
        custom: dict[str, _Reader] = {}
        while reader.at < len(data):
            kind = reader.byte()
            content = reader.take(reader.number())
            if kind == _CUSTOM:
                inner = _Reader(content)
                custom[inner.name()] = inner
            else:
                self.sections[kind] = content
        self.imported = [*self._imported_functions()]
        self.functions: dict[str, int] = {}
        self._symbols: dict[int, int] = {}
        self._read_symbols(custom["linking"])
        self._bodies = [*self._stretches()]
        self.calls: dict[int, set[int]] = defaultdict(set)
        self._with_room: list[tuple[int, int]] = []
        if "reloc.CODE" in custom:
            self._read_calls(custom["reloc.CODE"])

    def _imported_functions(self) -> Iterator[str]:
        reader = _Reader(self.sections.get(_IMPORT, b"\0"))
        for _ in range(reader.number()):
            reader.name()
            name, kind = reader.name(), reader.byte()
            if kind == _KINDS["function"]:
                reader.number()
                yield name
            elif kind == _KINDS["global"]:
                reader.take(2)
            else:
                reader.take(kind == _KINDS["table"])
                has_most = reader.byte()
                reader.number()
                if has_most:
                    reader.number()

    def _read_symbols(self, reader: _Reader) -> None:
        """Read the functions' names and numbers from a section that tells them."""
        reader.number()
        while reader.at < len(reader.data):
            kind, size = reader.byte(), reader.number()
            end = reader.at + size
            if kind == _SYMBOL_TABLE:
                for place in range(reader.number()):
                    self._read_symbol(reader, place)
            reader.at = end

    def _read_symbol(self, reader: _Reader, place: int) -> None:
        kind, flags = reader.byte(), reader.number()
        is_defined = not flags & _IS_UNDEFINED
        if kind == _OF_DATA:
            reader.name()
            if is_defined:
                for _ in range(3):
                    reader.number()
            return
        number = reader.number()
        if kind == _OF_SECTION:
            return
        if is_defined or flags & _HAS_NAME:
            name = reader.name()
            if kind == _OF_FUNCTION and is_defined:
                self.functions[name] = number
        if kind == _OF_FUNCTION:
            self._symbols[place] = number

    def _stretches(self) -> Iterator[tuple[int, int]]:
        """Yield where the body of each function begins and ends in the section of code."""
        reader = _Reader(self.sections[_CODE])
        for _ in range(reader.number()):
            size = reader.number()
            yield reader.at, reader.at + size
            reader.at += size

    def _read_calls(self, reader: _Reader) -> None:
        reader.number()
        caller = 0
        for _ in range(reader.number()):
            kind, offset, symbol = reader.byte(), reader.number(), reader.number()
            if kind in _WITH_ADDEND:
                reader.number()
            self._with_room.append((offset, kind))
            while offset >= self._bodies[caller][1]:
                caller += 1
            if kind != _OF_TYPE and symbol in self._symbols:
                self.calls[len(self.imported) + caller].add(self._symbols[symbol])

    def bodies(self) -> dict[int, bytes]:
        """Return the functions' bodies, by their numbers."""
        stretches = enumerate(self._bodies, len(self.imported))
        return {number: b"".join(self._shortened(*stretch)) for number, stretch in stretches}

    def _shortened(self, begin: int, end: int) -> Iterator[bytes]:
        """Yield the parts of a stretch of code, with short numbers where there is room for long."""
        reader = _Reader(self.sections[_CODE], begin)
        first = bisect_left(self._with_room, (begin, 0))
        last = bisect_left(self._with_room, (end, 0))
        for offset, kind in self._with_room[first:last]:
            if kind in _WITHOUT_SIGN | _WITH_SIGN:
                yield reader.take(offset - reader.at)
                is_signed = kind in _WITH_SIGN
                yield _signed(reader.signed()) if is_signed else _number(reader.number())
        yield reader.take(end - reader.at)

    def addressed(self) -> Iterator[int]:
        """Yield the functions whose addresses the code takes, in the order of the table."""
        reader = _Reader(self.sections.get(_ELEMENT, b"\0"))
        for _ in range(reader.number()):
            assert reader.number() == 0, "places in the one table"
            assert _constant(reader) == _FIRST_PLACE
            for _ in range(reader.number()):
                yield reader.number()

    def data(self) -> bytes:
        """Return what the memory has at first, from 0 on."""
        reader, found = _Reader(self.sections.get(_DATA, b"\0")), bytearray()
        for _ in range(reader.number()):
            assert reader.number() == 0, "data in the one memory"
            begin, size = _constant(reader), reader.number()
            found += bytes(max(0, begin + size - len(found)))
            found[begin : begin + size] = reader.take(size)
        return bytes(found)


def _constant(reader: _Reader) -> int:
    """Read an instruction that gives a number, and the end of an expression; return the number."""
    assert reader.take(1) == _I32_CONST
    found = reader.number()
    assert reader.take(1) == _END
    return found


def _at(address: int) -> bytes:
    """Return an expression that gives an address."""
    return _I32_CONST + _signed(address) + _END


def _with_one_more(section: bytes, item: bytes) -> bytes:
    """Return a section with an item more at its end."""
    reader = _Reader(section)
    count = reader.number()
    return _number(count + 1) + section[reader.at :] + item


def _start(unpack: int, begin: int, end: int) -> bytes:
    """Return the body of a function that unpacks what lies in memory, with its size."""
    places = (_I32_CONST + _signed(place) for place in (begin, end, 0))
    body = b"\0" + b"".join(places) + _CALL + _number(unpack) + _END
    return _number(len(body)) + body


def linked(data: bytes, exports: Iterable[str], stack_bytes: int) -> WasmModule:
    """Return the module of an object file, with these functions known outside, and such a stack.

    Raises NotAlone where functions are missing.
    """
    file = _Object(data)
    if file.imported:
        raise NotAlone(file.imported)
    plain = file.data()
    short = packed(plain)
    is_packed = len(short) + _PACKED_PAYS < len(plain)
    numbers = {name: file.functions[name] for name in exports}
    table = [*file.addressed()]
    addresses = {name: _FIRST_PLACE + len(table) + n for n, name in enumerate(numbers)}
    table += numbers.values()
    data_end = -(-len(plain) // _ALIGNED) * _ALIGNED
    heap_base = -(-(data_end + stack_bytes) // _ALIGNED) * _ALIGNED
    pages = -(-heap_base // PAGE)
    first = _at(heap_base)
    known = [_text(name) + b"\0" + _number(number) for name, number in numbers.items()]
    known += [
        _text("memory") + bytes((_KINDS["memory"], 0)),
        _text("__indirect_function_table") + bytes((_KINDS["table"], 0)),
        _text("__stack_pointer") + bytes((_KINDS["global"], 0)),
        _text("__heap_base") + bytes((_KINDS["global"], 1)),
    ]
    begin = b"\0" + _at(_FIRST_PLACE)
    sections = file.sections | {
        _TABLE: _counted([_FUNCREF + b"\0" + _number(_FIRST_PLACE + len(table))]),
        _MEMORY: _counted([b"\0" + _number(pages)]),
        _GLOBAL: _counted([_I32 + b"\1" + first, _I32 + b"\0" + first]),
        _EXPORT: _counted(known),
        _ELEMENT: _counted([begin + _counted([_number(number) for number in table])]),
    }
    roots, bodies = [*table], []
    if is_packed:
        unpack = file.functions["__unpack"]
        roots.append(unpack)
        bodies.append(_start(unpack, data_end, data_end + len(short)))
        sections[_TYPE] = _with_one_more(sections[_TYPE], _WITHOUT_ANYTHING)
        sections[_FUNCTION] = _with_one_more(
            sections[_FUNCTION], _number(_Reader(file.sections[_TYPE]).number())
        )
        sections[_START] = _number(_Reader(file.sections[_FUNCTION]).number())
        sections[_DATA] = _counted([b"\0" + _at(data_end) + _number(len(short)) + short])
    sections[_CODE] = _counted([*_needed_bodies(file, roots), *bodies])
    sections[_DATA_COUNT] = _number(_Reader(sections.get(_DATA, b"\0")).number())
    sections.pop(_IMPORT, None)
    parts = (
        bytes((kind,)) + _number(len(sections[kind])) + sections[kind]
        for kind in _ORDER
        if kind in sections
    )
    code = _MAGIC + b"".join(parts)
    return WasmModule(code, heap_base, stack_bytes, pages, addresses)


def _needed_bodies(file: _Object, begin: Iterable[int]) -> list[bytes]:
    """Return the functions' bodies with their sizes; those that nothing leads to are emptied."""
    reached, pending = set[int](), [*begin]
    while pending:
        number = pending.pop()
        if number not in reached:
            reached.add(number)
            pending += file.calls[number]
    empty = b"\0" + _UNREACHABLE + _END
    bodies = (body if n in reached else empty for n, body in file.bodies().items())
    return [_number(len(body)) + body for body in bodies]
