"""The code of pairs: two choices that one number draws, for turns with many ways on from the first.

In: a way whose second choice follows its first at once. Out: how many pairs there are, and code
that chooses the one of a number. What then holds: pairs are numbered by their first choices, in
order, and those by their second ones.

The second choice is counted for each candidate of the first: what can be chosen then is kept in
tables while the function runs.
"""

from __future__ import annotations

from dataclasses import replace

from gdl.analysis.in_place import Way
from gdl.core.nodes import SitesOf
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.games.candidates import CandidateCode, Candidates


class PairCode:
    """Writes pairs of choices, of which each is written by `candidates`."""

    def __init__(self, expressions: Expressions, candidates: CandidateCode) -> None:
        self._expressions = expressions
        self._sets = expressions.sets
        self._candidates = candidates

    def of(self, p: Place, way: Way) -> Candidates:
        """Count the second choices of each first one; `ends` has the numbers of pairs so far."""
        f, sets = p.f, self._sets
        choice, second = way.choices
        first = self._candidates.of(p, choice)
        assert first.sites is not None, "the first choice is of a site"
        ends = f.variable(f"[{sets.size + 1} x i64]")
        known = f.variable(f"[{(sets.size + 1) * sets.bytes} x i8]")
        place, total = f.variable("i64"), f.variable("i64")
        f.put("i64", "0", place)
        f.put("i64", "0", total)
        loop = sets.each(f, first.sites)
        inner = p.binding(choice.slot, sets.one(loop.index, is_there=True))
        self._expressions.write(p, choice.slot, inner.bound[choice.slot])
        further = self._candidates.of(inner, second)
        sum_ = f.ins(f"add i64 {f.get('i64', total)}, {further.count}")
        f.put("i64", sum_, total)
        now = f.get("i64", place)
        if further.sites is not None:
            sets.write(f, further.sites, f.at(known, f.ins(f"mul i64 {now}, {sets.bytes}")))
        f.put("i64", sum_, f.ins(f"getelementptr i64, ptr {ends}, i64 {now}"))
        f.put("i64", f.ins(f"add i64 {now}, 1"), place)
        loop.end()
        return replace(first, count=f.get("i64", total), ends=ends, known=known)

    def choose(self, p: Place, way: Way, found: Candidates, number: str) -> Place:
        """Write that both choices of a pair are made; return the place where they are known."""
        f = p.f
        choice, second = way.choices
        now, before = _first_of(p, found, number)
        one = self._candidates.choose(p, choice, found, now, way.after)
        rest = f.ins(f"sub i64 {number}, {f.get('i64', before)}")
        if isinstance(second.domain, SitesOf):
            address = f.at(found.known, f.ins(f"mul i64 {now}, {self._sets.bytes}"))
            further = Candidates("", self._sets.read(f, address))
        else:
            further = self._candidates.of(one, second)
        return self._candidates.choose(one, second, further, rest, way.rest)


def _first_of(p: Place, found: Candidates, number: str) -> tuple[str, str]:
    """Write which first choice the pair of a number has; return that choice's number (i64).

    Also return the address of how many pairs there are before it.
    """
    f = p.f
    place, before = f.variable("i64"), f.variable("i64")
    f.put("i64", "0", place)
    f.put("i64", "0", before)
    head, further, done = f.new_label(), f.new_label(), f.new_label()
    f.label(head)
    now = f.get("i64", place)
    end = f.get("i64", f.ins(f"getelementptr i64, ptr {found.ends}, i64 {now}"))
    f.branch(f.ins(f"icmp uge i64 {number}, {end}"), further, done)
    f.label(further)
    f.put("i64", end, before)
    f.put("i64", f.ins(f"add i64 {now}, 1"), place)
    f.jump(head)
    f.label(done)
    return now, before
