"""Statements made anew with other slots in place of some, and with other decisions.

In: a block, which slot stands for which, and which decision for which. Out: the block. What then
holds: it does with these slots what it did with the others, and shares no decision with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from gdl.core.memo import Memo
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Choose,
    Decide,
    Decision,
    Expression,
    ForEach,
    Get,
    GetAt,
    Repeat,
    Slot,
    Statement,
)
from gdl.core.rebuild import with_blocks, with_expressions, with_parts


class Renaming:
    """Puts other slots in place of those in `slots`; `decision` tells what each decision becomes.

    What is asked of other positions (`Times`, `Can`) reads the other slots, too.
    """

    def __init__(
        self, slots: Mapping[Slot, Slot], decision: Callable[[Decision], Decision]
    ) -> None:
        """Take what stands for what."""
        self._slots = {old: new for old, new in slots.items() if old is not new}
        self._gets = {old: Get(new) for old, new in self._slots.items()}
        self._decision = decision
        self._done = Memo[Expression, Expression]()

    def block(self, block: Block) -> Block:
        """Return a block made anew."""
        return tuple(map(self._statement, block))

    def _statement(self, statement: Statement) -> Statement:
        made = with_blocks(with_expressions(statement, self._expression), self.block)
        match made:
            case Assign(span, slot, value):
                return Assign(span, self._slot(slot), value)
            case AssignAt() | ForEach():
                return replace(made, slot=self._slot(made.slot))
            case Repeat():
                return replace(made, compared=tuple(map(self._slot, made.compared)))
            case Choose(_, slot, unordered_with=other):
                return replace(
                    made,
                    slot=self._slot(slot),
                    unordered_with=None if other is None else self._slot(other),
                    decision=self._decision(made.decision),
                )
            case Decide():
                return replace(made, decision=self._decision(made.decision))
        return made

    def _slot(self, slot: Slot) -> Slot:
        return self._slots.get(slot, slot)

    def _expression(self, node: Expression) -> Expression:
        if isinstance(node, Get):
            return self._gets.get(node.slot, node)
        if node.free.isdisjoint(self._gets):
            return node
        known = self._done.get(node)
        if known is None:
            known = with_parts(node, self._expression)
            if isinstance(known, GetAt):
                known = GetAt(self._slot(known.slot), known.sites)
            self._done.keep(node, known)
        return known
