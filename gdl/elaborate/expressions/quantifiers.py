"""Quantified expressions: `some x in D where …`, `union d in D of …` and their kin.

In: the syntax and its scope. Out: a value. Over a list (sides, directions, a short range) the
body is elaborated once for each element; over sites and groups it becomes a fold of the core, and
so it does over a range if its copies are many, dear, and the same but for the number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

from gdl.codes import Code
from gdl.core import build
from gdl.core.merging import Merger, Unlike
from gdl.core.nodes import Block, Can, Closure, Const, Expression, Fold, Get, Select, Slot
from gdl.core.types import NUMBER
from gdl.core.walk import expressions_in
from gdl.elaborate.expressions.names import check_local
from gdl.elaborate.hints.missing_parentheses import around_folded
from gdl.elaborate.names.scope import Problem, Scope, problem
from gdl.elaborate.names.values import GroupsValue, RangeValue, RelationValue, Value
from gdl.elaborate.relations import coerce, domains
from gdl.elaborate.relations.coerce import Elaborate
from gdl.elaborate.relations.domains import INITIAL, element_slot, fold_over, unrolled
from gdl.elaborate.relations.standing import knowing
from gdl.syntax import tree as t

Convert = Callable[[t.Quantified, Scope, Elaborate], Expression]


def _sites(node: t.Quantified, scope: Scope, elaborate: Elaborate) -> Expression:
    return coerce.to_sites(elaborate(node.body, scope), node.body.span, scope)


def _number(node: t.Quantified, scope: Scope, elaborate: Elaborate) -> Expression:
    value = elaborate(node.body, scope)
    try:
        return coerce.to_number(value, node.body.span)
    except Problem as error:
        hint = around_folded(node) or error.diagnostic.hint
        raise Problem(error.diagnostic.with_hint(hint)) from None


def _flag(node: t.Quantified, scope: Scope, elaborate: Elaborate) -> Expression:
    return coerce.to_flag(elaborate(node.body, scope), node.body.span)


_BODIES: Mapping[str, Convert] = MappingProxyType(
    {"some": _flag, "no": _flag, "every": _flag, "count": _flag, "intersection": _sites}
)
"""What the bodies behind a word are, if they are no numbers."""
_COMBINED: Mapping[str, str] = MappingProxyType(
    {"some": "or", "no": "or", "every": "and", "count": "sum"}
)
"""How a fold combines what is behind a word, if it is not called so itself."""


def quantified(node: t.Quantified, scope: Scope, elaborate: Elaborate) -> Value:
    """Return the value of a quantified expression. Raises Problem."""
    check_local(node.variable, scope)
    domain = elaborate(node.domain, scope)
    items = unrolled(domain, node.domain.span)
    if items is not None:
        return _unroll(node, domain, items, scope, elaborate)
    slot = element_slot(node.variable, domain, node.domain.span, scope)
    inner = knowing(slot, domain, scope).bind(node.variable.name, Get(slot))
    word = node.word
    if word in ("some", "no", "every"):
        condition = _flag(node, inner, elaborate)
        found = fold_over(_COMBINED[word], slot, domain, condition, node.domain.span, scope)
        return build.negation(found) if word == "no" else found
    if word in ("sites", "count"):
        return _select(node, word, slot, domain, _flag(node, inner, elaborate), scope)
    if word in ("union", "intersection"):
        return fold_over(
            word, slot, domain, _sites(node, inner, elaborate), node.domain.span, scope
        )
    return fold_over(word, slot, domain, _number(node, inner, elaborate), node.domain.span, scope)


def _select(
    node: t.Quantified,
    word: str,
    slot: Slot,
    domain: Value,
    condition: Expression,
    scope: Scope,
) -> Value:
    if isinstance(domain, GroupsValue | RangeValue):
        one = build.conditional(condition, build.number(1), build.number(0))
        if word == "count":
            return fold_over("sum", slot, domain, one, node.domain.span, scope)
        if isinstance(domain, RangeValue):
            raise problem(
                Code.WRONG_TYPE,
                "Only what runs over sites can select sites, and these are numbers.",
                node.domain.span,
                "Sites by number are for instance `sites s in all where row(s) <= n`.",
            )
        chosen = build.conditional(condition, Get(slot), build.NOWHERE)
        return fold_over("union", slot, domain, chosen, node.domain.span, scope)
    among = coerce.to_sites(domain, node.domain.span, scope)
    found = build.select(slot, among, condition)
    if word == "sites":
        return found
    result: Expression = build.op("count", (found,), NUMBER)
    return result


def _unroll(
    node: t.Quantified,
    domain: Value,
    items: tuple[Value, ...],
    scope: Scope,
    elaborate: Elaborate,
) -> Value:
    if node.word == "sites":
        raise problem(
            Code.WRONG_TYPE,
            "Only what runs over sites can select sites.",
            node.domain.span,
            "A union over a list is written `union x in … of …`.",
        )
    if node.word == "union":
        return _union_unrolled(node, items, scope, elaborate)
    convert = _BODIES.get(node.word, _number)

    def body(item: Value) -> Expression:
        return convert(node, scope.bind(node.variable.name, item), elaborate)

    if not isinstance(domain, RangeValue) or len(items) <= MOST_COPIES:
        return _combined(node.word, [body(item) for item in items], scope)
    first, last = body(items[0]), body(items[-1])
    numbers = [int(item.value) for item in (items[0], items[-1]) if isinstance(item, Const)]
    if should_be_a_loop((first, last), numbers):
        slot = element_slot(node.variable, domain, node.domain.span, scope)
        with suppress(Problem):
            return _looped(node, slot, domain, body(Get(slot)), scope)
    return _combined(node.word, [first, *map(body, items[1:-1]), last], scope)


def _looped(
    node: t.Quantified, slot: Slot, domain: Value, body: Expression, scope: Scope
) -> Expression:
    """Return what is quantified over a range as a loop of the core."""
    if node.word == "count":
        body = build.conditional(body, build.number(1), build.number(0))
    combine = _COMBINED.get(node.word, node.word)
    found = fold_over(combine, slot, domain, body, node.domain.span, scope)
    return build.negation(found) if node.word == "no" else found


def _combined(word: str, copies: list[Expression], scope: Scope) -> Expression:
    """Return copies of what is quantified, one after the other."""
    match word:
        case "some":
            return build.disjunction(*copies)
        case "no":
            return build.negation(build.disjunction(*copies))
        case "every":
            return build.conjunction(*copies)
        case "intersection":
            everything = build.sites(scope.declarations.board.all_sites)
            return build.intersection(everything, *copies)
        case "sum":
            return _summed(copies)
        case "count":
            one, none = build.number(1), build.number(0)
            return _summed([build.conditional(copy, one, none) for copy in copies])
    name = {"product": "multiply", "max": "maximum", "min": "minimum"}[word]
    result = copies[0] if copies else build.number(INITIAL[word])
    for value in copies[1:]:
        result = build.numeric(name, result, value)
    return result


def _union_unrolled(
    node: t.Quantified, items: tuple[Value, ...], scope: Scope, elaborate: Elaborate
) -> Value:
    values = [elaborate(node.body, scope.bind(node.variable.name, item)) for item in items]
    if any(isinstance(value, RelationValue) for value in values):
        parts = [coerce.to_relation(value, node.body.span, scope) for value in values]
        return domains.union(parts, scope.declarations.board)
    return build.union(*(coerce.to_sites(v, node.body.span, scope) for v in values))


def _summed(values: list[Expression]) -> Expression:
    result: Expression = build.number(0)
    for index, value in enumerate(values):
        result = value if index == 0 else build.numeric("add", result, value)
    return result


# ----- whether a text becomes much work for each number of a range, and the same but for the number

MOST_COPIES = 8
"""More copies than these become a loop if they are dear: if there is a loop inside already."""


def should_be_a_loop(copies: Sequence[Expression], numbers: Sequence[int]) -> bool:
    """Return whether copies for some numbers are dear, and differ in the number alone."""
    if not any(isinstance(part, Fold | Select | Closure) for part in expressions_in(copies[-1])):
        return False
    try:
        _Copies(numbers).expression(copies)
    except Unlike:
        return False
    return True


class _Copies(Merger):
    """Goes through copies at once; each has its own names for the variables of the first one."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = list(numbers)
        self._names: list[dict[Slot, Slot]] = [{} for _ in numbers]

    def block(self, blocks: Sequence[Block]) -> Block:
        """Raise Unlike: expressions have no blocks."""
        raise Unlike

    def expression(self, nodes: Sequence[Expression]) -> Expression:
        """Return the first one; raise Unlike if the others differ in more than the numbers."""
        first = nodes[0]
        if isinstance(first, Can) and all(node is first for node in nodes):
            return first
        values = [node.value for node in nodes if isinstance(node, Const) and node.of == NUMBER]
        if values == self._numbers and len(set(values)) > 1:
            return first
        return self.part(nodes)

    def filled(self, slots: Sequence[Slot]) -> Slot:
        """Return the first copy's variable, for which each copy has another."""
        self.same([slot.type for slot in slots])
        for names, slot in zip(self._names, slots, strict=True):
            names[slot] = slots[0]
        return slots[0]

    def read(self, slots: Sequence[Slot]) -> Slot:
        """Return the slot that all copies read, by the name that the first one has for it."""
        return self.same([names.get(s, s) for names, s in zip(self._names, slots, strict=True)])
