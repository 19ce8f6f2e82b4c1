"""Which unordered choices need not be tried in both orders.

In: a program, and the block of one of its turns. Out: the slots of those choices, unordered with
an earlier one, for which exchanging the two is proven to be legal whenever the one order is, and
to lead to the same position. What is not understood is not proven.

The block is carried out with two symbols for the two sites. Every value is an expression over
the values at the start and the symbols. A path is proven when, at some point after the second
choice, all that can still be read is the same with the symbols exchanged, and so is all that
had to hold on the way. The two sites may be taken to differ: one site twice is no move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gdl.board.relation import Relation
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    Choose,
    Decide,
    Decision,
    Expression,
    ForEach,
    Get,
    Op,
    Program,
    Repeat,
    Require,
    Say,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.rebuild import change_block
from gdl.core.types import FLAG, SITES
from gdl.core.walk import filled_slots, read_slots, slots_read_outside_turns, statements_in
from gdl.data_classes import dataclass
from gdl.optimise.algebra.cost import Costs
from gdl.optimise.algebra.terms import Terms
from gdl.optimise.sets import conjuncts

_MOST_PATHS = 256

Atom = tuple[object, ...]
_DIFFERENT: Atom = ("different",)


class _Unproven(Exception):
    """Something on the way is not understood."""


@dataclass(frozen=True)
class _Path:
    """A way through the block: what is still to be done, what each slot holds, what had to hold.

    So many of the pair are `chosen`. Something on it `may_fail` for the first site that would not
    for the second.
    """

    rest: Block
    values: Mapping[Slot, Expression]
    facts: tuple[Expression, ...] = ()
    chosen: int = 0
    may_fail: bool = False


def proven_unordered(program: Program, turn: Block, size: int) -> frozenset[Slot]:
    """Return the slots of unordered choices of a turn whose order is proven not to matter.

    `size` is the number of the board's sites. If the choice of a slot stands in several places
    of the turn, all of them are proven.
    """
    pairs = {
        (statement.unordered_with, statement.slot)
        for statement in statements_in(turn)
        if isinstance(statement, Choose) and statement.unordered_with is not None
    }
    unproven = {
        second for first, second in pairs if not _Proof(program, size, first, second).holds(turn)
    }
    return frozenset(second for _, second in pairs) - unproven


class _Proof:
    """Proves it of a `first` and a `second` choice, whose sites two symbols stand for."""

    def __init__(self, program: Program, size: int, first: Slot, second: Slot) -> None:
        self._terms = Terms(size)
        self._first = first
        self._second = second
        self._symbols = (Slot("a", SITES), Slot("b", SITES))
        self._terms.add_singles(set(self._symbols))
        self._costs = Costs(self._terms)
        self._normal: dict[int, Expression] = {}
        self._kept = program.lasting_slots | slots_read_outside_turns(program)
        self._proven_choices: set[Decision] = set()

    def holds(self, turn: Block) -> bool:
        """Whether every path to the second choice is proven."""
        turn = change_block(turn, self._terms.intern)
        places = [
            statement.decision
            for statement in statements_in(turn)
            if isinstance(statement, Choose) and self._is_second(statement)
        ]
        try:
            self._follow(turn)
        except _Unproven:
            return False
        return self._proven_choices.issuperset(places)

    def _follow(self, turn: Block) -> None:
        pending = [_Path(turn, {})]
        number = 0
        while pending:
            number += 1
            if number > _MOST_PATHS:
                raise _Unproven
            path = pending.pop()
            while path.rest:
                if path.chosen == 2 and self._is_symmetric(path):
                    break
                ways = list(self._ways(path))
                if len(ways) != 1:
                    pending.extend(ways)
                    break
                (path,) = ways
            else:
                if path.chosen == 2 and not self._is_symmetric(path):
                    raise _Unproven

    # --------------------------------------------------------------------- statements

    def _ways(self, path: _Path) -> Iterator[_Path]:
        """Yield the paths after the first statement of what is still to be done."""
        statement, rest = path.rest[0], path.rest[1:]
        path = replace(path, rest=rest)
        match statement:
            case Assign(_, slot, value):
                made = self._value(path, value)
                if not self._costs.fits(slot, made):
                    path = self._in_doubt(path, made)
                yield self._with(path, slot, made)
            case Branch(_, condition, then, otherwise):
                fact = self._value(path, condition)
                opposite = self._terms.negation(fact)
                yield replace(self._with_fact(path, fact), rest=(*then, *rest))
                yield replace(self._with_fact(path, opposite), rest=(*otherwise, *rest))
            case Require(_, condition):
                yield self._with_fact(path, self._value(path, condition))
            case Say():
                yield path
            case Decide(_, alternatives):
                for way in alternatives:
                    yield replace(path, rest=(*way.body, *rest))
            case Choose():
                yield self._chosen(path, statement)
            case AssignAt() | ForEach() | Repeat():
                yield self._unknown(path, statement)
            case _:
                raise _Unproven

    def _in_doubt(self, path: _Path, value: Expression) -> _Path:
        """Return a path on which a value may be an error: maybe in one order of the sites alone."""
        is_symmetric = self._exchanged(value) is value
        if path.chosen < 2:
            return path if is_symmetric else replace(path, may_fail=True)
        if not is_symmetric or not self._facts_are_symmetric(path.facts):
            raise _Unproven
        return path

    def _with(self, path: _Path, slot: Slot, value: Expression) -> _Path:
        return replace(path, values={**path.values, slot: value})

    def _with_fact(self, path: _Path, fact: Expression) -> _Path:
        if fact.free.isdisjoint(self._symbols):
            return path
        return replace(path, facts=(*path.facts, *conjuncts(self._terms, fact)))

    def _value(self, path: _Path, node: Expression) -> Expression:
        """Return a value in terms of the start and the symbols."""
        terms = self._terms
        if node.looks_ahead:
            if path.chosen:
                raise _Unproven
            return terms.get(Slot("unknown", node.type))
        return self._with_values(node, path.values)

    def _with_values(self, node: Expression, values: Mapping[Slot, Expression]) -> Expression:
        """Return an expression with values in place of slots, in the one form that it has."""
        value = self._terms.substitute_all(node, values)
        return self._terms.rewrite(value, self._in_normal_form, self._normal)

    def _is_second(self, choice: Choose) -> bool:
        return choice.slot is self._second and choice.unordered_with is self._first

    def _chosen(self, path: _Path, choice: Choose) -> _Path:
        is_second = self._is_second(choice)
        if is_second and path.chosen == 1 and not path.may_fail:
            self._proven_choices.add(choice.decision)
        elif is_second or path.chosen:
            raise _Unproven
        elif choice.slot is not self._first or not isinstance(choice.domain, SitesOf):
            return self._unknown(path, choice)
        assert isinstance(choice.domain, SitesOf)
        terms = self._terms
        symbol = terms.get(self._symbols[path.chosen])
        among = self._value(path, choice.domain.sites)
        member = terms.raw(Op("subset", (symbol, among), FLAG))
        path = replace(path, facts=(*path.facts, member), chosen=path.chosen + 1)
        return self._with(path, choice.slot, symbol)

    def _unknown(self, path: _Path, statement: Statement) -> _Path:
        """Forget what a statement before the first choice may change."""
        changed = filled_slots((statement,))
        if path.chosen or self._first in changed or self._second in changed:
            raise _Unproven
        for slot in changed:
            path = self._with(path, slot, self._terms.get(replace(slot, is_state=False)))
        return path

    # ----------------------------------------------------------------------- symmetry

    def _is_symmetric(self, path: _Path) -> bool:
        kept_elsewhere = {s.slot for s in statements_in(path.rest) if isinstance(s, AssignAt)}
        read = self._kept | read_slots(path.rest) | kept_elsewhere
        return all(
            self._exchanged(value) is value for slot, value in path.values.items() if slot in read
        ) and self._facts_are_symmetric(path.facts)

    def _exchanged(self, node: Expression) -> Expression:
        terms, (a, b) = self._terms, self._symbols
        return self._with_values(node, {a: terms.get(b), b: terms.get(a)})

    def _facts_are_symmetric(self, facts: Sequence[Expression]) -> bool:
        known = {_DIFFERENT}.union(*map(self._atoms, facts))
        return all(self._follows(self._exchanged(fact), known) for fact in facts)

    def _follows(self, fact: Expression, known: set[Atom]) -> bool:
        if known.issuperset(self._atoms(fact)):
            return True
        if isinstance(fact, Op) and fact.name == "some":
            return any(
                known.issuperset(self._members(symbol, fact.arguments[0]))
                for symbol in self._symbols
            )
        return False

    def _atoms(self, fact: Expression) -> set[Atom]:
        """Return simple facts that hold together if and only if a fact does."""
        if isinstance(fact, Op) and fact.name == "subset":
            part, of = fact.arguments
            if isinstance(part, Get) and part.slot in self._symbols:
                return self._members(part.slot, of)
        return {("holds", id(fact))}

    def _members(self, symbol: Slot, among: Expression) -> set[Atom]:
        """Return simple facts that make a symbol one of a set."""
        if isinstance(among, Op):
            if among.name == "intersection":
                return set().union(*(self._members(symbol, part) for part in among.arguments))
            if among.name == "difference":
                left, right = among.arguments
                return self._members(symbol, left) | self._strangers(symbol, right)
        related = self._related(symbol, among)
        if related is not None:
            return {related}
        if among is self._terms.get(symbol) or among is self._terms.everywhere:
            return set()
        return {("in", symbol, id(among))}

    def _strangers(self, symbol: Slot, among: Expression) -> set[Atom]:
        """Return simple facts that make a symbol none of a set."""
        if isinstance(among, Op) and among.name == "union":
            return set().union(*(self._strangers(symbol, part) for part in among.arguments))
        if self._is_other(symbol, among):
            return {_DIFFERENT}
        related = self._related(symbol, among)
        if related is not None:
            return {("not", *related)}
        return {("out", symbol, id(among))}

    def _is_other(self, symbol: Slot, node: Expression) -> bool:
        return isinstance(node, Get) and node.slot in self._symbols and node.slot is not symbol

    def _related(self, symbol: Slot, among: Expression) -> Atom | None:
        """Return how the second symbol is related to the first, if a fact tells just that."""
        match among:
            case Op("image", (source,), _, Relation() as relation) if self._is_other(
                symbol, source
            ):
                relation = self._terms.relation(relation)
                if symbol is self._symbols[0]:
                    relation = self._terms.inverse(relation)
                return ("related", id(relation))
        return None

    def _in_normal_form(self, node: Expression) -> Expression:
        """Return the one form of sets that differ only in the order of what is added."""
        if not isinstance(node, Op):
            return node
        terms = self._terms
        if node.name == "difference":
            left, right = node.arguments
            if isinstance(left, Op) and left.name == "difference":
                removed = self._in_normal_form(terms.union(left.arguments[1], right))
                return terms.difference(left.arguments[0], removed)
            return node
        if node.name == "union":
            node = self._without_removals(node)
        if isinstance(node, Op) and node.name in ("union", "intersection"):
            arguments = tuple(sorted(node.arguments, key=id))
            return terms.raw(Op(node.name, arguments, node.of))
        return node

    def _without_removals(self, node: Op) -> Expression:
        """Keep in a union what is taken out of one part and stands in others anyway."""
        parts = set(map(id, node.arguments))
        kept = []
        for part in node.arguments:
            match part:
                case Op("difference", (left, Op("union", removed))):
                    pass
                case Op("difference", (left, right)):
                    removed = (right,)
                case _:
                    left, removed = part, (part,)
            kept.append(left if parts.issuperset(map(id, removed)) else part)
        return self._terms.union(*kept)
