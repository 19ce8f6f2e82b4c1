"""What is the same whichever way a turn goes on is worked out before the ways part.

In: a program. Out: the same program, in which a costly part of an expression after a choice, or
in a loop of statements, that depends on nothing that changes from the choice, or the loop, on
is kept in a local that is set before it. What then holds: no value has changed; what might fail
is worked out where it was; nothing is worked out ahead for one arm of a branch alone, nor for
what no decision or condition comes after, since that is only carried out for the one way taken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gdl.core.nodes import (
    Alternative,
    Assign,
    Block,
    Branch,
    Can,
    Choose,
    Decide,
    Expression,
    ForEach,
    Get,
    Op,
    Program,
    Repeat,
    Require,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.types import FLAG, SITES
from gdl.optimise.cost import Costs
from gdl.optimise.programs import change_block, change_turns, changed_slots, statements_in
from gdl.optimise.terms import Terms

_COSTLY = 3


def work_ahead(program: Program, terms: Terms) -> Program:
    """Set locals before choices and loops to what is the same for all that follows them."""

    def change(block: Block) -> Block:
        known = frozenset(program.state) | changed_slots(block)
        return _Ahead(terms, known).block(change_block(block, terms.intern))

    return change_turns(program, change)


@dataclass(frozen=True)
class _Found:
    """Parts of expressions that can be worked out ahead, each with the local for it."""

    slots: dict[int, Slot]
    values: dict[int, Expression]


class _Ahead:
    """Changes one turn; `known` are the slots that its statements may read and set."""

    def __init__(self, terms: Terms, known: frozenset[Slot]) -> None:
        self._terms = terms
        self._known = known
        self._costs = Costs(terms)

    def block(self, block: Block) -> Block:
        """Return a block with what its choices and loops share set before them."""
        for place, statement in enumerate(block):
            before, rest = block[:place], block[place + 1 :]
            if isinstance(statement, Choose):
                found = _Found({}, {})
                rest = self._ways(rest, {statement.slot}, found)
                statement = change_block((statement,), lambda node: self._shared(node, found))[0]
                return (*before, *_set(found), statement, *self.block(rest))
            if isinstance(statement, ForEach | Repeat):
                return (*before, *self._loop(statement), *self.block(rest))
            if isinstance(statement, Branch):
                then, otherwise = self.block(statement.then), self.block(statement.otherwise)
                parted = replace(statement, then=then, otherwise=otherwise)
                return (*before, parted, *self.block(rest))
            if isinstance(statement, Decide):
                ways = (Alternative(w.token, self.block(w.body)) for w in statement.alternatives)
                return (*before, replace(statement, alternatives=tuple(ways)), *self.block(rest))
        return block

    def _loop(self, statement: ForEach | Repeat) -> Block:
        found = _Found({}, {})
        changed = set(changed_slots((statement,)))
        body = tuple(self._lifted(inner, changed, found) for inner in statement.body)
        if isinstance(statement, Repeat) and statement.bound is not None:
            statement = replace(statement, bound=self._replaced(statement.bound, changed, found))
        return (*_set(found), replace(statement, body=self.block(body)))

    # ------------------------------------------------------------------- what follows

    def _ways(self, block: Block, changed: set[Slot], found: _Found) -> Block:
        """Return what follows a choice, with what it shares for all choices in locals."""
        last = max((i for i, s in enumerate(block) if _may_part(s)), default=-1)
        result: list[Statement] = []
        for statement in block[: last + 1]:
            result.append(self._followed(statement, changed, found))
            changed |= changed_slots((statement,))
        return (*result, *block[last + 1 :])

    def _followed(self, statement: Statement, changed: set[Slot], found: _Found) -> Statement:
        if isinstance(statement, Decide):
            ways = (
                Alternative(way.token, self._ways(way.body, set(changed), found))
                for way in statement.alternatives
            )
            return replace(statement, alternatives=tuple(ways))
        return self._lifted(statement, changed, found)

    def _lifted(self, statement: Statement, changed: set[Slot], found: _Found) -> Statement:
        match statement:
            case Assign(span, slot, value):
                return Assign(span, slot, self._replaced(value, changed, found))
            case Require(span, condition):
                return Require(span, self._replaced(condition, changed, found))
            case Branch(_, condition):
                return replace(statement, condition=self._replaced(condition, changed, found))
            case Choose(_, _, SitesOf(sites)) | ForEach(_, _, SitesOf(sites)):
                return replace(statement, domain=SitesOf(self._replaced(sites, changed, found)))
        return statement

    def _replaced(self, node: Expression, changed: set[Slot], found: _Found) -> Expression:
        """Return an expression with the parts that are worked out ahead in locals."""
        terms = self._terms
        same = self._known - changed

        def change(part: Expression) -> Expression:
            if not terms.free(part) or isinstance(part, Get | Can):
                return part
            if terms.free(part) <= same:
                return self._kept(part, found)
            if isinstance(part, Op) and part.name in ("union", "intersection"):
                fixed = [each for each in part.arguments if terms.free(each) <= same]
                moving = [each for each in part.arguments if not terms.free(each) <= same]
                together = terms.op(part.name, tuple(fixed), part.of) if fixed else None
                parts = [] if together is None else [self._kept(together, found)]
                return terms.op(part.name, (*map(change, moving), *parts), part.of)
            return terms.remade(part, change)

        return change(terms.intern(node))

    def _shared(self, node: Expression, found: _Found) -> Expression:
        """Return an expression in which the locals stand for what they hold."""
        terms = self._terms

        def change(part: Expression) -> Expression:
            if id(part) in found.slots:
                return terms.get(found.slots[id(part)])
            return terms.remade(part, change)

        return change(terms.intern(node)) if found.slots else node

    def _kept(self, node: Expression, found: _Found) -> Expression:
        """Return the local for an expression, or the expression if it is not worth one."""
        costs = self._costs
        if node.type not in (SITES, FLAG) or costs.weight(node) < _COSTLY:
            return node
        if not costs.is_safe(node):
            return node
        if id(node) not in found.slots:
            found.slots[id(node)] = Slot("ahead", node.type)
            found.values[id(node)] = node
        return self._terms.get(found.slots[id(node)])


def _set(found: _Found) -> Block:
    return tuple(Assign(None, found.slots[key], value) for key, value in found.values.items())


def _may_part(statement: Statement) -> bool:
    """Whether a statement decides, or may end the way."""
    return any(isinstance(s, Choose | Decide | Require) for s in statements_in((statement,)))
