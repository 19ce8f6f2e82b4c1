"""A plan in words that an author understands: how moves are drawn, what is kept, what is bounded.

In: a plan, the names of the sides, and which form sets have in code. Out: lines of text. What then
holds: each line says what the plan holds, with the place in the file (line:column) of what it
speaks of. Whether a condition that may be kept is kept depends on how code is written, which a plan
doesn't know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import prod

from gdl.analysis.bounds_of_ways import BoundsOfWays
from gdl.analysis.open_lines import last_choice
from gdl.analysis.plain_turns import Plain, Way
from gdl.analysis.plan import Plan, TurnPlan
from gdl.analysis.random_moves import Cases, Counted, InPlace, may_fail
from gdl.analysis.ranges import IN_A_WORD, Uncovered
from gdl.analysis.rows import Rows
from gdl.analysis.set_sizes import Reach
from gdl.analysis.views import Kept
from gdl.analysis.ways_by_kind import Kinds
from gdl.core.known import all_known
from gdl.core.nodes import Choose, Const, Decide, Decision, Ending, RangeOf, Require, Slot
from gdl.core.types import FLAG, SITES
from gdl.core.walk import decisions_in, expressions_in, filled_slots, statements_in
from gdl.diagnostic import Span

_STEP = "  "


def plan_in_words(plan: Plan, sides: Sequence[str], form: str = "") -> str:
    """Return what a plan says, as text that ends with a line break; `form` is a line on sets."""
    parts = [*_turns(plan, sides), *_endings(plan), *_sets(plan, form), *_numbers(plan)]
    parts += _momentary(plan)
    return "\n".join(parts) + "\n"


# ------------------------------------------------------------------------------ turns


def _turns(plan: Plan, sides: Sequence[str]) -> Iterator[str]:
    for turn in plan.turns:
        head = _turn_name(plan, turn.phase, turn.side, sides)
        if turn.like is not None:
            yield f"{head}: the same as {_turn_name(plan, *turn.like, sides)}"
            continue
        if turn.draws_both and turn.is_later:
            other = _turn_name(plan, turn.phase, 0, sides)
            yield f"{head}: as {other}, with what is whose exchanged"
            continue
        yield head
        block = plan.program.phases[turn.phase].turns[turn.side].program
        for statement in decisions_in(block):
            yield _STEP + _decision(statement, turn, plan.proven)
            if statement.decision in plan.kinds:
                yield _STEP * 2 + _kinds(plan.kinds[statement.decision])
            if statement.decision in turn.harmless.sites:
                yield f"{_STEP * 2}sites after which what is required is sure to hold are counted"
        if turn.chooses_best:
            yield f"{_STEP}which sites lead to moves of the greatest value is known before choices"
        for line in _drawing(turn, BoundsOfWays(block, Reach(plan.size)).most):
            yield _STEP + line
        for inner in statements_in(block):
            if isinstance(inner, Require):
                said = _first_line(inner.span).removeprefix("require ")
                unless = f"unless `{said}`" if said else "by a condition"
                yield f"{_STEP}{_place(inner.span)}a move is ruled out {unless}"


def _turn_name(plan: Plan, phase: int, side: int, sides: Sequence[str]) -> str:
    name = f"turn of {sides[side]}"
    return name if len(plan.program.phases) == 1 else f"{name} in {plan.program.phases[phase].name}"


def _decision(statement: Choose | Decide, turn: TurnPlan, proven: frozenset[Slot]) -> str:
    bound = turn.ways_on[statement.decision]
    if isinstance(statement, Choose):
        ways = "no bound is known of the ways on"
        if isinstance(bound, int):
            ways = "one way on at most" if bound == 1 else f"at most {bound} ways on"
        said = f"{_place(statement.span)}choose {statement.slot.name}: {ways}"
        if statement.unordered_with is None:
            return said
        order = "one order is enough (proved)" if statement.slot in proven else "both are tried"
        return f"{said}; in any order with {statement.unordered_with.name}: {order}"
    count = len(statement.alternatives)
    through = "no bound is known of the ways through them"
    if isinstance(bound, tuple):
        through = f"at most {' + '.join(map(str, bound))} ways through them"
    return f"{_place(statement.span)}{count} alternatives: {through}"


def _kinds(found: Kinds) -> str:
    """Tell how the ways on from pieces are counted."""
    number = len(found.kinds)
    at_once = sum(bool(kind.at_once) for kind in found.kinds)
    said = f"the ways on from pieces of {number} kinds are counted kind by kind"
    return f"{said}, those of {at_once} for all pieces at once" if at_once else said


def _drawing(turn: TurnPlan, most: Mapping[Decision, int]) -> Iterator[str]:
    """Tell how a random move is drawn; `most` is how many candidates choices have at most."""
    search = "a random move is found by search"
    if turn.exchanges:
        yield f"{search}: pairs are legal if both orders lead to the same"
    elif turn.keeps_best:
        searched = f"{search}: only moves of the greatest value are legal"
        yield from _drawn_in_place(turn.in_place, most, searched)
    else:
        searched = f"{search} through the ways of the turn"
        yield from _drawn_in_place(turn.in_place, most, searched, turn.lines)


def _drawn_in_place(
    turn: InPlace | None,
    most: Mapping[Decision, int],
    searched: str,
    lines: Collection[Decision] = (),
) -> Iterator[str]:
    """Tell how a random move is drawn; `searched` says that it takes a search, and why."""
    match turn:
        case None:
            yield searched
        case Counted():
            yield "the ways are counted without a search, and a random move is one of them"
            if turn.before_decisions:
                yield "sites after which nothing more is decided are counted together"
        case Cases(_, _, then, otherwise):
            yield "in one of two cases:"
            yield from _drawn_in_place(then, most, searched, lines)
            yield "in the other:"
            yield from _drawn_in_place(otherwise, most, searched, lines)
        case Plain():
            yield from _drawn_by_bounds(turn, most, lines)


def _drawn_by_bounds(
    turn: Plain, most: Mapping[Decision, int], lines: Collection[Decision]
) -> Iterator[str]:
    parts = " + ".join(_candidates(way, lines) for way in turn.ways)
    known = all_known([_most_of(way, most) for way in turn.ways])
    limit = "" if known is None else f" (at most {sum(known):,})"
    again = ", and again where it names no legal move" if may_fail(turn) else ""
    yield f"a random move is drawn without a search: a number below {parts}{limit}{again}"
    if any(way.needed_for_more is not None for way in turn.ways):
        yield "whether a choice has more than one way on is asked before anything is changed"


def _most_of(way: Way, most: Mapping[Decision, int]) -> int | None:
    """Return how many numbers stand for a way at most; None where that is not known."""
    if any(choice.decision not in most or _is_open(choice) for choice in way.choices):
        return None
    cases = 1 if way.cases is None else len(way.cases.alternatives)
    return way.weight * cases * prod(most[choice.decision] for choice in way.choices)


def _is_open(choice: Choose) -> bool:
    """Return whether numbers are chosen from between bounds that the position tells."""
    domain = choice.domain
    if not isinstance(domain, RangeOf):
        return False
    return not (isinstance(domain.low, Const) and isinstance(domain.high, Const))


def _candidates(way: Way, lines: Collection[Decision]) -> str:
    if way.choice is None:
        return "1"
    chosen = " × ".join(
        f"the number of candidates for {choice.slot.name}" for choice in way.choices
    )
    found = chosen if way.weight == 1 else f"{way.weight} × {chosen}"
    last = last_choice(way)
    if last is not None and last.decision in lines:
        found = f"the sites on open lines for {last.slot.name} (at most {way.weight}) × {chosen}"
    if way.cases is None:
        return found
    return f"{found}, for each of {len(way.cases.alternatives)} alternatives"


# ------------------------------------------------------------------------------- ends


def _endings(plan: Plan) -> Iterator[str]:
    is_kept = any(turn.in_place is not None for turn in plan.turns)
    endings: dict[object, Ending] = {}
    for turn in plan.program.turns:
        for ending in turn.endings:
            endings.setdefault(ending.span or ending, ending)
    if endings:
        yield "ends"
    for ending in endings.values():
        inside = set(expressions_in(ending.condition))
        kept = next((k for k in plan.kept if is_kept and k.condition in inside), None)
        how = "worked out after each move" if kept is None else _kept(kept)
        how += "; then, whether the side on turn is stuck" if ending.yields else ""
        clause = _first_line(ending.span)
        yield f"{_STEP}{_place(ending.span)}{clause and f'`{clause}`: '}{how}"


def _kept(kept: Kept) -> str:
    if isinstance(kept.asks, Rows):
        return "may be kept, and tested by the rows through the newest piece alone"
    if kept.asks.may_end:
        return "may be kept on larger boards, and tested by the newest piece's neighbours"
    return "may be kept, and tested by the group of the newest piece (by union-find, if that pays)"


# ------------------------------------------------------------------------------- sets


def _sets(plan: Plan, form: str) -> Iterator[str]:
    singles = plan.single_slots
    slots = [slot for slot in _variables(plan) if slot.type == SITES and not slot.is_state]
    wide = {slot.name for slot in slots if slot not in singles}
    one = sorted({slot.name for slot in slots} - wide)
    growing = sorted(slot.name for slot in plan.growing)
    bounds: dict[str, int] = {}
    for slot in slots:
        bounds[slot.name] = bounds.get(slot.name, 0) | plan.set_bounds[slot]
    bounded = {name: n for name in sorted(bounds) if (n := bounds[name].bit_count()) < plan.size}
    if form or one or growing or bounded:
        yield "sets"
    if form:
        yield f"{_STEP}{form}"
    if one:
        yield f"{_STEP}never more than one site: {', '.join(one)}"
    if growing:
        yield f"{_STEP}only gain sites, each when it is chosen: {', '.join(growing)}"
    for name, most in bounded.items():
        yield f"{_STEP}always among {most} of the {plan.size} sites: {name}"


def _variables(plan: Plan) -> tuple[Slot, ...]:
    """Return what the statements of turns give values to, each once."""
    blocks = (turn.program for turn in plan.program.turns)
    return tuple(dict.fromkeys(slot for block in blocks for slot in filled_slots(block)))


# ---------------------------------------------------------------------------- numbers


def _numbers(plan: Plan) -> Iterator[str]:
    system = plan.program.system
    known = {system.mover, system.phase, *system.seats}
    known |= {memory.slot for memory in plan.program.memories}
    slots = [slot for slot in plan.program.state if slot not in known]
    slots += [slot for slot in _variables(plan) if slot not in plan.program.lasting_slots]
    told = [
        f"{_STEP}{slot.name}: {_bounds(plan, slot)}"
        for slot in slots
        if slot.type not in (SITES, FLAG)
    ]
    if told:
        yield "numbers"
        yield from dict.fromkeys(told)


def _bounds(plan: Plan, slot: Slot) -> str:
    try:
        found = plan.ranges.of_slot(slot)
    except Uncovered:
        return "fractions without a common denominator"
    if found == IN_A_WORD or slot in plan.small:
        return "as large as 64 bits hold; more is an error"
    over = "" if found.denominator == 1 else f", in parts of {found.denominator}"
    bits = max(found.low.bit_length(), found.high.bit_length()) + (found.low < 0)
    return f"{found.low} to {found.high}{over} ({bits} bits)"


# --------------------------------------------------------------------------- variables


def _momentary(plan: Plan) -> Iterator[str]:
    needed = plan.needed_over_decisions
    names = {slot.name for slot in _variables(plan)} - {slot.name for slot in needed}
    if names:
        yield "variables"
        yield f"{_STEP}needed between two decisions alone: {', '.join(sorted(names))}"


# ----------------------------------------------------------------------------- places


def _place(span: Span | None) -> str:
    return "" if span is None else f"{span.line}:{span.column} "


def _first_line(span: Span | None) -> str:
    return "" if span is None else " ".join(span.text.split("\n", 1)[0].split())
