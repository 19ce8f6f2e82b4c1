"""Pruning: parts of a program that can never be reached are taken out.

In: a block. Out: the block without what follows a requirement that never holds, without the
alternatives that begin so, and with a lone alternative that has no word put in place of its
decision. `slots_used` then tells which parts of the position the rules can still read.
`without_unread` takes out what is only ever stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace

from gdl.core import build
from gdl.core.nodes import (
    Alternative,
    Assign,
    AssignAt,
    Block,
    Decide,
    Phase,
    Repeat,
    Require,
    Slot,
    Statement,
)
from gdl.core.rebuild import with_blocks
from gdl.core.walk import (
    assigned_slots,
    changed_slots,
    ending_slots,
    expressions_of,
    read_slots,
    statements_in,
)


def prune(block: Block) -> Block:
    """Return the block without what can't be reached, and what depends on that alone."""
    kept: list[Statement] = []
    for whole in block:
        if isinstance(whole, Assign):
            kept.append(whole)
            continue
        statement = with_blocks(whole, prune)
        if isinstance(statement, Decide):
            ways = tuple(way for way in statement.alternatives if not _is_closed(way))
            if len(ways) == 1 and ways[0].token is None:
                kept.extend(ways[0].body)
            else:
                kept.append(replace(statement, alternatives=ways))
            continue
        if isinstance(statement, Repeat):
            changed = changed_slots(statement.body)
            compared = tuple(slot for slot in statement.compared if slot in changed)
            statement = replace(statement, compared=compared)
        kept.append(statement)
        if isinstance(statement, Require) and statement.condition == build.NO:
            break
    return tuple(kept)


def _is_closed(alternative: Alternative) -> bool:
    body = alternative.body
    return bool(body) and isinstance(body[-1], Require) and body[-1].condition == build.NO


def slots_used(phases: Iterable[Phase]) -> frozenset[Slot]:
    """Return every slot that a program, a `stuck` clause or an ending reads or assigns to."""
    found: set[Slot] = set()
    for phase in phases:
        for turn in phase.turns:
            found |= read_slots(turn.program)
            found |= assigned_slots(turn.program)
            for ending in turn.clauses:
                found |= ending_slots(ending)
    return frozenset(found)


def without_unread(
    phases: Iterable[Phase], candidates: AbstractSet[Slot], read: AbstractSet[Slot]
) -> tuple[Phase, ...]:
    """Return phases that store nothing in those `candidates` that nothing depends on.

    `read` are slots that something outside of the phases depends on. What only another candidate
    that nothing depends on is worked out from is not depended on either.
    """
    phases = tuple(phases)
    wanted, behind = set(read), list[tuple[Slot, frozenset[Slot]]]()
    for phase in phases:
        for turn in phase.turns:
            for ending in turn.clauses:
                wanted |= ending_slots(ending)
            for statement in statements_in(turn.program):
                reads = frozenset[Slot]().union(*(e.free for e in expressions_of(statement)))
                if isinstance(statement, Assign | AssignAt) and statement.slot in candidates:
                    behind.append((statement.slot, reads))
                else:
                    wanted |= reads
    while more := {slot for of, reads in behind if of in wanted for slot in reads} - wanted:
        wanted |= more
    never_read = candidates - wanted

    def kept(block: Block) -> Block:
        made: list[Statement] = []
        for whole in block:
            statement = with_blocks(whole, kept)
            if isinstance(statement, Assign | AssignAt) and statement.slot in never_read:
                continue
            if isinstance(statement, Repeat):
                left = tuple(slot for slot in statement.compared if slot not in never_read)
                statement = replace(statement, compared=left)
            made.append(statement)
        return tuple(made)

    return tuple(
        replace(
            phase,
            turns=tuple(replace(turn, program=kept(turn.program)) for turn in phase.turns),
        )
        for phase in phases
    )
