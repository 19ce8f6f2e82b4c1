"""The code of two choices of a turn that may be made in any order: each other's partners.

In: choices, and which of them are known to commute with their partners. Out: code that leaves
out one of two orders. What then holds: of partners that are known to commute, the second is above
the first; what others are is noted in the context, for `other_orders` to look at at the end.
"""

from __future__ import annotations

from collections.abc import Iterable

from gdl.core.nodes import Choose, Slot
from interpreter.native.emit.values import Sites
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c


class UnorderedChoices:
    """Writes what choices with partners need; `proven` are those that are known to commute."""

    def __init__(
        self,
        expressions: Expressions,
        choices: Iterable[Choose],
        proven: frozenset[Slot],
    ) -> None:
        self._expressions = expressions
        self._sets = expressions.sets
        self._layout = expressions.layout
        self._proven = proven
        partner_of = {
            choice.slot: choice.unordered_with
            for choice in choices
            if choice.unordered_with is not None
        }
        self._remembered = {slot: self._layout.add(32) for slot in partner_of.values()}

    def in_one_order(self, p: Place, choice: Choose, candidates: Sites) -> Sites:
        """Leave out the second of two orders of a pair that is known to commute."""
        if choice.unordered_with is None or choice.slot not in self._proven:
            return candidates
        f, sets = p.f, self._sets
        partner = choice.unordered_with
        earlier = self._remembered[partner].get(f, p.frame)
        decisions = c.DECISIONS.get(f, "%context")
        was_made = f.ins(f"icmp ne i32 {earlier}, 0")
        is_free = f.ins(f"icmp eq ptr {decisions}, null")
        first = self._expressions.read(p, partner)
        assert isinstance(first, Sites), "both choices are of sites"
        index = sets.one(sets.index(f, first), is_there=False)
        later = sets.intersection(f, [candidates, sets.above(f, index)])
        return sets.choose(f, f.ins(f"and i1 {was_made}, {is_free}"), later, candidates)

    def note(self, p: Place, choice: Choose, place: str) -> None:
        """Write that a choice was made: a pair, with its partner; `place` (i32) is in the trace."""
        f = p.f
        if choice.slot in self._remembered:
            field = self._remembered[choice.slot]
            field.put(f, f.ins(f"add i32 {place}, 1"), p.frame)
        if choice.unordered_with is not None and choice.slot not in self._proven:
            self._pair(p, choice.unordered_with, place)

    def _pair(self, p: Place, partner: Slot, place: str) -> None:
        """Write that this choice and an earlier one may change places."""
        f = p.f
        earlier = self._remembered[partner].get(f, p.frame)
        with f.when(f.ins(f"icmp ne i32 {earlier}, 0")):
            count = self._layout.pairs.at(f, p.frame)
            number = f.get("i32", count)
            c.refuse(f, p.world, f.ins(f"icmp uge i32 {number}, {c.MOST_PAIRS}"), c.TOO_DEEP)
            pairs = c.PAIRS.get(f, "%context")
            offset = f.ins(f"zext i32 {number} to i64")
            entry = f.word_at(pairs, offset)
            f.put("i32", f.ins(f"sub i32 {earlier}, 1"), entry)
            f.put("i32", place, f.at(entry, 4))
            f.put("i32", f.ins(f"add i32 {number}, 1"), count)
