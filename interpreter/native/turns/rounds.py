"""The code of rounds: loops with decisions in them, of which each round is a call.

In: a loop. Out: what the frame keeps of it, and code that begins a round or goes on to what
follows the loop. What then holds: each frame knows which rounds are left to it, so those that
continue different ways of one round don't meet.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gdl.core.nodes import ForEach, GroupsOf, RangeOf, Repeat, SitesOf, Slot
from interpreter.native.emit.ir import Module, copy_bytes
from interpreter.native.emit.values import Number
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.memory.frame import Field, FrameLayout
from interpreter.native.turns.continuations import Continuation
from interpreter.native.turns.effects import Effects

Round = Callable[[Place, Continuation], None]
"""Writes how a round begins, given what follows the loop; the code of the body comes next."""


class Rounds:
    """Writes the rounds of loops; `effects` has what they share with loops without decisions."""

    def __init__(
        self, module: Module, expressions: Expressions, layout: FrameLayout, effects: Effects
    ) -> None:
        self._module = module
        self._expressions = expressions
        self._sets = expressions.sets
        self._layout = layout
        self._effects = effects

    # ------------------------------------------------------------------ for each

    def each(self, p: Place, statement: ForEach) -> Round:
        """Write what is kept before the first round: the elements that are left."""
        slot, domain = statement.slot, statement.domain
        if isinstance(domain, SitesOf):
            return self._sites(p, slot, domain)
        if isinstance(domain, RangeOf):
            return self._numbers(p, slot, domain)
        return self._groups(p, slot, domain)

    def _sites(self, p: Place, slot: Slot, domain: SitesOf) -> Round:
        sites = self._expressions.sites(p, domain.sites)
        listed = self._sets.indices(p.f, sites)
        if listed is not None:
            return self._listed(p, slot, listed)
        rest = self._layout.add_set()
        self._expressions.store(p, sites, p.f.at(p.frame, rest.offset))
        return partial(self._next_site, slot, rest)

    def _next_site(self, slot: Slot, rest: Field, p: Place, after: Continuation) -> None:
        f, sets = p.f, self._sets
        address = f.at(p.frame, rest.offset)
        left = sets.read(f, address)
        _leave_unless(p, sets.some(f, left), after)
        first = sets.first(f, left)
        self._expressions.store(p, sets.difference(f, left, first), address)
        self._expressions.write(p, slot, sets.one(first.site or "", is_there=True))

    def _listed(self, p: Place, slot: Slot, listed: tuple[str, ...]) -> Round:
        """A list of indices is kept in the frame, and how many of them are done."""
        f = p.f
        entries, done = self._layout.add(16, max(1, len(listed))), self._layout.add(16)
        for place, index in enumerate(listed):
            narrow = f.ins(f"trunc i64 {index} to i16")
            f.put("i16", narrow, f.at(p.frame, entries.offset + 2 * place))
        f.put("i16", "0", f.at(p.frame, done.offset))
        return partial(self._next_listed, slot, entries, done, len(listed))

    def _next_listed(
        self, slot: Slot, entries: Field, done: Field, many: int, p: Place, after: Continuation
    ) -> None:
        f = p.f
        address = f.at(p.frame, done.offset)
        head, further, over, there = (f.new_label() for _ in range(4))
        f.most_rounds[head] = many
        f.label(head)
        number = f.get("i16", address)
        f.branch(f.ins(f"icmp ult i16 {number}, {many}"), further, over)
        f.label(over)
        after.go(p)
        f.label(further)
        f.put("i16", f.ins(f"add i16 {number}, 1"), address)
        offset = f.ins(f"mul i64 {f.ins(f'zext i16 {number} to i64')}, 2")
        index = f.get("i16", f.at(f.at(p.frame, entries.offset), offset))
        f.branch(f.ins(f"icmp sge i16 {index}, 0"), there, head)
        f.label(there)
        site = self._sets.one(f.ins(f"zext i16 {index} to i64"), is_there=True)
        self._expressions.write(p, slot, site)

    def _numbers(self, p: Place, slot: Slot, domain: RangeOf) -> Round:
        f = p.f
        self._effects.refuse_long_range(p, domain)
        field = self._layout.add(64, 2)
        f.put("i64", self._expressions.word_within(p, domain.low), f.at(p.frame, field.offset))
        high = self._expressions.word_within(p, domain.high)
        f.put("i64", high, f.at(p.frame, field.offset + 8))
        return partial(self._next_number, slot, field)

    def _next_number(self, slot: Slot, field: Field, p: Place, after: Continuation) -> None:
        f = p.f
        address = f.at(p.frame, field.offset)
        now = f.get("i64", address)
        last = f.get("i64", f.at(p.frame, field.offset + 8))
        _leave_unless(p, f.ins(f"icmp sle i64 {now}, {last}"), after)
        is_last = f.ins(f"icmp eq i64 {now}, {last}")
        following = f.ins(f"select i1 {is_last}, i64 1, i64 {f.ins(f'add i64 {now}, 1')}")
        f.put("i64", following, address)
        with f.when(is_last):
            f.put("i64", "0", f.at(p.frame, field.offset + 8))
        found = self._expressions.ranges.of_slot(slot)
        self._expressions.write(p, slot, Number(now, found.low, found.high))

    def _groups(self, p: Place, slot: Slot, domain: GroupsOf) -> Round:
        f = p.f
        count = self._layout.add(64, 2)
        self._effects.refuse_many_groups()
        groups = self._layout.add_set(self._sets.size)
        f.put("i64", "0", f.at(p.frame, count.offset + 8))
        self._effects.store_groups(
            p, slot, domain, f.at(p.frame, groups.offset), f.at(p.frame, count.offset)
        )
        return partial(self._next_group, slot, groups, count)

    def _next_group(
        self, slot: Slot, groups: Field, count: Field, p: Place, after: Continuation
    ) -> None:
        f = p.f
        many = f.get("i64", f.at(p.frame, count.offset))
        address = f.at(p.frame, count.offset + 8)
        now = f.get("i64", address)
        _leave_unless(p, f.ins(f"icmp slt i64 {now}, {many}"), after)
        f.put("i64", f.ins(f"add i64 {now}, 1"), address)
        offset = f.ins(f"mul i64 {now}, {groups.entry_bytes}")
        group = self._sets.read(f, f.at(f.at(p.frame, groups.offset), offset))
        self._expressions.write(p, slot, group)

    # -------------------------------------------------------------------- repeat

    def repeat(self, p: Place, statement: Repeat) -> Round:
        """Write what is kept before the first round: how many were made, and what is compared."""
        f = p.f
        rounds = self._layout.add(64, 2)
        watched = self._effects.watched(statement)
        earlier = [self._layout.add(8, field.bytes) for field in watched]
        f.put("i64", "0", f.at(p.frame, rounds.offset))
        if statement.mode == "times":
            assert statement.bound is not None, "`times` has a bound"
            bound = self._expressions.word(p, statement.bound)
            c.refuse(f, p.world, f.ins(f"icmp sgt i64 {bound}, {statement.limit}"), c.RULES_FAIL)
            f.put("i64", bound, f.at(p.frame, rounds.offset + 8))
        pairs = list(zip(watched, earlier, strict=True))
        return partial(self._next_repeat, statement, rounds, pairs)

    def _next_repeat(
        self,
        statement: Repeat,
        rounds: Field,
        watched: list[tuple[Field, Field]],
        p: Place,
        after: Continuation,
    ) -> None:
        f, effects = p.f, self._effects
        address = f.at(p.frame, rounds.offset)
        made = f.get("i64", address)
        if statement.mode == "times":
            bound = f.get("i64", f.at(p.frame, rounds.offset + 8))
            goes_on = f.ins(f"icmp slt i64 {made}, {bound}")
        else:
            pairs = [(f.at(p.frame, a.offset), f.at(p.frame, b.offset), a) for a, b in watched]
            goes_on = effects.goes_on(p, statement, made, pairs)
        _leave_unless(p, goes_on, after)
        f.put("i64", f.ins(f"add i64 {made}, 1"), address)
        if statement.mode != "times":
            effects.refuse_more(p, made, statement.limit)
        for field, copy in watched:
            source, target = f.at(p.frame, field.offset), f.at(p.frame, copy.offset)
            copy_bytes(self._module, f, source, target, field.bytes)


def _leave_unless(p: Place, goes_on: str, after: Continuation) -> None:
    """Write that a loop is over unless it goes on (i1): then what follows it comes next."""
    f = p.f
    go_on, done = f.new_label(), f.new_label()
    f.branch(goes_on, go_on, done)
    f.label(done)
    after.go(p)
    f.label(go_on)
