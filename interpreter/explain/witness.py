"""Witnesses: the sites, and the steps between them, that make a condition true or false.

In: a condition in its scope, at a moment. Out: a `Witness`. What then holds: it follows from what
the words mean, whatever they are called: of `some` it is one site with the way by which it comes
to be in the set (the path that joins, the row), of a quantifier the element that decides it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from typing import Any

from gdl.board.relation import bits
from gdl.core.nodes import Const
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from gdl.elaborate.names.scope import Scope
from gdl.elaborate.names.values import Value
from gdl.interpreter.explain.moment import Moment
from gdl.syntax import tree as t

_MOST_COMPARED = 24  # members of a set of which the one with the least witness is taken
_FEW = 4  # members of a set that should be empty, or was not before, that are told one by one
_DEEPEST = 40

Line = tuple[int, int]


@dataclass(frozen=True)
class Witness:
    """Sites, as a set, and lines between two of them, by index."""

    sites: int = 0
    lines: tuple[Line, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.sites)

    def __or__(self, other: Witness) -> Witness:
        new = tuple(line for line in other.lines if line not in self.lines)
        return Witness(self.sites | other.sites, self.lines + new)


NOTHING = Witness()


class Witnesses:
    """Finds witnesses at a moment; `before` is the one before what was done last, if it counts."""

    def __init__(self, moment: Moment, before: Moment | None = None) -> None:
        self._moment = moment
        self._before = before
        self._depth = 0

    # ---------------------------------------------------------------- conditions

    def of_condition(self, node: t.Expression, scope: Scope) -> Witness:
        """Return what makes a condition true, if it is, or else false."""
        return self._deeper(lambda: self._condition(node, scope))

    def _deeper(self, found: Callable[[], Witness]) -> Witness:
        if self._depth >= _DEEPEST:
            return NOTHING
        self._depth += 1
        try:
            return found()
        finally:
            self._depth -= 1

    def _condition(self, node: t.Expression, scope: Scope) -> Witness:
        opened = self._moment.opened(node, scope)
        if opened is not None:
            definition, inner = opened
            return self.of_condition(definition.body, inner)
        match node:
            case t.Operation(_, "and" | "or" as word, operands):
                return self._junction(word == "or", operands, scope)
            case t.Operation(_, "not", (operand,)):
                return self.of_condition(operand, scope)
            case t.Operation(_, "some", (operand,)):
                return self._some(operand, scope, all_of_it=False)
            case t.Operation(_, "no", (operand,)):
                return self._some(operand, scope, all_of_it=True)
            case t.Operation(_, "in", (member, among)):
                return self._in(member, among, scope)
            case t.Operation(_, "=" | "!=" | "<" | "<=" | ">" | ">=", operands):
                return self._all(self.of_value(operand, scope) for operand in operands)
            case t.Quantified(_, "some" | "no" | "every"):
                return self._quantified(node, scope)
            case t.Conditional(_, condition, then, otherwise):
                chosen = then if self._moment.holds(condition, scope) else otherwise
                return self.of_condition(chosen, scope)
            case t.LetIn():
                return self.of_condition(node.body, self._with_let(node, scope))
        return NOTHING

    def _all(self, parts: Iterable[Witness]) -> Witness:
        found = NOTHING
        for part in parts:
            found |= part
        return found

    def _junction(self, is_or: bool, operands: Iterable[t.Expression], scope: Scope) -> Witness:
        """An `or` holds by its first part that does, an `and` fails by its first that fails."""
        operands = tuple(operands)
        for operand in operands:
            if self._moment.holds(operand, scope) is is_or:
                return self.of_condition(operand, scope)
        return self._all(self.of_condition(operand, scope) for operand in operands)

    def _some(self, node: t.Expression, scope: Scope, *, all_of_it: bool) -> Witness:
        found = self._moment.sites(node, scope)
        if not found:
            return self.of_emptiness(node, scope)
        if all_of_it and found.bit_count() > _FEW:
            return Witness(found)
        if all_of_it:
            return self._all(self.of_member(node, scope, 1 << index) for index in bits(found))
        members = islice(bits(found), _MOST_COMPARED)
        return min(
            (self.of_member(node, scope, 1 << index) for index in members),
            key=lambda witness: witness.sites.bit_count(),
        )

    def of_emptiness(self, node: t.Expression, scope: Scope) -> Witness:
        """Return what an empty set had before, or where members would have been looked for."""
        lost = self.lost(node, scope)
        return Witness(lost) if lost else self._deeper(lambda: self._emptiness(node, scope))

    def lost(self, node: t.Expression, scope: Scope) -> int:
        """Return the few sites that an empty set had before what was done last; 0 if many."""
        if self._before is None or self._moment.sites(node, scope):
            return 0
        had = self._before.sites(node, scope) or 0
        return had if had.bit_count() <= _FEW else 0

    def _emptiness(self, node: t.Expression, scope: Scope) -> Witness:
        opened = self._moment.opened(node, scope)
        if opened is not None:
            return self.of_emptiness(opened[0].body, opened[1])
        match node:
            case t.Operation(_, "|", operands):
                return self._all(self.of_emptiness(operand, scope) for operand in operands)
            case t.Operation(_, "&" | "-", operands):
                sets = [self._moment.sites(operand, scope) or 0 for operand in operands]
                among = sets[:1] if node.operator == "-" else sets
                return Witness(min(filter(None, among), key=int.bit_count, default=0))
            case t.Operation(_, "when", (_, condition)):
                return self.of_condition(condition, scope)
            case t.Quantified(_, "sites"):
                return Witness(self._moment.sites(node.domain, scope) or 0)
        return NOTHING

    def _in(self, member: t.Expression, among: t.Expression, scope: Scope) -> Witness:
        sites = self._moment.sites(member, scope)
        if not sites:
            return NOTHING
        inside = self._moment.sites(among, scope)
        if inside and sites.bit_count() == 1 and sites & inside:
            return Witness(sites) | self.of_member(among, scope, sites)
        return Witness(sites)

    def _quantified(self, node: t.Quantified, scope: Scope) -> Witness:
        element = self.deciding(node, scope)
        if element is None:
            return NOTHING if node.word == "some" else self._gone_through(node, scope)
        inner = scope.bind(node.variable.name, element)
        return _sites_of(element) | self.of_condition(node.body, inner)

    def _gone_through(self, node: t.Quantified, scope: Scope) -> Witness:
        """Return what an `every` or `no` that holds was asked of; nothing if of all there is."""
        elements = list(self._moment.elements(node.domain, scope))
        found = self._all(map(_site_of, elements))
        if found.sites.bit_count() == self._moment.board.size and node.word == "no":
            return NOTHING
        if node.word == "every" and len(elements) <= _MOST_COMPARED:
            for element in elements:
                inner = scope.bind(node.variable.name, element)
                found |= self.of_condition(node.body, inner)
        return found

    def deciding(self, node: t.Quantified, scope: Scope) -> Value | None:
        """Return the element for which a `some` holds, or an `every` or `no` fails; or None."""
        wanted = node.word != "every"
        for element in self._moment.elements(node.domain, scope):
            inner = scope.bind(node.variable.name, element)
            if self._moment.holds(node.body, inner) is wanted:
                return element
        return None

    def _with_let(self, node: t.LetIn, scope: Scope) -> Scope:
        value = self._moment.elaborated(node.value, scope)
        return scope if value is None else scope.bind(node.name.name, self._moment.settled(value))

    # -------------------------------------------------------------------- values

    def of_value(self, node: t.Expression, scope: Scope) -> Witness:
        """Return the sites that a value is about: a set's own, those that a number counts."""
        opened = self._moment.opened(node, scope)
        value = self._moment.value(node, scope)
        if value is not None and value.type == SITES:
            return Witness(int(value.value))
        if opened is not None:
            return self._deeper(lambda: self.of_value(opened[0].body, opened[1]))
        match node:
            case t.Operation(_, "count", (operand,)):
                sites = self._moment.sites(operand, scope)
                if sites is None:
                    return self._all(map(_sites_of, self._moment.elements(operand, scope)))
                return Witness(sites)
            case t.Quantified(_, "count", variable, domain, body):
                found = NOTHING
                for element in self._moment.elements(domain, scope):
                    inner = scope.bind(variable.name, element)
                    if self._moment.holds(body, inner):
                        found |= _site_of(element) or self.of_condition(body, inner)
                return found
            case t.Quantified(_, "sum" | "max" | "min"):
                return self._folded_number(node, scope)
            case t.Conditional(_, condition, then, otherwise):
                chosen = then if self._moment.holds(condition, scope) else otherwise
                return self.of_value(chosen, scope)
            case t.LetIn():
                return self.of_value(node.body, self._with_let(node, scope))
            case t.Call(_, _, arguments):
                return self._all(
                    self.of_value(argument, scope)
                    for argument in arguments
                    if not isinstance(argument, t.Name) or argument.name in scope.locals
                )
            case t.Operation(_, "+" | "-" | "*" | "/" | "max" | "min", operands):
                return self._all(self.of_value(operand, scope) for operand in operands)
        return NOTHING

    def _folded_number(self, node: t.Quantified, scope: Scope) -> Witness:
        """Return what adds to a sum, or the elements that have the most or the least."""
        worth: list[tuple[Any, Value]] = []
        for element in self._moment.elements(node.domain, scope):
            value = self._moment.value(node.body, scope.bind(node.variable.name, element))
            if value is not None:
                worth.append((value.value, element))
        if node.word == "sum":
            counted = [element for number, element in worth if number]
        else:
            best = max if node.word == "max" else min
            extreme = best((number for number, _ in worth), default=0)
            counted = [element for number, element in worth if number == extreme]
        found = self._all(map(_sites_of, counted))
        if not found.sites and len(counted) <= _MOST_COMPARED:
            for element in counted:
                found |= self.of_value(node.body, scope.bind(node.variable.name, element))
        return found

    # ------------------------------------------------------------------- members

    def of_member(self, node: t.Expression, scope: Scope, site: int) -> Witness:
        """Return the way by which a site comes to be in a set."""
        return self._deeper(lambda: Witness(site) | self._member(node, scope, site))

    def _member(self, node: t.Expression, scope: Scope, site: int) -> Witness:
        opened = self._moment.opened(node, scope)
        if opened is not None:
            definition, inner = opened
            return self.of_member(definition.body, inner, site)
        match node:
            case t.Operation(_, "|", operands):
                for operand in operands:
                    if (self._moment.sites(operand, scope) or 0) & site:
                        return self.of_member(operand, scope, site)
            case t.Operation(_, "&", operands):
                return self._all(self.of_member(operand, scope, site) for operand in operands)
            case t.Operation(_, "-", (among, _)):
                return self.of_member(among, scope, site)
            case t.Operation(_, "when", (among, condition)):
                return self.of_member(among, scope, site) | self.of_condition(condition, scope)
            case t.Conditional(_, condition, then, otherwise):
                chosen = then if self._moment.holds(condition, scope) else otherwise
                return self.of_member(chosen, scope, site)
            case t.LetIn():
                return self.of_member(node.body, self._with_let(node, scope), site)
            case t.Quantified(_, "union" | "intersection"):
                return self._folded(node, scope, site)
            case t.Quantified(_, "sites", variable, _, body):
                return self.of_condition(body, scope.bind(variable.name, Const(site, SITES)))
            case t.Call(_, t.Name(_, "reach"), (seed, relation)):
                return self._reached(seed, relation, scope, site)
            case t.Call(_, function, (of,)):
                return self._led_to(function, of, scope, site)
        return NOTHING

    def _folded(self, node: t.Quantified, scope: Scope, site: int) -> Witness:
        """Of a union one element's set has the site, the least of some; of an intersection all."""
        found: list[Witness] = []
        for element in self._moment.elements(node.domain, scope):
            inner = scope.bind(node.variable.name, element)
            if len(found) < _MOST_COMPARED and (self._moment.sites(node.body, inner) or 0) & site:
                way = self.of_member(node.body, inner, site)
                came = _site_of(element).sites if node.word == "union" else 0
                found.append(way | (self.of_member(node.domain, scope, came) if came else NOTHING))
        if node.word == "intersection":
            return self._all(found)
        return min(found, key=lambda witness: witness.sites.bit_count(), default=NOTHING)

    def _led_to(self, function: t.Expression, of: t.Expression, scope: Scope, site: int) -> Witness:
        """Return the site from which a relation leads to another, and the step."""
        relation = self._moment.relation(function, scope)
        if relation is None:
            return NOTHING
        for index in bits(self._moment.sites(of, scope) or 0):
            if self._moment.image(relation, 1 << index) & site:
                return _step(1 << index, site) | self.of_member(of, scope, 1 << index)
        return NOTHING

    def _stepped(self, relation: t.Expression, scope: Scope, start: int, end: int) -> Witness:
        """Return the step of a relation from a site to another; of a chain all, the last first."""
        if not (isinstance(relation, t.Call) and isinstance(relation.function, t.Name)):
            return _step(start, end)
        first, *others = relation.arguments
        if relation.function.name != "chain" or not others:
            return _step(start, end)
        rest = replace(relation, arguments=tuple(others)) if len(others) > 1 else others[0]
        one, other = (self._moment.relation(part, scope) for part in (first, rest))
        for index in bits(0 if one is None else self._moment.image(one, start)):
            if other is not None and self._moment.image(other, 1 << index) & end:
                last = self._stepped(rest, scope, 1 << index, end)
                return last | self._stepped(first, scope, start, 1 << index)
        return _step(start, end)

    def _reached(
        self, seed: t.Expression, relation: t.Expression, scope: Scope, site: int
    ) -> Witness:
        """Return the shortest path to a site from a set."""
        tree = self._moment.relation(relation, scope)
        begin = self._moment.sites(seed, scope) or 0
        if tree is None:
            return NOTHING
        rounds = [begin]
        met = begin
        while rounds[-1] and not rounds[-1] & site:
            rounds.append(self._moment.image(tree, rounds[-1]) & ~met)
            met |= rounds[-1]
        if not rounds[-1]:
            return NOTHING
        found, here = Witness(site), site
        for before in reversed(rounds[:-1]):
            there = next(
                1 << index for index in bits(before) if self._moment.image(tree, 1 << index) & here
            )
            found |= self._stepped(relation, scope, there, here)
            here = there
        return found | self.of_member(seed, scope, here)


def _sites_of(element: Value) -> Witness:
    if isinstance(element, Const) and element.type == SITES:
        return Witness(int(element.value))
    return NOTHING


def _site_of(element: Value) -> Witness:
    """Return an element that is one site; nothing of a set of several, which may be a region."""
    found = _sites_of(element)
    return found if found.sites.bit_count() == 1 else NOTHING


def _step(start: int, end: int) -> Witness:
    line = (start.bit_length() - 1, end.bit_length() - 1)
    return Witness(start | end, (line,) if start != end else ())
