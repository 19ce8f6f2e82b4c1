"""How much work the parts of a program are, in the units that meters count.

In: expressions and blocks of statements. Out: numbers of units. What then holds: what runs once
is counted by its length; what goes through elements counts each of them where that happens, and so
does the dearer of two ways; so a count of work bounds the steps that are carried out.
"""

from __future__ import annotations

from collections.abc import Iterable

from gdl.board.relation import Relation
from gdl.core.memo import Memo
from gdl.core.nodes import (
    Block,
    Can,
    Closure,
    Const,
    Expression,
    Fold,
    Get,
    GroupsOf,
    If,
    Let,
    Op,
    Select,
)
from gdl.core.walk import blocks_of, expressions_of

_NODES_A_UNIT = 5
_SITES_A_UNIT = 2048
_CLASSES_A_UNIT = 16
_PLAIN = frozenset((Op, Let))
"""Of these, all parts are worked out once."""
_DEARER = 40
"""A way that has so many nodes more than the other is counted where it is taken."""


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
    if isinstance(node, If):
        return _is_large(node.then) or _is_large(node.otherwise)
    return isinstance(node, Fold | Select | Closure | Can)


def units_of_expressions(expressions: Iterable[Expression]) -> int:
    """Return how many units expressions are when they are worked out once."""
    return Sizes().units(expressions)


def units_of_block(block: Block, sizes: Sizes | None = None) -> int:
    """Return how many units the statements of a block are, each carried out once at most.

    Of branches and alternatives, only the longest counts: a way takes one. Some `sizes` may be
    known.
    """
    return 1 + _longest(block, sizes or Sizes()) // _NODES_A_UNIT


def _longest(block: Block, sizes: Sizes) -> int:
    """Return how many nodes are on the longest way through a block, loops gone through once."""
    return sum(
        1
        + sum(map(sizes.of, expressions_of(statement)))
        + max((_longest(inner, sizes) for inner in blocks_of(statement)), default=0)
        for statement in block
    )


class Sizes:
    """How many nodes are worked out once in expressions; of a long way, that is found out once.

    What is done for each element is left out, and what the dearer of two ways has more.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._of_ways = Memo[Expression, int]()

    def units(self, expressions: Iterable[Expression]) -> int:
        """Return how many units expressions are."""
        return 1 + sum(map(self.of, expressions)) // _NODES_A_UNIT

    def units_of_ways(self, node: If) -> tuple[int, int]:
        """Return how many units each of two ways is that count only where it is taken."""
        if not (_is_large(node.then) or _is_large(node.otherwise)):
            return 0, 0
        then, otherwise = (self._of_ways.of(way, self.of) for way in (node.then, node.otherwise))
        if abs(then - otherwise) <= _DEARER:
            return 0, 0
        least = min(then, otherwise)
        return (then - least) // _NODES_A_UNIT, (otherwise - least) // _NODES_A_UNIT

    def of(self, root: Expression) -> int:
        """Return how many nodes of an expression are worked out once."""
        found, pending = 0, [root]
        while pending:
            node = pending.pop()
            found += 1
            if node.__class__ in _PLAIN:
                for part in node.parts():
                    if part.__class__ is Get or part.__class__ is Const:
                        found += 1
                    else:
                        pending.append(part)
                continue
            match node:
                case Fold(_, _, domain):
                    pending += [domain.sites] if isinstance(domain, GroupsOf) else domain.parts()
                case Select(_, sites):
                    pending.append(sites)
                case Closure(seed):
                    pending.append(seed)
                case If(condition, then, otherwise) if _is_large(then) or _is_large(otherwise):
                    pending.append(condition)
                    least, most = sorted(
                        self._of_ways.of(way, self.of) for way in (then, otherwise)
                    )
                    found += least if most - least > _DEARER else most
                case Can():
                    pass
                case _:
                    pending += node.parts()
        return found


def _is_large(root: Expression) -> bool:
    """Return whether an expression has so many nodes that it may be dearer than another way."""
    pending = [root]
    for _ in range(_DEARER):
        if not pending:
            return False
        pending += pending.pop().parts()
    return bool(pending)
