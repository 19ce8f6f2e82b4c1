"""What a statement of the core was made from, and how it is named in a sentence.

In: statements as the reference interpreter runs them. Out: nodes of the syntax, their scopes and
texts. What then holds: a text is one line, as the file has it.
"""

from __future__ import annotations

from dataclasses import replace

from gdl.core.nodes import Choose, Statement
from gdl.core.types import SITES
from gdl.elaborate.names.scope import Scope, written_in
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.syntax import tree as t


def source_of(statement: Statement) -> tuple[t.Node | None, Scope | None]:
    """Return the part of the syntax that a statement was made from, and its scope."""
    return written_in(statement.origin)


def without(scope: Scope, name: str) -> Scope:
    """Return a scope without one local word, as it was before the word was named."""
    kept = {word: value for word, value in scope.locals.items() if word != name}
    return replace(scope, locals=kept)


def choice_text(rules: ReferenceRules, statement: Choose, choice: int) -> str:
    """Return what was chosen: a site's name, or a number."""
    if statement.slot.type == SITES:
        return rules.game.board.sites[choice].name
    return str(choice)


def line_of(node: t.Node) -> str:
    """Return the first line of a statement: the blocks within it are left out."""
    return " ".join(node.span.text.split("\n")[0].split())


def demanded(node: t.Node) -> str:
    """Return what is wrong where a statement demands a condition that does not hold."""
    if isinstance(node, t.Place) and node.source is not None:
        return "the hand does not have the piece"
    if isinstance(node, t.Require) and node.span == node.condition.span:
        return "this is required to `swap`, and does not hold"
    return "this is required, and does not hold"
