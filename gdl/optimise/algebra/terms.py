"""Making interned expressions that are simplified as they are made.

In: interned parts. Out: an interned expression of the same value, the simplest that a look at
the parts tells. What then holds: constants alone are folded, neutral parts are gone, and a set
has no intersection with the whole board. `rewrite` changes expressions from the inside out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import replace
from operator import is_
from types import MappingProxyType

from gdl.board.relation import Relation
from gdl.core import build
from gdl.core.layers import common, layers_of, whole_layers
from gdl.core.memo import Memo, Met
from gdl.core.nodes import (
    Can,
    Closure,
    Const,
    ConstantValue,
    Domain,
    Expression,
    Fold,
    Get,
    GetAt,
    GroupsOf,
    If,
    Let,
    Op,
    Payload,
    Select,
    SitesOf,
    Slot,
    Times,
)
from gdl.core.operations import Overflow
from gdl.core.rebuild import Change, with_ends
from gdl.core.types import FLAG, NUMBER, SITES, Type
from gdl.optimise.algebra.interner import Interner

# ------------------------------------------------------ what adds nothing to what it is joined with

_OTHER: Mapping[str, str] = MappingProxyType(
    {"union": "intersection", "intersection": "union", "or": "and", "and": "or"}
)
"""By operation, the one of which a part of one of its own parts can be the whole of another."""


def not_absorbed(name: str, parts: Sequence[Expression]) -> list[Expression]:
    """Return the interned parts of an operation without those that another part absorbs."""
    other = _OTHER.get(name)
    if not any(isinstance(part, Op) and part.name == other for part in parts):
        return list(parts)
    alone = Met(parts)
    return [
        part
        for part in parts
        if not (isinstance(part, Op) and part.name == other)
        or not any(argument in alone for argument in part.arguments)
    ]


def stays_within(step: Expression, frontier: Slot) -> bool:
    """Whether a step leads only to sites that it goes on from."""
    match step:
        case Get(slot):
            return slot == frontier
        case Const():
            return not step.value
        case If():
            return all(stays_within(way, frontier) for way in (step.then, step.otherwise))
        case Op("intersection", parts):
            return any(stays_within(part, frontier) for part in parts)
        case Op("difference", (of, _)):
            return stays_within(of, frontier)
        case Op("union", parts):
            return all(stays_within(part, frontier) for part in parts)
        case Op("image", (of,), payload=Relation() as relation):
            stays = all(shift == 0 for _, shift in relation.offset_classes)
            return stays and stays_within(of, frontier)
        case _:
            return False


# ------------------------------------------------------------------------ layers that never overlap


class Layers(Interner):
    """Keeps expressions, and tells the layers of sets.

    `within` has, for slots of a set, the layers that it has sites of at most.
    """

    def __init__(self, layers: frozenset[Slot]) -> None:
        super().__init__()
        self.layers = layers
        self.within: dict[Slot, frozenset[Slot]] = {}
        self._known_layers = Memo[Expression, frozenset[Slot] | None]()

    def layers_of(self, node: Expression) -> frozenset[Slot] | None:
        """Return the layers of which a set has sites at most; None if it may have others."""
        return self._known_layers.of(node, self._layers_of)

    def _layers_of(self, node: Expression) -> frozenset[Slot] | None:
        if isinstance(node, Get) and node.slot in self.within:
            return self.within[node.slot]
        return layers_of(node, self.layers, self.layers_of)

    def common_layers(self, parts: Iterable[Expression]) -> frozenset[Slot] | None:
        """Return the layers that several sets can have sites of in common; None for any."""
        return common(map(self.layers_of, parts))


Rule = Callable[[Expression], Expression]

_LEAVES = frozenset((Get, Const))
_ALGEBRA = frozenset(
    (
        *("union", "intersection", "difference", "and", "or", "not", "some", "image"),
        *("first", "count", "subset"),
    )
)
"""The operations that are made simpler by more than that known values are worked out."""


class Terms(Layers, build.Algebra):
    """Makes the expressions of a game whose board has `size` sites; no `layers` of it overlap."""

    def __init__(self, size: int, layers: frozenset[Slot] = frozenset()) -> None:
        super().__init__(layers)
        self.size = size
        self.everywhere = self.raw(build.sites((1 << size) - 1))
        self.nowhere = self.raw(build.NOWHERE)
        self.yes = self.raw(build.YES)
        self.no = self.raw(build.NO)
        self.zero = self.raw(build.number(0))
        self._can_reads: dict[int, tuple[Expression, frozenset[Slot]]] = {}
        self._cuts: dict[tuple[int, frozenset[Slot], bool], tuple[Expression, Expression]] = {}
        # The operations that stay as they are when they are made again of the same parts.
        self._simplest: set[int] = set()

    # ------------------------------------------------------------------ rewriting

    def add_singles(self, slots: AbstractSet[Slot]) -> None:
        """Take slots of the program for such as always hold a set of exactly one site."""
        if not slots <= self.singles:
            self.singles |= slots
            self._simplest.clear()

    def get(self, slot: Slot) -> Expression:
        """Return the value of a slot."""
        return self.raw(Get(slot))

    def made(self, node: Expression) -> Expression:
        """Return the interned form of a node whose parts are interned."""
        return self.raw(node)

    def same(self, a: Expression, b: Expression) -> bool:
        """Whether two interned expressions are equal."""
        return a is b

    def different(self, parts: list[Expression]) -> list[Expression]:
        """Return interned parts in their order, each once."""
        return list({id(part): part for part in parts}.values())

    def is_everywhere(self, sites: int) -> bool:
        """Whether a set has all sites of the board."""
        return sites == (1 << self.size) - 1

    def folded(self, node: Expression) -> Expression:
        """Return a node, or its value if nothing is unknown and that is soon worked out."""
        made = self.raw(node)
        is_known = not made.free
        if isinstance(node, Op):
            is_known = all(isinstance(part, Const) for part in node.arguments)
        if is_known:
            with suppress(build.TooLarge, Overflow):
                return super().folded(made)
        return made

    def remade(self, node: Expression, change: Change) -> Expression:
        """Return an interned expression with the parts inside it changed, and simplified.

        What a binder binds has slots of its own while the parts are changed.
        """
        if isinstance(node, Op):
            changed = tuple(map(change, node.arguments))
            if not all(map(is_, changed, node.arguments)):
                return self.op(node.name, changed, node.of, node.payload)
            if id(node) not in self._simplest:
                if not self._is_simplest(node):
                    made = self.op(node.name, changed, node.of, node.payload)
                    if made is not node:
                        return made
                self._simplest.add(id(node))
            return node
        if isinstance(node, Let | Select | Closure | Fold):
            return self._rebound(node, change)
        if isinstance(node, If):
            ways = tuple(map(change, node.parts()))
            if id(node) in self._simplest and all(map(is_, ways, node.parts())):
                return node
            found = self.conditional(*ways)
            if found is node:
                self._simplest.add(id(node))
            return found
        match node:
            case GetAt(slot, sites):
                return self.raw(GetAt(slot, change(sites)))
            case Times(history, key):
                return self.raw(Times(history, tuple(map(change, key))))
            case Can(condition=condition):
                return self.raw(replace(node, condition=change(condition)))
        return node

    def _is_simplest(self, node: Op) -> bool:
        """Return whether it is soon told that an operation is as simple as can be."""
        arguments = node.arguments
        name = node.name
        if name not in _ALGEBRA:
            return any(part.__class__ is not Const for part in arguments)
        if name == "some":
            return arguments[0].__class__ is Op
        if name == "union" and all(part.__class__ is Get for part in arguments):
            return 1 < len(arguments) == len(set(map(id, arguments)))
        if len(arguments) != 2 or name not in ("union", "intersection", "difference"):
            return False
        first, second = arguments
        return _differ(first, second) if name == "union" else self._are_plain(first, second)

    def _are_plain(self, first: Expression, second: Expression) -> bool:
        """Return whether two sets are variables of which nothing is known together."""
        if first is second or first.__class__ is not Get or second.__class__ is not Get:
            return False
        return self.layers_of(first) is None or self.layers_of(second) is None

    def _rebound(self, node: Let | Select | Closure | Fold, change: Change) -> Expression:
        """Return a binder with its parts changed; the node itself if none is."""
        parts = self.open(node).parts()
        changed = [change(part) for part in parts]
        if all(new is old for new, old in zip(changed, parts, strict=True)):
            return node
        *_, last = changed
        match self.open(node):
            case Let(slot):
                return self.let(slot, changed[0], last)
            case Select(slot):
                return self.select(slot, changed[0], last)
            case Closure(frontier=frontier):
                return self.closure(changed[0], frontier, last)
            case Fold(combine, slot, domain, _, initial):
                known = iter(changed)
                domain = with_ends(domain, lambda _: next(known))
                return self.fold(combine, slot, domain, last, initial)

    def rewrite(
        self, node: Expression, rule: Rule, done: dict[int, Expression], kinds: int | None = None
    ) -> Expression:
        """Apply a rule to every part of an interned expression, inner ones first.

        `done` remembers results; it belongs to the rule, which leaves values of slots and known
        ones as they are. If the rule is only for some `kinds`, what has none of them inside stays
        as it is.
        """
        inside = self._inside
        if kinds is not None and not inside[id(node)] & kinds:
            return node

        def change(part: Expression) -> Expression:
            if part.__class__ in _LEAVES:
                return part
            key = id(part)
            if kinds is not None and not inside[key] & kinds:
                return part
            found = done.get(key)
            if found is None:
                found = done[key] = rule(self.remade(part, change))
            return found

        return change(node)

    def substitute(self, node: Expression, slot: Slot, value: Expression) -> Expression:
        """Return an interned expression with the value in place of a slot that is free in it."""
        return self.substitute_all(node, {slot: value})

    def substitute_all(self, node: Expression, values: Mapping[Slot, Expression]) -> Expression:
        """Return an interned expression with values in place of slots, all at the same time.

        What is kept a number a site can only be replaced by another slot.
        """
        done: dict[int, Expression] = {}

        def change(part: Expression) -> Expression:
            if part.free.isdisjoint(values):
                return part
            if isinstance(part, Get):
                return values[part.slot]
            if id(part) not in done:
                made = self.remade(part, change)
                if isinstance(made, GetAt) and isinstance(new := values.get(made.slot), Get):
                    made = self.raw(GetAt(new.slot, made.sites))
                done[id(part)] = made
            return done[id(part)]

        return change(node)

    # ----------------------------------------------------------------- operations

    def op(
        self, name: str, arguments: tuple[Expression, ...], of: Type, payload: Payload = None
    ) -> Expression:
        """Return an operation by its name."""
        match name:
            case "union":
                return self.union(*arguments)
            case "intersection":
                return self.intersection(*arguments)
            case "difference":
                return self.difference(*arguments)
            case "and":
                return self.conjunction(*arguments)
            case "or":
                return self.disjunction(*arguments)
            case "not":
                return self.negation(*arguments)
            case "some":
                return self.some(*arguments)
            case "image":
                assert isinstance(payload, Relation)
                return self.image(payload, *arguments)
            case "first" if self.is_single(arguments[0]):
                return arguments[0]
            case "count" if self.is_single(arguments[0]):
                return self.const(1, NUMBER)
            case "subset" if self.layers:
                return self._subset(*arguments)
        return self.operation(name, arguments, of, payload)

    def _subset(self, part: Expression, of: Expression) -> Expression:
        """Return whether a set is in another, of which only some layers can matter."""
        own = self.layers_of(part)
        if own is not None:
            parts = list(build.flattened("union", (of,)))
            if self.is_single(part) and own <= {
                each.slot for each in parts if isinstance(each, Get)
            }:
                return self.yes
            of = self.cut(of, own, is_inside=True)
            others = self.layers_of(of)
            if others is not None and not others & own:
                return self.no
        return self.raw(Op("subset", (part, of), FLAG))

    def is_single(self, node: Expression) -> bool:
        """Whether an expression is known to be a set of exactly one site."""
        if isinstance(node, Get):
            return node.slot in self.singles
        return isinstance(node, Const) and node.of == SITES and int(node.value).bit_count() == 1

    def joined(self, parts: list[Expression]) -> list[Expression]:
        """Return the parts of a union; what several of them lack is taken from their union."""
        found: list[Expression] = []
        lacking: dict[tuple[bool, int], dict[int, Expression]] = {}
        for part in parts:
            lacks = isinstance(part, Op) and part.name == "difference"
            key = (lacks, id(_second(part) if lacks else part))
            lacking.setdefault(key, {})[id(part)] = part
        for group in lacking.values():
            first, *others = group.values()
            if others:
                wholes = (part.parts()[0] for part in group.values())
                first = self.difference(self.union(*wholes), _second(first))
            found.append(first)
        return found

    def union(self, *parts: Expression) -> Expression:
        """Return the union of sets."""
        if len(parts) == 2 and _differ(*parts):
            return self.of_two("union", *parts)
        return super().union(*parts)

    def intersection(self, *parts: Expression) -> Expression:
        """Return the intersection of sets; what is the board without a set is taken away."""
        if len(parts) == 2 and self._are_plain(*parts):
            return self.of_two("intersection", *parts)
        flat = list(build.flattened("intersection", parts))
        away = [_second(part) for part in flat if self._is_complement(part)]
        rest = [part for part in flat if not self._is_complement(part)]
        sets = [part for part in rest if not isinstance(part, Const)]
        common = self.common_layers(sets) if self.layers and len(sets) > 1 else None
        if common is not None:
            if not common:
                return self.nowhere
            rest = [
                part if isinstance(part, Const) else self.cut(part, common, is_inside=True)
                for part in rest
            ]
            rest = self._without_wholes(rest)
        result = super().intersection(self.everywhere, *rest)
        return self.difference(result, self.union(*away)) if away else result

    def _without_wholes(self, parts: list[Expression]) -> list[Expression]:
        """Return parts of an intersection without a union of layers that another is within."""
        for part in parts:
            slots = [
                each.slot for each in build.flattened("union", (part,)) if isinstance(each, Get)
            ]
            whole = self.layers.intersection(slots)
            if whole:
                others = [other for other in parts if other is not part]
                found = self.common_layers([each for each in others if not isinstance(each, Const)])
                if found is not None and found <= whole:
                    return others
        return parts

    def cut(
        self, node: Expression, layers: frozenset[Slot], *, is_inside: bool = False
    ) -> Expression:
        """Return a set that has the same sites as another, but maybe for those of other layers.

        If what is asked `is_inside` the layers, it may have any sites that are of none, either.
        """
        own = self.layers_of(node)
        if own is not None and not own & layers:
            return self.nowhere
        if not isinstance(node, Op) or (own is not None and own <= layers):
            return node
        key = (id(node), layers, is_inside)
        known = self._cuts.get(key)
        if known is None:
            known = self._cuts[key] = (node, self._cut(node, layers, is_inside))
        return known[1]

    def _cut(self, node: Op, layers: frozenset[Slot], is_inside: bool) -> Expression:
        if node.name not in ("union", "intersection", "difference"):
            return node
        kept = [layers] * len(node.arguments)
        if node.name == "difference":
            kept[0] = layers - whole_layers(node.arguments[1], layers)
            if is_inside and not kept[0]:
                return self.nowhere
        parts = tuple(
            self.cut(part, left, is_inside=is_inside)
            for part, left in zip(node.arguments, kept, strict=True)
        )
        if all(map(is_, parts, node.arguments)):
            return node
        return self.op(node.name, parts, node.of)

    def needed(self, name: str, parts: list[Expression]) -> list[Expression]:
        """Return an operation's parts without those that another one absorbs."""
        return not_absorbed(name, parts)

    def _is_complement(self, node: Expression) -> bool:
        return (
            isinstance(node, Op)
            and node.name == "difference"
            and node.arguments[0] is self.everywhere
        )

    def difference(self, a: Expression, b: Expression) -> Expression:
        """Return the sites of one set that are not in another."""
        if self._are_plain(a, b):
            return self.of_two("difference", a, b)
        if a is b or b is self.everywhere:
            return self.nowhere
        if b is self.nowhere:
            return a
        if self._is_complement(b):
            return self.intersection(a, _second(b))
        if isinstance(b, Op) and b.name == "difference":
            parts = a.arguments if isinstance(a, Op) and a.name == "intersection" else (a,)
            if any(part is b.arguments[0] for part in parts):
                return self.intersection(a, _second(b))
        if (
            isinstance(b, Op)
            and b.name == "intersection"
            and any(each is a for each in b.arguments)
        ):
            return self.difference(a, self.intersection(*(x for x in b.arguments if x is not a)))
        if self.layers and (layers := self.layers_of(a)) is not None:
            left = self.cut(b, layers, is_inside=True)
            if left is not b:
                return self.difference(a, left)
        return super().difference(a, b)

    def image(self, relation: Relation, of: Expression) -> Expression:
        """Return the sites that a relation leads to from a set."""
        relation = self.relation(relation)
        if relation.offset_classes == (((1 << self.size) - 1, 0),):
            return of
        return super().image(relation, of)

    # ----------------------------------------------------------------- conditions

    def disjunction(self, *parts: Expression) -> Expression:
        """Return whether one of the conditions holds; the first that does ends it."""
        return super().disjunction(*different_rows(build.flattened("or", parts)))

    def some(self, of: Expression) -> Expression:
        """Return whether a set is not empty."""
        if self.is_single(of):
            return self.yes
        if isinstance(of, Closure):
            return self.some(of.seed)
        if isinstance(of, Select):
            chosen = self.open(of)
            domain = SitesOf(chosen.sites)
            return self.fold("or", chosen.slot, domain, chosen.condition, False)
        if isinstance(of, If) and of.otherwise is self.nowhere:
            return self.conjunction(of.condition, self.some(of.then))
        return super().some(of)

    def conditional(
        self, condition: Expression, then: Expression, otherwise: Expression
    ) -> Expression:
        """Return one of two values."""
        if isinstance(condition, Op) and condition.name == "not":
            return self.conditional(condition.arguments[0], otherwise, then)
        if then is self.yes and otherwise is self.no:
            return condition
        if then is self.no and otherwise is self.yes:
            return self.negation(condition)
        return super().conditional(condition, then, otherwise)

    # -------------------------------------------------------------------- binders

    def let(self, slot: Slot, value: Expression, body: Expression) -> Expression:
        """Return `body`, in which the slot has the value."""
        if isinstance(value, Const | Get) and not self.is_kept(slot, value, body):
            return self.substitute(body, slot, value)
        return super().let(slot, value, body)

    def is_kept(self, slot: Slot, value: Expression, body: Expression) -> bool:
        """Whether a value of the present position is read in one that `can` looks at."""
        return slot in self._read_by_can(body) and any(s.is_state for s in value.free)

    def _read_by_can(self, node: Expression) -> frozenset[Slot]:
        """Return the slots that the conditions of `can` in an expression depend on."""
        known = self._can_reads.get(id(node))
        if known is None:
            found = frozenset[Slot]().union(*map(self._read_by_can, node.parts()))
            if isinstance(node, Can):
                found |= node.condition.free
            known = self._can_reads[id(node)] = (node, found)
        return known[1]

    def select(self, slot: Slot, among: Expression, condition: Expression) -> Expression:
        """Return the sites of a set for which a condition holds."""
        return among if among is self.nowhere else super().select(slot, among, condition)

    def closure(self, seed: Expression, frontier: Slot, step: Expression) -> Expression:
        """Return all that `step` reaches from a set, the set itself included."""
        if seed is self.nowhere or seed is self.everywhere or stays_within(step, frontier):
            return seed
        return super().closure(seed, frontier, step)

    def fold(
        self, combine: str, slot: Slot, domain: Domain, body: Expression, initial: ConstantValue
    ) -> Expression:
        """Return the values of `body` over a domain, combined."""
        if isinstance(domain, SitesOf | GroupsOf) and combine == "or" and isinstance(body, Const):
            return self.some(domain.sites) if body is self.yes else self.no
        return super().fold(combine, slot, domain, body, initial)


def _differ(first: Expression, second: Expression) -> bool:
    """Return whether it is plain that neither of two parts of a union has to do with the other."""
    if first.__class__ is Const or second.__class__ is Const or first is second:
        return False
    heads = {part.name for part in (first, second) if isinstance(part, Op)}
    return heads.isdisjoint(("union", "intersection")) and not (
        heads == {"difference"} and first.__class__ is second.__class__
    )


def _second(node: Expression) -> Expression:
    assert isinstance(node, Op)
    return node.arguments[1]


# ----------------------------------------------------------- rows that are asked for from both ends

_Rows = tuple[int, frozenset[int], int]
"""The identity of a set, and which rows must lie in it: by distance from their first sites."""


def different_rows(parts: Iterable[Expression]) -> list[Expression]:
    """Return interned conditions in their order, without those that ask for the same rows."""
    kept: list[Expression] = []
    asked: set[_Rows] = set()
    for part in parts:
        rows = _rows(part)
        if rows is None or rows not in asked:
            kept.append(part)
        if rows is not None:
            asked.add(rows)
    return kept


def _rows(node: Expression) -> _Rows | None:
    """Return the rows of which a condition asks whether one lies in a set; None if it does not."""
    match node:
        case Op("some", (Op("intersection", parts),)):
            pass
        case _:
            return None
    last = -1
    whole: set[int] = set()
    shifts: set[int] = set()
    for part in parts:
        of, shift = part, 0
        if isinstance(part, Const):
            last &= int(part.value)
            continue
        if isinstance(part, Op) and isinstance(part.payload, Relation):
            if len(part.payload.offset_classes) != 1:
                return None
            ((sources, shift),) = part.payload.offset_classes
            last &= sources << shift if shift >= 0 else sources >> -shift
            (of,) = part.arguments
        whole.add(id(of))
        shifts.add(shift)
    if len(whole) != 1 or last < 0:
        return None
    far = max(shifts)
    first = last >> far if far >= 0 else last << -far
    return whole.pop(), frozenset(far - shift for shift in shifts), first
