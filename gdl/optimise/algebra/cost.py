"""What an expression costs, and whether it can fail.

In: an interned expression. Out: its weight, roughly the number of operations on sets that its
value takes; and whether it is safe to evaluate where the rules would not: numbers may grow
beyond all use, and that is an error which must come in just the places where it came.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from gdl.board.relation import Relation
from gdl.core.known import all_known
from gdl.core.memo import Memo
from gdl.core.nodes import (
    Can,
    Closure,
    Const,
    Expression,
    Fold,
    Get,
    GetAt,
    GroupsOf,
    If,
    Let,
    Op,
    RangeOf,
    Select,
    Slot,
    Times,
)
from gdl.core.types import FRACTION, NUMBER
from gdl.optimise.algebra.terms import Terms

_ROUNDS = 8
_SAFE_WIDTH = 62
_KEPT_WIDTH = 64
_ELEMENTS_WIDTH = 16
_FREE = 0
_HANDED_ON = (Get, GetAt, If, Let)
"""What makes no number of its own."""


def _slot_width(slot: Slot) -> int | None:
    if slot.type != NUMBER:
        return None
    if slot.low is None or slot.high is None:
        return _KEPT_WIDTH
    return max(abs(slot.low).bit_length(), abs(slot.high).bit_length())


class Costs:
    """Weights and widths of interned expressions, each worked out once.

    With `has_rows`, where a relation leads to from a single site is read from a table. `width_of`
    tells how many bits a slot's number has at most, and numbers of up to `safe_width` are safe.
    """

    def __init__(
        self,
        terms: Terms,
        *,
        has_rows: bool = False,
        width_of: Callable[[Slot], int | None] = _slot_width,
        safe_width: int = _SAFE_WIDTH,
    ) -> None:
        self._terms = terms
        self._has_rows = has_rows
        self._width_of = width_of
        self._safe_width = safe_width
        self._weights = Memo[Expression, int]()
        self._safe = Memo[Expression, bool]()
        self._widths = Memo[Expression, int | None]()

    # --------------------------------------------------------------------- weight

    def weight(self, node: Expression) -> int:
        """Return the cost of an expression; what runs in a loop counts several times."""
        found = self._weights.get(node)
        return self._weights.keep(node, self._weigh(node)) if found is None else found

    def _weigh(self, node: Expression) -> int:
        if isinstance(node, Const | Get):
            return _FREE
        if isinstance(node, Closure):
            return 1 + self.weight(node.seed) + _ROUNDS * (1 + self.weight(node.step))
        if isinstance(node, Select):
            return 1 + self.weight(node.sites) + _ROUNDS * (1 + self.weight(node.condition))
        if isinstance(node, Fold):
            domain = sum(map(self.weight, node.domain.parts()))
            if isinstance(node.domain, GroupsOf):
                domain *= _ROUNDS
            return 1 + domain + _ROUNDS * (1 + self.weight(node.body))
        inner = 0
        for part in node.parts():
            if part.__class__ is not Get and part.__class__ is not Const:
                inner += self.weight(part)
        if isinstance(node, Times | Can):
            return _ROUNDS * _ROUNDS + inner
        if isinstance(node, Op) and isinstance(node.payload, Relation):
            if self._has_rows and self._terms.is_single(node.arguments[0]):
                return 1
            return 1 + len(node.payload.offset_classes) // 4 + inner
        if isinstance(node, Op):
            return max(1, len(node.arguments) - 1) + inner
        return 1 + inner

    # --------------------------------------------------------------------- safety

    def is_safe(self, node: Expression) -> bool:
        """Whether no number in an expression can grow beyond all use, nor a look ahead fail."""
        found = self._safe.get(node)
        if found is None:
            found = not isinstance(node, Can) and all(self.is_safe(part) for part in node.parts())
            if found and node.type.is_numeric and not isinstance(node, _HANDED_ON):
                found = self.width(node) is not None
            self._safe.keep(node, found)
        return found

    def known_before(
        self, node: Expression, values: Mapping[Slot, Expression]
    ) -> Expression | None:
        """Return an expression with values in place of slots; None if it might fail then."""
        made = self._terms.intern(node)
        changed = {slot: values[slot] for slot in made.free if slot in values}
        if changed:
            made = self._terms.substitute_all(made, changed)
        return made if self.is_safe(made) else None

    def fits(self, slot: Slot, value: Expression) -> bool:
        """Whether a slot can be given a value without an error: a safe one, within its bounds."""
        if not self.is_safe(value):
            return False
        if slot.low is None and slot.high is None:
            return True
        low, high = self._limits(value)
        return (slot.low is None or (low is not None and slot.low <= low)) and (
            slot.high is None or (high is not None and high <= slot.high)
        )

    def _limits(self, node: Expression) -> tuple[int | None, int | None]:
        """Return between which numbers, as far as that is known at once, a number is."""
        match node:
            case Const(int(value)):
                return value, value
            case Get(slot) | GetAt(slot):
                return slot.low, slot.high
            case If(_, then, otherwise):
                ways = self._limits(then), self._limits(otherwise)
                lows, highs = (all_known(ends) for ends in zip(*ways, strict=True))
                return None if lows is None else min(lows), None if highs is None else max(highs)
            case Op("lookup" | "entry", payload=tuple(numbers)) if numbers:
                return min(numbers), max(numbers)
        width = self.width(node)
        return (None, None) if width is None else (1 - 2**width, 2**width - 1)

    def width(self, node: Expression) -> int | None:
        """Return how many bits a number has at most; None if it may be too many."""
        return self._widths.of(node, self._bounded)

    def _bounded(self, node: Expression) -> int | None:
        width = self._bits(node)
        return None if width is None or width > self._safe_width else width

    def _bits(self, node: Expression) -> int | None:
        match node:
            case Const(value):
                assert not isinstance(value, bool)
                if isinstance(value, Fraction):
                    return max(value.numerator.bit_length(), value.denominator.bit_length())
                return value.bit_length()
            case Get(slot) | GetAt(slot):
                return self._width_of(slot)
            case If(_, then, otherwise):
                return self._widest(then, otherwise)
            case Fold(combine, _, domain, body):
                width = self.width(body)
                if combine not in ("sum", "max", "min") or width is None:
                    return None
                if combine != "sum":
                    return max(width, node.initial.__int__().bit_length())
                if isinstance(domain, RangeOf) or node.type == FRACTION:
                    return None
                return width + _ELEMENTS_WIDTH
            case Times():
                return 2 * _ELEMENTS_WIDTH
            case Op():
                return self._operation_bits(node)
        body = node.parts()[-1]
        return self.width(body)

    def _widest(self, *nodes: Expression) -> int | None:
        widths = all_known(map(self.width, nodes))
        return None if widths is None else max(widths)

    def _operation_bits(self, node: Op) -> int | None:
        if node.name == "count":
            return _ELEMENTS_WIDTH
        if node.name in ("lookup", "entry"):
            assert isinstance(node.payload, tuple)
            numbers = node.payload
            return max(max(numbers), -min(numbers)).bit_length() if numbers else 0
        widest = self._widest(*node.arguments)
        if widest is None or node.type != NUMBER:
            return None
        match node.name:
            case "add" | "subtract":
                return widest + 1
            case "multiply":
                return 2 * widest
            case "divide" | "modulo" | "maximum" | "minimum":
                return widest
            case "shift_right" | "low_bits":
                return self.width(node.arguments[0])
        return None
