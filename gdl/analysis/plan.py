"""The plan of a game: what is known of its program before it runs, gathered for evaluators.

In: a program as the rules have it, the size of its board, and which passes of `gdl.optimise` to
use. Out: a `Plan`. What then holds: whoever writes code, searches or explains reads here what is
known of the whole program and of each turn (what a single way does to layers, the code of random
moves asks `changes`); the plan's program is the one that code is written from, and what the plan
says of a decision is true of it before the passes and after them.

Three changes come before the passes and can't be left out: rounds are written out, requirements
are tested early, and alternatives that are alike become one. Of two turns that are one but for
names, only the first goes through the passes; the second is made from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

from gdl.analysis.bounds_of_ways import Bounds, BoundsOfWays, WaysOn
from gdl.analysis.changes import growing_layers
from gdl.analysis.commuting import proven_unordered
from gdl.analysis.harmless import Harmless, harmless_sites
from gdl.analysis.momentary import needed_over_decisions
from gdl.analysis.number_ranges import NumberRanges
from gdl.analysis.open_lines import OpenLines, open_lines
from gdl.analysis.plain_turns import Plain
from gdl.analysis.random_moves import InPlace, drawn_in_place, ways_of
from gdl.analysis.set_sizes import Part, Reach, SetSizes, set_bounds
from gdl.analysis.side_symmetry import (
    BothSides,
    Mirrors,
    exchanged_by_place,
    for_both,
    mirrors_of,
    with_later,
    without_later,
)
from gdl.analysis.views import Kept, Pool, kept_conditions, pools_of
from gdl.analysis.ways_by_kind import Kinds, ways_by_kind
from gdl.core.memo import Memo
from gdl.core.merging import equal_up_to_names
from gdl.core.nodes import Block, Choose, Decision, Expression, Program, SitesOf, Slot
from gdl.core.singles import always_single_slots, single_slots
from gdl.core.walk import (
    block_expressions,
    changed_slots,
    expressions_in,
    number_of_nodes,
    program_expressions,
    slots_read_outside_turns,
    statements_in,
)
from gdl.data_classes import dataclass
from gdl.optimise import optimise
from gdl.optimise.algebra.number_growth import unbounded_numbers
from gdl.optimise.algebra.terms import Terms
from gdl.optimise.alternatives import merge_alternatives
from gdl.optimise.early_requirements import require_early
from gdl.optimise.look_ahead import is_asked_at_once
from gdl.optimise.rounds import write_out_rounds

_LEAST_DEAR = 40
"""What can be chosen is told part by part if it is an expression of at least so many nodes."""
_LEAST_SHARED = 100
"""Turns of two sides become one block if their expressions have at least so many nodes each."""
_LEAST_DRAWN = 500
"""Where random moves are not all drawn in one way, so many nodes at least, if they are to be drawn
from it: else it costs up to a tenth of the random games."""
_WIDE = 256
"""From so many sites on, code takes long to compile, and a question for the side is nothing."""
_MOST_OF_BOTH = 0.8
"""The size of one block at most, as a part of that of the two that it stands for."""


@dataclass(frozen=True)
class TurnPlan:
    """What is known of the turn of one side in one phase.

    `like` is an earlier turn, by phase and side, of which this is a copy but for names. With
    `keeps_best`, only the ways of the greatest value are legal; where it `chooses_best`, they are
    the only ones that can be chosen, and no values are compared. With `exchanges`, some choices
    that may be made in any order have to be tried in both. `ways_on` bounds the ways on from each
    decision; `in_place` says how its random moves are drawn, if they need no search. What can be
    chosen at a decision in it may have `parts`: only that one need be known which is drawn. After
    `harmless` sites there is exactly one way on, as is known before they are chosen. Last choices
    among sites in `lines` from one before have a bound that the position tells.

    One block serves `both` sides, if their turns are so like each other; its decisions are those
    of the earlier one. Where it `draws_both`, random moves are drawn from it, too.
    """

    phase: int
    side: int
    like: tuple[int, int] | None
    keeps_best: bool
    exchanges: bool
    ways_on: WaysOn
    in_place: InPlace | None
    parts: Mapping[Decision, tuple[Part, ...]]
    both: BothSides | None = None
    draws_both: bool = False
    harmless: Harmless = field(default_factory=Harmless)
    lines: Mapping[Decision, OpenLines] = field(default_factory=dict)
    chooses_best: bool = False

    @property
    def is_later(self) -> bool:
        """Whether it is the later one of two turns that share a block."""
        return self.both is not None and self.side > 0

    def block_in(self, program: Program) -> Block:
        """Return the block that searches are written from: that for both sides, if there is one."""
        if self.both is not None:
            return self.both.block
        return program.phases[self.phase].turns[self.side].program


@dataclass(frozen=True)
class Plan:
    """What is known of a program over a board of `size` sites.

    `proven` are the choices of any order that need not be tried in both. The program means what the
    rules say as long as the numbers in `small` slots are at most `SMALL` before a turn, either way.
    """

    program: Program
    size: int
    turns: tuple[TurnPlan, ...]
    proven: frozenset[Slot]
    small: frozenset[Slot] = frozenset()

    def turn(self, phase: int, side: int) -> TurnPlan:
        """Return what is known of a side's turn in a phase."""
        return next(t for t in self.turns if (t.phase, t.side) == (phase, side))

    @property
    def without_harmless(self) -> Plan:
        """The same plan, in which it is known of no site that it completes a turn."""
        return replace(self, turns=tuple(replace(t, harmless=Harmless()) for t in self.turns))

    @property
    def blocks_for_both(self) -> tuple[Block, ...]:
        """The blocks that serve two sides, each once."""
        return tuple(
            turn.both.block for turn in self.turns if turn.both is not None and not turn.is_later
        )

    @cached_property
    def looks_ahead(self) -> bool:
        """Whether moves of next turns are searched for: some `can` is no condition."""
        roots = program_expressions(self.program, self.blocks_for_both)
        return any(root.looks_ahead for root in roots)

    @cached_property
    def ranges(self) -> NumberRanges:
        """Between which bounds the numbers of the program lie."""
        return NumberRanges(self.program, self.size, self.blocks_for_both, self.small)

    @cached_property
    def set_bounds(self) -> Mapping[Slot, int]:
        """Where the sets in a turn's variables can lie; all others can be everywhere."""
        return set_bounds(self.program, self.size, self.blocks_for_both)

    @cached_property
    def single_slots(self) -> Mapping[Slot, bool]:
        """The variables of turns that have one site at most, with whether they always have one."""
        return single_slots(self.program, self.blocks_for_both)

    @cached_property
    def needed_over_decisions(self) -> frozenset[Slot]:
        """The slots that searches need behind a decision that they precede, or after a turn."""
        program = self.program
        found = program.lasting_slots | slots_read_outside_turns(program)
        for turn in self.turns:
            if turn.like is None and not turn.is_later:
                found |= needed_over_decisions(turn.block_in(program))
            harmless = turn.harmless
            found = found.union(harmless.slots, *(one.free for one in harmless.sites.values()))
        return found

    @cached_property
    def kept(self) -> tuple[Kept, ...]:
        """The conditions of endings that only the newest piece can have brought about."""
        return kept_conditions(self.program, self.growing)

    @cached_property
    def pools(self) -> Mapping[Choose, Pool]:
        """The sets that are kept for first choices whose moves are made in place."""
        choices = (way.choice for turn in self.turns for way in ways_of(turn.in_place))
        return pools_of(choices, self.growing)

    @cached_property
    def kinds(self) -> Mapping[Decision, Kinds]:
        """The kinds of pieces of first choices whose ways on are counted kind by kind."""
        program, size = self.program, self.size
        number = {
            slot: value.bit_count()
            for slot, value in zip(program.state, program.initial, strict=True)
            if slot in program.layers and isinstance(value, int)
        }
        found = dict[Decision, Kinds]()
        for turn in self.turns:
            if turn.harmless.sites:
                terms, block = _terms_of(program, size), turn.block_in(program)
                found |= ways_by_kind(block, turn.harmless.sites, terms, number)
        return found

    @cached_property
    def growing(self) -> frozenset[Slot]:
        """The layers that turns change in no other way than to add chosen sites."""
        return growing_layers(self.program)


def plan_for_code(program: Program, size: int, passes: Iterable[str] | None = None) -> Plan:
    """Return the plan of a program, after the passes of these names (None: all).

    `size` is the number of the board's sites. Raises `ValueError` for a name of no pass.
    """
    original = merge_alternatives(require_early(write_out_rounds(program)))
    mirrors = mirrors_of(original)
    original = without_later(original, mirrors)
    return plan_of(original, optimise(original, size, passes), size, mirrors)


def plan_as_written(program: Program, size: int) -> Plan:
    """Return the plan of a program as the rules have it, for code that is watched.

    Nothing is changed, each turn has code of its own, and each random move is found by search.
    """
    proven = frozenset[Slot]().union(
        *(proven_unordered(program, turn.program, size) for turn in program.turns)
    )
    on = Reach(size)
    turns = (
        _Turn(program, on, proven, (phase, side), turn.program, turn.program).searched
        for phase, one in enumerate(program.phases)
        for side, turn in enumerate(one.turns)
    )
    return Plan(program, size, tuple(turns), proven)


def plan_of(original: Program, program: Program, size: int, mirrors: Mirrors | None = None) -> Plan:
    """Return the plan of a `program`, which is the `original` after optimisation.

    Both lack the turns that `mirrors` has; the plan's program has them.
    """
    proven = frozenset[Slot]().union(
        *(proven_unordered(original, turn.program, size) for turn in original.turns)
    )
    program, mirrored = with_later(program, mirrors or {})
    for both in mirrored.values():
        proven |= {later for own, later in both.variables.items() if own in proven}
    on = Reach(size)
    plans: list[TurnPlan] = []
    counted = Memo[Expression, int]()
    for number, phase in enumerate(program.phases):
        written = original.phases[number].turns
        turns = [
            _Turn(program, on, proven, (number, side), written[side].program, turn.program)
            for side, turn in enumerate(phase.turns)
        ]
        known = mirrored.get(number)
        if known is not None:
            turns[1].bounds = turns[0].bounds.renamed(known.decisions)
        shared = _block_for_both(turns, counted, known)
        if shared is not None:
            plans += _plans_for_both(turns, shared, counted)
            continue
        for own in turns:
            plans.append(replace(own.plan, like=own.like_one_of(plans)))
    plans = [_with_harmless(turn, program, size) for turn in plans]
    small = unbounded_numbers(program) if is_asked_at_once(original, program) else frozenset()
    return Plan(program, size, tuple(plans), proven, small)


@dataclass
class _Turn:
    """The turn of a phase and side, by its place; its block as it was written, and as it is now."""

    program: Program
    on: Reach
    proven: frozenset[Slot]
    place: tuple[int, int]
    original: Block
    block: Block

    @cached_property
    def bounds(self) -> Bounds:
        """Bounds of the turn's decisions."""
        return BoundsOfWays(self.block, self.on).bounds

    @cached_property
    def keeps_best(self) -> bool:
        """Whether only the ways of the greatest value are legal."""
        return self.program.system.best in changed_slots(self.block)

    @cached_property
    def exchanges(self) -> bool:
        """Whether some choices that may be made in any order have to be tried in both."""
        return any(
            isinstance(s, Choose) and s.unordered_with is not None and s.slot not in self.proven
            for s in statements_in(self.block)
        )

    @cached_property
    def plan(self) -> TurnPlan:
        """What is known of the turn."""
        return self.drawn_from(self.block, self.bounds)

    @property
    def searched(self) -> TurnPlan:
        """What is known of the turn if random moves are found by search."""
        ways_on = self.bounds.after
        plan = TurnPlan(*self.place, None, self.keeps_best, self.exchanges, ways_on, None, {})
        was_kept = self.program.system.best in changed_slots(self.original)
        return replace(plan, chooses_best=was_kept and not self.keeps_best)

    def drawn_from(self, block: Block, bounds: Bounds) -> TurnPlan:
        """Return what is known of the turn if random moves are drawn from a block."""
        plan = replace(self.searched, ways_on=bounds.after)
        if self.exchanges:
            return plan
        terms = _terms_of(self.program, self.on.size)
        drawn = drawn_in_place(block, bounds.after, terms, self.program.system.best)
        if not isinstance(drawn, Plain):
            return replace(plan, in_place=drawn)
        parts = _parts(block, self.on, bounds.most)
        lines = open_lines(drawn, terms)
        lines = {one: found for one, found in lines.items() if one not in parts}
        return replace(plan, in_place=drawn, parts=parts, lines=lines)

    def like_one_of(self, earlier: Sequence[TurnPlan]) -> tuple[int, int] | None:
        """Return the turn, by phase and side, of which this is a copy but for names, if any is.

        Of two that share a block, only the earlier one is done by the block as it stands.
        """
        fixed = self.program.lasting_slots
        for one in earlier:
            block = self.program.phases[one.phase].turns[one.side].program
            is_original = one.like is None and not one.is_later
            if is_original and equal_up_to_names(self.block, block, fixed):
                return one.phase, one.side
        return None


def _block_for_both(
    turns: Sequence[_Turn], counted: Memo[Expression, int], known: BothSides | None
) -> BothSides | None:
    """Return one block for the two turns of a phase, if there is one and it is worth it.

    It is the one that is `known`, if there is such.
    """
    if len(turns) != 2 or any(turn.exchanges for turn in turns):
        return None
    first, second = turns
    own, other = (_size_of(turn.block, counted) for turn in turns)
    if known is not None:
        return known if own >= _LEAST_SHARED else None
    if min(own, other) < _LEAST_SHARED:
        return None
    both = for_both(first.block, second.block, exchanged_by_place(first.block, second.block))
    if both is None or _size_of(both.block, counted) > _MOST_OF_BOTH * (own + other):
        return None
    return both if _is_sound(both, first) else None


def _is_sound(both: BothSides, turn: _Turn) -> bool:
    """Whether what slots mean beyond their values is the same for both sides.

    Two sides' pieces never share a site, other sets may; what a turn says to whoever ends it stands
    in slots of its own.
    """
    layers, told = frozenset(turn.program.layers), turn.program.lasting_slots
    return (
        all((a in turn.proven) == (b in turn.proven) for a, b in both.variables.items())
        and all(a is b for a, b in both.variables.items() if a in told or b in told)
        and all((a in layers) == (b in layers) for a, b in both.exchanged.items())
    )


def _size_of(block: Block, counted: Memo[Expression, int]) -> int:
    """Return how many nodes the expressions of a block have; those `counted` are known."""
    return sum(counted.of(root, number_of_nodes) for root in block_expressions(block))


def _plans_for_both(
    turns: Sequence[_Turn], both: BothSides, counted: Memo[Expression, int]
) -> list[TurnPlan]:
    """Return the plans of two turns that one block serves.

    Where it asks which side is on turn, or begins with one of several decisions, random moves are
    quicker to draw by each side's own code, unless the board is wide, or the turn is long.
    """
    first, second = turns
    bounds = first.bounds.greater(second.bounds, both.decisions)
    if both.is_exact:
        drawn = first.plan
        is_worth_it = isinstance(drawn.in_place, Plain)
        is_worth_it = is_worth_it or _size_of(both.block, counted) >= _LEAST_DRAWN
    else:
        is_worth_it = first.on.size >= _WIDE
    if is_worth_it and not growing_layers(first.program):
        drawn = first.plan if both.is_exact else first.drawn_from(both.block, bounds)
        drawn = replace(drawn, both=both, draws_both=True)
        return [drawn, replace(drawn, side=1, ways_on=second.bounds.after)]
    return [replace(first.plan, both=both, ways_on=bounds.after), replace(second.plan, both=both)]


def _with_harmless(turn: TurnPlan, program: Program, size: int) -> TurnPlan:
    """Return the plan of a turn with the sites that complete it, where code is written of it."""
    if turn.like is not None or turn.is_later or turn.keeps_best or turn.exchanges:
        return turn
    found = harmless_sites(turn.block_in(program), _terms_of(program, size))
    return replace(turn, harmless=found)


def _terms_of(program: Program, size: int) -> Terms:
    """Return terms that know the layers of a program, and which of its slots hold one site."""
    terms = Terms(size, frozenset(program.layers))
    terms.add_singles(always_single_slots(program))
    return terms


def _parts(
    block: Block, on: Reach, most: Mapping[Decision, int]
) -> dict[Decision, tuple[Part, ...]]:
    """Return the parts of what is dear to choose from, which together have no more sites.

    Only choices after others have such.
    """
    found: dict[Decision, tuple[Part, ...]] = {}
    chosen: set[Slot] = set()
    sizes = SetSizes(on, chosen)
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
