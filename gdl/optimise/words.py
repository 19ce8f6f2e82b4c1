"""Local words that only stand for something else: what they stand for takes their place.

In: a program. Out: the same program, in which a word for a choice or for a known value is replaced
by that, and a word for a set that one choice alone is made from is replaced by the set. What then
holds: the decisions are the same, words are gone that nothing reads, and the passes after this one
see which site it is that a piece is placed on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from gdl.core.memo import Memo
from gdl.core.nodes import (
    Assign,
    Block,
    Can,
    Choose,
    Const,
    Expression,
    ForEach,
    Get,
    GetAt,
    Program,
    Repeat,
    SitesOf,
    Slot,
    Statement,
    Times,
)
from gdl.core.rebuild import change_turns, with_blocks, with_expressions
from gdl.core.types import SITES
from gdl.core.walk import (
    expressions_of,
    filled_slots,
    program_statements,
    read_slots,
    slots_read_outside_turns,
    statements_in,
)
from gdl.optimise.algebra.cost import Costs
from gdl.optimise.algebra.terms import Terms

Words = Mapping[Slot, Expression]


def replace_words(program: Program, terms: Terms) -> Program:
    """Replace local words by what they stand for."""
    kept = program.lasting_slots
    statements = list(program_statements(program))
    once: set[Slot] = set()
    if not _sets_chosen_from(statements).isdisjoint(_sets_named(statements, kept)):
        used = _Uses(kept).within(statements)
        once = {slot for slot, number in used.items() if number == 1}
    replacer = _Replacer(terms, kept, once)
    program = change_turns(program, lambda block: replacer.block(block, {}))
    read = slots_read_outside_turns(program).union(kept, _read_in_turns(program))
    return change_turns(program, _WithoutUnread(terms, read).block)


def _sets_chosen_from(statements: Iterable[Statement]) -> frozenset[Slot]:
    """Return the slots that the sets which choices are made from depend on."""
    domains = (s.domain for s in statements if isinstance(s, Choose))
    return frozenset[Slot]().union(*(d.sites.free for d in domains if isinstance(d, SitesOf)))


def _sets_named(statements: Iterable[Statement], kept: AbstractSet[Slot]) -> set[Slot]:
    """Return the words for sets that are given their value by assignments."""
    assigned = {s.slot for s in statements if isinstance(s, Assign)}
    return {slot for slot in assigned if slot.type == SITES and slot not in kept}


class _Replacer:
    """Replaces words; slots that are `kept` are none, those read `once` may stand for a set."""

    def __init__(self, terms: Terms, kept: AbstractSet[Slot], once: AbstractSet[Slot]) -> None:
        self._terms = terms
        self._costs = Costs(terms)
        self._kept = kept
        self._once = once

    def block(self, block: Block, words: Words) -> Block:
        """Return a block without the words that are known at its beginning, and its own."""
        result: list[Statement] = []
        for place, statement in enumerate(block):
            sets = self._sets_before(block, place) if isinstance(statement, Choose) else {}
            result.append(self._statement(statement, {**words, **sets}))
            words = _left(words, filled_slots((statement,)))
            match result[-1]:
                case Assign(_, slot, value) if self._stands_for(slot, value):
                    words = {**words, slot: self._terms.intern(value)}
        return tuple(result)

    def _stands_for(self, slot: Slot, value: Expression) -> bool:
        """Return whether a slot is a word for a known value, or for another local."""
        is_local = isinstance(value, Get) and value.slot not in self._kept
        is_word = slot not in self._kept and _is_any(slot) and slot.type == value.type
        return is_word and (isinstance(value, Const) or is_local) and slot not in value.free

    def _statement(self, statement: Statement, words: Words) -> Statement:
        inner = words
        if isinstance(statement, ForEach | Repeat):
            inner = _left(words, filled_slots((statement,)))
        own = inner if isinstance(statement, Repeat) else words

        def changed(node: Expression) -> Expression:
            known = {slot: own[slot] for slot in node.free if slot in own}
            if not known or node.looks_ahead:
                return node
            return self._terms.substitute_all(self._terms.intern(node), known)

        return with_blocks(
            with_expressions(statement, changed), lambda block: self.block(block, inner)
        )

    def _sets_before(self, block: Block, place: int) -> Words:
        """Return the sets that words stand for which are read by a choice and nowhere else."""
        choice = block[place]
        assert isinstance(choice, Choose), "only choices are made from sets"
        if not isinstance(choice.domain, SitesOf):
            return {}
        wanted = choice.domain.sites.free & self._once
        found: dict[Slot, Expression] = {}
        changed: set[Slot] = set()
        for statement in reversed(block[:place]):
            if not isinstance(statement, Assign):
                break
            value = self._terms.intern(statement.value)
            slot, is_same = statement.slot, not (value.free | {statement.slot}) & changed
            is_word = slot in wanted and slot not in self._kept and value.type == SITES
            if is_word and is_same and self._costs.is_safe(value):
                found[slot] = value
            changed.add(slot)
        return found


def _left(words: Words, changed: AbstractSet[Slot]) -> Words:
    """Return the words that stand for the same still, after some slots have changed."""
    return {
        word: value
        for word, value in words.items()
        if word not in changed and not value.free & changed
    }


def _read_in_turns(program: Program) -> Iterator[Slot]:
    """Yield the slots that statements read."""
    for turn in program.turns:
        yield from read_slots(turn.program)
        for statement in statements_in(turn.program):
            yield from _read_besides(statement)


def _read_besides(statement: Statement) -> Iterator[Slot]:
    """Yield the slots that a statement reads outside of its expressions."""
    if isinstance(statement, Repeat):
        yield from statement.compared
    if isinstance(statement, Choose) and statement.unordered_with is not None:
        yield statement.unordered_with


class _Uses:
    """Counts how often slots are read, but for some that are `kept` anyway."""

    def __init__(self, kept: AbstractSet[Slot]) -> None:
        self._kept = kept
        self._known = Memo[Expression, Mapping[Slot, int]]()

    def within(self, statements: Iterable[Statement]) -> Mapping[Slot, int]:
        """Return how often statements read each slot that they read at all."""
        found: Counter[Slot] = Counter()
        for statement in statements:
            found.update(_read_besides(statement))
            for expression in expressions_of(statement):
                found.update(self._of(expression))
        return found

    def _of(self, node: Expression) -> Mapping[Slot, int]:
        return self._known.of(node, self._counted)

    def _counted(self, node: Expression) -> Mapping[Slot, int]:
        if node.free <= self._kept:
            return _NEVER
        if isinstance(node, Get):
            return {node.slot: 1}
        parts = node.parts()
        several = [uses for part in parts if (uses := self._of(part))]
        if isinstance(node, GetAt | Times | Can):
            several.append(dict.fromkeys(node.free.difference(*(part.free for part in parts)), 1))
        if len(several) == 1:
            return several[0]
        found: dict[Slot, int] = {}
        for uses in several:
            for slot, number in uses.items():
                found[slot] = found.get(slot, 0) + number
        return found


_NEVER: Mapping[Slot, int] = {}


class _WithoutUnread:
    """Leaves out the values of words that are not `read`."""

    def __init__(self, terms: Terms, read: AbstractSet[Slot]) -> None:
        self._terms = terms
        self._costs = Costs(terms)
        self._read = read

    def block(self, block: Block) -> Block:
        """Return a block without values for words that nothing reads."""
        return tuple(with_blocks(s, self.block) for s in block if not self._is_unread(s))

    def _is_unread(self, statement: Statement) -> bool:
        return (
            isinstance(statement, Assign)
            and statement.slot not in self._read
            and _is_any(statement.slot)
            and self._costs.is_safe(self._terms.intern(statement.value))
        )


def _is_any(slot: Slot) -> bool:
    """Return whether a word may stand for any value of its type."""
    return slot.low is None and slot.high is None
