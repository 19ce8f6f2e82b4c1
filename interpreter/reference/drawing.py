"""How a random move of a turn is drawn: among all legal ones, or among likely ones.

In: the block of one turn. Out: a `Drawing`. What then holds: it depends on the decisions and
conditions of the block alone; native code draws in the same way, and so the same moves.

To learn how many moves are legal, each may have to be carried out to the end. Where conditions
stand behind the last decision, it is quicker to draw among all ways to make that decision, and
to draw again if a condition fails: each legal move is still equally likely.
"""

from __future__ import annotations

from dataclasses import dataclass

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
from interpreter.reference.statements import changed_slots, is_effect, statements_in

MOST_DRAWS = 64
"""How often a move is drawn among likely ones before all are tried."""


@dataclass(frozen=True)
class Drawing:
    """How moves of a turn are drawn.

    `is_likely`: first among all ways to make a last decision. `proven` are the choices that may
    change places with an earlier one and need not be tried in both orders.
    """

    is_likely: bool
    proven: frozenset[Slot]


def drawing_of(program: Program, block: Block, size: int) -> Drawing:
    """Return how moves of a turn are drawn on a board of `size` sites."""
    best = program.system.best
    keeps = best is not None and best in set(changed_slots(block))
    exchanged = {
        statement.slot
        for statement in statements_in(block)
        if isinstance(statement, Choose) and statement.unordered_with is not None
    }
    proven: frozenset[Slot] = frozenset()
    if exchanged:
        from gdl.optimise import proven_unordered

        proven = proven_unordered(program, block, size)
    is_likely = not keeps and (bool(exchanged - proven) or _may_fail(block, _After()))
    return Drawing(is_likely, proven)


@dataclass(frozen=True)
class _After:
    """What is known of what follows: whether it can't fail, and whether it decides anything."""

    is_settled: bool = True
    decides: bool = False

    def following(self, statement: Statement) -> _After:
        """Return what is known with a statement in front."""
        return _After(self.is_settled and is_effect(statement), self.decides or _decides(statement))


def _may_fail(block: Block, after: _After) -> bool:
    """Return whether a last choice may be followed by something that fails."""
    for statement in reversed(block):
        if _may_fail_in(statement, after):
            return True
        after = after.following(statement)
    return False


def _may_fail_in(statement: Statement, after: _After) -> bool:
    match statement:
        case Choose():
            return not after.decides and not after.is_settled
        case Branch(_, _, then, otherwise):
            return _may_fail(then, after) or _may_fail(otherwise, after)
        case Decide(_, alternatives):
            return any(_may_fail(way.body, after) for way in alternatives)
        case ForEach() | Repeat():
            within = _After(False, after.decides or _decides(statement))
            return _may_fail(statement.body, within)
    return False


def _decides(statement: Statement) -> bool:
    return any(isinstance(inner, Choose | Decide) for inner in statements_in((statement,)))
