"""Loops over domains, and folds: what is worked out of the values of all that is in a domain.

In: domains and folds, and the place where they stand. Out: loops, and the value that they lead
to. What then holds: elements come in the reference interpreter's order; a condition is decided
by the first element that decides it, and the others are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gdl.core.nodes import Const, Domain, Fold, GroupsOf, RangeOf, SitesOf, Slot
from gdl.interpreter.native.emit.arithmetic import result, to_range, widened
from gdl.interpreter.native.emit.blocks import Label
from gdl.interpreter.native.emit.ir import Function, number_type
from gdl.interpreter.native.emit.kinds import FALSE, I1, TRUE
from gdl.interpreter.native.emit.values import Flag, Number, Sites, Value
from gdl.interpreter.native.expressions.closures import FloodWriter
from gdl.interpreter.native.expressions.places import Place


class FoldWriter(FloodWriter):
    """Writes loops and folds."""

    @contextmanager
    def each_of(self, p: Place, slot: Slot, domain: Domain) -> Iterator[tuple[Place, Label]]:
        """Add what is done for each element of a domain, bound to a slot.

        Yields the place where that stands, and the label of the loop's end.
        """
        f, sets = p.f, self.sets
        if isinstance(domain, SitesOf):
            with sets.each(f, self.sites(p, domain.sites)) as each:
                yield p.binding(slot, each.site), each.done
        elif isinstance(domain, RangeOf):
            found = self.ranges.of_slot(slot)
            ends = [self.number(p, end) for end in (domain.low, domain.high)]
            whole = ends[0].range.hull(ends[1].range).hull(found)
            low, high = (to_range(f, end, whole) for end in ends)
            most = self.ranges.elements(domain)
            with f.through(number_type(whole), low, high, most) as numbers:
                number = widened(f, Number(numbers.number, whole), found)
                yield p.binding(slot, Number(number, found)), numbers.done
        else:
            members = self._members(p, domain)
            rest = sets.variable(f, members)
            with f.loop() as groups:
                left = sets.read(f, rest)
                f.need(sets.some(f, left), groups.done)
                first = sets.first(f, left)
                group = self.flood(p, first, domain.frontier, domain.step, members)
                sets.write(f, sets.difference(f, left, group), rest)
                yield p.binding(slot, group), groups.done

    def _members(self, p: Place, domain: GroupsOf) -> Sites:
        """Return the sites that groups are of, so that they can be looked at many times."""
        members = self.sites(p, domain.sites)
        if members.site is not None:
            members = Sites(self.sets.mask(p.f, members))
        return self.sets.settled(p.f, members)

    def fold(self, p: Place, node: Fold) -> Value:
        """Write the code of a fold."""
        if node.combine in ("or", "and"):
            return self._decided(p, node)
        if node.combine in ("max", "min"):
            return self._most(p, node)
        f, kept = p.f, self.variable(p.f, node)
        self.keep(f, node, self.value(p, Const(node.initial, node.type)), kept)
        with self.each_of(p, node.slot, node.domain) as (inner, _):
            now, new = self.kept(f, node, kept), self.value(inner, node.body)
            self.keep(f, node, self._joined(f, node, now, new), kept)
        return self.kept(f, node, kept)

    def _joined(self, f: Function, node: Fold, now: Value, new: Value) -> Value:
        if isinstance(now, Sites) and isinstance(new, Sites):
            way = self.sets.union if node.combine == "union" else self.sets.intersection
            return way(f, [now, new])
        assert isinstance(now, Number) and isinstance(new, Number), "sums are of numbers"
        found = self.ranges.of(node)
        name = "add" if node.combine == "sum" else "multiply"
        return Number(result(f, name, now, new, found), found)

    def _decided(self, p: Place, node: Fold) -> Value:
        f, wanted = p.f, node.combine == "or"
        result = f.variable(I1, FALSE if wanted else TRUE)
        with self.each_of(p, node.slot, node.domain) as (inner, done):
            holds = self.flag(inner, node.body)
            with f.when(holds if wanted else f.is_not(holds)):
                f.put(I1, TRUE if wanted else FALSE, result)
                f.jump(done)
        return Flag(f.get(I1, result))

    def _most(self, p: Place, node: Fold) -> Value:
        f, found = p.f, self.ranges.of(node)
        type_ = number_type(found)
        result, is_first = f.variable(type_), f.variable(I1)
        f.put(type_, to_range(f, self.number(p, Const(node.initial, node.type)), found), result)
        f.put(I1, TRUE, is_first)
        test = "sgt" if node.combine == "max" else "slt"
        with self.each_of(p, node.slot, node.domain) as (inner, _):
            new = to_range(f, self.number(inner, node.body), found)
            better = f.compare(test, type_, new, f.get(type_, result))
            with f.when(f.binary("or", I1, better, f.get(I1, is_first))):
                f.put(type_, new, result)
            f.put(I1, FALSE, is_first)
        return Number(f.get(type_, result), found)
