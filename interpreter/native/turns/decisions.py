"""The code of decisions: what is tried at a point of a turn, one possibility after the other.

In: a choice or a decision between alternatives, and what follows it. Out: the end of a function.
What then holds: what follows is called once for each possibility, in order, with a frame that
knows nothing of those before; once it returns that the search is to stop, no other is tried.
"""

from __future__ import annotations

from collections.abc import Callable

from gdl.core.nodes import Block, Choose, Decide, RangeOf, SitesOf
from interpreter.native.emit.ir import FRAME_BYTES, FRAME_TYPE, Module, copy_bytes
from interpreter.native.emit.values import Number, Sites, Value
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.memory.frame import FrameLayout
from interpreter.native.sets.arrays import ArraySets
from interpreter.native.turns.continuations import Continuation
from interpreter.native.turns.given_decisions import GivenDecisions
from interpreter.native.turns.shortcuts import Shortcuts
from interpreter.native.turns.traces import Entries
from interpreter.native.turns.unordered_choices import UnorderedChoices
from interpreter.reference.steps import MOST_WAYS


class Decisions:
    """Writes the decisions of a turn."""

    def __init__(
        self,
        module: Module,
        expressions: Expressions,
        layout: FrameLayout,
        entries: Entries,
        partners: UnorderedChoices,
        shortcuts: Shortcuts,
    ) -> None:
        self._module = module
        self._expressions = expressions
        self._sets = expressions.sets
        self._given = GivenDecisions(expressions.sets, layout)
        self._entries = entries
        self._partners = partners
        self._shortcuts = shortcuts

    # ------------------------------------------------------------------------ choices

    def choose(self, p: Place, statement: Choose, after: Continuation) -> None:
        """Write a choice of a site or a number."""
        if isinstance(statement.domain, SitesOf):
            self._choose_site(p, statement, statement.domain, after)
        else:
            self._choose_number(p, statement, statement.domain, after)

    def _choose_site(
        self, p: Place, statement: Choose, domain: SitesOf, after: Continuation
    ) -> None:
        f, sets = p.f, self._sets
        candidates = self._expressions.sites(p, domain.sites)
        if candidates.mask is None:
            candidates = Sites(sets.mask(f, candidates))
        candidates = self._partners.in_one_order(p, statement, candidates)
        candidates = self._given.site(p, candidates)

        def take(number: str) -> None:
            index = sets.nth(f, candidates, number)
            self._take(p, statement, index, sets.one(index, is_there=True), after)

        self._shortcuts.choose(p, statement, after, lambda: sets.count(f, candidates), take)
        kept = self._kept(p)
        loop = sets.each(f, candidates)
        own = self._own_frame(p)
        result = self._take(own, statement, loop.index, sets.one(loop.index, is_there=True), after)
        with f.when(result):
            f.give("i1 true")
        self._put_back(p, kept)
        loop.end()
        f.give("i1 false")

    def _choose_number(
        self, p: Place, statement: Choose, domain: RangeOf, after: Continuation
    ) -> None:
        f = p.f
        found = self._expressions.ranges.of_slot(statement.slot)
        low = self._expressions.word(p, domain.low)
        high = self._expressions.word(p, domain.high)
        if found.low < -(2**31) or found.high >= 2**31:
            _refuse_large(p, low, high)
        _refuse_many(p, low, high)
        low, high = self._given.numbers(p, low, high)

        def number_at(index: str) -> Number:
            return Number(index, found.low, found.high)

        def take(number: str) -> None:
            value = f.ins(f"add i64 {low}, {number}")
            self._take(p, statement, value, number_at(value), after)

        def count() -> str:
            is_some = f.ins(f"icmp sle i64 {low}, {high}")
            several = f.ins(f"add i64 {f.ins(f'sub i64 {high}, {low}')}, 1")
            return f.ins(f"select i1 {is_some}, i64 {several}, i64 0")

        self._shortcuts.choose(p, statement, after, count, take)
        kept = self._kept(p)
        with f.through(low, high, MOST_WAYS) as loop:
            own = self._own_frame(p)
            value = loop.number
            result = self._take(own, statement, value, number_at(value), after)
            with f.when(result):
                f.give("i1 true")
            self._put_back(p, kept)
        f.give("i1 false")

    def _take(
        self, p: Place, statement: Choose, number: str, value: Value, after: Continuation
    ) -> str:
        """Write that a choice is made, and the call of what follows; return its result."""
        self._expressions.write(p, statement.slot, value)
        place = self._entries.choose(p, statement, number)
        self._partners.note(p, statement, place)
        return after.call(p)

    # ------------------------------------------------------------------- alternatives

    def decide(self, p: Place, statement: Decide, way_on: Callable[[Block], Continuation]) -> None:
        """Write a decision between alternatives; `way_on` is what follows for the body of each."""
        f = p.f
        is_given, decision = self._given.decision(p)
        first = self._entries.first(statement)
        kept = self._kept(p)
        ways = [way_on(alternative.body) for alternative in statement.alternatives]
        is_given, decision = self._shortcuts.decide(p, statement, is_given, decision)
        for place, (alternative, way) in enumerate(zip(statement.alternatives, ways, strict=True)):
            open_, closed = f.new_label(), f.new_label()
            same = f.ins(f"icmp eq i64 {decision}, {place}")
            free = f.ins(f"xor i1 {is_given}, true")
            f.branch(f.ins(f"or i1 {same}, {free}"), open_, closed)
            f.label(open_)
            own = self._own_frame(p)
            self._entries.decide(own, alternative.token, first + place)
            with f.when(way.call(own)):
                f.give("i1 true")
            if place < len(ways) - 1:
                self._put_back(p, kept)
            f.label(closed)
        f.give("i1 false")

    # ------------------------------------------------------------------------- frames

    def _own_frame(self, p: Place) -> Place:
        """Return a place with a copy of the frame; the frame, where changes are taken back."""
        if self._sets.floods_by_site:
            return p
        copy = p.f.variable(FRAME_TYPE)
        copy_bytes(self._module, p.f, p.frame, copy, FRAME_BYTES)
        return Place(p.f, copy, p.world, p.bound, p.is_blind)

    def _kept(self, p: Place) -> tuple[str, str] | None:
        """Keep what the frame is like, so that it can be put back."""
        if not isinstance(self._sets, ArraySets):
            return None
        copy = p.f.variable(FRAME_TYPE)
        p.f.do(f"call void @copy_other_parts(ptr {copy}, ptr {p.frame})")
        return copy, self._sets.trails.mark(p.f, p.world)

    def _put_back(self, p: Place, kept: tuple[str, str] | None) -> None:
        """Make the frame what it was when it was kept."""
        if kept is not None and isinstance(self._sets, ArraySets):
            copy, mark = kept
            p.f.do(f"call void @copy_other_parts(ptr {p.frame}, ptr {copy})")
            self._sets.trails.undo(p.f, p.world, mark)


def _refuse_large(p: Place, low: str, high: str) -> None:
    """A trace has 32 bits for a decision."""
    f = p.f
    below = f.ins(f"icmp slt i64 {low}, {-(2**31)}")
    above = f.ins(f"icmp sge i64 {high}, {2**31}")
    c.refuse(f, p.world, f.ins(f"or i1 {below}, {above}"), c.TOO_DEEP)


def _refuse_many(p: Place, low: str, high: str) -> None:
    """Write that a choice among too many numbers fails."""
    f = p.f
    span = f.ins(f"sub i64 {high}, {low}")
    is_some = f.ins(f"icmp sle i64 {low}, {high}")
    many = f.ins(f"icmp uge i64 {span}, {MOST_WAYS}")
    c.refuse(f, p.world, f.ins(f"and i1 {many}, {is_some}"), c.RULES_FAIL)
