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

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count, pairwise, repeat, takewhile
from operator import is_
from typing import TypeVar

from gdl.core import build
from gdl.core.memo import Memo
from gdl.core.merging import Merger, Unlike, are_of_one_kind
from gdl.core.nodes import (
    Alternative,
    Assign,
    Block,
    Branch,
    Const,
    Decide,
    Expression,
    Get,
    If,
    Program,
    Require,
    Slot,
    Statement,
)
from gdl.core.rebuild import change_block, change_turns, with_blocks, with_parts
from gdl.core.types import NUMBER
from gdl.core.walk import (
    block_expressions,
    filled_slots,
    is_effect,
    numbered,
    statements_in,
)

Part = TypeVar("Part")

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
    sizes = _Sizes()
    if sizes.of(joint) > _MOST_LEFT * sum(map(sizes.of, rests)):
        return [decision]
    ways = tuple(
        Alternative(way.token, (*own, Assign(decision.span, slot, build.number(number))))
        for number, (way, own) in enumerate(zip(decision.alternatives, guards, strict=True))
    )
    return [replace(decision, alternatives=ways), *joint]


def _guards(block: Block) -> Iterator[Statement]:
    sizes = _Sizes()
    return takewhile(lambda s: isinstance(s, Require) and sizes.of((s,)) <= _LARGEST_GUARD, block)


class _Sizes:
    """Tells how large blocks are; what several of them have is weighed once."""

    def __init__(self) -> None:
        self._known = Memo[Expression, int]()

    def of(self, block: Block) -> int:
        """Return how many statements and nodes of expressions a block has."""
        statements = sum(1 for _ in statements_in(block))
        return statements + sum(map(self._of, block_expressions(block)))

    def _of(self, node: Expression) -> int:
        if isinstance(node, Get):
            return 1
        return self._known.get(node) or self._known.keep(node, 1 + sum(map(self._of, node.parts())))


def _in_line(blocks: Sequence[Block]) -> Sequence[Sequence[Statement | None]]:
    """Return blocks of one length, with None where one has nothing for a word of the text."""
    if len({len(block) for block in blocks}) == 1:
        return blocks
    longest = max(blocks, key=len)
    result: list[list[Statement | None]] = []
    for block in blocks:
        pending = list(block)
        line: list[Statement | None] = []
        for other in longest:
            is_same = pending and (type(pending[0]), pending[0].span) == (type(other), other.span)
            line.append(pending.pop(0) if is_same else None)
        if pending:
            raise Unlike
        result.append(line)
    return result


class _Joint(Merger):
    """Makes parts of several cases one; the slot `case` will have the number of the case.

    Parts come as lists with one for each case.
    """

    def __init__(self, case: Slot, cases: int) -> None:
        self._case = Get(case)
        self._names: list[dict[Slot, Slot]] = [{} for _ in range(cases)]
        self._named: list[tuple[int, Slot]] = []
        self._others: set[Slot] = set()  # that have another name in the whole, in some case
        self._of_one_case: set[Slot] = set()
        self._is_in_loop = False

    # ------------------------------------------------------------------- statements

    def block(self, blocks: Sequence[Block]) -> Block:
        """Return one block for several."""
        made: list[Statement] = []
        for statements in zip(*_in_line(blocks), strict=True):
            made += self._statement(statements)
        return tuple(made)

    def _statement(self, some: Sequence[Statement | None]) -> Block:
        """Return one statement for several, as a block; None stands for nothing to be done."""
        all_ = [one for one in some if one is not None]
        if len(all_) < len(some):
            return self._apart(some)
        named = len(self._named)
        try:
            return (self.part(all_),)
        except Unlike:
            self._forget(named)
            return self._apart(all_)

    def _apart(self, all_: Sequence[Statement | None]) -> Block:
        """Return statements of which one is done, as the case says."""
        blocks = [() if one is None else (one,) for one in all_]
        if self._is_in_loop or not all(is_effect(one) for block in blocks for one in block):
            raise Unlike
        if any(node.looks_ahead for block in blocks for node in block_expressions(block)):
            raise Unlike
        own = [
            change_block(block, partial(self._renamed, number))
            for number, block in enumerate(blocks)
        ]
        for number, block in enumerate(blocks):
            local = {slot for slot in filled_slots(block) if not slot.is_state}
            if local & self._names[number].keys():
                raise Unlike
            self._of_one_case |= local
        span = next(one.span for block in blocks for one in block)
        return self._by_case(own, lambda condition, a, b: (Branch(span, condition, a, b),))

    # ------------------------------------------------------------------- expressions

    def expression(self, nodes: Sequence[Expression]) -> Expression:
        """Return one expression for several."""
        first = nodes[0]
        if first.free.isdisjoint(self._others) and all(map(is_, nodes, repeat(first))):
            return first
        if any(node.type != first.type for node in nodes):
            raise Unlike
        named = len(self._named)
        try:
            return self.part(nodes)
        except Unlike:
            self._forget(named)
        if self._is_in_loop or any(node.looks_ahead for node in nodes):
            raise Unlike
        own = list(map(self._renamed, count(), nodes))
        return self._number(own) or self._by_case(own, If)

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

    # ------------------------------------------------------------------------ loops

    def repeated(self, nodes: Sequence[Expression]) -> Expression:
        """Return one expression for several of a loop: it must not ask for the case."""
        with self._in_loop():
            return self.expression(nodes)

    def repeated_block(self, blocks: Sequence[Block]) -> Block:
        """Return one block for several of a loop: it must not ask for the case."""
        with self._in_loop():
            return self.block(blocks)

    @contextmanager
    def _in_loop(self) -> Iterator[None]:
        before, self._is_in_loop = self._is_in_loop, True
        try:
            yield
        finally:
            self._is_in_loop = before

    # -------------------------------------------------------------------------- slots

    def filled(self, slots: Sequence[Slot]) -> Slot:
        """Return the slot that is given a value: the same one, or one in place of several."""
        first = slots[0]
        if all(slot is first for slot in slots):
            return self.read(slots)
        if any(slot.is_state or slot in self._of_one_case for slot in slots):
            raise Unlike
        if not all(are_of_one_kind(slot, first) for slot in slots):
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

    def read(self, slots: Sequence[Slot]) -> Slot:
        """Return the slot that stands for all of these."""
        return self.same(
            [own.get(slot, slot) for own, slot in zip(self._names, slots, strict=True)]
        )

    def _renamed(self, number: int, node: Expression) -> Expression:
        """Return an expression of one case with its slots as they are called in the whole."""
        own = self._names[number]
        if all(own.get(slot, slot) is slot for slot in node.free):
            return node
        if isinstance(node, Get):
            return Get(own[node.slot])
        return with_parts(node, partial(self._renamed, number))

    # -------------------------------------------------------------------------- cases

    def _by_case(
        self, parts: Sequence[Part], choose: Callable[[Expression, Part, Part], Part]
    ) -> Part:
        """Return the part of the case: halves are told apart by the number, until one is left."""
        different: list[tuple[Part, list[int]]] = []
        for number, part in enumerate(parts):
            known = next((numbers for one, numbers in different if one == part), None)
            if known is None:
                different.append((part, [number]))
            else:
                known.append(number)
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
