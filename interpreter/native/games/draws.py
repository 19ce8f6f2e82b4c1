"""The code of draws: what a number can be drawn for, and the choice that it stands for.

In: a choice. Out: how many numbers there are to draw from, and code that makes the choice of one.
What then holds: numbers are those of candidates in order; pools (`views.pools`) number theirs as
they are kept, each number once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gdl.analysis.set_sizes import Part
from gdl.core.nodes import Block, Choose, Get
from gdl.core.walk import assigned_slots
from gdl.data_classes import dataclass
from interpreter.native.emit.blocks import ENDLESS
from interpreter.native.emit.values import Value
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.turns.candidates import CandidateCode, Candidates
from interpreter.native.views.pools import PoolView
from interpreter.native.views.views import Views

_NONE = Candidates()


@dataclass(frozen=True)
class Draw:
    """What can be drawn: how many numbers (i64), and the candidates that they are of.

    `ends` and `known` are the addresses of tables, for pairs: how many there are up to each first
    choice, and the second choices after each. `pool` is the pool that has them.
    """

    count: str
    candidates: Candidates = _NONE
    ends: str = ""
    known: str = ""
    pool: PoolView | None = None


class DrawCode:
    """Writes the draws of a function that has `moves_in_place.PARAMETERS`."""

    def __init__(self, expressions: Expressions, views: Views) -> None:
        self._expressions = expressions
        self._sets = expressions.sets
        self._views = views
        self._candidates = CandidateCode(expressions)

    def pooled(self, p: Place, choice: Choose | None) -> Draw:
        """Return what can be drawn, from the pool if there is one; one thing without a choice."""
        pool = self._views.pool(choice)
        if pool is not None:
            return Draw(pool.number(p), pool=pool)
        return Draw("1") if choice is None else self.of(p, choice)

    def of(self, p: Place, choice: Choose) -> Draw:
        """Return what can be drawn for a choice."""
        found = self._candidates.of(p, choice)
        return Draw(self._candidates.count(p.f, found), found)

    def later(self, p: Place, choice: Choose) -> Draw:
        """Return what can be drawn: of a choice of any order, only what is above its partner."""
        found = self._candidates.of(p, choice)
        if choice.unordered_with is not None and found.sites is not None:
            first = self._expressions.sites(p, Get(choice.unordered_with))
            one = self._sets.one(self._sets.index(p.f, first), is_there=True)
            above = self._sets.above(p.f, one)
            found = Candidates(self._sets.intersection(p.f, [found.sites, above]))
        return Draw(self._candidates.count(p.f, found), found)

    def choose(self, p: Place, choice: Choose, drawn: Draw, number: str, after: Block) -> Place:
        """Write that the choice of a number is made; return the place where it is known.

        `after` is what follows it.
        """
        if drawn.pool is not None:
            memory = self._views.memory(p, drawn.pool)
            value: Value = drawn.pool.draw(p, memory, number)
        else:
            index = self._candidates.nth(p.f, drawn.candidates, number)
            value = self._candidates.value(choice, index)
        return self.known(p, choice, value, after)

    def known(self, p: Place, choice: Choose, value: Value, after: Block) -> Place:
        """Write the value of a choice; return the place where it is known, as far as it stays."""
        self._expressions.write(p, choice.slot, value)
        return p if choice.slot in assigned_slots(after) else p.binding(choice.slot, value)

    def choose_of_parts(
        self,
        p: Place,
        choice: Choose,
        parts: Sequence[Part],
        number: str,
        after: Block,
        refused: Callable[[int], str],
    ) -> Place:
        """Write that the choice of a number is made, of which only the part with it is known.

        Parts are numbered one behind the other, each as if it were as large as it can be; where
        none has the number, the code goes on at the label that is `refused` for the end of the part
        whose numbers it is among.
        """
        f, sets = p.f, self._sets
        index, chosen = f.variable("i64"), f.new_label()
        end = 0
        for part in parts:
            end += part.most
            with f.when(f.ins(f"icmp ult i64 {number}, {part.most}")):
                sites = self._expressions.sites(p, part.sites)
                if part.most > 1:
                    f.need(f.ins(f"icmp ult i64 {number}, {sets.count(f, sites)}"), refused(end))
                    f.put("i64", sets.nth(f, sites, number), index)
                else:
                    f.need(sets.some(f, sites), refused(end))
                    f.put("i64", sets.index(f, sites), index)
                f.jump(chosen)
            number = f.ins(f"sub i64 {number}, {part.most}")
        f.jump(refused(ENDLESS))
        f.label(chosen)
        return self.known(p, choice, sets.one(f.get("i64", index), is_there=True), after)
