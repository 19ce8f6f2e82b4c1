"""Floods: all that a step leads to, from a set on, again and again.

In: closures, and the place where they stand. Out: code for all that is reached. What then holds:
the set is the one that the reference interpreter's rounds lead to, in whatever way it is found:
by a table, by a ray, in doubling steps, site by site, or in a loop until nothing is new.
"""

from __future__ import annotations

from functools import partial

from gdl.core.nodes import Closure, Expression, Slot
from interpreter.native.choices import DOUBLING, RAYS
from interpreter.native.emit.kinds import Address
from interpreter.native.emit.values import Sites
from interpreter.native.expressions.directions import Direction, Floods, direction_of, origin
from interpreter.native.expressions.places import Place
from interpreter.native.expressions.writer import ExpressionWriter
from interpreter.native.sets.arrays import ArraySets
from interpreter.native.sets.orbits import flood_by_orbits, relation_that_leads_back
from interpreter.native.sets.registers import RegisterSets
from interpreter.native.sets.worklists import flood_by_site

_PARAMETERS = ["ptr %frame", "ptr %world", "ptr noalias %reached", "ptr %within"]


class Closures:
    """Writes floods; `expressions` writes their seeds and steps."""

    def __init__(self, expressions: ExpressionWriter) -> None:
        self._expressions = expressions
        self._sets = expressions.sets

    def closure(self, p: Place, node: Closure) -> Sites:
        """Write the code of a closure."""
        sets, found = self._sets, None
        if isinstance(sets, ArraySets):
            relation = relation_that_leads_back(node)
            if relation is not None:
                found = flood_by_orbits(sets, p.f, relation, self._sites(p, node.seed))
        elif isinstance(sets, RegisterSets):
            along = direction_of(node, sets.size)
            if along is not None:
                found = self._flood_along(p, node, along, Floods(sets))
        if found is not None:
            return found
        return self.flood(p, self._sites(p, node.seed), node.frontier, node.step, None)

    def _sites(self, p: Place, node: Expression) -> Sites:
        return self._expressions.sites(p, node)

    def _flood_along(
        self, p: Place, node: Closure, along: Direction, floods: Floods
    ) -> Sites | None:
        """Write a flood in one direction without a loop, as far as that is chosen."""
        f = p.f

        def path() -> Sites:
            before = [self._sites(p, bound.sites) for bound in along.before]
            after = [self._sites(p, bound.sites) for bound in along.after]
            return floods.path(f, along, before, after)

        if RAYS in self._expressions.choices:
            start = origin(node.seed, node)
            site = None if start is None else self._sites(p, start)
            if site is not None and site.site is not None:
                return floods.ray(f, site, along, path())
            seed = self._sites(p, node.seed)
            if seed.site is not None:
                return self._sets.union(f, [seed, floods.ray(f, seed, along, path())])
        if DOUBLING not in self._expressions.choices or not along.is_even:
            return None
        return floods.by_doubling(f, self._sites(p, node.seed), along, path())

    def flood(
        self, p: Place, seed: Sites, frontier: Slot, step: Expression, within: Sites | None
    ) -> Sites:
        """Write a loop that adds what a step leads to, within a set, until nothing is new.

        Since a step distributes over union, it may be taken from all that was reached.
        """
        f, sets = p.f, self._sets
        reached = sets.variable(f)
        sets.write(f, seed, reached)
        if isinstance(sets, ArraySets):
            self._flood_by_site(p, sets, reached, frontier, step, within)
            return sets.read(f, reached)
        with f.loop() as loop:
            now = sets.read(f, reached)
            new = self._stepped(p, frontier, step, within, now)
            grown = sets.union(f, [now, new])
            sets.write(f, grown, reached)
            f.branch(sets.equal(f, grown, now), loop.done, loop.head)
        return sets.read(f, reached)

    def _stepped(
        self, p: Place, frontier: Slot, step: Expression, within: Sites | None, here: Sites
    ) -> Sites:
        """Return what a step leads to from a set, within another if there is one."""
        new = self._sites(p.binding(frontier, here), step)
        return new if within is None else self._sets.intersection(p.f, [new, within])

    def _flood_by_site(
        self,
        p: Place,
        sets: ArraySets,
        reached: Address,
        frontier: Slot,
        step: Expression,
        within: Sites | None,
    ) -> None:
        """Write a flood as a call of a function, if its step reads nothing but the frame."""

        def flood(p: Place, reached: Address, within: Sites | None) -> None:
            stepped = partial(self._stepped, p, frontier, step, within)
            flood_by_site(sets, p.f, reached, stepped)

        # A function is given the frame alone: not which of two sides is on turn, nor the round.
        if not (step.free - {frontier}).isdisjoint({*p.bound, *p.moved_slots}):
            flood(p, reached, within)
            return

        def write(name: str) -> None:
            f = sets.module.function(name, "internal void", _PARAMETERS, "noinline ")
            limit = None if within is None else Sites(Address("%within"))
            flood(Place(f), Address("%reached"), limit)
            f.give("void")

        name = sets.module.once("flood", (frontier, step, within is None), write)
        limit = "null" if within is None else sets.mask(p.f, within)
        called = f"ptr {p.frame}, ptr {p.world}, ptr {reached}, ptr {limit}"
        p.f.do(f"call void @{name}({called})")
