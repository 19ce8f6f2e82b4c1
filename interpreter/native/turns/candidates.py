"""The code of candidates: what can be chosen, one by one or by its number.

In: a choice of a site or a number. Out: what there is to choose from, how many that are, a loop
over them, and the one of a number. What then holds: candidates come in order, numbered from 0.
Where decisions are given in the context, nothing can be chosen but the next of them, or nothing at
all if it is not possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gdl.core.nodes import Choose, SitesOf
from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.ir import CONTEXT, Function
from gdl.interpreter.native.emit.kinds import I1, I32, I64, NULL, PTR, Bit, Integer, Word
from gdl.interpreter.native.emit.values import Number, Sites, Value
from gdl.interpreter.native.expressions.expressions import Expressions
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.memory import context as c
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.reference.steps import MOST_WAYS


@dataclass(frozen=True)
class Candidates:
    """What can be chosen: some sites; or the numbers (i64) from one to another."""

    sites: Sites | None = None
    low: Word = Word("0")
    high: Word = Word("0")


class CandidateCode:
    """Writes candidates; each is given by its index (i64): that of a site, or the number itself."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._sets = expressions.sets

    def of(self, p: Place, choice: Choose) -> Candidates:
        """Return what can be chosen; a choice among too many numbers fails."""
        f, domain = p.f, choice.domain
        if isinstance(domain, SitesOf):
            sites = self._expressions.sites(p, domain.sites)
            if sites.mask is None and sites.few is None:
                sites = Sites(self._sets.mask(f, sites))
            return Candidates(sites)
        low = self._expressions.word_within(p, domain.low)
        high = self._expressions.word_within(p, domain.high)
        is_large = f.compare("uge", I64, f.binary("sub", I64, high, low), MOST_WAYS)
        is_some = f.compare("sle", I64, low, high)
        w.refuse(f, p.world, f.binary("and", I1, is_large, is_some), w.RULES_FAIL)
        return Candidates(None, low, high)

    def count(self, f: Function, found: Candidates) -> Word:
        """Return how many candidates (i64) there are."""
        if found.sites is not None:
            return self._sets.count(f, found.sites)
        is_some = f.compare("sle", I64, found.low, found.high)
        several = f.binary("add", I64, f.binary("sub", I64, found.high, found.low), 1)
        return f.select(is_some, I64, several, 0)

    def nth(self, f: Function, found: Candidates, number: Word) -> Word:
        """Return the candidate that `number` (i64) others precede; there must be one."""
        if found.sites is not None:
            return self._sets.nth(f, found.sites, number)
        return f.binary("add", I64, found.low, number)

    @contextmanager
    def each(self, f: Function, found: Candidates) -> Iterator[Word]:
        """Add what is done for each candidate, in order."""
        if found.sites is not None:
            with self._sets.each(f, found.sites) as loop:
                yield loop.index
            return
        with f.through(I64, found.low, found.high, MOST_WAYS) as counted:
            yield counted.number

    def value(self, choice: Choose, index: Word) -> Value:
        """Return the value of a choice."""
        if isinstance(choice.domain, SitesOf):
            return self._sets.one(index, is_there=True)
        found = self._expressions.ranges.of_slot(choice.slot)
        return Number(Integer(index), found)

    # ------------------------------------------------------------------- given decisions

    def next_decision(self, p: Place) -> tuple[Bit, Word]:
        """Return whether decisions are given, and the next one (i64; -1: no more)."""
        f = p.f
        decisions = c.DECISIONS.get(f, CONTEXT)
        is_given = f.compare("ne", PTR, decisions, NULL)
        result = f.variable(I64, -1)
        with f.when(is_given):
            place = f.convert("zext", I32, self._expressions.layout.made.get(f, p.frame), I64)
            with f.when(f.compare("ult", I64, place, c.DECISION_COUNT.get(f, CONTEXT))):
                f.put(I64, f.get(I64, f.word_at(decisions, place)), result)
        return is_given, f.get(I64, result)

    def only(self, p: Place, found: Candidates) -> Candidates:
        """Leave only what is given, if decisions are."""
        f, sets = p.f, self._sets
        if found.sites is None:
            return self._only_number(p, found)
        result = sets.variable(f, found.sites)
        is_given, decision = self.next_decision(p)
        with f.when(is_given):
            index = f.select(f.compare("ult", I64, decision, sets.size), I64, decision, -1)
            one = sets.intersection(f, [sets.one(index, is_there=False), found.sites])
            sets.write(f, one, result)
        return Candidates(sets.read(f, result))

    def _only_number(self, p: Place, found: Candidates) -> Candidates:
        f = p.f
        is_given, decision = self.next_decision(p)
        above = f.compare("sge", I64, decision, found.low)
        inside = f.binary("and", I1, above, f.compare("sle", I64, decision, found.high))
        first = f.select(inside, I64, decision, 1)
        last = f.select(inside, I64, decision, 0)
        low = f.select(is_given, I64, first, found.low)
        return Candidates(None, low, f.select(is_given, I64, last, found.high))
