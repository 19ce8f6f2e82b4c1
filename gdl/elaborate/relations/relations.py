"""Relations at work: images, inverses and combinations, also of those that the position cuts.

In: relation trees and core sets. Out: core expressions in which only known relations occur. A
cut by the position becomes an intersection of sets, a choice a conditional, a formula a fold.
"""

from __future__ import annotations

from collections.abc import Callable

from gdl.board.relation import Relation
from gdl.core import build
from gdl.core.nodes import Const, Expression, Get, SitesOf, Slot
from gdl.core.types import SITES
from gdl.elaborate.names.limits import composed
from gdl.elaborate.names.values import (
    Chain,
    Chosen,
    Cut,
    Directed,
    Formula,
    Joined,
    Known,
    RelationTree,
    Repeated,
)
from gdl.elaborate.relations.coerce import named


def image(tree: RelationTree, of: Expression) -> Expression:
    """Return the sites that the relation leads to from the set `of`."""
    match tree:
        case Known(relation):
            return build.image(relation, of)
        case Joined(parts):
            return _with_name(of, lambda s: build.union(*(image(part, s) for part in parts)))
        case Cut(relation, source, target):
            start = of if source is None else build.intersection(of, source)
            reached = image(relation, start)
            return reached if target is None else build.intersection(reached, target)
        case Chain(first, second):
            return image(second, image(first, of))
        case Chosen(condition, then, otherwise):
            return _with_name(
                of, lambda s: build.conditional(condition, image(then, s), image(otherwise, s))
            )
        case Directed(which, choices):
            return _directed(which, choices, of)
        case Repeated(relation, times, most):
            return _repeated(relation, times, most, of)
        case Formula(first, second, base, condition):
            reached = build.select(second, build.image(base, Get(first)), condition)
            return build.fold("union", first, SitesOf(of), reached, 0)


def _directed(which: Expression, choices: tuple[Relation, ...], of: Expression) -> Expression:
    """Return where the relation leads that is known in play only, asked for by its number."""

    def reached(sites: Expression) -> Expression:
        result: Expression = build.NOWHERE
        for index in reversed(range(len(choices))):
            here = build.equal(use, Const(index, which.type))
            result = build.conditional(here, build.image(choices[index], sites), result)
        return result

    slot, use = named(which, "direction")
    result = _with_name(of, reached)
    return result if slot is None else build.let(slot, which, result)


def _repeated(tree: RelationTree, times: Expression, most: int, of: Expression) -> Expression:
    """Return where a relation leads in so many steps; a step is made only if it is needed."""
    slot, use = named(times, "times")

    def after(sites: Expression, made: int) -> Expression:
        is_there = build.equal(use, build.number(made))
        if made == most:
            return build.conditional(is_there, sites, build.NOWHERE)
        return build.conditional(
            is_there, sites, _with_name(image(tree, sites), lambda s: after(s, made + 1))
        )

    result = _with_name(of, lambda sites: after(sites, 0))
    return result if slot is None else build.let(slot, times, result)


def _with_name(of: Expression, use: Callable[[Expression], Expression]) -> Expression:
    if isinstance(of, Get) or not of.free:
        return use(of)
    slot = Slot("set", SITES)
    return build.let(slot, of, use(Get(slot)))


def inverse(tree: RelationTree) -> RelationTree:
    """Return the relation with every pair turned round."""
    match tree:
        case Known(relation):
            return Known(relation.inverse())
        case Joined(parts):
            return Joined(tuple(inverse(part) for part in parts))
        case Cut(relation, source, target):
            return Cut(inverse(relation), target, source)
        case Chain(first, second):
            return Chain(inverse(second), inverse(first))
        case Chosen(condition, then, otherwise):
            return Chosen(condition, inverse(then), inverse(otherwise))
        case Directed(which, choices):
            return Directed(which, tuple(relation.inverse() for relation in choices))
        case Repeated(relation, times, most):
            return Repeated(inverse(relation), times, most)
        case Formula(first, second, base, condition):
            return Formula(second, first, base.inverse(), condition)


def join(parts: list[RelationTree]) -> RelationTree:
    """Return the union of relations."""
    known: Relation | None = None
    rest: list[RelationTree] = []
    for part in parts:
        if isinstance(part, Known):
            known = part.relation if known is None else known.union(part.relation)
        else:
            rest.append(part)
    if known is not None:
        rest.insert(0, Known(known))
    return rest[0] if len(rest) == 1 else Joined(tuple(rest))


def cut(tree: RelationTree, source: Expression | None, target: Expression | None) -> RelationTree:
    """Return the pairs of the relation that begin in `source` and end in `target`."""
    if isinstance(tree, Known):
        start, end = _constant(source), _constant(target)
        if start is not None and end is not None:
            return Known(tree.relation.restrict(start, end))
    return Cut(tree, source, target)


def _constant(sites: Expression | None) -> int | None:
    if sites is None:
        return -1
    return int(sites.value) if isinstance(sites, Const) else None


def chain(first: RelationTree, second: RelationTree) -> RelationTree:
    """Return one relation after the other."""
    if isinstance(first, Known) and isinstance(second, Known):
        return Known(composed(first.relation, second.relation))
    return Chain(first, second)


def power(tree: RelationTree, exponent: int, size: int) -> RelationTree:
    """Return the relation `exponent` times over; 0 gives the identity."""
    result: RelationTree = Known(Relation.identity(size))
    if not isinstance(tree, Known):
        for _ in range(exponent):
            result = chain(result, tree)
        return result
    while exponent:
        if exponent & 1:
            result = chain(result, tree)
        exponent >>= 1
        if exponent:
            tree = chain(tree, tree)
    return result


def reach(seed: Expression, tree: RelationTree) -> Expression:
    """Return all that the relation leads to from a set in any number of steps, with the set."""
    frontier = Slot("frontier", SITES)
    return build.closure(seed, frontier, image(tree, Get(frontier)))
