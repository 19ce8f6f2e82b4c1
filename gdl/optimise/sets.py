"""All sites at once: what runs over the sites of a set becomes algebra on sets.

In: a program. Out: the same program, in which a set filtered by a condition, and what is said of
one, of all, or of the union over the sites of a set, is worked out for all the sites together,
as far as the condition allows. What then holds: no value has changed, and no expression weighs
more than it did.

A filter `{s in S | some R(s) & X}` becomes `S & R⁻¹(X)`; a flood from each site towards a set
becomes one flood backwards from that set.
"""

from __future__ import annotations

from gdl.core.nodes import Const, Expression, Fold, If, Op, Program, Select, SitesOf, Slot
from gdl.core.rebuild import change_expressions
from gdl.core.singles import always_single_slots
from gdl.core.types import FLAG, NUMBER
from gdl.optimise.algebra.cost import Costs
from gdl.optimise.algebra.linear import applied
from gdl.optimise.algebra.terms import Terms
from gdl.optimise.algebra.where import Where


def set_at_a_time(program: Program, terms: Terms) -> Program:
    """Work out for all sites at once what is asked of each."""
    terms.add_singles(always_single_slots(program))
    rule = Lifting(terms)
    done: dict[int, Expression] = {}
    return change_expressions(
        program, lambda node: terms.rewrite(terms.intern(node), rule.change, done)
    )


class Lifting:
    """Works out for all sites at once what is asked of each.

    `bounds`: where that can't be done, it is asked of fewer sites, which have to be found first.
    """

    def __init__(self, terms: Terms, *, bounds: bool = False) -> None:
        self._bounds = bounds
        self._terms = terms
        self._costs = Costs(terms)

    def change(self, node: Expression) -> Expression:
        """Return what is the same as a node, and is lighter."""
        changed: Expression | None = None
        if isinstance(node, Select):
            chosen = self._terms.open(node)
            changed = self.selected(chosen.slot, chosen.sites, chosen.condition)
        elif isinstance(node, Fold) and isinstance(node.domain, SitesOf):
            changed = self._of_fold(node)
        if changed is None or self._costs.weight(changed) >= self._costs.weight(node):
            return node
        return changed

    def selected(self, slot: Slot, among: Expression, condition: Expression) -> Expression | None:
        """Return a filtered set; None if no part of the condition gives its sites at once."""
        if self._terms.is_single(among):
            return None
        where = Where(self._terms, self._costs, slot)
        rest: list[Expression] = []
        kept = among
        is_lifted = False
        for part in conjuncts(self._terms, condition):
            found = where.holds(part) if all(map(self._costs.is_safe, rest)) else None
            if found is None:
                rest.append(part)
                found = where.at_most(part) if self._bounds else None
            if found is not None:
                kept = self._terms.intersection(kept, found)
                is_lifted = True
        if len(rest) == 1:
            parted = self._parted(where, slot, kept, rest[0])
            if parted is not None:
                return parted
        if not is_lifted:
            return None
        return self._terms.select(slot, kept, self._terms.conjunction(*rest))

    def _parted(
        self, where: Where, slot: Slot, among: Expression, condition: Expression
    ) -> Expression | None:
        """Return a filtered set where one of several conditions that may hold is lifted."""
        if isinstance(condition, If) and condition.type == FLAG:
            condition = self._either(condition)
        if not isinstance(condition, Op) or condition.name != "or":
            return None
        if not self._costs.is_safe(condition):
            return None
        found = [(part, where.holds(part)) for part in condition.arguments]
        known = [sites for _, sites in found if sites is not None]
        if not known:
            return None
        terms = self._terms
        there = terms.union(*known)
        rest = terms.disjunction(*(part for part, sites in found if sites is None))
        left = terms.difference(among, there)
        others = self.selected(slot, left, rest) or terms.select(slot, left, rest)
        return terms.union(terms.intersection(among, there), others)

    def _either(self, node: If) -> Expression:
        """Return a condition of two cases as one that one of two conditions holds."""
        terms = self._terms
        then = terms.conjunction(node.condition, node.then)
        otherwise = terms.conjunction(terms.negation(node.condition), node.otherwise)
        return terms.disjunction(then, otherwise)

    def _of_fold(self, node: Fold) -> Expression | None:
        terms = self._terms
        opened = terms.open(node)
        assert isinstance(opened.domain, SitesOf)
        slot, among, body = opened.slot, opened.domain.sites, opened.body
        if terms.is_single(among):
            return self._of_single(opened, among)
        match node.combine:
            case "or":
                found = self.selected(slot, among, body)
                return None if found is None else self.some_of(found)
            case "and":
                found = self.selected(slot, among, terms.negation(body))
                return None if found is None else terms.negation(terms.some(found))
            case "union":
                where = Where(terms, self._costs, slot)
                if not self._costs.is_safe(body):
                    return None
                return applied(terms, body, slot, among, where.holds)
            case "sum":
                return self._summed(slot, among, body)
        return None

    def some_of(self, found: Expression) -> Expression:
        """Return whether a set is not empty, the part of it first that is found at once."""
        if isinstance(found, Op) and found.name == "union":
            parts = sorted(found.arguments, key=lambda part: isinstance(part, Select))
            if isinstance(parts[-1], Select):
                return self._terms.disjunction(*map(self._terms.some, parts))
        return self._terms.some(found)

    def _of_single(self, node: Fold, among: Expression) -> Expression | None:
        if node.combine not in ("or", "and", "union", "max", "min"):
            return None
        return self._terms.substitute(node.body, node.slot, among)

    def _summed(self, slot: Slot, among: Expression, body: Expression) -> Expression | None:
        """Return a sum of one number where conditions hold."""
        terms = self._terms
        if not isinstance(body, If):
            return self._counted(among, body)
        where = Where(terms, self._costs, slot).holds(body.condition)
        if where is None or body.otherwise is not terms.zero:
            return None
        return self._summed(slot, terms.intersection(among, where), body.then)

    def _counted(self, among: Expression, each: Expression) -> Expression | None:
        terms = self._terms
        if not isinstance(each, Const) or each.of != NUMBER or not self._costs.is_safe(each):
            return None
        if each.value == 0:
            return each
        count = terms.op("count", (among,), NUMBER)
        return count if each.value == 1 else terms.op("multiply", (each, count), NUMBER)


def conjuncts(terms: Terms, condition: Expression) -> tuple[Expression, ...]:
    """Return conditions that all hold if and only if a condition does, in its order."""
    if isinstance(condition, Op):
        if condition.name == "and":
            return tuple(
                part for argument in condition.arguments for part in conjuncts(terms, argument)
            )
        if condition.name == "not":
            (opposite,) = condition.arguments
            if isinstance(opposite, Op) and opposite.name == "or":
                return tuple(
                    part
                    for argument in opposite.arguments
                    for part in conjuncts(terms, terms.negation(argument))
                )
    return (condition,)
