"""Expressions: from syntax to values, with names resolved, types checked, definitions inlined.

In: an expression of the syntax tree and its scope. Out: a value (values.py), most often a core
expression. What then holds: the core expression is well typed; every error has been raised as
a `Problem` at the part that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from gdl.core import build
from gdl.core.build import TooLarge
from gdl.core.nodes import Const, Expression, Get, GroupsOf, RangeOf, SitesOf, Slot
from gdl.core.operations import Overflow
from gdl.core.types import FLAG, FRACTION, NUMBER, SITES, Type
from gdl.diagnostic import Span
from gdl.elaborate import coerce, formula, relations, words
from gdl.elaborate.calls import call_definition, find_name
from gdl.elaborate.scope import Scope, problem
from gdl.elaborate.values import (
    Chosen,
    GroupsValue,
    Known,
    ListValue,
    RangeValue,
    RelationValue,
    Value,
    describe,
)
from gdl.syntax import tree as t

MOST_UNROLLED = 64
PRELUDE = "prelude.yaml"

_ARITHMETIC = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "fraction",
    "div": "divide",
    "mod": "modulo",
}
_INITIAL = {"union": 0, "sum": 0, "product": 1, "max": 0, "min": 0}


def elaborate(node: t.Expression, scope: Scope) -> Value:
    """Return what an expression stands for. Raises Problem or Silent."""
    try:
        return _BY_CLASS[type(node)](node, scope)
    except TooLarge:
        raise problem(
            "too-large",
            "This takes too long to work out before play.",
            node.span,
            "Let the variables run over fewer sites.",
        ) from None
    except Overflow:
        raise problem(
            "overflow", "This number is too large.", node.span, "Use a smaller power or factor."
        ) from None


def sites(node: t.Expression, scope: Scope) -> Expression:
    """Elaborate an expression that must be a set of sites."""
    return coerce.to_sites(elaborate(node, scope), node.span, scope)


def number(node: t.Expression, scope: Scope) -> Expression:
    """Elaborate an expression that must be a number."""
    return coerce.to_number(elaborate(node, scope), node.span)


def flag(node: t.Expression, scope: Scope) -> Expression:
    """Elaborate an expression that must be a condition."""
    return coerce.to_flag(elaborate(node, scope), node.span)


def relation(node: t.Expression, scope: Scope) -> RelationValue:
    """Elaborate an expression that must be a relation."""
    return coerce.to_relation(elaborate(node, scope), node.span)


def of_type(node: t.Expression, wanted: Type, scope: Scope) -> Expression:
    """Elaborate an expression of a given type; a bare word may name a value of a choice."""
    if wanted.is_choice and isinstance(node, t.Name) and node.name in wanted.values:
        return Const(wanted.values.index(node.name), wanted)
    return coerce.to_type(elaborate(node, scope), wanted, node.span, scope)


def _name(node: t.Name, scope: Scope) -> Value:
    return find_name(node, scope, elaborate)


def _number(node: t.Number, scope: Scope) -> Value:
    if "." in node.text:
        return Const(Fraction(node.text), FRACTION)
    if len(node.text) > 18:
        raise problem(
            "overflow", "This number is too large.", node.span, "Numbers have 18 digits at most."
        )
    return build.number(int(node.text))


def _flag(node: t.Flag, scope: Scope) -> Value:
    return build.flag(node.value)


def _call(node: t.Call, scope: Scope) -> Value:
    function = node.function
    if isinstance(function, t.Name) and scope.local(function.name) is None:
        found = call_definition(function, node.arguments, node.span, scope, elaborate)
        if found is not None:
            return found
        special = words.FUNCTIONS.get(function.name)
        if special is not None:
            return special(node, scope, elaborate)
        if function.name in scope.declarations.board.numbers:
            return words.board_number(node, scope, elaborate)
    value = elaborate(function, scope)
    if not isinstance(value, RelationValue):
        raise problem(
            "not-applicable",
            f"This is {describe(value)}: it can't be applied to something.",
            function.span,
            "Definitions with parameters, functions and relations can.",
        )
    if len(node.arguments) != 1:
        raise problem(
            "wrong-number-of-arguments",
            f"A relation is applied to one set of sites, not to {len(node.arguments)}.",
            node.span,
            "Join several sets by `|`.",
        )
    return relations.image(value.tree, sites(node.arguments[0], scope))


def _operation(node: t.Operation, scope: Scope) -> Value:
    return _OPERATORS[node.operator](node, scope)


def _junction(node: t.Operation, scope: Scope) -> Value:
    parts = [flag(operand, scope) for operand in node.operands]
    return build.conjunction(*parts) if node.operator == "and" else build.disjunction(*parts)


def _not(node: t.Operation, scope: Scope) -> Value:
    return build.negation(flag(node.operands[0], scope))


def _some(node: t.Operation, scope: Scope) -> Value:
    found = build.some(sites(node.operands[0], scope))
    return found if node.operator == "some" else build.negation(found)


def _count(node: t.Operation, scope: Scope) -> Value:
    value = elaborate(node.operands[0], scope)
    if isinstance(value, GroupsValue):
        slot = Slot("group", SITES)
        return _fold_dynamic("sum", slot, value, build.number(1), node.span, scope)
    result: Expression = build.op(
        "count", (coerce.to_sites(value, node.operands[0].span, scope),), NUMBER
    )
    return result


def _when(node: t.Operation, scope: Scope) -> Value:
    condition = flag(node.operands[1], scope)
    value = elaborate(node.operands[0], scope)
    if isinstance(value, RelationValue):
        size = scope.declarations.board.size
        nothing = Known(words.no_relation(size))
        return _chosen(condition, value, RelationValue(nothing))
    return build.conditional(
        condition, coerce.to_sites(value, node.operands[0].span, scope), build.NOWHERE
    )


def _chosen(condition: Expression, then: RelationValue, otherwise: RelationValue) -> Value:
    if isinstance(condition, Const):
        return then if condition.value else otherwise
    return RelationValue(Chosen(condition, then.tree, otherwise.tree))


def _compare(node: t.Operation, scope: Scope) -> Value:
    left, right = coerce.alike(node.operands, scope, elaborate)
    if node.operator in ("=", "!="):
        same = build.equal(left, right)
        return same if node.operator == "=" else build.negation(same)
    for operand, part in zip(node.operands, (left, right), strict=True):
        if not part.type.is_numeric:
            raise problem(
                "wrong-type",
                f"Only numbers have an order; this is {part.type}.",
                operand.span,
                "How many sites a set has is `count(S)`.",
            )
    if node.operator in (">", ">="):
        left, right = right, left
    name = "less" if node.operator in ("<", ">") else "not_more"
    result: Expression = build.op(name, (left, right), FLAG)
    return result


def _in(node: t.Operation, scope: Scope) -> Value:
    member, container = node.operands
    among = elaborate(container, scope)
    if isinstance(among, ListValue):
        value = elaborate(member, scope)
        return build.disjunction(
            *(build.equal(*coerce.same_type(value, item, node.span, scope)) for item in among.items)
        )
    result: Expression = build.op(
        "subset",
        (sites(member, scope), coerce.to_sites(among, container.span, scope)),
        FLAG,
    )
    return result


def _set_operation(node: t.Operation, scope: Scope) -> Value:
    values = [elaborate(operand, scope) for operand in node.operands]
    spans = [operand.span for operand in node.operands]
    if any(isinstance(value, RelationValue) for value in values):
        trees = [coerce.to_relation(v, s).tree for v, s in zip(values, spans, strict=True)]
        if node.operator == "|":
            return RelationValue(relations.join(trees))
        known = [formula.known(tree, span) for tree, span in zip(trees, spans, strict=True)]
        result = known[0]
        for other in known[1:]:
            result = result.intersection(other)
        return RelationValue(Known(result))
    for value, span in zip(values, spans, strict=True):
        if isinstance(value, Expression) and value.type == FLAG:
            raise problem(
                "wrong-type",
                f"`{node.operator}` joins sets, and this is a condition.",
                span,
                f"Conditions are joined by `{'or' if node.operator == '|' else 'and'}`.",
            )
    parts = [coerce.to_sites(v, s, scope) for v, s in zip(values, spans, strict=True)]
    return build.union(*parts) if node.operator == "|" else build.intersection(*parts)


def _arithmetic(node: t.Operation, scope: Scope) -> Value:
    left, right = (elaborate(operand, scope) for operand in node.operands)
    spans = [operand.span for operand in node.operands]
    if node.operator == "-" and not _is_number(left):
        if isinstance(left, RelationValue):
            first = formula.known(left.tree, spans[0])
            second = formula.known(coerce.to_relation(right, spans[1]).tree, spans[1])
            return RelationValue(Known(first.difference(second)))
        return build.difference(
            coerce.to_sites(left, spans[0], scope), coerce.to_sites(right, spans[1], scope)
        )
    a, b = coerce.to_number(left, spans[0]), coerce.to_number(right, spans[1])
    if node.operator in ("div", "mod"):
        for part, span in ((a, spans[0]), (b, spans[1])):
            if part.type != NUMBER:
                raise problem(
                    "wrong-type", f"`{node.operator}` is for whole numbers.", span, "Use `/`."
                )
    return build.numeric(_ARITHMETIC[node.operator], a, b)


def _is_number(value: Value) -> bool:
    return isinstance(value, Expression) and value.type.is_numeric


def _negative(node: t.Operation, scope: Scope) -> Value:
    return build.numeric("subtract", build.number(0), number(node.operands[0], scope))


def _power(node: t.Operation, scope: Scope) -> Value:
    base = elaborate(node.operands[0], scope)
    exponent = coerce.to_number(elaborate(node.operands[1], scope), node.operands[1].span)
    if not isinstance(base, RelationValue):
        value = coerce.to_number(base, node.operands[0].span)
        if value.type != NUMBER or exponent.type != NUMBER:
            raise problem(
                "wrong-type",
                "Powers are for whole numbers.",
                node.span,
                "Multiply, or write the power of numerator and denominator.",
            )
        return build.numeric("power", value, exponent)
    times = coerce.constant_number(exponent, node.operands[1].span)
    if not 0 <= times <= MOST_UNROLLED:
        raise problem(
            "out-of-range",
            f"A relation is repeated 0 to {MOST_UNROLLED} times.",
            node.operands[1].span,
            "Any number of steps is `reach(sites, relation)`.",
        )
    return RelationValue(relations.power(base.tree, times, scope.declarations.board.size))


def _restrict(node: t.Operation, scope: Scope) -> Value:
    base = relation(node.operands[0], scope)
    among = sites(node.operands[1], scope)
    source = among if node.operator in ("from", "within") else None
    target = among if node.operator in ("into", "within") else None
    return RelationValue(relations.cut(base.tree, source, target))


def _extreme(node: t.Operation, scope: Scope) -> Value:
    name = "maximum" if node.operator == "max" else "minimum"
    result = number(node.operands[0], scope)
    for operand in node.operands[1:]:
        result = build.numeric(name, result, number(operand, scope))
    return result


def _range(node: t.Range, scope: Scope) -> Value:
    return RangeValue(number(node.low, scope), number(node.high, scope))


def _listing(node: t.Listing, scope: Scope) -> Value:
    return ListValue(tuple(elaborate(item, scope) for item in node.items))


def _conditional(node: t.Conditional, scope: Scope) -> Value:
    condition = flag(node.condition, scope)
    if isinstance(condition, Const):
        return elaborate(node.then if condition.value else node.otherwise, scope)
    then, otherwise = elaborate(node.then, scope), elaborate(node.otherwise, scope)
    if isinstance(then, RelationValue) and isinstance(otherwise, RelationValue):
        return _chosen(condition, then, otherwise)
    return build.conditional(condition, *coerce.same_type(then, otherwise, node.span, scope))


def _let(node: t.LetIn, scope: Scope) -> Value:
    check_local(node.name, scope)
    value = elaborate(node.value, scope)
    if not isinstance(value, Expression) or isinstance(value, Const):
        return elaborate(node.body, scope.bind(node.name.name, value))
    slot = Slot(node.name.name, value.type)
    body = elaborate(node.body, scope.bind(node.name.name, Get(slot)))
    if isinstance(body, Expression):
        return build.let(slot, value, body)
    return elaborate(node.body, scope.bind(node.name.name, value))


def check_local(name: t.Name, scope: Scope) -> None:
    """Raise a Problem if a local word would hide something that has a name already."""
    if name.span.source.name != PRELUDE:
        words.check_free(name.name, name.span, scope)


def _pairs(node: t.Pairs, scope: Scope) -> Value:
    check_local(node.first, scope)
    check_local(node.second, scope)
    return formula.pairs(node, scope, elaborate)


def _can(node: t.Can, scope: Scope) -> Value:
    side = coerce.constant_side(elaborate(node.side, scope), node.side.span, scope)
    return words.can_reach(side, flag(node.condition, scope), scope)


# ------------------------------------------------------------------ quantifiers


def _quantified(node: t.Quantified, scope: Scope) -> Value:
    check_local(node.variable, scope)
    domain = elaborate(node.domain, scope)
    items = unrolled(domain)
    if items is not None:
        return _unroll(node, items, scope)
    slot = element_slot(node.variable.name, domain, node.domain.span, scope)
    inner = scope.bind(node.variable.name, Get(slot))
    word = node.word
    if word in ("some", "no", "every"):
        condition = flag(node.body, inner)
        combine = "and" if word == "every" else "or"
        found = _fold_dynamic(combine, slot, domain, condition, node.domain.span, scope)
        return build.negation(found) if word == "no" else found
    if word in ("sites", "count"):
        return _select(node, word, slot, domain, flag(node.body, inner), scope)
    if word in ("union", "intersection"):
        return _fold_dynamic(word, slot, domain, sites(node.body, inner), node.domain.span, scope)
    return _fold_dynamic(word, slot, domain, number(node.body, inner), node.domain.span, scope)


def unrolled(domain: Value) -> tuple[Value, ...] | None:
    """Return the elements of a domain if they are known and few, else None."""
    if isinstance(domain, ListValue):
        return domain.items
    if isinstance(domain, RelationValue):
        return domain.members or (domain,)
    if isinstance(domain, RangeValue):
        low, high = domain.low, domain.high
        if not (isinstance(low, Const) and isinstance(high, Const)):
            return None
        if int(high.value) - int(low.value) < MOST_UNROLLED:
            values = range(int(low.value), int(high.value) + 1)
            return tuple(build.number(value) for value in values)
    return None


def element_slot(name: str, domain: Value, span: Span, scope: Scope) -> Slot:
    """Return a local slot for the elements of a domain. Raises Problem if it is none."""
    if isinstance(domain, RangeValue):
        return Slot(name, NUMBER)
    if not isinstance(domain, GroupsValue):
        coerce.to_sites(domain, span, scope)
    return Slot(name, SITES)


def core_domain(domain: Value, span: Span, scope: Scope) -> SitesOf | GroupsOf | RangeOf:
    """Return the core's form of a domain that is not unrolled."""
    if isinstance(domain, RangeValue):
        return RangeOf(domain.low, domain.high)
    if isinstance(domain, GroupsValue):
        frontier = Slot("frontier", SITES)
        return GroupsOf(domain.sites, frontier, relations.image(domain.relation, Get(frontier)))
    return SitesOf(coerce.to_sites(domain, span, scope))


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
            return _fold_dynamic("sum", slot, domain, one, node.domain.span, scope)
        if isinstance(domain, RangeValue):
            raise problem(
                "wrong-type",
                "Only what runs over sites can select sites, and these are numbers.",
                node.domain.span,
                "Sites by number are for instance `sites s in all where row(s) <= n`.",
            )
        chosen = build.conditional(condition, Get(slot), build.NOWHERE)
        return _fold_dynamic("union", slot, domain, chosen, node.domain.span, scope)
    among = coerce.to_sites(domain, node.domain.span, scope)
    found = build.select(slot, among, condition)
    if word == "sites":
        return found
    result: Expression = build.op("count", (found,), NUMBER)
    return result


def _fold_dynamic(
    combine: str, slot: Slot, domain: Value, body: Expression, span: Span, scope: Scope
) -> Expression:
    everything = scope.declarations.board.all_sites
    initial = everything if combine == "intersection" else _INITIAL.get(combine, combine == "and")
    return build.fold(combine, slot, core_domain(domain, span, scope), body, initial)


def _unroll(node: t.Quantified, items: tuple[Value, ...], scope: Scope) -> Value:
    def bodies(convert: Callable[[t.Expression, Scope], Expression]) -> list[Expression]:
        return [convert(node.body, scope.bind(node.variable.name, item)) for item in items]

    match node.word:
        case "some":
            return build.disjunction(*bodies(flag))
        case "no":
            return build.negation(build.disjunction(*bodies(flag)))
        case "every":
            return build.conjunction(*bodies(flag))
        case "count":
            return _summed(
                [build.conditional(c, build.number(1), build.number(0)) for c in bodies(flag)]
            )
        case "sites":
            raise problem(
                "wrong-type",
                "Only what runs over sites can select sites.",
                node.domain.span,
                "A union over a list is written `union x in … of …`.",
            )
        case "union":
            return _union_unrolled(node, items, scope)
        case "intersection":
            everything = build.sites(scope.declarations.board.all_sites)
            return build.intersection(everything, *bodies(sites))
        case "sum":
            return _summed(bodies(number))
    values = bodies(number)
    name = {"product": "multiply", "max": "maximum", "min": "minimum"}[node.word]
    result = values[0] if values else build.number(_INITIAL[node.word])
    for value in values[1:]:
        result = build.numeric(name, result, value)
    return result


def _union_unrolled(node: t.Quantified, items: tuple[Value, ...], scope: Scope) -> Value:
    values = [elaborate(node.body, scope.bind(node.variable.name, item)) for item in items]
    if any(isinstance(value, RelationValue) for value in values):
        return RelationValue(
            relations.join([coerce.to_relation(v, node.body.span).tree for v in values])
        )
    return build.union(*(coerce.to_sites(v, node.body.span, scope) for v in values))


def _summed(values: list[Expression]) -> Expression:
    result: Expression = build.number(0)
    for index, value in enumerate(values):
        result = value if index == 0 else build.numeric("add", result, value)
    return result


_OPERATORS: dict[str, Callable[[t.Operation, Scope], Value]] = {
    "and": _junction,
    "or": _junction,
    "not": _not,
    "some": _some,
    "no": _some,
    "count": _count,
    "when": _when,
    "in": _in,
    "|": _set_operation,
    "&": _set_operation,
    "negative": _negative,
    "^": _power,
    "from": _restrict,
    "into": _restrict,
    "within": _restrict,
    "max": _extreme,
    "min": _extreme,
    **dict.fromkeys(("=", "!=", "<", "<=", ">", ">="), _compare),
    **dict.fromkeys(_ARITHMETIC, _arithmetic),
}

_BY_CLASS: dict[type, Callable[..., Value]] = {
    t.Name: _name,
    t.Number: _number,
    t.Flag: _flag,
    t.Call: _call,
    t.Operation: _operation,
    t.Range: _range,
    t.Listing: _listing,
    t.Quantified: _quantified,
    t.Pairs: _pairs,
    t.Conditional: _conditional,
    t.LetIn: _let,
    t.Can: _can,
}
