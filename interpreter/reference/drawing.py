"""How random moves of a turn are drawn: among all legal ones, or among what may be one.

In: the block of one turn. Out: a `Drawing`. What then holds: it depends on the rules alone, and
not on how they are carried out; native code draws in the same way, and so the same moves.

To learn how many moves are legal, each may have to be carried out to the end. Where conditions or
further decisions come after a choice, it is quicker to draw below a bound of the ways on
(gdl/analysis/ways_on.py), and again where a number names no way, or one that fails: each legal
move is still equally likely.
"""

from __future__ import annotations

from dataclasses import dataclass

from gdl.analysis.commuting import proven_unordered
from gdl.analysis.ways_on import MOST_DRAWS, MOST_WEIGHT, After, Weights
from gdl.core.nodes import (
    Block,
    Branch,
    Choose,
    Decide,
    ForEach,
    Program,
    Repeat,
    Slot,
    Statement,
)
from gdl.core.walk import changed_slots, is_effect, statements_in


@dataclass(frozen=True)
class Drawing:
    """How moves of a turn are drawn.

    `by_bounds`: first by the bounds of the ways `after` each choice, by its identity. `proven`
    are the choices that may change places with an earlier one and need not be tried in both
    orders.
    """

    by_bounds: bool
    after: After
    proven: frozenset[Slot]

    def attempts(self) -> range:
        """Return the attempts to draw a way below the bounds, before all ways are tried."""
        return range(MOST_DRAWS)

    def ways_after(self, choice: Statement) -> int | None:
        """Return a bound of the ways after a choice; None if there is none, or a large one."""
        assert isinstance(choice, Choose), "a choice"
        return _small(self.after[choice.decision])

    def ways_through(self, decision: Statement) -> tuple[int, ...]:
        """Return a bound of the ways through each alternative of a decision."""
        assert isinstance(decision, Decide), "a decision between alternatives"
        found = self.after[decision.decision]
        assert isinstance(found, tuple), "what follows a choice with a bound has bounds"
        return found


def drawing_of(program: Program, block: Block, size: int) -> Drawing:
    """Return how moves of a turn are drawn on a board of `size` sites."""
    best = program.system.best
    if best is not None and best in changed_slots(block):
        return Drawing(False, {}, frozenset())
    exchanged = {
        statement.slot
        for statement in statements_in(block)
        if isinstance(statement, Choose) and statement.unordered_with is not None
    }
    proven = proven_unordered(program, block, size) if exchanged else frozenset()
    after = Weights(block, size).after
    by_bounds = bool(exchanged - proven) or _may_fail(block, after, True)
    return Drawing(by_bounds, after, proven)


def _may_fail(block: Block, after: After, is_settled: bool) -> bool:
    """Return whether there may be no way on from a choice that has a bound.

    `is_settled`: what follows the block neither fails nor decides.
    """
    for statement in reversed(block):
        if _may_fail_in(statement, after, is_settled):
            return True
        is_settled = is_settled and is_effect(statement)
    return False


def _may_fail_in(statement: Statement, after: After, is_settled: bool) -> bool:
    match statement:
        case Choose():
            weight = _small(after[statement.decision])
            return weight is not None and (weight > 1 or not is_settled)
        case Branch(_, _, then, otherwise):
            parts: tuple[Block, ...] = (then, otherwise)
            return any(_may_fail(part, after, is_settled) for part in parts)
        case Decide(_, alternatives):
            return any(_may_fail(way.body, after, is_settled) for way in alternatives)
        case ForEach() | Repeat():
            return _may_fail(statement.body, after, False)
    return False


def _small(bound: object) -> int | None:
    return bound if isinstance(bound, int) and bound <= MOST_WEIGHT else None
