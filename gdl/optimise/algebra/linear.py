"""Expressions that distribute over union in a variable, turned round.

In: a set-valued expression with a variable for a set of sites, and a set. Out: the *origins* of
the set: those sites which, given to the variable, lead into it. What then holds, for every
value of the variable: the expression meets the set if and only if the variable meets the
origins. Images turn into images under the inverse relation, and closures into closures.

`applied` gives the variable a whole set at once. Both answer None for what they can't prove to
distribute over union. With `conditions`, which says where a condition on the variable holds,
the variable stands for a single site, and more is known: a part without the variable is there
for every site, and an expression may depend on conditions.
"""

from __future__ import annotations

from collections.abc import Callable

from gdl.board.relation import Relation
from gdl.core.known import all_known
from gdl.core.memo import Memo, PairMemo
from gdl.core.nodes import Closure, Const, Expression, Get, If, Let, Op, Select, Slot
from gdl.core.types import SITES
from gdl.optimise.algebra.terms import Terms

Conditions = Callable[[Expression], Expression | None]

_MOST_CLASSES = 400


def origins(
    terms: Terms,
    node: Expression,
    variable: Slot,
    into: Expression,
    conditions: Conditions | None = None,
) -> Expression | None:
    """Return the sites from which an expression leads into a set that the variable is not in."""
    return _Origins(terms, variable, conditions).of(node, into)


class _Origins:
    def __init__(self, terms: Terms, variable: Slot, conditions: Conditions | None) -> None:
        self._terms = terms
        self._variable = variable
        self._conditions = conditions
        self._done = PairMemo[Expression, Expression, Expression | None]()

    def of(self, node: Expression, into: Expression) -> Expression | None:
        if into is self._terms.nowhere or node is self._terms.nowhere:
            return self._terms.nowhere
        return self._done.of(node, into, self._of)

    def _depends(self, node: Expression) -> bool:
        return self._variable in node.free

    def _of(self, node: Expression, into: Expression) -> Expression | None:
        terms = self._terms
        if not self._depends(node):
            if self._conditions is None:
                return None
            meets = terms.some(terms.intersection(node, into))
            return terms.conditional(meets, terms.everywhere, terms.nowhere)
        match node:
            case Get():
                return into
            case Op():
                return self._of_operation(node, into)
            case If():
                return self._of_conditional(node, into)
            case Let():
                return through_let(terms, node, self._variable, lambda body: self.of(body, into))
            case Closure():
                closed = terms.open(node)
                if self._depends(closed.step):
                    return None
                before = reversed_closure(terms, closed.frontier, closed.step, into)
                return None if before is None else self.of(closed.seed, before)
        return None

    def _of_conditional(self, node: If, into: Expression) -> Expression | None:
        terms = self._terms
        then, otherwise = self.of(node.then, into), self.of(node.otherwise, into)
        if then is None or otherwise is None:
            return None
        if not self._depends(node.condition):
            return terms.conditional(node.condition, then, otherwise)
        where = None if self._conditions is None else self._conditions(node.condition)
        return None if where is None else either(terms, where, then, otherwise)

    def _of_operation(self, node: Op, into: Expression) -> Expression | None:
        terms = self._terms
        moving = [part for part in node.arguments if self._depends(part)]
        if node.name == "image":
            assert isinstance(node.payload, Relation)
            before = terms.image(terms.inverse(terms.relation(node.payload)), into)
            return self.of(moving[0], before)
        if node.name == "union":
            found: list[Expression] | None = all_known(
                self.of(part, into) for part in node.arguments
            )
            return None if found is None else terms.union(*found)
        is_simple = len(moving) == 1 and moving[0] is node.arguments[0]
        if node.name == "difference" and is_simple:
            return self.of(moving[0], terms.difference(into, node.arguments[1]))
        if node.name == "intersection" and len(moving) == 1:
            fixed = [part for part in node.arguments if not self._depends(part)]
            return self.of(moving[0], terms.intersection(into, *fixed))
        relation = (
            None if self._conditions is None else static_relation(terms, node, self._variable)
        )
        if relation is None:
            return None
        return terms.image(terms.inverse(terms.relation(relation)), into)


def either(terms: Terms, where: Expression, then: Expression, otherwise: Expression) -> Expression:
    """Return the one set where a third set is, and the other elsewhere."""
    return terms.union(terms.intersection(then, where), terms.difference(otherwise, where))


def through_let(
    terms: Terms, node: Let, variable: Slot, made: Callable[[Expression], Expression | None]
) -> Expression | None:
    """Return what is `made` of an expression's body, in which a value may depend on a variable."""
    bound = terms.open(node)
    if variable in bound.value.free:
        return made(terms.substitute(bound.body, bound.slot, bound.value))
    found = made(bound.body)
    return None if found is None else terms.let(bound.slot, bound.value, found)


def reversed_closure(
    terms: Terms, frontier: Slot, step: Expression, into: Expression
) -> Expression | None:
    """Return the sites from which repeated steps lead into a set, which is included."""
    if into is terms.everywhere or into is terms.nowhere:
        return into
    back = Slot(frontier.name, SITES)
    step_back = origins(terms, step, frontier, terms.get(back))
    return None if step_back is None else terms.closure(into, back, step_back)


def applied(
    terms: Terms,
    node: Expression,
    variable: Slot,
    to: Expression,
    conditions: Conditions | None = None,
) -> Expression | None:
    """Return the union of an expression's values for each single site of a set."""
    return _Applied(terms, variable, to, conditions).at(node)


class _Applied:
    def __init__(
        self, terms: Terms, variable: Slot, to: Expression, conditions: Conditions | None
    ) -> None:
        self._terms = terms
        self._variable = variable
        self._to = to
        self._conditions = conditions
        self._done = Memo[Expression, Expression | None]()

    def at(self, node: Expression) -> Expression | None:
        if not self._depends(node):
            there = self._terms.some(self._to)
            return self._terms.conditional(there, node, self._terms.nowhere)
        return self._done.of(node, self._at)

    def _depends(self, node: Expression) -> bool:
        return self._variable in node.free

    def _at(self, node: Expression) -> Expression | None:
        terms = self._terms
        match node:
            case Get():
                return self._to
            case Op():
                return self._at_operation(node)
            case If():
                return self._at_conditional(node)
            case Let():
                return through_let(terms, node, self._variable, self.at)
            case Closure():
                closed = terms.open(node)
                seed = self.at(closed.seed)
                if seed is None or self._depends(closed.step):
                    return None
                if not is_linear(terms, closed.step, closed.frontier):
                    return None
                return terms.closure(seed, closed.frontier, closed.step)
            case Select():
                chosen = terms.open(node)
                among = self.at(chosen.sites)
                if among is None or self._depends(chosen.condition):
                    return None
                return terms.select(chosen.slot, among, chosen.condition)
        return None

    def _at_conditional(self, node: If) -> Expression | None:
        terms = self._terms
        if not self._depends(node.condition):
            then, otherwise = self.at(node.then), self.at(node.otherwise)
            if then is None or otherwise is None:
                return None
            return terms.conditional(node.condition, then, otherwise)
        where = None if self._conditions is None else self._conditions(node.condition)
        if where is None:
            return None
        inside, outside = terms.intersection(self._to, where), terms.difference(self._to, where)
        one = applied(terms, node.then, self._variable, inside, self._conditions)
        other = applied(terms, node.otherwise, self._variable, outside, self._conditions)
        return None if one is None or other is None else terms.union(one, other)

    def _at_operation(self, node: Op) -> Expression | None:
        terms = self._terms
        moving = [part for part in node.arguments if self._depends(part)]
        if node.name == "union":
            found: list[Expression] | None = all_known(map(self.at, node.arguments))
            return None if found is None else terms.union(*found)
        if (
            node.name in ("image", "intersection")
            or (node.name == "difference" and moving[0] is node.arguments[0])
        ) and len(moving) == 1:
            value = self.at(moving[0])
            if value is None:
                return None
            changed = tuple(value if part is moving[0] else part for part in node.arguments)
            return terms.op(node.name, changed, node.of, node.payload)
        relation = static_relation(terms, node, self._variable)
        return None if relation is None else terms.image(relation, self._to)


def is_linear(terms: Terms, node: Expression, variable: Slot) -> bool:
    """Whether an expression is proven to distribute over union in a variable, none included."""
    return origins(terms, node, variable, terms.get(Slot("probe", SITES))) is not None


def static_relation(terms: Terms, node: Expression, variable: Slot) -> Relation | None:
    """Return the relation that leads from a single site, the variable, to an expression.

    None if the expression depends on anything else but by known sets.
    """
    match node:
        case Get(slot) if slot is variable:
            return Relation.identity(terms.size)
        case Op("image", (inner,), _, payload):
            assert isinstance(payload, Relation)
            first = static_relation(terms, inner, variable)
            if first is None:
                return None
            if len(first.offset_classes) * len(payload.offset_classes) > _MOST_CLASSES:
                return None
            return first.compose(payload)
        case Op("intersection" | "union" | "difference" as name, arguments):
            return _combined(terms, name, arguments, variable)
    return None


def _combined(
    terms: Terms, name: str, arguments: tuple[Expression, ...], variable: Slot
) -> Relation | None:
    """Return the relation of an operation on sets, of which the first part given is moving."""
    everywhere = (1 << terms.size) - 1
    if name != "difference":
        arguments = tuple(sorted(arguments, key=lambda part: isinstance(part, Const)))
    result = static_relation(terms, arguments[0], variable)
    for argument in arguments[1:]:
        if result is None:
            return None
        if isinstance(argument, Const) and name != "union":
            known = int(argument.value)
            onto = known if name == "intersection" else everywhere & ~known
            result = result.restrict(everywhere, onto)
            continue
        relation = static_relation(terms, argument, variable)
        if relation is None:
            return None
        combine = {"union": result.union, "intersection": result.intersection}
        result = combine.get(name, result.difference)(relation)
    return result
