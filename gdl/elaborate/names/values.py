"""What an expression of the language can stand for while it is elaborated.

A core expression, or something that only exists before play: a relation, a list, a range, the
groups of a set. What runs over a list is unrolled; the core knows no lists and no relations
but known ones.
"""

from __future__ import annotations

from dataclasses import field

from gdl.board.relation import Relation
from gdl.core.nodes import Const, Expression, Slot
from gdl.data_classes import dataclass


@dataclass(frozen=True)
class Known:
    """A relation that is known before play."""

    relation: Relation


@dataclass(frozen=True)
class Joined:
    """The union of relations."""

    parts: tuple[RelationTree, ...]


@dataclass(frozen=True)
class Cut:
    """A relation whose pairs begin in `source` and end in `target` (None: anywhere)."""

    relation: RelationTree
    source: Expression | None
    target: Expression | None


@dataclass(frozen=True)
class Chain:
    """One relation after the other."""

    first: RelationTree
    second: RelationTree


@dataclass(frozen=True)
class Chosen:
    """One of two relations, by a condition."""

    condition: Expression
    then: RelationTree
    otherwise: RelationTree


@dataclass(frozen=True)
class Formula:
    """The pairs of `base` for which a condition on the two slots holds, as the position is."""

    first: Slot
    second: Slot
    base: Relation
    condition: Expression


@dataclass(frozen=True)
class Directed:
    """That one of several relations whose number is `which`; none if there is no such number."""

    which: Expression
    relations: tuple[Relation, ...]


@dataclass(frozen=True)
class Repeated:
    """A relation so many times over as a number says; none if it is less than 0 or above `most`."""

    relation: RelationTree
    times: Expression
    most: int


RelationTree = Known | Joined | Cut | Chain | Chosen | Formula | Directed | Repeated


@dataclass(frozen=True)
class RelationValue:
    """A relation. A family of directions also has `members`, which a variable can run over.

    A direction of the board has its `name`. A direction of which only some pairs are left is
    `part_of` it; a family in which there are such has all of its own in `parts`, not in `members`.
    """

    tree: RelationTree
    members: tuple[RelationValue, ...] = ()
    name: str = field(default="", compare=False)
    parts: tuple[RelationValue, ...] = ()
    part_of: str = field(default="", compare=False)


@dataclass(frozen=True)
class ListValue:
    """A list written out, or the sides, or the kinds of piece."""

    items: tuple[Value, ...]


@dataclass(frozen=True)
class RangeValue:
    """The numbers from `low` to `high`."""

    low: Expression
    high: Expression


@dataclass(frozen=True)
class GroupsValue:
    """The groups of a set under a relation."""

    sites: Expression
    relation: RelationTree


@dataclass(frozen=True)
class Unknown:
    """What stands for a name whose meaning had an error; it causes no further ones."""


@dataclass(frozen=True)
class Unkept:
    """What stands for a relation by a formula where its value of an earlier moment is wanted."""

    name: str


Value = Expression | RelationValue | ListValue | RangeValue | GroupsValue | Unknown | Unkept


def describe(value: Value) -> str:
    """Return what kind of thing a value is, for a sentence."""
    if isinstance(value, Expression):
        return str(value.type)
    if isinstance(value, RelationValue | Unkept):
        return "a relation"
    if isinstance(value, ListValue):
        return "a list"
    if isinstance(value, RangeValue):
        return "a range of numbers"
    return "the groups of a set"


def is_known(value: Value) -> bool:
    """Return whether a value is the same in every position."""
    if isinstance(value, RelationValue):
        return isinstance(value.tree, Known)
    if isinstance(value, ListValue):
        return all(is_known(item) for item in value.items)
    return isinstance(value, Const)
