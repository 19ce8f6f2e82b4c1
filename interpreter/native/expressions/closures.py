"""Floods: all that a step leads to, from a set on, again and again.

In: closures, and the place where they stand. Out: code for all that is reached. What then holds:
the set is the one that the reference interpreter's rounds lead to, in whatever way it is found:
by a table, by a ray, in doubling steps, site by site, or in a loop until nothing is new.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator

from gdl.board.relation import Relation, bits
from gdl.core.nodes import Closure, Const, Expression, Get, Op, Slot
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from gdl.interpreter.native.choices import DOUBLING, RAYS
from gdl.interpreter.native.emit.ir import WORD, Function
from gdl.interpreter.native.emit.kinds import I1, I16, I64, TRUE, Address, Bit, Mask, Word
from gdl.interpreter.native.emit.values import Sites
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.expressions.writer import ExpressionWriter
from gdl.interpreter.native.sets import SetCode
from gdl.interpreter.native.sets.arrays import ArraySets, write_doublings
from gdl.interpreter.native.sets.registers import RegisterSets
from gdl.interpreter.native.sets.word_arrays import CHUNK_BYTES, is_listed

_PARAMETERS = ("ptr %frame", "ptr %world", "ptr noalias %reached", "ptr %within", "i64 %site")


class FloodWriter(ExpressionWriter):
    """Writes floods."""

    def closure(self, p: Place, node: Closure) -> Sites:
        """Write the code of a closure."""
        sets, found = self.sets, None
        along = direction_of(node)
        if isinstance(sets, RegisterSets):
            if along is not None:
                found = self._flood_along(p, node, along, Floods(sets))
            return found or self.flood(p, self.sites(p, node.seed), node.frontier, node.step, None)
        seed, relation = self.sites(p, node.seed), relation_that_leads_back(node)
        if relation is not None:
            found = flood_by_orbits(sets, p.f, relation, seed)
        if found is None and DOUBLING in self.choices and along is not None:
            found = self._flood_array_along(p, sets, seed, along)
        return found or self.flood(p, seed, node.frontier, node.step, None)

    def _flood_along(
        self, p: Place, node: Closure, along: Direction, floods: Floods
    ) -> Sites | None:
        """Write a flood in one direction without a loop, as far as that is chosen."""
        f = p.f

        def path() -> Sites:
            return floods.path(f, along, *self._bounds(p, along))

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

    def _flood_array_along(self, p: Place, sets: ArraySets, seed: Sites, along: Direction) -> Sites:
        """Write a flood in one direction.

        Unless the seed is a list, that is a call of a function, which is given where sets lie.
        """
        f, (before, after) = p.f, self._bounds(p, along)
        result = sets.variable(f)
        if is_listed(seed):
            _write_walk(sets, f, along, seed, before, after, result)
            return Sites(result)
        given = [f"%given_{place}" for place in range(1 + len(before) + len(after))]

        def write(name: str) -> None:
            parameters = ("ptr noalias %result", *(f"ptr {one}" for one in given))
            with sets.module.procedure(name, *parameters) as inner:
                seed, *bounds = (Sites(Address(one)) for one in given)
                limits = bounds[: len(before)], bounds[len(before) :]
                _write_along(sets, inner, along, seed, *limits, Address("%result"))

        kinds = tuple(bound.is_within for bound in (*along.before, *along.after))
        name = sets.module.once("along", (along.relation, len(before), kinds), write)
        addresses = (result, *(sets.mask(f, each) for each in (seed, *before, *after)))
        f.do(f"call void @{name}({', '.join(f'ptr {address}' for address in addresses)})")
        return Sites(result)

    def _bounds(self, p: Place, along: Direction) -> tuple[list[Sites], list[Sites]]:
        """Write the values of a direction's bounds, before a step and after it."""
        before = [self.sites(p, bound.sites) for bound in along.before]
        return before, [self.sites(p, bound.sites) for bound in along.after]

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

        def flood(p: Place, reached: Address, within: Sites | None, site: Word | None) -> None:
            _ArrayFlood(sets, p.f, reached, lambda here: stepped(p, here, within)).write(site)

        def write(name: str) -> None:
            with sets.module.procedure(name, *_PARAMETERS) as function:
                limit = None if within is None else Sites(Address("%within"))
                site = None if seed.site is None else Word("%site")
                flood(Place(function), Address("%reached"), limit, site)

        # A function is given the frame alone: not which of two sides is on turn.
        if (step.free - {frontier}).isdisjoint({*p.bound, *p.moved_slots}):
            key = frontier, step, within is None, seed.site is None
            name = sets.module.once("flood", key, write)
            limit = "null" if within is None else sets.mask(f, within)
            called = f"ptr {p.frame}, ptr {p.world}, ptr {reached}, ptr {limit}"
            f.do(f"call void @{name}({called}, i64 {seed.site or 0})")
        else:
            flood(p, reached, within, seed.site)
        return sets.read(f, reached)


_FEWEST_COUNTED = 4
"""Where so many sites are few, none are counted: all the board is gone through at once."""


def few_sites(sets: ArraySets) -> int:
    """Return of how many sites one after the other is gone through sooner than all the board."""
    return sets.bytes // CHUNK_BYTES


class _ArrayFlood:
    """Writes that what a step leads to is added to the set at an address, until nothing is new.

    Since a step distributes over union, it is taken from what is new alone: where that is many
    sites, from all at once; else from one site after the other.
    """

    def __init__(
        self, sets: ArraySets, f: Function, reached: Address, step: Callable[[Sites], Sites]
    ) -> None:
        self._sets = sets
        self._f = f
        self._reached = reached
        self._step = step
        self._new = sets.variable(f)
        self._list = f.room(f"[{sets.size} x i16]")
        self._begin, self._end = f.room(I64), f.room(I64)
        """Which part of the list waits for its step."""

    def write(self, seed: Word | None) -> None:
        """Write the flood from a seed: one site (i64; -1: none), or else all of the set."""
        f, sets, few = self._f, self._sets, few_sites(self._sets)
        if seed is None or few <= _FEWEST_COUNTED:
            sets.write(f, Sites(self._reached), self._new)
        if few <= _FEWEST_COUNTED:
            with f.loop() as rounds:
                f.need(sets.some(f, Sites(self._new)), rounds.done)
                self._step_from_all()
            return
        listed = f.new_label()
        if seed is not None:
            self._empty_list()
            self._push(seed, f.compare("sge", I64, seed, 0))
            f.jump(listed)
        with f.loop() as changes:
            with f.loop() as rounds:
                number = sets.count(f, Sites(self._new))
                f.need(f.compare("ugt", I64, number, few), rounds.done)
                self._step_from_all()
            self._empty_list()
            with sets.each_at(f, self._new) as loop:
                self._push(loop.index, TRUE)
            f.label(listed)
            with f.loop() as rounds:
                begin, end = f.get(I64, self._begin), f.get(I64, self._end)
                f.leave_if(f.compare("eq", I64, begin, end), changes.done)
                number = f.binary("sub", I64, end, begin)
                f.leave_if(f.compare("ugt", I64, number, few), rounds.done)
                with f.strides(begin, end, 1, sets.size) as place:
                    self._step_from(f.unsigned(I16, f.entry(I16, self._list, place)))
                f.put(I64, end, self._begin)
            f.clear(self._new, sets.bytes)
            with f.strides(begin, end, 1, sets.size) as place:
                sets.add(f, self._new, f.unsigned(I16, f.entry(I16, self._list, place)))

    def _step_from_all(self) -> None:
        """Write the step from all that is new."""
        found = self._sets.difference(self._f, self._step(Sites(self._new)), Sites(self._reached))
        self._sets.write_new(self._f, found, self._new, self._reached)

    def _step_from(self, index: Word) -> None:
        """Write the step from one site."""
        f, sets = self._f, self._sets
        found = self._step(Sites(None, index, True))
        if is_listed(found):
            for site, there in sets.listed(f, found):
                self._push(site, sets.add_new(f, self._reached, site, there))
            return
        with sets.each(f, found) as one:
            self._push(one.index, sets.add_new(f, self._reached, one.index, TRUE))

    def _empty_list(self) -> None:
        self._f.put(I64, 0, self._begin)
        self._f.put(I64, 0, self._end)

    def _push(self, site: Word, condition: Bit) -> None:
        """Write that a site waits for its step, if a condition holds."""
        f = self._f
        now = f.get(I64, self._end)
        f.put(I16, f.convert("trunc", I64, site, I16), f.entry(I16, self._list, now))
        f.put(I64, f.binary("add", I64, now, f.convert("zext", I1, condition, I64)), self._end)


# -------------------------------------------------------------------------- floods in one direction


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
        doublings = along.relation.longest.bit_length()

        def doubled(f: Function, reached: Mask, open_: Mask) -> Mask:
            for doubling in range(doublings):
                shift = far << doubling
                moved = f.binary("and", type_, sets.shifted(f, reached, shift), open_)
                reached = f.binary("or", type_, reached, moved)
                if doubling < doublings - 1:
                    open_ = f.binary("and", type_, open_, sets.shifted(f, open_, shift))
            return reached

        masks = sets.mask(f, seed), sets.mask(f, path)
        return Sites(sets.made(f, "doubled", (far, doublings), type_, doubled, *masks))

    def path(self, f: Function, along: Direction, before: list[Sites], after: list[Sites]) -> Sites:
        """Return the sites that a step may lead to.

        `before` and `after` are the values of the direction's bounds.
        """
        sets = self._sets
        if along.before:
            parts = []
            for sources, shift in along.shifts:
                left = _bounded(sets, f, sets.constant(sources), along.before, before)
                parts.append(Sites(sets.shifted(f, sets.mask(f, left), shift)))
            led_to = sets.union(f, parts)
        else:
            led_to = sets.constant(along.relation.image((1 << sets.size) - 1))
        return Sites(sets.mask(f, _bounded(sets, f, led_to, along.after, after)))

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


def _path(
    sets: ArraySets, f: Function, along: Direction, before: list[Sites], after: list[Sites]
) -> Sites:
    """Return the sites of a large board that a step may lead to, as `Floods.path` does."""
    if along.before:
        left = _bounded(sets, f, Sites(known=sets.everywhere), along.before, before)
        led_to = sets.image(f, along.relation, left)
    else:
        led_to = sets.constant(along.relation.image(sets.everywhere))
    return _bounded(sets, f, led_to, along.after, after)


def _write_along(
    sets: ArraySets,
    f: Function,
    along: Direction,
    seed: Sites,
    before: list[Sites],
    after: list[Sites],
    result: Address,
) -> None:
    """Write a flood in one direction: where its seed has many sites, by doubling steps."""
    if len(along.shifts) == 1:
        ((_, far),) = along.shifts
        few, are_many = few_sites(sets), TRUE
        if few > _FEWEST_COUNTED:
            are_many = f.compare("ugt", I64, sets.count(f, seed), few)
        with f.when(are_many):
            path = _path(sets, f, along, before, after)
            write_doublings(sets, f, seed, path, far, along.relation.longest, result)
            f.give("void")
    _write_walk(sets, f, along, seed, before, after, result)


def _write_walk(
    sets: ArraySets,
    f: Function,
    along: Direction,
    seed: Sites,
    before: list[Sites],
    after: list[Sites],
    result: Address,
) -> None:
    """Write a walk from each site of a seed on, as far as steps lead to sites that are new."""

    def stay_within(bounds: tuple[Bound, ...], values: list[Sites], site: Word) -> None:
        for bound, value in zip(bounds, values, strict=True):
            is_in = sets.holds(f, value, Sites(None, site, True))
            f.need(is_in if bound.is_within else f.is_not(is_in), walk.done)

    sets.write(f, seed, result)
    here = f.variable(I64)
    with sets.each(f, seed) if is_listed(seed) else sets.each_at(f, sets.mask(f, seed)) as one:
        f.put(I64, one.index, here)
        with f.loop(along.relation.longest + 1) as walk:
            site = f.get(I64, here)
            stay_within(along.before, before, site)
            site = sets.index(f, sets.image(f, along.relation, Sites(None, site, True)))
            f.need(f.compare("sge", I64, site, 0), walk.done)
            stay_within(along.after, after, site)
            f.need(sets.add_new(f, result, site, TRUE), walk.done)
            f.put(I64, site, here)


def _bounded(
    sets: SetCode, f: Function, sites: Sites, bounds: tuple[Bound, ...], values: list[Sites]
) -> Sites:
    """Return the sites of a set that bounds leave, of which the values are given."""
    for bound, value in zip(bounds, values, strict=True):
        if bound.is_within:
            sites = sets.intersection(f, [sites, value])
        else:
            sites = sets.difference(f, sites, value)
    return sites


def _rays(along: Direction) -> Iterator[int]:
    """Yield the ray of each site, that of none in front."""
    rays = [0] * along.relation.size
    sites = range(along.relation.size)
    for site in reversed(sites) if along.is_upward else sites:
        reached = along.relation.image(1 << site)
        if reached:
            rays[site] = reached | rays[reached.bit_length() - 1]
    yield from (0, *rays)


# ------------------------------------------------------------ floods along relations that lead back

_MOST_ORBITS = 512


def relation_that_leads_back(node: Closure) -> Relation | None:
    """Return the relation of a closure's step, if that is all of it and it leads back.

    It is that part of the relation which concerns sites that may be reached.
    """
    step = node.step
    if not (isinstance(step, Op) and step.name == "image"):
        return None
    (source,) = step.arguments
    relation = step.payload
    if not (isinstance(source, Get) and source.slot is node.frontier):
        return None
    assert isinstance(relation, Relation), "an image has a relation"
    if relation.is_symmetric:
        return relation
    reached = _reached(relation, _bound(node.seed, relation.size))
    relation = relation.restrict(reached, reached)
    back = relation.inverse()
    turns = relation.is_function and back.is_function
    return relation if turns and relation.image(reached) == back.image(reached) else None


def _bound(seed: Expression, size: int) -> int:
    """Return a known set that a seed lies in, on a board of so many sites."""
    found = (1 << size) - 1
    match seed:
        case Const(int(sites)):
            found = sites
        case Op("intersection", parts):
            for part in parts:
                found &= _bound(part, size)
    return found


def _reached(relation: Relation, seed: int) -> int:
    """Return all that a relation leads to from a set, and the set."""
    reached = frontier = seed
    while frontier:
        frontier = relation.image(frontier) & ~reached
        reached |= frontier
    return reached


def orbits_of(relation: Relation) -> list[int]:
    """Return the sets of more than one site of which each reaches all the others."""
    left = relation.image((1 << relation.size) - 1)
    found = []
    while left:
        reached = _reached(relation, left & -left)
        if reached.bit_count() > 1:
            found.append(reached)
        left &= ~reached
    return found


def flood_by_orbits(sets: ArraySets, f: Function, relation: Relation, seed: Sites) -> Sites | None:
    """Write what is reached from a seed; None if there are too many sets to know them all."""
    if relation not in sets.orbits:
        sets.orbits[relation] = orbits_of(relation)
    orbits = sets.orbits[relation]
    if len(orbits) > _MOST_ORBITS:
        return None

    def write(f: Function, source: Address, result: Address) -> None:
        number = [0] * sets.size
        for which, orbit in enumerate(orbits, 1):
            for site in bits(orbit):
                number[site] = which
        numbers = sets.module.tables.add(array("H", number).tobytes())
        packed = b"".join(orbit.to_bytes(sets.bytes, "little") for orbit in (0, *orbits))
        masks = sets.module.tables.add(packed)
        f.clear(result, sets.bytes)
        reached = Sites(result)
        with (
            sets.each_at(f, source) as loop,
            f.when(f.is_not(sets.holds(f, reached, loop.site))),
        ):
            sets.add(f, result, loop.index)
            place = f.get(I16, f.entry(I16, numbers, loop.index))
            with f.when(f.compare("ne", I16, place, 0)):
                wide = f.convert("zext", I16, place, I64)
                mask = Sites(f.at(masks, f.binary("mul", I64, wide, sets.bytes)))
                sets.write(f, sets.union(f, [reached, mask]), result)

    return sets.made_once(f, "orbits", relation, seed, write)
