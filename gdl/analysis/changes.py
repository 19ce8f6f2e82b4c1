"""What the statements of a way do to layers: which of them only gain the sites that are chosen.

In: the statements of a way of a plain turn, its choices among them; or those of a program. Out:
the layers that gain a site, those that may change otherwise, and the statements that do nothing.
What then holds: every other layer is what it was, and statements that do nothing can be left out:
they take a site out of a layer, which was chosen where that layer has none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import copy

from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
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
from gdl.core.types import SITES
from gdl.core.walk import blocks_of, filled_slots, program_statements
from gdl.data_classes import dataclass


def united_layers(node: Expression) -> tuple[Slot, ...] | None:
    """Return the layers that a set is the union of; None if it is anything else."""
    parts = node.arguments if isinstance(node, Op) and node.name == "union" else (node,)
    slots = tuple(part.slot for part in parts if isinstance(part, Get) and part.slot.is_state)
    return slots if len(slots) == len(parts) else None


def growing_layers(program: Program) -> frozenset[Slot]:
    """Return the layers that turns change in no other way than to add chosen sites."""
    statements = list(program_statements(program))
    apart: dict[Slot, frozenset[Slot]] = {}
    for s in statements:
        if isinstance(s, Choose):
            known = frozenset(_avoided(s.domain.sites) if isinstance(s.domain, SitesOf) else ())
            apart[s.slot] = known & apart.get(s.slot, known)
    words = [s for s in statements if isinstance(s, Assign) and _is_word(s)]
    before: dict[Slot, frozenset[Slot]] | None = None
    while apart != before:  # a word may get another value in a loop, behind what reads it
        before = dict(apart)
        for s in words:
            site = _renamed(s, apart)
            known = frozenset(_avoided(s.value)) if site is None else apart[site]
            apart[s.slot] = known & apart.get(s.slot, known)
    other = {
        s.slot for s in statements if isinstance(s, Assign | AssignAt) and not _only_adds(s, apart)
    }
    return frozenset(slot for slot in program.state if slot.type == SITES) - other


@dataclass(frozen=True)
class Gain:
    """One of `layers` gains a chosen site, or none if that is not `sure`; nothing else happens.

    If it is not `single`, the slot has a set of sites that are gained.
    """

    layers: frozenset[Slot]
    site: Slot
    is_sure: bool = True
    is_single: bool = True

    def without(self, changed: AbstractSet[Slot]) -> Gain:
        """Return what is gained by layers to which nothing else happens: not by those `changed`."""
        left = self.layers - changed
        return self if left == self.layers else Gain(left, self.site, False, self.is_single)


@dataclass(frozen=True)
class Changes:
    """What the statements of a way do to layers.

    `added` is what layers gain to which nothing else happens; `changed` has slots that may change
    otherwise. `idle` are the places of statements that do nothing.
    """

    added: tuple[Gain, ...]
    changed: frozenset[Slot]
    idle: frozenset[int]


class Done:
    """The statements of a way so far, and what they do to layers; it never changes itself.

    Choices are among them; what a decision or a condition stands for is whatever it leads to.
    `idle` tells of each whether it does nothing.
    """

    def __init__(self, way: Sequence[Statement] = ()) -> None:
        """Take the first statements."""
        self.idle: tuple[bool, ...] = ()
        self._added: tuple[Gain, ...] = ()
        self._changed = frozenset[Slot]()
        self._apart = frozenset[tuple[Slot, Slot]]()
        """Layers, each with a chosen site that it does not have."""
        self._chosen: tuple[Slot, ...] = ()
        """The slots of chosen sites. Words for sets, those of `_sets`, are taken for such, too."""
        self._sets = frozenset[Slot]()
        self._take(way)

    def and_then(self, *statements: Statement) -> Done:
        """Return what is done with some statements more."""
        after = copy(self)
        after._take(statements)
        return after

    @property
    def changes(self) -> Changes:
        """What all of them do together."""
        added = tuple(left for gain in self._added if (left := gain.without(self._changed)).layers)
        idle = frozenset(place for place, does_nothing in enumerate(self.idle) if does_nothing)
        return Changes(added, self._changed, idle)

    def one_gains(self, decision: Decide) -> tuple[tuple[Slot, ...], Slot] | None:
        """Return a layer for each way on from a decision, and the chosen site that it gains.

        None if that is not all that it decides.
        """
        layers: list[Slot] = []
        sites: set[Slot] = set()
        for way in decision.alternatives:
            body = [s for s in way.body if not isinstance(s, Say) and not self._takes_nothing(s)]
            gained = self._gain(body[0]) if len(body) == 1 else None
            if gained is None or not gained.is_single:
                return None
            layers += gained.layers
            sites.add(gained.site)
        return (tuple(layers), sites.pop()) if len(sites) == 1 else None

    def _take(self, statements: Sequence[Statement]) -> None:
        """Take note of what statements do, which come next."""
        for statement in statements:
            is_idle = self._takes_nothing(statement)
            self.idle += (is_idle,)
            if isinstance(statement, Branch | Decide):
                self._meet([self._after(block) for block in blocks_of(statement)])
            elif not is_idle:
                self._take_change(statement)

    def _take_change(self, statement: Statement) -> None:
        gained, renamed = self._gain(statement), _renamed(statement, self._chosen)
        touched = filled_slots((statement,))
        self._forget(touched)
        if gained is not None:
            self._added += (gained,)
        else:
            self._changed |= touched
        known: Iterable[Slot]
        match statement:
            case Choose(_, slot, SitesOf(sites)):
                known = _avoided(sites)
            case Assign(_, slot, value) if _is_word(statement):
                known = [layer for layer, site in self._apart if site is renamed]
                if renamed is None:
                    known = _avoided(value)
                if renamed is None or renamed in self._sets:
                    self._sets |= {slot}
            case _:
                return
        self._chosen += (slot,)
        self._apart |= {(layer, slot) for layer in known}

    def _takes_nothing(self, statement: Statement) -> bool:
        """Return whether a statement takes a chosen site from a layer that does not have it."""
        lost = _lost(statement)
        return lost is not None and lost in self._apart

    def _gain(self, statement: Statement) -> Gain | None:
        """Return the chosen site that a layer gains by a statement."""
        gained = _gained(statement)
        if gained is None or gained[1] not in self._chosen:
            return None
        layer, site = gained
        return Gain(frozenset((layer,)), site, is_single=site not in self._sets)

    def _forget(self, touched: AbstractSet[Slot]) -> None:
        """Take note that slots, layers and chosen sites, have other values from now on."""
        for gain in self._added:
            if gain.site in touched:
                self._changed |= gain.layers
        self._chosen = tuple(site for site in self._chosen if site not in touched)
        self._sets -= touched
        self._apart = frozenset(pair for pair in self._apart if touched.isdisjoint(pair))

    def _after(self, block: Block) -> Done:
        """Return what has been done after one of several ways on; changes are those of it alone."""
        after = copy(self)
        after._added, after._changed = (), frozenset()
        after._take(block)
        return after

    def _meet(self, ways: Sequence[Done]) -> None:
        """Take note that one of several ways on was taken; without a way, there is no further."""
        if not ways:
            return
        gains = [gain for way in ways for gain in way._added]
        for site in dict.fromkeys(gain.site for gain in gains):
            layers = frozenset[Slot]().union(*(g.layers for g in gains if g.site is site))
            sure = all(any(g.is_sure and g.site is site for g in way._added) for way in ways)
            if site in self._chosen:
                self._added += (Gain(layers, site, sure, site not in self._sets),)
            else:
                self._changed |= layers
        changed = frozenset[Slot]().union(*(way._changed for way in ways))
        self._forget(changed)
        self._changed |= changed
        self._chosen = tuple(site for site in self._chosen if all(site in w._chosen for w in ways))
        self._sets |= {site for way in ways for site in way._sets}
        self._apart = frozenset[tuple[Slot, Slot]].intersection(*(way._apart for way in ways))


def _only_adds(statement: Statement, apart: Mapping[Slot, AbstractSet[Slot]]) -> bool:
    """Return whether a slot gains a chosen site, or loses one that it does not have.

    `apart` has the layers that have nothing on each chosen site.
    """
    gained, lost = _gained(statement), _lost(statement)
    if gained is not None:
        return gained[1] in apart
    return lost is not None and lost[0] in apart.get(lost[1], ())


def _gained(statement: Statement) -> tuple[Slot, Slot] | None:
    """Return a slot, and the one of which a statement adds the sites to it."""
    match statement:
        case Assign(_, slot, Op("union", (Get(left), Get(right)))) if slot in (left, right):
            return slot, right if left is slot else left
    return None


def _lost(statement: Statement) -> tuple[Slot, Slot] | None:
    """Return a slot, and the one of which a statement takes the sites away from it."""
    match statement:
        case Assign(_, slot, Op("difference", (Get(left), Get(right)))) if left is slot:
            return slot, right
    return None


def _is_word(statement: Assign) -> bool:
    """Return whether a statement gives a set a name of its own."""
    return not statement.slot.is_state and statement.slot.type == SITES


def _renamed(statement: Statement, chosen: Collection[Slot]) -> Slot | None:
    """Return the chosen site that a statement only gives another name."""
    match statement:
        case Assign(_, slot, Get(site)) if site in chosen and not slot.is_state:
            return site
    return None


def _avoided(node: Expression) -> Iterator[Slot]:
    """Yield the layers that a set never has a site of."""
    match node:
        case Op("difference", (of, *without)):
            yield from _avoided(of)
            for part in without:
                yield from united_layers(part) or ()
        case Op("intersection", arguments):
            for part in arguments:
                yield from _avoided(part)
        case Select(_, sites) | Op("first", (sites,)):
            yield from _avoided(sites)
