"""Pruning: parts of a program that can never be reached are taken out.

In: a block. Out: the block without what follows a requirement that never holds, without the
alternatives that begin so, and with a lone alternative that has no word put in place of its
decision. `slots_used` then tells which parts of the position the rules can still read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gdl.core import build
from gdl.core.nodes import (
    Alternative,
    Block,
    Branch,
    Decide,
    ForEach,
    Phase,
    Repeat,
    Require,
    Slot,
    Statement,
)
from gdl.core.walk import assigned_slots, ending_slots, read_slots


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
    """Return every slot that a program, a `stuck` clause or an ending reads or assigns to."""
    found: set[Slot] = set()
    for phase in phases:
        for turn in phase.turns:
            found |= read_slots(turn.program) | assigned_slots(turn.program)
            for ending in (*turn.stuck, *turn.endings):
                found |= ending_slots(ending)
    return frozenset(found)
