"""Nodes made anew with their parts changed.

In: a part of a program, and a function from expressions to expressions, or from blocks to blocks.
Out: the same with what is directly inside changed (`with_…`), or with every expression changed, at
any depth of statements (`change_…`). What then holds: spans, slots and the identities of decisions
are as they were, and nothing is simplified. A statement in which nothing changes stays the same
object, as most do in most passes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import is_
from typing import assert_never

from gdl.core.memo import Memo
from gdl.core.nodes import (
    Alternative,
    Assign,
    AssignAt,
    Block,
    Branch,
    Can,
    Choose,
    Closure,
    Const,
    Decide,
    Decision,
    Domain,
    Ending,
    Expression,
    Fold,
    ForEach,
    Get,
    GetAt,
    GroupsOf,
    If,
    Let,
    Op,
    Phase,
    Program,
    RangeOf,
    Repeat,
    Require,
    Say,
    Select,
    SitesOf,
    Slot,
    Statement,
    Times,
    Turn,
)

Change = Callable[[Expression], Expression]
ChangeBlock = Callable[[Block], Block]


def with_parts(node: Expression, change: Change) -> Expression:
    """Return an expression with each of its parts changed."""
    match node:
        case Op(name, arguments, of, payload):
            return Op(name, tuple(map(change, arguments)), of, payload)
        case Const() | Get():
            return node
        case If(condition, then, otherwise):
            return If(change(condition), change(then), change(otherwise))
        case Let(slot, value, body):
            return Let(slot, change(value), change(body))
        case Fold(combine, slot, domain, body, initial):
            return Fold(combine, slot, with_ends(domain, change), change(body), initial)
        case Select(slot, sites, condition):
            return Select(slot, change(sites), change(condition))
        case Closure(seed, frontier, step):
            return Closure(change(seed), frontier, change(step))
        case GetAt(slot, sites):
            return GetAt(slot, change(sites))
        case Times(history, key):
            return Times(history, tuple(map(change, key)))
        case Can(condition=condition):
            return replace(node, condition=change(condition))
        case _:
            assert_never(node)


def with_ends(domain: Domain, change: Change) -> Domain:
    """Return a domain with each of its expressions changed."""
    match domain:
        case SitesOf(sites):
            return SitesOf(change(sites))
        case RangeOf(low, high):
            return RangeOf(change(low), change(high))
        case GroupsOf(sites, frontier, step):
            return GroupsOf(change(sites), frontier, change(step))
        case _:
            assert_never(domain)


def with_expressions(statement: Statement, change: Change) -> Statement:
    """Return a statement with its own expressions changed; not those of the blocks inside it."""
    match statement:
        case Assign(span, slot, value):
            made = change(value)
            return statement if made is value else Assign(span, slot, made)
        case AssignAt(span, slot, sites, value):
            where, made = change(sites), change(value)
            is_same = where is sites and made is value
            return statement if is_same else AssignAt(span, slot, where, made)
        case Branch(span, condition, then, otherwise):
            made = change(condition)
            return statement if made is condition else Branch(span, made, then, otherwise)
        case Require(span, condition):
            made = change(condition)
            return statement if made is condition else Require(span, made)
        case ForEach(span, slot, domain, body):
            return ForEach(span, slot, with_ends(domain, change), body)
        case Repeat(_, _, bound):
            return replace(statement, bound=None if bound is None else change(bound))
        case Choose():
            domain = with_ends(statement.domain, change)
            assert isinstance(domain, SitesOf | RangeOf)
            return replace(statement, domain=domain)
        case Decide() | Say():
            return statement
        case _:
            assert_never(statement)


def with_blocks(statement: Statement, change: ChangeBlock) -> Statement:
    """Return a statement with each block directly inside it changed."""
    if isinstance(statement, Assign):
        return statement
    match statement:
        case Branch(span, condition, then, otherwise):
            first, second = change(then), change(otherwise)
            if first is then and second is otherwise:
                return statement
            return Branch(span, condition, first, second, origin=statement.origin)
        case ForEach() | Repeat():
            body = change(statement.body)
            return statement if body is statement.body else replace(statement, body=body)
        case Decide():
            ways = statement.alternatives
            bodies = [change(way.body) for way in ways]
            if all(body is way.body for body, way in zip(bodies, ways, strict=True)):
                return statement
            made = tuple(map(Alternative, (way.token for way in ways), bodies))
            return replace(statement, alternatives=made)
        case AssignAt() | Choose() | Require() | Say():
            return statement
        case _:
            assert_never(statement)


def change_block(block: Block, change: Change) -> Block:
    """Return a block with each of its expressions changed."""
    made: list[Statement] = []
    for each in block:
        if each.__class__ is Assign:
            made.append(with_expressions(each, change))
        else:
            whole = with_expressions(each, change)
            made.append(with_blocks(whole, lambda inner: change_block(inner, change)))
    return block if all(map(is_, made, block)) else tuple(made)


def change_expressions(program: Program, change: Change) -> Program:
    """Return a program with each of its expressions changed."""

    def of_ending(ending: Ending) -> Ending:
        values, payoffs = tuple(map(change, ending.values)), tuple(map(change, ending.payoffs))
        condition = change(ending.condition)
        return replace(ending, condition=condition, values=values, payoffs=payoffs)

    def of_turn(turn: Turn) -> Turn:
        return Turn(
            change_block(turn.program, change),
            tuple(map(of_ending, turn.stuck)),
            tuple(map(of_ending, turn.endings)),
        )

    def of_phase(phase: Phase) -> Phase:
        return replace(phase, turns=tuple(map(of_turn, phase.turns)))

    return replace(
        program,
        phases=tuple(map(of_phase, program.phases)),
        memories=tuple(
            replace(memory, key=tuple(map(change, memory.key))) for memory in program.memories
        ),
    )


def change_turns(program: Program, change: ChangeBlock) -> Program:
    """Return a program with the block of each turn changed."""

    def of_phase(phase: Phase) -> Phase:
        turns = tuple(replace(turn, program=change(turn.program)) for turn in phase.turns)
        return replace(phase, turns=turns)

    return replace(program, phases=tuple(map(of_phase, program.phases)))


# ----------------- statements made anew with other slots in place of some, and with other decisions


class Renaming:
    """Puts other slots in place of those in `slots`; `decision` tells what each decision becomes.

    What is asked of other positions (`Times`, `Can`) reads the other slots, too.
    """

    def __init__(
        self, slots: Mapping[Slot, Slot], decision: Callable[[Decision], Decision]
    ) -> None:
        """Take what stands for what."""
        self._slots = {old: new for old, new in slots.items() if old is not new}
        self._gets = {old: Get(new) for old, new in self._slots.items()}
        self._decision = decision
        self._done = Memo[Expression, Expression]()

    def block(self, block: Block) -> Block:
        """Return a block made anew."""
        return tuple(map(self._statement, block))

    def _statement(self, statement: Statement) -> Statement:
        made = with_blocks(with_expressions(statement, self._expression), self.block)
        match made:
            case Assign(span, slot, value):
                return Assign(span, self._slot(slot), value)
            case AssignAt() | ForEach():
                return replace(made, slot=self._slot(made.slot))
            case Repeat():
                return replace(made, compared=tuple(map(self._slot, made.compared)))
            case Choose(_, slot, unordered_with=other):
                return replace(
                    made,
                    slot=self._slot(slot),
                    unordered_with=None if other is None else self._slot(other),
                    decision=self._decision(made.decision),
                )
            case Decide():
                return replace(made, decision=self._decision(made.decision))
        return made

    def _slot(self, slot: Slot) -> Slot:
        return self._slots.get(slot, slot)

    def _expression(self, node: Expression) -> Expression:
        if isinstance(node, Get):
            return self._gets.get(node.slot, node)
        if node.free.isdisjoint(self._gets):
            return node
        known = self._done.get(node)
        if known is None:
            known = with_parts(node, self._expression)
            if isinstance(known, GetAt):
                known = GetAt(self._slot(known.slot), known.sites)
            self._done.keep(node, known)
        return known
