"""What stands in statements, at any depth: the names that they give values to, make, and use.

In: statements of the syntax tree. Out: names. Nothing is resolved here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeGuard

from gdl.syntax.tree.expressions import Node
from gdl.syntax.tree.statements import Add, Assign, Statement


def nodes_in(parts: Iterable[Node]) -> Iterator[Node]:
    """Yield nodes and all that is inside them, each before its parts."""
    pending = list(parts)[::-1]
    while pending:
        node = pending.pop()
        yield node
        inside: list[Node] = []
        for value in vars(node).values():
            inside += (v for v in (value if isinstance(value, tuple) else (value,)) if _is_node(v))
        pending += reversed(inside)


def _is_node(part: object) -> TypeGuard[Node]:
    return isinstance(part, Node)


def is_given(name: str, statements: Iterable[Statement]) -> bool:
    """Return whether `set` or `add` gives a value to a name in the statements."""
    return any(
        isinstance(node, Assign | Add) and node.target.name.name == name
        for node in nodes_in(statements)
    )
