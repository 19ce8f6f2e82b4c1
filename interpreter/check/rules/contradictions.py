"""Clauses of `end` of which one part rules out another, or that count more than there can be.

In: the program of a game. Out: warnings. What then holds: each is proved: of every set it is known
which sites are surely in it and which may be, where the pieces are gone that the clause says are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from gdl.analysis.number_ranges import NumberRanges
from gdl.core.nodes import Const, Expression, Get, Op, Slot
from gdl.core.types import NUMBER, SITES
from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from interpreter.check.places import warning
from interpreter.check.rules.numbers import range_in, ranges_of

_ENDLESS = 1 << 80


def contradictions(game: Game) -> Iterator[Diagnostic]:
    """Yield the clauses that no position meets."""
    found: dict[Span, list[bool]] = defaultdict(list)
    ranges = ranges_of(game)
    for turn in game.program.turns:
        for ending in turn.endings:
            if ending.span is not None and not isinstance(ending.condition, Const):
                parts = list(_parts(ending.condition))
                found[ending.span].append(_Bounds(game.board.all_sites, parts, ranges).fail())
    for span, fails in found.items():
        if all(fails):
            yield warning(
                "never-true",
                "No position meets this: its parts rule each other out, or ask for more than there"
                " can be.",
                span,
                "See whether it says what was meant.",
            )


def _parts(condition: Expression) -> Iterator[Expression]:
    if isinstance(condition, Op) and condition.name == "and":
        for part in condition.arguments:
            yield from _parts(part)
    else:
        yield condition


class _Bounds:
    """What sets and numbers can be where all of some conditions hold."""

    def __init__(self, everything: int, parts: list[Expression], ranges: NumberRanges) -> None:
        self._everything = everything
        self._ranges = ranges
        self._parts = parts
        self._empty: set[Slot] = set()
        for part in parts:
            match part:
                case Op("not", (Op("some", (sites,)),)):
                    self._empty |= set(_pieces(sites))

    def fail(self) -> bool:
        """Return whether one of the conditions can't hold."""
        return any(map(self._fails, self._parts)) or self._no_number_is_left()

    def _no_number_is_left(self) -> bool:
        """Return whether the conditions leave a number nothing that it can be."""
        left: dict[Expression, tuple[float, float]] = {}
        for part in self._parts:
            for node, least, most in limits(part):
                low, high = left.get(node, self._number(node))
                left[node] = max(low, least), min(high, most)
        return any(low > high for low, high in left.values())

    def _fails(self, part: Expression) -> bool:
        match part:
            case Op("not", (Op("some", (sites,)),)):
                return bool(self._sites(sites)[0])
            case Op("some", (sites,)):
                return not self._sites(sites)[1]
            case Op("not_more", (one, other)):
                return self._number(one)[0] > self._number(other)[1]
            case Op("less", (one, other)):
                return self._number(one)[0] >= self._number(other)[1]
            case Op("equal", (one, other)) if one.type.is_numeric:
                (low, high), (least, most) = self._number(one), self._number(other)
                return low > most or least > high
        return False

    def _number(self, node: Expression) -> tuple[float, float]:
        match node:
            case Const(value=int() as value):
                return value, value
            case Op("count", (sites,)) if sites.type == SITES:
                least, most = self._sites(sites)
                return least.bit_count(), most.bit_count()
        found = range_in(self._ranges, node)
        return (-_ENDLESS, _ENDLESS) if found is None else (found.low, found.high)

    def _sites(self, node: Expression) -> tuple[int, int]:
        """Return the sites that are surely in a set, and those that may be."""
        match node:
            case Const(value=int() as value):
                return value, value
            case Get(slot) if slot in self._empty:
                return 0, 0
            case Op("union", parts):
                least = most = 0
                for part in parts:
                    surely, perhaps = self._sites(part)
                    least, most = least | surely, most | perhaps
                return least, most
            case Op("intersection", parts):
                least = most = self._everything
                for part in parts:
                    surely, perhaps = self._sites(part)
                    least, most = least & surely, most & perhaps
                return least, most
            case Op("difference", (first, second)):
                one, other = self._sites(first), self._sites(second)
                return one[0] & ~other[1], one[1] & ~other[0]
        return 0, self._everything


def limits(part: Expression, holds: bool = True) -> Iterator[tuple[Expression, float, float]]:
    """Yield the whole numbers that a comparison with a constant limits, and how."""
    match part:
        case Op("not", (inner,)):
            yield from limits(inner, not holds)
        case Op("equal", (node, Const(value=int() as value))) if holds and _is_whole(node):
            yield node, value, value
        case Op("less" | "not_more" as name, (node, Const(value=int() as value))):
            if _is_whole(node):
                last = value - (name == "less")
                yield (node, -_ENDLESS, last) if holds else (node, last + 1, _ENDLESS)
        case Op("less" | "not_more" as name, (Const(value=int() as value), node)):
            if _is_whole(node):
                first = value + (name == "less")
                yield (node, first, _ENDLESS) if holds else (node, -_ENDLESS, first - 1)


def _is_whole(node: Expression) -> bool:
    return node.type == NUMBER


def _pieces(sites: Expression) -> Iterator[Slot]:
    """Yield the layers of which a set is made; none if it is made of anything else as well."""
    match sites:
        case Get(slot):
            yield slot
        case Op("union", parts) if all(isinstance(part, Get) for part in parts):
            yield from (part.slot for part in parts if isinstance(part, Get))
