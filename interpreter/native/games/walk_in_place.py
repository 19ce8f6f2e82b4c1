"""The walk through a turn in place: all its code in one function, without copies of frames.

In: blocks that follow one another. Out: their code. What then holds: what follows a statement that
divides the way stands on each branch, unless the branches meet. Layers that nobody looks at gain
their sites in the position that a random game was begun from, a word at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Generic, TypeVar

from gdl.core.nodes import Assign, Block, Decide, ForEach, Get, Op, Repeat, Slot, Statement
from gdl.data_classes import dataclass
from interpreter.native.emit.blocks import Label
from interpreter.native.emit.kinds import I1, I64, TRUE, Address, Bit, Word
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.games.draws import DrawCode
from interpreter.native.turns.effects import Effects
from interpreter.native.turns.walk import Walk
from interpreter.native.views.views import Views


@dataclass(frozen=True)
class WayInPlace:
    """What follows on a way: statements, and then the label `meeting`, or else its end."""

    rest: Block = ()
    meeting: Label | None = None


Way = TypeVar("Way", bound=WayInPlace)


class WalkInPlace(Walk[Way], Generic[Way]):
    """Writes the ways through blocks that follow one another."""

    effects: EffectsInPlace

    def after(self, block: Block, way: Way) -> Way:
        """Return the way on which a block comes before all that follows."""
        return replace(way, rest=(*block, *way.rest))

    def end(self, p: Place, effects: Block, way: Way) -> None:
        """Write the last effects of a block, and what follows it."""
        self.go_on(p, self.do(p, effects, way))

    def go_on(self, p: Place, way: Way) -> None:
        """Write what follows on a way."""
        if way.rest:
            self.go(p, way.rest, replace(way, rest=()))
        elif way.meeting is not None:
            p.f.jump(way.meeting)
        else:
            self.complete(p, way)

    def meet(self, p: Place, statement: Statement, way: Way) -> None:
        """Write a statement with decisions whose ways come together at its end."""
        with p.f.block() as meeting:
            super().fork(p, statement, replace(way, rest=(), meeting=meeting))

    def decide(self, p: Place, statement: Decide, way: Way) -> None:
        """Raise TypeError: most such turns have no alternatives."""
        raise TypeError(f"alternatives in place: {statement}")

    def loop(self, p: Place, statement: ForEach | Repeat, way: Way) -> None:
        """Raise TypeError: most such turns have no loops with decisions in them."""
        raise TypeError(f"a loop with decisions in place: {statement}")

    def complete(self, p: Place, way: Way) -> None:
        """Write what a completed way is for, unless that comes behind it."""


class EffectsInPlace(Effects):
    """Writes statements without decisions; `draws` is for choices.

    `unread_layers` are those of the position `home`.
    """

    def __init__(
        self,
        expressions: Expressions,
        best: Slot | None,
        views: Views,
        unread_layers: AbstractSet[Slot],
    ) -> None:
        super().__init__(expressions, best)
        self.draws = DrawCode(expressions, views)
        self._unread_layers = unread_layers

    def keep(self, p: Place, slots: Iterable[Slot], *, with_all: bool = True) -> Callable[[], None]:
        """Write that slots are copied, and `with_all` the whole position; the result puts back."""
        f, layout = p.f, self.layout
        kept = [(layout.state_bytes, p.frame)] if with_all else []
        fields = ((slot, layout.fields[slot]) for slot in slots)
        kept += [(field.bytes, p.address(slot, field)) for slot, field in fields]
        copies = [(size, address, f.room(f"[{size} x i8]")) for size, address in kept]
        for size, address, copy in copies:
            f.copy(address, copy, size)

        def put_back() -> None:
            for size, address, copy in copies:
                f.copy(copy, address, size)

        return put_back

    def effect(self, p: Place, statement: Statement) -> None:
        """Write a statement without decisions."""
        if isinstance(statement, Assign) and statement.slot in self._unread_layers:
            p.f.note(statement.span)
            assert isinstance(statement.value, Op), "an unread layer only gains sites"
            site = next(part for part in statement.value.arguments if part != Get(statement.slot))
            assert isinstance(site, Get), "what an unread layer gains is a choice"
            self._gain(p, statement.slot, site.slot, TRUE)
        else:
            super().effect(p, statement)

    def _needs_more_than_a_store(self, slots: Collection[Slot]) -> bool:
        return super()._needs_more_than_a_store(slots) or not self._unread_layers.isdisjoint(slots)

    def gain_one(self, p: Place, layers: Sequence[Slot], site: Slot, number: Word) -> None:
        """Write that the layer of a number (i64) gains a site: no branch could be foreseen."""
        f, sets = p.f, self._sets
        for place, layer in enumerate(layers):
            is_it = f.compare("eq", I64, number, place)
            if layer in self._unread_layers:
                self._gain(p, layer, site, is_it)
                continue
            single = self.expressions.sites(p, Get(site))
            gained = sets.choose(f, is_it, single, sets.constant(0))
            before = self.expressions.sites(p, Get(layer))
            self.expressions.write(p, layer, sets.union(f, [before, gained]))

    def _gain(self, p: Place, layer: Slot, site: Slot, condition: Bit) -> None:
        """Write that an unread layer gains a site if a condition (i1) holds, in one word."""
        f = p.f
        index = self._sets.index(f, self.expressions.sites(p, Get(site)))
        word = f.binary("shl", I64, f.binary("lshr", I64, index, 6), 3)
        address = f.at(self.layout.fields[layer].at(f, Address("%home")), word)
        one = f.convert("zext", I1, condition, I64)
        bit = f.binary("shl", I64, one, f.binary("and", I64, index, 63))
        f.put(I64, f.binary("or", I64, f.get(I64, address), bit), address)
