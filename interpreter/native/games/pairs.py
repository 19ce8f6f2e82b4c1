"""The code of pairs: two choices that one number draws, for turns with many ways on from the first.

In: a way whose second choice follows its first at once. Out: how many pairs there are, and code
that chooses the one of a number. What then holds: pairs are numbered by their first choices, in
order, and those by their second ones.

The second choice is counted for each candidate of the first: what can be chosen then is kept in
tables while the function runs.
"""

from __future__ import annotations

from gdl.analysis.in_place import Way
from gdl.core.nodes import SitesOf
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.games.draws import Draw, DrawCode
from interpreter.native.turns.candidates import CandidateCode, Candidates


class PairCode:
    """Writes pairs of choices, of which each is written by `draws`."""

    def __init__(self, expressions: Expressions, draws: DrawCode) -> None:
        self._sets = expressions.sets
        self._draws = draws
        self._candidates = CandidateCode(expressions)

    def of(self, p: Place, way: Way) -> Draw:
        """Count the second choices of each first one; `ends` has the numbers of pairs so far."""
        f, sets = p.f, self._sets
        choice, second = way.choices
        first = self._candidates.of(p, choice)
        ends = f.variable(f"[{sets.size + 1} x i64]")
        known = f.variable(f"[{(sets.size + 1) * sets.bytes} x i8]")
        place, total = f.variable("i64", "0"), f.variable("i64", "0")
        with self._candidates.each(f, first) as index:
            value = self._candidates.value(choice, index)
            inner = self._draws.known(p, choice, value, ())
            further = self._draws.of(inner, second)
            sum_ = f.add("i64", further.count, total)
            now = f.get("i64", place)
            if further.candidates.sites is not None:
                target = f.at(known, f.ins(f"mul i64 {now}, {sets.bytes}"))
                sets.write(f, further.candidates.sites, target)
            f.put("i64", sum_, f.ins(f"getelementptr i64, ptr {ends}, i64 {now}"))
            f.put("i64", f.ins(f"add i64 {now}, 1"), place)
        return Draw(f.get("i64", total), first, ends, known)

    def choose(self, p: Place, way: Way, drawn: Draw, number: str) -> Place:
        """Write that both choices of a pair are made; return the place where they are known."""
        f = p.f
        choice, second = way.choices
        now, before = _first_of(p, drawn, number)
        one = self._draws.choose(p, choice, drawn, now, way.after)
        rest = f.ins(f"sub i64 {number}, {f.get('i64', before)}")
        if isinstance(second.domain, SitesOf):
            address = f.at(drawn.known, f.ins(f"mul i64 {now}, {self._sets.bytes}"))
            further = Draw("", Candidates(self._sets.read(f, address)))
        else:
            further = self._draws.of(one, second)
        return self._draws.choose(one, second, further, rest, way.rest)


def _first_of(p: Place, drawn: Draw, number: str) -> tuple[str, str]:
    """Write which first choice the pair of a number has; return that choice's number (i64).

    Also return the address of how many pairs there are before it.
    """
    f = p.f
    place, before = f.variable("i64", "0"), f.variable("i64", "0")
    with f.loop() as loop:
        now = f.get("i64", place)
        end = f.get("i64", f.ins(f"getelementptr i64, ptr {drawn.ends}, i64 {now}"))
        f.need(f.ins(f"icmp uge i64 {number}, {end}"), loop.done)
        f.put("i64", end, before)
        f.put("i64", f.ins(f"add i64 {now}, 1"), place)
    return now, before
