"""Parts that nodes of several kinds have: the condition of a rule, the name of a word.

In: a node. Out: its part of that kind, or nothing if it has none.
"""

from __future__ import annotations

from gdl.syntax.tree.expressions import Expression, Name, Node
from gdl.syntax.tree.statements import (
    Choose,
    ChooseSet,
    ForEach,
    If,
    RepeatUntil,
    RepeatWhile,
    Require,
)
from gdl.syntax.tree.texts import Draw, Outcome, Passes, Ranking


def condition_of(node: Node) -> Expression | None:
    """Return the condition under which a statement or clause holds, if it has one."""
    match node:
        case Choose() | ChooseSet() | ForEach() | If() | Require() | RepeatUntil() | RepeatWhile():
            return node.condition
        case Outcome() | Draw() | Ranking() | Passes():
            return node.condition
    return None


def name_of(node: Node) -> str:
    """Return the word that a node is, or "" if it is more than a word."""
    return node.name if isinstance(node, Name) else ""
