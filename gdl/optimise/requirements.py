"""Conditions that are required after a choice: they become conditions of the choice itself.

In: a program. Out: the same program, in which a choice of a site that a requirement follows, with
nothing but values of local words in between, is among those sites only for which it holds. What
then holds: the moves are the same in the same order.
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from dataclasses import replace

from gdl.core.nodes import (
    Assign,
    Block,
    Choose,
    Expression,
    Program,
    Require,
    Say,
    SitesOf,
    Slot,
    Statement,
    Times,
)
from gdl.core.rebuild import change_turns, with_blocks
from gdl.core.singles import always_single_slots
from gdl.core.walk import expressions_in, program_statements
from gdl.optimise.algebra.cost import Costs
from gdl.optimise.algebra.terms import Terms


def require_at_once(program: Program, terms: Terms) -> Program:
    """Make what is required of a chosen site a condition of its choice."""
    terms.add_singles(always_single_slots(program))
    paired: set[Slot] = set()
    for statement in program_statements(program):
        if isinstance(statement, Choose) and statement.unordered_with is not None:
            paired |= {statement.slot, statement.unordered_with}
    return change_turns(program, _Mover(terms, program.lasting_slots, paired).block)


class _Mover:
    """Moves requirements; slots that are `kept` are no local words, `paired` choices stay."""

    def __init__(self, terms: Terms, kept: AbstractSet[Slot], paired: Collection[Slot]) -> None:
        self._terms = terms
        self._costs = Costs(terms)
        self._kept = kept
        self._paired = paired

    def block(self, block: Block) -> Block:
        """Return a block whose choices have the conditions required after them."""
        rest, made = block, []
        while rest:
            first, rest = rest[0], rest[1:]
            if isinstance(first, Choose) and first.slot not in self._paired:
                first, rest = self._choice(first, rest)
            made.append(with_blocks(first, self.block))
        return tuple(made)

    def _choice(self, choice: Choose, rest: Block) -> tuple[Choose, Block]:
        """Return a choice with its conditions, and what follows it without them."""
        if not isinstance(choice.domain, SitesOf):
            return choice, rest
        terms = self._terms
        values: dict[Slot, Expression] = {}
        sites = choice.domain.sites
        left: list[Statement] = []
        passed = 0
        for statement in rest:
            match statement:
                case Assign(_, slot, value) if slot not in self._kept and slot is not choice.slot:
                    known = self._known(value, values)
                    if known is None or not self._costs.fits(slot, known):
                        break
                    values[slot] = known
                case Require(_, condition):
                    known = self._known(condition, values)
                    if known is None:
                        break
                    if choice.slot in known.free:
                        sites = terms.select(choice.slot, terms.intern(sites), known)
                        passed += 1
                        continue
                case Say():
                    pass
                case _:
                    break
            left.append(statement)
            passed += 1
        if sites is choice.domain.sites:
            return choice, rest
        return replace(choice, domain=SitesOf(sites)), (*left, *rest[passed:])

    def _known(self, node: Expression, values: dict[Slot, Expression]) -> Expression | None:
        """Return an expression as of the choice; None if it may fail, or looks elsewhere."""
        made = self._costs.known_before(node, values)
        if made is None or any(isinstance(part, Times) for part in expressions_in(made)):
            return None
        return made
