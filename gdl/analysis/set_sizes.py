"""How many sites a set has at most, before play; and the parts that it is made of.

In: a set, an expression of the core. Out: a bound of its size, by the site that an earlier choice
has; and parts of the set, which never have a site in common. What then holds: in no position does
the set, or one of its parts, have more sites than its bound.

The bound of the sites that a relation leads to from one chosen site is the greatest number of
such sites; of sites in a line from it, the length of the line; of sets that are there in different
cases, that of the largest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, reduce
from operator import and_, or_

from gdl.board.relation import Relation, bits
from gdl.core import build
from gdl.core.known import all_known
from gdl.core.memo import Memo, PairMemo
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Choose,
    Closure,
    Const,
    Expression,
    ForEach,
    Get,
    GroupsOf,
    If,
    Let,
    Op,
    Program,
    Select,
    SitesOf,
    Slot,
)
from gdl.core.types import SITES
from gdl.core.walk import program_statements
from gdl.data_classes import dataclass
from gdl.optimise.algebra.interner import Interner

_Places = tuple[int, ...]
_Reached = tuple[Slot, _Places]
"""Where a set lies at most: a choice, and the sites for each site that it may have."""


@dataclass(frozen=True)
class Part:
    """A part of a set: the sites in it, which are at most so many."""

    sites: Expression
    most: int


@dataclass(frozen=True)
class _Known:
    """What is known of a set: how many sites it has at most, and where they lie at most."""

    most: _Most
    reached: _Reached | None

    @property
    def greatest(self) -> int:
        """How many sites it has at most, whatever the site of a choice."""
        return max(self.most.numbers, default=0)


@dataclass(frozen=True)
class _Most:
    """How many sites there are at most, by the site of a choice (None: whatever it is)."""

    slot: Slot | None
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class _Together:
    """Sets that may share sites: how many sites they have at most, and where these lie at most."""

    sets: tuple[Expression, ...]
    most: int
    places: _Places


_Scope = Mapping[Slot, _Known]


class Reach:
    """Where relations lead to from each site of a board, as far as that was asked for."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.images = PairMemo[_Places, Relation, _Places]()
        self.lines = PairMemo[_Places, Relation, _Places]()
        self._rays = Memo[Relation, list[int]]()

    @cached_property
    def everywhere(self) -> _Places:
        """Each site by itself."""
        return tuple(1 << site for site in range(self.size))

    def line_from(self, places: _Places, step: Relation) -> _Places:
        """Return where a step leads to from each place, taken as often as one likes."""
        rays = self._rays.of(step, _rays)
        return tuple(reduce(or_, (rays[site] for site in bits(sites)), 0) for sites in places)


class SetSizes:
    """Bounds of sets over a board, after choices of the sites in `chosen`; `on` is the board."""

    def __init__(self, on: Reach, chosen: AbstractSet[Slot]) -> None:
        self._on = on
        self._size = on.size
        self._chosen = chosen
        self._interner = Interner()
        self._forget_scopes()

    def _forget_scopes(self) -> None:
        self._scopes = PairMemo[Let, _Scope, _Scope]()
        self._known = PairMemo[Expression, _Scope, _Known]()

    def most(self, sites: Expression) -> int:
        """Return how many sites a set has at most."""
        self._forget_scopes()
        return self._of(sites, {}).greatest

    def parts(self, sites: Expression) -> tuple[Part, ...]:
        """Return sets of which a set is made, and no two of which ever share a site; or none.

        Whatever the site of the choice before, they lie apart.
        """
        self._forget_scopes()
        found: list[_Together] = []
        of: Slot | None = None
        for part, reached in self._divided(sites, {}):
            if reached is None or (found and of is not reached[0]):
                return ()
            of, places = reached
            sets: tuple[Expression, ...] = (part.sites,)
            most = part.most
            apart = []
            for other in found:
                if _are_apart(other.places, places):
                    apart.append(other)
                    continue
                places = tuple(a | b for a, b in zip(other.places, places, strict=True))
                most = min(other.most + most, max(map(int.bit_count, places)))
                sets = (*other.sets, *sets)
            found = [*apart, _Together(sets, most, places)]
        if len(found) <= 1:
            return ()
        return tuple(Part(build.union(*one.sets), one.most) for one in found)

    def _divided(self, node: Expression, scope: _Scope) -> list[tuple[Part, _Reached | None]]:
        """Return sets that together are a set: those of a union, cases of one value together.

        Also return where they lie at most.
        """
        match node:
            case Op("union", arguments):
                return [
                    self._part(build.union(*(part for case in cases for part in case)), scope)
                    for cases in self._cases(arguments)
                ]
            case Op("difference", (of, away)):
                return [
                    (Part(build.difference(part.sites, away), part.most), reached)
                    for part, reached in self._divided(of, scope)
                ]
            case Let(slot, value, body):
                return [
                    (Part(Let(slot, value, part.sites), part.most), reached)
                    if slot in part.sites.free
                    else (part, reached)
                    for part, reached in self._divided(body, self._within(node, scope))
                ]
        return [self._part(node, scope)]

    def _part(self, node: Expression, scope: _Scope) -> tuple[Part, _Reached | None]:
        known = self._of(node, scope)
        return Part(node, known.greatest), known.reached

    def _of(self, node: Expression, scope: _Scope) -> _Known:
        """Return what is known of a set, in whose expression slots have sets as in a scope."""
        return self._known.of(node, scope, self._found)

    def _found(self, node: Expression, scope: _Scope) -> _Known:
        most: _Most | None = None
        reached: _Reached | None = None
        match node:
            case Const(value):
                most = self._always(int(value).bit_count())
            case Get(slot) if slot in scope:
                return scope[slot]
            case Get(slot) if slot in self._chosen:
                reached = slot, self._on.everywhere
            case Let(_, _, body):
                return self._of(body, self._within(node, scope))
            case Select(_, sites):
                most = self._of(sites, scope).most
            case Op("image", (of,), _, Relation() as relation):
                reached = self._led(of, scope, self._on.images, relation, _image_of_each)
            case Closure(seed, frontier, step):
                one_on = image_of(step, frontier)
                if one_on is not None and one_on.is_function:
                    reached = self._led(seed, scope, self._on.lines, one_on, self._on.line_from)
            case Op("intersection", arguments):
                parts = [self._of(part, scope) for part in arguments]
                most = self._combined([part.most for part in parts], min)
                reached = next((part.reached for part in parts if part.reached is not None), None)
            case Op("difference", (of, _)):
                most, reached = self._of(of, scope).most, self._of(of, scope).reached
            case Op("union", arguments):
                most = self._sum([self._one_of(cases, scope) for cases in self._cases(arguments)])
                reached = _joined([self._of(part, scope).reached for part in arguments])
            case If(_, then, otherwise):
                ways = [self._of(then, scope), self._of(otherwise, scope)]
                most = self._combined([way.most for way in ways], max)
                if otherwise == build.NOWHERE:
                    ways.pop()
                reached = _joined([way.reached for way in ways])
        bounds = [] if most is None else [most]
        if reached is not None:
            bounds.append(_Most(reached[0], tuple(map(int.bit_count, reached[1]))))
        return _Known(self._combined(bounds or [self._always(self._size)], min), reached)

    def _within(self, node: Let, scope: _Scope) -> _Scope:
        """Return the scope of the body of a let."""
        if node.value.type != SITES:
            return scope
        return self._scopes.of(
            node, scope, lambda node, scope: {**scope, node.slot: self._of(node.value, scope)}
        )

    # ------------------------------------------------------------------------- sizes

    def _always(self, number: int) -> _Most:
        return _Most(None, (number,) * self._size)

    def _combined(self, parts: list[_Most], how: Callable[..., int]) -> _Most:
        """Combine bounds site by site; those by the sites of different choices by the greatest."""
        if len(parts) == 1:
            return parts[0]
        slots = {part.slot for part in parts if part.slot is not None}
        if not slots:
            return self._always(how(*[part.numbers[0] for part in parts]))
        if len(slots) > 1:
            return self._always(how(*(max(part.numbers) for part in parts)))
        numbers = map(how, *(part.numbers for part in parts))
        return _Most(next(iter(slots), None), tuple(numbers))

    def _cases(self, parts: Iterable[Expression]) -> list[list[list[Expression]]]:
        """Divide a union: of each list of cases, at most one has sites in any position.

        Such are the parts that are there if a value is one constant, and those if it is another.
        """
        by_value = Memo[Expression, dict[object, list[Expression]]]()
        for part in parts:
            case = _case_of(part)
            key, constant = (part, None) if case is None else case
            key = part if case is None else self._interner.intern(key)
            by_value.of(key, lambda _: {}).setdefault(constant, []).append(part)
        return [list(cases.values()) for _, cases in by_value.items()]

    def _one_of(self, cases: list[list[Expression]], scope: _Scope) -> _Most:
        """Bound the union of sets, given by cases of which at most one has sites."""
        parts = [[self._of(part, scope).most for part in case] for case in cases]
        return self._combined([self._sum(case) for case in parts], max)

    def _sum(self, parts: list[_Most]) -> _Most:
        return self._combined(parts, lambda *numbers: min(self._size, sum(numbers)))

    # ------------------------------------------------------------------------ places

    def _led(
        self,
        sites: Expression,
        scope: _Scope,
        known: PairMemo[_Places, Relation, _Places],
        relation: Relation,
        places_after: Callable[[_Places, Relation], _Places],
    ) -> _Reached | None:
        """Return where what a relation leads to from a set lies at most."""
        reached = self._of(sites, scope).reached
        return reached and (reached[0], known.of(reached[1], relation, places_after))


def _image_of_each(places: _Places, relation: Relation) -> _Places:
    return tuple(map(relation.image, places))


def _rays(step: Relation) -> list[int]:
    """Return where a step to one site at most leads to from each, taken as often as one likes.

    The ways are doubled until they are as long as any can be.
    """
    after = [targets.bit_length() - 1 for targets in step.successors]
    rays = [1 << site for site in range(step.size)]
    for _ in range(step.size.bit_length()):
        rays = [ray | rays[to] if to >= 0 else ray for ray, to in zip(rays, after, strict=True)]
        after = [after[to] if to >= 0 else -1 for to in after]
    return rays


def _are_apart(a: _Places, b: _Places) -> bool:
    return not any(x & y for x, y in zip(a, b, strict=True))


def _joined(parts: list[_Reached | None]) -> _Reached | None:
    """Return where several sets lie at most, if all depend on the site of one choice."""
    known = all_known(parts)
    if known is None or len({slot for slot, _ in known}) != 1:
        return None
    (slot, places), *others = known
    for _, other in others:
        places = tuple(a | b for a, b in zip(places, other, strict=True))
    return slot, places


def _case_of(part: Expression) -> tuple[Expression, object] | None:
    """Return the value and the constant that it must be for a set to have sites, if any."""
    match part:
        case If(Op("equal", (value, Const(constant))), _, Const(0)):
            return value, constant
    return None


def image_of(node: Expression, frontier: Slot) -> Relation | None:
    """Match an image of a frontier, cut down by other sets."""
    match node:
        case Op("image", (of,), _, Relation() as relation) if _is_within(of, frontier):
            return relation
        case Op("intersection", arguments):
            found = (image_of(part, frontier) for part in arguments)
            return next((one for one in found if one is not None), None)
        case Op("difference", arguments):
            return image_of(arguments[0], frontier)
    return None


def _is_within(node: Expression, frontier: Slot) -> bool:
    match node:
        case Get(slot):
            return slot is frontier
        case Op("intersection", arguments):
            return any(_is_within(part, frontier) for part in arguments)
        case Op("difference", arguments):
            return _is_within(arguments[0], frontier)
    return False


# ---------------- where the sets in a turn's variables can lie, as far as that is known before play


def set_bounds(program: Program, size: int, more: Iterable[Block] = ()) -> Mapping[Slot, int]:
    """Return the bounds of a program's variables, over a board of `size` sites.

    `more` are further blocks that give values to them. Variables without bounds are left out.
    """
    values: dict[Slot, list[Expression]] = {}
    for statement in program_statements(program, more):
        match statement:
            case (
                Assign(_, slot, given)
                | AssignAt(_, slot, _, given)
                | Choose(_, slot, SitesOf(given))
                | ForEach(_, slot, SitesOf(given) | GroupsOf(given))
            ) if given.type == SITES and not slot.is_state:
                values.setdefault(slot, []).append(given)
    found = _Bounds(size, values)
    return {slot: found.of_slot(slot) for slot in values}


class _Bounds:
    """Works out the bounds of slots from the `values` that they are given."""

    def __init__(self, size: int, values: Mapping[Slot, Sequence[Expression]]) -> None:
        self._everywhere = (1 << size) - 1
        self._values = values
        self._known: dict[Slot, int] = {}
        self._memo = Memo[Expression, int]()

    def of_slot(self, slot: Slot) -> int:
        """Return a set that a variable's value lies in."""
        if slot not in self._values:
            return self._everywhere
        if slot not in self._known:
            self._known[slot] = self._everywhere
            self._known[slot] = reduce(or_, map(self._of, self._values[slot]))
        return self._known[slot]

    def _of(self, node: Expression) -> int:
        return self._memo.of(node, self._found)

    def _found(self, node: Expression) -> int:
        match node:
            case Const(value):
                return int(value)
            case Get(slot):
                return self.of_slot(slot)
            case If(_, then, otherwise):
                return self._of(then) | self._of(otherwise)
            case Select(_, sites):
                return self._of(sites)
            case Op("image", (of,), _, relation):
                assert isinstance(relation, Relation), "an image has a relation"
                return relation.image(self._of(of))
            case Op("first" | "difference", (of, *_)):
                return self._of(of)
            case Op("intersection", arguments):
                return reduce(and_, map(self._of, arguments))
            case Op("union", arguments):
                return reduce(or_, map(self._of, arguments))
        return self._everywhere
