"""Floods: all that a step leads to, from a set on, again and again.

In: closures, and the place where they stand. Out: code for all that is reached. What then holds:
the set is the one that the reference interpreter's rounds lead to, in whatever way it is found:
by a table, by a ray, in doubling steps, site by site, or in a loop until nothing is new.
"""

from __future__ import annotations

from collections.abc import Callable

from gdl.core.nodes import Closure, Expression, Slot
from interpreter.native.choices import DOUBLING, RAYS
from interpreter.native.emit.values import Sites
from interpreter.native.expressions.directions import Direction, Floods, direction_of, origin
from interpreter.native.expressions.places import Place
from interpreter.native.expressions.writer import ExpressionWriter
from interpreter.native.sets.arrays import ArraySets
from interpreter.native.sets.orbits import relation_that_leads_back
from interpreter.native.sets.registers import RegisterSets
from interpreter.native.sets.worklists import flood_by_site

_PARAMETERS = ["ptr %frame", "ptr %world", "ptr noalias %reached", "ptr %within"]


class Closures:
    """Writes floods; `expressions` writes their seeds and steps."""

    def __init__(self, expressions: ExpressionWriter) -> None:
        self._expressions = expressions
        self._sets = expressions.sets
        self._floods = (
            Floods(expressions.sets) if isinstance(expressions.sets, RegisterSets) else None
        )
        self._names: dict[tuple[Slot, Expression, bool], str] = {}

    def closure(self, p: Place, node: Closure) -> Sites:
        """Write the code of a closure."""
        sets = self._sets
        if isinstance(sets, ArraySets):
            relation = relation_that_leads_back(node)
            if relation is not None:
                joined = sets.orbits.flood(p.f, relation, self._sites(p, node.seed))
                if joined is not None:
                    return joined
        along = None if self._floods is None else direction_of(node, sets.size)
        if along is not None and self._floods is not None:
            found = self._flood_along(p, node, along, self._floods)
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

        def stepped(here: Sites) -> Sites:
            new = self._sites(p.binding(frontier, here), step)
            return new if within is None else sets.intersection(f, [new, within])

        if isinstance(sets, ArraySets):
            return self._flood_by_site(p, sets, seed, frontier, step, within, stepped)
        reached = sets.variable(f)
        sets.write(f, seed, reached)
        head, done = f.new_label(), f.new_label()
        f.label(head)
        now = sets.read(f, reached)
        new = stepped(now)
        grown = sets.union(f, [now, new])
        sets.write(f, grown, reached)
        f.branch(sets.equal(f, grown, now), done, head)
        f.label(done)
        return sets.read(f, reached)

    def _flood_by_site(
        self,
        p: Place,
        sets: ArraySets,
        seed: Sites,
        frontier: Slot,
        step: Expression,
        within: Sites | None,
        stepped: Callable[[Sites], Sites],
    ) -> Sites:
        """Write a flood as a call of a function, if its step reads nothing but the frame."""
        f, reached = p.f, sets.variable(p.f)
        sets.write(f, seed, reached)
        if not (step.free - {frontier}).isdisjoint(p.bound):
            flood_by_site(sets, f, reached, stepped)
            return sets.read(f, reached)
        key = (frontier, step, within is None)
        if key not in self._names:
            self._names[key] = f"flood_{len(self._names)}"
            self._write_apart(self._names[key], sets, frontier, step, within is None)
        limit = "null" if within is None else sets.mask(f, within)
        called = f"ptr {p.frame}, ptr {p.world}, ptr {reached}, ptr {limit}"
        f.do(f"call void @{self._names[key]}({called})")
        return sets.read(f, reached)

    def _write_apart(
        self,
        name: str,
        sets: ArraySets,
        frontier: Slot,
        step: Expression,
        is_free: bool,
    ) -> None:
        """Write the function of a flood; unless it is free, it stays within a set."""
        g = sets.module.function(name, "internal void", _PARAMETERS, "noinline ")
        q = Place(g)

        def stepped(here: Sites) -> Sites:
            new = self._sites(q.binding(frontier, here), step)
            limit = [] if is_free else [Sites("%within")]
            return sets.intersection(g, [new, *limit])

        flood_by_site(sets, g, "%reached", stepped)
        g.give("void")
