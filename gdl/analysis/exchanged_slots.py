"""What changes places where another side is on turn, and which expressions are the same then.

In: the blocks of two sides' turns in a phase. Out: which slots of the position stand in one where
others do in the other, as names or places tell; and whether two expressions are the same but for
these, and for the order of parts that may stand in any. What then holds: which slots are exchanged
is a guess; what is the same then is proven.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from gdl.core.memo import PairMemo
from gdl.core.merging import Unlike
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Can,
    Const,
    Expression,
    Fold,
    Get,
    GetAt,
    Op,
    Program,
    Slot,
    Times,
)
from gdl.core.sameness import are_of_one_kind
from gdl.core.types import FRACTION
from gdl.core.walk import blocks_of, expressions_of

IN_ANY_ORDER = frozenset(("union", "intersection", "and", "or", "add", "multiply"))
"""The operations whose arguments may stand in any order."""
_MOST_COMPARED = 20_000
"""So many parts are compared at most: more are no longer soon compared."""


# ----------------------------------------------------------------------------- guesses


def exchanged_by_name(program: Program) -> Mapping[Slot, Slot]:
    """Return the slots of the position whose names say that they are the same of two sides."""
    sides = program.system.mover.type.values
    if len(sides) != 2:
        return {}
    other = dict(zip(sides, reversed(sides), strict=True))
    words = re.compile(rf"\b({'|'.join(map(re.escape, sides))})\b")
    by_name = {slot.name: slot for slot in program.state}
    named = ((slot, words.sub(lambda word: other[word[0]], slot.name)) for slot in program.state)
    pairs = ((slot, by_name.get(name, slot)) for slot, name in named)
    return {a: b for a, b in pairs if a is not b and _may_be_exchanged(a, b)}


def exchanged_by_place(first: Block, second: Block) -> Mapping[Slot, Slot]:
    """Return which slots of the position stand in the second block where others do in the first.

    What is so most often is taken first: each of these slots stands for one other, and that for it.
    """
    votes = Counter(_pairs_in_blocks(first, second))
    found: dict[Slot, Slot] = {}
    for (a, b), _ in votes.most_common():
        if a not in found and b not in found and _may_be_exchanged(a, b):
            found[a], found[b] = b, a
    return found


def _may_be_exchanged(a: Slot, b: Slot) -> bool:
    """Return whether two slots may be; what is kept of fractions has a denominator of its own."""
    return a.type != FRACTION and are_of_one_kind(a, b)


def _pairs_in_blocks(first: Block, second: Block) -> Iterator[tuple[Slot, Slot]]:
    """Yield slots of the position that stand at the same place in two blocks, and differ."""
    for a, b in zip(first, second, strict=False):
        if type(a) is not type(b):
            continue
        if isinstance(a, Assign | AssignAt) and isinstance(b, Assign | AssignAt):
            yield from _pair(a.slot, b.slot)
        seen = PairMemo[Expression, Expression, bool]()
        for x, y in zip(expressions_of(a), expressions_of(b), strict=False):
            yield from _pairs_in(x, y, seen)
        for inner, other in zip(blocks_of(a), blocks_of(b), strict=False):
            yield from _pairs_in_blocks(inner, other)


def _pairs_in(
    a: Expression, b: Expression, seen: PairMemo[Expression, Expression, bool]
) -> Iterator[tuple[Slot, Slot]]:
    if a is b or a.__class__ is not b.__class__ or seen.get(a, b):
        return
    seen.keep(a, b, True)
    if isinstance(a, Get | GetAt) and isinstance(b, Get | GetAt):
        yield from _pair(a.slot, b.slot)
    for x, y in zip(a.parts(), b.parts(), strict=False):
        yield from _pairs_in(x, y, seen)


def _pair(a: Slot, b: Slot) -> Iterator[tuple[Slot, Slot]]:
    if a.is_state and b.is_state and a is not b:
        yield a, b


# -------------------------------------------------------------------------- comparison


class Comparison:
    """Compares expressions of two sides' turns.

    `names` has the later side's slot for each of the earlier one's that stands for another, or is a
    variable; `back` has them the other way round. What asks for other positions names their slots
    as they are, whoever asks: it is not the same if turns have to be so `exactly`.
    """

    def __init__(self, exchanged: Mapping[Slot, Slot], *, exactly: bool) -> None:
        self.names = dict(exchanged)
        self.back = dict(exchanged)
        self._exactly = exactly
        self._known = PairMemo[Expression, Expression, bool]()
        self._bound: set[Slot] = set()
        self._left = _MOST_COMPARED

    def may_be(self, a: Slot, b: Slot) -> bool:
        """Return whether one slot may stand for another."""
        known = self.names.get(a)
        if known is not None:
            return known is b
        return a is b if a.is_state or b.is_state else b not in self.back

    def pair(self, a: Slot, b: Slot) -> None:
        """Take note that a slot stands for another. Raises Unlike if either has a third."""
        if self.names.get(a) is not b:
            if not self.may_be(a, b) or not are_of_one_kind(a, b):
                raise Unlike
            self.names[a], self.back[b] = b, a
            self._known.drop(False)
        elif self.back.get(b) is not a:
            raise Unlike

    def same(self, a: Expression, b: Expression) -> bool:
        """Return whether two expressions are the same, but for names. Raises Unlike."""
        if isinstance(a, Get):
            return isinstance(b, Get) and self._are_read_as_same(a.slot, b.slot)
        known = self._known.get(a, b)
        if known is None:
            self._left -= 1
            if self._left < 0:
                raise Unlike
            known = self._are_same(a, b)
            if not self._bound or self._bound.isdisjoint(a.free):
                self._known.keep(a, b, known)
        return known

    def _are_read_as_same(self, a: Slot, b: Slot) -> bool:
        """Return whether one slot stands for another where both are read."""
        known = self.names.get(a)
        if known is not None:
            return known is b
        if a is b and not a.is_state and b not in self.back:
            self.pair(a, b)
        return a is b and (a.is_state or self.names.get(a) is b)

    def _are_same(self, a: Expression, b: Expression) -> bool:
        match a, b:
            case Op(), Op():
                return (
                    a.name == b.name
                    and len(a.arguments) == len(b.arguments)
                    and a.of == b.of
                    and (a.payload is b.payload or a.payload == b.payload)
                    and self._are_same_arguments(a.name, a.arguments, b.arguments)
                )
            case Const(), Const():
                return a == b
            case GetAt(), GetAt():
                return self.names.get(a.slot, a.slot) is b.slot and self.same(a.sites, b.sites)
            case (Times(), Times()) | (Can(), Can()):
                return a is b and not self._exactly
            case Fold(), Fold() if (a.combine, a.initial) != (b.combine, b.initial):
                return False
            case Fold(), Fold() if type(a.domain) is not type(b.domain):
                return False
        return type(a) is type(b) and self._within(a, b, a.binds(), b.binds())

    def _are_same_arguments(
        self, name: str, first: Sequence[Expression], second: Sequence[Expression]
    ) -> bool:
        if name not in IN_ANY_ORDER:
            return all(map(self.same, first, second))
        slots = [part.slot for part in first if isinstance(part, Get)]
        if len(slots) == len(first):
            others = {part.slot for part in second if isinstance(part, Get)}
            named = {self.names.get(slot, slot) for slot in slots}
            return named == others and len(others) == len(first)
        return all(b is not None for _, b in self.aligned(first, list(second)))

    def aligned(
        self, first: Sequence[Expression], left: list[Expression]
    ) -> Iterator[tuple[Expression, Expression | None]]:
        """Yield each of some expressions with one that is the same, taken out of those `left`."""
        for a in first:
            place = next((place for place, b in enumerate(left) if self.same(a, b)), None)
            yield a, None if place is None else left.pop(place)

    def _within(
        self, a: Expression, b: Expression, bound: Sequence[Slot], others: Sequence[Slot]
    ) -> bool:
        """Return whether all parts are the same, with each slot that is bound for another."""
        if not bound:
            return all(map(self.same, a.parts(), b.parts()))
        one, other = bound[0], others[0]
        if not are_of_one_kind(one, other):
            return False
        outer, is_outermost = self.names.get(one), one not in self._bound
        self.names[one] = other
        self._bound.add(one)
        is_same = self._within(a, b, bound[1:], others[1:])
        if is_outermost:
            self._bound.discard(one)
        del self.names[one]
        if outer is not None:
            self.names[one] = outer
        return is_same
