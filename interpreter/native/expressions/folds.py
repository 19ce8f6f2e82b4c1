"""Loops over domains, and folds: what is worked out of the values of all that is in a domain.

In: domains and folds, and the place where they stand. Out: loops, and the value that they lead
to. What then holds: elements come in the reference interpreter's order; a condition is decided
by the first element that decides it, and the others are left out.
"""

from __future__ import annotations

from collections.abc import Callable

from gdl.core.nodes import Const, Domain, Fold, GroupsOf, RangeOf, SitesOf, Slot
from interpreter.native.emit.arithmetic import to_range, widened
from interpreter.native.emit.blocks import Label
from interpreter.native.emit.ir import Function, width_of
from interpreter.native.emit.kinds import FALSE, I1, TRUE, integer
from interpreter.native.emit.values import Flag, Number, Sites, Value
from interpreter.native.expressions.closures import Closures
from interpreter.native.expressions.places import Place
from interpreter.native.expressions.writer import ExpressionWriter

Body = Callable[[Place, Label], None]
"""Writes what is done for an element, at a place, by the label of the loop's end."""


class Folds:
    """Writes loops and folds; `expressions` writes what is in them, `closures` floods groups."""

    def __init__(self, expressions: ExpressionWriter, closures: Closures) -> None:
        self._expressions = expressions
        self._closures = closures
        self._sets = expressions.sets
        self._ranges = expressions.ranges

    # ------------------------------------------------------------------------ loops

    def over(self, p: Place, slot: Slot, domain: Domain, body: Body) -> None:
        """Write a loop over a domain, whose elements are bound to a slot."""
        if isinstance(domain, SitesOf):
            self._over_sites(p, slot, domain, body)
        elif isinstance(domain, RangeOf):
            self._over_range(p, slot, domain, body)
        else:
            self._over_groups(p, slot, domain, body)

    def _over_sites(self, p: Place, slot: Slot, domain: SitesOf, body: Body) -> None:
        with self._sets.each(p.f, self._expressions.sites(p, domain.sites)) as loop:
            body(p.binding(slot, loop.site), loop.done)

    def _over_range(self, p: Place, slot: Slot, domain: RangeOf, body: Body) -> None:
        found = self._ranges.of_slot(slot)
        ends = [self._expressions.number(p, end) for end in (domain.low, domain.high)]
        whole = ends[0].range.hull(ends[1].range).hull(found)
        low, high = (to_range(p.f, end, whole) for end in ends)
        type_ = integer(width_of(whole))
        with p.f.through(type_, low, high, self._ranges.elements(domain)) as loop:
            number = widened(p.f, Number(loop.number, whole), found)
            body(p.binding(slot, Number(number, found)), loop.done)

    def _over_groups(self, p: Place, slot: Slot, domain: GroupsOf, body: Body) -> None:
        f, sets = p.f, self._sets
        members = self._expressions.sites(p, domain.sites)
        if members.site is not None:
            members = Sites(sets.mask(f, members))
        members = sets.settled(f, members)
        rest = sets.variable(f)
        sets.write(f, members, rest)
        with f.loop() as loop:
            left = sets.read(f, rest)
            f.need(sets.some(f, left), loop.done)
            first = sets.first(f, left)
            group = self._closures.flood(p, first, domain.frontier, domain.step, members)
            sets.write(f, sets.difference(f, left, group), rest)
            body(p.binding(slot, group), loop.done)

    # ------------------------------------------------------------------------ folds

    def fold(self, p: Place, node: Fold) -> Value:
        """Write the code of a fold."""
        if node.combine in ("or", "and"):
            return self._decided(p, node)
        if node.combine in ("max", "min"):
            return self._most(p, node)
        f, variables = p.f, self._expressions
        result = variables.variable(f, node)
        initial = Const(node.initial, node.type)
        variables.keep(f, node, self._expressions.value(p, initial), result)

        def combine(inner: Place, after: Label) -> None:
            now = variables.kept(f, node, result)
            new = self._expressions.value(inner, node.body)
            variables.keep(f, node, self._joined(f, node, now, new), result)

        self.over(p, node.slot, node.domain, combine)
        return variables.kept(f, node, result)

    def _joined(self, f: Function, node: Fold, now: Value, new: Value) -> Value:
        if isinstance(now, Sites) and isinstance(new, Sites):
            way = self._sets.union if node.combine == "union" else self._sets.intersection
            return way(f, [now, new])
        assert isinstance(now, Number) and isinstance(new, Number), "sums are of numbers"
        found = self._ranges.of(node)
        bits = width_of(found)
        first = to_range(f, now, found)
        if node.combine == "product":
            return Number(f.binary("mul", integer(bits), first, widened(f, new, found)), found)
        assert node.combine == "sum", node.combine
        return Number(f.binary("add", integer(bits), first, to_range(f, new, found)), found)

    def _decided(self, p: Place, node: Fold) -> Value:
        f = p.f
        wanted = node.combine == "or"
        result = f.variable(I1, FALSE if wanted else TRUE)

        def test(inner: Place, after: Label) -> None:
            holds = self._expressions.flag(inner, node.body)
            decided = holds if wanted else f.is_not(holds)
            with f.when(decided):
                f.put(I1, TRUE if wanted else FALSE, result)
                f.jump(after)

        self.over(p, node.slot, node.domain, test)
        return Flag(f.get(I1, result))

    def _most(self, p: Place, node: Fold) -> Value:
        f = p.f
        found = self._ranges.of(node)
        bits = width_of(found)
        result, is_first = f.variable(integer(bits)), f.variable(I1)
        initial = self._expressions.number(p, Const(node.initial, node.type))
        f.put(integer(bits), to_range(f, initial, found), result)
        f.put(I1, TRUE, is_first)
        test = "sgt" if node.combine == "max" else "slt"

        def compare(inner: Place, after: Label) -> None:
            new = to_range(f, self._expressions.number(inner, node.body), found)
            better = f.compare(test, integer(bits), new, f.get(integer(bits), result))
            with f.when(f.binary("or", I1, better, f.get(I1, is_first))):
                f.put(integer(bits), new, result)
            f.put(I1, FALSE, is_first)

        self.over(p, node.slot, node.domain, compare)
        return Number(f.get(integer(bits), result), found)
