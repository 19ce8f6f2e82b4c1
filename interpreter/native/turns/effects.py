"""The code of statements without decisions: what a turn does to its frame.

In: statements, and the place where code is written. Out: instructions, in a function that
returns whether a search is to stop. What then holds: a value that does not fit into its slot, or
a loop that does not end, is an error in the world, and the function returns at once.
"""

from __future__ import annotations

from gdl.analysis.ranges import Range, Uncovered
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    Expression,
    ForEach,
    Get,
    GroupsOf,
    Op,
    RangeOf,
    Repeat,
    SitesOf,
    Slot,
    Statement,
    most_rounds,
)
from gdl.core.types import FRACTION
from interpreter.native.emit.ir import Module, copy_bytes, width_of
from interpreter.native.emit.values import Number, Sites, Value
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.memory.frame import Field, FrameLayout
from interpreter.native.sets.arrays import ArraySets

_WORD = Range(-(2**63), 2**63 - 1)
_MOST_GROUP_BYTES = 1 << 18
_MOST_COMPARED = 1024
"""How many bytes of a field are compared entry by entry."""


class Effects:
    """Writes statements without decisions. `best` is the slot of which the most is kept."""

    def __init__(
        self, module: Module, expressions: Expressions, layout: FrameLayout, best: Slot | None
    ) -> None:
        self._module = module
        self._expressions = expressions
        self._sets = expressions.sets
        self._layout = layout
        self._best = best

    # --------------------------------------------------------------------- effects

    def effect(self, p: Place, statement: Statement) -> None:
        """Write a statement without decisions."""
        p.f.note(statement.span)
        match statement:
            case Assign():
                self._assign(p, statement)
            case AssignAt():
                self._assign_at(p, statement)
            case Branch(_, condition, then, otherwise):
                self._effect_branch(p, condition, then, otherwise)
            case ForEach():
                self._effect_each(p, statement)
            case Repeat():
                self._effect_repeat(p, statement)

    def _effects(self, p: Place, block: Block) -> None:
        for statement in block:
            self.effect(p, statement)

    def _assign(self, p: Place, statement: Assign) -> None:
        slot = statement.slot
        if self._change_in_place(p, statement):
            return
        value = self._expressions.value(p, statement.value)
        self._test(p, slot, value)
        if slot is self._best:
            p.f.put("i8", "1", p.f.at(p.frame, self._layout.has_best.offset))
        self._expressions.write(p, slot, value)

    def _change_in_place(self, p: Place, statement: Assign) -> bool:
        """Write that some sites are put into a set or taken out of it, if that is all there is."""
        sets = self._sets
        if not isinstance(sets, ArraySets) or statement.slot in self._layout.singles:
            return False
        match statement.value:
            case Op("union" | "difference" as name, (Get(slot), of)) if slot is statement.slot:
                listed = sets.indices(p.f, self._expressions.sites(p, of))
                if listed is None:
                    return False
                address = p.f.at(p.frame, self._layout.fields[slot].offset)
                change = sets.trails.add if name == "union" else sets.trails.drop
                for index in listed:
                    change(p.f, p.world, address, index)
                return True
        return False

    def _test(self, p: Place, slot: Slot, value: Value) -> None:
        """Write the test that a number fits into its slot."""
        if not isinstance(value, Number) or not slot.type.is_numeric:
            return
        field = self._layout.fields[slot]
        if slot.type == FRACTION:
            assert field.range is not None, "the field of a fraction has a range"
            low, high, over = field.range.low, field.range.high, field.range.denominator
        else:
            low = _WORD.low if slot.low is None else slot.low
            high = _WORD.high if slot.high is None else slot.high
            over = 1
        limits, given = Range(low, high, over), Range(value.low, value.high, value.denominator)
        both = limits.hull(given)
        wanted, found = limits.scaled(both.denominator), given.scaled(both.denominator)
        if wanted.low <= found.low and found.high <= wanted.high:
            return
        f = p.f
        register = self._expressions.to_range(f, value, both)
        type_ = f"i{width_of(both.low, both.high)}"
        below = f.ins(f"icmp slt {type_} {register}, {wanted.low}")
        above = f.ins(f"icmp sgt {type_} {register}, {wanted.high}")
        c.refuse(f, p.world, f.ins(f"or i1 {below}, {above}"), c.RULES_FAIL)

    def _assign_at(self, p: Place, statement: AssignAt) -> None:
        f, sets = p.f, self._sets
        field = self._layout.fields[statement.slot]
        value = self._expressions.value(p, statement.value)
        self._test(p, statement.slot, value)
        loop = sets.each(f, self._expressions.sites(p, statement.sites))
        offset = f.ins(f"mul i64 {loop.index}, {field.entry_bytes}")
        address = f.at(f.at(p.frame, field.offset), offset)
        self._expressions.write_field(f, field, statement.slot, value, address)
        loop.end()

    def _effect_branch(
        self, p: Place, condition: Expression, then: Block, otherwise: Block
    ) -> None:
        f = p.f
        holds = self._expressions.flag(p, condition)
        first, second, after = f.new_label(), f.new_label(), f.new_label()
        f.branch(holds, first, second)
        f.label(first)
        self._effects(p, then)
        f.jump(after)
        f.label(second)
        self._effects(p, otherwise)
        f.label(after)

    def _effect_each(self, p: Place, statement: ForEach) -> None:
        f, sets = p.f, self._sets
        slot, domain = statement.slot, statement.domain

        def body(inner: Place, after: str) -> None:
            self._test(p, slot, inner.bound[slot])
            self._expressions.write(p, slot, inner.bound[slot])
            self._effects(p, statement.body)

        if not isinstance(domain, GroupsOf):
            self.refuse_long_range(p, domain)
            self._expressions.over(p, slot, domain, body)
            return
        self.refuse_many_groups()
        groups = f.variable(f"[{sets.size} x {sets.type}]")
        count = f.variable("i64")
        self.store_groups(p, slot, domain, groups, count)
        place = f.variable("i64")
        f.put("i64", "0", place)
        head, inside, done = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        now = f.get("i64", place)
        f.branch(f.ins(f"icmp slt i64 {now}, {f.get('i64', count)}"), inside, done)
        f.label(inside)
        f.put("i64", f.ins(f"add i64 {now}, 1"), place)
        group = sets.read(f, f.at(groups, f.ins(f"mul i64 {now}, {sets.bytes}")))
        self._expressions.write(p, slot, group)
        self._effects(p, statement.body)
        f.jump(head)
        f.label(done)

    def _effect_repeat(self, p: Place, statement: Repeat) -> None:
        f = p.f
        rounds = f.variable("i64")
        f.put("i64", "0", rounds)
        bound = ""
        if statement.mode == "times":
            assert statement.bound is not None, "`times` has a bound"
            bound = self._expressions.word(p, statement.bound)
            c.refuse(f, p.world, f.ins(f"icmp sgt i64 {bound}, {statement.limit}"), c.RULES_FAIL)
        watched = [
            (f.at(p.frame, field.offset), f.variable(f"[{field.bytes} x i8]"), field)
            for field in self.watched(statement)
        ]
        head, inside, done = f.new_label(), f.new_label(), f.new_label()
        f.most_rounds[head] = statement.limit
        f.label(head)
        made = f.get("i64", rounds)
        if statement.mode == "times":
            goes_on = f.ins(f"icmp slt i64 {made}, {bound}")
        else:
            goes_on = self.goes_on(p, statement, made, watched)
        f.branch(goes_on, inside, done)
        f.label(inside)
        f.put("i64", f.ins(f"add i64 {made}, 1"), rounds)
        if statement.mode != "times":
            self.refuse_more(p, made, statement.limit)
        for now, copy, field in watched:
            copy_bytes(self._module, f, now, copy, field.bytes)
        self._effects(p, statement.body)
        f.jump(head)
        f.label(done)

    def refuse_many_groups(self) -> None:
        """Raise Uncovered where keeping all groups of a set at a time takes too much memory."""
        if self._sets.size * self._sets.bytes > _MOST_GROUP_BYTES:
            raise Uncovered("statements for each group of a set, on a board of this size")

    def store_groups(self, p: Place, slot: Slot, domain: GroupsOf, groups: str, count: str) -> None:
        """Write all groups of a domain one after the other, since the body may change them."""
        f, sets = p.f, self._sets
        f.put("i64", "0", count)

        def store(inner: Place, after: str) -> None:
            number = f.get("i64", count)
            offset = f.ins(f"mul i64 {number}, {sets.bytes}")
            group = inner.bound[slot]
            assert isinstance(group, Sites), "a group is a set"
            sets.write(f, group, f.at(groups, offset))
            f.put("i64", f.ins(f"add i64 {number}, 1"), count)

        self._expressions.over(p, slot, domain, store)

    def refuse_long_range(self, p: Place, domain: SitesOf | RangeOf) -> None:
        """Write that a loop over more numbers than there may be rounds fails."""
        if isinstance(domain, SitesOf):
            return
        f, ranges = p.f, self._expressions.ranges
        limit = most_rounds(self._sets.size)
        if ranges.of(domain.high).high - ranges.of(domain.low).low < limit:
            return
        low, high = self._expressions.word(p, domain.low), self._expressions.word(p, domain.high)
        many = f.ins(f"icmp uge i64 {f.ins(f'sub i64 {high}, {low}')}, {limit}")
        some = f.ins(f"icmp sle i64 {low}, {high}")
        c.refuse(f, p.world, f.ins(f"and i1 {some}, {many}"), c.RULES_FAIL)

    def refuse_more(self, p: Place, made: str, limit: int) -> None:
        """Write that a loop fails after too many rounds."""
        f = p.f
        c.refuse(f, p.world, f.ins(f"icmp sge i64 {made}, {limit}"), c.RULES_FAIL)

    def goes_on(
        self, p: Place, statement: Repeat, made: str, watched: list[tuple[str, str, Field]]
    ) -> str:
        """Return whether there is another round after those `made`."""
        f = p.f
        if statement.mode == "while":
            assert statement.bound is not None, "`while` has a condition"
            return self._expressions.flag(p, statement.bound)
        is_first = f.ins(f"icmp eq i64 {made}, 0")
        if statement.mode == "until":
            assert statement.bound is not None, "`until` has a condition"
            holds = self._expressions.flag(p, statement.bound)
            return f.ins(f"or i1 {is_first}, {f.ins(f'xor i1 {holds}, true')}")
        result = is_first
        for now, before, field in watched:
            if field.bytes > _MOST_COMPARED:
                self._module.declare("i32 @memcmp(ptr, ptr, i64)")
                unlike = f.ins(f"call i32 @memcmp(ptr {now}, ptr {before}, i64 {field.bytes})")
                result = f.ins(f"or i1 {result}, {f.ins(f'icmp ne i32 {unlike}, 0')}")
                continue
            for offset in range(0, field.bytes, field.entry_bytes):
                a = f.get(field.type, f.at(now, offset))
                b = f.get(field.type, f.at(before, offset))
                changed = f.ins(f"icmp ne {field.type} {a}, {b}")
                result = f.ins(f"or i1 {result}, {changed}")
        return result

    def watched(self, statement: Repeat) -> list[Field]:
        """Return the fields that a loop compares to know whether anything changes."""
        return [self._layout.fields[slot] for slot in statement.compared]
