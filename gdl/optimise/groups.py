"""All groups at once: what is asked of each connected part of a set becomes algebra on sets.

In: a program. Out: the same program, in which the union of those groups of a set that meet
another set, or whether there is one, is worked out by one flood from where they meet. What then
holds: no value has changed. Only groups whose single steps are proven to lead both ways are
touched: other steps make groups that depend on where they begin.

The groups with a neighbour in X are a flood from the members next to X; those without one, the
rest of the members.
"""

from __future__ import annotations

from gdl.core.known import all_known
from gdl.core.nodes import Expression, Fold, GroupsOf, If, Op, Program, Slot
from gdl.core.rebuild import change_expressions
from gdl.core.types import SITES
from gdl.optimise.algebra.cost import Costs
from gdl.optimise.algebra.linear import applied, is_linear, origins
from gdl.optimise.algebra.terms import Terms
from gdl.optimise.sets import conjuncts


def groups_at_a_time(program: Program, terms: Terms) -> Program:
    """Work out for all groups at once what is asked of each."""
    costs = Costs(terms)

    def rule(node: Expression) -> Expression:
        if not isinstance(node, Fold) or not isinstance(node.domain, GroupsOf):
            return node
        changed = _changed(terms, costs, terms.open(node))
        return node if changed is None else changed

    done: dict[int, Expression] = {}
    kinds = terms.kinds(GroupsOf)
    return change_expressions(
        program, lambda node: terms.rewrite(terms.intern(node), rule, done, kinds)
    )


def _changed(terms: Terms, costs: Costs, node: Fold) -> Expression | None:
    assert isinstance(node.domain, GroupsOf)
    members, frontier = node.domain.sites, node.domain.frontier
    step = _within(terms, node.domain)
    if node.combine == "union" and node.slot in node.body.free:
        plain = applied(terms, node.body, node.slot, members)
        if plain is not None and is_linear(terms, node.body, node.slot):
            return plain
    is_safe = all(map(costs.is_safe, (members, step, node.body)))
    if not is_safe or not _leads_both_ways(terms, step, frontier):
        return None
    groups = _Groups(terms, node.slot, members, frontier, step)
    match node.combine:
        case "or":
            return groups.any(node, conjuncts(terms, node.body))
        case "and":
            found = groups.any(node, conjuncts(terms, terms.negation(node.body)))
            return None if found is None else terms.negation(found)
        case "union" if isinstance(node.body, If):
            return groups.united(node.body)
        case "sum" if isinstance(node.body, If) and node.body.otherwise is terms.zero:
            where = groups.holding(node.body.condition)
            if where is None:
                return None
            domain = GroupsOf(where, frontier, node.domain.step)
            return terms.fold("sum", node.slot, domain, node.body.then, node.initial)
    return None


def _within(terms: Terms, domain: GroupsOf) -> Expression:
    """Return the step from members to members, of whatever the frontier has."""
    frontier = terms.get(domain.frontier)
    start = terms.intersection(frontier, domain.sites)
    return terms.intersection(terms.substitute(domain.step, domain.frontier, start), domain.sites)


def begin_anywhere(terms: Terms, fold: Fold) -> bool:
    """Whether the groups that a fold goes through are proven to be the same wherever they begin."""
    node = terms.intern(fold)
    assert isinstance(node, Fold), "what is interned stays what it is"
    domain = terms.open(node).domain
    assert isinstance(domain, GroupsOf), "it goes through groups"
    return _leads_both_ways(terms, _within(terms, domain), domain.frontier)


def _leads_both_ways(terms: Terms, step: Expression, frontier: Slot) -> bool:
    """Whether a step is proven to lead from a site to another if and only if it leads back."""
    probe = Slot("probe", SITES)
    back = origins(terms, step, frontier, terms.get(probe))
    return back is not None and terms.substitute(back, probe, terms.get(frontier)) is step


class _Groups:
    """What holds of the groups of a set, as the set of all their members."""

    def __init__(
        self, terms: Terms, group: Slot, members: Expression, frontier: Slot, step: Expression
    ) -> None:
        self._terms = terms
        self._group = group
        self._members = members
        self._frontier = frontier
        self._step = step

    def any(self, node: Fold, conditions: tuple[Expression, ...]) -> Expression | None:
        """Return whether all conditions hold of some group; a loop is left for the others."""
        terms = self._terms
        held: list[Expression] = []
        rest: list[Expression] = []
        for condition in conditions:
            found = self.holding(condition)
            if found is None:
                rest.append(condition)
            else:
                held.append(found)
        if not held:
            return None
        there = terms.intersection(*held)
        if not rest:
            return terms.some(there)
        assert isinstance(node.domain, GroupsOf)
        domain = GroupsOf(there, node.domain.frontier, node.domain.step)
        return terms.fold("or", node.slot, domain, terms.conjunction(*rest), False)

    def united(self, body: If) -> Expression | None:
        """Return the union of what `body` makes of each group."""
        where = self.holding(body.condition)
        if where is None:
            return None
        ways = ((body.then, where), (body.otherwise, self._members_without(where)))
        parts: list[Expression] | None = all_known(self._of_all(*way) for way in ways)
        return None if parts is None else self._terms.union(*parts)

    def _of_all(self, value: Expression, among: Expression) -> Expression | None:
        """Return the union of what a value is for each group, if it is made of each site alone."""
        if not is_linear(self._terms, value, self._group):
            return None
        return applied(self._terms, value, self._group, among)

    def _members_without(self, where: Expression) -> Expression:
        return self._terms.difference(self._members, where)

    def holding(self, condition: Expression) -> Expression | None:
        """Return the members of the groups of which a condition holds."""
        terms = self._terms
        if self._group not in condition.free:
            return terms.conditional(condition, self._members, terms.nowhere)
        if not isinstance(condition, Op):
            return None
        match condition.name:
            case "and" | "or":
                found: list[Expression] | None = all_known(map(self.holding, condition.arguments))
                if found is None:
                    return None
                return (terms.intersection if condition.name == "and" else terms.union)(*found)
            case "not":
                opposite = self.holding(condition.arguments[0])
                return None if opposite is None else self._members_without(opposite)
            case "some":
                return self._meeting(condition.arguments[0], terms.everywhere)
            case "subset":
                part, of = condition.arguments
                if self._group in of.free:
                    return None
                there = self._meeting(part, terms.everywhere)
                beyond = self._meeting(part, terms.difference(terms.everywhere, of))
                if there is None or beyond is None:
                    return None
                return terms.difference(there, beyond)
        return None

    def _meeting(self, sites: Expression, into: Expression) -> Expression | None:
        """Return the members of the groups from which an expression leads into a set."""
        terms = self._terms
        if sites is terms.get(self._group) and into is terms.everywhere:
            return self._members
        start = origins(terms, sites, self._group, into)
        if start is None:
            return None
        among = terms.intersection(self._members, start)
        return terms.closure(among, self._frontier, self._step)
