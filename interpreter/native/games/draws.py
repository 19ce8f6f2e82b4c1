"""The code of draws: what a number can be drawn for, and the choice that it stands for.

In: a choice. Out: how many numbers there are to draw from, and code that makes the choice of one.
What then holds: numbers are those of candidates in order; pools (`views.pools`) number theirs as
they are kept, each number once; pairs of choices are numbered by their first ones, in order, and
those by their second ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gdl.analysis.plain_turns import Way
from gdl.analysis.set_sizes import Part
from gdl.core.nodes import Block, Choose, Get, SitesOf
from gdl.core.walk import assigned_slots
from gdl.data_classes import dataclass
from interpreter.native.emit.blocks import ENDLESS, Label
from interpreter.native.emit.ir import Function
from interpreter.native.emit.kinds import I64, NULL, Address, Word
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

    `ends` and `known` are the addresses of tables: how many there are up to the end of each case,
    or of each first choice of pairs; and the second choices after each. `pool` is the pool that has
    them.
    """

    count: Word
    candidates: Candidates = _NONE
    ends: Address = NULL
    known: Address = NULL
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
        return Draw(Word("1")) if choice is None else self.of(p, choice)

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

    def choose(self, p: Place, choice: Choose, drawn: Draw, number: Word, after: Block) -> Place:
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
        number: Word,
        after: Block,
        refused: Callable[[int], Label],
    ) -> Place:
        """Write that the choice of a number is made, of which only the part with it is known.

        Parts are numbered one behind the other, each as if it were as large as it can be; where
        none has the number, the code goes on at the label that is `refused` for the end of the part
        whose numbers it is among.
        """
        f, sets = p.f, self._sets
        index, end = f.variable(I64), 0
        with f.block() as chosen:
            for part in parts:
                end += part.most
                with f.when(f.compare("ult", I64, number, part.most)):
                    sites = self._expressions.sites(p, part.sites)
                    if part.most > 1:
                        f.need(f.compare("ult", I64, number, sets.count(f, sites)), refused(end))
                        f.put(I64, sets.nth(f, sites, number), index)
                    else:
                        f.need(sets.some(f, sites), refused(end))
                        f.put(I64, sets.index(f, sites), index)
                    f.jump(chosen)
                number = f.binary("sub", I64, number, part.most)
            f.jump(refused(ENDLESS))
        return self.known(p, choice, sets.one(f.get(I64, index), is_there=True), after)

    # ----------------------------------------------------------------------- pairs

    def pairs(self, p: Place, way: Way) -> Draw:
        """Count the second choices of each first one: both are drawn by one number.

        What can be chosen second is kept in tables while the function runs.
        """
        f, sets = p.f, self._sets
        choice, second = way.choices
        first = self._candidates.of(p, choice)
        ends = f.room(f"[{sets.size + 1} x i64]")
        known = f.room(f"[{(sets.size + 1) * sets.bytes} x i8]")
        place, total = f.variable(I64, 0), f.variable(I64, 0)
        with self._candidates.each(f, first) as index:
            value = self._candidates.value(choice, index)
            inner = self.known(p, choice, value, ())
            further = self.of(inner, second)
            sum_ = f.add(I64, further.count, total)
            now = f.get(I64, place)
            if further.candidates.sites is not None:
                target = f.at(known, f.binary("mul", I64, now, sets.bytes))
                sets.write(f, further.candidates.sites, target)
            f.put(I64, sum_, f.word_at(ends, now))
            f.put(I64, f.binary("add", I64, now, 1), place)
        return Draw(f.get(I64, total), first, ends, known)

    def choose_pair(self, p: Place, way: Way, drawn: Draw, number: Word) -> Place:
        """Write that both choices of a pair are made; return the place where they are known."""
        f = p.f
        choice, second = way.choices
        now, before = entry_of(f, drawn.ends, number)
        one = self.choose(p, choice, drawn, now, way.after)
        rest = f.binary("sub", I64, number, before)
        if isinstance(second.domain, SitesOf):
            address = f.at(drawn.known, f.binary("mul", I64, now, self._sets.bytes))
            further = Draw(Word(""), Candidates(self._sets.read(f, address)))
        else:
            further = self.of(one, second)
        return self.choose(one, second, further, rest, way.rest)


def entry_of(
    f: Function, ends: Address, number: Word, most: int | None = None
) -> tuple[Word, Word]:
    """Write which of the parts it is that a number (i64) is of, given where each part `ends`.

    Return the place of the part (i64), and where it begins (i64). There are `most` at most.
    """
    place, before = f.variable(I64, 0), f.variable(I64, 0)
    with f.loop(most) as loop:
        now = f.get(I64, place)
        end = f.get(I64, f.word_at(ends, now))
        f.need(f.compare("uge", I64, number, end), loop.done)
        f.put(I64, end, before)
        f.put(I64, f.binary("add", I64, now, 1), place)
    return now, f.get(I64, before)
