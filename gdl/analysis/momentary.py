"""Which variables of a turn are never needed beyond a decision.

In: the block of a turn. Out: the slots that somebody may read behind a decision or a new round with
decisions, though they were given their values before. What then holds: all other variables are
given their values again before they are read, with nothing decided between; so code that follows
several ways need not keep them for each.

It is the usual analysis of live variables, backwards through the statements (Aho, Sethi and Ullman,
Compilers, 10.6), asked at decisions alone.
"""

from __future__ import annotations

from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    Choose,
    Decide,
    Expression,
    ForEach,
    Repeat,
    Require,
    Say,
    Slot,
    Statement,
)
from gdl.core.walk import blocks_of, expressions_of, is_effect, slots_of

_Slots = frozenset[Slot]


def needed_over_decisions(block: Block) -> frozenset[Slot]:
    """Return the slots of a turn's block that may be read behind a decision that they precede.

    Those that choices, and loops with decisions, give values to are among them.
    """
    needed = _Needed()
    needed.over |= needed.before_block(block, frozenset())
    return frozenset(needed.over)


class _Needed:
    """Finds what is needed before statements, of what is needed after them.

    `over` has what is needed where the code of one decision ends and that of the next begins.
    """

    def __init__(self) -> None:
        self.over: set[Slot] = set()

    def before_block(self, block: Block, after: _Slots) -> _Slots:
        """Return what is needed before a block."""
        for statement in reversed(block):
            after = self._before(statement, after)
        return after

    def _before(self, statement: Statement, after: _Slots) -> _Slots:
        match statement:
            case Assign(_, slot, value):
                return (after - {slot}) | self._read(value)
            case AssignAt() | Require():
                return after | self._read_by(statement)
            case Say():
                return after
        if not is_effect(statement):
            self.over |= after
        match statement:
            case Branch(_, _, then, otherwise):
                ways = self.before_block(then, after) | self.before_block(otherwise, after)
                return ways | self._read_by(statement)
            case Choose(slot=slot, unordered_with=partner):
                self.over |= {slot} if partner is None else {slot, partner}
                return (after - {slot}) | self._read_by(statement)
            case Decide():
                ways = frozenset().union(
                    *(self.before_block(way, after) for way in blocks_of(statement))
                )
                self.over |= ways
                return ways
            case ForEach() | Repeat():
                return self._before_loop(statement, after)
        raise TypeError(f"not a statement: {statement}")

    def _before_loop(self, loop: ForEach | Repeat, after: _Slots) -> _Slots:
        """Go through the body until no round needs more than those before; it may have none."""
        filled = {loop.slot} if isinstance(loop, ForEach) else set[Slot]()
        compared = frozenset(loop.compared) if isinstance(loop, Repeat) else frozenset[Slot]()
        between = after | self._read_by(loop) | compared
        while not (more := self.before_block(loop.body, between) - filled) <= between:
            between |= more
        if not is_effect(loop):
            self.over |= between | filled
        return between

    def _read_by(self, statement: Statement) -> _Slots:
        found = frozenset[Slot]().union(*map(self._read, expressions_of(statement)))
        return found | {statement.slot} if isinstance(statement, AssignAt) else found

    def _read(self, expression: Expression) -> _Slots:
        if expression.looks_ahead:
            # What is asked of the next turn is asked by code of its own.
            self.over.update(slots_of(expression))
        return expression.free
