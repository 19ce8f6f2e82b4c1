"""Floods in one direction: runs along lines, without a loop.

In: closures whose step goes along a single direction, through sites that stay the same. Out: code
for all that is reached. What then holds: the set is that of the loop, which adds one step after
the other.

From a single site, the flood is that site's ray, up to the first site that stops it; for that, a
direction leads from all sites to later ones, or from all to earlier ones. Where it is one shift,
the flood from many sites goes 1, 2, 4, … steps at once, as carries do in an adder (P. M. Kogge and
H. S. Stone, "A parallel algorithm for the efficient solution of a general class of recurrence
equations", 1973).
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.board.relation import Relation
from gdl.core.nodes import Closure, Const, Expression, Get, Op
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from interpreter.native.emit.ir import WORD, Function
from interpreter.native.emit.kinds import I64, Mask
from interpreter.native.emit.values import Sites
from interpreter.native.sets.registers import RegisterSets


@dataclass(frozen=True)
class Bound:
    """A set that a flood stays within, or out of."""

    sites: Expression
    is_within: bool


@dataclass(frozen=True)
class Direction:
    """A step along a `relation`, from each site to one other at most: all later, or all earlier.

    Before it, the frontier is cut down by the sets in `before`, after it by those in `after`;
    those that are known are left out of the relation already.
    """

    relation: Relation
    before: tuple[Bound, ...]
    after: tuple[Bound, ...]

    @property
    def shifts(self) -> tuple[tuple[int, int], ...]:
        """Sets of sites, and how far a step leads from these; where it is one, steps are even."""
        return self.relation.offset_classes

    @property
    def is_upward(self) -> bool:
        """Whether steps lead to later sites."""
        return all(shift > 0 for _, shift in self.shifts)

    @property
    def longest(self) -> int:
        """How many steps can be made at most."""
        steps, reached = 0, (1 << self.relation.size) - 1
        while reached := self.relation.image(reached):
            steps += 1
        return steps


def direction_of(closure: Closure) -> Direction | None:
    """Return the direction in which a closure floods; None if there is not just one."""
    frontier, node = closure.frontier, closure.step
    relation: Relation | None = None
    before: list[Bound] = []
    after: list[Bound] = []
    while not (isinstance(node, Get) and node.slot is frontier):
        if not isinstance(node, Op) or node.type != SITES:
            return None
        moving = [part for part in node.arguments if frontier in part.free]
        others = [part for part in node.arguments if frontier not in part.free]
        bounds = after if relation is None else before
        match node.name:
            case _ if len(moving) != 1:
                return None
            case "image" if relation is None:
                assert isinstance(node.payload, Relation), "an image has a relation"
                relation = node.payload
            case "intersection":
                bounds.extend(Bound(part, True) for part in others)
            case "difference" if moving[0] is node.arguments[0]:
                bounds.extend(Bound(part, False) for part in others)
            case _:
                return None
        node = moving[0]
    if relation is None or not relation.is_function:
        return None
    relation = relation.restrict(_known(before, relation.size), _known(after, relation.size))
    shifts = [shift for _, shift in relation.offset_classes]
    if not shifts or not (all(n > 0 for n in shifts) or all(n < 0 for n in shifts)):
        return None
    return Direction(relation, _unknown(before), _unknown(after))


def _known(bounds: list[Bound], size: int) -> int:
    """Return the sites that the known ones among bounds leave."""
    left = everywhere = (1 << size) - 1
    for bound in bounds:
        if isinstance(bound.sites, Const):
            sites = int(bound.sites.value)
            left &= sites if bound.is_within else everywhere & ~sites
    return left


def _unknown(bounds: list[Bound]) -> tuple[Bound, ...]:
    return tuple(bound for bound in bounds if not isinstance(bound.sites, Const))


def origin(seed: Expression, closure: Closure) -> Expression | None:
    """Return what one step of a closure is taken from in its seed, as that is written."""
    found: list[Expression] = []

    def matches(step: Expression, other: Expression) -> bool:
        if isinstance(step, Get) and step.slot is closure.frontier:
            found.append(other)
            return other == found[0]
        if isinstance(step, Op) and isinstance(other, Op) and closure.frontier in step.free:
            return (
                step.name == other.name
                and step.payload == other.payload
                and len(step.arguments) == len(other.arguments)
                and all(map(matches, step.arguments, other.arguments))
            )
        return step == other

    return found[0] if matches(closure.step, seed) and found else None


class Floods:
    """Code for floods over sets in registers."""

    def __init__(self, sets: RegisterSets) -> None:
        self._sets = sets

    def by_doubling(self, f: Function, seed: Sites, along: Direction, path: Sites) -> Sites:
        """Return what is reached from a set by equally far steps, which may lead to `path`."""
        sets, type_ = self._sets, self._sets.type
        ((_, far),) = along.shifts
        reached, open_ = sets.mask(f, seed), sets.mask(f, path)
        doublings = along.longest.bit_length()
        for doubling in range(doublings):
            shift = far << doubling
            moved = f.binary("and", type_, sets.shifted(f, reached, shift), open_)
            reached = f.binary("or", type_, reached, moved)
            if doubling < doublings - 1:
                open_ = f.binary("and", type_, open_, sets.shifted(f, open_, shift))
        return Sites(reached)

    def path(self, f: Function, along: Direction, before: list[Sites], after: list[Sites]) -> Sites:
        """Return the sites that a step may lead to.

        `before` and `after` are the values of the direction's bounds.
        """
        sets = self._sets
        if along.before:
            parts = []
            for sources, shift in along.shifts:
                left = self._within(f, sets.constant(sources), along.before, before)
                parts.append(Sites(sets.shifted(f, sets.mask(f, left), shift)))
            led_to = sets.union(f, parts)
        else:
            led_to = sets.constant(along.relation.image((1 << sets.size) - 1))
        return self._within(f, led_to, along.after, after)

    def _within(
        self, f: Function, sites: Sites, bounds: tuple[Bound, ...], values: list[Sites]
    ) -> Sites:
        sets = self._sets
        result = Sites(sets.mask(f, sites))
        for bound, value in zip(bounds, values, strict=True):
            other = Sites(sets.mask(f, value))
            if bound.is_within:
                result = sets.intersection(f, [result, other])
            else:
                result = sets.difference(f, result, other)
        return result

    def ray(self, f: Function, site: Sites, along: Direction, path: Sites) -> Sites:
        """Return what is reached by one or more steps from a single site."""
        sets, type_ = self._sets, self._sets.type
        whole = sets.mask(f, sets.by_site(f, ("ray", along.relation), site, _rays(along)))
        if not along.before and not along.after:
            return Sites(whole)
        stops = sets.mask(f, sets.difference(f, Sites(whole), path))
        if along.is_upward:
            before = f.binary("add", type_, stops, -1)
            kept = f.binary("and", type_, before, f.binary("xor", type_, stops, -1))
        else:
            kept = self._above_last(f, stops)
        return Sites(f.binary("and", type_, whole, kept))

    def _above_last(self, f: Function, mask: Mask) -> Mask:
        """Return the sites beyond the last of a set; all if there is none."""
        sets, type_ = self._sets, self._sets.type
        zeros = f.intrinsic("ctlz", type_, mask, "i1 false")
        if sets.bits == WORD:
            some = f.compare("ne", type_, mask, 0)
            upto = f.binary("lshr", type_, -1, zeros)
            return f.binary("xor", type_, f.select(some, type_, upto, 0), -1)
        last = f.binary("sub", I64, sets.bits - 1, f.convert("trunc", type_, zeros, I64))
        return sets.mask(f, sets.above(f, Sites(None, last)))


def _rays(along: Direction) -> Iterator[int]:
    """Yield the ray of each site, that of none in front."""
    rays = [0] * along.relation.size
    sites = range(along.relation.size)
    for site in reversed(sites) if along.is_upward else sites:
        reached = along.relation.image(1 << site)
        if reached:
            rays[site] = reached | rays[reached.bit_length() - 1]
    yield from (0, *rays)
