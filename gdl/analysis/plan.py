"""The plan of a game: what is known of its program before it runs, gathered for evaluators.

In: a program as it was written, and the same after the passes of `gdl.optimise`. Out: a `Plan`.
What then holds: whoever writes code, searches or explains reads what is here and analyses nothing
of this himself; what a plan says of a decision is true of it in both forms of the program.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gdl.analysis.changes import only_gains
from gdl.analysis.commuting import proven_unordered
from gdl.analysis.in_place import Plain, plain
from gdl.analysis.newest import Kept, kept_conditions
from gdl.analysis.repeated import long_conditions
from gdl.analysis.ways_on import After, Weights, least
from gdl.core.nodes import Choose, Expression, Program, Slot
from gdl.core.sameness import are_alike
from gdl.core.walk import changed_slots, statements_in
from gdl.optimise import narrowed


@dataclass(frozen=True)
class TurnPlan:
    """What is known of the turn of one side in one phase.

    `like` is an earlier turn, by phase and side, of which this is a copy but for names. With
    `keeps_best`, only the ways of the greatest value are legal; with `exchanges`, some choices
    that may be made in any order have to be tried in both. `ways_on` bounds the ways on from each
    decision; `in_place` has the parts of a turn whose random moves need no search.
    """

    phase: int
    side: int
    like: tuple[int, int] | None
    keeps_best: bool
    exchanges: bool
    ways_on: After
    in_place: Plain | None


@dataclass(frozen=True)
class Plan:
    """What is known of a program over a board of `size` sites.

    `proven` are the choices of any order that need not be tried in both.
    """

    program: Program
    size: int
    turns: tuple[TurnPlan, ...]
    proven: frozenset[Slot]

    def turn(self, phase: int, side: int) -> TurnPlan:
        """Return what is known of a side's turn in a phase."""
        return next(t for t in self.turns if (t.phase, t.side) == (phase, side))

    @cached_property
    def kept(self) -> tuple[Kept, ...]:
        """The conditions of endings that only the newest piece can have brought about."""
        return kept_conditions(self.program)

    @cached_property
    def repeated(self) -> frozenset[Expression]:
        """The long conditions that are asked in several places."""
        return long_conditions(self.program)

    @cached_property
    def growing(self) -> frozenset[Slot]:
        """The layers of such conditions that only ever gain or lose sites that are chosen."""
        layers = {kept.layer for kept in self.kept}
        return frozenset(layer for layer in layers if only_gains(self.program, layer))


def plan_of(original: Program, program: Program, size: int) -> Plan:
    """Return the plan of a `program`, which is the `original` after optimisation.

    Bounds of ways on are the lesser of those of the original, before most of its sets are turned
    round, and those of the program, in which conditions of sites have become sets.
    """
    narrow = narrowed(original, size)
    proven: frozenset[Slot] = frozenset()
    for phase in original.phases:
        for turn in phase.turns:
            proven |= proven_unordered(original, turn.program, size)
    turns: list[TurnPlan] = []
    for number, phase in enumerate(program.phases):
        for side in range(len(phase.turns)):
            blocks = (whole.phases[number].turns[side].program for whole in (narrow, program))
            ways_on = least(*(Weights(block, size).after for block in blocks))
            turns.append(_turn_plan(program, number, side, ways_on, proven, turns))
    return Plan(program, size, tuple(turns), proven)


def _turn_plan(
    program: Program,
    phase: int,
    side: int,
    ways_on: After,
    proven: frozenset[Slot],
    earlier: list[TurnPlan],
) -> TurnPlan:
    block = program.phases[phase].turns[side].program
    system = program.system
    fixed = {*program.state, system.following, system.best}
    likes = (
        (one.phase, one.side)
        for one in earlier
        if one.like is None
        and are_alike(block, program.phases[one.phase].turns[one.side].program, fixed)
    )
    keeps_best = system.best is not None and system.best in changed_slots(block)
    exchanges = any(
        isinstance(s, Choose) and s.unordered_with is not None and s.slot not in proven
        for s in statements_in(block)
    )
    in_place = None if keeps_best or exchanges else plain(block, ways_on)
    return TurnPlan(phase, side, next(likes, None), keeps_best, exchanges, ways_on, in_place)
