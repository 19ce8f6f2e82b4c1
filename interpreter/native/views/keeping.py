"""The code of conditions that are kept beside a position while a random game is played.

In: the conditions that `newest` finds in a program's endings. Out: code that works them out, and
that follows what a way does to them. What then holds: each flag tells whether its condition
holds in the position that it stands beside.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from gdl.analysis.changes import Changes, only_gains
from gdl.analysis.discs import Disc
from gdl.analysis.newest import Join, Kept
from gdl.analysis.rows import RowThrough
from gdl.core.nodes import Get, Program, Slot
from interpreter.native.choices import RAILS, TREES
from interpreter.native.emit.ir import WORD, Function, Module
from interpreter.native.emit.values import Flag, Sites
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.sets.set_code import SetCode
from interpreter.native.views.joins import Forest, Joins
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
        forests: list[tuple[Slot, Forest | Rails]] = []
        self._joined: dict[Slot, tuple[int, int]] = {}
        for kept in conditions:
            found = _beside(kept, self._sets, choices)
            if found is not None and only_gains(program, kept.layer):
                self._joined[kept.slot] = _planted(forests, kept.layer, found)
        self.conditions = tuple(
            kept for kept in conditions if kept.with_newest is not None or kept.slot in self._joined
        )
        self.joins = Joins(module, self._sets.size, tuple(forest for _, forest in forests))

    @property
    def joined(self) -> tuple[Kept, ...]:
        """The conditions that trees or rails decide."""
        return tuple(kept for kept in self.conditions if kept.slot in self._joined)

    def write(self) -> None:
        """Write `keep(position, world)`: all conditions are worked out."""
        f = self._module.function(
            "keep", "internal void", ["ptr %frame", "ptr %world"], "nounwind noinline "
        )
        p = self._expressions.place(f, "%frame", "%world")
        built: dict[int, str] = {}
        for kept in self.conditions:
            self._put(p, kept, self._worked_out(p, kept, built))
        f.give("void")

    def all(self, f: Function, position: str, world: str) -> None:
        """Write that all conditions that are kept are worked out."""
        if self.conditions:
            f.do(f"call void @keep(ptr {position}, ptr {world})")

    def follow(self, p: Place, done: Changes) -> None:
        """Write what a way has done to the conditions that are kept."""
        f = p.f
        built: dict[int, str] = {}
        added: dict[tuple[int, Slot], str] = {}
        for kept in self.conditions:
            layers = (kept.layer, *kept.others)
            newest = [site for layer, site in done.added if layer in layers]
            if kept.condition.free & done.changed:
                self._put(p, kept, self._worked_out(p, kept, built))
            elif newest:
                before = self._expressions.flag(p, Get(kept.slot))
                holds = before
                for site in newest:
                    here = self._with_newest(p, kept, site, added)
                    holds = f.ins(f"or i1 {holds}, {here}")
                self._put(p, kept, holds)
                if kept.may_end:
                    with f.when(holds):
                        self._put(p, kept, self._expressions.flag(p, kept.condition))
                elif kept.with_newest is None:
                    with f.when(before):
                        self._put(p, kept, self._expressions.flag(p, kept.condition))

    def _put(self, p: Place, kept: Kept, holds: str) -> None:
        self._expressions.write(p, kept.slot, Flag(holds))

    def _worked_out(self, p: Place, kept: Kept, built: dict[int, str]) -> str:
        """Write that a condition is worked out, and the trees of its layer are built.

        `built` has what holds in the trees that have been built.
        """
        if kept.slot not in self._joined:
            return self._expressions.flag(p, kept.condition)
        f = p.f
        number, test = self._joined[kept.slot]
        if number not in built:
            self.joins.clear_one(f, number)
            result = f.variable("i8")
            f.put("i8", "0", result)
            loop = self._sets.each(f, self._expressions.sites(p, Get(kept.layer)))
            here = self.joins.add(f, number, loop.index)
            f.put("i8", f.ins(f"or i8 {f.get('i8', result)}, {here}"), result)
            loop.end()
            built[number] = f.get("i8", result)
        if kept.with_newest is None or kept.may_end:
            return self._expressions.flag(p, kept.condition)
        return _bit(f, built[number], test)

    def _with_newest(
        self, p: Place, kept: Kept, site: Slot, added: dict[tuple[int, Slot], str]
    ) -> str:
        """Write what one more site of its layer does to a condition.

        `added` has what holds in trees to which a site has been added.
        """
        value = self._expressions.value(p, Get(site))
        if kept.slot in self._joined:
            assert isinstance(value, Sites), "the newest is a site"
            number, test = self._joined[kept.slot]
            if (number, site) not in added:
                index = self._sets.index(p.f, value)
                added[number, site] = self.joins.add(p.f, number, index)
            return _bit(p.f, added[number, site], test)
        assert kept.with_newest is not None, "some condition decides it"
        return self._expressions.flag(p.binding(kept.newest, value), kept.with_newest)


def _bit(f: Function, tests: str, place: int) -> str:
    """Return one of several bits (i1)."""
    return f.ins(f"trunc i8 {f.ins(f'lshr i8 {tests}, {place}')} to i1")


def _planted(
    forests: list[tuple[Slot, Forest | Rails]], layer: Slot, join: Join | Rails
) -> tuple[int, int]:
    """Put a condition among those of its layer's trees; return their number, and its place."""
    if isinstance(join, Rails):
        forests.append((layer, join))
        return len(forests) - 1, 0
    for number, (other, forest) in enumerate(forests):
        if other is layer and isinstance(forest, Forest) and forest.takes(join):
            forests[number] = layer, Forest((*forest.joins, join))
            return number, len(forest.joins)
    forests.append((layer, Forest((join,))))
    return len(forests) - 1, 0


def _beside(kept: Kept, sets: SetCode, choices: AbstractSet[str]) -> Join | Rails | None:
    """Return the trees or rails that decide a condition beside the position, if it has such."""
    if kept.join is not None:
        least = WORD if isinstance(kept.join.test, Disc) else 2 * WORD
        return kept.join if TREES in choices and sets.bits > least else None
    is_of_one = isinstance(kept.with_newest, RowThrough) and not kept.others
    if is_of_one and RAILS in choices and sets.size > WORD:
        assert isinstance(kept.with_newest, RowThrough)
        return rails_of(kept.with_newest.families, sets.size)
    return None
