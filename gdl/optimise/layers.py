"""Layers that never overlap: what is known of sets that are made of them.

In: an interned expression of a set. Out: the layers that it has sites of at most. What then holds:
sets of different layers have no site in common, since a site has one piece at most.
"""

from __future__ import annotations

from collections.abc import Iterable

from gdl.core.nodes import Const, Expression, Get, Op, Select, Slot
from gdl.optimise.interner import Interner


class Layers(Interner):
    """Keeps expressions, and tells the layers of sets.

    `within` has, for slots of a set, the layers that it has sites of at most.
    """

    def __init__(self, layers: frozenset[Slot]) -> None:
        super().__init__()
        self.layers = layers
        self.within: dict[Slot, frozenset[Slot]] = {}
        self._known_layers: dict[int, tuple[Expression, frozenset[Slot] | None]] = {}

    def layers_of(self, node: Expression) -> frozenset[Slot] | None:
        """Return the layers of which a set has sites at most; None if it may have others."""
        found = self._known_layers.get(id(node))
        if found is None:
            found = self._known_layers[id(node)] = node, self._layers_of(node)
        return found[1]

    def _layers_of(self, node: Expression) -> frozenset[Slot] | None:
        match node:
            case Get(slot):
                return frozenset((slot,)) if slot in self.layers else self.within.get(slot)
            case Const(0):
                return frozenset()
            case Select(_, sites):
                return self.layers_of(sites)
            case Op("difference", (of, _)):
                return self.layers_of(of)
            case Op("union", arguments):
                parts = [self.layers_of(part) for part in arguments]
                known = [part for part in parts if part is not None]
                return frozenset().union(*known) if len(known) == len(parts) else None
            case Op("intersection", arguments):
                return self.common_layers(arguments)
        return None

    def common_layers(self, parts: Iterable[Expression]) -> frozenset[Slot] | None:
        """Return the layers that several sets can have sites of in common; None for any."""
        found = (self.layers_of(part) for part in parts)
        known = [layers for layers in found if layers is not None]
        return frozenset.intersection(*known) if known else None
