"""What statements do to pieces: placing, removing, moving, flipping, as changes of sets.

In: sets of sites as core expressions. Out: core statements. What then holds: no site carries
two pieces, and marks go where their pieces go.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import product

from gdl.core import build
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Const,
    Expression,
    Get,
    GetAt,
    Origin,
    Slot,
    Statement,
)
from gdl.core.types import SITES
from gdl.diagnostic import Span
from gdl.elaborate.names.scope import Scope, StateVariable
from gdl.elaborate.pieces.pile_effects import PileEffects
from gdl.elaborate.pieces.shared_alternatives import InCommon
from gdl.elaborate.relations import coerce
from gdl.resources.budget import meter_of_loading

KindAndSide = tuple[int, int | None]

_MANY_LAYERS = 4
"""With more layers than these, what all of them lose is worked out once."""
_MANY_ALTERNATIVES = 8
"""Of so many alternatives, what each does is made as like that of the others as can be."""
_UNITS_A_LAYER = 100
"""How much work of loading it is to say what becomes of a layer."""


class PieceEffects:
    """Makes the statements for one place in a program, of an `origin` that is known or told later.

    What it has `in_common` with the same place in another alternative is made once.
    """

    def __init__(
        self,
        scope: Scope,
        span: Span,
        in_common: InCommon | None = None,
        origin: Origin | None = None,
    ) -> None:
        self._origin = origin
        self._scope = scope
        self._in_common = InCommon() if in_common is None else in_common
        self._span = span
        self._layers = scope.declarations.layers
        piles = scope.declarations.piles
        self._piles = None if piles is None else PileEffects(scope, piles, span)

    def _assign(self, slot: Slot, value: Expression) -> Statement:
        return Assign(self._span, slot, value, origin=self._origin)

    def named(self, value: Expression, name: str) -> tuple[list[Statement], Expression]:
        """Return statements that keep a value, and its use: the effects change what it reads."""
        slot, use = coerce.named(value, name)
        if slot is None and not self._is_state(value):
            return [], use
        if slot is None:
            slot = Slot(name, value.type)
        return [self._assign(slot, value)], Get(slot)

    def _is_state(self, value: Expression) -> bool:
        return isinstance(value, Get) and value.slot.is_state

    def place(self, layer: KindAndSide, sites: Expression) -> list[Statement]:
        """Put pieces on sites; what stood there is gone."""
        before, at = self.named(sites, "at")
        made = [*before, *self._clear(at, kept=layer), *self._unmark(at)]
        return made if self._piles is None else [*made, *self._piles.single(at)]

    def _clear(
        self,
        at: Expression,
        kept: KindAndSide | None = None,
        among: AbstractSet[Slot] | None = None,
    ) -> Iterator[Statement]:
        """Yield what takes sites out of layers; if it is known `among` which, out of those."""
        meter = meter_of_loading()
        for layer, slot in self._layers.items():
            if among is not None and slot not in among:
                continue
            meter.spend(_UNITS_A_LAYER)
            left = build.union(Get(slot), at) if layer == kept else self._in_common.left(slot, at)
            yield self._assign(slot, left)

    def remove(self, sites: Expression) -> list[Statement]:
        """Take all pieces off sites."""
        before, at = self.named(sites, "at")
        # What is in no layer stays a statement, so that it can be told to change nothing.
        among = self._scope.layers_within(sites) or None
        made = [*before, *self._clear(at, among=among), *self._unmark(at)]
        return made if self._piles is None else [*made, *self._piles.none(at)]

    def _mark_slots(self) -> Iterator[tuple[StateVariable, Slot]]:
        for variable in self._scope.declarations.marks():
            for slot in variable.slots.values():
                yield variable, slot

    def _unmark(self, at: Expression) -> Iterator[Statement]:
        for variable, slot in self._mark_slots():
            if variable.per_site:
                yield AssignAt(self._span, slot, at, build.number(0))
            else:
                yield self._assign(slot, build.difference(Get(slot), at))

    def move(
        self, source: Expression, destination: Expression, *, is_one: bool = False
    ) -> list[Statement]:
        """Move what stands on one site to another; what stood there is gone.

        Where the source `is_one` site, nothing depends on whether there is any.
        """
        first, origin = self.named(source, "origin")
        there = destination
        if not is_one:
            there = build.conditional(build.some(origin), destination, build.NOWHERE)
        second, goal = self.named(there, "goal")
        return [
            *first,
            *second,
            *self._carry(origin, lambda moved: goal, goal),
            *self._carry_number(origin, goal),
            *(() if self._piles is None else self._piles.carried(origin, goal)),
        ]

    def _carry_number(self, origin: Expression, goal: Expression) -> Iterator[Statement]:
        """Carry the numbers of one piece."""
        for variable, slot in self._mark_slots():
            if variable.per_site:
                yield AssignAt(self._span, slot, goal, GetAt(slot, origin))
                left = build.difference(origin, goal)
                yield AssignAt(self._span, slot, left, build.number(0))

    def shift(
        self, sites: Expression, image: Callable[[Expression], Expression]
    ) -> list[Statement]:
        """Move all that stands on sites along a relation at once."""
        first, origin = self.named(sites, "origin")
        second, goal = self.named(image(origin), "goal")
        numbers = [
            statement
            for variable, slot in self._mark_slots()
            if variable.per_site
            for statement in self._carry_numbers(slot, origin, image, goal)
        ]
        return [*first, *second, *self._carry(origin, image, goal), *numbers]

    def _carry_numbers(
        self,
        slot: Slot,
        origin: Expression,
        image: Callable[[Expression], Expression],
        goal: Expression,
    ) -> Iterator[Statement]:
        """Carry the numbers of several pieces: all those with one number at a time."""
        assert slot.low is not None and slot.high is not None, "numbers of marks have bounds"
        having: dict[int, Slot] = {}
        for value in range(slot.low, slot.high + 1):
            if value != 0:
                having[value] = Slot("having", SITES)
                site = Slot("site", SITES)
                is_so = build.equal(GetAt(slot, Get(site)), build.number(value))
                yield self._assign(having[value], build.select(site, origin, is_so))
        yield AssignAt(self._span, slot, build.union(origin, goal), build.number(0))
        for value, sites in having.items():
            yield AssignAt(self._span, slot, image(Get(sites)), build.number(value))

    def _carry(
        self,
        origin: Expression,
        image: Callable[[Expression], Expression],
        goal: Expression,
    ) -> Iterator[Statement]:
        """Carry pieces and marks, but not numbers."""
        touched = build.union(origin, goal)
        if len(self._layers) > _MANY_LAYERS:
            before, touched = self.named(touched, "touched")
            yield from before
        marks = [slot for variable, slot in self._mark_slots() if not variable.per_site]
        whole = image(origin)
        for slot in (*self._layers.values(), *marks):
            before_it = Get(slot)
            moving = build.intersection(before_it, origin)
            arrived = image(moving)
            if arrived is whole or arrived == whole:
                arrived = build.conditional(build.some(moving), arrived, build.NOWHERE)
            yield self._assign(slot, build.union(build.difference(before_it, touched), arrived))

    def change(
        self, sites: Expression, target: Callable[[KindAndSide], KindAndSide | None]
    ) -> list[Statement]:
        """Change pieces in place: each layer's pieces on the sites go to its target layer."""
        before, at = self.named(sites, "at")
        statements = list(before)
        layers = self._layers
        goals = {layer: target(layer) for layer in layers}
        leaving = {layer: goal for layer, goal in goals.items() if goal in layers and goal != layer}
        arrived: dict[KindAndSide, Expression] = {}
        for goal in dict.fromkeys(goal for goal in leaving.values() if goal is not None):
            sources = [layer for layer, own in leaving.items() if own == goal]
            changed = Slot("changed", SITES)
            coming = build.intersection(self._pieces_of(sources, goal, leaving), at)
            statements.append(self._assign(changed, coming))
            arrived[goal] = Get(changed)
        return [*statements, *self._exchanged(dict.fromkeys(leaving, at), arrived)]

    def _pieces_of(
        self,
        sources: Collection[KindAndSide],
        goal: KindAndSide,
        leaving: Container[KindAndSide],
    ) -> Expression:
        """Return the set of all pieces that become those of a goal.

        What is there already, and stays, may be among them: then the set is often that of all
        pieces of a side, which is the same in other alternatives.
        """
        layers = self._layers
        _, side = goal
        others = {layer for layer in layers if layer[1] == side and layer != goal}
        is_shared = self._in_common.alternatives >= _MANY_ALTERNATIVES
        is_all = is_shared and goal not in leaving and others == {*sources}
        if is_all and side is not None:
            return self._scope.pieces_of(side)
        return build.union(*(Get(layers[layer]) for layer in sources))

    def _exchanged(
        self, gone: Mapping[KindAndSide, Expression], arrived: Mapping[KindAndSide, Expression]
    ) -> Iterator[Statement]:
        """Yield what takes sites out of layers, and then puts others in."""
        for layer, slot in self._layers.items():
            before_it = Get(slot)
            value: Expression = before_it
            if layer in gone:
                value = self._in_common.left(slot, gone[layer])
            if layer in arrived:
                value = build.union(value, arrived[layer])
            if value is not before_it and value != before_it:
                yield self._assign(slot, value)

    # ------------------------------------------------- pieces that are known in play only

    def place_in_play(
        self, kind: Expression, side: Expression | None, sites: Expression
    ) -> list[Statement]:
        """Put pieces on sites whose kind is known in play only; nothing if there is no such piece.

        A `side` is asked for unless all kinds are neutral.
        """
        before, which = self.named(kind, "kind")
        if side is not None:
            more, side = self.named(side, "side")
            before += more
        is_it = {layer: _is_layer(layer, which, side) for layer in self._layers}
        there = build.conditional(build.disjunction(*is_it.values()), sites, build.NOWHERE)
        more, at = self.named(there, "at")
        made = [*before, *more]
        for layer, slot in self._layers.items():
            arrived = build.conditional(is_it[layer], at, build.NOWHERE)
            made.append(self._assign(slot, build.union(build.difference(Get(slot), at), arrived)))
        made += self._unmark(at)
        return made if self._piles is None else [*made, *self._piles.single(at)]

    def change_in_play(
        self,
        sites: Expression,
        kind: Expression,
        target: Callable[[KindAndSide, int], KindAndSide],
    ) -> list[Statement]:
        """Change pieces to a kind that is known in play only; `target` says to which layer."""
        layers = self._layers
        before, at = self.named(sites, "at")
        more, which = self.named(kind, "kind")
        made = [*before, *more]
        sources: dict[KindAndSide, list[KindAndSide]] = {}
        leaving: dict[KindAndSide, list[Expression]] = {}
        for index, of in product(range(len(kind.type.values)), layers):
            goal = target(of, index)
            if goal in layers and goal != of:
                sources.setdefault(goal, []).append(of)
                leaving.setdefault(of, []).append(_is_kind(index, which))
        arrived: dict[KindAndSide, Expression] = {}
        for goal, found in sources.items():
            changed = Slot("changed", SITES)
            coming = build.intersection(build.union(*(Get(layers[of]) for of in found)), at)
            is_goal = _is_kind(goal[0], which)
            made.append(self._assign(changed, build.conditional(is_goal, coming, build.NOWHERE)))
            arrived[goal] = Get(changed)
        gone = {
            layer: build.conditional(build.disjunction(*conditions), at, build.NOWHERE)
            for layer, conditions in leaving.items()
        }
        return [*made, *self._exchanged(gone, arrived)]


def _is_kind(index: int, kind: Expression) -> Expression:
    return build.equal(kind, Const(index, kind.type))


def _is_layer(layer: KindAndSide, kind: Expression, side: Expression | None) -> Expression:
    """Return whether a layer is that of the pieces of a kind and side."""
    index, owner = layer
    if owner is None or side is None:
        return _is_kind(index, kind)
    return build.conjunction(_is_kind(index, kind), build.equal(side, Const(owner, side.type)))
