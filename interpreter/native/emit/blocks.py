"""Instructions and blocks of a function: loops, branches, variables.

In: instructions, one after the other. Out: their text. What then holds: every block ends with one
jump or return, and variables live in the entry block (LLVM makes registers of them).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any, Generic, NewType, TypeVar

from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.kinds import (
    I1,
    I64,
    PTR,
    TRUE,
    Address,
    Bit,
    Integer,
    Kind,
    Other,
    Type,
    Word,
)

ENDLESS = 1 << 60
"""The rounds of a loop of which no bound is known."""

_REMEMBERED = 20
"""For so many instructions a value is remembered, from its last use on: registers are few."""

_Part = TypeVar("_Part")

Label = NewType("Label", str)
"""The name of a block, to which code can go on."""


@dataclass(frozen=True)
class Loop:
    """A loop under construction: the labels of its head and of what comes after it."""

    head: Label
    done: Label


@dataclass(frozen=True)
class CountedLoop(Loop, Generic[Kind]):
    """A loop under construction that counts: the number of the round."""

    number: Kind


class Blocks:
    """Instructions under construction: `ins` adds one, `label` begins a block.

    `body` has the instructions so far, but for those that make room for `variables`.
    `most_rounds` has what is known of how many rounds a loop can have, by the label that it jumps
    back to; loops that are `seldom` looked into are given by that label, too (see `polls`).
    """

    def __init__(self) -> None:
        self.most_rounds: dict[str, int] = {}
        self.seldom: set[str] = set()
        self.is_open = True
        self.variables: list[str] = []
        self.body: list[str] = []
        self._number = 0
        self._known: dict[str, tuple[Any, int]] = {}
        self._read: list[str] = []

    def _fresh(self, kind: str) -> str:
        """Return a name that is not used yet."""
        self._number += 1
        return f"{kind}{self._number}"

    def ins(self, text: str, type_: Type[Kind]) -> Kind:
        """Add an instruction that gives a value of a type; return the register of that.

        What was worked out shortly before, in the same block, is not worked out again: so there is
        less for LLVM to read. Only calls, and what reads memory, may give another value later.
        """
        register: Kind
        known, here = self._known.get(text), len(self.body)
        if known is not None and here - known[1] <= _REMEMBERED:
            register = known[0]
            self._known[text] = register, here
            return register
        self._number += 1
        name: Any = f"%v{self._number}"
        register = name
        self.body.append(f"  {register} = {text}")
        kind = text[:4]
        if kind == "call":
            self._forget_memory()
        elif kind != "load" or text[5:13] != "volatile":
            if kind == "load" and known is None:
                self._read.append(text)
            self._known[text] = register, here
        return register

    def do(self, text: str) -> None:
        """Add an instruction without a value."""
        self.body.append(f"  {text}")
        self._forget_memory()

    def shared(self, text: str, type_: Type[Kind]) -> Kind:
        """Add an instruction on memory that other threads write to; return its register.

        It is done each time, and what was read before is not taken for what stands there now.
        """
        register: Any = self._fresh("%v")
        found: Kind = register
        self.do(f"{found} = {text}")
        return found

    def _forget_memory(self) -> None:
        """Take nothing in memory for what it was before."""
        for text in self._read:
            del self._known[text]
        self._read.clear()

    def variable(self, type_: Type[Kind], value: Kind | int | None = None) -> Address:
        """Return the address of a variable of the function; its value is not set if none is given.

        It gets the value here, not at the beginning of the function.
        """
        address = self.room(type_)
        if value is not None:
            self.put(type_, value, address)
        return address

    def room(self, type_: str) -> Address:
        """Return the address of memory of the function for what has a type."""
        name = f"%{self._fresh('a')}"
        self.variables.append(f"  {name} = alloca {type_}, align 16")
        return Address(name)

    def get(self, type_: Type[Kind], address: Address) -> Kind:
        """Read memory."""
        return self.ins(f"load {type_}, ptr {address}, align 1", type_)

    def put(self, type_: Type[Kind], value: Kind | int, address: Address) -> None:
        """Write memory."""
        self.do(f"store {type_} {value}, ptr {address}, align 1")

    def add(self, type_: Type[Kind], value: Kind | int, address: Address) -> Kind:
        """Add to a number in memory; return the sum."""
        total = self.binary("add", type_, self.get(type_, address), value)
        self.put(type_, total, address)
        return total

    def binary(self, name: str, type_: Type[Kind], a: Kind | int, b: Kind | int) -> Kind:
        """Write an operation of LLVM's on two registers of a type, such as `add` or `and`."""
        return self.ins(f"{name} {type_} {a}, {b}", type_)

    def joined(self, name: str, type_: Type[Kind], values: Iterable[Kind]) -> Kind:
        """Join registers by an operation of LLVM's, from the first on; there is one at least."""
        return reduce(lambda so_far, value: self.binary(name, type_, so_far, value), values)

    def compare(self, test: str, type_: Type[Kind], a: Kind | int, b: Kind | int) -> Bit:
        """Write a test of LLVM's of two registers of a type, such as `eq` or `slt`."""
        return self.ins(f"icmp {test} {type_} {a}, {b}", I1)

    def select(self, condition: Bit, type_: Type[Kind], a: Kind | int, b: Kind | int) -> Kind:
        """Return the first of two registers if a condition holds, or else the second."""
        return self.ins(f"select i1 {condition}, {type_} {a}, {type_} {b}", type_)

    def convert(self, way: str, given: Type[Other], value: Other, wanted: Type[Kind]) -> Kind:
        """Return a number as one of another width; the `way` is LLVM's, such as `zext`."""
        return self.ins(f"{way} {given} {value} to {wanted}", wanted)

    def call(self, type_: Type[Kind], called: str) -> Kind:
        """Call a function, given as in `@count(ptr %frame)`; return its result."""
        return self.ins(f"call {type_} {called}", type_)

    def unsigned(self, type_: Type[Integer], address: Address) -> Word:
        """Read a number from memory that has no sign; return it as an i64."""
        return self.convert("zext", type_, self.get(type_, address), I64)

    def is_not(self, condition: Bit) -> Bit:
        """Return whether a condition does not hold."""
        return self.binary("xor", I1, condition, TRUE)

    def has_bit(self, type_: Type[Kind], word: Kind, place: Kind | int) -> Bit:
        """Return whether the bit at a place of a word is set."""
        return self.convert("trunc", type_, self.binary("lshr", type_, word, place), I1)

    def at(self, address: Address, offset: Word | int) -> Address:
        """Return the address some bytes further on."""
        if offset == 0:
            return address
        return self.ins(f"getelementptr i8, ptr {address}, i64 {offset}", PTR)

    def entry(self, type_: str, address: Address, number: Word | int) -> Address:
        """Return the address of the entry with a number in a list of entries of a type."""
        return self.ins(f"getelementptr {type_}, ptr {address}, i64 {number}", PTR)

    def word_at(self, address: Address, number: Word | int) -> Address:
        """Return the address of the word (i64) that so many others precede."""
        return self.entry(I64, address, number)

    def new_label(self) -> Label:
        """Return a label for a block to come."""
        return Label(self._fresh("b"))

    def label(self, name: Label) -> None:
        """Begin a block; the one before goes on into it if it has not ended."""
        if self.is_open:
            self.jump(name)
        self.body.append(f"{name}:")
        self._known.clear()
        self._read.clear()
        self.is_open = True

    def jump(self, name: Label) -> None:
        """End the block by going on elsewhere."""
        if self.is_open:
            self.body.append(f"  br label %{name}")
        self.is_open = False

    def branch(self, condition: Bit, then: Label, otherwise: Label) -> None:
        """End the block by going on at one of two places."""
        self.body.append(f"  br i1 {condition}, label %{then}, label %{otherwise}")
        self.is_open = False

    def give(self, typed: str) -> None:
        """End the block by returning a value with its type, or `void`."""
        if self.is_open:
            self.body.append(f"  ret {typed}")
        self.is_open = False

    @contextmanager
    def when(self, condition: Bit) -> Iterator[None]:
        """Add what is done only if the condition holds."""
        then, after = self.new_label(), self.new_label()
        self.branch(condition, then, after)
        self.label(then)
        yield
        self.label(after)

    @contextmanager
    def unless(self, condition: Bit) -> Iterator[None]:
        """Add what is done only if the condition does not hold."""
        otherwise, after = self.new_label(), self.new_label()
        self.branch(condition, after, otherwise)
        self.label(otherwise)
        yield
        self.label(after)

    @contextmanager
    def block(self) -> Iterator[Label]:
        """Add what can be left: code in it that goes on at the label goes on behind all of it."""
        after = self.new_label()
        yield after
        self.label(after)

    def need(self, condition: Bit, otherwise: Label) -> None:
        """Go on only if the condition holds; else at a label."""
        go_on = self.new_label()
        self.branch(condition, go_on, otherwise)
        self.label(go_on)

    def leave_if(self, condition: Bit, there: Label) -> None:
        """Go on at a label if the condition holds; else here."""
        go_on = self.new_label()
        self.branch(condition, there, go_on)
        self.label(go_on)

    def give_if(self, condition: Bit, typed: str) -> None:
        """Return a value with its type if the condition holds; else go on here."""
        with self.when(condition):
            self.give(typed)

    def either(self, condition: Bit, then: _Part, otherwise: _Part) -> Iterator[_Part]:
        """Yield what is to be added if the condition holds, and then what is if it does not.

        Both go on at the same place, unless they end.
        """
        first, second, after = (self.new_label() for _ in range(3))
        self.branch(condition, first, second)
        yield from self._ways({first: then, second: otherwise}, after)

    def cases(self, type_: Type[Kind], number: Kind, parts: Sequence[_Part]) -> Iterator[_Part]:
        """Yield what is to be added for each number from 0 on; it is one of them.

        All go on at the same place, unless they end.
        """
        ways = {self.new_label(): part for part in parts}
        nowhere, after = self.new_label(), self.new_label()
        listed = " ".join(f"{type_} {i}, label %{label}" for i, label in enumerate(ways))
        self.do(f"switch {type_} {number}, label %{nowhere} [{listed}]")
        self.is_open = False
        self.label(nowhere)
        self.do("unreachable")
        self.is_open = False
        yield from self._ways(ways, after)

    def _ways(self, ways: Mapping[Label, _Part], after: Label) -> Iterator[_Part]:
        meet = False
        for label, part in ways.items():
            self.label(label)
            yield part
            meet |= self.is_open
            self.jump(after)
        if meet:
            self.label(after)

    @contextmanager
    def loop(self, most: int | None = None) -> Iterator[Loop]:
        """Add what is done again and again, until the code goes on at `done`.

        A jump to the head begins the next round at once. If it is known that there are no more
        than `most` rounds, the loop says so.
        """
        loop = Loop(self.new_label(), self.new_label())
        if most is not None:
            self.most_rounds[loop.head] = most
        self.label(loop.head)
        yield loop
        self.jump(loop.head)
        self.label(loop.done)

    def at_most(self, number: Word, most: int) -> Word:
        """Return a number (not negative), or the most that is wanted where it is greater."""
        return self.select(self.compare("ult", I64, number, most), I64, number, most)

    @contextmanager
    def rounds(self, count: Word | int, most: int = ENDLESS) -> Iterator[CountedLoop[Word]]:
        """Add what is done so many times, once for each number from 0 on.

        It is known that there are no more than `most`. A jump to the head begins the next round at
        once, one to `done` ends the loop.
        """
        next_ = self.variable(I64, 0)
        with self.loop(int(count) if str(count).isdigit() else most) as loop:
            number = self.get(I64, next_)
            self.need(self.compare("slt", I64, number, count), loop.done)
            self.put(I64, self.binary("add", I64, number, 1), next_)
            yield CountedLoop(loop.head, loop.done, number)

    @contextmanager
    def through(
        self, type_: Type[Kind], low: Kind, high: Kind, most: int = ENDLESS
    ) -> Iterator[CountedLoop[Kind]]:
        """Add what is done for each number from one to another, the last one included.

        It is known that there are no more than `most`.
        """
        next_ = self.variable(type_, low)
        head, following, done = self.new_label(), self.new_label(), self.new_label()
        self.most_rounds[head] = most
        self.branch(self.compare("sle", type_, low, high), head, done)
        self.label(head)
        number = self.get(type_, next_)
        yield CountedLoop(following, done, number)
        self.label(following)
        self.put(type_, self.binary("add", type_, number, 1), next_)
        self.branch(self.compare("eq", type_, number, high), done, head)
        self.label(done)

    @contextmanager
    def strides(self, first: Word | int, end: Word | int, apart: int, most: int) -> Iterator[Word]:
        """Add what is done for each number from one to below another, so far apart.

        There is one at least, and it is known that there are no more than `most`.
        """
        next_ = self.variable(I64, first)
        with self.loop(most) as loop:
            number = self.get(I64, next_)
            yield number
            following = self.binary("add", I64, number, apart)
            self.put(I64, following, next_)
            self.branch(self.compare("ult", I64, following, end), loop.head, loop.done)
