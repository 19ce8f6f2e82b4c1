"""Plain turns: those of which a random move can be drawn in place, by one random number.

In: the program of a turn, and bounds of the ways on from its decisions (`bounds_of_ways`). Out: its
parts, if it is plain. What then holds: after effects, which leave the position alone, it is one of
some ways, and each way has a bound of the ways on from what is chosen first.

A turn is *plain* if after some effects it makes a choice, or decides between alternatives with a
choice each, and the ways on from there have a bound. Where the first choice leaves too many ways
on, but a second choice follows at once, both are drawn as a *pair*.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from gdl.analysis.bounds_of_ways import MOST_WEIGHT, RANK_DRAWN, WaysOn
from gdl.core.nodes import (
    Block,
    Branch,
    Choose,
    Decide,
    Expression,
    ForEach,
    Repeat,
    Require,
    Say,
    SitesOf,
    Statement,
)
from gdl.core.walk import assigned_slots, is_effect, numbered, statements_in
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
    says: tuple[str, ...]
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
    if not after or not touches_nothing(before):
        return None
    ways = _ways(after[0], after[1:], ways_on)
    return None if ways is None else Plain(before, ways, ways_on)


def without_effects(block: Block) -> tuple[Block, Block]:
    """Return the effects that a block begins with, and the rest of it."""
    before = tuple(takewhile(is_effect, block))
    return before, block[len(before) :]


def touches_nothing(block: Block) -> bool:
    """Return whether effects leave the position alone."""
    return not any(slot.is_state for slot in assigned_slots(block))


def _ways(
    statement: Statement,
    rest: Block,
    ways_on: WaysOn,
    words: tuple[str, ...] = (),
    guards: Block = (),
) -> tuple[Way, ...] | None:
    """Return the ways of a choice, or of alternatives, which may begin with alternatives again."""
    if isinstance(statement, Choose):
        way = _way(statement, rest, words, ways_on, guards)
        return None if way is None else (way,)
    if not isinstance(statement, Decide):
        return None
    if numbered(statement) is not None:
        return _cases(statement, rest, ways_on, words, guards)
    ways: list[Way] = []
    for alternative in statement.alternatives:
        said = words if alternative.token is None else (*words, alternative.token)
        own = tuple(takewhile(lambda s: isinstance(s, Require), alternative.body))
        body = (*alternative.body[len(own) :], *rest)
        if body and isinstance(body[0], Choose | Decide):
            found = _ways(body[0], body[1:], ways_on, said, (*guards, *own))
        else:
            way = _way(None, body, said, ways_on, (*guards, *own))
            found = None if way is None else (way,)
        if found is None:
            return None
        ways += found
    return tuple(ways)


def _cases(
    statement: Decide, rest: Block, ways_on: WaysOn, words: tuple[str, ...], guards: Block
) -> tuple[Way, ...] | None:
    """Return the one way of alternatives of which each only settles a number."""
    own = tuple(takewhile(lambda s: isinstance(s, Require), rest))
    block = rest[len(own) :]
    if not block or not isinstance(block[0], Choose):
        return None
    way = _way(block[0], block[1:], words, ways_on, (*guards, *own))
    return None if way is None else (replace(way, cases=statement),)


def _way(
    choice: Choose | None,
    after: Block,
    words: tuple[str, ...],
    ways_on: WaysOn,
    guards: Block,
) -> Way | None:
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
    if weight > MOST_WEIGHT and not any(_is_third(s) for s in after):
        return None
    if endings_of(after) > MOST_ENDINGS and not meets(after):
        return None
    said = tuple(s.token for s in after if isinstance(s, Say))
    conditions = tuple(s.condition for s in guards if isinstance(s, Require))
    return Way(choice, after, (*words, *said), conditions, weight, is_pair)


def _is_third(statement: Statement) -> bool:
    return isinstance(statement, Choose) and statement.rank == RANK_DRAWN


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
    return sum(divided) <= 1 and not any(_decides(s) for s in block[last + 1 :])


def _decides(statement: Statement) -> bool:
    return any(isinstance(s, Choose | Decide) for s in statements_in((statement,)))
