"""A view: what is kept beside a position while random games are played, as all kinds of it are.

In: layers that only gain sites. Out: code that makes the view anew, and that follows a site which
its layers gain. What then holds: the view is that of the position that it stands beside.

A view has slots in the frame, and may have a piece of memory of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce

from gdl.analysis.views import Kept
from gdl.core.nodes import Expression, Get, Slot
from gdl.interpreter.native.emit.ir import VIEWS
from gdl.interpreter.native.emit.kinds import FALSE, I1, NULL, Address, Bit
from gdl.interpreter.native.emit.values import Flag, Sites
from gdl.interpreter.native.expressions.expressions import Expressions
from gdl.interpreter.native.expressions.places import Place


class View:
    """One view of `layers`, which `stands_for` conditions: what is read in place of each.

    It has `bytes` of memory, which `begin` so far behind that of all views. Where it `reads_layers`
    to follow a site, or to be read, they have to be right. If it `follows_sets`, sites that are
    gained together can be followed one by one.
    """

    bytes = 0
    begin = 0
    reads_layers = False
    follows_sets = True

    def __init__(
        self,
        expressions: Expressions,
        layers: Sequence[Slot],
        stands_for: Mapping[Expression, Expression],
    ) -> None:
        self._expressions = expressions
        self._sets = expressions.sets
        self._module = expressions.sets.module
        self.layers = tuple(layers)
        self.stands_for = stands_for

    def memory(self, p: Place) -> Address:
        """Return the address of the view's memory, if it has any; that of all is at `%views`."""
        return p.f.at(VIEWS, self.begin) if self.bytes else NULL

    def fill(self, p: Place) -> None:
        """Write that the view is made from a position."""

    def follow(self, p: Place, sites: Sequence[Slot]) -> None:
        """Write that layers have gained the chosen `sites`, and that nothing else has changed."""

    def read(self, p: Place) -> Iterator[tuple[Slot, Flag]]:
        """Yield slots that are no flags in the frame, and write what they stand for."""
        return iter(())


class KeptView(View, ABC):
    """Conditions on the same layers, each a flag, that one look at a new site decides together."""

    def __init__(self, expressions: Expressions, kept: Sequence[Kept]) -> None:
        stands_for = {one.condition: Get(one.slot) for one in kept}
        super().__init__(expressions, kept[0].asks.layers, stands_for)
        self.kept = tuple(kept)

    @abstractmethod
    def add(self, p: Place, memory: Address, site: Sites) -> list[Bit]:
        """Write that a site is added; return whether each condition holds of it (i1)."""

    def fill(self, p: Place) -> None:
        """Write that sites are added one by one, and what then holds."""
        f, memory = p.f, self.memory(p)
        found = [f.variable(I1, FALSE) for _ in self.kept]
        f.clear(memory, self.bytes)
        layers = [self._expressions.sites(p, Get(layer)) for layer in self.layers]
        with self._sets.each(f, self._sets.union(f, layers)) as loop:
            for variable, holds in zip(found, self.add(p, memory, loop.site), strict=True):
                f.put(I1, f.binary("or", I1, f.get(I1, variable), holds), variable)
        for kept, variable in zip(self.kept, found, strict=True):
            self._put(p, kept, f.get(I1, variable))

    def follow(self, p: Place, sites: Sequence[Slot]) -> None:
        """Write that what held or holds of a new site holds."""
        f, memory = p.f, self.memory(p)
        told = [self.add(p, memory, self._expressions.sites(p, Get(site))) for site in sites]
        for kept, holds in zip(self.kept, zip(*told, strict=True), strict=True):
            before = self._expressions.flag(p, Get(kept.slot))
            self._put(p, kept, reduce(lambda a, b: f.binary("or", I1, a, b), holds, before))

    def _put(self, p: Place, kept: Kept, holds: Bit) -> None:
        """Write whether a condition holds, which is worked out if it may have ended since."""
        self._expressions.write(p, kept.slot, Flag(holds))
        if kept.asks.may_end:
            with p.f.when(holds):
                holds = self._expressions.flag(p, kept.condition)
                self._expressions.write(p, kept.slot, Flag(holds))


def packed(numbers: Iterable[int]) -> bytes:
    """Return a table of numbers of 16 bits, which have no sign."""
    return array("H", numbers).tobytes()
