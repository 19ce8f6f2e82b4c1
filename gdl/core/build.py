"""Making core expressions: what depends on nothing becomes a constant at once.

In: the parts of an expression. Out: the expression, simplified where a part decides it. What
then holds: no operation on constants alone is left, and folding never takes long (`TooLarge`).
"""

from __future__ import annotations

from itertools import compress
from typing import Any

from gdl.board.relation import Relation, bits, site_set
from gdl.core.columns import column
from gdl.core.evaluate import evaluate
from gdl.core.nodes import (
    Closure,
    Const,
    ConstantValue,
    Domain,
    Expression,
    Fold,
    GroupsOf,
    If,
    Let,
    Op,
    Payload,
    RangeOf,
    Select,
    SitesOf,
    Slot,
)
from gdl.core.types import FLAG, FRACTION, NUMBER, SITES, Type

YES = Const(True, FLAG)
NO = Const(False, FLAG)
NOWHERE = Const(0, SITES)

_MOST_STEPS = 3_000_000


class TooLarge(Exception):
    """What is known before play would take too long to work out."""


def number(value: int) -> Const:
    """Return a constant number."""
    return Const(value, NUMBER)


def sites(value: int) -> Const:
    """Return a constant set of sites."""
    return Const(value, SITES)


def flag(value: bool) -> Const:
    """Return a constant condition."""
    return YES if value else NO


def op(name: str, arguments: tuple[Expression, ...], of: Type, payload: Payload = None) -> Any:
    """Return an operation, folded if all its arguments are constants."""
    node = Op(name, arguments, of, payload)
    return _folded(node)


def _folded(node: Expression) -> Expression:
    if node.free or isinstance(node, Const):
        return node
    if _steps(node) > _MOST_STEPS:
        raise TooLarge
    return Const(evaluate(node), node.type)


def _steps(node: Expression) -> int:
    """Estimate the steps that a value without free slots takes; sizes of sets are bounded."""
    inner = sum(_steps(part) for part in node.parts())
    if isinstance(node, Fold):
        return 1 + inner * max(1, _elements(node.domain))
    if isinstance(node, Select):
        return 1 + inner * max(1, _members(node.sites))
    return 1 + inner


def _elements(domain: Domain) -> int:
    if isinstance(domain, RangeOf):
        if isinstance(domain.low, Const) and isinstance(domain.high, Const):
            return int(domain.high.value) - int(domain.low.value) + 1
        return 1000
    return _members(domain.sites)


def _members(node: Expression) -> int:
    return int(node.value).bit_count() if isinstance(node, Const) else 100


def union(*parts: Expression) -> Expression:
    """Return the union of sets."""
    return _lattice("union", NOWHERE, None, parts)


def intersection(*parts: Expression) -> Expression:
    """Return the intersection of sets (of at least one)."""
    return _lattice("intersection", None, NOWHERE, parts)


def _lattice(
    name: str, neutral: Const | None, absorbing: Const | None, parts: tuple[Expression, ...]
) -> Expression:
    known: Expression | None = None
    rest: list[Expression] = []
    for part in parts:
        for piece in part.arguments if isinstance(part, Op) and part.name == name else (part,):
            if isinstance(piece, Const):
                known = piece if known is None else op(name, (known, piece), SITES)
            elif piece not in rest:
                rest.append(piece)
    if known is not None and (absorbing == known or not rest):
        return known
    if known is not None and known != neutral:
        rest.append(known)
    if not rest:
        return neutral if neutral is not None else NOWHERE
    return rest[0] if len(rest) == 1 else Op(name, tuple(rest), SITES)


def difference(a: Expression, b: Expression) -> Expression:
    """Return the sites of `a` that are not in `b`."""
    if b == NOWHERE or a == NOWHERE:
        return a
    result: Expression = op("difference", (a, b), SITES)
    return result


def image(relation: Relation, of: Expression) -> Expression:
    """Return the sites that a relation leads to from a set."""
    if of == NOWHERE or not relation.offset_classes:
        return NOWHERE
    result: Expression = op("image", (of,), SITES, relation)
    return result


def some(of: Expression) -> Expression:
    """Return whether a set is not empty."""
    result: Expression = op("some", (of,), FLAG)
    return result


def negation(of: Expression) -> Expression:
    """Return the opposite of a condition."""
    if isinstance(of, Op) and of.name == "not":
        return of.arguments[0]
    result: Expression = op("not", (of,), FLAG)
    return result


def conjunction(*parts: Expression) -> Expression:
    """Return whether all conditions hold."""
    return _junction("and", NO, YES, parts)


def disjunction(*parts: Expression) -> Expression:
    """Return whether one of the conditions holds."""
    return _junction("or", YES, NO, parts)


def _junction(
    name: str, absorbing: Const, neutral: Const, parts: tuple[Expression, ...]
) -> Expression:
    rest: list[Expression] = []
    for part in parts:
        if part == absorbing:
            return absorbing
        if part != neutral and part not in rest:
            rest.append(part)
    if not rest:
        return neutral
    return rest[0] if len(rest) == 1 else Op(name, tuple(rest), FLAG)


def conditional(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    """Return one of two values; the one itself where the condition is known."""
    if isinstance(condition, Const):
        return then if condition.value else otherwise
    if then == otherwise:
        return then
    return If(condition, then, otherwise)


def let(slot: Slot, value: Expression, body: Expression) -> Expression:
    """Return `body`, in which `slot` has the value."""
    return Let(slot, value, body) if slot in body.free else body


def fold(
    combine: str, slot: Slot, domain: Domain, body: Expression, initial: ConstantValue
) -> Expression:
    """Return the values of `body` over a domain, combined."""
    if isinstance(domain, SitesOf | GroupsOf) and domain.sites == NOWHERE:
        return Const(initial, body.type)
    return _folded(Fold(combine, slot, domain, body, initial))


def select(slot: Slot, among: Expression, condition: Expression) -> Expression:
    """Return the sites of a set for which a condition holds."""
    if isinstance(condition, Const):
        return among if condition.value else NOWHERE
    node = Select(slot, among, condition)
    if isinstance(among, Const) and condition.free == {slot} and _steps(node) <= _MOST_STEPS:
        candidates = list(bits(int(among.value)))
        holds = column(condition, slot, candidates)
        if holds is not None:
            return sites(site_set(compress(candidates, holds)))
    return _folded(node)


def closure(seed: Expression, frontier: Slot, step: Expression) -> Expression:
    """Return all that `step` reaches from a set, the set itself included."""
    return _folded(Closure(seed, frontier, step))


def equal(a: Expression, b: Expression) -> Expression:
    """Return whether two values are the same."""
    result: Expression = op("equal", (a, b), FLAG)
    return result


def numeric(name: str, a: Expression, b: Expression) -> Expression:
    """Return an arithmetic operation on two numbers."""
    exact = name == "fraction" or FRACTION in (a.type, b.type)
    result: Expression = op(name, (a, b), FRACTION if exact else NUMBER)
    return result
