"""Cases: which of several definitions with one name is meant, before play or in play.

In: definitions with one name and number of parameters, and arguments. Out: the one that fits best,
or, where an argument for which there are constants is known in play only, a value by cases. What
then holds: each case is elaborated once; numbers by cases are one table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction

from gdl.codes import Code
from gdl.core import build
from gdl.core.nodes import Const, ConstantValue, Expression, Get
from gdl.core.types import FLAG, NUMBER, SITES, Type
from gdl.diagnostic import Span
from gdl.elaborate.names.scope import Declarations, Definition, Problem, Scope, problem
from gdl.elaborate.names.values import Chosen, Known, ListValue, RelationValue, Value
from gdl.elaborate.relations import coerce, directions
from gdl.elaborate.relations.standing import possible
from gdl.syntax import tree as t

Defined = Callable[[Value, list[Definition]], Value]
"""What definitions are for another value of the argument that has cases."""

_LARGEST_PLACE = 255
"""Up to which number a table by numbers goes."""


def constant_parameter(parameter: t.Parameter, scope: Scope) -> Const | None:
    """Return the constant that a parameter stands for, if it is none that takes a value."""
    d = scope.declarations
    if parameter.type is not None:
        return None
    if parameter.name.isdigit():
        if len(parameter.name) > 18:
            raise problem(
                Code.OVERFLOW,
                "This number is too large.",
                parameter.span,
                "Numbers have 18 digits at most.",
            )
        return build.number(int(parameter.name))
    if parameter.name in d.sides:
        return Const(d.sides.index(parameter.name), d.side_type)
    if parameter.name in d.kind_type.values:
        return Const(d.kind_type.values.index(parameter.name), d.kind_type)
    return listed_name(parameter.name, d)


def listed_name(name: str, d: Declarations) -> Const | None:
    """Return the value of a name that the variables and options of one type list, if it is one."""
    types = [value.type for value in d.options.values() if isinstance(value, Const)]
    types += [variable.type for variable in d.state.values()]
    types += d.traits.values()
    listing = {one for one in types if one.name == "name" and name in one.values}
    if len(listing) != 1:
        return None
    (only,) = listing
    return Const(only.values.index(name), only)


def _constant(parameter: t.Parameter, scope: Scope) -> Value | None:
    """Return the constant that a parameter stands for: one of the board's relations, too."""
    return scope.declarations.constants.of(parameter, lambda _: _worked_out(parameter, scope))


def _worked_out(parameter: t.Parameter, scope: Scope) -> Value | None:
    board = scope.declarations.board
    if parameter.type is None and parameter.name in board.relations:
        return directions.board_relation(parameter.name, board)
    return constant_parameter(parameter, scope)


def matching(
    name: t.Name, candidates: list[Definition], values: list[Value], scope: Scope
) -> Definition:
    """Return the definition that fits arguments best: that with the most constants."""
    fitting = [
        candidate
        for candidate in candidates
        if all(_fits(p, v, scope) for p, v in zip(candidate.head.parameters, values, strict=True))
    ]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        return max(fitting, key=lambda candidate: _constants(candidate, scope))
    hint = "Add a definition whose parameter is a name and not a constant."
    of_sites = any(isinstance(value, Expression) and value.type == SITES for value in values)
    if of_sites and has_sides(candidates[0], scope):
        hint = (
            f"It is defined for sides: `{name.name}(mover)` is that of the side on turn; a"
            f" relation is then applied to a site, as in `{name.name}(mover)(s)`."
        )
    missing = [name for value in values for name in _named(value)]
    case = ", ".join(missing) if len(missing) == len(values) else "this case"
    raise problem(
        Code.NO_CASE,
        f"`{name.name}` is not defined for {case}.",
        name.span,
        hint,
        see=[
            ("It is defined for others here.", candidates[0].head.span),
            *declared_kinds(missing, scope),
        ],
    )


def has_sides(definition: Definition, scope: Scope) -> bool:
    """Whether a definition has one argument, which is a side: it is for one, or a table of them."""
    names = [parameter.name for parameter in definition.head.parameters]
    if isinstance(definition.body, t.TableOf):
        keys = [entry.key for entry in definition.body.entries]
        names = [key.name for key in keys if isinstance(key, t.Name)] or names
    return len(definition.head.parameters) == 1 and names[0] in scope.declarations.sides


def _constants(definition: Definition, scope: Scope) -> int:
    return sum(_constant(p, scope) is not None for p in definition.head.parameters)


def _fits(parameter: t.Parameter, value: Value, scope: Scope) -> bool:
    constant = _constant(parameter, scope)
    if isinstance(constant, RelationValue):
        return value == constant or not isinstance(value, RelationValue)
    return constant is None or constant == value


# ---------------------------------------------------------------- in play


def place_of_cases(candidates: list[Definition], values: list[Value], scope: Scope) -> int | None:
    """Return the place of the first argument, known in play only, for which there are constants."""
    for place, value in enumerate(values):
        if isinstance(value, Const) or not isinstance(value, Expression):
            continue
        if _constants_at(candidates, place, value.type, scope):
            return place
    return None


def _constants_at(
    candidates: list[Definition], place: int, wanted: Type, scope: Scope
) -> dict[int, Value]:
    """Return the constants that definitions have at a place, by their number in a type."""
    found: dict[int, Value] = {}
    for candidate in candidates:
        constant = _constant(candidate.head.parameters[place], scope)
        if isinstance(constant, RelationValue):
            if wanted.name == "direction" and constant.name in wanted.values:
                found[wanted.values.index(constant.name)] = constant
        elif isinstance(constant, Const) and constant.type == wanted:
            found[int(constant.value)] = constant
    return found


def by_cases(
    name: t.Name,
    candidates: list[Definition],
    values: list[Value],
    place: int,
    scope: Scope,
    defined: Defined,
) -> Value:
    """Return the value of definitions by cases of the argument at a place."""
    value = values[place]
    assert isinstance(value, Expression), "its place was found"
    constants = _constants_at(candidates, place, value.type, scope)
    others = [c for c in candidates if _constant(c.head.parameters[place], scope) is None]
    among = value.slot.among if isinstance(value, Get) else None
    if among is not None and not among.isdisjoint(constants):
        constants = {place: constant for place, constant in constants.items() if place in among}
    missing = missing_cases(value, constants, scope)
    if missing and not others:
        raise _no_case(name, missing, candidates, scope, value)
    slot, key = coerce.named(value, "case")
    found = {index: defined(constant, candidates) for index, constant in constants.items()}
    otherwise = defined(key, others) if others else nothing_like(next(iter(found.values())), scope)
    result = combined(key, found, otherwise, name.span, scope)
    if slot is None:
        return result
    if isinstance(result, Expression):
        return build.let(slot, value, result)
    otherwise = defined(value, others) if others else otherwise
    return combined(value, found, otherwise, name.span, scope)


def missing_cases(value: Expression, known: Collection[int], scope: Scope) -> list[str]:
    """Return what a side, kind, direction or name can be in play and that has no case."""
    places = possible(value, scope)
    names = enumerate(value.type.values)
    return [n for place, n in names if place not in known and (places is None or place in places)]


def _named(value: Value) -> list[str]:
    """Return the name of a constant that has one, such as that of a kind."""
    if isinstance(value, Const) and value.type.values:
        return list(value.type.values[int(value.value) : int(value.value) + 1])
    return []


def declared_kinds(missing: Sequence[str], scope: Scope) -> list[tuple[str, Span]]:
    """Return where the first of what is missing is declared, if it is a kind of piece."""
    kinds = {kind.name: kind.span for kind in scope.declarations.kinds}
    return [(f"`{name}` is declared here.", kinds[name]) for name in missing[:1] if name in kinds]


def _no_case(
    name: t.Name, missing: list[str], candidates: list[Definition], scope: Scope, asked: Expression
) -> Problem:
    return problem(
        Code.NO_CASE,
        f"`{name.name}` is not defined for {', '.join(missing[:3])}, which can occur in play here.",
        name.span,
        more_entries(
            "Add a definition for it, or one whose parameter is a name and not a constant.", asked
        ),
        see=[
            ("It is defined for others here.", candidates[0].head.span),
            *declared_kinds(missing, scope),
        ],
    )


def more_entries(hint: str, asked: Expression) -> str:
    """Return what to do where a case is missing: also of a direction that is known in play only."""
    if isinstance(asked, Const) or asked.type.name != "direction":
        return hint
    return f"{hint} Which direction it is is known in play only, so each of the board's may come."


def nothing_like(example: Value, scope: Scope) -> Value:
    """Return what a value by cases is where there is no case, such as that of no kind."""
    if not isinstance(example, Expression):
        return coerce.leading_nowhere(scope)
    if example.type.is_choice:
        return Const(0 if example.type.name == "name" else -1, example.type)
    value: ConstantValue = False if example.type == FLAG else 0
    return Const(value, example.type)


def combined(
    key: Expression, found: dict[int, Value], otherwise: Value, span: Span, scope: Scope
) -> Value:
    """Return the value `found` for the number that a key has in play; `otherwise` for another."""
    results = [value for value in found.values() if value != build.NOWHERE]
    if results and all(isinstance(value, RelationValue) and value.name for value in results):
        kept = _as_directions(found, otherwise, scope)
        if kept is not None:
            found, otherwise = kept
    table = _table(key, found, otherwise)
    if table is not None:
        return table

    def chosen(is_here: Expression, then: Value, otherwise: Value) -> Value:
        return one_of_two(is_here, then, otherwise, span, scope)

    return build.by_number(key, found, otherwise, chosen)


def one_of_two(
    condition: Expression, then: Value, otherwise: Value, span: Span, scope: Scope
) -> Value:
    """Return one of two values of one type by a condition. Raises Problem."""
    then, otherwise = (
        coerce.beside_none(then, otherwise, scope),
        coerce.beside_none(otherwise, then, scope),
    )
    for value, other in ((then, otherwise), (otherwise, then)):
        leads = isinstance(value, RelationValue) and not value.name
        if leads and isinstance(other, Expression) and directions.is_direction(other):
            then, otherwise = (coerce.to_relation(part, span, scope) for part in (then, otherwise))
    if isinstance(condition, Const) and not isinstance(then, Expression):
        return then if condition.value else otherwise
    if isinstance(then, RelationValue) and isinstance(otherwise, RelationValue):
        return _one_relation(condition, then, otherwise)
    if isinstance(then, ListValue) and isinstance(otherwise, ListValue):
        items = _in_pairs(then.items, otherwise.items, span)
        return ListValue(tuple(one_of_two(condition, *pair, span, scope) for pair in items))
    wanted = "By a condition, both values must be of one type"
    return build.conditional(condition, *coerce.same_type(then, otherwise, span, scope, wanted))


def _one_relation(
    condition: Expression, then: RelationValue, otherwise: RelationValue
) -> RelationValue:
    tree = Chosen(condition, then.tree, otherwise.tree)
    if len(then.members) != len(otherwise.members):
        return RelationValue(tree)
    pairs = zip(then.members, otherwise.members, strict=True)
    return RelationValue(tree, tuple(_one_relation(condition, *pair) for pair in pairs))


def _in_pairs(
    items: tuple[Value, ...], others: tuple[Value, ...], span: Span
) -> Iterable[tuple[Value, Value]]:
    if len(items) == len(others):
        return zip(items, others, strict=True)
    raise problem(
        Code.WRONG_TYPE,
        "By a condition that is known in play only, both lists must have the same length, but one "
        f"has {len(items)}, the other {len(others)}.",
        span,
        "Run over the longer list, and ask for the condition in what is said of each element.",
    )


def _as_directions(
    found: dict[int, Value], otherwise: Value, scope: Scope
) -> tuple[dict[int, Value], Value] | None:
    """Return results that are directions as values of a type that has just these."""
    names = dict.fromkeys(
        value.name
        for value in (*found.values(), otherwise)
        if isinstance(value, RelationValue) and value.name
    )
    of = Type("direction", tuple(names))
    kept: dict[int, Value] = {}
    for index, value in found.items():
        direction = directions.as_value(value, of)
        assert direction is not None or value == build.NOWHERE, "its name is listed"
        kept[index] = Const(-1, of) if direction is None else direction
    if isinstance(otherwise, RelationValue) and not otherwise.name:
        is_empty = isinstance(otherwise.tree, Known) and not otherwise.tree.relation.offset_classes
        return (kept, Const(-1, of)) if is_empty else None
    if otherwise == build.NOWHERE:
        return kept, Const(-1, of)
    last = directions.as_value(otherwise, of)
    return None if last is None else (kept, last)


def _table(key: Expression, found: dict[int, Value], otherwise: Value) -> Expression | None:
    """Return cases of whole numbers, sides, kinds, names or directions as an entry of a table."""
    if not isinstance(otherwise, Const):
        return None
    if not key.type.is_choice and max(found) > _LARGEST_PLACE:
        return None
    of = otherwise.type
    if of != NUMBER and not of.is_choice:
        return None
    places = len(key.type.values) if key.type.is_choice else max(found) + 1
    table: list[int] = []
    for place in range(places):
        value = found.get(place, otherwise)
        if not isinstance(value, Const) or value.type != of or isinstance(value.value, Fraction):
            return None
        table.append(int(value.value))
    return build.entry(key, (*table, int(otherwise.value)), of)
