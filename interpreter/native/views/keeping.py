"""The code of conditions that are kept beside a position while a random game is played.

In: the conditions that `newest` finds in a program's endings. Out: code that works them out, and
that follows what a way does to them. What then holds: each flag tells whether its condition
holds in the position that it stands beside.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from gdl.analysis.changes import Changes, only_gains
from gdl.analysis.newest import Join, Kept
from gdl.analysis.rows import RowThrough
from gdl.core.nodes import Get, Program, Slot
from interpreter.native.choices import RAILS, TREES
from interpreter.native.emit.ir import WORD, Function, Module
from interpreter.native.emit.values import Flag, Sites
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.sets.registers import RegisterSets
from interpreter.native.views.joins import Joins
from interpreter.native.views.rails import Rails, rails_of


class Keeping:
    """Writes the code of conditions that are kept.

    Some, the `joined`, are decided by trees or rails in memory of their own: `joins`.
    """

    def __init__(
        self,
        module: Module,
        expressions: Expressions,
        program: Program,
        conditions: tuple[Kept, ...],
        choices: AbstractSet[str],
    ) -> None:
        """Decide which conditions have trees or rails, in the ways that `choices` name."""
        self._module = module
        self._expressions = expressions
        self._sets = expressions.sets
        self.conditions = conditions
        beside = {
            kept: found
            for kept in conditions
            if (found := _beside(kept, self._sets, choices)) is not None
            and only_gains(program, kept.layer)
        }
        self.joined = tuple(beside)
        self.joins = Joins(module, self._sets.size, tuple(beside.values()))

    def write(self) -> None:
        """Write `keep(position, world)`: all conditions are worked out."""
        f = self._module.function(
            "keep", "internal void", ["ptr %frame", "ptr %world"], "nounwind noinline "
        )
        p = self._expressions.place(f, "%frame", "%world")
        for kept in self.conditions:
            self._put(p, kept, self._worked_out(p, kept))
        f.give("void")

    def all(self, f: Function, position: str, world: str) -> None:
        """Write that all conditions that are kept are worked out."""
        if self.conditions:
            f.do(f"call void @keep(ptr {position}, ptr {world})")

    def follow(self, p: Place, done: Changes) -> None:
        """Write what a way has done to the conditions that are kept."""
        f = p.f
        for kept in self.conditions:
            newest = [site for layer, site in done.added if layer is kept.layer]
            if kept.condition.free & done.changed:
                self._put(p, kept, self._worked_out(p, kept))
            elif newest:
                holds = self._expressions.flag(p, Get(kept.slot))
                for site in newest:
                    here = self._with_newest(p, kept, site)
                    holds = f.ins(f"or i1 {holds}, {here}")
                self._put(p, kept, holds)

    def _put(self, p: Place, kept: Kept, holds: str) -> None:
        self._expressions.write(p, kept.slot, Flag(holds))

    def _worked_out(self, p: Place, kept: Kept) -> str:
        """Write that a condition is worked out, and the trees of its layer are built."""
        if kept not in self.joined:
            return self._expressions.flag(p, kept.condition)
        f = p.f
        number = self.joined.index(kept)
        self.joins.clear_one(f, number)
        result = f.variable("i1")
        f.put("i1", "false", result)
        loop = self._sets.each(f, self._expressions.sites(p, Get(kept.layer)))
        here = self.joins.add(f, number, loop.index)
        f.put("i1", f.ins(f"or i1 {f.get('i1', result)}, {here}"), result)
        loop.end()
        return f.get("i1", result)

    def _with_newest(self, p: Place, kept: Kept, site: Slot) -> str:
        """Write what one more site of its layer does to a condition."""
        value = self._expressions.value(p, Get(site))
        if kept in self.joined:
            assert isinstance(value, Sites), "the newest is a site"
            index = self._sets.index(p.f, value)
            return self.joins.add(p.f, self.joined.index(kept), index)
        return self._expressions.flag(p.binding(kept.newest, value), kept.with_newest)


def _beside(kept: Kept, sets: RegisterSets, choices: AbstractSet[str]) -> Join | Rails | None:
    """Return the trees or rails that decide a condition beside the position, if it has such."""
    if kept.join is not None:
        return kept.join if TREES in choices and sets.bits > 2 * WORD else None
    if isinstance(kept.with_newest, RowThrough) and RAILS in choices and sets.size > WORD:
        return rails_of(kept.with_newest.families, sets.size)
    return None
