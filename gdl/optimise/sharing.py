"""What several statements ask for is worked out once, in a local slot.

In: a program. Out: the same program, in which a costly set or number that statements without
decisions ask for several times, with nothing changed that it depends on, is put into a slot
before the first of them; so is what is the same in each round of a loop, and what a loop's
condition and the beginning of its body share. What then holds: no value has changed, since
expressions are pure and total; what is worked out before its time may be for nothing.

The optimisation of single expressions, gdl/optimise/hoist.py, does the same within each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    Can,
    Closure,
    Const,
    Expression,
    Fold,
    ForEach,
    Get,
    Op,
    Program,
    Repeat,
    Select,
    SitesOf,
    Slot,
    Statement,
    Times,
)
from gdl.core.rebuild import (
    change_block,
    change_expressions,
    change_turns,
    with_blocks,
    with_parts,
)
from gdl.core.singles import is_single, single_slots
from gdl.core.types import SITES
from gdl.core.walk import expressions_in, filled_slots, is_effect
from gdl.optimise.terms import Terms

_NOTHING: frozenset[Slot] = frozenset()
_Asked = dict[int, tuple[Expression, bool]]


def share(program: Program, size: int) -> Program:
    """Return a program, on a board of `size` sites, whose statements share what they ask for."""
    terms = Terms(size)
    program = change_expressions(program, terms.intern)
    sharer = _Sharer(terms, frozenset(single_slots(program)))
    return change_turns(program, sharer.block)


class _Sharer:
    """Shares within blocks of interned expressions; `singles` hold one site at most."""

    def __init__(self, terms: Terms, singles: AbstractSet[Slot]) -> None:
        self._terms = terms
        self._singles = singles
        self._costs: dict[int, bool] = {}
        self._sizes: dict[int, int] = {}

    def block(self, block: Block) -> Block:
        """Return a block in which each stretch without decisions shares what it asks for."""
        done: list[Statement] = []
        stretch: list[Statement] = []
        for statement in block:
            if is_effect(statement):
                stretch.append(statement)
                continue
            done.extend(self._stretch(stretch))
            stretch = []
            done.append(self._inside(statement))
        return (*done, *self._stretch(stretch))

    def _inside(self, statement: Statement) -> Statement:
        if isinstance(statement, Repeat) and statement.mode == "settled":
            return statement
        return with_blocks(statement, self.block)

    def _stretch(self, statements: list[Statement]) -> Iterator[Statement]:
        turned = [part for statement in statements for part in self._turned(statement)]
        while True:
            found = self._largest(turned)
            if found is None:
                break
            node, first, last = found
            slot = Slot("shared", node.type)
            here = self._replaced(turned[first : last + 1], node, slot)
            turned[first : last + 1] = [Assign(turned[first].span, slot, node), *here]
        yield from map(self._inside, turned)

    # ------------------------------------------------------- a loop and its condition

    def _turned(self, statement: Statement) -> tuple[Statement, ...]:
        """Work out what a `while` and the beginning of its body share at the end of a round."""
        if not (isinstance(statement, Repeat) and statement.mode == "while" and statement.bound):
            return (statement,)
        asked = _by_identity(self._costly(statement.bound, _NOTHING))
        for place, inner in enumerate(statement.body):
            common = [node for node, _ in self._asked(inner).values() if id(node) in asked]
            if common:
                node = max(common, key=self._size)
                slot = Slot("shared", node.type)
                begin = self._replaced(statement.body[: place + 1], node, slot)
                assign = Assign(statement.span, slot, node)
                (loop,) = self._replaced([replace(statement, body=())], node, slot)
                assert isinstance(loop, Repeat)
                body = (*begin, *statement.body[place + 1 :], assign)
                return (assign, replace(loop, body=body))
            changed = filled_slots((inner,))
            asked = {key: node for key, node in asked.items() if self._stands(node, changed)}
        return (statement,)

    def _replaced(
        self, statements: Sequence[Statement], node: Expression, slot: Slot
    ) -> Sequence[Statement]:
        """Return statements that read a slot in place of an expression."""
        made: dict[int, Expression] = {id(node): self._terms.get(slot)}

        def changed(part: Expression) -> Expression:
            if id(part) not in made:
                made[id(part)] = self._terms.intern(with_parts(part, changed))
            return made[id(part)]

        return change_block(tuple(statements), changed)

    def _stands(self, node: Expression, changed: AbstractSet[Slot]) -> bool:
        """Whether an expression keeps its value while slots change."""
        return self._terms.free(node).isdisjoint(changed)

    # -------------------------------------------------------------- what can be shared

    def _largest(self, statements: list[Statement]) -> tuple[Expression, int, int] | None:
        """Return the largest expression to be shared, and its first and its last statement."""
        asked = [self._asked(statement) for statement in statements]
        changed = [filled_slots((statement,)) for statement in statements]
        best: tuple[Expression, int, int] | None = None
        for first, nodes in enumerate(asked):
            for key, (node, is_again) in nodes.items():
                last = first
                for place in range(first + 1, len(statements)):
                    if not self._stands(node, changed[place - 1]):
                        break
                    if key in asked[place]:
                        last = place
                is_larger = best is None or self._size(node) > self._size(best[0])
                if (last > first or is_again) and is_larger:
                    best = node, first, last
        return best

    def _asked(self, statement: Statement) -> _Asked:
        """Return what a statement works out of the slots as they are before it.

        Tells of each whether that happens again and again.
        """
        found: _Asked = {}
        match statement:
            case Assign(_, _, value):
                _add(found, self._costly(value, _NOTHING))
            case AssignAt(_, _, sites, value):
                _add(found, self._costly(sites, _NOTHING))
                _add(found, self._costly(value, _NOTHING))
            case Branch(_, condition, then, otherwise):
                _add(found, self._costly(condition, _NOTHING))
                self._add_constant(found, statement, (*then, *otherwise), again=False)
            case ForEach(_, _, domain, body):
                if isinstance(domain, SitesOf):
                    _add(found, self._costly(domain.sites, _NOTHING))
                self._add_constant(found, statement, body, again=True)
            case Repeat(_, mode, bound, body):
                if bound is not None:
                    asked = self._costly(bound, _NOTHING)
                    changed = filled_slots((statement,))
                    constant = [node for node in asked if self._stands(node, changed)]
                    _add(found, constant, again=mode != "times")
                self._add_constant(found, statement, body, again=True)
        return found

    def _add_constant(
        self, found: _Asked, statement: Statement, body: Block, *, again: bool
    ) -> None:
        """Add what the statements inside one ask for that the whole of it does not change."""
        changed = filled_slots((statement,))
        for inner in body:
            for node, is_again in self._asked(inner).values():
                if self._stands(node, changed):
                    _add(found, [node], again=again or is_again)

    def _costly(self, node: Expression, bound: AbstractSet[Slot]) -> Iterator[Expression]:
        """Yield the costly sets and small numbers in an expression that nothing in it binds."""
        if isinstance(node, Const | Get | Can | Times):
            return
        if not self._is_costly(node):
            return
        is_small = isinstance(node, Op) and node.name in ("lookup", "count")
        if (node.type == SITES or is_small) and self._stands(node, bound):
            yield node
        inner = {*bound, *node.binds()}
        for part in node.parts():
            yield from self._costly(part, inner)

    def _is_costly(self, node: Expression) -> bool:
        if id(node) not in self._costs:
            self._costs[id(node)] = self._costs_much(node)
        return self._costs[id(node)]

    def _costs_much(self, node: Expression) -> bool:
        if isinstance(node, Can | Times):
            return False
        if isinstance(node, Closure | Fold | Select):
            return not any(isinstance(part, Can | Times) for part in expressions_in(node))
        if isinstance(node, Op) and node.name == "image":
            (source,) = node.arguments
            return not isinstance(source, Const) and not is_single(source, self._singles)
        return any(self._is_costly(part) for part in node.parts())

    def _size(self, node: Expression) -> int:
        if id(node) not in self._sizes:
            self._sizes[id(node)] = 1 + sum(map(self._size, node.parts()))
        return self._sizes[id(node)]


def _by_identity(nodes: Iterable[Expression]) -> dict[int, Expression]:
    return {id(node): node for node in nodes}


def _add(found: _Asked, nodes: Iterable[Expression], *, again: bool = False) -> None:
    for node in nodes:
        _, before = found.get(id(node), (node, False))
        found[id(node)] = node, before or again
