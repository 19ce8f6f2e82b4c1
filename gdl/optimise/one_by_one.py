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
    floods = terms.kinds(Closure)
    return change_expressions(
        program, lambda node: terms.rewrite(terms.intern(node), rule.change, done, floods)
    )


def all_at_once(terms: Terms, node: Expression) -> Expression:
    """Return a condition that asks sets, if it may, for what is asked of sites; it has no `Let`."""

    def change(part: Expression) -> Expression:
        if isinstance(part, Let):
            bound = terms.open(part)
            return terms.substitute(bound.body, bound.slot, bound.value)
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
        self._ones = {layer: _OneOf(terms, layer) for layer in ones}

    def change(self, node: Expression) -> Expression:
        """Return a condition whose parts are changed already."""
        if not isinstance(node, Op) or node.name != "some" or node.looks_ahead:
            return node
        (sites,) = node.arguments
        for layer in sorted(node.free & self._ones.keys(), key=lambda slot: slot.name):
            one = self._ones[layer]
            found = one.of(sites)
            if found is not None and _floods_from(found, one.slot) >= _LEAST_FLOODS:
                each = SitesOf(self._terms.get(layer))
                return self._terms.fold("or", one.slot, each, self._terms.some(found), False)
        return node


class _OneOf:
    """Puts a `slot` for one site in the place of a layer."""

    def __init__(self, terms: Terms, layer: Slot) -> None:
        self.slot = Slot(layer.name, SITES)
        self._terms = terms
        self._layer = layer
        self._found = Memo[Expression, Expression | None]()

    def of(self, node: Expression) -> Expression | None:
        """Return a set with the slot in place of the layer, if it distributes over union in it."""
        if self._layer not in node.free:
            return None
        return self._found.of(node, self._of)

    def _of(self, node: Expression) -> Expression | None:
        terms = self._terms
        match node:
            case Get():
                return terms.get(self.slot)
            case Op("image" as name, (of,)):
                found = self.of(of)
                return None if found is None else terms.op(name, (found,), node.of, node.payload)
            case Op("union", parts):
                moved = [self.of(part) for part in parts]
                known = [part for part in moved if part is not None]
                return terms.union(*known) if len(known) == len(moved) else None
            case Op("intersection", parts):
                for place, part in enumerate(parts):
                    found = self.of(part)
                    if found is not None:
                        return terms.intersection(*parts[:place], found, *parts[place + 1 :])
            case Op("difference", (whole, away)):
                found = self.of(whole)
                return None if found is None else terms.difference(found, away)
            case If(condition, then, otherwise):
                ways = [self.of(way) for way in (then, otherwise)]
                if ways[0] is not None and ways[1] is not None:
                    return terms.conditional(condition, ways[0], ways[1])
            case Let():
                opened = terms.open(node)
                body = terms.substitute(opened.body, opened.slot, opened.value)
                return self.of(body)
            case Closure():
                opened_flood = terms.open(node)
                seed = self.of(opened_flood.seed)
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
