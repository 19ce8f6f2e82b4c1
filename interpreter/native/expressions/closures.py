"""Floods: all that a step leads to, from a set on, again and again.

In: closures, and the place where they stand. Out: code for all that is reached. What then holds:
the set is the one that the reference interpreter's rounds lead to, in whatever way it is found:
by a table, by a ray, in doubling steps, site by site, or in a loop until nothing is new.
"""

from __future__ import annotations

from collections.abc import Callable

from gdl.core.nodes import Closure, Expression, Slot
from interpreter.native.choices import DOUBLING, RAYS
from interpreter.native.emit.ir import Function
from interpreter.native.emit.kinds import I1, I16, I64, TRUE, Address, Bit, Word
from interpreter.native.emit.values import Sites
from interpreter.native.expressions.directions import Direction, Floods, direction_of, origin
from interpreter.native.expressions.places import Place
from interpreter.native.expressions.writer import ExpressionWriter
from interpreter.native.sets.arrays import ArraySets
from interpreter.native.sets.orbits import flood_by_orbits, relation_that_leads_back
from interpreter.native.sets.registers import RegisterSets
from interpreter.native.sets.word_arrays import is_listed

_PARAMETERS = ("ptr %frame", "ptr %world", "ptr noalias %reached", "ptr %within")


class FloodWriter(ExpressionWriter):
    """Writes floods."""

    def closure(self, p: Place, node: Closure) -> Sites:
        """Write the code of a closure."""
        sets, found = self.sets, None
        if isinstance(sets, RegisterSets):
            along = direction_of(node)
            if along is not None:
                found = self._flood_along(p, node, along, Floods(sets))
        else:
            relation = relation_that_leads_back(node)
            if relation is not None:
                found = flood_by_orbits(sets, p.f, relation, self.sites(p, node.seed))
        return found or self.flood(p, self.sites(p, node.seed), node.frontier, node.step, None)

    def _flood_along(
        self, p: Place, node: Closure, along: Direction, floods: Floods
    ) -> Sites | None:
        """Write a flood in one direction without a loop, as far as that is chosen."""
        f = p.f

        def path() -> Sites:
            before = [self.sites(p, bound.sites) for bound in along.before]
            after = [self.sites(p, bound.sites) for bound in along.after]
            return floods.path(f, along, before, after)

        if RAYS in self.choices:
            start = origin(node.seed, node)
            site = None if start is None else self.sites(p, start)
            if site is not None and site.site is not None:
                return floods.ray(f, site, along, path())
            seed = self.sites(p, node.seed)
            if seed.site is not None:
                return self.sets.union(f, [seed, floods.ray(f, seed, along, path())])
        if DOUBLING not in self.choices or len(along.shifts) != 1:
            return None
        return floods.by_doubling(f, self.sites(p, node.seed), along, path())

    def flood(
        self, p: Place, seed: Sites, frontier: Slot, step: Expression, within: Sites | None
    ) -> Sites:
        """Write a loop that adds what a step leads to, within a set, until nothing is new.

        Since a step distributes over union, it may be taken from all that was reached.
        """
        f, sets = p.f, self.sets
        reached = sets.variable(f, seed)

        def stepped(p: Place, here: Sites, within: Sites | None) -> Sites:
            new = self.sites(p.binding(frontier, here), step)
            return new if within is None else sets.intersection(p.f, [new, within])

        if isinstance(sets, RegisterSets):
            with f.loop() as loop:
                now = sets.read(f, reached)
                grown = sets.union(f, [now, stepped(p, now, within)])
                sets.write(f, grown, reached)
                f.branch(sets.equal(f, grown, now), loop.done, loop.head)
            return sets.read(f, reached)

        def flood(p: Place, reached: Address, within: Sites | None) -> None:
            _flood_by_site(sets, p.f, reached, lambda here: stepped(p, here, within))

        def write(name: str) -> None:
            with sets.module.procedure(name, *_PARAMETERS) as function:
                limit = None if within is None else Sites(Address("%within"))
                flood(Place(function), Address("%reached"), limit)

        # A function is given the frame alone: not which of two sides is on turn, nor the round.
        if (step.free - {frontier}).isdisjoint({*p.bound, *p.moved_slots}):
            name = sets.module.once("flood", (frontier, step, within is None), write)
            limit = "null" if within is None else sets.mask(f, within)
            called = f"ptr {p.frame}, ptr {p.world}, ptr {reached}, ptr {limit}"
            f.do(f"call void @{name}({called})")
        else:
            flood(p, reached, within)
        return sets.read(f, reached)


def _flood_by_site(
    sets: ArraySets, f: Function, reached: Address, step: Callable[[Sites], Sites]
) -> None:
    """Write a loop that steps from each site of the set at an address, and adds what is reached.

    Each site is stepped from once. Since a step distributes over union, it may be taken from single
    sites, whose successors are few.
    """
    waiting, count = f.room(f"[{sets.size} x i16]"), f.variable(I64, 0)
    with sets.each_at(f, reached) as loop:
        _push(f, waiting, count, loop.index, TRUE)
    with f.loop() as rounds:
        now = f.get(I64, count)
        f.leave_if(f.compare("eq", I64, now, 0), rounds.done)
        last = f.binary("sub", I64, now, 1)
        f.put(I64, last, count)
        index = f.unsigned(I16, f.entry(I16, waiting, last))
        found = step(Sites(None, index, True))
        if is_listed(found):
            for site, there in sets.listed(f, found):
                is_new = sets.add_new(f, reached, site, there)
                _push(f, waiting, count, site, is_new)
        else:
            with sets.each(f, found) as new:
                is_new = sets.add_new(f, reached, new.index, TRUE)
                _push(f, waiting, count, new.index, is_new)


def _push(f: Function, waiting: Address, count: Address, site: Word, condition: Bit) -> None:
    """Write that a site waits for its step, if a condition holds."""
    now = f.get(I64, count)
    f.put(I16, f.convert("trunc", I64, site, I16), f.entry(I16, waiting, now))
    f.put(I64, f.binary("add", I64, now, f.convert("zext", I1, condition, I64)), count)
