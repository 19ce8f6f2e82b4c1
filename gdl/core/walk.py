"""Walks: what stands where in statements and expressions, at any depth.

In: a program, or a part of one. Out: the statements, expressions or slots in it. What then
holds: nothing is changed, tables with an entry for each site are never looked through, and
whatever has an order comes in the order in which it is written.

Three sets of slots differ only in what counts as being given a value:

| function         | assignments | choices | running variables |
|------------------|-------------|---------|-------------------|
| `assigned_slots` | yes         | no      | no                |
| `changed_slots`  | yes         | yes     | no                |
| `filled_slots`   | yes         | yes     | yes               |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from functools import cache
from typing import assert_never

from gdl.board.relation import Relation
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    Choose,
    Const,
    Decide,
    Ending,
    Expression,
    ExpressionNode,
    ForEach,
    Get,
    Op,
    Program,
    Repeat,
    Require,
    Say,
    Slot,
    Statement,
)
from gdl.core.types import Type
from gdl.diagnostic import Span

# ------------------------------------------------------------------- statements


def blocks_of(statement: Statement) -> tuple[Block, ...]:
    """Return the blocks directly inside a statement."""
    match statement:
        case Branch(_, _, then, otherwise):
            return (then, otherwise)
        case ForEach() | Repeat():
            return (statement.body,)
        case Decide(_, alternatives):
            return tuple(way.body for way in alternatives)
        case Assign() | AssignAt() | Choose() | Require() | Say():
            return ()
        case _:
            assert_never(statement)


_WITH_BLOCKS = (Branch, ForEach, Repeat, Decide)


def statements_in(block: Block) -> Iterator[Statement]:
    """Yield every statement of a block, at any depth, outer ones before inner ones."""
    pending = list(reversed(block))
    while pending:
        statement = pending.pop()
        yield statement
        if statement.__class__ in _WITH_BLOCKS:
            for inner in reversed(blocks_of(statement)):
                pending += reversed(inner)


def program_statements(program: Program, more: Iterable[Block] = ()) -> Iterator[Statement]:
    """Yield every statement of every turn of a program, and of `more` blocks, at any depth."""
    for turn in program.turns:
        yield from statements_in(turn.program)
    for block in more:
        yield from statements_in(block)


def decisions_in(block: Block) -> tuple[Choose | Decide, ...]:
    """Return the choices and decisions of a block, in order, outer ones first."""
    return tuple(s for s in statements_in(block) if isinstance(s, Choose | Decide))


_NO_EFFECTS = (Choose, Decide, Require, Say)


def is_effect(statement: Statement) -> bool:
    """Return whether a statement neither decides anything, nor fails, nor says a word."""
    if isinstance(statement, Assign):
        return True
    return not any(isinstance(inner, _NO_EFFECTS) for inner in statements_in((statement,)))


def numbered(statement: Statement) -> Slot | None:
    """Return the slot into which a decision puts the number of its alternative.

    None if it does anything else, but for conditions of the alternatives that come before.
    """
    if not isinstance(statement, Decide):
        return None
    found: set[Slot] = set()
    for number, way in enumerate(statement.alternatives):
        match way.body:
            case (*guards, Assign(_, slot, Const(value))) if value == number:
                if slot.is_state or not all(isinstance(guard, Require) for guard in guards):
                    return None
                found.add(slot)
            case _:
                return None
    return found.pop() if len(found) == 1 else None


# ------------------------------------------------------------------ expressions


def expressions_of(statement: Statement) -> tuple[Expression, ...]:
    """Return the expressions directly inside a statement; none of the statements within it."""
    match statement:
        case Assign(_, _, value):
            return (value,)
        case AssignAt(_, _, sites, value):
            return (sites, value)
        case Branch(_, condition) | Require(_, condition):
            return (condition,)
        case Repeat(_, _, bound):
            return () if bound is None else (bound,)
        case Choose() | ForEach():
            return statement.domain.parts()
        case Decide() | Say():
            return ()
        case _:
            assert_never(statement)


def block_expressions(block: Block) -> Iterator[Expression]:
    """Yield the expressions of every statement of a block, at any depth; none of their parts."""
    for statement in statements_in(block):
        yield from expressions_of(statement)


def program_expressions(program: Program, more: Iterable[Block] = ()) -> Iterator[Expression]:
    """Yield the expressions of a program's turns, of `more` blocks, clauses and memories."""
    for statement in program_statements(program, more):
        yield from expressions_of(statement)
    for turn in program.turns:
        for ending in turn.clauses:
            yield from ending.expressions
    for memory in program.memories:
        yield from memory.key


def binders_in(roots: Iterable[Expression]) -> Iterator[Expression]:
    """Yield the expressions among some and their parts that bind slots, each once."""
    seen: set[int] = set()
    pending = [root for root in roots if root.height]
    while pending:
        expression = pending.pop()
        if id(expression) not in seen:
            seen.add(id(expression))
            if expression.binds():
                yield expression
            pending += [part for part in expression.parts() if part.height]


def expressions_in(root: Expression) -> Iterator[Expression]:
    """Yield an expression and all its parts, each shared part once; in no particular order."""
    seen = {id(root)}
    pending = [root]
    while pending:
        expression = pending.pop()
        yield expression
        for part in expression.parts():
            if id(part) not in seen:
                seen.add(id(part))
                pending.append(part)


def number_of_nodes(root: Expression) -> int:
    """Return how many nodes an expression has, each shared one once."""
    seen = {id(root)}
    pending = [root]
    while pending:
        parts = pending.pop().parts()
        pending += [part for part in parts if part.__class__ is not Get and id(part) not in seen]
        seen.update(map(id, parts))
    return len(seen)


def looks_ahead(requirement: Require) -> bool:
    """Return whether a requirement asks what could be done in the next turn."""
    return requirement.condition.looks_ahead


# ------------------------------------------------------------------------ slots


def assigned_slots(block: Block) -> AbstractSet[Slot]:
    """Return the slots that statements of a block assign to: not what choices and loops fill."""
    return _slots(block, (Assign, AssignAt))


def changed_slots(block: Block) -> AbstractSet[Slot]:
    """Return the slots that a block assigns to or chooses, without running variables."""
    return _slots(block, (Assign, AssignAt, Choose))


def filled_slots(block: Block) -> AbstractSet[Slot]:
    """Return the slots that a block gives values to, running variables among them."""
    return _slots(block, (Assign, AssignAt, Choose, ForEach))


_Giving = Assign | AssignAt | Choose | ForEach


def _slots(block: Block, kinds: tuple[type[_Giving], ...]) -> AbstractSet[Slot]:
    # The keys of a dictionary are a set that keeps its order.
    found: dict[Slot, None] = {}
    _add_slots(block, kinds, found)
    return found.keys()


def _add_slots(block: Block, kinds: tuple[type[_Giving], ...], found: dict[Slot, None]) -> None:
    for statement in block:
        if isinstance(statement, kinds):
            found[statement.slot] = None
        if statement.__class__ in _WITH_BLOCKS:
            for inner in blocks_of(statement):
                _add_slots(inner, kinds, found)


def read_slots(block: Block) -> frozenset[Slot]:
    """Return the slots that the expressions of a block depend on."""
    found: set[Slot] = set()
    for statement in statements_in(block):
        if isinstance(statement, Assign):
            found |= statement.value.free
            continue
        for expression in expressions_of(statement):
            found |= expression.free
    return frozenset(found)


def ending_slots(ending: Ending) -> frozenset[Slot]:
    """Return the slots that an ending depends on."""
    return frozenset[Slot]().union(*(part.free for part in ending.expressions))


def slots_read_outside_turns(program: Program) -> frozenset[Slot]:
    """Return the slots that the clauses of `end` and `stuck` and the memories depend on."""
    found: set[Slot] = set()
    for turn in program.turns:
        for ending in turn.clauses:
            found |= ending_slots(ending)
    for memory in program.memories:
        found = found.union(*(part.free for part in memory.key))
    return frozenset(found)


def slots_in(node: Expression) -> frozenset[Slot]:
    """Return every slot that an expression reads or binds, at any depth."""
    return node.free.union(*(part.binds() for part in expressions_in(node)))


def slots_of(root: object) -> Iterator[Slot]:
    """Yield every slot that a part of a program mentions, in the order of first mention.

    The part may be anything that a program is made of, or a tuple of such.
    """
    seen: set[int] = set()
    found: set[Slot] = set()
    pending = [root]
    while pending:
        part = pending.pop()
        kind: type = part.__class__
        if isinstance(part, Assign):
            value = part.value
            if part.slot not in found or value.height or not value.free <= found:
                pending += (value, part.slot)
            continue
        if kind in _WITHOUT_SLOTS or id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, ExpressionNode) and not part.height and part.free <= found:
            continue  # it binds none, and all that it reads have been met
        if kind is Slot:
            assert isinstance(part, Slot)
            found.add(part)
            yield part
        elif kind is Op:
            assert isinstance(part, Op)
            pending += part.arguments[::-1]
        elif isinstance(part, tuple | frozenset):
            pending.extend(reversed(tuple(part)))
        else:
            pending += [getattr(part, name) for name in _names_in_turn(kind)]


_WITHOUT_SLOTS = frozenset((Const, Relation, Span, Type, str, int, bool, type(None)))


@cache
def _names_in_turn(of: type) -> tuple[str, ...]:
    """Return the names of a dataclass's fields that may hold slots, the last one first.

    What an expression depends on stands in its parts.
    """
    names = (field.name for field in reversed(fields(of))) if is_dataclass(of) else ()
    return tuple(name for name in names if name not in ("free", "type", "span"))
