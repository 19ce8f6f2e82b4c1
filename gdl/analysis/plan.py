"""The plan of a game: what is known of its program before it runs, gathered for evaluators.

In: a program as it was written, and the same after the passes of `gdl.optimise`. Out: a `Plan`.
What then holds: whoever writes code, searches or explains reads what is here and analyses nothing
of this himself; what a plan says of a decision is true of it in both forms of the program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gdl.analysis.changes import growing_layers
from gdl.analysis.commuting import proven_unordered
from gdl.analysis.drawing import InPlace, in_place
from gdl.analysis.in_place import Plain
from gdl.analysis.set_sizes import Part, SetSizes
from gdl.analysis.views import Kept, Pool, kept_conditions, pools_of
from gdl.analysis.ways_on import After, Weights, least
from gdl.core.nodes import Block, Choose, Decision, Program, SitesOf, Slot
from gdl.core.sameness import are_alike
from gdl.core.walk import changed_slots, expressions_in, single_slots, statements_in
from gdl.optimise.terms import Terms

_LEAST_DEAR = 40
"""What can be chosen is told part by part if it is an expression of at least so many nodes."""


@dataclass(frozen=True)
class TurnPlan:
    """What is known of the turn of one side in one phase.

    `like` is an earlier turn, by phase and side, of which this is a copy but for names. With
    `keeps_best`, only the ways of the greatest value are legal; with `exchanges`, some choices
    that may be made in any order have to be tried in both. `ways_on` bounds the ways on from each
    decision; `in_place` says how its random moves are drawn, if they need no search. What can be
    chosen at a decision in it may have `parts`: only that one need be known which is drawn.
    """

    phase: int
    side: int
    like: tuple[int, int] | None
    keeps_best: bool
    exchanges: bool
    ways_on: After
    in_place: InPlace | None
    parts: Mapping[Decision, tuple[Part, ...]]


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
        return kept_conditions(self.program, self._growing)

    @cached_property
    def pools(self) -> Mapping[Choose, Pool]:
        """The sets that are kept for first choices whose moves are made in place."""
        plain = [turn.in_place for turn in self.turns if turn.in_place is not None]
        choices = (way.choice for turn in plain for way in turn.ways)
        return pools_of(choices, self._growing)

    @cached_property
    def _growing(self) -> frozenset[Slot]:
        return growing_layers(self.program)


def plan_of(original: Program, program: Program, size: int) -> Plan:
    """Return the plan of a `program`, which is the `original` after optimisation.

    Bounds of ways on are the lesser of those of the original, before most of its sets are turned
    round, and those of the program, in which conditions of sites have become sets.
    """
    proven: frozenset[Slot] = frozenset()
    for phase in original.phases:
        for turn in phase.turns:
            proven |= proven_unordered(original, turn.program, size)
    turns: list[TurnPlan] = []
    for number, phase in enumerate(program.phases):
        for side in range(len(phase.turns)):
            blocks = (whole.phases[number].turns[side].program for whole in (original, program))
            bounds = [Weights(block, size) for block in blocks]
            turns.append(_turn_plan(program, size, number, side, bounds, proven, turns))
    return Plan(program, size, tuple(turns), proven)


def _turn_plan(
    program: Program,
    size: int,
    phase: int,
    side: int,
    bounds: Sequence[Weights],
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
    after = least(*(each.after for each in bounds))
    most = {choice: min(each.most[choice] for each in bounds) for choice in bounds[0].most}
    terms = Terms(size, frozenset(program.layers))
    terms.singles |= single_slots(program)
    drawn = None if keeps_best or exchanges else in_place(block, after, terms)
    parts = _parts(block, size, most) if isinstance(drawn, Plain) else {}
    return TurnPlan(phase, side, next(likes, None), keeps_best, exchanges, after, drawn, parts)


def _parts(
    block: Block, size: int, most: Mapping[Decision, int]
) -> dict[Decision, tuple[Part, ...]]:
    """Return the parts of what is dear to choose from, which together have no more sites.

    Only choices after others have such.
    """
    found: dict[Decision, tuple[Part, ...]] = {}
    chosen: set[Slot] = set()
    sizes = SetSizes(size, chosen)
    for statement in statements_in(block):
        if not isinstance(statement, Choose) or not isinstance(statement.domain, SitesOf):
            continue
        sites = statement.domain.sites
        if chosen & sites.free and len(list(expressions_in(sites))) >= _LEAST_DEAR:
            parts = sizes.parts(sites)
            if parts and sum(part.most for part in parts) <= most[statement.decision]:
                found[statement.decision] = parts
        chosen.add(statement.slot)
    return found
