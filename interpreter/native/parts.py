"""The parts of expressions, found without looking through tables.

In: expressions. Out: what is in them. What then holds: tables with a number for each site of a
large board cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdl.core.nodes import Const, Expression, Get, Op


def parts_of(node: Expression) -> Sequence[Expression]:
    """Return the expressions directly inside one."""
    if isinstance(node, Op):
        return node.arguments
    return () if isinstance(node, Const | Get) else tuple(node.parts())


def all_parts_of(root: Expression) -> Iterator[Expression]:
    """Yield an expression and all its parts, each shared part once."""
    seen = {id(root)}
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        for part in parts_of(node):
            if id(part) not in seen:
                seen.add(id(part))
                pending.append(part)
