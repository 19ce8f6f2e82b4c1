"""The words that ask for what stands upon each other: `height`, `holding`, `owner` and `kind`.

In: calls of these words. Out: core expressions. What then holds: in a game without `stacks` none of
them has a meaning, but for `owner` and `kind` of uppermost pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gdl.codes import Code
from gdl.core import build
from gdl.core.nodes import Const, Expression, Get, GetAt, RangeOf, Slot
from gdl.core.piles import Piles
from gdl.core.types import NUMBER, SITES, Type
from gdl.diagnostic import Facts, Span
from gdl.elaborate.names.scope import Problem, Scope, Silent, problem
from gdl.elaborate.names.values import Value, describe
from gdl.elaborate.relations import coerce
from gdl.elaborate.relations.coerce import Elaborate
from gdl.syntax import tree as t


def piles_of(span: Span, scope: Scope) -> Piles:
    """Return the game's piles. Raises Problem if it has none."""
    piles = scope.declarations.piles
    if piles is None and "stacks" in scope.declarations.broken:
        raise Silent
    if piles is None:
        raise problem(
            Code.NO_STACKS,
            "In this game a site has one piece at most, so nothing lies upon or under another.",
            span,
            "How high piles may be is said by a section `stacks`, such as `stacks: 12`.",
        )
    return piles


def code_at(site: Expression, piles: Piles) -> Expression:
    """Return the digit of the uppermost piece on a site; 0 if there is none."""
    found: list[tuple[int, Expression]] = [
        (code, build.number(code)) for code in reversed(range(1, len(piles.coverable)))
    ]

    def is_there(codes: Sequence[int]) -> Expression:
        layers = build.union(*(Get(piles.coverable[code]) for code in codes))
        return build.some(build.intersection(layers, site))

    return build.by_cases(found, build.number(0), is_there, build.conditional)


def lying_under(layer: Slot, among: Expression, piles: Piles) -> Expression:
    """Return the sites where a piece of a layer lies under others: it is looked for."""
    site, place = Slot("site", SITES), Slot("place", NUMBER)
    highest = build.numeric("subtract", GetAt(piles.height, Get(site)), build.number(2))
    digits = digits_from(GetAt(piles.under, Get(site)), Get(place), piles)
    code = build.number(piles.coverable.index(layer))
    here = build.equal(last_digits(digits, build.number(1), piles), code)
    has_one = build.fold("or", place, RangeOf(build.number(0), highest), here, False)
    return build.select(site, among, has_one)


def digits_from(number: Expression, count: Expression, piles: Piles) -> Expression:
    """Return a number of digits without its last `count`."""
    return _bits("shift_right", number, count, piles)


def last_digits(number: Expression, count: Expression, piles: Piles) -> Expression:
    """Return the last `count` digits of a number."""
    return _bits("low_bits", number, count, piles)


def with_room(number: Expression, count: Expression, piles: Piles) -> Expression:
    """Return a number with `count` zeros behind its digits."""
    return _bits("shift_left", number, count, piles)


def _bits(name: str, number: Expression, count: Expression, piles: Piles) -> Expression:
    if count == build.number(0):
        return build.number(0) if name == "low_bits" else number
    width = build.numeric("multiply", count, build.number(piles.width))
    return build.numeric(name, number, width)


# ------------------------------------------------------------------------- words


def _height(node: t.Call, scope: Scope, elaborate: Elaborate) -> Value:
    site = _site(node, 1, "height(sites)", scope, elaborate)
    return GetAt(piles_of(node.span, scope).height, site)


def _holding(node: t.Call, scope: Scope, elaborate: Elaborate) -> Value:
    piles, d = piles_of(node.span, scope), scope.declarations
    if not 1 <= len(node.arguments) <= 2:
        raise _wrong_number(node, "holding(Black)", "holding(Black, King)")
    parts = [_with_pieces(argument, piles, scope, elaborate) for argument in node.arguments]
    wanted: dict[Type, Callable[[Slot], Expression]] = dict(parts)
    if len(wanted) < len(parts):
        raise problem(
            Code.WRONG_TYPE,
            "These are two sides, or two kinds.",
            node.span,
            "Ask for both: `holding(A) & holding(B)`.",
        )
    found: list[Expression] = []
    for layer in d.layers.values():
        sites: Expression = Get(layer)
        if layer in piles.beneath:
            sites = build.union(sites, Get(piles.beneath[layer]))
        for condition in (make(layer) for make in wanted.values()):
            sites = build.conditional(condition, sites, build.NOWHERE)
        found.append(sites)
    return build.union(*found)


def _with_pieces(
    node: t.Expression, piles: Piles, scope: Scope, elaborate: Elaborate
) -> tuple[Type, Callable[[Slot], Expression]]:
    """Return the type of a side or kind, and the condition that a layer's pieces are of it."""
    d, value = scope.declarations, elaborate(node, scope)
    numbers = {slot: layer for layer, slot in d.layers.items()}
    if not isinstance(value, Expression) or value.type not in (d.side_type, d.kind_type):
        raise problem(
            Code.WRONG_TYPE,
            f"This should be a side or a kind, but it is {describe(value)}.",
            node.span,
            "Sites with a piece of a side or kind anywhere in their piles are `holding(Black)`.",
            facts=Facts(found=describe(value)),
        )

    def condition(layer: Slot) -> Expression:
        number = numbers[layer][0 if value.type == d.kind_type else 1]
        return build.NO if number is None else build.equal(value, Const(number, value.type))

    return value.type, condition


def at_depth(node: t.Call, of: Type, scope: Scope, elaborate: Elaborate) -> Value:
    """Return the side or kind of the piece under so many others on a site, as `owner(s, 2)`."""
    name = node.function.span.text
    piles, d = piles_of(node.span, scope), scope.declarations
    site = _site(node, 2, f"{name}(sites, number)", scope, elaborate)
    depth = coerce.to_whole(elaborate(node.arguments[1], scope), node.arguments[1].span)
    at, use = coerce.named(build.op("first", (site,), SITES), "site")
    count, below = coerce.named(depth, "depth")
    above = build.numeric("subtract", below, build.number(1))
    digit = last_digits(digits_from(GetAt(piles.under, use), above, piles), build.number(1), piles)
    kept, code = coerce.named(digit, "digit")
    numbers = {slot: layer for layer, slot in d.layers.items()}
    place = 0 if of == d.kind_type else 1

    def is_digit_of(values: Sequence[int]) -> Expression:
        codes = [i for i, slot in enumerate(piles.coverable) if numbers[slot][place] in values]
        return build.disjunction(*(build.equal(code, build.number(i)) for i in codes))

    nothing: Expression = Const(-1, of)
    values: list[tuple[int, Expression]] = [
        (value, Const(value, of)) for value in reversed(range(len(of.values)))
    ]
    covered = build.by_cases(values, nothing, is_digit_of, build.conditional)
    if kept is not None:
        covered = build.let(kept, digit, covered)
    there = build.op("less", (below, GetAt(piles.height, use)), build.YES.type)
    there = build.conjunction(build.op("less", (build.number(0), below), build.YES.type), there)
    covered = build.conditional(there, covered, Const(-1, of))
    tops: list[tuple[Slot, Expression]] = [
        (layer, Const(which, of))
        for layer, both in reversed(numbers.items())
        if (which := both[place]) is not None
    ]

    def is_on_top(layers: Sequence[Slot]) -> Expression:
        return build.some(build.intersection(use, build.union(*map(Get, layers))))

    top = build.by_cases(tops, nothing, is_on_top, build.conditional)
    result = build.conditional(build.equal(below, build.number(0)), top, covered)
    if count is not None:
        result = build.let(count, depth, result)
    return result if at is None else build.let(at, build.op("first", (site,), SITES), result)


def _site(node: t.Call, wanted: int, usage: str, scope: Scope, elaborate: Elaborate) -> Expression:
    if len(node.arguments) != wanted:
        raise _wrong_number(node, usage)
    return coerce.to_sites(elaborate(node.arguments[0], scope), node.arguments[0].span, scope)


def _wrong_number(node: t.Call, *usage: str) -> Problem:
    return problem(
        Code.WRONG_NUMBER_OF_ARGUMENTS,
        f"`{node.function.span.text}` does not take {len(node.arguments)} arguments.",
        node.span,
        f"Write {' or '.join(f'`{text}`' for text in usage)}.",
    )


FUNCTIONS: dict[str, Callable[[t.Call, Scope, Elaborate], Value]] = {
    "height": _height,
    "holding": _holding,
}
"""The functions that are there in a game with piles."""
