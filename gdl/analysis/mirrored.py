"""Turns of two sides that are the same but for whose pieces are whose: only one need be changed.

In: a program, as it was written. Out: the phases in which the later side's turn is the earlier
one's with slots exchanged; and, for a program after some passes, the later side's turn made from
the earlier one's. What then holds: it does what it would do had the passes changed it itself, for
none of them looks at one side's turn to change another's, but for `can`. Programs that ask for
that are left as they are.

Which slots are exchanged is guessed by their names, in which one side stands for the other. That
the turns are the same then is proven part by part. Statements that may be carried out in either
order may stand in either order, and so may parts of a union.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from gdl.analysis.exchanged import IN_ANY_ORDER, are_of_one_kind
from gdl.analysis.sides import BothSides, commute
from gdl.core.nodes import (
    Alternative,
    Assign,
    AssignAt,
    Block,
    Branch,
    Can,
    Choose,
    Closure,
    Const,
    Decide,
    Decision,
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
from gdl.core.rebuild import with_ends, with_parts
from gdl.core.types import FLAG
from gdl.core.walk import expressions_of, filled_slots, read_slots, statements_in
from gdl.data_classes import dataclass

_MOST_COMPARED = 20_000
"""So many parts are compared at most: more are no longer soon compared."""


@dataclass(frozen=True)
class Mirror:
    """What stands for what in the later side's turn of a phase.

    `names` has its slot for each variable of the earlier side's, and each slot of the position that
    another stands for; `decisions` its decision for each.
    """

    names: Mapping[Slot, Slot]
    decisions: Mapping[Decision, Decision]


Mirrors = Mapping[int, Mirror]
"""The phases, by their numbers, in which the later side's turn is that of the earlier one."""


def mirrors_of(program: Program) -> Mirrors:
    """Return the phases of a program, as it was written, in which two turns are one but for names.

    There are none where the program looks ahead.
    """
    if any(len(phase.turns) != 2 for phase in program.phases):
        return {}
    exchanged = _exchanged_by_name(program)
    found = {}
    for number, phase in enumerate(program.phases):
        first, second = (turn.program for turn in phase.turns)
        comparison = _Comparison(exchanged)
        if first and comparison.are_same_blocks(first, second):
            found[number] = Mirror(comparison.names, comparison.decisions)
    return {} if found and _looks_ahead(program, found) else found


def without_later(program: Program, mirrors: Mirrors) -> Program:
    """Return a program in which the turns are empty that are made from others."""
    if not mirrors:
        return program
    phases = list(program.phases)
    for number in mirrors:
        first, second = phases[number].turns
        phases[number] = replace(phases[number], turns=(first, replace(second, program=())))
    return replace(program, phases=tuple(phases))


def with_later(program: Program, mirrors: Mirrors) -> tuple[Program, Mapping[int, BothSides]]:
    """Return a program with the turns that are made from others, and what is so for both sides."""
    if not mirrors:
        return program, {}
    phases = list(program.phases)
    found = {}
    for number, mirror in mirrors.items():
        first, second = phases[number].turns
        later = _Later(mirror, first.program)
        second = replace(second, program=later.block(first.program))
        phases[number] = replace(phases[number], turns=(first, second))
        found[number] = later.both_sides(first.program)
    return replace(program, phases=tuple(phases)), found


def _exchanged_by_name(program: Program) -> dict[Slot, Slot]:
    """Return the slots of the position whose names say that they are the same of two sides."""
    sides = program.system.mover.type.values
    if len(sides) != 2:
        return {}
    other = dict(zip(sides, reversed(sides), strict=True))
    words = re.compile(rf"\b({'|'.join(map(re.escape, sides))})\b")
    by_name = {slot.name: slot for slot in program.state}
    found = {}
    for slot in program.state:
        name = words.sub(lambda word: other[word[0]], slot.name)
        partner = by_name.get(name, slot) if name != slot.name else slot
        if partner is not slot and are_of_one_kind(slot, partner):
            found[slot] = partner
    return found


def _looks_ahead(program: Program, compared: Collection[int]) -> bool:
    """Return whether a program looks ahead in what has not been compared."""
    parts = [node for turn in program.turns for one in turn.clauses for node in one.expressions]
    parts += [node for memory in program.memories for node in memory.key]
    for number, phase in enumerate(program.phases):
        if number not in compared:
            blocks = (turn.program for turn in phase.turns)
            parts += [n for b in blocks for s in statements_in(b) for n in expressions_of(s)]
    return any(node.looks_ahead for node in parts)


class _TooManyError(Exception):
    """Too many parts would have to be compared."""


class _Comparison:
    """Compares the turns of two sides; `names` and `decisions` are what is found.

    What is proven once is so for good, as no slot is ever given another name, but for those that
    expressions bind.
    """

    def __init__(self, exchanged: Mapping[Slot, Slot]) -> None:
        self.decisions: dict[Decision, Decision] = {}
        self.names = dict(exchanged)
        self._back = dict(exchanged)
        self._left = _MOST_COMPARED
        self._proven: set[tuple[int, int]] = set()
        self._bound = 0

    def are_same_blocks(self, first: Block, second: Block) -> bool:
        """Return whether two turns are the same, but for names."""
        try:
            return self._blocks(first, second)
        except _TooManyError:
            return False

    # ------------------------------------------------------------------- statements

    def _blocks(self, first: Block, second: Block) -> bool:
        if len(first) != len(second):
            return False
        left = list(second)
        return all(self._has_partner(a, left) for a in first)

    def _has_partner(self, a: Statement, left: list[Statement]) -> bool:
        """Take away the statement that does the same for the later side, if there is one.

        It may as well be carried out before all that stand before it.
        """
        if not isinstance(a, Assign | AssignAt):
            return bool(left) and self._statements(a, left.pop(0))
        for place, b in enumerate(left):
            if not isinstance(b, Assign | AssignAt):
                return False
            if self._may_be(a.slot, b.slot) and self._assignments(a, b):
                if place and not all(commute(b, other) for other in left[:place]):
                    return False
                del left[place]
                return True
        return False

    def _assignments(self, a: Assign | AssignAt, b: Assign | AssignAt) -> bool:
        if isinstance(a, AssignAt) or isinstance(b, AssignAt):
            if not isinstance(a, AssignAt) or not isinstance(b, AssignAt):
                return False
            if not self._same(a.sites, b.sites):
                return False
        return self._same(a.value, b.value) and self._pair(a.slot, b.slot)

    def _statements(self, a: Statement, b: Statement) -> bool:
        match a, b:
            case Branch(), Branch():
                return (
                    self._same(a.condition, b.condition)
                    and self._blocks(a.then, b.then)
                    and self._blocks(a.otherwise, b.otherwise)
                )
            case Require(), Require():
                return self._same(a.condition, b.condition)
            case Say(), Say():
                return a.token == b.token
            case ForEach(), ForEach():
                return (
                    self._domains(a.domain, b.domain)
                    and self._pair(a.slot, b.slot)
                    and self._blocks(a.body, b.body)
                )
            case Repeat(), Repeat():
                return self._loops(a, b)
            case Choose(), Choose():
                return self._choices(a, b)
            case Decide(), Decide():
                self.decisions[a.decision] = b.decision
                return len(a.alternatives) == len(b.alternatives) and all(
                    one.token == other.token and self._blocks(one.body, other.body)
                    for one, other in zip(a.alternatives, b.alternatives, strict=True)
                )
        return False

    def _loops(self, a: Repeat, b: Repeat) -> bool:
        if (a.mode, a.limit, len(a.compared)) != (b.mode, b.limit, len(b.compared)):
            return False
        if not self._blocks(a.body, b.body):
            return False
        if a.bound is None or b.bound is None:
            is_same = a.bound is b.bound
        else:
            is_same = self._same(a.bound, b.bound)
        return is_same and all(map(self._pair, a.compared, b.compared))

    def _choices(self, a: Choose, b: Choose) -> bool:
        self.decisions[a.decision] = b.decision
        if (a.separator, a.rank) != (b.separator, b.rank):
            return False
        one, other = a.unordered_with, b.unordered_with
        are_paired = one is other if one is None or other is None else self._pair(one, other)
        return are_paired and self._domains(a.domain, b.domain) and self._pair(a.slot, b.slot)

    # ------------------------------------------------------------------------ slots

    def _may_be(self, a: Slot, b: Slot) -> bool:
        """Return whether one slot may stand for another."""
        known = self.names.get(a)
        if known is not None:
            return known is b
        return a is b if a.is_state or b.is_state else b not in self._back

    def _pair(self, a: Slot, b: Slot) -> bool:
        """Take note that a slot stands for another, and return True, unless either has a third."""
        if self.names.get(a) is b:
            return self._back.get(b) is a
        if not self._may_be(a, b) or not are_of_one_kind(a, b):
            return False
        self.names[a], self._back[b] = b, a
        return True

    def _read_alike(self, a: Slot, b: Slot) -> bool:
        """Return whether one slot stands for another where both are read."""
        known = self.names.get(a)
        if known is not None:
            return known is b
        return a is b and (a.is_state or self._pair(a, b))

    # ------------------------------------------------------------------ expressions

    def _same(self, a: Expression, b: Expression) -> bool:
        """Return whether two expressions are the same, but for names."""
        if isinstance(a, Get):
            return isinstance(b, Get) and self._read_alike(a.slot, b.slot)
        pair = (id(a), id(b))
        if pair in self._proven:
            return True
        self._left -= 1
        if self._left < 0:
            raise _TooManyError
        is_same = self._alike(a, b)
        if is_same and not self._bound:
            self._proven.add(pair)
        return is_same

    def _alike(self, a: Expression, b: Expression) -> bool:
        if isinstance(a, Op):
            return (
                isinstance(b, Op)
                and a.name == b.name
                and len(a.arguments) == len(b.arguments)
                and a.of == b.of
                and (a.payload is b.payload or a.payload == b.payload)
                and self._arguments(a.name, a.arguments, b.arguments)
            )
        match a, b:
            case Const(), Const():
                return a == b
            case If(), If():
                return all(map(self._same, a.parts(), b.parts()))
            case GetAt(), GetAt():
                return self.names.get(a.slot, a.slot) is b.slot and self._same(a.sites, b.sites)
            case Let(), Let():
                return self._same(a.value, b.value) and self._within(a.slot, b.slot, a.body, b.body)
            case Select(), Select():
                return self._same(a.sites, b.sites) and self._within(
                    a.slot, b.slot, a.condition, b.condition
                )
            case Closure(), Closure():
                return self._same(a.seed, b.seed) and self._within(
                    a.frontier, b.frontier, a.step, b.step
                )
            case Fold(), Fold():
                return (
                    (a.combine, a.initial) == (b.combine, b.initial)
                    and self._domains(a.domain, b.domain)
                    and self._within(a.slot, b.slot, a.body, b.body)
                )
        return False  # what asks for other positions is not looked at

    def _arguments(
        self, name: str, first: Sequence[Expression], second: Sequence[Expression]
    ) -> bool:
        if name not in IN_ANY_ORDER:
            return all(map(self._same, first, second))
        slots = [part.slot for part in first if isinstance(part, Get)]
        if len(slots) == len(first):
            others = [part.slot for part in second if isinstance(part, Get)]
            return self._same_slots(slots, others)
        left = list(second)
        for a in first:
            place = next((place for place, b in enumerate(left) if self._same(a, b)), None)
            if place is None:
                return False
            del left[place]
        return True

    def _same_slots(self, first: Sequence[Slot], second: Sequence[Slot]) -> bool:
        """Return whether slots, in any order, are the same but for names."""
        others = set(second)
        named = {self.names.get(slot, slot) for slot in first}
        return named == others and len(others) == len(first) == len(second)

    def _within(self, one: Slot, other: Slot, a: Expression, b: Expression) -> bool:
        """Return whether what a slot is bound in is the same, with the slot for another."""
        outer = self.names.get(one)
        self.names[one] = other
        self._bound += 1
        is_same = are_of_one_kind(one, other) and self._same(a, b)
        self._bound -= 1
        del self.names[one]
        if outer is not None:
            self.names[one] = outer
        return is_same

    def _domains(self, a: Domain, b: Domain) -> bool:
        match a, b:
            case SitesOf(), SitesOf():
                return self._same(a.sites, b.sites)
            case RangeOf(), RangeOf():
                return self._same(a.low, b.low) and self._same(a.high, b.high)
            case GroupsOf(), GroupsOf():
                return self._same(a.sites, b.sites) and self._within(
                    a.frontier, b.frontier, a.step, b.step
                )
        return False


class _Later:
    """Makes the later side's turn from the earlier one's block, which passes may have changed."""

    def __init__(self, mirror: Mirror, block: Block) -> None:
        self._mirror = mirror
        self._names = dict(mirror.names)
        self._local = [slot for slot in filled_slots(block) if not slot.is_state]
        for slot in self._local:  # passes may have made some
            if slot not in self._names:
                self._names[slot] = replace(slot)
        self._gets = {a: Get(b) for a, b in self._names.items() if a is not b}
        self._done: dict[int, Expression] = {}

    def both_sides(self, block: Block) -> BothSides:
        """Return what the earlier side's block is for both sides."""
        names = self._names
        used = {*read_slots(block), *filled_slots(block)}
        exchanged = {
            a: b for a, b in names.items() if a.is_state and a is not b and (a in used or b in used)
        }
        given = {slot: names[slot] for slot in self._local}
        is_later = Slot("is later", FLAG)
        return BothSides((0, 1), block, is_later, exchanged, given, self._mirror.decisions, 0)

    def block(self, block: Block) -> Block:
        """Return a block for the later side."""
        return tuple(map(self._statement, block))

    def _statement(self, statement: Statement) -> Statement:
        match statement:
            case Assign(span, slot, value):
                return Assign(span, self._name(slot), self._expression(value))
            case AssignAt(span, slot, sites, value):
                where, given = self._expression(sites), self._expression(value)
                return AssignAt(span, self._name(slot), where, given)
            case Branch(span, condition, then, otherwise):
                test = self._expression(condition)
                return Branch(span, test, self.block(then), self.block(otherwise))
            case ForEach(span, slot, domain, body):
                domain = with_ends(domain, self._expression)
                return ForEach(span, self._name(slot), domain, self.block(body))
            case Repeat(_, _, bound, body):
                bound = None if bound is None else self._expression(bound)
                compared = tuple(map(self._name, statement.compared))
                return replace(statement, bound=bound, body=self.block(body), compared=compared)
            case Choose(_, slot, domain):
                domain = with_ends(domain, self._expression)
                assert isinstance(domain, SitesOf | RangeOf), "sites or numbers are chosen"
                partner = statement.unordered_with
                return replace(
                    statement,
                    slot=self._name(slot),
                    domain=domain,
                    unordered_with=None if partner is None else self._name(partner),
                    decision=self._mirror.decisions[statement.decision],
                )
            case Decide(_, alternatives):
                ways = tuple(Alternative(way.token, self.block(way.body)) for way in alternatives)
                decision = self._mirror.decisions[statement.decision]
                return replace(statement, alternatives=ways, decision=decision)
            case Require(span, condition):
                return Require(span, self._expression(condition))
            case Say():
                return statement
            case _:
                assert_never(statement)

    def _name(self, slot: Slot) -> Slot:
        return self._names.get(slot, slot)

    def _expression(self, node: Expression) -> Expression:
        if isinstance(node, Get):
            return self._gets.get(node.slot, node)
        if node.free.isdisjoint(self._gets):
            return node
        found = self._done.get(id(node))
        if found is None:
            found = self._done[id(node)] = self._made(node)
        return found

    def _made(self, node: Expression) -> Expression:
        if isinstance(node, Op):
            arguments = tuple(map(self._expression, node.arguments))
            return Op(node.name, arguments, node.of, node.payload)
        if isinstance(node, GetAt):
            return GetAt(self._name(node.slot), self._expression(node.sites))
        assert not isinstance(node, Times | Can), "turns that ask for other positions stay"
        return with_parts(node, self._expression)
