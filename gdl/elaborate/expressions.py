"""Expressions: from syntax to values, with names resolved, types checked, definitions inlined.

In: an expression of the syntax tree and its scope. Out: a value (values.py), most often a core
expression. What then holds: the core expression is well typed; every error has been raised as
a `Problem` at the part that is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import assert_never

from gdl.board.relation import Relation
from gdl.budget import TooMuchWork
from gdl.core import build
from gdl.core.build import TooLarge
from gdl.core.nodes import Can, Const, Expression, Get, Slot
from gdl.core.operations import Overflow
from gdl.core.types import FLAG, FRACTION, NUMBER, SITES, Type
from gdl.diagnostic import Span
from gdl.elaborate import (
    builtins,
    cases,
    coerce,
    directions,
    families,
    formula,
    limits,
    moments,
    powers,
    relations,
    tables,
)
from gdl.elaborate.calls import call_definition, find_name
from gdl.elaborate.domains import fold_over, unrolled
from gdl.elaborate.names import check_local
from gdl.elaborate.origins import JoinedSets
from gdl.elaborate.quantifiers import quantified
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

_ARITHMETIC = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "fraction",
    "div": "divide",
    "mod": "modulo",
}


def elaborate(node: t.Expression, scope: Scope) -> Value:
    """Return what an expression stands for. Raises Problem, Silent or Exhausted."""
    limits.spend(scope, node.span)
    try:
        value = _value(node, scope)
        if (origins := scope.declarations.origins) is not None:
            origins.note(node.span, value)
        return value
    except (TooLarge, Overflow) as failure:
        raise limits.problem_at(failure, node.span) from None
    except TooMuchWork as failure:
        where = scope.calls[0][1] if scope.calls else node.span
        raise limits.problem_at(failure, where) from None


def _value(node: t.Expression, scope: Scope) -> Value:
    match node:
        case t.Name():
            return find_name(node, scope, elaborate)
        case t.Operation():
            return _operation(node, scope)
        case t.Call():
            return _call(node, scope)
        case t.Number():
            return _number(node)
        case t.Flag():
            return build.flag(node.value)
        case t.Quantified():
            return quantified(node, scope, elaborate)
        case t.Conditional():
            return _conditional(node, scope)
        case t.LetIn():
            return _let(node, scope)
        case t.Range():
            return RangeValue(whole(node.low, scope), whole(node.high, scope))
        case t.Listing():
            return ListValue(tuple(elaborate(item, scope) for item in node.items))
        case t.Pairs():
            return _pairs(node, scope)
        case t.Can():
            return _can(node, scope)
        case t.TableOf():
            return tables.look_up(node, scope, elaborate)
        case t.DrawingOf():
            return tables.drawn(node, scope)
        case t.PathOf():
            return tables.path(node, scope)
        case _:
            assert_never(node)


def sites(node: t.Expression, scope: Scope) -> Expression:
    """Elaborate an expression that must be a set of sites."""
    return coerce.to_sites(elaborate(node, scope), node.span, scope)


def number(node: t.Expression, scope: Scope) -> Expression:
    """Elaborate an expression that must be a number."""
    return coerce.to_number(elaborate(node, scope), node.span)


def whole(node: t.Expression, scope: Scope) -> Expression:
    """Elaborate an expression that must be a whole number."""
    return coerce.to_whole(elaborate(node, scope), node.span)


def flag(node: t.Expression, scope: Scope) -> Expression:
    """Elaborate an expression that must be a condition."""
    return coerce.to_flag(elaborate(node, scope), node.span)


def relation(node: t.Expression, scope: Scope) -> RelationValue:
    """Elaborate an expression that must be a relation."""
    return coerce.to_relation(elaborate(node, scope), node.span, scope)


def of_type(node: t.Expression, wanted: Type, scope: Scope) -> Expression:
    """Elaborate an expression of a given type; a bare word may name a value of a choice."""
    if wanted.is_choice and isinstance(node, t.Name) and node.name in wanted.values:
        return Const(wanted.values.index(node.name), wanted)
    if wanted.is_choice and isinstance(node, t.Conditional):
        parts = (of_type(part, wanted, scope) for part in (node.then, node.otherwise))
        return build.conditional(flag(node.condition, scope), *parts)
    return coerce.to_type(elaborate(node, scope), wanted, node.span, scope)


def _number(node: t.Number) -> Value:
    if len(node.text) > 18:
        raise problem(
            "overflow", "This number is too large.", node.span, "Numbers have 18 digits at most."
        )
    if "." in node.text:
        return Const(Fraction(node.text), FRACTION)
    return build.number(int(node.text))


def _call(node: t.Call, scope: Scope) -> Value:
    function = node.function
    if isinstance(function, t.Name) and scope.local(function.name) is None:
        found = call_definition(function, node.arguments, node.span, scope, elaborate)
        if found is not None:
            return found
        special = builtins.function(function.name, scope)
        if special is not None:
            return special(node, scope, elaborate)
        if function.name in scope.declarations.traits:
            return builtins.trait(node, scope, elaborate)
        if function.name in scope.declarations.board.numbers:
            return builtins.board_number(node, scope, elaborate)
    value = _led_along(elaborate(function, scope), scope)
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


def _led_along(value: Value, scope: Scope) -> Value:
    """Return the relation of a direction that is known in play only; another value as it is."""
    if isinstance(value, Expression) and directions.is_direction(value):
        return directions.as_relation(value, scope.declarations.board)
    return value


def _operation(node: t.Operation, scope: Scope) -> Value:
    match node.operator:
        case "and" | "or":
            return _junction(node, scope)
        case "not":
            return build.negation(flag(node.operands[0], scope))
        case "some":
            return build.some(sites(node.operands[0], scope))
        case "no":
            return build.negation(build.some(sites(node.operands[0], scope)))
        case "count":
            return _count(node, scope)
        case "when":
            return _when(node, scope)
        case "in":
            return _in(node, scope)
        case "=" | "!=" | "<" | "<=" | ">" | ">=":
            return _compare(node, scope)
        case "|" | "&":
            return _set_operation(node, scope)
        case "-" if len(node.operands) == 1:
            return build.numeric("subtract", build.number(0), number(node.operands[0], scope))
        case "+" | "-" | "*" | "/" | "div" | "mod":
            return _arithmetic(node, scope)
        case "^":
            return _power(node, scope)
        case "from" | "into" | "within":
            return _restrict(node, scope)
        case "max" | "min":
            return _extreme(node, scope)
        case _:
            assert_never(node.operator)


def _junction(node: t.Operation, scope: Scope) -> Value:
    parts = [flag(operand, scope) for operand in node.operands]
    return build.conjunction(*parts) if node.operator == "and" else build.disjunction(*parts)


def _count(node: t.Operation, scope: Scope) -> Value:
    value = elaborate(node.operands[0], scope)
    if isinstance(value, GroupsValue):
        slot = Slot("group", SITES)
        return fold_over("sum", slot, value, build.number(1), node.span, scope)
    if isinstance(value, ListValue):
        return build.number(len(value.items))
    result: Expression = build.op(
        "count", (coerce.to_sites(value, node.operands[0].span, scope),), NUMBER
    )
    return result


def _when(node: t.Operation, scope: Scope) -> Value:
    condition = flag(node.operands[1], scope)
    value = _led_along(elaborate(node.operands[0], scope), scope)
    if isinstance(value, RelationValue):
        size = scope.declarations.board.size
        nothing = Known(Relation.empty(size))
        return _chosen(condition, value, RelationValue(nothing))
    return build.conditional(
        condition, coerce.to_sites(value, node.operands[0].span, scope), build.NOWHERE
    )


def _chosen(condition: Expression, then: RelationValue, otherwise: RelationValue) -> Value:
    if isinstance(condition, Const):
        return then if condition.value else otherwise
    return RelationValue(Chosen(condition, then.tree, otherwise.tree))


def _compare(node: t.Operation, scope: Scope) -> Value:
    left, right = coerce.compared(node.operands, scope, elaborate)
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
    if isinstance(among, ListValue | RelationValue):
        value = elaborate(member, scope)
        items = unrolled(among, container.span) or ()
        return build.disjunction(
            *(build.equal(*coerce.same_type(value, item, node.span, scope)) for item in items)
        )
    result: Expression = build.op(
        "subset",
        (sites(member, scope), coerce.to_sites(among, container.span, scope)),
        FLAG,
    )
    return result


def _set_operation(node: t.Operation, scope: Scope) -> Value:
    values = [_led_along(elaborate(operand, scope), scope) for operand in node.operands]
    spans = [operand.span for operand in node.operands]
    if any(isinstance(value, RelationValue) for value in values):
        board = scope.declarations.board
        parts = [coerce.to_relation(v, s, scope) for v, s in zip(values, spans, strict=True)]
        if node.operator == "|":
            _note_relations(node, parts, scope)
            return families.union(parts, board)
        known = [formula.known(part.tree, span) for part, span in zip(parts, spans, strict=True)]
        result, both = parts[0], known[0]
        for other, also in zip(parts[1:], known[1:], strict=True):
            both = both.intersection(also)
            result = families.intersection(result, other, both, board)
        return result
    for value, span in zip(values, spans, strict=True):
        if isinstance(value, Expression) and value.type == FLAG:
            raise problem(
                "wrong-type",
                f"`{node.operator}` joins sets, and this is a condition.",
                span,
                f"Conditions are joined by `{'or' if node.operator == '|' else 'and'}`.",
            )
    sets = [coerce.to_sites(v, s, scope) for v, s in zip(values, spans, strict=True)]
    joined = build.union(*sets) if node.operator == "|" else build.intersection(*sets)
    return _noted(node, sets, joined, scope)


def _noted(
    node: t.Operation, parts: Sequence[Expression], result: Expression, scope: Scope
) -> Expression:
    """Return the result, and let it be known what it was made of, if somebody listens."""
    if (origins := scope.declarations.origins) is not None:
        spans = (operand.span for operand in node.operands)
        joined = JoinedSets(node.operator, tuple(zip(spans, parts, strict=True)))
        origins.note_joined(joined, result)
    return result


def _note_relations(node: t.Operation, parts: Sequence[RelationValue], scope: Scope) -> None:
    """Let it be known which of some relations lead where no other one does, if somebody listens."""
    if (origins := scope.declarations.origins) is None:
        return
    trees = [part.tree for part in parts]
    known = [tree.relation for tree in trees if isinstance(tree, Known)]
    for number, operand in enumerate(node.operands):
        rest = None
        if len(known) == len(trees):
            rest = known[number]
            for other in (*known[:number], *known[number + 1 :]):
                rest = rest.difference(other)
        origins.note_telling(operand.span, rest is None or bool(rest.offset_classes))


def _arithmetic(node: t.Operation, scope: Scope) -> Value:
    left, right = (_led_along(elaborate(operand, scope), scope) for operand in node.operands)
    spans = [operand.span for operand in node.operands]
    if node.operator == "-" and not _is_number(left):
        if isinstance(left, RelationValue):
            other = coerce.to_relation(right, spans[1], scope)
            first, second = formula.known(left.tree, spans[0]), formula.known(other.tree, spans[1])
            rest = first.difference(second)
            return families.difference(left, other, rest, scope.declarations.board)
        sets = [coerce.to_sites(v, s, scope) for v, s in zip((left, right), spans, strict=True)]
        return _noted(node, sets, build.difference(*sets), scope)
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


def _power(node: t.Operation, scope: Scope) -> Value:
    base = _led_along(elaborate(node.operands[0], scope), scope)
    exponent = coerce.to_number(elaborate(node.operands[1], scope), node.operands[1].span)
    return powers.power(node, base, exponent, scope)


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


def _conditional(node: t.Conditional, scope: Scope) -> Value:
    condition = flag(node.condition, scope)
    if isinstance(condition, Const):
        return elaborate(node.then if condition.value else node.otherwise, scope)
    then, otherwise = elaborate(node.then, scope), elaborate(node.otherwise, scope)
    return cases.one_of_two(condition, then, otherwise, node.span, scope)


def _let(node: t.LetIn, scope: Scope) -> Value:
    check_local(node.name, scope)
    value = elaborate(node.value, scope)
    if not isinstance(value, Expression) or isinstance(value, Const):
        return elaborate(node.body, scope.bind(node.name.name, value))
    slot = Slot(node.name.name, value.type, span=node.name.span)
    body = elaborate(node.body, scope.bind(node.name.name, Get(slot)))
    if isinstance(body, Expression):
        return build.let(slot, value, body)
    return elaborate(node.body, scope.bind(node.name.name, value))


def _pairs(node: t.Pairs, scope: Scope) -> Value:
    check_local(node.first, scope)
    check_local(node.second, scope)
    return formula.pairs(node, scope, elaborate)


def _can(node: t.Can, scope: Scope) -> Value:
    side = of_type(node.side, scope.declarations.side_type, scope)
    coerce.check_somebody(side, node.side.span)
    before, slots = moments.kept_words(scope)
    condition = flag(node.condition, before)

    def can(index: int) -> Expression:
        return _can_reach(index, condition, node.span, scope)

    if isinstance(side, Const):
        result = can(int(side.value))
    else:
        each = (build.equal(side, Const(i, side.type)) for i in range(len(side.type.values)))
        result = build.disjunction(*(build.conjunction(c, can(i)) for i, c in enumerate(each)))
    for slot, value in reversed(slots):
        result = build.let(slot, value, result)
    return result


def _can_reach(side: int, condition: Expression, span: Span, scope: Scope) -> Expression:
    """Return whether a side, were it on turn, has a move after which the condition holds."""
    d = scope.declarations
    d.looks_ahead = True
    reads = frozenset(d.layers.values()) | {d.system.mover}
    for variable in d.state.values():
        reads |= frozenset(variable.slots.values())
    if d.piles is not None:
        reads |= frozenset(d.piles.slots)
    return Can(side, condition, reads, span)
