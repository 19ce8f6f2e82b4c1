"""Variables of the state at their indices, as expressions and assignments name them.

In: a variable, and its indices as they are written. Out: the slots that may be meant, each with the
condition that it is this one: an index may be known in play only.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.codes import Code
from gdl.core import build
from gdl.core.nodes import Const, Expression, Get, GetAt, Slot
from gdl.core.types import FRACTION
from gdl.diagnostic import Span
from gdl.elaborate.names.scope import Declarations, Scope, StateVariable, problem
from gdl.elaborate.names.values import ListValue, RelationValue, Value, describe, is_known
from gdl.elaborate.relations import coerce, directions
from gdl.elaborate.relations.coerce import Elaborate
from gdl.syntax import tree as t


def read_variable(
    variable: StateVariable,
    arguments: Sequence[t.Expression],
    span: Span,
    scope: Scope,
    elaborate: Elaborate,
) -> Expression:
    """Return the value of a variable at its indices, and its site if it is one per site."""
    check_indices(variable, arguments, span)
    indices, at = split_arguments(variable, arguments)
    keys = [index_value(index, variable, scope, elaborate) for index in indices]

    def read(slot: Slot) -> Expression:
        if at is None:
            return Get(slot)
        return GetAt(slot, coerce.to_sites(elaborate(at, scope), at.span, scope))

    *cases, (_, last) = state_cases(variable, keys, span)
    return build.by_cases(
        [(condition, read(slot)) for condition, slot in cases],
        read(last),
        lambda conditions: build.disjunction(*conditions),
        build.conditional,
    )


def whole_variable(
    node: t.Expression, scope: Scope, elaborate: Elaborate
) -> tuple[Slot, ...] | None:
    """Return the slots of a variable that stands without its last indices, or its site.

    None of anything else, and of indices that are known in play only.
    """
    name, arguments = (node.function, node.arguments) if isinstance(node, t.Call) else (node, ())
    variable = scope.declarations.state.get(name.name) if isinstance(name, t.Name) else None
    if variable is None or len(arguments) > len(variable.indices):
        return None
    if len(arguments) == len(variable.indices) and not variable.per_site:
        return None
    keys = tuple(index_value(index, variable, scope, elaborate) for index in arguments)
    found = [slot for index, slot in variable.slots.items() if index[: len(keys)] == keys]
    if not found or not all(is_known(key) for key in keys):
        return None
    scope.elaboration.used.add(variable.name)
    return tuple(found)


def rows_of_variables(d: Declarations) -> dict[str, tuple[str, ...]]:
    """Return what variables are called without their last indices, with the slots meant by name."""
    found: dict[str, tuple[str, ...]] = {}
    for slot in (slot for variable in d.state.values() for slot in variable.slots.values()):
        words = slot.name.split(", ")
        for count in range(1, len(words)):
            row = f"{', '.join(words[:count])})"
            found[row] = (*found.get(row, ()), slot.name)
    return found


def index_value(
    index: t.Expression, variable: StateVariable, scope: Scope, elaborate: Elaborate
) -> Value:
    """Return the value of an index; `neutral` is nobody, where the variable has that index."""
    if isinstance(index, t.Name) and index.name == "neutral":
        nobody = Const(-1, scope.declarations.side_type)
        if any(nobody in items for items in variable.indices):
            return nobody
    return elaborate(index, scope)


def split_arguments(
    variable: StateVariable, arguments: Sequence[t.Expression]
) -> tuple[Sequence[t.Expression], t.Expression | None]:
    """Return the arguments that are indices, and the one that is the site."""
    return (arguments[:-1], arguments[-1]) if variable.per_site else (arguments, None)


def check_indices(variable: StateVariable, arguments: Sequence[t.Expression], span: Span) -> None:
    """Raise a Problem unless there are as many arguments as the declaration asks for."""
    wanted = len(variable.indices) + variable.per_site
    if len(arguments) != wanted:
        raise problem(
            Code.WRONG_NUMBER_OF_ARGUMENTS,
            f"The variable `{variable.name}` takes {wanted} argument{'s' * (wanted != 1)}, "
            f"not {len(arguments)}.",
            span,
            "A variable per site is asked for at a site."
            if variable.per_site
            else "A variable is used with the indices of its declaration.",
            see=[("It is declared here.", variable.span)],
        )


def state_cases(
    variable: StateVariable, keys: list[Value], span: Span
) -> list[tuple[Expression, Slot]]:
    """Return the slots that the keys may mean, each with the condition that it is this one.

    A list of one if all keys are known. The last slot serves for values out of range.
    """
    if all(is_known(key) for key in keys):
        slot = variable.slots.get(tuple(keys))
        if slot is None:
            is_list = any(isinstance(key, ListValue) for key in keys)
            raise problem(
                Code.OUT_OF_RANGE,
                f"`{variable.name}` has no such index.",
                span,
                "An index is one value; `for each` goes through a list of them."
                if is_list
                else "Its indices are those of its declaration.",
                see=[("It is declared here.", variable.span)],
            )
        return [(build.YES, slot)]
    cases: list[tuple[Expression, Slot]] = []
    for index, slot in variable.slots.items():
        pairs = zip(keys, index, strict=True)
        parts = [_is_at(key, item, span, variable.span) for key, item in pairs]
        condition = build.conjunction(*parts)
        if condition != build.NO:
            cases.append((condition, slot))
    return cases or [(build.NO, last) for last in list(variable.slots.values())[-1:]]


def _is_at(key: Value, item: Value, span: Span, declared: Span) -> Expression:
    """Return whether an index is one of those that a variable is declared with."""
    if isinstance(item, RelationValue) and directions.is_direction(key):
        if isinstance(key, RelationValue):
            return build.flag(key == item)
        assert isinstance(key, Expression), "a direction is one of the two"
        place = directions.as_value(item, key.type)
        return build.NO if place is None else build.equal(key, place)
    if isinstance(key, Expression) and key.type == FRACTION:
        key = coerce.to_whole(key, span)
    if isinstance(key, Expression) and isinstance(item, Expression) and key.type == item.type:
        return build.equal(key, item)
    raise problem(
        Code.WRONG_TYPE,
        f"This index is {describe(key)}, and the variable's are others.",
        span,
        f"Its indices are those of its declaration, `{declared.text}`.",
        see=[("It is declared here.", declared)],
    )
