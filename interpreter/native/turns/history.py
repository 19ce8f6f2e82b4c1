"""The memory of earlier positions: keys, one behind the other, in a table of the world.

In: the memories of a program. Out: code that adds a key and code that counts equal ones. What
then holds: keys are kept and compared whole, so that no two positions are ever mistaken for one
another; a position has only the number of its keys, so that going back needs no undoing.
"""

from __future__ import annotations

from dataclasses import dataclass

from gdl.analysis.ranges import Range, Uncovered
from gdl.core.nodes import Expression, Get, Memory, Times
from gdl.core.types import FLAG, SITES
from interpreter.native.emit.ir import Function, Module, copy_bytes
from interpreter.native.emit.values import Flag, Number, Sites
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.memory.frame import Field, FrameLayout

_WORD = Range(-(2**63), 2**63 - 1)
_USUAL_PAST = 1024
"""How many earlier positions there usually are at most."""


@dataclass(frozen=True)
class KeyPart:
    """A part of a key: where it lies, and what it is.

    `copied` is the field that it is a copy of, where a slot has a value for each site; `range`
    that of a number.
    """

    offset: int
    bytes: int
    kind: str
    range: Range | None = None
    copied: Field | None = None


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
        self.key_bytes = [sum(part.bytes for part in parts) for parts in self.parts]
        for number in range(len(memories)):
            self._write_count(number)

    def _key_parts(self, memory: Memory) -> tuple[KeyPart, ...]:
        parts: list[KeyPart] = []
        offset = 0
        for node in memory.key:
            part = self._part(node, offset)
            parts.append(part)
            offset += part.bytes
        return tuple(parts)

    def _part(self, node: Expression, offset: int) -> KeyPart:
        if isinstance(node, Get) and node.slot.per_site:
            field = self._layout.fields[node.slot]
            return KeyPart(offset, -(-field.bytes // 8) * 8, "copy", None, field)
        if node.type == SITES:
            return KeyPart(offset, self._expressions.sets.bytes, "sites")
        if node.type == FLAG:
            return KeyPart(offset, 8, "flag")
        found = self._expressions.ranges.of(node)
        if found.denominator == 1:
            return KeyPart(offset, 8, "number", _WORD)
        return KeyPart(offset, 64, "number", Range(-(2**511), 2**511 - 1, found.denominator))

    # ------------------------------------------------------------------------ code

    def _write_key(
        self, p: Place, key: tuple[Expression, ...], parts: tuple[KeyPart, ...], address: str
    ) -> None:
        f = p.f
        for node, part in zip(key, parts, strict=True):
            target = f.at(address, part.offset)
            if part.copied is not None:
                f.put("i64", "0", f.at(target, part.bytes - 8))
                source = f.at(p.frame, part.copied.offset)
                copy_bytes(self._module, f, source, target, part.copied.bytes)
                continue
            value = self._expressions.value(p, node)
            if isinstance(value, Sites):
                self._expressions.sets.write(f, value, target)
            elif isinstance(value, Flag):
                f.put("i64", f.ins(f"zext i1 {value.register} to i64"), target)
            else:
                self._write_number(f, value, part, target)

    def _write_number(self, f: Function, value: Number, part: KeyPart, target: str) -> None:
        assert part.range is not None, "a number has a range"
        wanted = part.range
        given = Range(value.low, value.high, value.denominator)
        both = wanted.hull(given)
        if both.denominator != wanted.denominator or not (
            wanted.low <= both.low and both.high <= wanted.high
        ):
            raise Uncovered("such a number in what is remembered of a position")
        f.put(f"i{part.bytes * 8}", self._expressions.to_range(f, value, wanted), target)

    def times(self, p: Place, node: Times) -> Number:
        """Write the count of equal keys in a history."""
        f = p.f
        number = self._layout.histories[node.history]
        key = f.variable(f"[{self.key_bytes[number]} x i8]")
        self._write_key(p, node.key, self.parts[number], key)
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
            for offset in range(0, size, 8):
                a, b = f.get("i64", f.at(address, offset)), f.get("i64", f.at("%key", offset))
                f.need(f.ins(f"icmp eq i64 {a}, {b}"), loop.head)
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
                self._write_key(p, memory.key, self.parts[number], key)
                f.put("i64", f.ins(f"add i64 {many}, 1"), address)
