"""The code of endings: how a game ends.

In: the turns of each side, and the clauses by which they end the game. Out: functions of a frame
and the world that tell whether the game is over, or, of a side that is stuck, return the number of
the clause that holds: 0 if none does, less for one by which the side passes. What then holds: a
clause that ends the game, and its winners, are in the position.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from itertools import groupby

from gdl.analysis.ranges import Range
from gdl.analysis.views import replaced
from gdl.core.nodes import Ending
from gdl.interpreter.evaluation.evaluator import usual_payoffs
from gdl.interpreter.native.emit.arithmetic import to_range
from gdl.interpreter.native.emit.blocks import Label
from gdl.interpreter.native.emit.ir import WORD, Function, width_of
from gdl.interpreter.native.emit.kinds import (
    FALSE,
    I1,
    I32,
    I64,
    Address,
    Bit,
    Integer,
    Type,
    Word,
    integer,
)
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.turns.shared_code import SharedCode
from gdl.interpreter.native.views.views import Views

PASSES = -1
"""What is told in place of a clause's number: the side on turn passes."""
_MOST_INLINED = 200


def passing(phase: int | None) -> int:
    """Return what is told of a pass: which phase begins with it, if one does.

    >>> passing(None), passing(0), passing(1)
    (-1, -2, -3)
    """
    return PASSES if phase is None else PASSES - 1 - phase


class Endings:
    """Writes the endings of a game; `clauses` has them by what code calls them, from 1.

    `numbers` has what code calls an ending, by the number that it has in the program.
    """

    def __init__(self, shared: SharedCode) -> None:
        self._shared = shared
        self._layout = shared.layout
        self._expressions = shared.expressions
        self.clauses: list[Ending] = []
        self.quick: dict[tuple[int, int], tuple[Ending, ...]] = {}
        self.numbers: dict[int, int] = {}
        self._known: dict[tuple[object, ...], tuple[str, int]] = {}

    def write(self) -> None:
        """Write `ended_P_S(frame, world)` and `stuck_P_S(frame, world)` for all turns.

        Where turns look ahead, also `over_P_S(frame, world)`: whether an ending holds that does not
        look ahead itself.
        """
        for phase, side in self._shared.pairs:
            turn = self._shared.turn(phase, side)
            self._write("ended", phase, side, turn.endings)
            self._write("stuck", phase, side, turn.stuck)
            if self._expressions.looks_ahead:
                self._write_over(phase, side, turn.endings)

    def _write_over(self, phase: int, side: int, endings: tuple[Ending, ...]) -> None:
        p = self._function(f"over_{phase}_{side}", "i1")
        for ending in endings:
            if any(part.looks_ahead for part in ending.expressions):
                continue
            with p.f.block() as after:
                p.f.need(self._expressions.flag(p, ending.condition), after)
                self._winners(p, ending, after)
                p.f.give("i1 true")
        p.f.give("i1 false")

    def _write(self, what: str, phase: int, side: int, endings: tuple[Ending, ...]) -> None:
        """Write `WHAT_P_S(frame, world)`: it tries the clauses in order."""
        p = self._function(f"{what}_{phase}_{side}", "i32" if what == "stuck" else "i1")
        f = p.f
        same = (f.result, endings, *(e.span for e in endings))
        known, first = self._known.setdefault(same, (f.name, len(self.clauses) + 1))
        self.numbers.update((e.number, first + place) for place, e in enumerate(endings))
        if known != f.name:
            f.give(f"{f.result} {f.call(Type(f.result), f'@{known}(ptr %frame, ptr %world)')}")
            f.inline()
            return
        self.clauses += endings
        self._clauses(p, endings)
        f.give(f.result + " 0")

    def write_quick(self, phase: int, side: int, endings: tuple[Ending, ...], views: Views) -> None:
        """Write `quick_ended_P_S(frame, world)`, which reads what is kept, if that is worth it.

        Then `quick` has its endings.
        """
        quick = tuple(replace(e, condition=replaced(e.condition, views.known)) for e in endings)
        is_costly = any(self._expressions.is_costly(e.condition) for e in quick)
        if quick == endings or (is_costly and not views.tells_costly):
            return
        self.quick[phase, side] = quick
        p = self._function(f"quick_ended_{phase}_{side}", "i1")
        p.bound.update(views.read(p))
        self._clauses(p, quick)
        p.f.give("i1 0")
        if len(p.f.body) <= _MOST_INLINED:
            p.f.inline()

    @property
    def yielding(self) -> list[int]:
        """What code calls the endings that yield, in order."""
        turns = self._shared.program.turns
        return sorted({self.numbers[e.number] for t in turns for e in t.endings if e.yields})

    def yields(self, f: Function, position: Address) -> Bit:
        """Return whether the ending that has held yields (i1)."""
        ended = self._layout.ended.get(f, position)
        tests = [f.compare("eq", I32, ended, number) for number in self.yielding]
        return reduce(lambda a, b: f.binary("or", I1, a, b), tests, FALSE)

    def _function(self, name: str, result: str) -> Place:
        parameters = ["ptr %frame", "ptr %world"]
        f = self._shared.module.function(name, f"internal {result}", parameters)
        return Place(f, is_counted=result == "i1")

    def _clauses(self, p: Place, endings: Iterable[Ending]) -> None:
        """Write that clauses are tried in order; a condition of several in a row is asked once."""
        counters = self._expressions.counters
        by = (lambda e: e.number) if counters is not None else (lambda e: e.condition)
        for _, alike in groupby(endings, by):
            first, *others = alike
            with p.f.block() as after_all:
                p.f.note(first.span)
                p.f.need(self._expressions.flag(p, first.condition), after_all)
                for ending in (first, *others):
                    self._clause(p, ending)

    def _clause(self, p: Place, ending: Ending) -> None:
        """Write what a clause does whose condition holds."""
        f, number = p.f, self.numbers[ending.number]
        f.note(ending.span)
        with f.block() as after:
            if ending.kind == "passes":
                if self._expressions.counters is not None:
                    self._expressions.counters.ending(f, ending)
                f.give(f"i32 {passing(ending.phase)}")
                return
            winners = self._winners(p, ending, after)
            if self._expressions.counters is not None:
                self._expressions.counters.ending(f, ending)
            self._layout.winners.put(f, winners, p.frame)
            for side, field in enumerate(self._layout.payoffs):
                field.put(f, self._payoff(p, ending, side, winners), p.frame)
            self._layout.ended.put(f, number, p.frame)
            f.give(f"i32 {number}" if f.result == "i32" else "i1 true")

    def _payoff(self, p: Place, ending: Ending, side: int, winners: Integer) -> Word:
        """Return a payoff (i64) over the unit; one that needs more bits makes the call fail."""
        if not ending.payoffs:
            return self._usual_payoff(p.f, side, winners)
        f, value = p.f, self._expressions.number(p, ending.payoffs[side])
        found = value.range.scaled(self._layout.payoff_unit)
        register, bits = to_range(f, value, found), width_of(found)
        if bits < WORD and not register.lstrip("-").isdigit():
            return f.convert("sext", integer(bits), register, I64)
        if bits > WORD:
            below = f.compare("sle", integer(bits), register, -(1 << WORD - 1))
            above = f.compare("sge", integer(bits), register, 1 << WORD - 1)
            with f.when(f.binary("or", I1, below, above)):
                w.fail(f, p.world, w.LEFT_TO_REFERENCE)
            return f.convert("trunc", integer(bits), register, I64)
        return Word(register)

    def _usual_payoff(self, f: Function, side: int, winners: Integer) -> Word:
        """Return 1, 0 or -1 (i64) over the unit, by who wins."""
        unit, sides = self._layout.payoff_unit, self._shared.sides
        if winners.isdigit():
            won = [n for n in range(sides) if int(winners) >> n & 1]
            return Word(str(usual_payoffs(won, sides)[side] * unit))
        has_won = f.compare("ne", I32, f.binary("and", I32, winners, 1 << side), 0)
        value = f.select(has_won, I64, unit, -unit)
        if sides == 1:
            return value
        nobody = f.compare("eq", I32, winners, 0)
        is_draw = f.binary("or", I1, nobody, f.compare("eq", I32, winners, (1 << sides) - 1))
        return f.select(is_draw, I64, 0, value)

    def _winners(self, p: Place, ending: Ending, shared: Label) -> Integer:
        """Return a bit (i32) for each side that wins; goes on at `shared` if none should."""
        everyone = (1 << self._shared.sides) - 1
        if ending.kind in ("highest", "lowest"):
            winners = self._extreme(p, ending, shared)
            return p.f.binary("xor", I32, winners, everyone) if ending.inverted else winners
        named = self._mask(ending.sides)
        masks = {"wins": named, "loses": everyone & ~named}
        return Integer(str(masks.get(ending.kind, 0)))

    def _mask(self, sides: Iterable[int]) -> int:
        """Return a bit for each of these sides, and for all that are in a team with one."""
        return sum(1 << side for side in self._shared.program.together(sides))

    def _extreme(self, p: Place, ending: Ending, shared: Label) -> Integer:
        """Return the bit (i32) of the side with the greatest or least value, or those of its team.

        Where several have it, return all their bits if it `is_shared`, or else go on at `shared`.
        """
        f = p.f
        values = [self._expressions.number(p, value) for value in ending.values]
        both = reduce(Range.hull, (value.range for value in values))
        bits = width_of(both)
        registers = [to_range(f, value, both) for value in values]
        test = "sgt" if ending.kind == "highest" else "slt"
        best, winner, several = registers[0], Integer(str(self._mask((0,)))), FALSE
        teams = {self._mask((side,)): side for side in reversed(range(self._shared.sides))}
        for side in sorted(teams.values())[1:]:
            register, mask = registers[side], self._mask((side,))
            better = f.compare(test, integer(bits), register, best)
            same = f.compare("eq", integer(bits), register, best)
            several = f.binary("or", I1, several, same)
            several = f.select(better, I1, FALSE, several)
            if ending.is_shared:
                winner = f.select(same, I32, f.binary("or", I32, winner, mask), winner)
            winner = f.select(better, I32, mask, winner)
            best = f.select(better, integer(bits), register, best)
        if not ending.is_shared:
            f.leave_if(several, shared)
        return winner
