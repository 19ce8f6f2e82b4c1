"""Plain turns: those of which a random move can be drawn in place, by one random number.

In: the program of a turn, and bounds of the ways on from its decisions (`bounds_of_ways`). Out: its
parts, if it is plain. What then holds: after effects, which leave the position alone, it is one of
some ways, and each way has a bound of the ways on from what is chosen first.

A turn is *plain* if after some effects it makes a choice, or decides between alternatives with a
choice each, and the ways on from there have a bound. Where the first choice leaves too many ways
on, but a second choice follows at once, both are drawn as a *pair*.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import takewhile

from gdl.analysis.bounds_of_ways import MOST_WEIGHT, RANK_DRAWN, WaysOn
from gdl.core import build
from gdl.core.nodes import (
    Assign,
    Block,
    Branch,
    Choose,
    Decide,
    Expression,
    ForEach,
    Get,
    Op,
    Repeat,
    Require,
    Say,
    SitesOf,
    Slot,
)
from gdl.core.walk import (
    assigned_slots,
    decisions_in,
    filled_slots,
    is_effect,
    numbered,
    statements_in,
)
from gdl.data_classes import dataclass

MOST_ENDINGS = 4
"""What follows several ways of going on is written for each of them, if there are no more."""


@dataclass(frozen=True)
class Way:
    """One of the ways of a plain turn: a choice, or none, and what follows it.

    There are at most `weight` ways on after the choice; or, with `is_pair`, after the further
    choice that follows at once.

    `says` are the words on the way, in order, without those of the choice; the `guards` must
    hold for it to be open at all. With `cases`, it is there once for each alternative of a decision
    that only settles a number, which the choice and what follows may ask for.
    """

    choice: Choose | None
    after: Block
    says: tuple[str, ...] = ()
    guards: tuple[Expression, ...] = ()
    weight: int = 1
    is_pair: bool = False
    cases: Decide | None = None

    @property
    def may_fail(self) -> bool:
        """Whether a way that was drawn may turn out not to be one."""
        return not self.paths or len(self.paths) != self.weight

    @property
    def paths(self) -> tuple[Block, ...]:
        """The ways through what follows its choices, if they are always the same; else none."""
        return _paths(self.rest)

    @property
    def choices(self) -> tuple[Choose, ...]:
        """The choices that are drawn at once, in order: none, one, or the two of a pair."""
        first = () if self.choice is None else (self.choice,)
        second = self.after[0] if self.is_pair else None
        return (*first, second) if isinstance(second, Choose) else first

    @property
    def needed_for_more(self) -> Expression | None:
        """A condition, as of when the choices are made, without which there is one way on at most.

        None where it is not known.
        """
        places = [n for n, s in enumerate(self.rest) if not is_effect(s)]
        deciding = [n for n in places if not isinstance(self.rest[n], Require | Say)]
        if self.weight == 1 or len(deciding) != 1:
            return None
        match self.rest[deciding[0]]:
            case Branch(_, condition, _, otherwise) if not decisions_in(otherwise):
                return _needed_before(condition, self.rest[: deciding[0]])
        return None

    @property
    def rest(self) -> Block:
        """What follows those choices."""
        return self.after[1:] if self.is_pair else self.after


@dataclass(frozen=True)
class Plain:
    """A plain turn: effects, and then one of some ways, which `ways_on` bounds."""

    before: Block
    ways: tuple[Way, ...]
    ways_on: WaysOn


def plain_turn(block: Block, ways_on: WaysOn) -> Plain | None:
    """Return the parts of a plain turn, or None if it is not one."""
    before, after = without_effects(block)
    guards, after = _without_requirements(after)
    if not after or not isinstance(after[0], Choose | Decide) or not touches_nothing(before):
        return None
    ways = _ways(after, ways_on, guards=guards)
    return None if ways is None else Plain(before, ways, ways_on)


def without_effects(block: Block) -> tuple[Block, Block]:
    """Return the effects that a block begins with, and the rest of it."""
    before = tuple(takewhile(is_effect, block))
    return before, block[len(before) :]


def touches_nothing(block: Block) -> bool:
    """Return whether effects leave the position alone."""
    return not any(slot.is_state for slot in assigned_slots(block))


def _needed_before(node: Expression, block: Block) -> Expression | None:
    """Return what must hold before statements for a condition to hold after them, if it is known.

    Parts of it that the statements have a bearing on are left out, unless one says what they are.
    """
    for statement in reversed(block):
        changed = filled_slots((statement,))
        if isinstance(statement, Assign) and node == Get(statement.slot):
            node = statement.value
            continue
        found = _apart_from(node, changed)
        if found is None:
            return None
        node = found
    return None if node.looks_ahead else node


def _apart_from(node: Expression, changed: AbstractSet[Slot]) -> Expression | None:
    """Return a condition that holds wherever another does, and does not read some slots."""
    if node.free.isdisjoint(changed):
        return node
    match node:
        case Op("and", parts):
            found = [one for part in parts if (one := _apart_from(part, changed)) is not None]
            return build.conjunction(*found) if found else None
        case Op("subset", (one, Op("intersection", parts))) if one.free.isdisjoint(changed):
            kept = [part for part in parts if part.free.isdisjoint(changed)]
            return replace(node, arguments=(one, build.intersection(*kept))) if kept else None
    return None


def _ways(
    block: Block,
    ways_on: WaysOn,
    words: tuple[str, ...] = (),
    guards: tuple[Expression, ...] = (),
) -> tuple[Way, ...] | None:
    """Return the ways through a block, of all alternatives if it begins with such."""
    first = block[0] if block else None
    cases = first if isinstance(first, Decide) else None
    if cases is None or numbered(cases) is not None:
        if cases is not None:
            own, block = _without_requirements(block[1:])
            guards = (*guards, *own)
            if not block or not isinstance(block[0], Choose):
                return None
        way = _way(block, ways_on)
        if way is None:
            return None
        said = (*words, *(s.token for s in block if isinstance(s, Say)))
        return (replace(way, says=said, guards=guards, cases=cases),)
    ways: list[Way] = []
    for alternative in cases.alternatives:
        said = words if alternative.token is None else (*words, alternative.token)
        own, body = _without_requirements(alternative.body)
        found = _ways((*body, *block[1:]), ways_on, said, (*guards, *own))
        if found is None:
            return None
        ways += found
    return tuple(ways)


def _without_requirements(block: Block) -> tuple[tuple[Expression, ...], Block]:
    """Return what a block begins with requiring, and the rest of it."""
    place, conditions = 0, list[Expression]()
    while place < len(block) and isinstance(required := block[place], Require):
        conditions.append(required.condition)
        place += 1
    return tuple(conditions), block[place:]


def _way(block: Block, ways_on: WaysOn) -> Way | None:
    """Return a way that begins with a choice, or has none."""
    choice = block[0] if block and isinstance(block[0], Choose) else None
    after = block if choice is None else block[1:]
    if any(isinstance(s, ForEach | Repeat) and not is_effect(s) for s in statements_in(after)):
        return None
    decides = not all(is_effect(s) or isinstance(s, Require | Say) for s in after)
    weight = 1 if choice is None else ways_on[choice.decision]
    is_pair = not isinstance(weight, int) or weight > MOST_WEIGHT
    if is_pair:
        second = None if choice is None else _second_of_pair(choice, after)
        weight = None if second is None else ways_on[second.decision]
    if not isinstance(weight, int) or (choice is None and decides):
        return None
    has_third = any(isinstance(s, Choose) and s.rank == RANK_DRAWN for s in after)
    if weight > MOST_WEIGHT and not has_third:
        return None
    if endings_of(after) > MOST_ENDINGS and not meets(after):
        return None
    return Way(choice, after, weight=weight, is_pair=is_pair)


def _second_of_pair(first: Choose, after: Block) -> Choose | None:
    """Return the choice that follows a choice of a site at once, unless any order will do."""
    second = after[0] if after else None
    if not isinstance(first.domain, SitesOf) or not isinstance(second, Choose):
        return None
    return second if second.unordered_with is None else None


def _paths(block: Block) -> tuple[Block, ...]:
    """Return the effects on each way through a block, if the position has no say in that."""
    found: tuple[Block, ...] = ((),)
    for statement in block:
        if isinstance(statement, Decide) and numbered(statement) is None:
            further = [path for way in statement.alternatives for path in _paths(way.body)]
            if not all(_paths(way.body) for way in statement.alternatives):
                return ()
            found = tuple((*before, *path) for before in found for path in further)
        elif is_effect(statement):
            found = tuple((*before, statement) for before in found)
        elif not isinstance(statement, Say):
            return ()
    return found


def endings_of(block: Block) -> int:
    """Return how often what follows a block would be written: once for each way through it."""
    number = 1
    for statement in block:
        match statement:
            case Decide(_, alternatives) if numbered(statement) is None:
                number *= sum(endings_of(way.body) for way in alternatives)
            case Branch(_, _, then, otherwise) if not is_effect(statement):
                number *= endings_of(then) + endings_of(otherwise)
    return number


def meets(block: Block) -> bool:
    """Return whether no decision comes after ways that could be written apart from each other."""
    divided = [
        isinstance(s, Decide | Branch) and not is_effect(s) and numbered(s) is None for s in block
    ]
    last = max((place for place, is_so in enumerate(divided) if is_so), default=len(block))
    decisions = decisions_in(block[last + 1 :])
    return sum(divided) <= 1 and not decisions
