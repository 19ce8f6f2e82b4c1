"""What the statements of a way do to layers: which of them only gain the sites that are chosen.

In: the statements of a way of a plain turn, its choices among them; or those of a program. Out:
the layers that gain a site, those that may change otherwise, and the statements that do nothing.
What then holds: every other layer is what it was, and statements that do nothing can be left out:
they take a site out of a layer, which was chosen where that layer has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gdl.core.nodes import (
    Assign,
    AssignAt,
    Choose,
    Expression,
    Get,
    Op,
    Program,
    Select,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.walk import assigned_slots, program_statements


def layers_of(node: Expression) -> tuple[Slot, ...] | None:
    """Return the layers that a set is the union of; None if it is anything else."""
    parts = node.arguments if isinstance(node, Op) and node.name == "union" else (node,)
    slots = tuple(part.slot for part in parts if isinstance(part, Get) and part.slot.is_state)
    return slots if len(slots) == len(parts) else None


def growing_layers(program: Program) -> frozenset[Slot]:
    """Return the layers that gain chosen sites in turns, and never change in another way."""
    statements = list(program_statements(program))
    apart = {
        s.slot: frozenset(_avoided(s.domain.sites) if isinstance(s.domain, SitesOf) else ())
        for s in statements
        if isinstance(s, Choose)
    }
    gaining, other = set[Slot](), set[Slot]()
    for s in statements:
        if isinstance(s, Assign) and any(_is_more(s, s.slot, site) for site in apart):
            gaining.add(s.slot)
        elif isinstance(s, Assign | AssignAt) and not any(
            _is_less(s, s.slot, site) and s.slot in layers for site, layers in apart.items()
        ):
            other.add(s.slot)
    return frozenset(gaining - other)


@dataclass(frozen=True)
class Changes:
    """What the statements of a way do to layers.

    `added` has layers that gain the site of a choice, and nothing else; `changed` those that may
    change otherwise; `idle` are the places of statements that do nothing.
    """

    added: tuple[tuple[Slot, Slot], ...]
    changed: frozenset[Slot]
    idle: frozenset[int]


def changes(way: Sequence[Statement]) -> Changes:
    """Return what statements do to layers, one after the other; choices are among them."""
    apart: set[tuple[Slot, Slot]] = set()
    added: list[tuple[Slot, Slot]] = []
    changed: set[Slot] = set()
    idle: set[int] = set()
    chosen: list[Slot] = []
    for place, statement in enumerate(way):
        if isinstance(statement, Choose):
            changed.add(statement.slot)
            if isinstance(statement.domain, SitesOf):
                chosen.append(statement.slot)
                apart |= {(layer, statement.slot) for layer in _avoided(statement.domain.sites)}
            continue
        slot = _slot_of(statement)
        if slot is None:
            touched = set(assigned_slots((statement,)))
        elif any(_is_less(statement, slot, s) and (slot, s) in apart for s in chosen):
            idle.add(place)
            continue
        else:
            touched = {slot}
            gained = [site for site in chosen if _is_more(statement, slot, site)]
            added += [(slot, site) for site in gained]
            changed |= touched - {slot if gained else None}
            apart = {pair for pair in apart if pair[0] not in touched}
            continue
        changed |= touched
        apart = {pair for pair in apart if pair[0] not in touched}
    kept = tuple(pair for pair in added if pair[0] not in changed)
    return Changes(kept, frozenset(changed), frozenset(idle))


def _slot_of(statement: Statement) -> Slot | None:
    return statement.slot if isinstance(statement, Assign) else None


def _is_more(statement: Statement, slot: Slot, site: Slot) -> bool:
    """Whether the slot takes the union of itself and the site."""
    return _is_made_of(statement, "union", slot, site)


def _is_less(statement: Statement, slot: Slot, site: Slot) -> bool:
    """Whether the site is taken out of the slot."""
    return _is_made_of(statement, "difference", slot, site)


def _is_made_of(statement: Statement, name: str, slot: Slot, site: Slot) -> bool:
    if not isinstance(statement, Assign) or not isinstance(statement.value, Op):
        return False
    value = statement.value
    return value.name == name and value.arguments in (
        (Get(slot), Get(site)),
        (Get(site), Get(slot)) if name == "union" else (),
    )


def _avoided(node: Expression) -> Iterator[Slot]:
    """Yield the layers that a set never has a site of."""
    match node:
        case Op("difference", (of, *without)):
            yield from _avoided(of)
            for part in without:
                yield from layers_of(part) or ()
        case Op("intersection", arguments):
            for part in arguments:
                yield from _avoided(part)
        case Select(_, sites):
            yield from _avoided(sites)
