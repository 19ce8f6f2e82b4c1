"""Where a site that a variable leads to is in a set that the variable itself has a part in.

In: a set, a variable in it that stands for a single site, and a function from sites to sites. Out:
the single sites from which the function leads into the set that belongs to them, as an expression
without the variable, or None. What then holds, for each single site of the board: the function
leads somewhere, and into the set, if and only if the site is in the result.

Whether `s` stands in a row of `own | s` is such a question: the set is not the same for all
sites, but each part of it is asked for one site only, and that one is known from `s`.
"""

from __future__ import annotations

from gdl.board.relation import Relation
from gdl.core.known import all_known
from gdl.core.memo import Memo
from gdl.core.nodes import Expression, Get, If, Let, Op, Slot
from gdl.optimise.linear import Conditions, either, static_relation
from gdl.optimise.terms import Terms

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
