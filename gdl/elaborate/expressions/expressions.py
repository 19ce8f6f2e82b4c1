"""Expressions: from syntax to values, with names resolved, types checked, definitions inlined.

In: an expression of the syntax tree and its scope. Out: a value (values.py), most often a core
expression. What then holds: the core expression is well typed; every error has been raised as
a `Problem` at the part that is wrong.
"""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from gdl.codes import Code
from gdl.core import build
from gdl.core.build import TooLarge
from gdl.core.nodes import Can, Const, Expression, Get, Slot
from gdl.core.operations import Overflow
from gdl.core.types import FRACTION, SITES, Type
from gdl.diagnostic import Span, suggest
from gdl.elaborate.expressions import builtins
from gdl.elaborate.expressions.calls import call_definition, find_name
from gdl.elaborate.expressions.names import alike, all_words, check_local
from gdl.elaborate.expressions.operators import Operator
from gdl.elaborate.expressions.quantifiers import quantified
from gdl.elaborate.names import freeze, limits
from gdl.elaborate.names.scope import Problem, Scope, problem
from gdl.elaborate.names.values import ListValue, RangeValue, RelationValue, Value, describe
from gdl.elaborate.relations import cases, coerce, directions, formula, relations, tables
from gdl.resources.budget import TooMuchWork
from gdl.syntax import tree as t


def elaborate(node: t.Expression, scope: Scope) -> Value:
    """Return what an expression stands for. Raises Problem, Silent or Exhausted."""
    limits.spend(scope, node.span)
    try:
        value = _value(node, scope)
        if (origins := scope.elaboration.origins) is not None:
            origins.note(node.span, value)
        return value
    except (TooLarge, Overflow) as failure:
        raise limits.problem_at(failure, node.span) from None
    except TooMuchWork as failure:
        where = scope.calls[0][1] if scope.calls else node.span
        raise limits.problem_at(failure, where) from None


def _list(node: t.Listing, scope: Scope) -> Value:
    """Return the values of a list; of one of unknown names alone, say where names go."""
    try:
        return ListValue(tuple(elaborate(item, scope) for item in node.items))
    except Problem as failure:
        if failure.diagnostic.code is not Code.UNKNOWN_NAME or not _all_new(node.items, scope):
            raise
        hint = (
            f"Names of your own belong to a variable or option above: `… name in {node.span.text}`."
        )
        raise Problem(failure.diagnostic.with_hint(hint)) from None


def _all_new(items: tuple[t.Expression, ...], scope: Scope) -> bool:
    """Whether all are names in small letters that mean nothing, and not each a slip of the pen."""
    words = [item.name for item in items if isinstance(item, t.Name)]
    known = {*all_words(scope), *(site.name for site in scope.declarations.board.sites)}
    return (
        len(words) == len(items)
        and all(word[:1].islower() and word not in known for word in words)
        and not all(suggest(word, alike(word, scope)) for word in words)
    )


def _value(node: t.Expression, scope: Scope) -> Value:
    match node:
        case t.Name():
            return find_name(node, scope, elaborate)
        case t.Operation():
            return Operator(node, scope, elaborate).value()
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
            return _list(node, scope)
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
            Code.OVERFLOW, "This number is too large.", node.span, "Numbers have 18 digits at most."
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
    value = directions.led_along(elaborate(function, scope), scope.declarations.board)
    if value == build.NOWHERE:
        value = coerce.to_relation(value, function.span, scope)
    if not isinstance(value, RelationValue):
        raise problem(
            Code.NOT_APPLICABLE,
            f"This is {describe(value)}: it can't be applied to something.",
            function.span,
            _as_condition(node, value)
            or "Definitions with parameters, functions and relations can.",
        )
    if len(node.arguments) != 1:
        raise problem(
            Code.WRONG_NUMBER_OF_ARGUMENTS,
            f"A relation is applied to one set of sites, not to {len(node.arguments)}.",
            node.span,
            "Join several sets by `|`.",
        )
    return relations.image(value.tree, sites(node.arguments[0], scope))


def _as_condition(node: t.Call, value: Value) -> str:
    """Say how to ask whether sites are in a set, if a set is written as a question about them."""
    if not isinstance(value, Expression) or value.type != SITES or len(node.arguments) != 1:
        return ""
    asked, among = node.arguments[0].span.text, node.function.span.text
    return f"Whether a site is in a set is `s in S`: `{asked} in {among}`."


def _conditional(node: t.Conditional, scope: Scope) -> Value:
    ways = [node]
    while len(ways) <= build.FEW_CASES and isinstance(ways[-1].otherwise, t.Conditional):
        ways.append(ways[-1].otherwise)
    if len(ways) > build.FEW_CASES:
        return _one_of_many(node, scope)
    condition = flag(node.condition, scope)
    if isinstance(condition, Const):
        return elaborate(node.then if condition.value else node.otherwise, scope)
    then, otherwise = elaborate(node.then, scope), elaborate(node.otherwise, scope)
    return cases.one_of_two(condition, then, otherwise, node.span, scope)


def _one_of_many(node: t.Conditional, scope: Scope) -> Value:
    """Return one of the values of many conditions, of which each comes behind the `else` before."""
    found: list[tuple[Expression, Value]] = []
    rest: t.Expression = node
    while isinstance(rest, t.Conditional):
        if rest is not node:
            limits.spend(scope, rest.span)
        condition = flag(rest.condition, scope)
        if isinstance(condition, Const):
            rest = rest.then if condition.value else rest.otherwise
            if condition.value:
                break
            continue
        found.append((condition, elaborate(rest.then, scope)))
        rest = rest.otherwise

    def chosen(condition: Expression, then: Value, otherwise: Value) -> Value:
        return cases.one_of_two(condition, then, otherwise, node.span, scope)

    otherwise = elaborate(rest, scope)
    return build.by_cases(found, otherwise, lambda among: build.disjunction(*among), chosen)


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
    before, slots = freeze.kept_words(scope)
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
    scope.elaboration.asked_for.looks_ahead = True
    reads = frozenset(d.layers.values()) | {d.system.mover}
    for variable in d.state.values():
        reads |= frozenset(variable.slots.values())
    if d.piles is not None:
        reads |= frozenset(d.piles.slots)
    return Can(side, condition, reads, span)
