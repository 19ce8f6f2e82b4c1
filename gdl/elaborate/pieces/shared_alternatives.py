"""What alternatives have in common: made for the first of them, and there for the others.

In: places in the syntax that are elaborated once for each of several alternatives. Out: slots for
what is chosen there, and what statements about pieces do. What then holds: two slots in one
alternative are never the same; what only another alternative had is not in this one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from gdl.core import build
from gdl.core.nodes import Assign, Expression, Get, Origin, Slot, Statement
from gdl.core.types import Type
from gdl.diagnostic import Span
from gdl.elaborate.names.scope import Scope, Written
from gdl.syntax import tree as t


def made_from(statement: t.Statement, scope: Scope, made: Sequence[Statement]) -> list[Statement]:
    """Return statements of the core that know which one of the syntax they were made from."""
    origin = Written(statement, scope)
    return [one if one.origin is not None else _with_origin(one, origin) for one in made]


def _with_origin(one: Statement, origin: Origin) -> Statement:
    if isinstance(one, Assign):  # as most are: made anew in half the time
        return Assign(one.span, one.slot, one.value, origin=origin)
    return replace(one, origin=origin)


class InCommon:
    """Keeps what several alternatives have in common, while they are elaborated one by one.

    There are so many `alternatives`.
    """

    def __init__(self, alternatives: int = 1) -> None:
        self.alternatives = alternatives
        self._met: Counter[Span] = Counter()
        self._slots: dict[tuple[Span, int, Type, int | None, int | None], Slot] = {}
        self._left: dict[tuple[Slot, Slot], Expression] = {}
        self._statements: dict[tuple[Span, Slot, Slot], list[Statement]] = {}

    def next_alternative(self) -> None:
        """Begin another alternative."""
        self._met.clear()

    def slot(self, node: t.Choose, slot: Slot) -> Slot:
        """Return a slot for a choice: that which another alternative has for it, or a new one."""
        times = self._met[node.span]
        self._met[node.span] += 1
        return self._slots.setdefault((node.span, times, slot.type, slot.low, slot.high), slot)

    def moved(
        self,
        node: t.MovePiece,
        scope: Scope,
        source: Expression,
        destination: Expression,
        make: Callable[[Expression, Expression], list[Statement]],
    ) -> list[Statement]:
        """Return what moves the pieces from one site to another, which is made if need be."""
        if not (isinstance(source, Get) and isinstance(destination, Get)):
            return make(source, destination)
        key = (node.span, source.slot, destination.slot)
        if key not in self._statements:
            self._statements[key] = made_from(node, scope, make(source, destination))
        return self._statements[key]

    def left(self, layer: Slot, at: Expression) -> Expression:
        """Return what a layer has without some sites."""
        if not isinstance(at, Get):
            return build.difference(Get(layer), at)
        key = (layer, at.slot)
        if key not in self._left:
            self._left[key] = build.difference(Get(layer), at)
        return self._left[key]
