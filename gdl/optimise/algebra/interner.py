"""Expressions as shared, canonical nodes: the same structure is the same object.

In: expressions of the core. Out: equal ones, each structure kept once. What then holds: two
interned expressions are equal up to the names of their bound variables if and only if they are
one object, so that comparing and remembering cost nothing; and a variable bound outside another
never shares its slot.

A binder's own slot is settled by how many binders lie inside it (its height). To work on what a
binder binds, `open` it: its slot is replaced by one that occurs nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from gdl.board.relation import Relation
from gdl.core.nodes import (
    Can,
    Closure,
    Const,
    Domain,
    Expression,
    Fold,
    Get,
    GetAt,
    GroupsOf,
    If,
    Let,
    Op,
    Select,
    SitesOf,
    Slot,
    Times,
)
from gdl.core.rebuild import Change, with_ends, with_parts
from gdl.core.types import SITES, Type
from gdl.data_classes import dataclass

Binder = Let | Fold | Select | Closure
AnyBinder = TypeVar("AnyBinder", bound=Binder)

_BINDERS = (Let, Fold, Select, Closure)


@dataclass
class _Scope:
    """What stands for the slots of a binder inside it, and the parts made there so far."""

    gets: dict[Slot, Expression]
    done: dict[int, tuple[Expression, Expression]]
    outer: _Scope | None


class Interner:
    """Keeps one object of each structure of expression."""

    def __init__(self) -> None:
        self._nodes: dict[tuple[object, ...], Expression] = {}
        self._seen: dict[int, tuple[Expression, Expression]] = {}
        self._relations: dict[Relation, Relation] = {}
        self._relation_of: dict[int, tuple[Relation, Relation]] = {}
        self._inverses: dict[int, Relation] = {}
        self._canonical: dict[tuple[str, Type, int], Slot] = {}
        self._opened: dict[int, Binder] = {}
        self._kinds: dict[object, int] = {}
        self._inside: dict[int, int] = {}
        self.singles: set[Slot] = set()
        """Slots that always hold a set of exactly one site."""

    # ----------------------------------------------------------------- what is known

    def kinds(self, *kinds: type | str) -> int:
        """Return a mask of kinds of nodes: classes, operations by name, folds by their domain."""
        mask = 0
        for kind in kinds:
            mask |= self._kinds.setdefault(kind, 1 << len(self._kinds))
        return mask

    def has_inside(self, node: Expression, kinds: int) -> bool:
        """Return whether an interned expression is, or has inside, a node of such kinds."""
        return bool(self._inside[id(node)] & kinds)

    def relation(self, relation: Relation) -> Relation:
        """Return the one object that stands for all relations equal to this one."""
        known = self._relation_of.get(id(relation))
        if known is None:
            kept = self._relations.setdefault(relation, relation)
            known = self._relation_of[id(relation)] = (relation, kept)
        return known[1]

    def inverse(self, relation: Relation) -> Relation:
        """Return the inverse of an interned relation, interned."""
        found = self._inverses.get(id(relation))
        if found is None:
            found = self.relation(relation.inverse())
            self._inverses[id(relation)] = found
            self._inverses[id(found)] = relation
        return found

    # ------------------------------------------------------------------- interning

    def intern(self, node: Expression) -> Expression:
        """Return the interned expression that is equal to any expression."""
        return self._interned(node, None)

    def _interned(self, node: Expression, scope: _Scope | None) -> Expression:
        while scope is not None and node.free.isdisjoint(scope.gets):
            scope = scope.outer
        done = self._seen if scope is None else scope.done
        known = done.get(id(node))
        if known is None:
            made = self._made(node, scope)
            self._seen[id(made)] = (made, made)
            known = done[id(node)] = (node, made)
        return known[1]

    def _made(self, node: Expression, scope: _Scope | None) -> Expression:
        """Return the interned form of a node; `scope` binds a slot that it depends on."""
        if isinstance(node, Get):
            if scope is not None:
                return scope.gets[node.slot]
            return self._nodes.get((Get, node.slot)) or self._kept(node)
        if isinstance(node, Op):
            return self._operation(node, [self._interned(part, scope) for part in node.arguments])
        if isinstance(node, If):
            parts = [self._interned(part, scope) for part in node.parts()]
            found = self._nodes.get((If, *map(id, parts)))
            return self._kept(If(*parts)) if found is None else found
        if not isinstance(node, _BINDERS):
            return self._kept(self.with_parts(node, lambda part: self._interned(part, scope)))
        changes = self._names(node)
        inner = _Scope({old: self._kept(Get(new)) for old, new in changes.items()}, {}, scope)
        return self._kept(
            self._changed(
                node,
                changes,
                lambda part: self._interned(part, scope),
                lambda part: self._interned(part, inner),
            )
        )

    def raw(self, node: Expression) -> Expression:
        """Return the interned form of a node whose parts are interned, as it stands."""
        if isinstance(node, _BINDERS):
            node = self._close(node)
        return self._kept(node)

    def _kept(self, node: Expression) -> Expression:
        key = _KEYS[type(node)](self, node)
        found = self._nodes.get(key)
        if found is None:
            self._nodes[key] = found = node
            self._describe(node)
        return found

    def _operation(self, node: Op, arguments: list[Expression]) -> Expression:
        """Return the interned form of an operation with other, interned arguments."""
        payload = node.payload
        known: object = payload
        if isinstance(payload, Relation):
            payload = self.relation(payload)
            known = id(payload)
        key = (Op, node.name, node.of, known, *map(id, arguments))
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = Op(node.name, tuple(arguments), node.of, payload)
            self._describe(found)
        return found

    def of_two(self, name: str, first: Expression, second: Expression) -> Expression:
        """Return the interned form of an operation on two interned sets, as it stands."""
        key = (Op, name, SITES, None, id(first), id(second))
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = Op(name, (first, second), SITES)
            self._describe(found)
        return found

    def _describe(self, node: Expression) -> None:
        kind = node.name if isinstance(node, Op) else _kind(node)
        inside = self._kinds.get(kind) or self.kinds(kind)
        for part in node.parts():
            inside |= self._inside[id(part)]
        self._inside[id(node)] = inside

    # --------------------------------------------------------------------- binders

    def _close(self, node: Binder) -> Binder:
        """Return a binder with its own slots named by its height."""
        changes = self._names(node)
        if all(old is new for old, new in changes.items()):
            return node
        return self._renamed(node, changes)

    def _names(self, node: Binder) -> dict[Slot, Slot]:
        """Return the canonical slot for each slot that a binder binds, by its height."""
        height = node.height
        slot = node.frontier if isinstance(node, Closure) else node.slot
        changes = {slot: self._named("variable", slot.type, height)}
        if isinstance(node, Fold) and isinstance(node.domain, GroupsOf):
            changes[node.domain.frontier] = self._named("frontier", SITES, height)
        return changes

    def _named(self, role: str, type_: Type, height: int) -> Slot:
        key = (role, type_, height)
        if key not in self._canonical:
            self._canonical[key] = Slot(f"{role} {height}", type_)
        return self._canonical[key]

    def open(self, node: AnyBinder) -> AnyBinder:
        """Return a binder whose bound slots occur nowhere else; it is not interned itself."""
        found = self._opened.get(id(node))
        if found is None:
            changes = {slot: replace(slot) for slot in node.binds()}
            if isinstance(node, Select) or (
                isinstance(node, Fold) and isinstance(node.domain, SitesOf)
            ):
                self.singles.add(changes[node.slot])
            found = self._opened[id(node)] = self._renamed(node, changes)
        assert isinstance(found, type(node))
        return found

    def _renamed(self, node: AnyBinder, changes: dict[Slot, Slot]) -> AnyBinder:
        """Return a binder with its own slots replaced, in its scope and where it binds them."""
        gets = {old: self._kept(Get(new)) for old, new in changes.items()}
        done: dict[int, Expression] = {}
        return self._changed(
            node, changes, lambda part: part, lambda part: self._rename(part, gets, done)
        )

    def _changed(
        self, node: AnyBinder, changes: dict[Slot, Slot], outside: Change, within: Change
    ) -> AnyBinder:
        """Return a binder of other slots, with the parts in its scope and the others changed."""

        made: Binder
        if isinstance(node, Let):
            made = Let(changes[node.slot], outside(node.value), within(node.body))
        elif isinstance(node, Select):
            made = Select(changes[node.slot], outside(node.sites), within(node.condition))
        elif isinstance(node, Closure):
            made = Closure(outside(node.seed), changes[node.frontier], within(node.step))
        else:
            domain = node.domain
            if isinstance(domain, GroupsOf):
                frontier, step = changes[domain.frontier], within(domain.step)
                domain = GroupsOf(outside(domain.sites), frontier, step)
            else:
                domain = with_ends(domain, outside)
            slot, body = changes[node.slot], within(node.body)
            made = Fold(node.combine, slot, domain, body, node.initial)
        assert isinstance(made, type(node))
        return made

    def _rename(
        self, node: Expression, gets: dict[Slot, Expression], done: dict[int, Expression]
    ) -> Expression:
        """Replace slots by slots that no binder inside uses."""
        if node.free.isdisjoint(gets):
            return node
        if isinstance(node, Get):
            return gets[node.slot]
        found = done.get(id(node))
        if found is None:
            if isinstance(node, Op):
                changed = [self._rename(part, gets, done) for part in node.arguments]
                found = self._operation(node, changed)
            else:
                found = self._kept(with_parts(node, lambda part: self._rename(part, gets, done)))
            done[id(node)] = found
        return found

    def with_parts(self, node: Expression, change: Change) -> Expression:
        """Return the node with its parts changed, and nothing simplified."""
        if isinstance(node, Op) and isinstance(node.payload, Relation):
            relation = self.relation(node.payload)
            return Op(node.name, tuple(map(change, node.arguments)), node.of, relation)
        return with_parts(node, change)


def _kind(node: Expression) -> type:
    return type(node.domain if isinstance(node, Fold) else node)


def _domain_key(domain: Domain) -> tuple[object, ...]:
    frontier = domain.frontier if isinstance(domain, GroupsOf) else None
    return (type(domain), frontier, *map(id, domain.parts()))


def _op_key(terms: Interner, node: Op) -> tuple[object, ...]:
    payload: object = node.payload
    if isinstance(payload, Relation):
        payload = id(terms.relation(payload))
    return (Op, node.name, node.of, payload, *map(id, node.arguments))


_KEYS: dict[type, Callable[[Interner, Any], tuple[object, ...]]] = {
    Const: lambda _, node: (Const, type(node.value), node.value, node.of),
    Get: lambda _, node: (Get, node.slot),
    GetAt: lambda _, node: (GetAt, node.slot, id(node.sites)),
    Op: _op_key,
    If: lambda _, node: (If, id(node.condition), id(node.then), id(node.otherwise)),
    Let: lambda _, node: (Let, node.slot, id(node.value), id(node.body)),
    Fold: lambda _, node: (
        *(Fold, node.combine, node.slot, _domain_key(node.domain), id(node.body)),
        *(type(node.initial), node.initial),
    ),
    Select: lambda _, node: (Select, node.slot, id(node.sites), id(node.condition)),
    Closure: lambda _, node: (Closure, node.frontier, id(node.seed), id(node.step)),
    Times: lambda _, node: (Times, node.history, *map(id, node.key)),
    Can: lambda _, node: (Can, node.side, id(node.condition), node.reads),
}
