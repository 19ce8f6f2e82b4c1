"""The code of cases: alternatives of which each only settles a number, in random moves.

In: a decision that puts the number of its alternative into a slot (`numbered`). Out: code that
goes through all alternatives in a loop, and code that takes the one that a random number names.
What then holds: what follows is written once, and asks for the number in the slot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gdl.analysis.ranges import Range
from gdl.core.nodes import Alternative, Decide, Expression, Require
from gdl.core.walk import numbered
from interpreter.native.emit.blocks import Label
from interpreter.native.emit.kinds import I1, I64, TRUE, Bit, Integer, Word
from interpreter.native.emit.values import Flag, Number
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.numbered_slots import OneForSlots, one_for_slots
from interpreter.native.expressions.places import Place
from interpreter.native.games.draws import Draw, entry_of

_WORD_BYTES = 8


class CaseCode:
    """Writes the cases of decisions."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions

    def of(self, p: Place, decision: Decide, count: Callable[[Place], Word]) -> Draw:
        """Count what can be drawn in all cases; `ends` has how much it is up to each.

        `count` writes how much it is (i64) where the number is known.
        """
        f, cases = p.f, len(decision.alternatives)
        ends, total = f.room(f"[{cases} x i64]"), f.variable(I64, 0)
        guards = self._one_for_slots(p, decision)
        if guards is None:
            for number, alternative in enumerate(decision.alternatives):
                conditions = [guard.condition for guard in _guards(alternative)]
                is_open = self._all_hold(p, conditions)
                f.put(I64, f.convert("zext", I1, is_open, I64), f.at(ends, number * _WORD_BYTES))
        with f.rounds(cases) as loop:
            here = f.word_at(ends, loop.number)
            if guards is None:
                is_open = f.compare("ne", I64, f.get(I64, here), 0)
            else:
                is_open = self._holds_in(p, guards, loop.number)
            with f.when(is_open):
                f.add(I64, count(self._known(p, decision, loop.number)), total)
            f.put(I64, f.get(I64, total), here)
        return Draw(f.get(I64, total), ends=ends)

    def _all_hold(self, p: Place, conditions: Sequence[Expression]) -> Bit:
        """Write whether conditions hold (i1)."""
        result = TRUE
        for place, condition in enumerate(conditions):
            holds = self._expressions.flag(p, condition)
            result = p.f.binary("and", I1, result, holds) if place else holds
        return result

    def _one_for_slots(self, p: Place, decision: Decide) -> OneForSlots | None:
        """Return the condition of each case, if they differ in one slot that a number tells."""
        guards = [list(_guards(alternative)) for alternative in decision.alternatives]
        if any(len(own) != 1 for own in guards):
            return None
        found = one_for_slots([own[0].condition for own in guards])
        if found is None or not self._expressions.are_evenly_spaced(p, found.slots):
            return None
        return found

    def _holds_in(self, p: Place, guards: OneForSlots, case: Word) -> Bit:
        """Write whether the condition of a case (i64) holds (i1)."""
        value = self._expressions.value_for_one_of(p, guards, case)
        assert isinstance(value, Flag), "a condition is asked"
        return value.register

    def take(self, p: Place, decision: Decide, drawn: Draw, number: Word) -> tuple[Place, Word]:
        """Write which case a number names; return the place where that is known.

        Also return the number (i64) within the case.
        """
        f = p.f
        case, before = entry_of(f, drawn.ends, number, len(decision.alternatives))
        return self._known(p, decision, case), f.binary("sub", I64, number, before)

    def decide(
        self, p: Place, decision: Decide, number: Word, weight: int, again: Label
    ) -> tuple[Place, Word]:
        """Write that a number decides, each case having so many (`weight`) ways on.

        Return the place where the case is known, and the number of the way on. Where there is no
        such case, or it is closed, the code goes on at `again`.
        """
        f, cases = p.f, len(decision.alternatives)
        case, below = number, Word("0")
        if weight > 1:
            case, below = (
                f.binary("udiv", I64, number, weight),
                f.binary("urem", I64, number, weight),
            )
        f.need(f.compare("ult", I64, case, cases), again)
        guards = self._one_for_slots(p, decision)
        if guards is not None:
            f.need(self._holds_in(p, guards, case), again)
            return self._known(p, decision, case), below
        for place, alternative in enumerate(decision.alternatives):
            for guard in _guards(alternative):
                with f.when(f.compare("eq", I64, case, place)):
                    f.need(self._expressions.flag(p, guard.condition), again)
        return self._known(p, decision, case), below

    def _known(self, p: Place, decision: Decide, case: Word) -> Place:
        """Write that the number of the case goes into its slot; return the place with it."""
        slot = numbered(decision)
        assert slot is not None, "the decision settles a number"
        value = Number(Integer(case), Range(0, len(decision.alternatives) - 1))
        self._expressions.write(p, slot, value)
        return p.binding(slot, value)


def _guards(alternative: Alternative) -> Iterator[Require]:
    """Yield the conditions that come before the number."""
    for guard in alternative.body[:-1]:
        assert isinstance(guard, Require), "conditions come before the number"
        yield guard
