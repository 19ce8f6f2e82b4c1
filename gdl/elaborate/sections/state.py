"""The section `state`: variables, each with a slot for every combination of its indices.

In: the document of a game. Out: state variables in the `Declarations`, and the initial value of
each slot; errors go to the report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import TypeVar

from gdl.codes import Code
from gdl.core.evaluate import ExpressionEvaluator
from gdl.core.nodes import Const, ConstantValue, Expression, Get, Slot
from gdl.core.operations import Overflow
from gdl.core.types import FLAG, FRACTION, NUMBER, SITES, Type
from gdl.core.walk import slots_in
from gdl.core.work import units_of_expressions
from gdl.diagnostic import Facts, suggest
from gdl.document.nodes import Mapping as Document
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.expressions.move_words import word_for
from gdl.elaborate.expressions.names import check_local
from gdl.elaborate.names import limits
from gdl.elaborate.names.scope import Declarations, Problem, Scope, Silent, StateVariable, problem
from gdl.elaborate.names.values import RelationValue, Value
from gdl.elaborate.relations import coerce
from gdl.elaborate.relations.directions import direction_type
from gdl.elaborate.relations.domains import unrolled
from gdl.elaborate.sections.sections import entries, parsed
from gdl.resources.budget import TooMuchWork, meter_of_loading
from gdl.syntax import tree as t
from gdl.syntax.parser import meant_instead

Item = TypeVar("Item")

_MOST_COMBINATIONS = 1000


def read_state(document: Document, scope: Scope) -> Declarations:
    """Read `state`; return the declarations with its variables and their values at the start."""
    report = scope.report
    for key, node in entries(document, "state"):
        d = scope.declarations
        head = parsed(key, "state_head", report)
        declared = parsed(node, "state_type", report)
        name = key.text.partition("(")[0].strip()
        if head is None or declared is None:
            scope = scope.declaring(d.without(name))
            continue
        try:
            variable, initial = _state_variable(head, declared, scope)
        except (Problem, Silent) as error:
            scope = scope.declaring(d.without(name))
            if isinstance(error, Problem):
                report.add(error.diagnostic)
        else:
            state = {**d.state, variable.name: variable}
            scope = scope.declaring(replace(d, state=state, initial={**d.initial, **initial}))
    return scope.declarations


def _state_variable(
    head: t.StateHead, declared: t.StateType, scope: Scope
) -> tuple[StateVariable, dict[Slot, object]]:
    """Return a variable, and the value of each of its slots at the start."""
    type_, low, high = _state_type(declared, scope)
    is_mark = declared.type.name == "mark"
    if is_mark and declared.domain is not None:
        type_ = NUMBER
    per_site = declared.per is not None or (is_mark and type_ == NUMBER)
    if declared.per is not None and declared.per.name != "site":
        raise problem(
            Code.WRONG_TYPE,
            "A number is kept `per site`, and not per anything else.",
            declared.per.span,
            "A variable with an index is written `score(players): number`.",
            facts=Facts(expected="per site"),
        )
    if per_site and type_ != NUMBER:
        raise problem(
            Code.WRONG_TYPE,
            "Only numbers can be kept per site.",
            declared.type.span,
            "A set of sites is `sites`.",
        )
    indices = tuple(_index_items(index.domain, scope) for index in head.indices)
    combinations = prod(map(len, indices))
    if combinations > _MOST_COMBINATIONS:
        raise problem(
            Code.TOO_LARGE,
            f"This variable has {combinations:,} combinations of indices, "
            f"more than {_MOST_COMBINATIONS:,}.",
            head.span,
            "Use fewer indices, or keep a number `per site`.",
        )
    slots: dict[tuple[Value, ...], Slot] = {}
    initial: dict[Slot, object] = {}
    words = tuple(
        tuple(_index_word(item, index.domain, place, scope) for place, item in enumerate(items))
        for index, items in zip(head.indices, indices, strict=True)
    )
    for key, named in zip(_products(indices), _products(words), strict=True):
        name = f"{head.name.name}({', '.join(named)})" if named else head.name.name
        sides = {
            place: int(item.value)
            for place, item in enumerate(key)
            if isinstance(item, Const) and item.type == scope.declarations.side_type
        }
        others = (None if place in sides else item for place, item in enumerate(key))
        slot = Slot(
            *(name, type_, True, per_site, low, high, head.name.span),
            family=(head.name.name, *others),
            sides=tuple(sides.values()),
        )
        slots[key] = slot
        inner = _scope_at(head.indices, key, scope)
        values = (
            _initial_numbers(declared, inner)
            if per_site
            else (_initial_value(declared, type_, inner),)
        )
        for value in set(values):
            coerce.check_bounds(slot, value, (declared.initial or declared).span)
        if is_mark and type_ == NUMBER:
            coerce.check_bounds(slot, 0, declared.span)
        initial[slot] = values if per_site else values[0]
    name = head.name.name
    variable = StateVariable(name, type_, indices, slots, per_site, is_mark, head.name.span)
    return variable, initial


def _value_alone(word: str, d: Declarations) -> str:
    """Say how a variable is declared that begins with a side or kind, if a word is one."""
    if word in d.sides:
        return f"A variable has a type, and its first value after `=`. Write `side = {word}`."
    if word in d.kind_type.values:
        return f"A variable has a type, and its first value after `=`. Write `kind = {word}`."
    return ""


def _state_type(declared: t.StateType, scope: Scope) -> tuple[Type, int | None, int | None]:
    d = scope.declarations
    word = declared.type.name
    low = high = None
    if word == "name":
        items = declared.domain.items if isinstance(declared.domain, t.Listing) else ()
        names = tuple(item.name for item in items if isinstance(item, t.Name))
        if len(names) < 2 or len(names) != len(items):
            raise problem(
                Code.WRONG_TYPE,
                "A variable of names lists them.",
                declared.span,
                "Write `name in (idle, busy)`.",
            )
        return Type("name", names), None, None
    known = {
        "number": NUMBER,
        "fraction": FRACTION,
        "sites": SITES,
        "flag": FLAG,
        "side": d.side_type,
        "kind": d.kind_type,
        "direction": direction_type(d.board),
        "mark": SITES,
    }
    if word not in known:
        raise problem(
            Code.UNKNOWN_TYPE,
            f"`{word}` is no type.",
            declared.type.span,
            _value_alone(word, d)
            or meant_instead(declared.span, "state_type")
            or suggest(word, () if word[:1].isupper() else known)
            or f"The types are: {', '.join(known)}, name.",
        )
    if word == "direction":
        return _direction_type(declared, scope), None, None
    if declared.domain is not None:
        if not isinstance(declared.domain, t.Range) or word not in ("number", "mark"):
            raise problem(
                Code.WRONG_TYPE,
                "Only a number has bounds, and they are a range.",
                declared.domain.span,
                "Write for instance `number in 0..9`.",
            )
        low = _constant(declared.domain.low, scope)
        high = _constant(declared.domain.high, scope)
        if low > high:
            raise problem(
                Code.OUT_OF_RANGE,
                f"Nothing lies within these bounds: {low} is more than {high}.",
                declared.domain.span,
                "The lower bound comes first.",
            )
    return known[word], low, high


def _direction_type(declared: t.StateType, scope: Scope) -> Type:
    """Return the type of a variable that keeps a direction: any, or those of a family or list."""
    every = direction_type(scope.declarations.board)
    if declared.domain is None:
        names = every.values
    else:
        domain = declared.domain
        items = unrolled(ex.elaborate(domain, scope), domain.span) or ()
        names = tuple(item.name for item in items if isinstance(item, RelationValue))
    if not names or "" in names:
        raise problem(
            Code.WRONG_TYPE,
            "This board has no directions." if not every.values else "These are no directions.",
            (declared.domain or declared.type).span,
            f"The board's directions are: {', '.join(every.values)}."
            if every.values
            else "A direction leads from a site to the next.",
        )
    return Type("direction", names)


def _constant(node: t.Expression, scope: Scope) -> int:
    return coerce.constant_number(ex.whole(node, scope), node.span)


def _index_items(node: t.Expression, scope: Scope) -> tuple[Value, ...]:
    items = unrolled(ex.elaborate(node, scope), node.span)
    if items is None:
        raise problem(
            Code.WRONG_TYPE,
            "A variable is indexed by sides, kinds, directions, or a short range of numbers.",
            node.span,
            "Write for instance `prisoners(players)`, `wall(orthogonal)` or `heap(1..3)`.",
        )
    if not items:
        raise problem(
            Code.OUT_OF_RANGE,
            f"There is nothing in `{node.span.text}`, so this variable has no value.",
            node.span,
            "Of a range, the lower end comes first.",
        )
    return items


def _index_word(item: Value, index: t.Expression, place: int, scope: Scope) -> str:
    """Return what an author calls one value of an index."""
    if isinstance(index, t.Listing):
        return index.items[place].span.text
    try:
        return word_for(item, index, place, scope)
    except Problem:
        return index.span.text


def _products(indices: tuple[tuple[Item, ...], ...]) -> list[tuple[Item, ...]]:
    keys: list[tuple[Item, ...]] = [()]
    for items in indices:
        keys = [(*key, item) for key in keys for item in items]
    return keys


def _initial_value(declared: t.StateType, type_: Type, scope: Scope) -> ConstantValue:
    if declared.initial is None:
        if type_.name == "name":
            return 0
        return -1 if type_.is_choice else False if type_ == FLAG else 0
    made: Expression = ex.of_type(declared.initial, type_, scope)
    if not isinstance(made, Const):
        raise _not_known(declared.initial)
    return made.value


def _not_known(node: t.Expression) -> Problem:
    return problem(
        Code.NOT_CONSTANT,
        "The value at the start must be known before play.",
        node.span,
        "What depends on the position is given to a variable by `set` in a turn.",
    )


def _scope_at(indices: Sequence[t.Index], key: tuple[Value, ...], scope: Scope) -> Scope:
    """Return a scope in which the words of indices stand for their values."""
    for index, value in zip(indices, key, strict=True):
        if index.variable is not None:
            check_local(index.variable, scope)
            scope = scope.bind(index.variable.name, value)
    return scope


_EACH_SITE = "site"
"""The word for each site in the value at the start of a number per site."""


def _initial_numbers(declared: t.StateType, scope: Scope) -> tuple[int, ...]:
    """Return the number of each site at the start; `site` is the site in its expression."""
    size = scope.declarations.board.size
    if declared.initial is None:
        return (0,) * size
    each = Slot(_EACH_SITE, SITES)
    made = ex.whole(declared.initial, scope.bind(_EACH_SITE, Get(each)))
    if made.free - {each}:
        raise _not_known(declared.initial)
    places = {slot: place for place, slot in enumerate(dict.fromkeys((each, *slots_in(made))))}
    number = ExpressionEvaluator(places).function(made)
    frame: list[object] = [None] * len(places)
    found: list[int] = []
    meter, units = meter_of_loading(), units_of_expressions((made,))
    try:
        for site in range(size):
            meter.spend(units)
            frame[0] = 1 << site
            found.append(number(frame))
    except (Overflow, TooMuchWork) as failure:
        raise limits.problem_at(failure, declared.initial.span) from None
    return tuple(found)
