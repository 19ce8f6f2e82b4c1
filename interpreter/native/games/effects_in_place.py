"""The code of effects of random moves that are made in place.

In: statements without decisions. Out: instructions. What then holds: layers that nobody looks at
gain their sites in the position that a random game was begun from, a word at a time.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet

from gdl.core.nodes import Assign, Get, Op, Slot, Statement
from interpreter.native.emit.kinds import I1, I64, TRUE, Address, Bit, Word
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.turns.effects import Effects


class EffectsInPlace(Effects):
    """Writes statements without decisions; `unread_layers` are those of the position `home`."""

    def __init__(
        self, expressions: Expressions, best: Slot | None, unread_layers: AbstractSet[Slot]
    ) -> None:
        super().__init__(expressions, best)
        self._unread_layers = unread_layers

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

    def _is_kept_otherwise(self, slots: Collection[Slot]) -> bool:
        return super()._is_kept_otherwise(slots) or not self._unread_layers.isdisjoint(slots)

    def gain_one(self, p: Place, layers: Sequence[Slot], site: Slot, number: Word) -> None:
        """Write that the layer of a number (i64) gains a site: without a branch.

        Which it is could not be foreseen.
        """
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
