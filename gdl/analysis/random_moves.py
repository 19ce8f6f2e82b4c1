"""How a random move of a turn is drawn without a search, if it can be.

In: the program of a turn, and bounds of the ways on from its decisions. Out: what is done, in the
cases that the position at its beginning makes. What then holds: each way through the turn is as
likely as any other.

If a turn is plain, its move is drawn by bounds (`plain_turns`). If conditions that no choice bears
upon divide it, each part is looked at by itself: some may be searched, others not. Else its ways
are counted, each as it comes, and one of them is made. A loop in which something is decided is
gone through once; where it goes on, a search is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from gdl.analysis.bounds_of_ways import BoundsOfWays, WaysOn
from gdl.analysis.later_decisions import sites_before_decisions
from gdl.analysis.plain_turns import Plain, Way, plain_turn, touches_nothing, without_effects
from gdl.budget import Meter
from gdl.core.nodes import (
    Block,
    Branch,
    Choose,
    Decide,
    Decision,
    Expression,
    ForEach,
    Repeat,
    Say,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.walk import changed_slots, is_effect, statements_in
from gdl.data_classes import dataclass
from gdl.optimise.terms import Terms

_MOST_CHOICES = 4
_MOST_CODE = 400
"""A turn whose ways are counted makes at most so many choices, and its code has a limit."""
_MOST_CASES = 100
"""How many parts a turn is divided into at most; conditions in a row double them each."""


@dataclass(frozen=True)
class Counted:
    """A turn whose ways are counted, after effects that leave the position alone.

    In `block`, all decisions are choices of sites, at least one on each way. Where a condition of
    a loop (`Repeat`) in it holds, the ways are not counted, but searched for. Only after the sites
    of a set in `before_decisions`, as of the beginning of the block, is there more to decide.
    """

    before: Block
    block: Block
    before_decisions: Mapping[Decision, Expression] = field(default_factory=dict)


@dataclass(frozen=True)
class Cases:
    """A turn that goes on in one of two ways, as a condition says after some effects.

    None stands for a way that is found by search.
    """

    before: Block
    condition: Expression
    then: InPlace | None
    otherwise: InPlace | None


InPlace = Plain | Counted | Cases


def ways_of(turn: InPlace | None) -> tuple[Way, ...]:
    """Return the ways that are known by their bounds: of a turn, or of all its cases."""
    if isinstance(turn, Cases):
        return (*ways_of(turn.then), *ways_of(turn.otherwise))
    return turn.ways if isinstance(turn, Plain) else ()


def may_fail(turn: InPlace | None) -> bool:
    """Return whether a way that was drawn may turn out not to be one."""
    return any(way.may_fail for way in ways_of(turn))


def may_need_search(turn: InPlace | None) -> bool:
    """Return whether a search may be needed; of a plain turn, all numbers may be tried."""
    if isinstance(turn, Cases):
        return may_need_search(turn.then) or may_need_search(turn.otherwise)
    return not isinstance(turn, Plain)


def drawn_in_place(block: Block, ways_on: WaysOn, terms: Terms) -> InPlace | None:
    """Return how a random move of a turn is drawn, or None if it takes a search.

    `ways_on` are the bounds for the whole turn; `terms` make expressions over its board.
    """
    cases = Meter(_MOST_CASES)
    found = _drawn(block, ways_on, terms, cases)
    return None if cases.left < 0 else found


def _drawn(block: Block, ways_on: WaysOn, terms: Terms, cases: Meter) -> InPlace | None:
    return plain_turn(block, ways_on) or _cases(block, terms, cases) or counted(block, terms)


def _case(block: Block, terms: Terms, cases: Meter) -> InPlace | None:
    cases.left -= 1
    if cases.left < 0:
        return None
    return _drawn(block, BoundsOfWays(block, terms.size).after, terms, cases)


def _cases(block: Block, terms: Terms, cases: Meter) -> Cases | None:
    """Divide a turn by the first condition that no choice bears upon, into so many `cases`."""
    before, after = without_effects(block)
    changed = set[Slot]()
    if not touches_nothing(before):
        return None
    for place, statement in enumerate(after):
        if isinstance(statement, Branch) and not is_effect(statement):
            if statement.condition.free & changed:
                return None
            ways = (statement.then, statement.otherwise)
            first, second = (
                _case((*after[:place], *way, *after[place + 1 :]), terms, cases) for way in ways
            )
            if first is None and second is None:
                return None
            return Cases(before, statement.condition, first, second)
        if not is_effect(statement) and not isinstance(statement, Choose):
            return None
        changed |= changed_slots((statement,))
    return None


def counted(block: Block, terms: Terms) -> Counted | None:
    """Return a turn as one whose ways are counted, if that can be done without a search."""
    before, after = without_effects(block)
    rest = _once_round(after, terms)
    if not rest or not touches_nothing(before) or not isinstance(rest[0], Choose):
        return None
    if not all(_is_counted(statement) for statement in statements_in(rest)):
        return None
    if _choices_on(rest) > _MOST_CHOICES or _code_of(rest) > _MOST_CODE:
        return None
    return Counted(before, rest, sites_before_decisions(rest, terms))


def _once_round(block: Block, terms: Terms, *, is_missed: bool = False) -> Block | None:
    """Return a block in which loops with decisions are written out once, before themselves.

    None if there is a loop without a condition before its first round, unless the block `is_missed`
    by some ways: a loop that all go through goes on too often, and is counted for nothing.
    """
    result: list[Statement] = []
    for statement in block:
        match statement:
            case Repeat(mode=mode, bound=condition, body=body) if not is_effect(statement):
                if condition is None or not all(
                    is_effect(inner) or isinstance(inner, Choose) for inner in body
                ):
                    return None
                if mode == "while":
                    result.append(Branch(statement.span, condition, (*body, statement), ()))
                elif mode == "until" and is_missed:
                    goes_on = terms.negation(terms.intern(condition))
                    result += (*body, replace(statement, mode="while", bound=goes_on))
                else:
                    return None
            case Branch(span, condition, then, otherwise) if not is_effect(statement):
                first, second = (
                    _once_round(way, terms, is_missed=True) for way in (then, otherwise)
                )
                if first is None or second is None:
                    return None
                result.append(Branch(span, condition, first, second))
            case _:
                result.append(statement)
    return tuple(result)


def _is_counted(statement: Statement) -> bool:
    if isinstance(statement, Choose):
        return isinstance(statement.domain, SitesOf) and statement.unordered_with is None
    return is_effect(statement) or not isinstance(statement, Decide | Say | ForEach)


def _choices_on(block: Block) -> int:
    """Return how many choices a way through a block has at most."""
    number = 0
    for statement in block:
        if isinstance(statement, Choose):
            number += 1
        elif isinstance(statement, Branch):
            number += max(_choices_on(statement.then), _choices_on(statement.otherwise))
    return number


def _code_of(block: Block) -> int:
    """Return how many statements there are, those after a condition once for each of its ways."""
    number = 0
    for statement in reversed(block):
        number += 1
        if isinstance(statement, Branch) and not is_effect(statement):
            number += number + _code_of(statement.then) + _code_of(statement.otherwise)
    return number
