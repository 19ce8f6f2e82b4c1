"""How far a frame is from a condition's having another value.

In: conditions of the core, and the rules of a game. Out: functions from states to numbers. What
then holds: 0 says that the condition has the value; the more, the more is missing. A site that is
missing from a set counts the less, the fewer steps it is away from one of that set.

That is the branch distance of search-based testing (B. Korel, "Automated Software Test Data
Generation", 1990; P. McMinn, "Search-based software test data generation: a survey", 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from operator import and_
from typing import Any

from gdl.board.relation import Relation, bits
from gdl.core.nodes import Expression, Op, Slot
from gdl.core.types import FLAG
from gdl.interpreter.evaluation.evaluator import RuleError, State
from gdl.interpreter.reference.rules import ReferenceRules

VERY_FAR = 1_000_000.0
_MOST_MISSING, _MOST_SITES = 12, 500
"""Of more, steps are not counted: each is much work on a wide board, and for each missing site."""


def distance_to(
    rules: ReferenceRules, condition: Expression, wanted: bool
) -> Callable[[State], float]:
    """Return how far states are from a condition's being as is wanted; very far where it fails."""
    machine = rules.machine
    near = rules.game.board.relations["adjacent"]
    towards = _Measure(machine.evaluator.function, near).to(condition, wanted)

    def far(state: State) -> float:
        machine.begin_turn()
        try:
            return towards(machine.frame(state.values))
        except RuleError:
            return VERY_FAR

    return far


def parts_of_positions(condition: Expression, known: frozenset[Slot]) -> Iterator[Expression]:
    """Yield a condition, or those of its parts that positions alone decide."""
    if condition.type != FLAG:
        return
    if condition.free <= known:
        yield condition
    elif isinstance(condition, Op) and condition.name in ("and", "or", "not"):
        for part in condition.arguments:
            yield from parts_of_positions(part, known)


class _Measure:
    """Makes functions from frames to distances; `near` says which sites are one step away."""

    def __init__(
        self, function: Callable[[Expression], Callable[[Any], Any]], near: Relation
    ) -> None:
        self._function = function
        self._near = near

    def to(self, node: Expression, wanted: bool) -> Callable[[Any], float]:
        """Return how much is missing until a condition has the value that is wanted."""
        if isinstance(node, Op):
            if node.name == "not":
                return self.to(node.arguments[0], not wanted)
            if node.name in ("and", "or"):
                parts = [self.to(part, wanted) for part in node.arguments]
                join = sum if (node.name == "and") is wanted else min
                return lambda frame: float(join(part(frame) for part in parts))
            if node.name in ("less", "not_more", "equal") and node.arguments[0].type.is_numeric:
                return self._compared(node, wanted)
            if node.name == "some":
                return self._to_some(node.arguments[0]) if wanted else self._count(node)
            if node.name == "subset" and wanted:
                return self._to_subset(*map(self._function, node.arguments))
        holds = self._function(node)
        return lambda frame: 0.0 if bool(holds(frame)) is wanted else 1.0

    def _count(self, node: Op) -> Callable[[Any], float]:
        sites = self._function(node.arguments[0])
        return lambda frame: float(sites(frame).bit_count())

    def _to_some(self, sites: Expression) -> Callable[[Any], float]:
        """Return how far the first part of a set that is joined by `&` is from all the others."""
        whole = self._function(sites)
        if not isinstance(sites, Op) or sites.name != "intersection":
            return lambda frame: 0.0 if whole(frame) else 1.0
        one, *others = map(self._function, sites.arguments)

        def far(frame: Any) -> float:
            if whole(frame):
                return 0.0
            return self._apart(one(frame), reduce(and_, (other(frame) for other in others)))

        return far

    def _to_subset(
        self, sites: Callable[[Any], int], of: Callable[[Any], int]
    ) -> Callable[[Any], float]:
        """Return how many sites are missing from a set, and how far off what may come there is."""

        def far(frame: Any) -> float:
            wanted, there = sites(frame), of(frame)
            missing, spare = wanted & ~there, there & ~wanted
            if not wanted:
                return 1.0
            if missing.bit_count() > _MOST_MISSING:
                return float(missing.bit_count())
            return sum(self._apart(1 << index, spare) for index in bits(missing))

        return far

    def _apart(self, one: int, other: int) -> float:
        """Return a number from 1/2 to 1: the more, the more steps lie between two sets of sites."""
        if self._near.size > _MOST_SITES:
            return 1.0
        ring, seen, steps = one, one, 0
        while not ring & other:
            ring = self._near.image(ring) & ~seen
            if not ring:
                return 1.0
            seen |= ring
            steps += 1
        return 1 - 0.5 / (1 + steps)

    def _compared(self, node: Op, wanted: bool) -> Callable[[Any], float]:
        left, right = (self._function(part) for part in node.arguments)
        if node.name == "equal":
            if wanted:
                return lambda frame: float(abs(left(frame) - right(frame)))
            return lambda frame: 1.0 if left(frame) == right(frame) else 0.0
        slack = 1 if node.name == "less" else 0
        if wanted:
            return lambda frame: float(max(0, left(frame) - right(frame) + slack))
        return lambda frame: float(max(0, right(frame) - left(frame) + 1 - slack))
