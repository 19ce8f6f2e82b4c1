"""Alternatives that are alike become one: what follows a choice of a kind is there only once.

In: a program, as it was written. Out: the same program, in which a decision between alternatives
that differ in little only settles a number: which of them it is. What then holds: the same is
decided and said, in the same order; what follows is one block in place of as many as there are
alternatives, and asks for the number where they differ.

Blocks are made one by what is called anti-unification (G. D. Plotkin, "A note on inductive
generalization", 1970): part by part, what is the same in all stays, and what differs becomes a
choice by the number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, repeat, takewhile
from operator import is_

from gdl.core import build
from gdl.core.nodes import (
    Alternative,
    Assign,
    AssignAt,
    Block,
    Branch,
    Choose,
    Closure,
    Const,
    Decide,
    Domain,
    Expression,
    Fold,
    ForEach,
    Get,
    GetAt,
    GroupsOf,
    If,
    Let,
    Op,
    Program,
    RangeOf,
    Repeat,
    Require,
    Say,
    Select,
    SitesOf,
    Slot,
    Statement,
    Times,
)
from gdl.core.rebuild import change_block, change_turns, with_blocks, with_parts
from gdl.core.types import NUMBER
from gdl.core.walk import (
    expressions_of,
    filled_slots,
    is_effect,
    numbered,
    statements_in,
)
from gdl.optimise.common_parts import (
    Part,
    Sizes,
    Unlike,
    are_equal,
    fields,
    given_to,
    have_one_head,
    in_line,
)

_FEWEST = 4
"""So many alternatives at least are worth being made one."""
_MOST_LEFT = 0.5
"""How large the one may be, as a part of all."""
_LARGEST_GUARD = 40
"""A condition of so many parts at most stays with its alternative, which it may rule out early."""


def merge_alternatives(program: Program) -> Program:
    """Make alternatives that are alike one."""
    return change_turns(program, _merged)


def _merged(block: Block) -> Block:
    made: list[Statement] = []
    for outer in block:
        if isinstance(outer, Assign):
            made.append(outer)
            continue
        statement = with_blocks(outer, _merged)
        made += _of_decision(statement) if isinstance(statement, Decide) else [statement]
    return tuple(made)


def _of_decision(decision: Decide) -> list[Statement]:
    """Return a decision with what follows it, if its alternatives can be made one."""
    if len(decision.alternatives) < _FEWEST or numbered(decision) is not None:
        return [decision]
    guards = [tuple(_guards(way.body)) for way in decision.alternatives]
    rests = [way.body[len(own) :] for way, own in zip(decision.alternatives, guards, strict=True)]
    if not all(rests) or len({rest[0].span for rest in rests}) > 1:
        return [decision]
    slot = Slot("case", NUMBER, low=0, high=len(rests) - 1)
    try:
        joint = _Joint(slot, len(rests)).block(rests)
    except Unlike:
        return [decision]
    sizes = Sizes()
    if not sizes.is_larger(rests, sizes.of(joint) / _MOST_LEFT):
        return [decision]
    ways = tuple(
        Alternative(way.token, (*own, Assign(decision.span, slot, build.number(number))))
        for number, (way, own) in enumerate(zip(decision.alternatives, guards, strict=True))
    )
    return [replace(decision, alternatives=ways), *joint]


def _guards(block: Block) -> Iterator[Statement]:
    sizes = Sizes()
    return takewhile(lambda s: isinstance(s, Require) and sizes.of((s,)) <= _LARGEST_GUARD, block)


def _looks_ahead(expressions: Iterable[Expression]) -> bool:
    return any(node.looks_ahead for node in expressions)


def _expressions_within(block: Block) -> Iterator[Expression]:
    for statement in statements_in(block):
        yield from expressions_of(statement)


class _Joint:
    """Makes parts of several cases one; the slot `case` will have the number of the case.

    Parts come as lists with one for each case.
    """

    def __init__(self, case: Slot, cases: int) -> None:
        self._case = Get(case)
        self._names: list[dict[Slot, Slot]] = [{} for _ in range(cases)]
        self._named: list[tuple[int, Slot]] = []
        self._others: set[Slot] = set()  # that have another name in the whole, in some case
        self._alone: set[Slot] = set()
        self._is_in_loop = False

    # ------------------------------------------------------------------- statements

    def block(self, blocks: Sequence[Block]) -> Block:
        """Return one block for several."""
        made: list[Statement] = []
        for statements in zip(*in_line(blocks), strict=True):
            made += self._statement(statements)
        return tuple(made)

    def _statement(self, some: Sequence[Statement | None]) -> Block:
        """Return one statement for several, as a block; None stands for nothing to be done."""
        first = some[0]
        if (
            isinstance(first, Assign)
            and all(map(is_, some, repeat(first)))
            and self._is_as_is(first)
        ):
            return (first,)
        all_ = [one for one in some if one is not None]
        if len(all_) < len(some):
            return self._apart(some)
        named = len(self._named)
        try:
            return (self._one_statement(all_),)
        except Unlike:
            self._forget(named)
            return self._apart(all_)

    def _is_as_is(self, statement: Assign) -> bool:
        """Return whether no slot of a statement has another name in the whole."""
        others = self._others
        return statement.slot not in others and statement.value.free.isdisjoint(others)

    def _one_statement(self, all_: Sequence[Statement]) -> Statement:
        match all_[0]:
            case Assign(span, slot) if slot not in self._others and (
                values := given_to(all_, slot)
            ):
                return Assign(span, slot, self.expression(values))
            case Assign(span, slot):
                parts = fields(all_, Assign, lambda s: (s.slot, s.value))
                value = self.expression(parts[1])
                return Assign(span, self._given(parts[0]), value)
            case AssignAt(span):
                parts = fields(all_, AssignAt, lambda s: (s.slot, s.sites, s.value))
                sites, value = self.expression(parts[1]), self.expression(parts[2])
                return AssignAt(span, self._same(parts[0]), sites, value)
            case Branch(span):
                parts = fields(all_, Branch, lambda s: (s.condition, s.then, s.otherwise))
                condition = self.expression(parts[0])
                return Branch(span, condition, self.block(parts[1]), self.block(parts[2]))
            case Require(span):
                (conditions,) = fields(all_, Require, lambda s: (s.condition,))
                return Require(span, self.expression(conditions))
            case Say() as first:
                (tokens,) = fields(all_, Say, lambda s: (s.token,))
                self._same(tokens)
                return first
            case Choose() as first:
                parts = fields(
                    all_,
                    Choose,
                    lambda s: (s.slot, s.domain, s.separator, s.unordered_with, s.rank),
                )
                domain = self._domain(parts[1])
                assert isinstance(domain, SitesOf | RangeOf), "groups are not chosen"
                self._same(parts[2])
                partner = None if first.unordered_with is None else self._renamed_slot(parts[3])
                if any((other is None) != (partner is None) for other in parts[3]):
                    raise Unlike
                self._same(parts[4])
                slot = self._given(parts[0])
                return replace(first, slot=slot, domain=domain, unordered_with=partner)
            case Decide() as first:
                (ways,) = fields(all_, Decide, lambda s: (s.alternatives,))
                self._same([tuple(way.token for way in own) for own in ways])
                alternatives = tuple(
                    Alternative(cases[0].token, self.block([way.body for way in cases]))
                    for cases in zip(*ways, strict=True)
                )
                return replace(first, alternatives=alternatives)
            case ForEach(span):
                parts = fields(all_, ForEach, lambda s: (s.slot, s.domain, s.body))
                domain = self._domain(parts[1])
                with_slot = self._given(parts[0])
                return ForEach(span, with_slot, domain, self._inside(self.block, parts[2]))
            case Repeat() as first:
                parts = fields(
                    all_, Repeat, lambda s: (s.bound, s.body, (s.mode, s.limit, s.compared))
                )
                self._same(parts[2])
                bound = None if first.bound is None else self._inside(self.expression, parts[0])
                return replace(first, bound=bound, body=self._inside(self.block, parts[1]))
        raise Unlike

    def _apart(self, all_: Sequence[Statement | None]) -> Block:
        """Return statements of which one is done, as the case says."""
        blocks = [() if one is None else (one,) for one in all_]
        if self._is_in_loop or not all(is_effect(one) for block in blocks for one in block):
            raise Unlike
        if any(_looks_ahead(_expressions_within(block)) for block in blocks):
            raise Unlike
        own = [self._renamed_block(number, block) for number, block in enumerate(blocks)]
        for number, block in enumerate(blocks):
            local = {slot for slot in filled_slots(block) if not slot.is_state}
            if local & self._names[number].keys():
                raise Unlike
            self._alone |= local
        span = next(one.span for block in blocks for one in block)
        return self._by_case(
            own, lambda condition, a, b: (Branch(span, condition, a, b),), lambda a, b: a == b
        )

    def _renamed_block(self, number: int, block: Block) -> Block:
        return change_block(block, lambda node: self._renamed(number, node))

    # ------------------------------------------------------------------- expressions

    def expression(self, nodes: Sequence[Expression]) -> Expression:
        """Return one expression for several."""
        first = nodes[0]
        if first.free.isdisjoint(self._others) and all(map(is_, nodes, repeat(first))):
            return first
        if all(map(self._is_first, repeat(first), nodes, self._names)):
            return first
        if any(node.type != first.type for node in nodes):
            raise Unlike
        if have_one_head(nodes):
            named = len(self._named)
            try:
                return self._one_expression(nodes)
            except Unlike:
                self._forget(named)
        if self._is_in_loop or _looks_ahead(nodes):
            raise Unlike
        own = nodes
        if self._others:
            own = [self._renamed(number, node) for number, node in enumerate(nodes)]
        return self._number(own) or self._by_case(own, If, are_equal)

    def _is_first(self, first: Expression, node: Expression, names: Mapping[Slot, Slot]) -> bool:
        """Return whether an expression is the first one, but for names of slots.

        The first case keeps its names. What binds slots, or is seldom, is looked at elsewhere.
        """
        if node is first and node.free.isdisjoint(names):
            return True
        if isinstance(node, Get):
            return isinstance(first, Get) and names.get(node.slot, node.slot) is first.slot
        if isinstance(node, Op):
            return isinstance(first, Op) and self._is_first_operation(first, node, names)
        if isinstance(node, If) and isinstance(first, If):
            return all(map(self._is_first, first.parts(), node.parts(), repeat(names)))
        return isinstance(node, Const) and node == first

    def _is_first_operation(self, first: Op, node: Op, names: Mapping[Slot, Slot]) -> bool:
        inner, others = node.arguments, first.arguments
        if node.name != first.name or len(inner) != len(others) or node.of != first.of:
            return False
        if node.payload is not first.payload and node.payload != first.payload:
            return False
        return all(map(self._is_first, others, inner, repeat(names)))

    def _number(self, nodes: Sequence[Expression]) -> Expression | None:
        """Return numbers that grow evenly as a number."""
        if not isinstance(nodes[0], Const):
            return None
        values = [node.value for node in nodes if isinstance(node, Const) and node.type == NUMBER]
        if len(values) < len(nodes):
            return None
        first, step = int(values[0]), int(values[1]) - int(values[0])
        if any(value != first + step * place for place, value in enumerate(values)):
            return None
        times = build.numeric("multiply", self._case, build.number(step))
        scaled: Expression = self._case if step == 1 else times
        return scaled if first == 0 else build.numeric("add", scaled, build.number(first))

    def _one_expression(self, nodes: Sequence[Expression]) -> Expression:
        match nodes[0]:
            case Const() as first:
                self._same(nodes)
                return first
            case Get():
                (slots,) = fields(nodes, Get, lambda n: (n.slot,))
                return Get(self._renamed_slot(slots))
            case GetAt():
                slots, sites = fields(nodes, GetAt, lambda n: (n.slot, n.sites))
                return GetAt(self._same(slots), self.expression(sites))
            case Op(name, _, of, payload):
                heads, arguments = fields(
                    nodes, Op, lambda n: ((n.name, n.of, n.payload), n.arguments)
                )
                self._same(heads)
                return Op(name, self._all(arguments), of, payload)
            case If():
                parts = fields(nodes, If, lambda n: (n.condition, n.then, n.otherwise))
                return If(*map(self.expression, parts))
            case Let():
                slots, values, bodies = fields(nodes, Let, lambda n: (n.slot, n.value, n.body))
                value = self.expression(values)
                return Let(self._given(slots), value, self.expression(bodies))
            case Fold(combine, _, _, _, initial):
                heads, slots, domains, bodies = fields(
                    nodes, Fold, lambda n: ((n.combine, n.initial), n.slot, n.domain, n.body)
                )
                self._same(heads)
                domain = self._domain(domains)
                slot = self._given(slots)
                return Fold(combine, slot, domain, self._inside(self.expression, bodies), initial)
            case Select():
                slots, sites, conditions = fields(
                    nodes, Select, lambda n: (n.slot, n.sites, n.condition)
                )
                among = self.expression(sites)
                slot = self._given(slots)
                return Select(slot, among, self._inside(self.expression, conditions))
            case Closure():
                seeds, slots, steps = fields(nodes, Closure, lambda n: (n.seed, n.frontier, n.step))
                seed = self.expression(seeds)
                slot = self._given(slots)
                return Closure(seed, slot, self._inside(self.expression, steps))
            case Times(history):
                slots, keys = fields(nodes, Times, lambda n: (n.history, n.key))
                self._same(slots)
                return Times(history, self._all(keys))
        raise Unlike

    def _all(self, parts: Sequence[Sequence[Expression]]) -> tuple[Expression, ...]:
        if len({len(own) for own in parts}) > 1:
            raise Unlike
        return tuple(map(self.expression, zip(*parts, strict=True)))

    def _domain(self, domains: Sequence[Domain]) -> Domain:
        match domains[0]:
            case SitesOf():
                (sites,) = fields(domains, SitesOf, lambda d: (d.sites,))
                return SitesOf(self.expression(sites))
            case RangeOf():
                low, high = fields(domains, RangeOf, lambda d: (d.low, d.high))
                return RangeOf(self.expression(low), self.expression(high))
            case GroupsOf():
                sites, slots, steps = fields(
                    domains, GroupsOf, lambda d: (d.sites, d.frontier, d.step)
                )
                among = self.expression(sites)
                slot = self._given(slots)
                return GroupsOf(among, slot, self._inside(self.expression, steps))

    def _inside(self, make: Callable[[Sequence[Part]], Part], parts: Sequence[Part]) -> Part:
        """Make one of what is done in each round of a loop: it must not ask for the case."""
        before, self._is_in_loop = self._is_in_loop, True
        try:
            return make(parts)
        finally:
            self._is_in_loop = before

    # -------------------------------------------------------------------------- slots

    def _same(self, values: Sequence[Part]) -> Part:
        if any(value != values[0] for value in values):
            raise Unlike
        return values[0]

    def _given(self, slots: Sequence[Slot]) -> Slot:
        """Return the slot that is given a value: the same one, or one in place of several."""
        first = slots[0]
        if all(slot is first for slot in slots):
            return self._renamed_slot(slots)
        if any(slot.is_state or slot in self._alone for slot in slots):
            raise Unlike
        if any(_bounds(slot) != _bounds(first) for slot in slots):
            raise Unlike
        for number, slot in enumerate(slots):
            own = self._names[number]
            if slot not in own:
                own[slot] = first
                self._named.append((number, slot))
                if slot is not first:
                    self._others.add(slot)
            if own[slot] is not first:
                raise Unlike
        return first

    def _forget(self, named: int) -> None:
        """Forget the names of slots but for the first ones."""
        if named == len(self._named):
            return
        for number, slot in self._named[named:]:
            del self._names[number][slot]
        del self._named[named:]
        names = (own.items() for own in self._names)
        self._others = {slot for own in names for slot, name in own if slot is not name}

    def _renamed_slot(self, slots: Sequence[Slot | None]) -> Slot:
        """Return the slot that stands for all of these."""
        found = {
            None if slot is None else own.get(slot, slot)
            for own, slot in zip(self._names, slots, strict=True)
        }
        slot = found.pop()
        if found or slot is None:
            raise Unlike
        return slot

    def _renamed(self, number: int, node: Expression) -> Expression:
        """Return an expression of one case with its slots as they are called in the whole."""
        if node.free.isdisjoint(self._others):
            return node
        own = self._names[number]
        if node.free.isdisjoint(own) or all(own.get(slot, slot) is slot for slot in node.free):
            return node
        if isinstance(node, Get):
            return Get(own[node.slot])
        return with_parts(node, lambda part: self._renamed(number, part))

    # -------------------------------------------------------------------------- cases

    def _by_case(
        self,
        parts: Sequence[Part],
        choose: Callable[[Expression, Part, Part], Part],
        are_equal: Callable[[Part, Part], bool],
    ) -> Part:
        """Return the part of the case: halves are told apart by the number, until one is left."""
        met: dict[int, tuple[Part, list[int]]] = {}
        for number, part in enumerate(parts):
            met.setdefault(id(part), (part, []))[1].append(number)
        different: list[tuple[Part, list[int]]] = []
        for part, numbers in met.values():
            known = next((known for one, known in different if are_equal(one, part)), None)
            if known is None:
                different.append((part, numbers))
            else:
                known += numbers
                known.sort()
        return self._among(different, choose)

    def _among(
        self,
        different: list[tuple[Part, list[int]]],
        choose: Callable[[Expression, Part, Part], Part],
    ) -> Part:
        if len(different) == 1:
            return different[0][0]
        different.sort(key=lambda one: one[1])
        last = len(different) - 1
        if all(a[1][-1] < b[1][0] for a, b in pairwise(different)):
            middle = (last + 1) // 2
            first = different[middle][1][0]
            is_below = build.op("less", (self._case, build.number(first)), build.YES.type)
            return choose(
                is_below,
                self._among(different[:middle], choose),
                self._among(different[middle:], choose),
            )
        different.sort(key=lambda one: len(one[1]))
        part, numbers = different[0]
        here = (build.equal(self._case, build.number(number)) for number in numbers)
        return choose(build.disjunction(*here), part, self._among(different[1:], choose))


def _bounds(slot: Slot) -> tuple[object, ...]:
    return (slot.type, slot.per_site, slot.low, slot.high)
