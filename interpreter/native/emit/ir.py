"""Writing LLVM's textual code: modules made of functions.

In: the instructions of functions (`blocks`). Out: the text of a module. What then holds: the
text of the same functions is the same in each process, for the same target.
"""

from __future__ import annotations

import ctypes
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from pathlib import PurePath

from gdl.analysis.ranges import Range
from gdl.data_classes import dataclass
from gdl.diagnostic import Span
from gdl.interpreter.native.emit.blocks import ENDLESS, Blocks
from gdl.interpreter.native.emit.kinds import (
    DOUBLE,
    I32,
    I64,
    PTR,
    Address,
    Bit,
    Integer,
    Kind,
    Type,
    Word,
    integer,
)
from gdl.interpreter.native.emit.target import Target

WORD = 64
WORD_BYTES = 8
WORLD, FRAME, POSITION = Address("%world"), Address("%frame"), Address("%position")
CONTEXT, RANDOM, VIEWS = Address("%context"), Address("%random"), Address("%views")
"""What functions are given: what they work with has the same name everywhere."""
_CALLED = re.compile(r" @(\w+)\(")
COPIED_HERE = " alwaysinline"
"""What stands behind a call where the function is copied, even if it is not where it is called
elsewhere."""
_MOST_COPIED = 25
"""The length up to which a function that calls no other is copied to wherever it is called."""
FRAME_BYTES = Word("FRAME_BYTES")
"""Stands in the code for the size of a frame, which is known when all code is written."""
_LONGEST_NOTE = 60
FRAME_TYPE = f"[{FRAME_BYTES} x i8]"


@dataclass
class Tables:
    """Constant data that the code reads, kept in memory of this process."""

    _known: dict[bytes, Address] = field(default_factory=dict)
    _kept: dict[str, ctypes.Array[ctypes.c_char]] = field(default_factory=dict)
    _made: dict[Hashable, Address] = field(default_factory=dict)

    def once(self, key: Hashable, make: Callable[[], bytes]) -> Address:
        """Return the name of a table that is made once for a key."""
        if key not in self._made:
            self._made[key] = self.add(make())
        return self._made[key]

    def add(self, data: bytes) -> Address:
        """Return the name of a copy of `data`: a constant, which is its address."""
        if data not in self._known:
            name = f"table_{len(self._known)}"
            self._kept[name] = ctypes.create_string_buffer(data, len(data) + WORD)
            self._known[data] = Address(f"@{name}")
        return self._known[data]

    @property
    def addresses(self) -> Mapping[str, int]:
        """Where each table lies, by its name, as long as there is somebody who has these tables."""
        return {name: ctypes.addressof(copy) for name, copy in self._kept.items()}

    def declarations(self, target: Target) -> Iterator[str]:
        """What a module's text for a target says of them."""
        return (target.table(name, memoryview(copy)) for name, copy in self._kept.items())


class Function(Blocks):
    """One function under construction."""

    def __init__(
        self, name: str, result: str, parameters: Sequence[str], attributes: str = ""
    ) -> None:
        """Begin a function, which raises no exception; `parameters` are like `ptr %frame`.

        `world` is the register of the world's address, if it is known everywhere in the function;
        then its loops can be stopped (see `polls`). A function that `is_guarded` tests how much
        stack is left. What one that `is_of_another_turn` does is no work of the turn that it is
        called in, and one that `is_called_seldom` is next to none. `origin` is what was being
        written when it was begun, and `newest` has the place in a game's file that was noted last;
        `declared`, what the module names of LLVM.
        """
        super().__init__()
        self.name = name
        self.result = result.removeprefix("internal ")
        self.world: Address | None = WORLD if "ptr %world" in parameters else None
        self.is_guarded = False
        self.is_of_another_turn = False
        self.is_called_seldom = False
        self._head = f"define {result} @{name}({', '.join(parameters)}) nounwind {attributes}"
        self._is_inlined = False
        self._notes: list[tuple[int, Span]] = []
        self.origin: Span | None = None
        self.newest: list[Span] = []
        self.declared: dict[str, None] = {}

    def declare(self, text: str) -> None:
        """Name a function that LLVM brings with it, to the whole module."""
        self.declared[f"declare {text}"] = None

    def copy(self, source: Address, target: Address, size: int | str) -> None:
        """Write that memory is copied."""
        self.declare("void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
        arguments = f"ptr {target}, ptr {source}, i64 {size}, i1 false"
        self.do(f"call void @llvm.memcpy.p0.p0.i64({arguments})")

    def clear(self, target: Address, size: int | str) -> None:
        """Write that memory is set to zero."""
        self.declare("void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
        self.do(f"call void @llvm.memset.p0.i64(ptr {target}, i8 0, i64 {size}, i1 false)")

    def intrinsic(self, name: str, type_: Type[Kind], value: Kind, *more: str) -> Kind:
        """Write a function of LLVM's own of a number or a vector; return its result.

        >>> Function("f", "void", []).intrinsic("ctpop", I64, Word("%bits"))
        '%v1'
        """
        suffix = "f64" if type_ == DOUBLE else re.sub(r"<(\d+) x (\w+)>", r"v\1\2", type_)
        kinds = ", ".join((type_, *(each.split(" ")[0] for each in more)))
        self.declare(f"{type_} @llvm.{name}.{suffix}({kinds})")
        arguments = ", ".join((f"{type_} {value}", *more))
        return self.call(type_, f"@llvm.{name}.{suffix}({arguments})")

    def call_at(self, address: Word, arguments: Iterable[Word]) -> Word:
        """Call a function at an address that takes words (addresses are some) and gives one."""
        called = self.convert("inttoptr", I64, address, PTR)
        return self.call(I64, f"{called}({', '.join(f'i64 {word}' for word in arguments)})")

    def memory_differs(self, one: Address, other: Address, size: int) -> Bit:
        """Write whether two pieces of memory differ (i1)."""
        self.declare("i32 @memcmp(ptr, ptr, i64)")
        found = self.call(I32, f"@memcmp(ptr {one}, ptr {other}, i64 {size})")
        return self.compare("ne", I32, found, 0)

    def note(self, span: Span | None) -> None:
        """Note where in a game's file that stands which the next instructions carry out."""
        if span is not None:
            self._notes.append((len(self.body), span))
            self.newest[:] = [span]

    @property
    def nothing(self) -> str:
        """What the function returns when it has to stop: from a search, that it stops."""
        nothing = {"void": "void", "i1": "i1 true", "ptr": "ptr null"}
        return nothing.get(self.result, f"{self.result} 0")

    def place_of(self, line: int) -> Span | None:
        """Return where in a game's file that stands which a line of the body carries out."""
        at = bisect_right(self._notes, line, key=lambda note: note[0])
        return self._notes[at - 1][1] if at else self.origin

    def inline(self) -> None:
        """Let the function be copied to wherever it is called."""
        self._is_inlined = True

    @property
    def calls(self) -> list[str]:
        """The names of the functions that it calls, once for each call."""
        return [name for line in self.body if "call " in line for name in _CALLED.findall(line)]

    @property
    def copied_here(self) -> list[str]:
        """The names of the functions that are copied to where it calls them, once for each call."""
        lines = (line for line in self.body if line.endswith(COPIED_HERE))
        return [name for line in lines for name in _CALLED.findall(line)]

    def is_copied(self, *, is_called_once: bool) -> bool:
        """Whether the function is copied to wherever it is called: where that costs little."""
        if "internal" not in self._head or "noinline" in self._head:
            return False
        is_short = len(self.body) <= _MOST_COPIED and not self.calls
        return self._is_inlined or is_called_once or is_short

    def text(self, body: Sequence[str], *, is_called_once: bool, with_notes: bool = False) -> str:
        """Return the whole function; `body` has its instructions, as they have become.

        `with_notes`, a comment before the instructions says where in the game's file they stand.
        """
        head = self._head + "alwaysinline " * self.is_copied(is_called_once=is_called_once)
        if with_notes:
            comments: dict[int, list[str]] = {}
            for place, span in self._notes:
                comments.setdefault(place, []).append(f"  ; {_comment(span)}")
            body = [
                line
                for place, instruction in enumerate(body)
                for line in (*comments.get(place, ()), instruction)
            ]
        return "\n".join([f"{head}{{", "entry:", *self.variables, *body, "}"])


def _comment(span: Span) -> str:
    """Return the place of a span and its first line, as one line of plain characters."""
    words = span.text.strip().partition("\n")[0][:_LONGEST_NOTE].rstrip()
    told = f"{PurePath(span.source.name).name}:{span.line}:{span.column} {words}"
    return "".join(char if char.isprintable() else " " for char in told)


class Module:
    """Functions, declarations and tables that make one program for a `target`.

    `places` are those in a game's file that the code can name, by their numbers. What each of the
    `globals` returns when all code is written is told before it.
    """

    def __init__(self, target: Target) -> None:
        self.target = target
        self.tables = Tables()
        self._functions: list[Function] = []
        self._names: dict[str, dict[Hashable, str]] = {}
        self._declared: dict[str, None] = {}
        self.globals: list[Callable[[], str]] = []
        self.places: list[Span | None] = [None]
        self._newest: list[Span] = []

    @property
    def newest_place(self) -> Span | None:
        """The place in a game's file that code was last written for."""
        return next(iter(self._newest), None)

    def number_of(self, place: Span | None) -> int:
        """Return the number of a place."""
        if place not in self.places:
            self.places.append(place)
        return self.places.index(place)

    def function(
        self, name: str, result: str, parameters: Sequence[str], attributes: str = ""
    ) -> Function:
        """Begin a function of the module, for what is being written.

        It takes the place of an earlier one of its name.
        """
        function = Function(name, result, parameters, attributes)
        function.origin = self._functions[-1].place_of(ENDLESS) if self._functions else None
        function.newest = self._newest
        function.declared = self._declared
        self._functions.append(function)
        return function

    @contextmanager
    def procedure(self, name: str, *parameters: str) -> Iterator[Function]:
        """Add a function without a result, which is never copied to where it is called."""
        function = self.function(name, "internal void", parameters, "noinline ")
        yield function
        function.give("void")

    def once(self, kind: str, key: Hashable, write: Callable[[str], None]) -> str:
        """Return the name of the function of a kind that is written once for a key.

        `write` begins it under that name.
        """
        names = self._names.setdefault(kind, {})
        if key not in names:
            names[key] = f"{kind}_{len(names)}"
            write(names[key])
        return names[key]

    def reached(self, names: Collection[str]) -> tuple[dict[str, Function], Counter[str]]:
        """Return the functions of these names and all that they call, and how often from where.

        The names are called once each, besides.
        """
        known = {function.name: function for function in self._functions}
        calls = Counter(names)
        reached: set[str] = set()
        pending = list(names)
        while pending:
            name = pending.pop()
            if name in known and name not in reached:
                reached.add(name)
                calls.update(known[name].calls)
                pending += known[name].calls
        return {name: known[name] for name in known if name in reached}, calls

    @property
    def declarations(self) -> Iterable[str]:
        """The functions that LLVM brings with it, the tables, and the module's own memory."""
        tables = self.tables.declarations(self.target)
        return (*self._declared, *tables, *(told() for told in self.globals))


def width_of(found: Range) -> int:
    """Return the bits of the smallest signed integer of whole words that holds both bounds."""
    bits = max((~end if end < 0 else end).bit_length() for end in (found.low, found.high)) + 1
    return -(-bits // WORD) * WORD


def number_type(found: Range) -> Type[Integer]:
    """Return the type of the register of a number within a range."""
    return integer(width_of(found))
