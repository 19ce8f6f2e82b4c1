"""The memory of earlier positions: keys, one behind the other, in a table of the world.

In: the memories of a program. Out: code that adds a key and code that counts equal ones. What
then holds: keys are kept and compared whole where their digests are equal, so that no two positions
are ever mistaken for one another; a position has only the number of its keys, so that going back
needs no undoing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from gdl.analysis.ranges import IN_A_WORD, Range, Uncovered
from gdl.core.nodes import Expression, Get, Memory, Times
from gdl.core.types import FLAG, SITES
from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.arithmetic import to_range
from gdl.interpreter.native.emit.blocks import Label
from gdl.interpreter.native.emit.ir import WORD, WORLD, Function
from gdl.interpreter.native.emit.kinds import (
    I1,
    I32,
    I64,
    PTR,
    Address,
    Integer,
    Type,
    Word,
)
from gdl.interpreter.native.emit.values import Flag, Number, Sites
from gdl.interpreter.native.expressions.expressions import Expressions
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.memory.fields import Field

_USUAL_PAST = 1024
"""How many earlier positions there usually are at most."""
_FEW = 8
"""How many keys are sooner compared than their digests are."""
_WORDS_IN_LINE = 16
"""How many words of a key are taken one by one, before all others are at once."""
_SUMS = 8
"""How many sums a digest of a long key is made of."""
_FACTOR = 0x9E3779B97F4A7C15
_KEY, _COUNT = Address("%key"), Word("%count")
"""What functions that count are given: a key, and how many there are to compare it with."""


@dataclass(frozen=True)
class KeyPart:
    """A part of a key: what it is the value of, and where it lies in the key."""

    node: Expression
    field: Field[Any]

    @property
    def per_site(self) -> bool:
        """Whether it is a copy of a slot that has a value for each site."""
        return isinstance(self.node, Get) and self.node.slot.per_site


class Past:
    """Writes the code of memories; `parts` has the layout of the keys of each."""

    def __init__(self, expressions: Expressions, memories: tuple[Memory, ...]) -> None:
        self._module = expressions.sets.module
        self._expressions = expressions
        self._layout = expressions.layout
        self._memories = memories
        self.parts = [self._key_parts(memory) for memory in memories]
        self.key_bytes = [sum(_room(part.field) for part in parts) for parts in self.parts]
        for number in range(len(memories)):
            self._write_count(number)

    def _key_parts(self, memory: Memory) -> tuple[KeyPart, ...]:
        parts: list[KeyPart] = []
        offset = 0
        for node in memory.key:
            parts.append(KeyPart(node, replace(self._field(node), offset=offset)))
            offset += _room(parts[-1].field)
        return tuple(parts)

    def _field(self, node: Expression) -> Field[Any]:
        """Return a field for what an expression is the value of."""
        if isinstance(node, Get) and node.slot.per_site:
            return self._layout.fields[node.slot]
        if node.type == SITES:
            return Field(0, self._expressions.sets.bits)
        if node.type == FLAG:
            return Field(0, WORD)
        denominator = self._expressions.ranges.of(node).denominator
        if denominator == 1:
            return Field(0, WORD, 1, IN_A_WORD)
        return Field(0, 512, 1, Range(-(2**511), 2**511 - 1, denominator))

    # ------------------------------------------------------------------------ code

    def _own(self, f: Function, world: Address, number: int) -> Address:
        """Return the address of what the world has of a memory."""
        return f.at(world, w.PAST + w.PAST_BYTES * number)

    def _key_at(self, f: Function, number: int, table: Address, place: Word) -> Address:
        """Return the address of the key that so many others (i64) precede in a table of keys."""
        return f.at(table, f.binary("mul", I64, place, self.key_bytes[number]))

    def _write_key(
        self, p: Place, number: int, values: Iterable[Expression], address: Address
    ) -> None:
        """Write that a key is made of some values."""
        f = p.f
        for part, node in zip(self.parts[number], values, strict=True):
            field, target = part.field, part.field.at(f, address)
            if isinstance(node, Get) and node.slot.per_site:
                f.put(I64, 0, f.at(target, _room(field) - 8))
                f.copy(self._layout.fields[node.slot].at(f, p.frame), target, field.bytes)
                continue
            value = self._expressions.value(p, node)
            if isinstance(value, Sites):
                self._expressions.sets.write(f, value, target)
            elif isinstance(value, Flag):
                f.put(I64, f.convert("zext", I1, value.register, I64), target)
            elif field.range is None or field.range != field.range.hull(value.range):
                raise Uncovered(
                    "a number of more than 64 bits, or fraction of 512, that `seen` compares"
                )
            else:
                f.put(field.type, to_range(f, value, field.range), target)

    def times(self, p: Place, node: Times) -> Number:
        """Write the count of equal keys in a history."""
        f, p = p.f, p.as_it_is
        number = self._layout.histories[node.history]
        key = f.room(f"[{self.key_bytes[number]} x i8]")
        self._write_key(p, number, node.key, key)
        count = self._layout.fields[node.history].get(f, p.frame)
        w.charge(f, p.world, count)
        found = f.call(I64, f"@past_{number}(ptr {p.world}, i64 {count}, ptr {key})")
        return Number(Integer(found), Range(0, 2**40))

    def _write_digest(self, number: int) -> None:
        """Write the function that makes 32 bits of a key, most often others of another key.

        They are the upper half of a sum in which each word has an odd factor of its own: powers of
        the constant of Knuth's multiplicative hashing (The Art of Computer Programming, 6.4). In a
        long key, several sums are made side by side, since each product waits for the one before.
        """
        name, words = f"digest_{number}", self.key_bytes[number] // 8
        f = self._module.function(name, "internal i32", ["ptr %key"])
        rounds = words // _SUMS if words > _WORDS_IN_LINE else 0
        totals = [f.variable(I64, 0) for _ in range(_SUMS if rounds else 0)]
        if rounds:
            with f.rounds(rounds) as loop:
                here = f.at(_KEY, f.binary("mul", I64, loop.number, 8 * _SUMS))
                for place, total in enumerate(totals):
                    word = f.get(I64, f.at(here, 8 * place))
                    f.put(I64, f.binary("mul", I64, f.add(I64, word, total), _FACTOR), total)
        whole, in_loop = f.variable(I64, 0), rounds * _SUMS
        parts = [f.get(I64, total) for total in totals]
        parts += [f.get(I64, f.at(_KEY, 8 * place)) for place in range(in_loop, words)]
        for place, part in enumerate(parts, start=1):
            f.add(I64, f.binary("mul", I64, part, pow(_FACTOR, place, 1 << WORD)), whole)
        upper = f.binary("lshr", I64, f.get(I64, whole), 32)
        f.give(f"i32 {f.convert('trunc', I64, upper, I32)}")

    def _write_count(self, number: int) -> None:
        """Write the functions that count how often a key is in a history, in a long one by digests.

        Their callers count their work, and they look at nothing else meanwhile (see `polls`): a
        history that fits into memory is soon read, and calls of a function that only reads cost
        less.
        """
        self._write_digest(number)
        self._write_long(number)
        f, table, found = self._counting(number, "past")
        with f.when(f.compare("sgt", I64, _COUNT, _FEW)):
            arguments = "ptr %world, i64 %count, ptr %key"
            f.give(f"i64 {f.call(I64, f'@long_past_{number}({arguments})')}")
        with f.rounds(_COUNT, _FEW) as loop:
            self._need_same(f, number, self._key_at(f, number, table, loop.number), loop.head)
            f.add(I64, 1, found)
        f.give(f"i64 {f.get(I64, found)}")

    def _counting(
        self, number: int, name: str, attributes: str = ""
    ) -> tuple[Function, Address, Address]:
        """Begin a function that counts; return it, the keys of its history, and its count."""
        parameters = ["ptr %world", "i64 %count", "ptr %key"]
        name = f"{name}_{number}"
        f = self._module.function(name, "internal i64", parameters, attributes)
        f.world = None
        return f, f.get(PTR, self._own(f, WORLD, number)), f.variable(I64, 0)

    def _write_long(self, number: int) -> None:
        """Write the count in a long history: digests are compared, and keys that have the same."""
        f, table, found = self._counting(number, "long_past", "noinline ")
        own = self._own(f, WORLD, number)
        digests = f.get(PTR, f.at(own, w.PAST_DIGESTS))
        self._write_digests(f, number, table, digests, f.at(own, w.PAST_DIGESTED))
        at_once: Type[Integer] = Type(f"<{w.DIGESTS_COMPARED} x i32>")
        one = f.call(I32, f"@digest_{number}(ptr %key)")
        first = f.ins(f"insertelement {at_once} poison, i32 {one}, i64 0", at_once)
        copies = f"{at_once} {first}, {at_once} poison, {at_once} zeroinitializer"
        wanted = f.ins(f"shufflevector {copies}", at_once)
        next_, hits = (f.variable(I64, 0) for _ in range(2))
        with f.loop(_USUAL_PAST) as loop:
            place = f.get(I64, next_)
            f.need(f.compare("slt", I64, place, _COUNT), loop.done)
            f.add(I64, w.DIGESTS_COMPARED, next_)
            some = f.get(at_once, f.at(digests, f.binary("shl", I64, place, 2)))
            equal = f.compare("eq", at_once, some, wanted)
            mask = f.ins(f"bitcast <{w.DIGESTS_COMPARED} x i1> {equal} to {I64}", I64)
            f.leave_if(f.compare("eq", I64, mask, 0), loop.head)
            f.put(I64, mask, hits)
            with f.loop(w.DIGESTS_COMPARED) as each:
                left = f.get(I64, hits)
                f.leave_if(f.compare("eq", I64, left, 0), loop.head)
                f.put(I64, f.binary("and", I64, left, f.binary("sub", I64, left, 1)), hits)
                lowest = f.intrinsic("cttz", I64, left, "i1 true")
                hit = f.binary("add", I64, place, lowest)
                f.need(f.compare("slt", I64, hit, _COUNT), loop.done)
                self._need_same(f, number, self._key_at(f, number, table, hit), each.head)
                f.add(I64, 1, found)
        f.give(f"i64 {f.get(I64, found)}")

    def _write_digests(
        self, f: Function, number: int, table: Address, digests: Address, known: Address
    ) -> None:
        """Write that there are digests of as many keys as are asked for."""
        with f.loop(1) as loop:
            place = f.get(I64, known)
            f.need(f.compare("slt", I64, place, _COUNT), loop.done)
            key = self._key_at(f, number, table, place)
            digest = f.call(I32, f"@digest_{number}(ptr {key})")
            f.put(I32, digest, f.at(digests, f.binary("shl", I64, place, 2)))
            f.add(I64, 1, known)

    def _need_same(self, f: Function, number: int, key: Address, otherwise: Label) -> None:
        """Write that what follows is done only if a key is the one that is asked for."""
        size, in_line = self.key_bytes[number], 8 * _WORDS_IN_LINE
        for offset in range(0, min(size, in_line), 8):
            a, b = f.get(I64, f.at(key, offset)), f.get(I64, f.at(_KEY, offset))
            f.need(f.compare("eq", I64, a, b), otherwise)
        if size > in_line:
            differs = f.memory_differs(f.at(key, in_line), f.at(_KEY, in_line), size - in_line)
            f.leave_if(differs, otherwise)

    def remember(self, p: Place) -> None:
        """Write that the position's keys are added to its histories."""
        f = p.f
        for number, memory in enumerate(self._memories):
            address = self._layout.fields[memory.slot].at(f, p.frame)
            count = f.get(I64, address)
            own = self._own(f, p.world, number)
            capacity = f.get(I64, f.at(own, w.PAST_ROOM))
            for is_full in f.either(f.compare("uge", I64, count, capacity), True, False):
                if is_full:
                    w.fail(f, p.world, w.NO_ROOM)
                    continue
                key = self._key_at(f, number, f.get(PTR, own), count)
                self._write_key(p, number, memory.key, key)
                digested = f.at(own, w.PAST_DIGESTED)
                least = f.intrinsic("smin", I64, f.get(I64, digested), f"i64 {count}")
                f.put(I64, least, digested)
                f.put(I64, f.binary("add", I64, count, 1), address)

    def copy_newest(self, f: Function, frame: Address, target: Address) -> None:
        """Write that the newest key of each history of a position is copied to an address."""
        for number, memory in enumerate(self._memories):
            count = self._layout.fields[memory.slot].get(f, frame)
            table = f.get(PTR, self._own(f, WORLD, number))
            key = self._key_at(f, number, table, f.binary("sub", I64, count, 1))
            f.copy(key, target, self.key_bytes[number])
            target = f.at(target, self.key_bytes[number])


def _room(field: Field[Any]) -> int:
    """Return how many bytes of a key a part of it takes: whole words, compared as such."""
    return -(-field.bytes // 8) * 8
