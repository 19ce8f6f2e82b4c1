"""What the statements of a way do to layers: which of them only gain the sites that are chosen.

In: the statements of a way of a plain turn, its choices among them; or those of a program. Out:
the layers that gain a site, those that may change otherwise, and the statements that do nothing.
What then holds: every other layer is what it was, and statements that do nothing can be left out:
they take a site out of a layer, which was chosen where that layer has none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from gdl.core.nodes import (
    Assign,
    AssignAt,
    Choose,
    Decide,
    Expression,
    Get,
    Op,
    Program,
    Say,
    Select,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.walk import filled_slots, program_statements


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
    for s in statements:
        if isinstance(s, Assign) and (site := _renamed(s, apart)) is not None:
            apart[s.slot] = apart[site]
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

    `added` has layers of which one gains the site of a choice, while nothing else happens to any of
    them; `changed` has slots that may change otherwise. `idle` are the places of statements that
    do nothing.
    """

    added: tuple[tuple[frozenset[Slot], Slot], ...]
    changed: frozenset[Slot]
    idle: frozenset[int]


def changes(way: Sequence[Statement]) -> Changes:
    """Return what statements do to layers, one after the other; choices are among them.

    What a decision stands for is whatever it leads to.
    """
    done = _Changing()
    idle = [place for place, statement in enumerate(way) if done.is_idle(statement)]
    added = tuple(pair for pair in done.added if not pair[0] & done.changed)
    return Changes(added, frozenset(done.changed), frozenset(idle))


def one_gains(way: Sequence[Statement], decision: Decide) -> tuple[tuple[Slot, ...], Slot] | None:
    """Return a layer for each way on from a decision, and the chosen site that it gains.

    None if that is not all that it decides.
    """
    done = _Changing()
    for statement in way:
        done.is_idle(statement)
    return done.one_gains(decision)


class _Changing:
    """What has been done to layers so far; `_apart` are layers that do not have a chosen site."""

    def __init__(self) -> None:
        self.added: list[tuple[frozenset[Slot], Slot]] = []
        self.changed: set[Slot] = set()
        self._apart: set[tuple[Slot, Slot]] = set()
        self._chosen: list[Slot] = []

    def is_idle(self, statement: Statement) -> bool:
        """Take note of what a statement does; return whether it does nothing."""
        if self._takes_nothing(statement):
            return True
        gained = self._gain(statement)
        if isinstance(statement, Decide) and (either := self.one_gains(statement)) is not None:
            gained = frozenset(either[0]), either[1]
        renamed = _renamed(statement, self._chosen)
        touched = filled_slots((statement,))
        self._forget(touched)
        if gained is not None:
            self.added.append(gained)
        else:
            self.changed |= touched
        if isinstance(statement, Choose) and isinstance(statement.domain, SitesOf):
            self._chosen.append(statement.slot)
            avoided = _avoided(statement.domain.sites)
            self._apart |= {(layer, statement.slot) for layer in avoided}
        elif isinstance(statement, Assign) and renamed is not None:
            self._chosen.append(statement.slot)
            known = {layer for layer, site in self._apart if site is renamed}
            self._apart |= {(layer, statement.slot) for layer in known}
        return False

    def _forget(self, touched: AbstractSet[Slot]) -> None:
        """Take note that slots, layers and chosen sites, have other values from now on."""
        for layers, site in self.added:
            if site in touched:
                self.changed |= layers
        self._chosen = [site for site in self._chosen if site not in touched]
        self._apart = {pair for pair in self._apart if not touched & set(pair)}

    def one_gains(self, decision: Decide) -> tuple[tuple[Slot, ...], Slot] | None:
        """Return what is gained at a decision, as the function of that name does."""
        layers: list[Slot] = []
        sites: set[Slot] = set()
        for way in decision.alternatives:
            done = [s for s in way.body if not isinstance(s, Say) and not self._takes_nothing(s)]
            gained = self._gain(done[0]) if len(done) == 1 else None
            if gained is None:
                return None
            layers += gained[0]
            sites.add(gained[1])
        return (tuple(layers), sites.pop()) if len(sites) == 1 else None

    def _takes_nothing(self, statement: Statement) -> bool:
        return isinstance(statement, Assign) and any(
            _is_less(statement, layer, site)
            for layer, site in self._apart
            if layer is statement.slot
        )

    def _gain(self, statement: Statement) -> tuple[frozenset[Slot], Slot] | None:
        if not isinstance(statement, Assign):
            return None
        gained = (site for site in self._chosen if _is_more(statement, statement.slot, site))
        return next(((frozenset((statement.slot,)), site) for site in gained), None)


def _renamed(statement: Statement, chosen: Collection[Slot]) -> Slot | None:
    """Return the chosen site that a statement only gives another name."""
    match statement:
        case Assign(_, slot, Get(site)) if site in chosen and not slot.is_state:
            return site
    return None


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
