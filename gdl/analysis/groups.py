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
from gdl.analysis.touch_conditions import TouchCondition, touch_condition, touches_all
from gdl.analysis.triangulated_discs import TriangulatedDisc, triangulated_disc
from gdl.board.relation import Relation
from gdl.core import build
from gdl.core.known import all_known
from gdl.core.nodes import Closure, Const, Expression, Fold, Get, GroupsOf, Let, Op, Slot
from gdl.core.types import SITES
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
