"""Where chosen sites lie: layers that are known to have nothing on them are left alone.

In: a program. Out: the same program, in which statements do not ask layers for a site, and take
nothing off it, that has nothing of these layers: an own piece's site has no enemy's. What then
holds: every value is what it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType

from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Choose,
    Expression,
    ForEach,
    Get,
    If,
    Let,
    Op,
    Program,
    Repeat,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.rebuild import change_turns, with_blocks, with_expressions
from gdl.core.types import SITES
from gdl.core.walk import filled_slots, statements_in
from gdl.optimise.algebra.terms import Terms

NONE_KNOWN: Mapping[Slot, frozenset[Slot]] = MappingProxyType({})


def leave_out_disjoint(program: Program, terms: Terms) -> Program:
    """Leave layers alone that have nothing on a chosen site."""
    if not program.layers:
        return program
    return change_turns(program, lambda block: _DisjointLayers(terms).block(block, {}, {}))


class _DisjointLayers:
    """Changes the statements of a turn, one after the other, by what is known before each."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._clear: dict[Slot, frozenset[Slot]] = {}
        self._parts: dict[Slot, tuple[Slot, ...]] = {}
        self._told: list[Slot] = []
        self._done: dict[int, Expression] = {}

    def block(
        self,
        block: Block,
        clear: Mapping[Slot, frozenset[Slot]],
        parts: Mapping[Slot, tuple[Slot, ...]],
    ) -> Block:
        """Return a block, before which is known what is `clear`, and the `parts` of unions."""
        self._clear, self._parts, self._done = dict(clear), dict(parts), {}
        made: list[Statement] = []
        for outer in block:
            statement = self._statement(outer)
            if not _does_nothing(statement):
                made.append(statement)
                self._learn(statement)
        return tuple(made)

    def _statement(self, outer: Statement) -> Statement:
        if isinstance(outer, ForEach | Repeat):
            self._forget(filled_slots((outer,)))
        self._told = [slot for slot, clear in self._clear.items() if clear]
        statement = with_expressions(outer, self._expression)
        if isinstance(statement, Assign):
            return statement
        clear, parts = self._clear, self._parts
        statement = with_blocks(statement, lambda inner: self.block(inner, clear, parts))
        self._clear, self._parts, self._done = dict(clear), dict(parts), {}
        return statement

    # ------------------------------------------------------------------------ what is known

    def _learn(self, statement: Statement) -> None:
        match statement:
            case Choose(_, slot, SitesOf(sites)):
                self._forget({slot})
                self._clear[slot] = clear_of(sites, self._terms, self._clear)
            case Assign(_, slot, value) if slot in self._terms.layers:
                if not _only_loses(slot, value):
                    self._forget({slot})
            case Assign(_, slot, value):
                self._forget({slot})
                found = tuple(_locals_of(value))
                if found and slot not in found:
                    self._parts[slot] = found
                self._clear[slot] = clear_of(value, self._terms, self._clear)
            case _:
                self._forget(filled_slots((statement,)) - self._losing(statement))

    def _losing(self, statement: Statement) -> frozenset[Slot]:
        """Return the layers that only lose sites by a statement, whatever is done of it."""
        losing, gaining = set[Slot](), set[Slot]()
        for inner in statements_in((statement,)):
            match inner:
                case Assign(_, slot, value) if _only_loses(slot, value):
                    losing.add(slot)
                case Assign() | AssignAt() | Choose() | ForEach():
                    gaining.add(inner.slot)
        return self._terms.layers & (losing - gaining)

    def _forget(self, slots: AbstractSet[Slot]) -> None:
        """Forget what is known of slots, and of layers among them."""
        gone = frozenset(slots)
        self._done = {}
        self._clear = {s: clear - gone for s, clear in self._clear.items() if s not in gone}
        self._parts = {s: p for s, p in self._parts.items() if s not in gone and not gone & {*p}}

    # ---------------------------------------------------------------------- what is changed

    def _expression(self, node: Expression) -> Expression:
        if node.looks_ahead or node.free.isdisjoint(self._told):
            return node
        made = self._terms.intern(node)
        return self._terms.rewrite(made, self._simpler, self._done)

    def _simpler(self, node: Expression) -> Expression:
        """Return an expression whose parts are simplified already."""
        if not isinstance(node, Op):
            return node
        terms = self._terms
        match node:
            case Op("intersection", arguments):
                told = (part.slot for part in arguments if isinstance(part, Get))
                clear = frozenset[Slot]().union(*(self._clear.get(slot, ()) for slot in told))
                if clear:
                    others = terms.layers - clear
                    return terms.intersection(*(terms.cut(part, others) for part in arguments))
            case Op("difference", (Get(layer), away)) if layer in terms.layers:
                pieces = self._pieces(away)
                kept = [p for p in pieces if not self._is_clear(p, layer)]
                if len(kept) < len(pieces):
                    left = kept[0] if len(kept) == 1 else terms.union(*kept)
                    return terms.difference(terms.get(layer), left)
            case Op("subset", (Get(slot), of)) if slot in self._clear:
                left = terms.cut(of, terms.layers - self._clear[slot])
                if left is not of:
                    return terms.op("subset", (terms.get(slot), left), node.of)
        return node

    def _pieces(self, away: Expression) -> list[Expression]:
        """Return the sets of which a set is the union, as far as that is known."""
        found: list[Expression] = []
        for part in _united_parts(away):
            if isinstance(part, Get) and part.slot in self._parts:
                found += map(self._terms.get, self._parts[part.slot])
            else:
                found.append(part)
        return found

    def _is_clear(self, part: Expression, layer: Slot) -> bool:
        return isinstance(part, Get) and layer in self._clear.get(part.slot, ())


def clear_of(
    sites: Expression, terms: Terms, known: Mapping[Slot, frozenset[Slot]] = NONE_KNOWN
) -> frozenset[Slot]:
    """Return the layers that have no site of a set; `known` are those that slots are clear of."""
    layers = terms.layers
    found = terms.layers_of(terms.intern(sites))
    if found is not None:
        return layers - found

    def inside(part: Expression) -> frozenset[Slot]:
        return clear_of(part, terms, known)

    match sites:
        case Get(slot):
            return known.get(slot, frozenset())
        case Op("union", arguments):
            return frozenset.intersection(*map(inside, arguments))
        case Op("intersection", arguments):
            return frozenset().union(*map(inside, arguments))
        case If(_, then, otherwise):
            return inside(then) & inside(otherwise)
        case Op("difference", (of, away)):
            return inside(of) | (layers & frozenset(_united(away)))
        case Let(slot, value, body):
            return clear_of(body, terms, {**known, slot: inside(value)})
    return frozenset()


def _does_nothing(statement: Statement) -> bool:
    if not isinstance(statement, Assign):
        return False
    return isinstance(statement.value, Get) and statement.value.slot is statement.slot


def _only_loses(layer: Slot, value: Expression) -> bool:
    """Return whether a layer has no site in a value of it that it had not before."""
    match value:
        case Op("difference" | "intersection", (Get(slot), *_)):
            return slot is layer
    return False


def _united_parts(node: Expression) -> tuple[Expression, ...]:
    return node.arguments if isinstance(node, Op) and node.name == "union" else (node,)


def _united(node: Expression) -> Iterator[Slot]:
    """Yield the slots of which a set is the union, among others."""
    return (part.slot for part in _united_parts(node) if isinstance(part, Get))


def _locals_of(value: Expression) -> tuple[Slot, ...]:
    """Return the local sets of which a set is the union; none if it is of anything else."""
    parts = _united_parts(value)
    found = [p.slot for p in parts if isinstance(p, Get) and not p.slot.is_state]
    return tuple(found) if len(found) == len(parts) and value.type == SITES else ()
