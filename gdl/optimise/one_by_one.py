"""One site at a time: lines from the one piece of its kind are looked up, and no set is flooded.

In: a program. Out: the same program, in which whether a set that is made of a layer has a site is
asked for each site of that layer, where the layer begins with one site, and the set is made of
several floods from it. What then holds: no value has changed, however many sites the layer has.

From one site, where relations lead to and where lines end is read from tables; from a set it takes
shifts for each direction. Whether a king is attacked is the reverse of what `sets.py` does.
"""

from __future__ import annotations

from gdl.core.memo import Memo
from gdl.core.nodes import (
    Closure,
    Expression,
    Fold,
    Get,
    If,
    Let,
    Op,
    Program,
    SitesOf,
    Slot,
)
from gdl.core.rebuild import change_expressions
from gdl.core.types import SITES
from gdl.core.walk import expressions_in
from gdl.optimise.algebra.linear import is_linear
from gdl.optimise.algebra.terms import Terms

_LEAST_FLOODS = 5
"""From how many floods on it pays to begin each at a single site."""


def ask_one_by_one(program: Program, terms: Terms) -> Program:
    """Ask for each site of a layer that begins with one what is asked of floods from all of it."""
    ones = {
        slot
        for slot, value in zip(program.state, program.initial, strict=False)
        if slot in terms.layers and isinstance(value, int) and value.bit_count() == 1
    }
    rule = _OneByOne(terms, frozenset(ones))
    done: dict[int, Expression] = {}
    return change_expressions(
        program, lambda node: terms.rewrite(terms.intern(node), rule.change, done)
    )


def all_at_once(terms: Terms, node: Expression) -> Expression:
    """Return a condition in which what is asked of single sites is asked of sets, if it may be."""

    def change(part: Expression) -> Expression:
        if not isinstance(part, Fold) or part.combine != "or":
            return part
        opened = terms.open(part)
        match opened.domain, opened.body:
            case SitesOf(sites), Op("some", (found,)) if is_linear(terms, found, opened.slot):
                return terms.some(terms.substitute(found, opened.slot, sites))
        return part

    return terms.rewrite(node, change, {})


class _OneByOne:
    """Asks for each site of a layer among `ones` what is asked of floods from all of it."""

    def __init__(self, terms: Terms, ones: frozenset[Slot]) -> None:
        self._terms = terms
        self._ones = ones

    def change(self, node: Expression) -> Expression:
        """Return a condition whose parts are changed already."""
        if not isinstance(node, Op) or node.name != "some" or node.looks_ahead:
            return node
        (sites,) = node.arguments
        for layer in sorted(node.free & self._ones, key=lambda slot: slot.name):
            one = Slot(layer.name, SITES)
            found = self._from(sites, layer, one)
            if found is not None and _floods_from(found, one) >= _LEAST_FLOODS:
                each = SitesOf(self._terms.get(layer))
                return self._terms.fold("or", one, each, self._terms.some(found), False)
        return node

    def _from(self, node: Expression, layer: Slot, one: Slot) -> Expression | None:
        """Return a set with a slot in place of a layer, where it distributes over union in it."""
        terms = self._terms
        match node:
            case Get(slot):
                return terms.get(one) if slot is layer else None
            case Op("image" as name, (of,)):
                found = self._from(of, layer, one)
                return None if found is None else terms.op(name, (found,), node.of, node.payload)
            case Op("union", parts):
                moved = [self._from(part, layer, one) for part in parts]
                known = [part for part in moved if part is not None]
                return terms.union(*known) if len(known) == len(moved) else None
            case Op("intersection", parts):
                for place, part in enumerate(parts):
                    found = self._from(part, layer, one)
                    if found is not None:
                        return terms.intersection(*parts[:place], found, *parts[place + 1 :])
            case Op("difference", (whole, away)):
                found = self._from(whole, layer, one)
                return None if found is None else terms.difference(found, away)
            case If(condition, then, otherwise):
                ways = [self._from(way, layer, one) for way in (then, otherwise)]
                if ways[0] is not None and ways[1] is not None:
                    return terms.conditional(condition, ways[0], ways[1])
            case Let():
                opened = terms.open(node)
                body = terms.substitute(opened.body, opened.slot, opened.value)
                return self._from(body, layer, one)
            case Closure():
                opened_flood = terms.open(node)
                seed = self._from(opened_flood.seed, layer, one)
                frontier, step = opened_flood.frontier, opened_flood.step
                if seed is not None and is_linear(terms, step, frontier):
                    return terms.closure(seed, frontier, step)
        return None


def _floods_from(node: Expression, slot: Slot) -> int:
    """Return how many floods in an expression begin at a slot."""
    floods = Memo[Expression, bool]()
    for part in expressions_in(node):
        if isinstance(part, Closure) and slot in part.free:
            floods.keep(part, True)
    return len(floods)
