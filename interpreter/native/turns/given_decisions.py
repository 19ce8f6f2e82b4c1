"""The code of decisions that are given: a search along one way alone.

In: what could be chosen, and the decisions in the context. Out: what is left of it. What then
holds: where decisions are given, nothing is left but the next of them, or nothing at all if it
is not possible; where none are, all is left.
"""

from __future__ import annotations

from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.turns.candidates import Candidates


class GivenDecisions:
    """Writes how given decisions are followed."""

    def __init__(self, expressions: Expressions) -> None:
        self._sets = expressions.sets
        self._layout = expressions.layout

    def decision(self, p: Place) -> tuple[str, str]:
        """Return whether decisions are given, and the present one (i64; -1: no more)."""
        f = p.f
        given = f.get("ptr", f.at("%context", c.GIVEN))
        is_given = f.ins(f"icmp ne ptr {given}, null")
        result = f.variable("i64", "-1")
        with f.when(is_given):
            made = f.get("i32", f.at(p.frame, self._layout.made.offset))
            place = f.ins(f"zext i32 {made} to i64")
            many = f.get("i64", f.at("%context", c.GIVEN_COUNT))
            with f.when(f.ins(f"icmp ult i64 {place}, {many}")):
                address = f.ins(f"getelementptr i64, ptr {given}, i64 {place}")
                f.put("i64", f.get("i64", address), result)
        return is_given, f.get("i64", result)

    def only(self, p: Place, found: Candidates) -> Candidates:
        """Leave only what is given, if decisions are."""
        f, sets = p.f, self._sets
        if found.sites is None:
            return self._only_number(p, found)
        result = sets.variable(f)
        sets.write(f, found.sites, result)
        is_given, decision = self.decision(p)
        with f.when(is_given):
            low = f.ins(f"icmp ult i64 {decision}, {sets.size}")
            index = f.ins(f"select i1 {low}, i64 {decision}, i64 -1")
            one = sets.intersection(f, [sets.one(index, is_there=False), found.sites])
            sets.write(f, one, result)
        return Candidates(sets.read(f, result))

    def _only_number(self, p: Place, found: Candidates) -> Candidates:
        f = p.f
        is_given, decision = self.decision(p)
        above = f.ins(f"icmp sge i64 {decision}, {found.low}")
        below = f.ins(f"icmp sle i64 {decision}, {found.high}")
        inside = f.ins(f"and i1 {above}, {below}")
        first = f.ins(f"select i1 {inside}, i64 {decision}, i64 1")
        last = f.ins(f"select i1 {inside}, i64 {decision}, i64 0")
        low = f.ins(f"select i1 {is_given}, i64 {first}, i64 {found.low}")
        return Candidates(None, low, f.ins(f"select i1 {is_given}, i64 {last}, i64 {found.high}"))
