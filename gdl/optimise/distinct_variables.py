"""Variables for numbers told apart, so that what one holds never seems to rest on itself.

In: a program whose expressions name their variables by how many of them stand inside (see
interner.py), so that many expressions share one. Out: the same program; if its numbers seem to go
round in a circle, each expression that binds one has a variable of its own. What then holds: a
number that a variable stands for rests on no variable of the same name.

Two expressions may bind the same two variables, and each may work out the one from the other:
`let a = b + 1` stands within `let b = …` in one of them, and `let b = a + 1` within `let a = …` in
the other. Whoever asks for the range of all that a variable is given would find no bound then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter

from gdl.core.memo import Memo
from gdl.core.nodes import Can, Expression, Fold, Get, Let, Program, Slot
from gdl.core.rebuild import change_expressions, with_ends, with_parts
from gdl.core.types import FLAG, SITES
from gdl.core.walk import binders_in, program_expressions

_Names = Mapping[Slot, Slot]


def tell_numbers_apart(program: Program) -> Program:
    """Give each expression that binds a number a variable of its own, if that may matter."""
    if not _goes_round(program_expressions(program)):
        return program
    return change_expressions(program, _Renaming().renamed)


def _goes_round(roots: Iterable[Expression]) -> bool:
    """Return whether some variable may be given what rests on itself, if it is always the same."""
    binders = [node for node in binders_in(roots) if _binds_number(node)]
    variables = {slot for node in binders for slot in node.binds()}
    rests_on = TopologicalSorter[Slot]()
    for node in binders:
        *given, _ = node.parts()
        within = {slot for inner in binders_in(given) for slot in inner.binds()}
        on = within.union(*(part.free for part in given)) & variables
        for slot in node.binds():
            rests_on.add(slot, *on)
    try:
        rests_on.prepare()
    except CycleError:
        return True
    return False


def _binds_number(node: Expression) -> bool:
    """Return whether an expression has a variable for a number, or for one of several values."""
    return isinstance(node, Let | Fold) and node.slot.type not in (SITES, FLAG)


class _Renaming:
    """Gives variables other names; one expression in one place among others has one name."""

    def __init__(self) -> None:
        self._made = Memo[Expression, dict[frozenset[tuple[Slot, Slot]], Expression]]()

    def renamed(self, node: Expression) -> Expression:
        """Return an expression in which each that binds a number has its own variable."""
        return self._of(node, {})

    def _of(self, node: Expression, names: _Names) -> Expression:
        if not node.height and node.free.isdisjoint(names):
            return node
        here = {old: new for old, new in names.items() if old in node.free}
        made, key = self._made.of(node, lambda _: {}), frozenset(here.items())
        if key not in made:
            made[key] = self._anew(node, here)
        return made[key]

    def _anew(self, node: Expression, names: _Names) -> Expression:
        def outside(part: Expression) -> Expression:
            return self._of(part, names)

        match node:
            case Get(slot):
                return Get(names[slot])
            case Let(slot, value, body) if _binds_number(node):
                own = _another(slot)
                return Let(own, outside(value), self._of(body, {**names, slot: own}))
            case Fold(combine, slot, domain, body, initial) if _binds_number(node):
                own = _another(slot)
                inner = self._of(body, {**names, slot: own})
                return Fold(combine, own, with_ends(domain, outside), inner, initial)
            case Can(side, condition, reads):
                read = frozenset(names.get(slot, slot) for slot in reads)
                return Can(side, outside(condition), read, node.span)
        return with_parts(node, outside)


def _another(slot: Slot) -> Slot:
    return Slot(slot.name, slot.type, low=slot.low, high=slot.high)
