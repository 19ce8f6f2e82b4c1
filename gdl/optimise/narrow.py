"""Choices that lead nowhere: a site after which the next choice has no site is not tried.

In: a program. Out: the same program, in which a choice of a site is among those sites only for
which the choice that follows has one, as far as that can be worked out for all sites at once.
What then holds: the moves are the same in the same order. Conditions required on the way are
left alone, so that a search sees the same ways fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gdl.core.memo import Memo
from gdl.core.nodes import (
    Assign,
    Block,
    Branch,
    Choose,
    Closure,
    Decide,
    Expression,
    ForEach,
    GroupsOf,
    Program,
    RangeOf,
    Repeat,
    Require,
    Say,
    Select,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.rebuild import change_turns, with_blocks
from gdl.core.singles import always_single_slots
from gdl.core.walk import statements_in
from gdl.optimise.algebra.cost import Costs
from gdl.optimise.algebra.terms import Terms
from gdl.optimise.algebra.where import Where
from gdl.optimise.sets import conjuncts

_MOST_PATHS = 32
_MOST_TIMES_HEAVIER = 2
_LEAST_WEIGHT = 10
"""A choice that is lighter than this is as soon seen to have no site."""
_MOST_WITH_LOOPS = 500
"""Where a condition with loops is heavier than this, some are left when it is turned round."""


def narrow(program: Program, terms: Terms) -> Program:
    """Leave out of choices what no further choice can follow."""
    terms.add_singles(always_single_slots(program))
    narrower = _Narrower(terms)
    return change_turns(program, lambda block: narrower.block(block, ()))


class _Narrower:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._costs = Costs(terms)
        self._of_one = Costs(terms, has_rows=True)
        self._loops = terms.kinds(Closure, Select, SitesOf, RangeOf, GroupsOf)
        self._choosing = Memo[Statement, bool]()

    def block(self, block: Block, following: Block | None) -> Block:
        """Narrow the choices of a block; `following` is what follows it, None if that may vary."""
        result: list[Statement] = []
        for place, statement in enumerate(block):
            rest = block[place + 1 :] if following is None else (*block[place + 1 :], *following)
            result.append(self._statement(statement, rest, following is None))
        return tuple(result)

    def _statement(self, statement: Statement, rest: Block, is_open: bool) -> Statement:
        if isinstance(statement, Choose) and isinstance(statement.domain, SitesOf):
            narrowed = self._narrowed(statement.slot, statement.domain.sites, rest)
            return replace(statement, domain=SitesOf(narrowed))
        is_loop = isinstance(statement, ForEach | Repeat)
        following = None if is_open or is_loop else rest
        return with_blocks(statement, lambda inner: self.block(inner, following))

    def _narrowed(self, slot: Slot, sites: Expression, rest: Block) -> Expression:
        terms = self._terms
        among = kept = terms.intern(sites)
        if terms.is_single(among):
            return sites
        where = Where(terms, self._costs, slot)
        for needed in conjuncts(terms, self._needed(rest, {}, [_MOST_PATHS])):
            weight = self._of_one.weight(needed)
            if slot not in needed.free or weight < _LEAST_WEIGHT:
                continue
            if weight > _MOST_WITH_LOOPS and terms.has_inside(needed, self._loops):
                continue
            found = where.holds(needed)
            most = _MOST_TIMES_HEAVIER * (1 + weight)
            if found is None or self._costs.weight(found) > most:
                continue
            if not terms.has_inside(found, self._loops):
                kept = terms.intersection(kept, found)
        return sites if kept is among else kept

    def _needed(
        self, block: Block, values: Mapping[Slot, Expression], paths: list[int]
    ) -> Expression:
        """Return what must hold for a block to come to its end, or to a choice with a way on.

        Nothing is needed of what is behind a statement that may fail: its error must come.
        `values` are those of slots that were assigned on the way; `paths` how many may follow.
        """
        terms, known = self._terms, dict(values)
        paths[0] -= 1
        if paths[0] < 0 or not any(self._choosing.of(each, _chooses) for each in block):
            return terms.yes
        for place, statement in enumerate(block):
            rest = block[place + 1 :]
            match statement:
                case Assign(_, slot, value):
                    found = self._costs.known_before(value, known)
                    if found is None or not self._costs.fits(slot, found):
                        return terms.yes
                    known[slot] = found
                case Choose(domain=SitesOf(sites)):
                    found = self._costs.known_before(sites, known)
                    return terms.yes if found is None else terms.some(found)
                case Branch(_, condition, then, otherwise):
                    test = self._costs.known_before(condition, known)
                    if test is None:
                        return terms.yes
                    return terms.conditional(
                        test,
                        self._needed((*then, *rest), known, paths),
                        self._needed((*otherwise, *rest), known, paths),
                    )
                case Decide(_, alternatives):
                    ways = [self._needed((*w.body, *rest), known, paths) for w in alternatives]
                    return terms.disjunction(*ways)
                case Require(_, condition):
                    if self._costs.known_before(condition, known) is None:
                        return terms.yes
                case Say():
                    continue
                case _:
                    return terms.yes
        return terms.yes


def _chooses(statement: Statement) -> bool:
    """Return whether a site is chosen in a statement."""
    return any(
        isinstance(inner, Choose) and isinstance(inner.domain, SitesOf)
        for inner in statements_in((statement,))
    )
