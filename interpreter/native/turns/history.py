"""The memory of earlier positions: keys, one behind the other, in a table of the world.

In: the memories of a program. Out: code that adds a key and code that counts equal ones. What
then holds: keys are kept and compared whole, so that no two positions are ever mistaken for one
another; a position has only the number of its keys, so that going back needs no undoing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gdl.analysis.ranges import Range, Uncovered
from gdl.core.nodes import Expression, Get, Memory, Times
from gdl.core.types import FLAG, SITES
from interpreter.native.emit.arithmetic import range_of, to_range
from interpreter.native.emit.ir import WORD, Function, Module, copy_bytes
from interpreter.native.emit.values import Flag, Number, Sites
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.memory.frame import Field, FrameLayout

_WORD = Range(-(2**63), 2**63 - 1)
_USUAL_PAST = 1024
"""How many earlier positions there usually are at most."""
_WORDS_COMPARED = 16
"""How many words of a key are compared one by one, before all others are at once."""


@dataclass(frozen=True)
class KeyPart:
    """A part of a key: what it is the value of, and where it lies in the key."""

    node: Expression
    field: Field

    @property
    def per_site(self) -> bool:
        """Whether it is a copy of a slot that has a value for each site."""
        return isinstance(self.node, Get) and self.node.slot.per_site


class Past:
    """Writes the code of memories; `parts` has the layout of the keys of each."""

    def __init__(
        self,
        module: Module,
        expressions: Expressions,
        layout: FrameLayout,
        memories: tuple[Memory, ...],
    ) -> None:
        self._module = module
        self._expressions = expressions
        self._layout = layout
        self._memories = memories
        self.parts = [self._key_parts(memory) for memory in memories]
        self.key_bytes = [sum(_room(part.field) for part in parts) for parts in self.parts]
        for number in range(len(memories)):
            self._write_count(number)

    def _key_parts(self, memory: Memory) -> tuple[KeyPart, ...]:
        parts: list[KeyPart] = []
        offset = 0
        for node in memory.key:
            parts.append(KeyPart(node, self._field(node, offset)))
            offset += _room(parts[-1].field)
        return tuple(parts)

    def _field(self, node: Expression, offset: int) -> Field:
        if isinstance(node, Get) and node.slot.per_site:
            return replace(self._layout.fields[node.slot], offset=offset)
        if node.type == SITES:
            return Field(offset, self._expressions.sets.bits)
        if node.type == FLAG:
            return Field(offset, WORD)
        denominator = self._expressions.ranges.of(node).denominator
        if denominator == 1:
            return Field(offset, WORD, 1, _WORD)
        return Field(offset, 512, 1, Range(-(2**511), 2**511 - 1, denominator))

    # ------------------------------------------------------------------------ code

    def _write_key(self, p: Place, parts: Iterable[KeyPart], address: str) -> None:
        f = p.f
        for part in parts:
            target = f.at(address, part.field.offset)
            if isinstance(part.node, Get) and part.per_site:
                f.put("i64", "0", f.at(target, _room(part.field) - 8))
                source = f.at(p.frame, self._layout.fields[part.node.slot].offset)
                copy_bytes(self._module, f, source, target, part.field.bytes)
                continue
            value = self._expressions.value(p, part.node)
            if isinstance(value, Sites):
                self._expressions.sets.write(f, value, target)
            elif isinstance(value, Flag):
                f.put("i64", f.ins(f"zext i1 {value.register} to i64"), target)
            else:
                self._write_number(f, value, part.field, target)

    def _write_number(self, f: Function, value: Number, field: Field, target: str) -> None:
        assert field.range is not None, "a number has a range"
        both = field.range.hull(range_of(value))
        if both != field.range:
            raise Uncovered("such a number in what is remembered of a position")
        f.put(field.type, to_range(f, value, both), target)

    def times(self, p: Place, node: Times) -> Number:
        """Write the count of equal keys in a history."""
        f, p = p.f, p.as_it_is
        number = self._layout.histories[node.history]
        key = f.variable(f"[{self.key_bytes[number]} x i8]")
        parts = zip(node.key, self.parts[number], strict=True)
        self._write_key(p, (replace(part, node=own) for own, part in parts), key)
        many = f.get("i64", f.at(p.frame, self._layout.fields[node.history].offset))
        c.charge(f, p.world, many)
        found = f.ins(f"call i64 @past_{number}(ptr {p.world}, i64 {many}, ptr {key})")
        return Number(found, 0, 2**40)

    def _write_count(self, number: int) -> None:
        """Write the function that compares a key with all of a history, the latest first.

        Its callers count its work, and it looks at nothing else meanwhile (see `polls`): a history
        that fits into memory is soon read, and calls of a function that only reads cost less.
        """
        size = self.key_bytes[number]
        f = self._module.function(
            f"past_{number}", "internal i64", ["ptr %world", "i64 %many", "ptr %key"], "nounwind "
        )
        table = f.get("ptr", f.at(f.world, c.PAST + 16 * number))
        f.world = ""
        left, found = f.variable("i64", "%many"), f.variable("i64", "0")
        with f.loop(_USUAL_PAST) as loop:
            now = f.get("i64", left)
            f.need(f.ins(f"icmp sgt i64 {now}, 0"), loop.done)
            place = f.ins(f"sub i64 {now}, 1")
            f.put("i64", place, left)
            address = f.at(table, f.ins(f"mul i64 {place}, {size}"))
            for offset in range(0, min(size, 8 * _WORDS_COMPARED), 8):
                a, b = f.get("i64", f.at(address, offset)), f.get("i64", f.at("%key", offset))
                f.need(f.ins(f"icmp eq i64 {a}, {b}"), loop.head)
            rest = size - 8 * _WORDS_COMPARED
            if rest > 0:
                self._module.declare("i32 @memcmp(ptr, ptr, i64)")
                places = (f.at(each, 8 * _WORDS_COMPARED) for each in (address, "%key"))
                pointers = ", ".join(f"ptr {place}" for place in places)
                differs = f.ins(f"call i32 @memcmp({pointers}, i64 {rest})")
                f.need(f.ins(f"icmp eq i32 {differs}, 0"), loop.head)
            f.add("i64", "1", found)
        f.give(f"i64 {f.get('i64', found)}")

    def remember(self, p: Place) -> None:
        """Write that the position's keys are added to its histories."""
        f = p.f
        for number, memory in enumerate(self._memories):
            address = f.at(p.frame, self._layout.fields[memory.slot].offset)
            many = f.get("i64", address)
            capacity = f.get("i64", f.at(p.world, c.PAST + 16 * number + 8))
            for is_full in f.either(f.ins(f"icmp uge i64 {many}, {capacity}"), True, False):
                if is_full:
                    c.fail(f, p.world, c.PAST_IS_FULL)
                    continue
                table = f.get("ptr", f.at(p.world, c.PAST + 16 * number))
                key = f.at(table, f.ins(f"mul i64 {many}, {self.key_bytes[number]}"))
                self._write_key(p, self.parts[number], key)
                f.put("i64", f.ins(f"add i64 {many}, 1"), address)

    @property
    def newest_bytes(self) -> int:
        """How many bytes the newest key of each history takes, one behind the other."""
        return sum(self.key_bytes)

    def copy_newest(self, f: Function, frame: str, world: str, target: str) -> None:
        """Write that the newest key of each history of a position is copied to an address."""
        for number, memory in enumerate(self._memories):
            many = f.get("i64", f.at(frame, self._layout.fields[memory.slot].offset))
            table = f.get("ptr", f.at(world, c.PAST + 16 * number))
            newest = f.ins(f"sub i64 {many}, 1")
            key = f.at(table, f.ins(f"mul i64 {newest}, {self.key_bytes[number]}"))
            copy_bytes(self._module, f, key, target, self.key_bytes[number])
            target = f.at(target, self.key_bytes[number])


def _room(field: Field) -> int:
    """Return how many bytes of a key a part of it takes: whole words, compared as such."""
    return -(-field.bytes // 8) * 8
