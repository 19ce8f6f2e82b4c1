"""Conditions on groups of sites that the newest site decides.

In: a condition. Out: what it asks of a group of a layer, or of several together. What then holds:
where a layer gains a site and the condition did not hold, it holds now if and only if the group of
that site does what is asked for.

What joins two edges only now must run through the newest site, and so does a group that touches
more than before. A ring is closed by the newest site, too; but it may be filled, so that where
there was one already, its condition is worked out anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_

from gdl.analysis.changes import united_layers
from gdl.board.relation import Relation, bits
from gdl.core import build
from gdl.core.known import all_known
from gdl.core.nodes import Closure, Const, Expression, Fold, Get, GroupsOf, If, Let, Op, Slot
from gdl.core.types import FLAG, SITES
from gdl.data_classes import dataclass

MOST_TARGETS = 12
"""The groups of a layer touch no more known sets: a table has an entry for all sets of them."""


@dataclass(frozen=True)
class Group:
    """What is asked of a group of `layers` under a `relation`, within a set of sites (-1: all).

    `test` is the sets that it has to touch, or the disc on which it has to close a ring.
    `with_newest` tells of the group of a single site, `newest`, whether it does; there is none for
    a ring.
    """

    layers: tuple[Slot, ...]
    relation: Relation
    within: int
    test: TouchCondition | TriangulatedDisc
    newest: Slot
    with_newest: Expression | None

    @property
    def may_end(self) -> bool:
        """Whether the condition may become false as the layers grow."""
        return isinstance(self.test, TriangulatedDisc)

    @property
    def targets(self) -> tuple[int, ...]:
        """The known sets that are asked for."""
        return self.test.targets if isinstance(self.test, TouchCondition) else ()


def group_of(node: Expression) -> Group | None:
    """Return what a condition asks of a group; None if it asks for anything else."""
    match node:
        case Op("some", (Op("intersection", parts),)):
            return _joined(parts)
        case Fold("or", group, GroupsOf(own, frontier, step), body, False):
            return _of_kind(group, own, frontier, step, body)
        case Op(
            "some", (Op("difference", (Op("difference", (Const(all_), own)), Closure() as rest)),)
        ):
            return _hole(int(all_), own, rest)
    return None


@dataclass(frozen=True)
class _Flood:
    """What a closure reaches over layers, from those of their sites that are in `origin` (-1: all).

    It is `over` layers, by a relation, and only enters sites of a set (-1: all). If it
    `leaves_others`, it goes on from sites of `origin` that are not among them, too.
    """

    over: tuple[tuple[Slot, ...], Relation, int]
    origin: int
    leaves_others: bool


def _joined(parts: Sequence[Expression]) -> Group | None:
    """Match sets that have a site in common if groups of layers have sites in several known sets.

    What closures reach is made of groups, but for sites they begin with and may not enter. These
    must not matter: none is in all that has to meet, and none leads into a group.
    """
    closures = [part for part in parts if isinstance(part, Closure)]
    known = [part for part in parts if isinstance(part, Const)]
    floods: list[_Flood] | None = all_known(map(_flood, closures))
    if not floods or len(closures) + len(known) != len(parts):
        return None
    if len({flood.over for flood in floods}) != 1:
        return None
    layers, relation, within = floods[0].over
    others = (1 << relation.size) - 1 & ~within
    if any(flood.leaves_others and flood.origin & others for flood in floods):
        return None
    begins, ends = [flood.origin for flood in floods], [int(part.value) for part in known]
    if reduce(and_, begins + ends, others):
        return None
    targets = [origin & within for origin in begins if origin != -1] + ends
    if len(targets) > MOST_TARGETS:
        return None
    newest, group = Slot("newest", SITES), Slot("group", SITES)
    seed: Expression = Get(newest)
    if within != -1:
        seed = build.intersection(seed, Const(within, SITES))
    flood = Closure(seed, closures[0].frontier, closures[0].step)
    touches = [
        build.some(build.intersection(Get(group), Const(target, SITES))) for target in targets
    ]
    decides = Let(group, flood, build.conjunction(*touches))
    return Group(layers, relation, within, touches_all(targets), newest, decides)


def _of_kind(
    group: Slot, own: Expression, frontier: Slot, step: Expression, body: Expression
) -> Group | None:
    """Match a condition that layers have a group which touches enough of some known sets."""
    match step:
        case Op("image", (Get(source),), _, Relation() as relation) if source is frontier:
            layers = united_layers(own)
        case _:
            return None
    test = touch_condition(body, group, MOST_TARGETS)
    if test is None or layers is None or not relation.is_symmetric:
        return None
    newest = Slot("newest", SITES)
    flood = Closure(Get(newest), frontier, build.intersection(step, own))
    return Group(layers, relation, -1, test, newest, Let(group, flood, body))


def _hole(everywhere: int, own: Expression, rest: Closure) -> Group | None:
    """Match a condition that some sites outside of layers don't hang together with the border."""
    match rest:
        case Closure(
            Op("difference", (Const(border), first)),
            frontier,
            Op("difference", (Op("image", (Get(source),), _, Relation() as relation), last)),
        ) if source is frontier and own == first == last:
            layers, found = united_layers(own), triangulated_disc(relation)
            is_all = everywhere == (1 << relation.size) - 1
            if layers is not None and found is not None and is_all and border == found.border:
                return Group(layers, relation, -1, found, Slot("newest", SITES), None)
    return None


def _flood(node: Closure) -> _Flood | None:
    """Match a flood over layers that goes back wherever it goes."""
    step = _intersected(node.step)
    images = [part for part in step if isinstance(part, Op) and part.name == "image"]
    if len(images) != 1:
        return None
    (image,) = images
    source = _intersected(image.arguments[0])
    before = [p for p in source if not (isinstance(p, Get) and p.slot is node.frontier)]
    others = [part for part in step if part is not image]
    begun, entered, left = map(_layers_and_constant, (_intersected(node.seed), others, before))
    relation = image.payload
    if begun is None or entered is None or left is None or len(before) == len(source):
        return None
    (layers, origin), (inside, within), (leaving, limit) = begun, entered, left
    if layers is None or inside != layers or leaving not in (layers, None):
        return None
    if limit not in (within, -1):
        return None
    if not isinstance(relation, Relation) or not relation.is_symmetric:
        return None
    return _Flood((layers, relation, within), origin, limit != within)


def _intersected(node: Expression) -> tuple[Expression, ...]:
    if isinstance(node, Op) and node.name == "intersection":
        return node.arguments
    return (node,)


def _layers_and_constant(
    parts: Sequence[Expression],
) -> tuple[tuple[Slot, ...] | None, int] | None:
    """Return the layers and the known set (-1: all sites) that parts have in common.

    There is one of each at most; None if there is more, or anything else.
    """
    known = [int(part.value) for part in parts if isinstance(part, Const)]
    layers = [united_layers(part) for part in parts if not isinstance(part, Const)]
    if len(known) > 1 or len(layers) > 1 or layers == [None]:
        return None
    return layers[0] if layers else None, known[0] if known else -1


# ------------ conditions on a group that say only which known sets it touches, and how many of them

_MOST_COUNTED = 8


@dataclass(frozen=True)
class TouchCondition:
    """A condition on a set: it has to touch some of the `targets`, which are sets of sites.

    `holds` is a table of bits: that of number i tells whether the condition holds of a set that
    touches those targets alone whose bits are in i.
    """

    targets: tuple[int, ...]
    holds: int


@dataclass(frozen=True)
class _AtLeast:
    """At least `number` of some conditions hold; each is one of this kind, or a target's number."""

    number: int
    of: tuple[_AtLeast | int, ...]


def touches_all(targets: Sequence[int]) -> TouchCondition:
    """Return the condition that a set touches all of some sets."""
    return TouchCondition(tuple(targets), 1 << (1 << len(targets)) - 1)


def touch_condition(condition: Expression, group: Slot, most: int) -> TouchCondition | None:
    """Return what a condition says of the set in a slot; None if it may say anything else.

    It has at most `most` targets.
    """
    targets: dict[int, int] = {}
    found = _formula(condition, group, targets)
    if found is None or len(targets) > most:
        return None
    return TouchCondition(tuple(targets), _table(found, len(targets)))


def _formula(node: Expression, group: Slot, targets: dict[int, int]) -> _AtLeast | int | None:
    match node:
        case Const(value) if node.of == FLAG:
            return _AtLeast(0 if value else 1, ())
        case Op("some", (sites,)):
            mask = _within(sites, group)
            return None if mask is None else targets.setdefault(mask, len(targets))
        case Op("and" | "or" as name, arguments):
            found = (_formula(part, group, targets) for part in arguments)
            known: list[_AtLeast | int] | None = all_known(found)
            if known is None:
                return None
            return _AtLeast(len(known) if name == "and" else 1, tuple(known))
        case Op("not_more" | "less" as name, (Const(int(least)), number)):
            counted = _counted(number, group, targets)
            at_least = least if name == "not_more" else least + 1
            return None if counted is None else _AtLeast(at_least, tuple(counted))
    return None


def _counted(node: Expression, group: Slot, targets: dict[int, int]) -> list[_AtLeast | int] | None:
    """Return the conditions of which a number tells how many hold."""
    match node:
        case Op("add", arguments):
            parts = all_known(_counted(part, group, targets) for part in arguments)
            return None if parts is None else [one for part in parts for one in part]
        case If(condition, Const(1), Const(0)):
            found = _formula(condition, group, targets)
            return None if found is None else [found]
        case Op("count", (sites,)):
            mask = _within(sites, group)
            if mask is None or mask < 0 or mask.bit_count() > _MOST_COUNTED:
                return None
            return [targets.setdefault(1 << site, len(targets)) for site in bits(mask)]
    return None


def _within(node: Expression, group: Slot) -> int | None:
    """Return the known set of which a set has the group's sites; below 0, all but some sites."""
    match node:
        case Op("intersection", arguments):
            known = [int(part.value) for part in arguments if isinstance(part, Const)]
            others = [part for part in arguments if not isinstance(part, Const)]
            mask = _within(others[0], group) if len(others) == 1 else None
            return None if mask is None else reduce(and_, known, mask)
        case Op("difference", (of, Const(value))):
            mask = _within(of, group)
            return None if mask is None else mask & ~int(value)
        case Get(slot) if slot is group:
            return -1
    return None


def _table(formula: _AtLeast | int, targets: int) -> int:
    """Return the table of a formula: a bit for each set of targets."""
    rows = 1 << targets
    if isinstance(formula, int):
        half = 1 << formula
        return sum(((1 << half) - 1) << begin + half for begin in range(0, rows, 2 * half))
    at_least = [(1 << rows) - 1] + [0] * max(0, formula.number)
    for part in formula.of:
        column = _table(part, targets)
        for number in range(len(at_least) - 1, 0, -1):
            at_least[number] |= at_least[number - 1] & column
    return at_least[max(0, formula.number)]


# --------------- boards on which what a group encloses is told by the neighbours of its newest site


@dataclass(frozen=True)
class TriangulatedDisc:
    """A disc made of triangles: each site's neighbours, in order around it.

    Those of sites in `border` begin and end at the border; those of others go round.
    """

    around: tuple[tuple[int, ...], ...]
    border: int


def triangulated_disc(relation: Relation) -> TriangulatedDisc | None:
    """Return the disc that neighbours make, or None if they make none."""
    if not relation.is_symmetric:
        return None
    successors = relation.successors
    around: list[tuple[int, ...]] = []
    border = 0
    for site, near in enumerate(successors):
        ends = [n for n in bits(near) if (successors[n] & near).bit_count() == 1]
        order = _in_order(near, ends[0] if ends else None, successors)
        if near >> site & 1 or order is None:
            return None
        around.append(order)
        border |= bool(ends) << site
    edges = sum(near.bit_count() for near in successors) // 2
    corners = sum(len(order) - (border >> site & 1) for site, order in enumerate(around))
    is_disc = border and len(around) - edges + corners // 3 == 1 and _hangs_together(relation)
    return TriangulatedDisc(tuple(around), border) if is_disc else None


def _in_order(near: int, first: int | None, successors: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return sites as a path from its first one, or as a circle; None if they are neither."""
    if near.bit_count() < (2 if first is not None else 4):
        return None
    here = (near & -near).bit_length() - 1 if first is None else first
    order = [here]
    left = near & ~(1 << here)
    while left:
        following = successors[here] & left
        if following.bit_count() > (2 if first is None and len(order) == 1 else 1) or not following:
            return None
        here = (following & -following).bit_length() - 1
        order.append(here)
        left &= ~(1 << here)
    links = sum((successors[site] & near).bit_count() for site in order)
    return tuple(order) if links == 2 * (len(order) - (first is not None)) else None


def _hangs_together(relation: Relation) -> bool:
    reached, fresh = 0, 1
    while fresh:
        reached |= fresh
        fresh = relation.image(fresh) & ~reached
    return reached == (1 << relation.size) - 1
