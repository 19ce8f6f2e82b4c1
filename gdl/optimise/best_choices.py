"""Only the best are legal: what decides that is told of choices, before any of them is made.

In: a program. Out: the same program, in which a turn that keeps the ways of the greatest value
(`keep most`) chooses among the best ones only, and compares no values any more. What then holds:
the legal moves are the same in the same order.

So it is done with a turn of one or two choices of sites, after which nothing can fail, whose value
is more the fewer pieces are left of some layers, or a number known on each way. What it takes is
told by following its statements, with the choices as variables; that it takes at least one piece,
or two, is a condition on them, and for which first choices some second one fulfils it is worked out
for all sites at once (`Where`). Ways that no choices lead to are left out of account: a king that
steps to a neighbour does not castle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import reduce
from itertools import combinations, takewhile, zip_longest
from operator import is_

from gdl.board.relation import Relation
from gdl.core.build import flattened
from gdl.core.known import all_known
from gdl.core.memo import Memo
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    Choose,
    Const,
    Decide,
    Expression,
    ForEach,
    Get,
    If,
    Let,
    Op,
    Program,
    Say,
    SitesOf,
    Slot,
    Statement,
    Times,
)
from gdl.core.rebuild import change_turns
from gdl.core.singles import always_single_slots, is_single
from gdl.core.types import SITES
from gdl.core.walk import changed_slots, expressions_in, filled_slots, is_effect
from gdl.data_classes import dataclass
from gdl.optimise.algebra.cost import Costs
from gdl.optimise.algebra.linear import static_relation
from gdl.optimise.algebra.terms import Terms
from gdl.optimise.algebra.where import Where, as_functions
from gdl.optimise.disjoint_layers import clear_of
from gdl.optimise.look_ahead import Needs

_MOST_CHOICES = 2
"""How many choices a turn may have."""
_MOST_PATHS = 64
"""How many ways through what follows the choices are looked at."""
_MOST_GAINED = 3
"""By how much the best may be better than the least: each step is asked for by itself."""
_MOST_TRIED = 20_000
"""For how many pairs of choices it is tried whether a set has one site at most."""
_LIGHT = 10
"""A condition of more operations is taken for one that may hold."""
_HEAVIEST = 3000
"""A set that takes more operations is found at the cost of a search."""


def choose_the_best(program: Program, terms: Terms) -> Program:
    """Choose among the ways of the greatest value alone, where choices tell which these are."""
    best = program.system.best
    if best is None:
        return program
    singles = always_single_slots(program)

    def of_turn(block: Block) -> Block:
        own = Terms(terms.size, terms.layers)
        own.add_singles(singles)
        try:
            return _Turn(own, program.layers, best).changed(block)
        except _NotKnownError:
            return block

    return change_turns(program, of_turn)


class _NotKnownError(Exception):
    """Which ways are the best can't be told of choices."""


_Values = Mapping[Slot, Expression]
"""What slots hold, over the values where the choices are made."""
_Parts = tuple[Statement | Expression, ...]
"""The statements of a block, and the values that they read."""


@dataclass(frozen=True)
class _Grade:
    """A value: what is the same on all ways, and conditions of its being more by 1, by 2, …"""

    common: object = None
    more: tuple[Expression, ...] = ()


class _Turn:
    """Looks at one turn, whose ways have the value of the slot `best`."""

    def __init__(self, terms: Terms, layers: Sequence[Slot], best: Slot) -> None:
        self._terms = terms
        self._layers = layers
        self._costs = Costs(terms)
        self._needs = Needs()
        self._best = best
        self._choices: tuple[Choose, ...] = ()
        self._domains: tuple[Expression, ...] = ()
        self._paths = _MOST_PATHS
        self._done: dict[int, Expression] = {}
        self._grades = Memo[Statement, list[tuple[tuple[Slot, ...], _Parts, _Grade]]]()
        self._asked = 0
        self._clear = frozenset[Slot]()

    def changed(self, block: Block) -> Block:
        """Return a turn in which only what is best is chosen. Raises _NotKnownError."""
        start = next((n for n, each in enumerate(block) if not is_effect(each)), len(block))
        choices = tuple(takewhile(lambda each: isinstance(each, Choose), block[start:]))
        after, last = block[start + len(choices) : -1], block[-1:]
        is_last = any(isinstance(each, Assign) and each.slot is self._best for each in last)
        if not is_last or self._best in changed_slots(block[:-1]):
            raise _NotKnownError
        if not 0 < len(choices) <= _MOST_CHOICES:
            raise _NotKnownError
        self._choices = tuple(each for each in choices if isinstance(each, Choose))
        if any(map(self._may_fail, self._unlike(after))):
            raise _NotKnownError
        self._domains = tuple(map(self._chosen_from, self._choices))
        self._clear = clear_of(self._domains[-1], self._terms)
        grade = self._grade((*after, *last), {}, self._terms.yes)
        asked, chosen = self._among_the_best(grade.more)
        return (*block[:start], *asked, *chosen, *after)

    def _unlike(self, block: Block) -> Iterator[Statement]:
        """Yield the statements that may differ by the way; an error of others comes on all ways."""
        changed = {choice.slot for choice in self._choices}
        for statement in block:
            is_same = isinstance(statement, Assign) and statement.value.free.isdisjoint(changed)
            changed |= filled_slots((statement,))
            if not is_same:
                yield statement

    def _may_fail(self, statement: Statement) -> bool:
        """Return whether a way may end at a statement, in an error too, or more is chosen in it."""
        costs, intern = self._costs, self._terms.intern
        match statement:
            case Say():
                return False
            case Assign(_, slot, value):
                return not costs.fits(slot, intern(value))
            case AssignAt(_, slot, sites, value):
                return not costs.is_safe(intern(sites)) or not costs.fits(slot, intern(value))
            case Branch(_, condition, then, otherwise):
                inside = (*then, *otherwise)
                return not costs.is_safe(intern(condition)) or any(map(self._may_fail, inside))
            case Decide(_, alternatives) if alternatives:
                return any(map(self._may_fail, (each for way in alternatives for each in way.body)))
            case ForEach(_, _, SitesOf(sites), body):
                return not costs.is_safe(intern(sites)) or any(map(self._may_fail, body))
        return True

    def _chosen_from(self, choice: Choose) -> Expression:
        """Return the sites that a choice is among, and note of which layers they are."""
        terms = self._terms
        if not isinstance(choice.domain, SitesOf) or choice.unordered_with is not None:
            raise _NotKnownError
        sites = terms.intern(choice.domain.sites)
        if not self._costs.is_safe(sites):
            raise _NotKnownError
        layers = terms.layers_of(sites)
        if layers is not None:
            terms.within[choice.slot] = layers
        return sites

    def _among_the_best(self, more: Sequence[Expression]) -> tuple[Block, Block]:
        """Return what is asked before the choices, and the choices among the best ways alone."""
        terms = self._terms
        asked = list[Statement]()
        domains = list(self._domains)
        for condition in more:
            sites, inner = self._reached(condition)
            if sites is terms.nowhere:
                break
            slot = Slot("best", SITES)
            asked.append(Assign(None, slot, sites))
            test = terms.some(terms.get(slot))
            domains[0] = terms.conditional(test, terms.get(slot), domains[0])
            if inner is not None:
                best = terms.intersection(self._domains[1], inner)
                domains[1] = terms.conditional(test, best, domains[1])
        pairs = zip(self._choices, domains, strict=True)
        return tuple(asked), tuple(replace(c, domain=SitesOf(among)) for c, among in pairs)

    def _reached(self, condition: Expression) -> tuple[Expression, Expression | None]:
        """Return for which first sites a condition holds after some second choice.

        With two choices, also the second sites for which it holds, whatever they are among.
        """
        terms, first = self._terms, self._choices[0].slot
        where = Where(terms, self._costs, first)
        if len(self._domains) == 1:
            return self._known_sites(where.holds(condition)), None
        inner = Where(terms, self._costs, self._choices[1].slot).holds(condition)
        if inner is None:
            raise _NotKnownError
        found = where.holds(terms.some(terms.intersection(self._domains[1], inner)))
        if found is None:
            cases = self._cases(condition)
            found = None if cases is None else where.holds(terms.disjunction(*cases))
        return self._known_sites(found), inner

    def _known_sites(self, found: Expression | None) -> Expression:
        """Return those sites of the first choice that were found, if it is not too dear to do so.

        Raises _NotKnownError.
        """
        if found is None:
            raise _NotKnownError
        sites = self._terms.intersection(self._domains[0], found)
        if self._costs.weight(sites) > _HEAVIEST:
            raise _NotKnownError
        return sites

    def _cases(self, condition: Expression) -> list[Expression] | None:
        """Return conditions of the first site alone, one of which holds if one on both does.

        They are for each way in which one site leads to one other. None if there are no such ways.
        """
        terms, (first, second) = self._terms, (choice.slot for choice in self._choices)
        cases = list[Expression]()
        for part in self._parts(self._domains[1]):
            relation = self._leads(part, first)
            functions = None if relation is None else as_functions(relation)
            if functions is None:
                return None
            for function in functions:
                site = terms.image(terms.relation(function), terms.get(first))
                there = terms.some(terms.intersection(part, site))
                cases.append(terms.conjunction(there, terms.substitute(condition, second, site)))
        return cases

    def _parts(self, node: Expression) -> Iterator[Expression]:
        """Yield sets of which a set is the union."""
        terms = self._terms
        match node:
            case Op("union", parts):
                for part in parts:
                    yield from self._parts(part)
            case Op("difference", (whole, away)):
                for part in self._parts(whole):
                    yield terms.difference(part, away)
            case Let():
                bound = terms.open(node)
                yield from self._parts(terms.substitute(bound.body, bound.slot, bound.value))
            case _:
                yield node

    # --------------------------------------------------------------------- values

    def _grade(self, block: Block, values: _Values, known: Expression) -> _Grade:
        """Return the value at the end of a block, where a condition on the choices is `known`.

        What was found where nothing of what is known mattered is found once.
        """
        needed = self._needs.before(block, frozenset((self._best,)))
        values = {slot: value for slot, value in values.items() if slot in needed}
        slots, parts = tuple(values), (*block, *values.values())
        found = self._grades.of(block[0], lambda _: [])
        for others, before, grade in found:
            is_same = slots == others and len(before) == len(parts)
            if is_same and all(map(is_, before, parts)):
                return grade
        asked = self._asked
        grade = self._graded_anew(block, values, known)
        if self._asked == asked:
            found.append((slots, parts, grade))
        return grade

    def _graded_anew(self, block: Block, values: _Values, known: Expression) -> _Grade:
        self._paths -= 1
        if self._paths < 0:
            raise _NotKnownError
        for place, statement in enumerate(block):
            rest = block[place + 1 :]
            if is_effect(statement):
                filled = self._needs.filled(statement)
                if filled.isdisjoint(self._needs.before(rest, frozenset((self._best,)))):
                    continue
            match statement:
                case Say():
                    continue
                case Assign(_, slot, value):
                    values = {**values, slot: self._known(value, values)}
                case Branch(_, condition, then, otherwise):
                    test = self._known(condition, values)
                    ways = ((test, then), (self._terms.negation(test), otherwise))
                    grades = [
                        grade
                        for holds, way in ways
                        if (grade := self._if_ever((*way, *rest), values, known, holds)) is not None
                    ]
                    if not grades:
                        raise _NotKnownError
                    return grades[0] if len(grades) < 2 else self._either(test, *grades)
                case Decide(_, alternatives):
                    first, *others = (
                        self._grade((*way.body, *rest), values, known) for way in alternatives
                    )
                    if any(grade != first for grade in others):
                        raise _NotKnownError
                    return first
                case _:
                    raise _NotKnownError
        return self._graded(values[self._best], 1)

    def _if_ever(
        self, block: Block, values: _Values, known: Expression, condition: Expression
    ) -> _Grade | None:
        """Return the value where a condition holds; None if it never does, as far as that is told.

        Only of light conditions on all choices is it asked whether they ever hold.
        """
        slots = {choice.slot for choice in self._choices}
        if slots <= condition.free and self._costs.weight(condition) <= _LIGHT:
            self._asked += 1
            if self._is_never(known, condition):
                return None
        return self._grade(block, values, self._terms.conjunction(known, condition))

    def _known(self, node: Expression, values: _Values) -> Expression:
        found = self._costs.known_before(node, values)
        if found is None or any(isinstance(part, Times) for part in expressions_in(found)):
            raise _NotKnownError
        return self._terms.rewrite(found, lambda part: part, self._done)

    def _is_never(self, known: Expression, condition: Expression) -> bool:
        """Return whether no choices fulfil a condition, as far as kinds and lines tell."""
        terms, first = self._terms, self._choices[0].slot
        layers = terms.within.get(first)
        for part in (*flattened("and", (known,)), *flattened("and", (condition,))):
            layers = _cut(layers, first, part, terms)
        one = Slot(first.name, SITES)
        terms.singles.add(one)
        if layers is not None:
            terms.within[one] = layers
        condition = terms.substitute(condition, first, terms.get(one))
        if len(self._domains) > 1:
            second = self._choices[1].slot
            there = Where(terms, self._costs, second).holds(condition)
            if there is None:
                return False
            sites = terms.substitute(self._domains[1], first, terms.get(one))
            condition = terms.some(terms.intersection(sites, there))
        return Where(terms, self._costs, one).holds(condition) is terms.nowhere

    def _either(self, test: Expression, then: _Grade, otherwise: _Grade) -> _Grade:
        """Return the one of two values that a condition tells."""
        if then.common != otherwise.common:
            raise _NotKnownError
        terms = self._terms
        pairs = zip_longest(then.more, otherwise.more, fillvalue=terms.no)
        return _Grade(then.common, tuple(terms.conditional(test, *pair) for pair in pairs))

    def _graded(self, node: Expression, sign: int) -> _Grade:
        """Return a value, or its opposite if the sign is -1."""
        match node:
            case Const(int(value)) if 0 <= sign * value <= _MOST_GAINED:
                return _Grade(None, (self._terms.yes,) * (sign * value))
            case If(test, then, otherwise):
                return self._either(test, self._graded(then, sign), self._graded(otherwise, sign))
            case Op("subtract", (Const(value), other)):
                grade = self._graded(other, -sign)
                return _Grade((value, grade.common), grade.more)
            case Op("count", (sites,)) if sign < 0:
                return self._lost(sites)
        raise _NotKnownError

    def _lost(self, sites: Expression) -> _Grade:
        """Return how many sites less than at first are in a union of layers."""
        lost: dict[Slot, Expression] = {}
        self._take(sites, self._terms.nowhere, lost)
        return self._number_lost({slot: lost[slot] for slot in self._layers if slot in lost})

    def _take(self, node: Expression, away: Expression, lost: dict[Slot, Expression]) -> None:
        """Note what each layer in a union has lost, from which some sites are taken away."""
        terms = self._terms
        match node:
            case Op("union", parts):
                for part in parts:
                    self._take(part, away, lost)
            case Op("difference", (whole, more)):
                self._take(whole, terms.union(away, more), lost)
            case Op("intersection", parts) if any(_lacks(part, parts) for part in parts):
                pass
            case Get(slot) if slot in terms.layers and slot not in lost:
                lost[slot] = away
            case _:
                raise _NotKnownError

    def _number_lost(self, lost: Mapping[Slot, Expression]) -> _Grade:
        """Return how many sites some layers have lost: for each, some sets were taken away."""
        terms = self._terms
        for part in (part for away in lost.values() for part in flattened("union", (away,))):
            if isinstance(part, If):
                ways = [
                    {
                        slot: terms.union(
                            *(way if each is part else each for each in flattened("union", (away,)))
                        )
                        for slot, away in lost.items()
                    }
                    for way in (part.then, part.otherwise)
                ]
                return self._either(part.condition, *map(self._number_lost, ways))
        among = Memo[Expression, Expression]()
        for slot, away in lost.items():
            for part in flattened("union", (away,)):
                before = among.get(part) or terms.nowhere
                among.keep(part, terms.union(before, terms.get(slot)))
        last = terms.get(self._choices[-1].slot)
        hits = [
            terms.intersection(part, within)
            for part, within in among.items()
            if part is not last or not (terms.layers_of(within) or terms.layers) <= self._clear
        ]
        hits = [hit for hit in hits if hit is not terms.nowhere]
        if len(hits) > _MOST_GAINED or not all(map(self._is_single, hits)):
            raise _NotKnownError
        more = tuple(
            terms.disjunction(*(self._different(some) for some in combinations(hits, number)))
            for number in range(1, len(hits) + 1)
        )
        return _Grade(frozenset(lost), more)

    def _is_single(self, node: Expression) -> bool:
        """Return whether a set has one site at most: as it is made, or for all choices by trial."""
        if is_single(node, self._terms.singles):
            return True
        if len(self._choices) < 2:
            return False
        first, second = (choice.slot for choice in self._choices)
        pairs = self._leads(self._domains[1], first)
        ways = list(flattened("intersection", (node,)))
        one, other = (
            next((found for way in ways if (found := static_relation(self._terms, way, s))), None)
            for s in (first, second)
        )
        if pairs is None or one is None or other is None or pairs.pair_count > _MOST_TRIED:
            return False
        return all(
            (one.image(1 << a) & other.image(1 << b)).bit_count() <= 1 for a, b in pairs.pairs()
        )

    def _leads(self, node: Expression, slot: Slot) -> Relation | None:
        """Return a relation that leads from a single site to all sites of a set, and to others."""
        known = static_relation(self._terms, node, slot)
        if known is not None:
            return known
        match node:
            case Op("image", (of,), payload=Relation() as relation):
                before = self._leads(of, slot)
                return None if before is None else before.compose(relation)
            case Op("difference", (whole, _)):
                return self._leads(whole, slot)
            case Op("intersection", parts):
                return next((one for part in parts if (one := self._leads(part, slot))), None)
            case If(_, then, otherwise):
                return self._joined((then, otherwise), slot)
            case Op("union", parts):
                return self._joined(parts, slot)
            case Const(0):
                return Relation.empty(self._terms.size)
            case Let():
                bound = self._terms.open(node)
                whole = self._terms.substitute(bound.body, bound.slot, bound.value)
                return self._leads(whole, slot)
        return None

    def _joined(self, sets: Sequence[Expression], slot: Slot) -> Relation | None:
        """Return a relation that leads to all sites of several sets."""
        found = all_known([self._leads(each, slot) for each in sets])
        return None if found is None else reduce(Relation.union, found)

    def _different(self, sites: Sequence[Expression]) -> Expression:
        """Return whether each of some sets has a site that none of the others has."""
        terms = self._terms
        tests = list[Expression]()
        for place, each in enumerate(sites):
            others = [other for other in sites[:place] if not self._is_apart(each, other)]
            tests.append(terms.some(terms.difference(each, terms.union(*others))))
        return terms.conjunction(*tests)

    def _is_apart(self, one: Expression, other: Expression) -> bool:
        """Return whether two sets never share a site, since relations lead to them."""
        slot = self._choices[-1].slot
        ways = [
            relation
            for each in (one, other)
            for part in flattened("intersection", (each,))
            if (relation := static_relation(self._terms, part, slot)) is not None
        ]
        return len(ways) == 2 and not ways[0].intersection(ways[1]).offset_classes


def _cut(
    layers: AbstractSet[Slot] | None, slot: Slot, condition: Expression, terms: Terms
) -> frozenset[Slot] | None:
    """Return of which layers a chosen site is, by a condition; None if it may be of none."""
    test, is_not = condition, False
    match condition:
        case Op("not", (opposite,)):
            test, is_not = opposite, True
    known = None if layers is None else frozenset(layers)
    match test:
        case Op("subset", (Get(chosen), of)) if chosen is slot and is_not:
            whole = {part.slot for part in flattened("union", (of,)) if isinstance(part, Get)}
            return None if known is None else known - whole
        case Op("subset", (Get(chosen), of)) if chosen is slot:
            found = terms.layers_of(of)
            return known if found is None else found if known is None else known & found
    return known


def _lacks(node: Expression, sets: Sequence[Expression]) -> bool:
    """Return whether one of some sets has been taken away from a set."""
    match node:
        case Op("difference", (whole, away)):
            parts = flattened("union", (away,))
            return any(part is each for part in parts for each in sets) or _lacks(whole, sets)
    return False
