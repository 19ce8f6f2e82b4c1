"""The code of candidates: what can be chosen in place, and the choice of one by its number.

In: a choice. Out: how many there are to choose from, and code that chooses the one of a number.
What then holds: they are numbered in order, from 0; pools (`views.pools`) number theirs as they
are kept, each number once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gdl.analysis.set_sizes import Part
from gdl.core.nodes import Block, Choose, SitesOf
from gdl.core.walk import assigned_slots
from interpreter.native.emit.values import Number, Sites
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.views.pools import PoolView
from interpreter.native.views.views import Views
from interpreter.reference.steps import MOST_WAYS


@dataclass(frozen=True)
class Candidates:
    """What can be chosen: how many, and the sites, or the least number.

    `ends` and `known` are the addresses of tables, for pairs: how many there are up to each first
    choice, and the second choices after each. `pool` is the pool that has them.
    """

    count: str
    sites: Sites | None = None
    low: str = "0"
    ends: str = ""
    known: str = ""
    pool: PoolView | None = None


class CandidateCode:
    """Writes the choices of a function that has `plies.PARAMETERS`."""

    def __init__(self, expressions: Expressions, views: Views) -> None:
        self._expressions = expressions
        self._sets = expressions.sets
        self._views = views

    def pooled(self, p: Place, choice: Choose | None) -> Candidates:
        """Return what can be chosen, from the pool if there is one."""
        pool = self._views.pool(choice)
        return self.of(p, choice) if pool is None else Candidates(pool.number(p), pool=pool)

    def of(self, p: Place, choice: Choose | None) -> Candidates:
        """Return what can be chosen: one thing, where there is no choice."""
        f, sets = p.f, self._sets
        if choice is None:
            return Candidates("1")
        if isinstance(choice.domain, SitesOf):
            sites = self._expressions.sites(p, choice.domain.sites)
            if sites.mask is None:
                sites = Sites(sets.mask(f, sites))
            return Candidates(sets.count(f, sites), sites)
        low = self._expressions.word_within(p, choice.domain.low)
        high = self._expressions.word_within(p, choice.domain.high)
        is_some = f.ins(f"icmp sle i64 {low}, {high}")
        many = f.ins(f"add i64 {f.ins(f'sub i64 {high}, {low}')}, 1")
        large = f.ins(f"icmp ugt i64 {many}, {MOST_WAYS}")
        c.refuse(f, p.world, f.ins(f"and i1 {large}, {is_some}"), c.RULES_FAIL)
        return Candidates(f.ins(f"select i1 {is_some}, i64 {many}, i64 0"), None, low)

    def choose(
        self, p: Place, choice: Choose, found: Candidates, number: str, after: Block
    ) -> Place:
        """Write that the choice of a number is made; return the place where it is known.

        `after` is what follows it.
        """
        f, sets = p.f, self._sets
        if found.pool is not None:
            memory = self._views.memory(p, found.pool)
            value: Sites | Number = found.pool.draw(p, memory, number)
        elif found.sites is not None:
            index = sets.nth(f, found.sites, number)
            value = sets.one(index, is_there=True)
        else:
            bounds = self._expressions.ranges.of_slot(choice.slot)
            value = Number(f.ins(f"add i64 {found.low}, {number}"), bounds.low, bounds.high)
        self._expressions.write(p, choice.slot, value)
        if choice.slot in assigned_slots(after):
            return p
        return p.binding(choice.slot, value)

    def choose_of_parts(
        self,
        p: Place,
        choice: Choose,
        parts: Sequence[Part],
        number: str,
        after: Block,
        again: str,
    ) -> Place:
        """Write that the choice of a number is made, of which only the part with it is known.

        Parts are numbered one behind the other, each as if it were as large as it can be; where
        none has the number, the code goes on at `again`.
        """
        f, sets = p.f, self._sets
        index, chosen = f.variable("i64"), f.new_label()
        for part in parts:
            here, there, further = f.new_label(), f.new_label(), f.new_label()
            f.branch(f.ins(f"icmp ult i64 {number}, {part.most}"), here, further)
            f.label(here)
            sites = self._expressions.sites(p, part.sites)
            is_there = sets.some(f, sites)
            if part.most > 1:
                is_there = f.ins(f"icmp ult i64 {number}, {sets.count(f, sites)}")
            f.branch(is_there, there, again)
            f.label(there)
            found = sets.index(f, sites)
            if part.most > 1:
                found = sets.nth(f, sites, number)
            f.put("i64", found, index)
            f.jump(chosen)
            f.label(further)
            number = f.ins(f"sub i64 {number}, {part.most}")
        f.jump(again)
        f.label(chosen)
        value = sets.one(f.get("i64", index), is_there=True)
        self._expressions.write(p, choice.slot, value)
        return p if choice.slot in assigned_slots(after) else p.binding(choice.slot, value)
