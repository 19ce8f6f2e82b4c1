"""Relations by formula: `pairs a, b in R where C`.

In: the syntax and its scope. Out: a relation. If the formula does not depend on the position,
it is worked out here and now, pair by pair; else it stays a formula and is evaluated in play.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gdl.board.relation import Relation, bits
from gdl.core.build import TooLarge
from gdl.core.evaluate import Evaluator
from gdl.core.nodes import Const, Expression, Get, If, Let, Op, Slot
from gdl.core.operations import Overflow
from gdl.core.types import SITES
from gdl.core.walk import slots_in
from gdl.diagnostic import Span
from gdl.elaborate import coerce
from gdl.elaborate.coerce import Elaborate
from gdl.elaborate.scope import Scope, problem
from gdl.elaborate.values import Formula, Known, RelationTree, RelationValue
from gdl.syntax import tree as t

_MOST_PAIRS = 1_000_000
_MUCH = 8
"""How many times more there must be to work out than to remember."""


def pairs(node: t.Pairs, scope: Scope, elaborate: Elaborate) -> RelationValue:
    """Return the relation of a formula. Raises Problem."""
    size = scope.declarations.board.size
    if node.relation is None:
        base = None
    else:
        value = coerce.to_relation(elaborate(node.relation, scope), node.relation.span)
        base = known(value.tree, node.relation.span)
    first, second = Slot(node.first.name, SITES), Slot(node.second.name, SITES)
    inner = scope.bind(node.first.name, Get(first)).bind(node.second.name, Get(second))
    condition = coerce.to_flag(elaborate(node.condition, inner), node.condition.span)
    if condition.free <= {first, second}:
        return RelationValue(Known(_worked_out(size, base, first, second, condition)))
    if base is None:
        everything = (1 << size) - 1
        base = Relation(size, (everything,) * size)
    return RelationValue(Formula(first, second, base, condition))


def _worked_out(
    size: int, base: Relation | None, first: Slot, second: Slot, condition: Expression
) -> Relation:
    if isinstance(condition, Const) and base is not None:
        return base if condition.value else Relation.empty(size)
    if base is None and size * size > _MOST_PAIRS:
        raise TooLarge
    places = {first: 0, second: 1}
    frame: list[object] = [None, None]
    holds = _remembering(condition, places, frame) or _plain(condition, places, frame)
    everything = (1 << size) - 1
    matching = [_matching(part, first, second, size) for part in _conjuncts(condition)]
    successors = []
    for a in range(size):
        frame[places[first]] = 1 << a
        among = everything if base is None else base.image(1 << a)
        for sites in matching:
            among &= sites[a] if sites else everything
        reached = 0
        for b in bits(among):
            frame[places[second]] = 1 << b
            if holds(frame):
                reached |= 1 << b
        successors.append(reached)
    return Relation(size, successors)


def _conjuncts(condition: Expression) -> tuple[Expression, ...]:
    is_and = isinstance(condition, Op) and condition.name == "and"
    return tuple(condition.parts()) if is_and else (condition,)


def _matching(condition: Expression, first: Slot, second: Slot, size: int) -> list[int] | None:
    """Return for each first site the second ones for which an equation of numbers holds.

    None if the condition is not a number of the one equal to a number of the other.
    """
    if not isinstance(condition, Op) or condition.name != "equal":
        return None
    of_first = next((part for part in condition.parts() if part.free == {first}), None)
    of_second = next((part for part in condition.parts() if part.free == {second}), None)
    if of_first is None or of_second is None or not of_first.type.is_numeric:
        return None
    sites: dict[object, int] = {}
    try:
        for index, value in enumerate(_values(of_second, second, size)):
            sites[value] = sites.get(value, 0) | 1 << index
        return [sites.get(value, 0) for value in _values(of_first, first, size)]
    except Overflow:
        return None


def _values(number: Expression, slot: Slot, size: int) -> list[object]:
    """Return the value of a number for each single site in a slot."""
    frame: list[object] = [None]
    value = _plain(number, {slot: 0}, frame)
    found = []
    for index in range(size):
        frame[0] = 1 << index
        found.append(value(frame))
    return found


def _plain(
    condition: Expression, places: dict[Slot, int], frame: list[object]
) -> Callable[[list[object]], object]:
    """Return what evaluates a condition in the frame, which is given room for its variables."""
    for slot in slots_in(condition):
        if slot not in places:
            places[slot] = len(frame)
            frame.append(None)
    return Evaluator(places).function(condition)


def _remembering(
    condition: Expression, places: dict[Slot, int], frame: list[object]
) -> Callable[[list[object]], object] | None:
    """Return the same for a condition on some numbers of the two sites, such as differences.

    It remembers its values: many pairs have the same numbers. None if there is more to it.
    """
    numbers: dict[Expression, Slot] = {}
    rest = _of_numbers(condition, frozenset(places), numbers)
    if rest is None or _size(rest) < _MUCH * len(numbers):
        return None
    of_sites = [_plain(number, places, frame) for number in numbers]
    inner_places = {slot: place for place, slot in enumerate(numbers.values())}
    inner: list[object] = [None] * len(inner_places)
    holds = _plain(rest, inner_places, inner)
    known: dict[tuple[object, ...], object] = {}

    def remembered(frame: list[object]) -> object:
        key = tuple([number(frame) for number in of_sites])
        if key not in known:
            inner[: len(key)] = key
            known[key] = holds(inner)
        return known[key]

    return remembered


def _of_numbers(
    node: Expression, sites: frozenset[Slot], numbers: dict[Expression, Slot]
) -> Expression | None:
    """Return an expression with slots in place of numbers that depend on the sites alone.

    Numbers of both sites are the smallest such parts; None if the sites stand elsewhere, too.
    """
    among = node.free & sites
    if not among:
        return node
    mixed = [part for part in node.parts() if len(part.free & sites) > 1]
    if node.type.is_numeric and node.free <= sites and not mixed:
        return Get(numbers.setdefault(node, Slot("number", node.type)))
    if not isinstance(node, Op | If | Let):
        return None
    parts = [_of_numbers(part, sites, numbers) for part in node.parts()]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    match node:
        case Op():
            return replace(node, arguments=tuple(known))
        case If():
            return If(*known)
        case Let(slot):
            return Let(slot, *known)


def _size(node: Expression) -> int:
    return 1 + sum(map(_size, node.parts()))


def known(tree: RelationTree, span: Span) -> Relation:
    """Return a relation that must be known before play."""
    if isinstance(tree, Known):
        return tree.relation
    raise problem(
        "not-constant",
        "This relation depends on the position, and can only be joined, cut or applied.",
        span,
        "Cut it after the other operations. `from`, `into` and `within` take one word only: "
        "write `into (all - own)`.",
    )
