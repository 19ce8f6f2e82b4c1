"""Going through a whole program.

In: a program, and a function from expressions to expressions. Out: the program with every
expression changed, its statements and slots as they were.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gdl.core.nodes import (
    Alternative,
    Assign,
    AssignAt,
    Block,
    Branch,
    Choose,
    Decide,
    Ending,
    ForEach,
    Memory,
    Phase,
    Program,
    RangeOf,
    Repeat,
    Require,
    SitesOf,
    Slot,
    Statement,
    Turn,
)
from gdl.core.walk import program_statements
from gdl.optimise.interner import Change, changed_domain


def change_expressions(program: Program, change: Change) -> Program:
    """Return a program with each of its expressions changed."""

    def of_turn(turn: Turn) -> Turn:
        return Turn(
            change_block(turn.program, change),
            tuple(_ending(ending, change) for ending in turn.stuck),
            tuple(_ending(ending, change) for ending in turn.endings),
        )

    def of_phase(phase: Phase) -> Phase:
        return replace(phase, turns=tuple(map(of_turn, phase.turns)))

    return replace(
        program,
        phases=tuple(map(of_phase, program.phases)),
        memories=tuple(
            Memory(memory.slot, tuple(map(change, memory.key))) for memory in program.memories
        ),
    )


def change_turns(program: Program, change: Callable[[Block], Block]) -> Program:
    """Return a program with the block of each turn changed."""

    def of_phase(phase: Phase) -> Phase:
        turns = tuple(replace(turn, program=change(turn.program)) for turn in phase.turns)
        return replace(phase, turns=turns)

    return replace(program, phases=tuple(map(of_phase, program.phases)))


def _ending(ending: Ending, change: Change) -> Ending:
    values = tuple(map(change, ending.values))
    return replace(ending, condition=change(ending.condition), values=values)


def change_block(block: Block, change: Change) -> Block:
    """Return a block with each of its expressions changed, at any depth."""
    return tuple(_statement(statement, change) for statement in block)


def _statement(statement: Statement, change: Change) -> Statement:
    match statement:
        case Assign(span, slot, value):
            return Assign(span, slot, change(value))
        case AssignAt(span, slot, sites, value):
            return AssignAt(span, slot, change(sites), change(value))
        case Branch(span, condition, then, otherwise):
            return Branch(
                span, change(condition), change_block(then, change), change_block(otherwise, change)
            )
        case Require(span, condition):
            return Require(span, change(condition))
        case ForEach(span, slot, domain, body):
            return ForEach(span, slot, changed_domain(domain, change), change_block(body, change))
        case Repeat(span, mode, bound, body, limit):
            changed = None if bound is None else change(bound)
            return Repeat(span, mode, changed, change_block(body, change), limit)
        case Choose():
            domain = changed_domain(statement.domain, change)
            assert isinstance(domain, SitesOf | RangeOf)
            return replace(statement, domain=domain)
        case Decide(_, alternatives):
            ways = tuple(Alternative(w.token, change_block(w.body, change)) for w in alternatives)
            return replace(statement, alternatives=ways)
    return statement


def single_slots(program: Program) -> frozenset[Slot]:
    """Return the locals that hold a single site whenever they hold anything."""
    single: set[Slot] = set()
    other: set[Slot] = set(program.state)
    for statement in program_statements(program):
        if isinstance(statement, Choose | ForEach):
            of_sites = isinstance(statement.domain, SitesOf)
            (single if of_sites else other).add(statement.slot)
        elif isinstance(statement, Assign | AssignAt):
            other.add(statement.slot)
    return frozenset(single - other)
