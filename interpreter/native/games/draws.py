"""The code of draws: what a number can be drawn for, and the choice that it stands for.

In: a choice; or a decision between cases, of which each only settles a number (`numbered`). Out:
how many numbers there are to draw from, and code that makes the choice of one. What then holds:
numbers are those of candidates in order; pools (`views.pools`) number theirs as they are kept, each
number once; pairs of choices are numbered by their first ones, in order, and those by their second
ones. What follows a decision between cases is written once, and asks for the number in its slot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from gdl.analysis.plain_turns import Way
from gdl.analysis.ranges import Range
from gdl.core.nodes import (
    Alternative,
    Block,
    Choose,
    Decide,
    Expression,
    Get,
    Require,
    SitesOf,
    Slot,
)
from gdl.core.rebuild import with_parts
from gdl.core.types import SITES
from gdl.core.walk import assigned_slots, numbered
from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.blocks import Label
from gdl.interpreter.native.emit.ir import WORD_BYTES, Function
from gdl.interpreter.native.emit.kinds import I1, I64, NULL, TRUE, Address, Bit, Integer, Word
from gdl.interpreter.native.emit.values import Flag, Number, Value
from gdl.interpreter.native.expressions.expressions import Expressions
from gdl.interpreter.native.expressions.numbered_slots import OneForSlots, one_for_slots
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.turns.candidates import CandidateCode, Candidates
from gdl.interpreter.native.views.pools import PoolView
from gdl.interpreter.native.views.views import Views

_NONE = Candidates()
_LEAST_KEPT = 3
"""What is joined of so many sets is worked out once for many choices."""


@dataclass(frozen=True)
class Draw:
    """What can be drawn: how many numbers (i64), and the candidates that they are of.

    `ends` and `known` are the addresses of tables: how many there are up to the end of each case,
    or of each first choice of pairs; and the second choices after each. `pool` is the pool that has
    them. So many numbers stand for each as its `weight` says (i64).
    """

    count: Word
    candidates: Candidates = _NONE
    ends: Address = NULL
    known: Address = NULL
    pool: PoolView | None = None
    weight: Word | int = 1


class DrawCode:
    """Writes the draws of a function that has `moves_in_place.PARAMETERS`."""

    def __init__(self, expressions: Expressions, views: Views) -> None:
        self._expressions = expressions
        self._sets = expressions.sets
        self._views = views
        self._candidates = CandidateCode(expressions)

    def first(self, p: Place, way: Way) -> Draw:
        """Return what can be drawn at once on a way; one thing where it has no choice."""
        if way.is_pair:
            return self._pairs(p, way)
        if way.choice is None:
            return Draw(Word("1"))
        pool = self._views.pool_of.get(way.choice)
        return self.of(p, way.choice) if pool is None else Draw(pool.number(p), pool=pool)

    def of(self, p: Place, choice: Choose) -> Draw:
        """Return what can be drawn: of a choice of any order, only what is above its partner."""
        found = self._candidates.of(p, choice)
        if choice.unordered_with is not None and found.sites is not None:
            first = self._expressions.sites(p, Get(choice.unordered_with))
            one = self._sets.one(self._sets.index(p.f, first), is_there=True)
            found = Candidates(self._sets.later(p.f, found.sites, one))
        return Draw(self._candidates.count(p.f, found), found)

    def choose(self, p: Place, choice: Choose, drawn: Draw, number: Word, after: Block) -> Place:
        """Write the choice of a number, before what comes `after`; return the place with it."""
        if drawn.pool is not None:
            value: Value = drawn.pool.draw(p, number)
        else:
            index = self._candidates.nth(p.f, drawn.candidates, number)
            value = self._candidates.value(choice, index)
        return self.known(p, choice, value, after)

    def known(self, p: Place, choice: Choose, value: Value, after: Block) -> Place:
        """Write the value of a choice; return the place with it, as far as it stays."""
        self._expressions.write(p, choice.slot, value)
        return p if choice.slot in assigned_slots(after) else p.binding(choice.slot, value)

    # ----------------------------------------------------------------------- pairs

    def _pairs(self, p: Place, way: Way) -> Draw:
        """Count the second choices of each first one: both are drawn by one number.

        What can be chosen second is kept in tables while the function runs.
        """
        f, sets = p.f, self._sets
        choice, second = way.choices
        first = self._candidates.of(p, choice)
        p, second = self._kept_before(p, choice, second)
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

    def _kept_before(self, p: Place, choice: Choose, second: Choose) -> tuple[Place, Choose]:
        """Work out what second choices read alike; return a place, and a choice, that has it."""
        if self._sets.are_arrays or not isinstance(second.domain, SitesOf):
            return p, second
        kept = list[tuple[Expression, Slot]]()
        sites = _with_kept(second.domain.sites, frozenset((choice.slot,)), kept)
        for node, slot in kept:
            p = p.binding(slot, self._expressions.sites(p, node))
        return p, replace(second, domain=SitesOf(sites))

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

    # ----------------------------------------------------------------------- cases

    def cases(self, p: Place, decision: Decide, count: Callable[[Place], Word]) -> Draw:
        """Return what can be drawn in all cases; `ends` has how much it is up to each.

        `count` writes how much it is (i64) where the number of the case is known.
        """
        f, cases = p.f, len(decision.alternatives)
        ends, total = f.room(f"[{cases} x i64]"), f.variable(I64, 0)
        alike = self._alike(p, decision)
        if alike is None:
            for number, alternative in enumerate(decision.alternatives):
                is_open = TRUE
                for place, condition in enumerate(_conditions(alternative)):
                    holds = self._expressions.flag(p, condition)
                    is_open = f.binary("and", I1, is_open, holds) if place else holds
                f.put(I64, f.convert("zext", I1, is_open, I64), f.at(ends, number * WORD_BYTES))
        with f.rounds(cases) as loop:
            here = f.word_at(ends, loop.number)
            if alike is None:
                is_open = f.compare("ne", I64, f.get(I64, here), 0)
            else:
                is_open = self._holds_in(p, alike, loop.number)
            with f.when(is_open):
                f.add(I64, count(self._known_case(p, decision, loop.number)), total)
            f.put(I64, f.get(I64, total), here)
        return Draw(f.get(I64, total), ends=ends)

    def take_case(
        self, p: Place, decision: Decide, drawn: Draw, number: Word
    ) -> tuple[Place, Word]:
        """Write which case a number names; return the place with it, and the number within it."""
        case, before = entry_of(p.f, drawn.ends, number, len(decision.alternatives))
        return self._known_case(p, decision, case), p.f.binary("sub", I64, number, before)

    def decide(self, p: Place, decision: Decide, case: Word, again: Label) -> Place:
        """Write which case a number is, or go on at `again` if none is open; return the place."""
        f = p.f
        f.need(f.compare("ult", I64, case, len(decision.alternatives)), again)
        alike = self._alike(p, decision)
        if alike is not None:
            f.need(self._holds_in(p, alike, case), again)
        for place, alternative in enumerate(() if alike else decision.alternatives):
            for condition in _conditions(alternative):
                with f.when(f.compare("eq", I64, case, place)):
                    f.need(self._expressions.flag(p, condition), again)
        return self._known_case(p, decision, case)

    def _alike(self, p: Place, decision: Decide) -> OneForSlots | None:
        """Return the condition of each case, if they differ in one slot that a number tells."""
        conditions = [_conditions(alternative) for alternative in decision.alternatives]
        if any(len(own) != 1 for own in conditions):
            return None
        found = one_for_slots([condition for (condition,) in conditions])
        if found is None or not self._expressions.are_evenly_spaced(p, found.slots):
            return None
        return found

    def _holds_in(self, p: Place, alike: OneForSlots, case: Word) -> Bit:
        """Write whether the condition of a case (i64) holds (i1)."""
        value = self._expressions.value_for_one_of(p, alike, case)
        assert isinstance(value, Flag), "a condition is asked"
        return value.register

    def _known_case(self, p: Place, decision: Decide, case: Word) -> Place:
        """Write that the number of the case goes into its slot; return the place with it."""
        slot = numbered(decision)
        assert slot is not None, "the decision settles a number"
        value = Number(Integer(case), Range(0, len(decision.alternatives) - 1))
        self._expressions.write(p, slot, value)
        return p.binding(slot, value)


def _with_kept(
    node: Expression, moving: frozenset[Slot], kept: list[tuple[Expression, Slot]]
) -> Expression:
    """Return an expression with slots for sets on which those that are `moving` have no bearing.

    These sets are `kept`, each with its slot.
    """
    if node.free.isdisjoint(moving):
        if node.type != SITES or node.looks_ahead or len(node.parts()) < _LEAST_KEPT:
            return node
        slot = next((slot for known, slot in kept if known == node), None)
        if slot is None:
            slot = Slot("kept", SITES)
            kept.append((node, slot))
        return Get(slot)
    inner = moving.union(node.binds())
    return with_parts(node, lambda part: _with_kept(part, inner, kept))


def _conditions(alternative: Alternative) -> list[Expression]:
    """Return the conditions that come before the number of a case."""
    return [s.condition for s in alternative.body if isinstance(s, Require)]


def part_with(
    f: Function, number: Word, sizes: Sequence[Word | int], *, is_sure: bool
) -> Iterator[tuple[int, Word]]:
    """Yield each of some parts, to add what is done if a number (i64) is one of its numbers.

    Parts are numbered one behind the other; with the place of each comes the number within it. What
    follows is for a number that is in none, unless it `is_sure` that one has it.
    """
    for part, size in enumerate(sizes[:-1] if is_sure else sizes):
        with f.when(f.compare("ult", I64, number, size)):
            yield part, number
        number = f.binary("sub", I64, number, size)
    if is_sure:
        yield len(sizes) - 1, number


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
