"""Pruning: parts of a program that can never be reached are taken out.

In: a block. Out: the block without what follows a requirement that never holds, without the
alternatives that begin so, and with a lone alternative that has no word put in place of its
decision. `slots_used` then tells which parts of the position the rules can still read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gdl.core import build
from gdl.core.nodes import (
    Alternative,
    Assign,
    AssignAt,
    Block,
    Branch,
    Choose,
    Decide,
    Ending,
    Expression,
    ForEach,
    GroupsOf,
    Phase,
    RangeOf,
    Repeat,
    Require,
    Slot,
    Statement,
)


def prune(block: Block) -> Block:
    """Return the block without what can't be reached."""
    kept: list[Statement] = []
    for statement in block:
        if isinstance(statement, Decide):
            alternatives = [
                replace(alternative, body=prune(alternative.body))
                for alternative in statement.alternatives
            ]
            open_ways = [a for a in alternatives if not _is_closed(a)]
            if len(open_ways) == 1 and open_ways[0].token is None:
                kept.extend(open_ways[0].body)
                continue
            kept.append(replace(statement, alternatives=tuple(open_ways)))
        elif isinstance(statement, Branch):
            then, otherwise = prune(statement.then), prune(statement.otherwise)
            kept.append(replace(statement, then=then, otherwise=otherwise))
        elif isinstance(statement, ForEach | Repeat):
            kept.append(replace(statement, body=prune(statement.body)))
        else:
            kept.append(statement)
            if isinstance(statement, Require) and statement.condition == build.NO:
                break
    return tuple(kept)


def _is_closed(alternative: Alternative) -> bool:
    body = alternative.body
    return bool(body) and isinstance(body[-1], Require) and body[-1].condition == build.NO


def slots_used(phases: Iterable[Phase]) -> frozenset[Slot]:
    """Return every slot that a program, a `stuck` clause or an ending reads or writes."""
    found: set[Slot] = set()
    for phase in phases:
        for turn in phase.turns:
            found.update(_slots_in_block(turn.program))
            for ending in (*turn.stuck, *turn.endings):
                found.update(_slots_in_ending(ending))
    return frozenset(found)


def _slots_in_ending(ending: Ending) -> Iterator[Slot]:
    for part in (ending.condition, *ending.values):
        yield from part.free


def _slots_in_block(block: Block) -> Iterator[Slot]:
    for statement in block:
        for part in _expressions(statement):
            yield from part.free
        if isinstance(statement, Assign | AssignAt):
            yield statement.slot
        for inner in _blocks(statement):
            yield from _slots_in_block(inner)


def _blocks(statement: Statement) -> tuple[Block, ...]:
    if isinstance(statement, Branch):
        return (statement.then, statement.otherwise)
    if isinstance(statement, ForEach | Repeat):
        return (statement.body,)
    if isinstance(statement, Decide):
        return tuple(alternative.body for alternative in statement.alternatives)
    return ()


def _expressions(statement: Statement) -> Iterator[Expression]:
    match statement:
        case Assign(value=value):
            yield value
        case AssignAt(sites=sites, value=value):
            yield from (sites, value)
        case Branch(condition=condition) | Require(condition=condition):
            yield condition
        case Repeat(bound=bound):
            if bound is not None:
                yield bound
        case Choose(domain=domain) | ForEach(domain=domain):
            if isinstance(domain, RangeOf):
                yield from (domain.low, domain.high)
            else:
                yield domain.sites
                if isinstance(domain, GroupsOf):
                    yield domain.step
        case _:
            return
