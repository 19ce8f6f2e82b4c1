"""Conversions: a value as what its place asks for, or a Problem that says what it is instead.

A side stands for the set of its pieces, and a kind for the set of its pieces, wherever a set
is asked for; so does a list of them. A number is also a fraction. Nothing else is converted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeGuard

from gdl.board.relation import Relation
from gdl.codes import Code
from gdl.core import build
from gdl.core.nodes import GREATEST, LEAST, Const, ConstantValue, Expression, Get, Slot
from gdl.core.types import FLAG, FRACTION, NUMBER, SITES, Type
from gdl.diagnostic import Facts, Span
from gdl.elaborate.names.scope import Problem, Scope, problem
from gdl.elaborate.names.values import Known, ListValue, RelationValue, Value, describe
from gdl.elaborate.relations import directions
from gdl.syntax import tree as t

_LIST_OF_WORDS = r"\(\w+(?:, \w+)+\)"
_CALL = r"(\w+)\((mover|enemy|own)\)"
_CALL_OF_SITE = r"(\w+)\(([a-z]\w?)\)"

Elaborate = Callable[[t.Expression, Scope], Value]


def to_sites(value: Value, span: Span, scope: Scope) -> Expression:
    """Return the value as a set of sites."""
    if isinstance(value, Expression):
        if value.type == SITES:
            return value
        if value.type in (scope.declarations.side_type, scope.declarations.kind_type):
            return _pieces(value, scope)
    if isinstance(value, ListValue) and _are_pieces(value, scope):
        return build.union(*(to_sites(item, span, scope) for item in value.items))
    hint = "Sets of sites are regions, `empty`, the pieces of a side or kind, and single sites."
    if isinstance(value, RelationValue):
        hint = "A relation leads from a set to another: apply it, as in `adjacent(own)`."
        if (called := re.fullmatch(_CALL, span.text)) is not None:
            is_own = called[2] == "own"
            applied = f"{called[1]}(mover)(own)" if is_own else f"{span.text}(s)"
            hint = f"A relation leads from a set to another: apply it, as in `{applied}`."
        if (called := re.fullmatch(_CALL_OF_SITE, span.text)) is not None:
            hint = (
                f"`{span.text}` is a relation, which is applied to a site: `{span.text}"
                f"({called[2]})`, or `{called[1]}(mover)({called[2]})` for the side on turn."
            )
    elif isinstance(value, ListValue):
        hint = "A list is run over: `(some x in L where …)`; `(count x in L)` is its length."
        if re.fullmatch(_LIST_OF_WORDS, span.text) and _are_sites(value):
            hint = f"`|` joins sites to a set: `{span.text.replace(',', ' |')}`."
    elif isinstance(value, Expression) and value.type == FLAG:
        hint = "The sites for which a condition holds are `sites s in … where …`."
    raise _wrong("a set of sites", value, span, hint)


def _are_sites(value: ListValue) -> bool:
    return all(isinstance(item, Expression) and item.type == SITES for item in value.items)


def _are_pieces(value: ListValue, scope: Scope) -> bool:
    """Whether a list has sides or kinds, and nothing else."""
    wanted = (scope.declarations.side_type, scope.declarations.kind_type)
    found = [item.type in wanted for item in value.items if isinstance(item, Expression)]
    return bool(found) and all(found) and len(found) == len(value.items)


def _pieces(value: Expression, scope: Scope) -> Expression:
    declarations = scope.declarations
    by_side = value.type == declarations.side_type
    pieces = scope.pieces_of if by_side else scope.pieces_of_kind
    if isinstance(value, Const):
        return pieces(int(value.value))
    numbers = reversed(range(len(value.type.values)))
    found = {number: pieces(number) for number in numbers}
    return build.by_number(value, found, build.NOWHERE, build.conditional)


def to_number(value: Value, span: Span) -> Expression:
    """Return the value as a number or fraction."""
    if isinstance(value, Expression) and value.type.is_numeric:
        return value
    hint = "How many sites a set has is `count(S)`."
    if isinstance(value, Expression) and value.type == FLAG:
        hint = "A number that depends on a condition is `if … then … else …`."
    raise _wrong("a number", value, span, hint)


def to_whole(value: Value, span: Span) -> Expression:
    """Return the value as a whole number; a known fraction may be one."""
    number = to_number(value, span)
    if number.type == NUMBER:
        return number
    if isinstance(number, Const) and Fraction(number.value).denominator == 1:
        return build.number(int(number.value))
    raise problem(
        Code.WRONG_TYPE,
        "This should be a whole number, but it is a fraction.",
        span,
        "`a div b` divides and rounds down. What keeps fractions is a variable of the type "
        "`fraction`, or a `let` that begins with one, such as `0.0`.",
    )


def to_flag(value: Value, span: Span) -> Expression:
    """Return the value as a condition."""
    if isinstance(value, Expression) and value.type == FLAG:
        return value
    hint = "A condition compares values, or asks for `some S` or `no S`."
    if isinstance(value, Expression) and value.type.is_numeric:
        hint = "Compare the number with another, as in `n > 0`."
    elif isinstance(value, Expression) and value.type == SITES:
        hint = "Whether a set has any sites is `some S`; whether it has none is `no S`."
    raise _wrong("a condition", value, span, hint)


def to_relation(value: Value, span: Span, scope: Scope) -> RelationValue:
    """Return the value as a relation; a direction that is known in play only leads along it.

    `none` is the relation that leads nowhere.
    """
    if isinstance(value, RelationValue):
        return value
    if value == build.NOWHERE:
        return leading_nowhere(scope)
    if isinstance(value, Expression) and value.type.name == "direction":
        return directions.as_relation(value, scope.declarations.board)
    raise _wrong(
        "a relation",
        value,
        span,
        "Relations are directions, `adjacent`, and those you define. `from`, `into` and `within` "
        "take one word only: write `into (all - own)`.",
    )


def to_direction(value: Value, span: Span, scope: Scope) -> Value:
    """Return the value if it is a direction, known before play or in play only."""
    if directions.is_direction(value):
        return value
    names = directions.directions_of(scope.declarations.board)
    raise _wrong("a direction", value, span, f"The directions are: {', '.join(names)}.")


def to_type(value: Value, wanted: Type, span: Span, scope: Scope) -> Expression:
    """Return the value as one of the type `wanted`."""
    if wanted == SITES:
        return to_sites(value, span, scope)
    if value == build.NOWHERE and _has_none(wanted):
        return Const(-1, wanted)
    if wanted.name == "direction":
        direction = directions.as_value(value, wanted)
        if direction is not None:
            return direction
    if isinstance(value, Expression):
        if value.type == wanted or (wanted == FRACTION and value.type == NUMBER):
            return value
        if wanted.is_choice:
            raise problem(
                Code.WRONG_TYPE,
                f"This should be {wanted}, but it is {value.type}.",
                span,
                f"It can be: {', '.join(wanted.values)}.",
                facts=Facts(expected=str(wanted), found=str(value.type)),
            )
    if wanted.is_choice:
        raise _wrong(str(wanted), value, span, f"It can be: {', '.join(wanted.values)}.")
    if wanted == FLAG:
        return to_flag(value, span)
    return to_whole(value, span) if wanted == NUMBER else to_number(value, span)


def _has_none(type_: Type) -> bool:
    return type_.is_choice and type_.name != "name"


def _may_be_none(value: Value) -> TypeGuard[Expression]:
    """Whether `none` beside a value is no side, kind or direction, and not an empty set."""
    if not isinstance(value, Expression) or not _has_none(value.type):
        return False
    is_set = isinstance(value, Const) and int(value.value) >= 0
    return value.type.name == "direction" or not is_set


def beside_none(value: Value, other: Value, scope: Scope) -> Value:
    """Return what `none` is beside another value that is a relation; any other value as it is."""
    if value != build.NOWHERE or not isinstance(other, RelationValue):
        return value
    if other.name:
        return Const(-1, Type("direction", (other.name,)))
    return leading_nowhere(scope)


def leading_nowhere(scope: Scope) -> RelationValue:
    """Return the relation that has no pairs."""
    return RelationValue(Known(Relation.empty(scope.declarations.board.size)))


def _wrong(wanted: str, value: Value, span: Span, hint: str = "") -> Problem:
    found = describe(value)
    message = f"This should be {wanted}, but it is {found}."
    return problem(Code.WRONG_TYPE, message, span, hint, facts=Facts(expected=wanted, found=found))


def same_type(
    a: Value, b: Value, span: Span, scope: Scope, told: str = "These can't be compared"
) -> tuple[Expression, Expression]:
    """Return two values as expressions of one type. Raises Problem, as `told`, if there is none.

    Beside a side or kind that is known in play only, or a direction, `none` is no such one.
    """
    a, b = beside_none(a, b, scope), beside_none(b, a, scope)
    if a == build.NOWHERE and _may_be_none(b):
        return Const(-1, b.type), b
    if b == build.NOWHERE and _may_be_none(a):
        return a, Const(-1, a.type)
    if isinstance(a, Expression) and isinstance(b, Expression):
        if a.type == b.type or (a.type.is_numeric and b.type.is_numeric):
            return a, b
        if SITES in (a.type, b.type):
            return to_sites(a, span, scope), to_sites(b, span, scope)
    if directions.is_direction(a) and directions.is_direction(b):
        return _directions(a, b, scope)
    if isinstance(a, RelationValue) and isinstance(b, RelationValue):
        raise problem(
            Code.WRONG_TYPE,
            "Directions can be compared, but other relations can't.",
            span,
            "Compare the sites that they lead to, as in `a(s) = b(s)`.",
        )
    raise problem(
        Code.WRONG_TYPE,
        f"{told}: one is {describe(a)}, the other {describe(b)}.",
        span,
        "Both must be of one type. How many sites a set has is `count(S)`.",
    )


def _directions(a: Value, b: Value, scope: Scope) -> tuple[Expression, Expression]:
    """Return two directions as values of one type: that of one of them, if it has the other."""
    types = [value.type for value in (a, b) if isinstance(value, Expression)]
    types.append(directions.direction_type(scope.declarations.board))
    names = directions.names_of(a) | directions.names_of(b)
    wanted = next(type_ for type_ in types if names <= set(type_.values))
    first, second = directions.as_value(a, wanted), directions.as_value(b, wanted)
    assert first is not None and second is not None, "each is one of these"
    return first, second


def compared(
    operands: Sequence[t.Expression], scope: Scope, elaborate: Elaborate
) -> tuple[Expression, Expression]:
    """Return the two operands of a comparison; a bare word may be a value of the other's type."""
    left, right = operands
    for word, other in ((left, right), (right, left)):
        if isinstance(word, t.Name) and not isinstance(other, t.Number):
            value = _choice_word(word, other, scope, elaborate)
            if value is not None:
                return value
    span = left.span.to(right.span)
    values = elaborate(left, scope), elaborate(right, scope)
    try:
        return same_type(*values, span, scope)
    except Problem as error:
        hint = _counted(operands, values, scope)
        raise Problem(error.diagnostic.with_hint(hint)) if hint else error from None


def _counted(operands: Sequence[t.Expression], values: Sequence[Value], scope: Scope) -> str:
    """Return a hint that counts a set which is compared with a number; nothing for others."""
    wanted = (SITES, scope.declarations.side_type, scope.declarations.kind_type)
    for (one, other), node in zip((values, values[::-1]), operands, strict=True):
        is_set = isinstance(one, Expression) and one.type in wanted
        if not is_set or not isinstance(other, Expression) or not other.type.is_numeric:
            continue
        text = " ".join(node.span.text.split())
        if isinstance(node, t.Name) and node.name in scope.locals:
            return f"How many sites it has is `count({text})`; where it is, `row({text})`."
        return f"How many there are is `count({text})`."
    return ""


def _choice_word(
    word: t.Name, other: t.Expression, scope: Scope, elaborate: Elaborate
) -> tuple[Expression, Expression] | None:
    if isinstance(other, t.Name) and _is_choice_value(other.name, scope):
        return None
    if word.name in scope.locals or not _is_choice_value(word.name, scope):
        return None
    value = elaborate(other, scope)
    if isinstance(value, Expression) and word.name in value.type.values:
        return Const(value.type.values.index(word.name), value.type), value
    return None


def _is_choice_value(name: str, scope: Scope) -> bool:
    declarations = scope.declarations
    types = [v.type for v in declarations.options.values() if isinstance(v, Expression)]
    types += [variable.type for variable in declarations.state.values()]
    types += declarations.traits.values()
    return any(name in type_.values for type_ in types if type_.name == "name")


def constant_number(value: Expression, span: Span) -> int:
    """Return a number that must be known before play. Raises Problem, with a hint."""
    if isinstance(value, Const) and value.type == NUMBER:
        return int(value.value)
    raise problem(
        Code.NOT_CONSTANT,
        "This number must be known before play.",
        span,
        "Numbers written out, options, and what is made of them, are.",
    )


def check_bounds(slot: Slot, value: ConstantValue, span: Span) -> None:
    """Raise a Problem if a variable can't hold a value at the start."""
    low = LEAST if slot.low is None else slot.low
    high = GREATEST if slot.high is None else slot.high
    if slot.type != NUMBER or low <= value <= high:
        return
    raise problem(
        Code.OUT_OF_RANGE,
        f"`{slot.name}` can't begin with {value}: it holds {low} to {high}.",
        span,
        "The value at the start follows the bounds, as in `number in 1..6 = 1`; 0 if none does.",
    )


def constant_side(value: Value, span: Span, scope: Scope) -> int:
    """Return a side that must be known where the text stands."""
    if isinstance(value, Const) and value.type == scope.declarations.side_type:
        check_somebody(value, span)
        return int(value.value)
    if isinstance(value, Expression) and value.type == scope.declarations.side_type:
        raise problem(
            Code.NOT_CONSTANT,
            "This side is known in play only; here it must be known before.",
            span,
            "Ask for each side in turn, as in `some p in players where p = … and …`.",
        )
    raise problem(
        Code.WRONG_TYPE,
        f"A side should stand here, but this is {describe(value)}.",
        span,
        f"The sides are {', '.join(scope.declarations.sides)}; "
        "`mover` is the one whose turn it is.",
    )


def check_somebody(value: Expression, span: Span) -> None:
    """Raise a Problem if a side or kind is that of a site on which nothing ever stands."""
    if isinstance(value, Const) and int(value.value) < 0:
        raise problem(
            Code.NO_SUCH_PIECE,
            "There is no such piece: it is asked for by a site that isn't there.",
            span,
            "`owner(s)` and `kind(s)` are those of a site on which a piece may stand.",
        )


def named(value: Expression, name: str, span: Span | None = None) -> tuple[Slot | None, Expression]:
    """Return a slot to hold the value, and its use; no slot where none is needed."""
    if isinstance(value, Const | Get):
        return None, value
    slot = Slot(name, value.type, span=span)
    return slot, Get(slot)
