"""Layers never overlap: of which of them a set can have sites.

In: an expression of a set. Out: the layers that it has sites of at most. What then holds: sets of
different layers have no site in common, since a site has one piece at most.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from gdl.core.known import all_known
from gdl.core.nodes import Const, Expression, Get, If, Op, Select, Slot

Layers = frozenset[Slot] | None
"""The layers that a set has sites of at most; None if it may have any sites."""


def layers_of(
    node: Expression,
    layers: Collection[Slot],
    of_part: Callable[[Expression], Layers] | None = None,
) -> Layers:
    """Return the layers of which a set has sites at most; `of_part` tells those of its parts."""
    if of_part is None:
        return layers_of(node, layers, lambda part: layers_of(part, layers))
    match node:
        case Get(slot):
            return frozenset((slot,)) if slot in layers else None
        case Const(0):
            return frozenset()
        case Select(_, sites):
            return of_part(sites)
        case Op("difference", (of, taken)):
            kept = of_part(of)
            return None if kept is None else kept - whole_layers(taken, layers)
        case If(_, then, otherwise):
            one, other = of_part(then), of_part(otherwise)
            return None if one is None or other is None else one | other
        case Op("union", arguments):
            known = all_known(map(of_part, arguments))
            return None if known is None else frozenset().union(*known)
        case Op("intersection", arguments):
            return common(map(of_part, arguments))
    return None


def whole_layers(node: Expression, layers: Collection[Slot]) -> frozenset[Slot]:
    """Return layers of which a set surely has all sites."""
    match node:
        case Get(slot) if slot in layers:
            return frozenset((slot,))
        case Op("union", arguments):
            parts = [whole_layers(one, layers) for one in arguments]
            return frozenset[Slot]().union(*parts)
    return frozenset()


def common(parts: Iterable[Layers]) -> Layers:
    """Return the layers that several sets can have sites of in common."""
    known = [layers for layers in parts if layers is not None]
    return frozenset.intersection(*known) if known else None
