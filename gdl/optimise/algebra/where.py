"""Where a condition on a single site holds: the set of all such sites at once.

In: a condition, and a variable in it that stands for a single site. Out: the set of the sites
for which it holds, as an expression without the variable, or None. What then holds: for each
single site of the board, the condition holds if and only if the site is in the set.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import partial

from gdl.board.relation import Relation
from gdl.core.build import flattened
from gdl.core.evaluate import ExpressionEvaluator
from gdl.core.known import all_known
from gdl.core.memo import Memo
from gdl.core.nodes import Const, Expression, Fold, Get, If, Let, Op, RangeOf, SitesOf, Slot
from gdl.core.operations import Overflow
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.core.walk import slots_in
from gdl.optimise.algebra.cost import Costs
from gdl.optimise.algebra.linear import Conditions, either, origins, static_relation, through_let
from gdl.optimise.algebra.terms import Terms

_MOST_COUNTED = 8


class Where:
    """Finds out where conditions hold, for one variable."""

    def __init__(self, terms: Terms, costs: Costs, variable: Slot) -> None:
        self._terms = terms
        self._costs = costs
        self._variable = variable
        self._done = Memo[Expression, Expression | None]()

    def holds(self, condition: Expression) -> Expression | None:
        """Return the set of the sites for which a condition holds."""
        is_safe = self._costs.is_safe(condition)
        return self._done.of(condition, self._of if is_safe else self._of_unsafe)

    # --------------------------------------------------------------------- bounds

    def at_most(self, condition: Expression) -> Expression | None:
        """Return a set that has all sites for which a condition holds, and perhaps others."""
        return self._bound(condition, upper=True)

    def _bound(self, node: Expression, *, upper: bool) -> Expression | None:
        terms = self._terms
        match node:
            case If(_, then, otherwise):
                bounds = [self._bound(part, upper=upper) for part in (then, otherwise)]
                return self._joined(bounds, is_union=upper, needs_all=True)
            case Let():
                bound = partial(self._bound, upper=upper)
                return through_let(terms, node, self._variable, bound)
            case Op("and" | "or" as name, arguments):
                bounds = [self._bound(part, upper=upper) for part in arguments]
                is_union = name == "or"
                return self._joined(bounds, is_union=is_union, needs_all=is_union == upper)
            case Op("not", (opposite,)):
                found = self._bound(opposite, upper=not upper)
                return None if found is None else terms.difference(terms.everywhere, found)
            case Op("some", (sites,)) if (divided := self._divided(sites)) is not None:
                return self._bound(divided, upper=upper)
            case Op("some", (Op("difference", (whole, away)),)) if not upper:
                if self._depends(away) and not self._depends(whole):
                    return self._beyond(whole, self._loosened(away))
            case Fold("or", domain=SitesOf(sites)) if upper:
                return self.holds(terms.some(self._loosened(sites)))
        return self.holds(node)

    def _joined(
        self, bounds: list[Expression | None], *, is_union: bool, needs_all: bool
    ) -> Expression | None:
        """Return the union or intersection of bounds; of those known, unless it needs all."""
        known = [bound for bound in bounds if bound is not None]
        if not known or (needs_all and len(known) < len(bounds)):
            return None
        return self._terms.union(*known) if is_union else self._terms.intersection(*known)

    def _loosened(self, node: Expression) -> Expression:
        """Return a set that has all sites of another, in which conditions are left out."""
        terms = self._terms
        match node:
            case If(condition, then, otherwise) if self._depends(condition):
                return terms.union(self._loosened(then), self._loosened(otherwise))
            case Op("intersection", arguments):
                moving = [part for part in arguments if self._depends(part)]
                fixed = [part for part in arguments if not self._depends(part)]
                lightest = min(moving, key=self._costs.weight, default=terms.everywhere)
                return terms.intersection(*fixed, self._loosened(lightest))
            case Op("union" | "image" as name, arguments, of, payload):
                return terms.op(name, tuple(map(self._loosened, arguments)), of, payload)
            case Op("difference", (whole, away)):
                return terms.difference(self._loosened(whole), away)
            case Let():
                bound = terms.open(node)
                return self._loosened(terms.substitute(bound.body, bound.slot, bound.value))
        return node

    # --------------------------------------------------------------------- values

    def _of_unsafe(self, condition: Expression) -> Expression | None:
        """Return the set where no number in a condition is found to be too large, site by site."""
        if not self._depends(condition):
            return None
        if isinstance(condition, Op) and condition.name in ("and", "or", "not"):
            found = self._of_operation(condition)
            if found is not None:
                return found
        with suppress(Overflow):
            return self._by_trial(condition)
        return None

    def _depends(self, node: Expression) -> bool:
        return self._variable in node.free

    def _of(self, condition: Expression) -> Expression | None:
        terms = self._terms
        if not self._depends(condition):
            return terms.conditional(condition, terms.everywhere, terms.nowhere)
        match condition:
            case Op():
                found = self._of_operation(condition)
            case If():
                found = self._of_conditional(condition)
            case Let():
                found = through_let(terms, condition, self._variable, self.holds)
            case Fold():
                found = self._of_fold(condition)
            case _:
                return None
        return self._by_trial(condition) if found is None else found

    def _of_conditional(self, node: If) -> Expression | None:
        """Return where one of two conditions holds, by a third, of which a part may be fixed."""
        terms = self._terms
        tests = list(flattened("and", (node.condition,)))
        fixed = [test for test in tests if not self._depends(test)]
        parts = self._all(node.then, node.otherwise)
        if parts is None:
            return None
        then, otherwise = parts
        moving = self._all(*(test for test in tests if self._depends(test)))
        if moving is None:
            return None
        if moving:
            then = either(terms, terms.intersection(*moving), then, otherwise)
        return terms.conditional(terms.conjunction(*fixed), then, otherwise)

    def _all(self, *conditions: Expression) -> list[Expression] | None:
        return all_known(map(self.holds, conditions))

    def _of_fold(self, node: Fold) -> Expression | None:
        """Return where a condition holds for one, or all, of a domain that is always the same."""
        opened = self._terms.open(node)
        domain = opened.domain
        if node.combine not in ("or", "and") or not isinstance(domain, SitesOf | RangeOf):
            return None
        if any(map(self._depends, domain.parts())):
            return None
        terms, is_all = self._terms, node.combine == "and"
        found = self.holds(terms.negation(opened.body) if is_all else opened.body)
        if found is None:
            return None
        some = terms.fold("union", opened.slot, domain, found, 0)
        return terms.difference(terms.everywhere, some) if is_all else some

    def _of_operation(self, node: Op) -> Expression | None:
        terms, arguments = self._terms, node.arguments
        match node.name:
            case "and":
                parts = self._all(*arguments)
                return None if parts is None else terms.intersection(*parts)
            case "or":
                parts = self._all(*arguments)
                return None if parts is None else terms.union(*parts)
            case "not":
                opposite = self.holds(arguments[0])
                return None if opposite is None else terms.difference(terms.everywhere, opposite)
            case "some":
                return self._some(arguments[0])
            case "subset":
                return self._subset(*arguments)
            case "equal" if arguments[0].type == SITES:
                return self._same(*arguments)
            case "equal" | "less" | "not_more" if arguments[0].type != FLAG:
                found = self._compared(node)
                if found is None:
                    found = where_compared(terms, self._costs, node, self._variable)
                return found
        return None

    def _some(self, sites: Expression) -> Expression | None:
        """Return where a set is not empty."""
        divided = self._divided(sites)
        if divided is not None:
            return self.holds(divided)
        if isinstance(sites, Op) and sites.name == "difference":
            whole, away = sites.arguments
            if self._depends(away) and not self._depends(whole):
                return self._beyond(whole, away)
        found = self._meets(sites, self._terms.everywhere)
        return meeting(self._terms, sites, self._variable, self.holds) if found is None else found

    def _divided(self, sites: Expression) -> Expression | None:
        """Return whether a set is not empty, as conditions on its parts; None if it has none."""
        terms = self._terms

        def some_of(parts: Iterable[Expression]) -> Expression:
            return terms.disjunction(*map(terms.some, parts))

        match sites:
            case Op("union", arguments):
                return some_of(arguments)
            case If(condition, then, otherwise) if self._depends(condition):
                return terms.conditional(condition, terms.some(then), terms.some(otherwise))
            case Op("difference", (Op("difference", (whole, also)), away)):
                return terms.some(terms.difference(whole, terms.union(also, away)))
            case Op("difference", (Op("union", parts), away)) if self._depends(away):
                return some_of(terms.difference(part, away) for part in parts)
            case Op("difference", (If(condition, then, otherwise), away)) if self._depends(away):
                ways = (terms.some(terms.difference(way, away)) for way in (then, otherwise))
                return terms.conditional(condition, *ways)
            case Op("intersection", arguments):
                for place, part in enumerate(arguments):
                    if isinstance(part, If) and self._depends(part.condition):
                        others = (*arguments[:place], *arguments[place + 1 :])
                        ways = (
                            terms.some(terms.intersection(way, *others))
                            for way in (part.then, part.otherwise)
                        )
                        return terms.conditional(part.condition, *ways)
        return None

    def _beyond(self, whole: Expression, away: Expression) -> Expression | None:
        """Return where a set has more sites than are taken away."""
        terms = self._terms
        site = Slot("site", SITES)
        terms.singles.add(site)
        covered = self._meets(away, terms.get(site))
        if covered is None:
            return None
        everywhere = (1 << terms.size) - 1
        all_covered = terms.fold("intersection", site, SitesOf(whole), covered, everywhere)
        return terms.difference(terms.everywhere, all_covered)

    def _meets(self, sites: Expression, into: Expression) -> Expression | None:
        return origins(self._terms, sites, self._variable, into, self.holds)

    def _subset(self, part: Expression, of: Expression) -> Expression | None:
        terms = self._terms
        if self._depends(of):
            if self._depends(part):
                return members(terms, of, self._variable, part, self.holds)
            return self._meets(of, part) if terms.is_single(part) else None
        there = self._meets(part, terms.everywhere)
        beyond = self._meets(part, terms.difference(terms.everywhere, of))
        if there is None or beyond is None:
            return None
        return terms.difference(there, beyond)

    def _same(self, left: Expression, right: Expression) -> Expression | None:
        """Return where the variable itself, or what it leads to, is a given site."""
        terms = self._terms
        if self._depends(left) and self._depends(right):
            return None
        moving, fixed = (left, right) if self._depends(left) else (right, left)
        if not isinstance(moving, Get):
            return None
        if terms.is_single(fixed):
            return fixed
        several = terms.op(
            "less", (terms.const(1, NUMBER), terms.op("count", (fixed,), NUMBER)), FLAG
        )
        return terms.conditional(several, terms.nowhere, fixed)

    # ------------------------------------------------------------------- numbers

    def _compared(self, node: Op) -> Expression | None:
        """Return where a count compares so with a known number."""
        left, right = node.arguments
        if isinstance(right, Const):
            at_least, number = self._counted(left), right.value
        elif isinstance(left, Const):
            at_least, number = self._counted(right), left.value
        else:
            return None
        if at_least is None or not isinstance(number, int) or number > _MOST_COUNTED:
            return None

        def of_at_least(least: int) -> Expression:
            if least <= 0:
                return self._terms.everywhere
            return at_least[least] if least < len(at_least) else self._terms.nowhere

        everywhere, difference = self._terms.everywhere, self._terms.difference
        if node.name == "equal":
            return difference(of_at_least(number), of_at_least(number + 1))
        if isinstance(right, Const):
            return difference(
                everywhere, of_at_least(number if node.name == "less" else number + 1)
            )
        return of_at_least(number + 1 if node.name == "less" else number)

    def _counted(self, node: Expression) -> list[Expression] | None:
        """Return where a count is at least 0, 1, 2, …, as far as it can go."""
        if not isinstance(node, Op) or node.name != "count":
            return None
        (counted,) = node.arguments
        terms, among = self._terms, self._terms.everywhere
        if isinstance(counted, Op) and counted.name == "intersection":
            fixed = [part for part in counted.arguments if not self._depends(part)]
            moving = [part for part in counted.arguments if self._depends(part)]
            among, counted = terms.intersection(*fixed), terms.intersection(*moving)
        elif isinstance(counted, Op) and counted.name == "difference":
            counted, away = counted.arguments
            if self._depends(away):
                return None
            among = terms.difference(among, away)
        relation = static_relation(terms, counted, self._variable)
        functions = None if relation is None else as_functions(relation)
        if functions is None:
            return None
        at_least = [terms.everywhere]
        for function in functions:
            hit = terms.image(terms.inverse(terms.relation(function)), among)
            more = [terms.intersection(fewer, hit) for fewer in at_least]
            kept = [*at_least[1:], terms.nowhere]
            at_least[1:] = [terms.union(*pair) for pair in zip(kept, more, strict=True)]
        return at_least

    # -------------------------------------------------------------------- trials

    def _by_trial(self, condition: Expression) -> Expression | None:
        """Try each site where a condition depends on nothing else."""
        found = values_by_site(self._terms, self._costs, condition, self._variable)
        if found is None:
            return None
        sites = sum(bool(holds) << index for index, holds in enumerate(found))
        return self._terms.const(sites, SITES)


# --------- where a site that a variable leads to is in a set that the variable itself has a part in

_MOST_QUESTIONS = 200
_MOST_FUNCTIONS = 8


def members(
    terms: Terms, of: Expression, variable: Slot, part: Expression, holds: Conditions
) -> Expression | None:
    """Return for which single sites a part, to which they lead, is there and in a set.

    None if the part depends on more than the variable, or the set is not made of known operations;
    `holds` says where conditions on the variable hold.
    """
    leading = static_relation(terms, part, variable)
    if leading is None or not leading.is_function:
        return None
    return _Members(terms, variable, holds).of(of, terms.relation(leading))


def meeting(
    terms: Terms, sites: Expression, variable: Slot, holds: Conditions
) -> Expression | None:
    """Return for which single sites one of those that they lead to is in all of some sets.

    `sites` are what these have in common; None if it is nothing of the kind.
    """
    if not isinstance(sites, Op) or sites.name != "intersection":
        return None
    for place, part in enumerate(sites.arguments):
        leading = static_relation(terms, part, variable)
        if leading is not None:
            others = terms.intersection(*sites.arguments[:place], *sites.arguments[place + 1 :])
            return _Members(terms, variable, holds).of_some(others, leading)
    return None


class _Members:
    def __init__(self, terms: Terms, variable: Slot, holds: Conditions) -> None:
        self._terms = terms
        self._variable = variable
        self._holds = holds
        self._done = Memo[Expression, dict[Relation, Expression | None]]()
        self._asked = 0

    def of(self, node: Expression, leading: Relation) -> Expression | None:
        """Return from which sites `leading` leads into the set that belongs to them."""
        known = self._done.of(node, lambda _: {})
        if leading not in known:
            if self._asked > _MOST_QUESTIONS:
                return None
            known[leading] = self._of(node, leading)
            self._asked += 1
        return known[leading]

    def of_some(self, node: Expression, leading: Relation) -> Expression | None:
        """Return from which sites one of those that `leading` leads to is in the set."""
        functions = as_functions(leading)
        if functions is None:
            return None
        found: list[Expression] | None = all_known(
            self.of(node, self._terms.relation(each)) for each in functions
        )
        return None if found is None else self._terms.union(*found)

    def _of(self, node: Expression, leading: Relation) -> Expression | None:
        terms = self._terms
        if self._variable not in node.free:
            return terms.image(terms.inverse(terms.relation(leading)), node)
        match node:
            case Get():
                there = leading.intersection(Relation.identity(terms.size))
                return terms.image(terms.relation(there), terms.everywhere)
            case If(condition, then, otherwise):
                return self._of_conditional(condition, self._all((then, otherwise), leading))
            case Let():
                bound = terms.open(node)
                return self.of(terms.substitute(bound.body, bound.slot, bound.value), leading)
            case Op("image", (inner,), _, Relation() as relation):
                return self.of_some(inner, leading.compose(relation.inverse()))
            case Op("union" | "intersection" as name, arguments, kind):
                parts = self._all(arguments, leading)
                return None if parts is None else terms.op(name, tuple(parts), kind)
            case Op("difference", arguments):
                parts = self._all(arguments, leading)
                return None if parts is None else terms.difference(*parts)
        return None

    def _all(self, nodes: tuple[Expression, ...], leading: Relation) -> list[Expression] | None:
        return all_known(self.of(node, leading) for node in nodes)

    def _of_conditional(
        self, condition: Expression, ways: list[Expression] | None
    ) -> Expression | None:
        if ways is None:
            return None
        if self._variable not in condition.free:
            return self._terms.conditional(condition, *ways)
        where = self._holds(condition)
        return None if where is None else either(self._terms, where, *ways)


def as_functions(relation: Relation) -> list[Relation] | None:
    """Return functions that together are a relation, each pair in one; None if it takes many."""
    functions: list[Relation] = []
    sources: list[int] = []
    for mask, shift in relation.offset_classes:
        pairs = Relation.shift(relation.size, mask, shift)
        for place, taken in enumerate(sources):
            if not taken & mask:
                functions[place] = functions[place].union(pairs)
                sources[place] |= mask
                break
        else:
            functions.append(pairs)
            sources.append(mask)
        if len(functions) > _MOST_FUNCTIONS:
            return None
    return functions


# ----------------- what expressions are worth for each single site, where they depend on that alone

_MOST_TRIALS = 40_000
_MOST_NUMBERS = 24
"""So many different numbers of sites are compared one by one at most."""


def values_by_site(
    terms: Terms, costs: Costs, node: Expression, variable: Slot
) -> list[object] | None:
    """Return the value of an expression for each site of the board; may raise `Overflow`."""
    if node.free != {variable} or terms.size * (1 + costs.weight(node)) > _MOST_TRIALS:
        return None
    slots = slots_in(node)
    places = {slot: place for place, slot in enumerate(slots)}
    function = ExpressionEvaluator(places).function(node)
    frame: list[object] = [None] * len(places)
    found: list[object] = []
    for index in range(terms.size):
        frame[places[variable]] = 1 << index
        found.append(function(frame))
    return found


def where_compared(terms: Terms, costs: Costs, node: Op, variable: Slot) -> Expression | None:
    """Return where a number of the site, such as its row, compares so with another number."""
    moving = [variable in part.free for part in node.arguments]
    if moving not in ([True, False], [False, True]) or not costs.is_safe(node):
        return None
    numbers = values_by_site(terms, costs, node.arguments[moving.index(True)], variable)
    if numbers is None or len(set(numbers)) > _MOST_NUMBERS:
        return None
    sites: dict[int, int] = {}
    for index, number in enumerate(numbers):
        if not isinstance(number, int):
            return None
        sites[number] = sites.get(number, 0) | 1 << index
    parts = []
    for number, among in sites.items():
        one = terms.const(number, NUMBER)
        sides = tuple(
            one if is_moving else part
            for part, is_moving in zip(node.arguments, moving, strict=True)
        )
        there = terms.op(node.name, sides, FLAG)
        parts.append(terms.conditional(there, terms.const(among, SITES), terms.nowhere))
    return terms.union(*parts)
