"""The code of decisions: what is tried at a point of a turn, one possibility after the other.

In: a choice or a decision between alternatives, and what follows it. Out: the end of a function.
What then holds: what follows is called once for each possibility, in order, with a frame that
knows nothing of those before; once it returns that the search is to stop, no other is tried.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gdl.core.nodes import Block, Choose, Decide
from interpreter.native.emit.ir import FRAME_BYTES, FRAME_TYPE
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.sets.arrays import ArraySets
from interpreter.native.turns.candidates import CandidateCode, Candidates
from interpreter.native.turns.continuations import Continuation
from interpreter.native.turns.given_decisions import GivenDecisions
from interpreter.native.turns.shortcuts import Shortcuts
from interpreter.native.turns.traces import Entries
from interpreter.native.turns.unordered_choices import UnorderedChoices


class Decisions:
    """Writes the decisions of a turn."""

    def __init__(
        self,
        expressions: Expressions,
        entries: Entries,
        partners: UnorderedChoices,
        shortcuts: Shortcuts,
    ) -> None:
        self._expressions = expressions
        self._sets = expressions.sets
        self._candidates = CandidateCode(expressions)
        self._given = GivenDecisions(expressions)
        self._entries = entries
        self._partners = partners
        self._shortcuts = shortcuts

    def choose(self, p: Place, statement: Choose, after: Continuation) -> None:
        """Write a choice of a site or a number."""
        f = p.f
        found = self._candidates.of(p, statement)
        if found.sites is not None:
            found = Candidates(self._partners.in_one_order(p, statement, found.sites))
        else:
            self._refuse_large(p, statement, found)
        found = self._given.only(p, found)

        def take(own: Place, index: str) -> str:
            value = self._candidates.value(statement, index)
            self._expressions.write(own, statement.slot, value)
            place = self._entries.choose(own, statement, index)
            self._partners.note(own, statement, place)
            return after.call(own)

        self._shortcuts.choose(
            p,
            statement,
            after,
            lambda: self._candidates.count(f, found),
            lambda number: take(p, self._candidates.nth(f, found, number)),
        )
        kept = self._kept(p)
        with self._candidates.each(f, found) as index:
            with f.when(take(self._own_frame(p), index)):
                f.give("i1 true")
            self._put_back(p, kept)
        f.give("i1 false")

    def decide(self, p: Place, statement: Decide, way_on: Callable[[Block], Continuation]) -> None:
        """Write a decision between alternatives; `way_on` is what follows for the body of each."""
        f = p.f
        is_given, decision = self._given.decision(p)
        first = self._entries.first(statement)
        kept = self._kept(p)
        ways = [way_on(alternative.body) for alternative in statement.alternatives]
        for place, (alternative, way) in enumerate(zip(statement.alternatives, ways, strict=True)):
            same = f.ins(f"icmp eq i64 {decision}, {place}")
            with f.when(f.ins(f"or i1 {same}, {f.is_not(is_given)}")):
                own = self._own_frame(p)
                self._entries.decide(own, alternative.token, first + place)
                with f.when(way.call(own)):
                    f.give("i1 true")
                if place < len(ways) - 1:
                    self._put_back(p, kept)
        f.give("i1 false")

    def _refuse_large(self, p: Place, statement: Choose, found: Candidates) -> None:
        """A trace has 32 bits for a decision."""
        f, bounds = p.f, self._expressions.ranges.of_slot(statement.slot)
        if bounds.low < -(2**31) or bounds.high >= 2**31:
            below = f.ins(f"icmp slt i64 {found.low}, {-(2**31)}")
            above = f.ins(f"icmp sge i64 {found.high}, {2**31}")
            c.refuse(f, p.world, f.ins(f"or i1 {below}, {above}"), c.TOO_DEEP)

    # ------------------------------------------------------------------------- frames

    def _own_frame(self, p: Place) -> Place:
        """Return a place with a copy of the frame; the frame, where changes are taken back."""
        if self._sets.floods_by_site:
            return p
        copy = p.f.variable(FRAME_TYPE)
        p.f.copy(p.frame, copy, FRAME_BYTES)
        return replace(p, frame=copy)

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
