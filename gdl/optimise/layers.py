"""Layers that never overlap: what is known of sets that are made of them.

In: an interned expression of a set. Out: the layers that it has sites of at most. What then holds:
sets of different layers have no site in common, since a site has one piece at most.
"""

from __future__ import annotations

from collections.abc import Iterable

from gdl.core.layers import common, layers_of
from gdl.core.memo import Memo
from gdl.core.nodes import Expression, Get, Slot
from gdl.optimise.interner import Interner


class Layers(Interner):
    """Keeps expressions, and tells the layers of sets.

    `within` has, for slots of a set, the layers that it has sites of at most.
    """

    def __init__(self, layers: frozenset[Slot]) -> None:
        super().__init__()
        self.layers = layers
        self.within: dict[Slot, frozenset[Slot]] = {}
        self._known_layers = Memo[Expression, frozenset[Slot] | None]()

    def layers_of(self, node: Expression) -> frozenset[Slot] | None:
        """Return the layers of which a set has sites at most; None if it may have others."""
        return self._known_layers.of(node, self._layers_of)

    def _layers_of(self, node: Expression) -> frozenset[Slot] | None:
        if isinstance(node, Get) and node.slot in self.within:
            return self.within[node.slot]
        return layers_of(node, self.layers, self.layers_of)

    def common_layers(self, parts: Iterable[Expression]) -> frozenset[Slot] | None:
        """Return the layers that several sets can have sites of in common; None for any."""
        return common(map(self.layers_of, parts))
