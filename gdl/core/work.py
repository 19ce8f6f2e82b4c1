"""How much work the parts of a program are, in the units that meters count.

In: expressions and blocks of statements. Out: numbers of units. What then holds: what runs once
is counted by its length, and what goes through elements counts each of them where that happens; so
a count of work bounds the steps that are carried out.
"""

from __future__ import annotations

from collections.abc import Iterable

from gdl.board.relation import Relation
from gdl.core.nodes import Block, Can, Closure, Expression, Fold, GroupsOf, Op, Select
from gdl.core.walk import blocks_of, expressions_of

_NODES_A_UNIT = 5
_SITES_A_UNIT = 2048
_CLASSES_A_UNIT = 16


def units_of_board(sites: int) -> int:
    """Return how many units an operation on sets is, on a board of so many sites."""
    return 1 + sites // _SITES_A_UNIT


def units_of_image(classes: int, sites: int) -> int:
    """Return how many units it is to look up what a relation leads to from so many sites.

    `classes` is how many offset classes the relation has.
    """
    return 1 + min(sites, classes) // _CLASSES_A_UNIT


def counts_work(node: Expression) -> bool:
    """Return whether the node itself, its parts aside, counts what it does as work."""
    if isinstance(node, Op):
        relation = node.payload
        return isinstance(relation, Relation) and len(relation.offset_classes) > _CLASSES_A_UNIT
    return isinstance(node, Fold | Select | Closure | Can)


def units_of_expressions(expressions: Iterable[Expression]) -> int:
    """Return how many units expressions are when they are worked out once."""
    return 1 + sum(map(_nodes, expressions)) // _NODES_A_UNIT


def units_of_block(block: Block) -> int:
    """Return how many units the statements of a block are, each carried out once at most.

    Of branches and alternatives, only the longest counts: a way takes one.
    """
    return 1 + _longest(block) // _NODES_A_UNIT


def _longest(block: Block) -> int:
    """Return how many nodes are on the longest way through a block, loops gone through once."""
    return sum(
        1
        + sum(map(_nodes, expressions_of(statement)))
        + max(map(_longest, blocks_of(statement)), default=0)
        for statement in block
    )


def _nodes(root: Expression) -> int:
    """Return how many nodes are worked out once, without what is done for each element."""
    found, pending = 0, [root]
    while pending:
        node = pending.pop()
        found += 1
        match node:
            case Fold(_, _, domain):
                pending += [domain.sites] if isinstance(domain, GroupsOf) else domain.parts()
            case Select(_, sites):
                pending.append(sites)
            case Closure(seed):
                pending.append(seed)
            case Can():
                pass
            case _:
                pending += node.parts()
    return found
