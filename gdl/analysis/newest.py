"""What the newest piece can have brought about: conditions that are kept, not worked out again.

In: the endings of a program. Out: conditions that only become true as a layer grows, each with a
test of what one more site does to it. What then holds: a condition that held before, or that the
test finds to hold now, holds; and no other does.

Such a condition is kept as a flag beside the position while a random game is played. After a way
that leaves its layer alone, it stands; after one that adds the chosen site, the test is made;
after any other, it is worked out anew.

A connection is tested by the group of the newest site alone: what joins two edges only now must
run through it. So must a row that is full only now, and so does a group that touches more than
before. A ring is closed by the newest site, too; but it may be filled, so that where there was one
already, its condition is worked out anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from gdl.analysis.discs import Disc, disc
from gdl.analysis.rows import row_through
from gdl.analysis.touching import Touching, touches_all, touching
from gdl.board.relation import Relation
from gdl.core import build
from gdl.core.nodes import (
    Closure,
    Const,
    Expression,
    Fold,
    Get,
    GroupsOf,
    If,
    Let,
    Op,
    Program,
    Slot,
)
from gdl.core.rebuild import with_parts
from gdl.core.types import FLAG, SITES
from gdl.core.walk import expressions_in

MOST_TARGETS = 15
"""A group touches no more known sets than that, so that they fit into two bytes."""
_MOST_TABLED = 12
"""A condition on a group is looked up in a table, which grows fast with what it asks for."""


@dataclass(frozen=True)
class Join:
    """What is asked of a group under `relation` within a set of sites.

    `test` is the sets that it has to touch, or the disc on which it has to close a ring.
    """

    relation: Relation
    within: int
    test: Touching | Disc


@dataclass(frozen=True)
class Kept:
    """A condition that is kept in `slot`, a flag; it can only become true as `layer` grows.

    `with_newest` is what decides it after `newest`, a single site, was added; for some conditions
    on groups, a `join` may decide it instead. Where there is no `with_newest`, nothing else can,
    and the condition may become false as the layer grows. With `may_end`, it may so, too, and
    `with_newest` only tells whether it can have become true. It may depend on `others` in the same
    way as on the layer.
    """

    slot: Slot
    condition: Expression
    layer: Slot
    newest: Slot
    with_newest: Expression | None
    join: Join | None = None
    others: tuple[Slot, ...] = ()
    may_end: bool = False


def kept_conditions(
    program: Program, *, connections: bool = True, rows: bool = True
) -> tuple[Kept, ...]:
    """Return the conditions in a program's endings that are worth being kept, of these kinds."""
    found: dict[Expression, Kept] = {}
    for phase in program.phases:
        for turn in phase.turns:
            for ending in turn.endings:
                _gather(ending.condition, connections, rows, found)
    return tuple(found.values())


def _gather(node: Expression, connections: bool, rows: bool, found: dict[Expression, Kept]) -> None:
    """Find what is worth being kept in an expression; nothing inside what is kept itself."""
    if node.type == SITES or node in found:
        return
    if node.type == FLAG:
        number = len(found)
        whole = without_lets(node)
        kept: Kept | None = None
        if connections:
            kept = _connection(whole, number) or _group_of_kind(node, number)
            kept = kept or _hole(node, number)
        if kept is None and rows:
            kept = _row(whole, number)
        if kept is not None:
            found[node] = replace(kept, condition=node)
            return
    if isinstance(node, Op | If):
        for part in node.parts():
            _gather(part, connections, rows, found)


def without_lets(node: Expression) -> Expression:
    """Return an expression with each value in place of the word that stands for it."""

    def changed(part: Expression, values: Mapping[Slot, Expression]) -> Expression:
        if isinstance(part, Get):
            return values.get(part.slot, part)
        if isinstance(part, Let):
            value = changed(part.value, values)
            return changed(part.body, {**values, part.slot: value})
        return with_parts(part, lambda inner: changed(inner, values))

    has_lets = any(isinstance(part, Let) for part in expressions_in(node))
    return changed(node, {}) if has_lets else node


def with_flags(kept: Iterable[Kept]) -> dict[Expression, Get]:
    """Return what conditions that are kept may be replaced with: their flags."""
    return {one.condition: Get(one.slot) for one in kept}


def replaced(node: Expression, flags: Mapping[Expression, Get]) -> Expression:
    """Return a condition that reads flags in place of the conditions that they stand for."""
    if node.type == FLAG and node in flags:
        return flags[node]
    if isinstance(node, Op) and node.name not in ("image", "lookup"):
        arguments = tuple(
            part if part.type == SITES else replaced(part, flags) for part in node.arguments
        )
        return node if arguments == node.arguments else replace(node, arguments=arguments)
    if isinstance(node, If) and node.type != SITES:
        return replace(
            node,
            condition=replaced(node.condition, flags),
            then=replaced(node.then, flags),
            otherwise=replaced(node.otherwise, flags),
        )
    return node


def _row(node: Expression, number: int) -> Kept | None:
    """Match a condition that a row of layers is full."""
    newest = Slot("newest", SITES)
    found = row_through(node, newest)
    if found is None:
        return None
    layer, *others = found.rows.layers
    return Kept(
        Slot(f"row {number + 1}", FLAG),
        node,
        layer,
        newest,
        cast(Expression, found.rows),
        others=tuple(others),
        may_end=not found.is_all,
    )


# ---------------------------------------------------------------------- connections


@dataclass(frozen=True)
class _Group:
    """The groups of a layer that a closure begins with, from sites of `origin`."""

    layer: Slot
    origin: Const | None
    step: Expression
    frontier: Slot
    within: Const | None


def _connection(node: Expression, number: int) -> Kept | None:
    """Match a condition that groups of a layer have sites in several known sets."""
    if not (isinstance(node, Op) and node.name == "some"):
        return None
    (joined,) = node.arguments
    parts = _intersected(joined)
    closures = [part for part in parts if isinstance(part, Closure)]
    known = [part for part in parts if isinstance(part, Const)]
    if not closures or len(closures) + len(known) != len(parts) or len(parts) < 2:
        return None
    groups = [_group(closure) for closure in closures]
    first = groups[0]
    if first is None or any(
        g is None or (g.layer, g.within) != (first.layer, first.within) for g in groups
    ):
        return None
    if any(not _same_step(g, first) for g in groups if g is not None):
        return None
    targets = [g.origin for g in groups if g is not None and g.origin is not None]
    targets += known
    newest, group = Slot("newest", SITES), Slot("group", SITES)
    seed: Expression = Get(newest)
    if first.within is not None:
        seed = build.intersection(seed, first.within)
    flood = Closure(seed, first.frontier, first.step)
    relation = _relation(first.step)
    join = None
    if isinstance(relation, Relation) and len(targets) <= MOST_TARGETS:
        within = -1 if first.within is None else int(first.within.value)
        join = Join(relation, within, touches_all([int(target.value) for target in targets]))
    touches = [build.some(build.intersection(Get(group), target)) for target in targets]
    test = Let(group, flood, build.conjunction(*touches))
    return Kept(Slot(f"joined {number + 1}", FLAG), node, first.layer, newest, test, join)


def _group_of_kind(node: Expression, number: int) -> Kept | None:
    """Match a condition that a layer has a group which touches enough of some known sets."""
    match node:
        case Fold("or", group, GroupsOf(Get(layer), frontier, step), body, False):
            relation = _relation(step)
        case _:
            return None
    if not isinstance(relation, Relation) or step != build.image(relation, Get(frontier)):
        return None
    test = touching(body, group, _MOST_TABLED)
    if test is None or not relation.is_symmetric:
        return None
    newest = Slot("newest", SITES)
    flood = Closure(Get(newest), frontier, build.intersection(step, Get(layer)))
    with_newest = Let(group, flood, body)
    join = Join(relation, -1, test)
    return Kept(Slot(f"group {number + 1}", FLAG), node, layer, newest, with_newest, join)


def _hole(node: Expression, number: int) -> Kept | None:
    """Match a condition that some sites outside of a layer don't hang together with the border."""
    match node:
        case Op(
            "some",
            (
                Op(
                    "difference",
                    (
                        Op("difference", (Const(everywhere), Get(layer))),
                        Closure(
                            Op("difference", (Const(border), Get(first))),
                            frontier,
                            Op("difference", (Op("image", (Get(source),), _, relation), Get(last))),
                        ),
                    ),
                ),
            ),
        ):
            pass
        case _:
            return None
    if source is not frontier or not (layer is first is last):
        return None
    if not isinstance(relation, Relation):
        return None
    round_board = disc(relation)
    everywhere_else = (1 << relation.size) - 1 - everywhere
    if round_board is None or everywhere_else or border != round_board.border:
        return None
    join = Join(relation, -1, round_board)
    newest = Slot("newest", SITES)
    return Kept(Slot(f"hole {number + 1}", FLAG), node, layer, newest, None, join)


def _intersected(node: Expression) -> tuple[Expression, ...]:
    if isinstance(node, Op) and node.name == "intersection":
        return node.arguments
    return (node,)


def _group(node: Closure) -> _Group | None:
    """Match a flood over a layer that goes back wherever it goes."""
    layer, origin = _layer_and_constant(_intersected(node.seed))
    step = _intersected(node.step)
    images = [part for part in step if isinstance(part, Op) and part.name == "image"]
    if layer is None or len(images) != 1:
        return None
    (image,) = images
    inside, within = _layer_and_constant(part for part in step if part is not image)
    (source,) = image.arguments
    before = [
        p for p in _intersected(source) if not (isinstance(p, Get) and p.slot is node.frontier)
    ]
    if len(before) == len(_intersected(source)) or inside is not layer:
        return None
    if before:
        leaving, limit = _layer_and_constant(before)
        if leaving not in (layer, None) or limit not in (within, None):
            return None
    relation = image.payload
    if not (isinstance(relation, Relation) and relation.is_symmetric):
        return None
    if origin is not None and within is not None:
        origin = Const(int(origin.value) & int(within.value), SITES)
    return _Group(layer, origin, node.step, node.frontier, within)


def _layer_and_constant(parts: Iterable[Expression]) -> tuple[Slot | None, Const | None]:
    """Return the one layer and the one constant among parts; no layer if there is more."""
    layer: Slot | None = None
    known: Const | None = None
    for part in parts:
        if isinstance(part, Get) and layer is None:
            layer = part.slot
        elif isinstance(part, Const) and known is None:
            known = part
        else:
            return None, None
    return layer, known


def _same_step(a: _Group | None, b: _Group) -> bool:
    if a is None:
        return False
    return a.step == b.step or (a.within == b.within and _relation(a.step) == _relation(b.step))


def _relation(step: Expression) -> object:
    return next(
        part.payload for part in _intersected(step) if isinstance(part, Op) and part.name == "image"
    )
