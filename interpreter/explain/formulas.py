"""What words of a turn stand for: the formula of each `let`.

In: a program. Out: for the slot of a word, the syntax that its value was made from. What then
holds: nothing but the `let` gives the word a value.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from gdl.core.nodes import Assign, Program, Slot
from gdl.core.walk import statements_in
from gdl.elaborate.scope import Scope
from gdl.syntax import tree as t
from interpreter.explain.sources import source_of


@lru_cache(maxsize=8)
def formulas(program: Program) -> Mapping[Slot, tuple[t.Expression, Scope]]:
    """Return the formula of each word that a `let` names, with the scope of the formula."""
    found: dict[Slot, tuple[t.Expression, Scope]] = {}
    changed: set[Slot] = set()
    for turn in program.turns:
        for statement in statements_in(turn.program):
            if not isinstance(statement, Assign):
                continue
            node, scope = source_of(statement)
            if isinstance(node, t.LetStatement) and scope is not None:
                found[statement.slot] = node.value, scope
            else:
                changed.add(statement.slot)
    return {slot: formula for slot, formula in found.items() if slot not in changed}
