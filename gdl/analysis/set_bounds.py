"""Where the sets in a turn's variables can lie, as far as that is known before play.

In: a program, and the blocks that serve two of its sides. Out: for each variable, a set of sites
that it never has a site outside of. What then holds: code for what is in such a variable may leave
out what only concerns other sites.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import and_, or_

from gdl.board.relation import Relation
from gdl.core.memo import Memo
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Choose,
    Const,
    Expression,
    ForEach,
    Get,
    GroupsOf,
    If,
    Op,
    Program,
    Select,
    SitesOf,
    Slot,
)
from gdl.core.types import SITES
from gdl.core.walk import program_statements


def set_bounds(program: Program, size: int, more: Iterable[Block] = ()) -> Mapping[Slot, int]:
    """Return the bounds of a program's variables, over a board of `size` sites.

    `more` are further blocks that give values to them. Variables without bounds are left out.
    """
    values: dict[Slot, list[Expression]] = {}
    for statement in program_statements(program, more):
        match statement:
            case (
                Assign(_, slot, given)
                | AssignAt(_, slot, _, given)
                | Choose(_, slot, SitesOf(given))
                | ForEach(_, slot, SitesOf(given) | GroupsOf(given))
            ) if given.type == SITES and not slot.is_state:
                values.setdefault(slot, []).append(given)
    found = _Bounds(size, values)
    return {slot: found.of_slot(slot) for slot in values}


class _Bounds:
    """Works out the bounds of slots from the `values` that they are given."""

    def __init__(self, size: int, values: Mapping[Slot, Sequence[Expression]]) -> None:
        self._everywhere = (1 << size) - 1
        self._values = values
        self._known: dict[Slot, int] = {}
        self._memo = Memo[Expression, int]()

    def of_slot(self, slot: Slot) -> int:
        """Return a set that a variable's value lies in."""
        if slot not in self._values:
            return self._everywhere
        if slot not in self._known:
            self._known[slot] = self._everywhere
            self._known[slot] = reduce(or_, map(self._of, self._values[slot]))
        return self._known[slot]

    def _of(self, node: Expression) -> int:
        return self._memo.of(node, self._found)

    def _found(self, node: Expression) -> int:
        match node:
            case Const(value):
                return int(value)
            case Get(slot):
                return self.of_slot(slot)
            case If(_, then, otherwise):
                return self._of(then) | self._of(otherwise)
            case Select(_, sites):
                return self._of(sites)
            case Op("image", (of,), _, relation):
                assert isinstance(relation, Relation), "an image has a relation"
                return relation.image(self._of(of))
            case Op("first" | "difference", (of, *_)):
                return self._of(of)
            case Op("intersection", arguments):
                return reduce(and_, map(self._of, arguments))
            case Op("union", arguments):
                return reduce(or_, map(self._of, arguments))
        return self._everywhere
