"""How many ways a turn can go on in, at most: what random moves are drawn by.

In: the block of a turn. Out: for each choice and each decision between alternatives, a bound of
the ways in which the turn can go on after it, known before play. What then holds: a turn never
goes on in more ways than its bound, so that drawing a number below the bound, and drawing again
where it names no way, makes each way equally likely.

How many candidates a choice has at most is said by `set_sizes`. Loops in which something is
decided or required have no bound.
"""

from __future__ import annotations

from collections.abc import Mapping

from gdl.analysis.set_sizes import Reach, SetSizes
from gdl.core.known import all_known
from gdl.core.nodes import (
    Block,
    Branch,
    Choose,
    Const,
    Decide,
    Decision,
    ForEach,
    RangeOf,
    Repeat,
    Require,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.walk import statements_in
from gdl.data_classes import dataclass

MOST_WEIGHT = 64
"""Greater bounds are no use: most numbers below them would name no way."""
MOST_DRAWS = 64
"""How often a way is drawn of which none may come, before all are tried."""

RANK_DRAWN = 3
"""Of three sites chosen at once, the last lies behind the other two, and a third of the triples
of a pair and any site are such: a number below the bound names a way often enough."""

Bound = int | tuple[int, ...] | None
WaysOn = Mapping[Decision, Bound]
"""For each decision, a bound of the ways after a choice, or of those through each alternative; None
where there is none, or a large one."""


@dataclass(frozen=True)
class Bounds:
    """What is known of the decisions of a turn.

    `after` bounds the ways on from each; `most` has, for each choice, how many candidates it has at
    most.
    """

    after: WaysOn
    most: Mapping[Decision, int]

    def greater(self, other: Bounds, names: Mapping[Decision, Decision]) -> Bounds:
        """Return the greater of two bounds for each decision; `names` has the other's decisions."""
        return Bounds(
            {own: _greater(bound, other.after[names[own]]) for own, bound in self.after.items()},
            {own: max(most, other.most[names[own]]) for own, most in self.most.items()},
        )

    def renamed(self, names: Mapping[Decision, Decision]) -> Bounds:
        """Return the same bounds of other decisions."""
        return Bounds(
            {names[own]: bound for own, bound in self.after.items()},
            {names[own]: most for own, most in self.most.items()},
        )


def _greater(a: Bound, b: Bound) -> Bound:
    """Return the greater of two bounds, for each alternative; None if either is unknown."""
    if isinstance(a, int) and isinstance(b, int):
        return max(a, b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return tuple(map(max, a, b))
    return None


class BoundsOfWays:
    """Finds the bounds of one turn's block; `on` is the board."""

    def __init__(self, block: Block, on: Reach) -> None:
        """Work out all bounds of a block."""
        self._size = on.size
        self.after: dict[Decision, Bound] = {}
        self.most: dict[Decision, int] = {}
        self._chosen: set[Slot] = set()
        self._sizes = SetSizes(on, self._chosen)
        self._block(block, 1)

    @property
    def bounds(self) -> Bounds:
        """What was found."""
        return Bounds(self.after, self.most)

    def _block(self, block: Block, after: int | None) -> int | None:
        before = set(self._chosen)
        for statement in block:
            if isinstance(statement, Choose) and isinstance(statement.domain, SitesOf):
                self._chosen.add(statement.slot)
        for place in range(len(block) - 1, -1, -1):
            after = self._statement(block[place], after)
        self._chosen.intersection_update(before)
        return after

    def _statement(self, statement: Statement, after: int | None) -> int | None:
        match statement:
            case Choose():
                self.after[statement.decision] = _small(after)
                most = self.most[statement.decision] = self._most(statement)
                # Of a bound that takes in most of the board, few numbers name a way.
                is_wide = isinstance(statement.domain, SitesOf) and 2 * most > self._size
                if after is None or (is_wide and statement.rank != RANK_DRAWN):
                    return None
                return _small(after * most)
            case Decide(_, alternatives):
                known = all_known([self._block(way.body, after) for way in alternatives])
                self.after[statement.decision] = None if known is None else tuple(known)
                return None if known is None else _small(sum(known))
            case Branch(_, _, then, otherwise):
                a, b = self._block(then, after), self._block(otherwise, after)
                return None if a is None or b is None else max(a, b)
            case ForEach() | Repeat():
                # Otherwise the loop neither decides anything nor requires anything.
                inside = statements_in(statement.body)
                if any(isinstance(s, Choose | Decide | Require) for s in inside):
                    self._block(statement.body, None)
                    return None
        return after

    def _most(self, choice: Choose) -> int:
        """Return how many candidates a choice has at most."""
        domain = choice.domain
        if isinstance(domain, RangeOf):
            if isinstance(domain.low, Const) and isinstance(domain.high, Const):
                return max(0, int(domain.high.value) - int(domain.low.value) + 1)
            return MOST_WEIGHT + 1
        return self._sizes.most(domain.sites)


def _small(weight: int | None) -> int | None:
    return weight if weight is not None and weight <= MOST_WEIGHT**2 else None
