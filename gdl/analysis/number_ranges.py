"""What numbers a program's expressions can come to, so that their registers can be wide enough.

In: a program. Out: a `Range` for every expression that is a number, a fraction or a choice:
bounds of the numerator, and a denominator that all its values share; and each statement or ending
with a number of more than 4,096 bits, a power or a fraction that may grow without a bound. What
then holds: no operation on registers of the widths that follow can overflow; only what is stored in
a slot is tested.

It begins from the bounds of slots and boards; a slot without declared bounds holds 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import reduce
from math import lcm
from typing import Any, assert_never

from gdl.analysis.ranges import Range, Uncovered, combined, limits_of, product
from gdl.core.memo import Memo, Met
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Can,
    Choose,
    Closure,
    Const,
    ConstantValue,
    Domain,
    Expression,
    Fold,
    ForEach,
    Get,
    GetAt,
    If,
    Let,
    Op,
    Program,
    RangeOf,
    Select,
    Slot,
    Times,
)
from gdl.core.operations import SMALL, WIDEST
from gdl.core.types import FLAG, FRACTION, NUMBER, SITES
from gdl.core.walk import (
    binders_in,
    expressions_of,
    program_expressions,
    program_statements,
)
from gdl.diagnostic import Diagnostic, Span

_WIDE_FRACTION = (-(2**511), 2**511)
_MOST_ROUNDS = 5
_ROUNDS_UNWIDENED = 3
"""In so many rounds a range grows as it does; then an end that still grows is let go."""
_MOST_TIMES = 2**40

_WIDEST = Range(-(2 ** (WIDEST - 1)), 2 ** (WIDEST - 1))
"""What any number of a program is in that is covered."""

_Storing = Assign | AssignAt | Choose | ForEach


class NumberRanges:
    """The ranges of the expressions of one program, over a board of `size` sites.

    What is stored in a slot may depend on that slot. Its range is found by assuming one and asking
    what follows; what other slots hold then is only known for good where it does not rest on that.
    A variable that expressions bind has the range of all that any of them gives to it.
    """

    def __init__(
        self,
        program: Program,
        size: int,
        more: Iterable[Block] = (),
        small: AbstractSet[Slot] = frozenset(),
        *,
        in_play: bool = False,
    ) -> None:
        """Take a program, further blocks that give values to its slots, and those that are small.

        What is stored in these has to be at most `SMALL`, either way. With `in_play`, slots have
        the ranges of what play from the start can store, where that is less than they have room
        for; a position that somebody describes may have others.
        """
        self._in_play = in_play
        self._size = size
        self._small = small
        system = program.system
        self._of_course = {system.turns, system.passes, system.phase, system.mover, *system.seats}
        self._initial = dict(zip(program.state, program.initial, strict=True))
        self._bound: dict[Slot, Range] = {}
        self._under_way: dict[Slot, Range] = {}
        self._used: set[Slot] = set()
        self._found: dict[Slot, tuple[Range, frozenset[Slot]]] = {}
        """The ranges of slots, each with those slots of which it rests on an assumption."""
        self._memo = Memo[Expression, Range]()
        self._storing: dict[Slot, list[_Storing]] = {}
        for statement in program_statements(program, more):
            if isinstance(statement, _Storing):
                self._storing.setdefault(statement.slot, []).append(statement)
        self._binding: dict[Slot, list[Let | Fold]] = {}
        for node in binders_in(program_expressions(program, more)):
            if isinstance(node, Let | Fold) and node.slot.type not in (SITES, FLAG):
                self._binding.setdefault(node.slot, []).append(node)

    # --------------------------------------------------------------------- slots

    def limits_of(self, slot: Slot) -> Range:
        """Return between which whole numbers what is stored in a slot has to be."""
        return Range(-SMALL, SMALL) if slot in self._small else limits_of(slot)

    def of_slot(self, slot: Slot) -> Range:
        """Return the range of what a slot can hold. Raises Uncovered."""
        if slot not in self._binding:
            return self._of_stored(slot)
        known = self._bound.get(slot)
        if known is None:
            self._bound[slot] = _WIDEST
            try:
                found = [self._given(node) for node in self._binding[slot]]
                if slot in self._storing:
                    found.append(self._of_stored(slot))
            finally:
                del self._bound[slot]
            known = self._bound[slot] = reduce(Range.hull, found)
        return known

    def _of_stored(self, slot: Slot) -> Range:
        if slot in self._under_way:
            self._used.add(slot)
            return self._under_way[slot]
        if slot not in self._found:
            outer, self._used = self._used, set()
            found = self._slot(slot)
            self._found[slot] = found, frozenset(self._used - {slot})
            self._used = outer
        found, used = self._found[slot]
        self._used |= used
        return found

    def _all_stored(self, slot: Slot, assumed: Range) -> list[Range]:
        """Return the ranges of what is stored in a slot, if it holds what is assumed of it.

        What is found of other slots on the way, and rests on that, is forgotten afterwards.
        """
        kept = self._memo, self._bound
        self._memo, self._bound = Memo(), {}
        self._under_way[slot] = assumed
        try:
            found = [self._stored(statement) for statement in self._storing.get(slot, ())]
        finally:
            del self._under_way[slot]
            self._memo, self._bound = kept
        self._found = {other: known for other, known in self._found.items() if slot not in known[1]}
        return found

    def _slot(self, slot: Slot) -> Range:
        if slot.type.is_choice:
            return Range(-1, len(slot.type.values) - 1)
        is_kept = slot in self._initial or slot not in self._storing
        if slot.type == FRACTION:
            limits, stored = self._fractions(slot)
        else:
            limits = self.limits_of(slot)
            if self._in_play and slot not in self._of_course:  # no statement counts turns
                return self._least(slot, limits)
            stored = [] if is_kept else self._all_stored(slot, limits)
        return limits if is_kept else reduce(Range.hull, stored).within(limits)

    def _least(self, slot: Slot, limits: Range) -> Range:
        """Return a range that what is stored does not leave if the slot is in it before.

        It is sought from below, and an end that goes on growing is put where the limits are
        (widening: P. and R. Cousot, "Abstract interpretation", 1977). Which range is tried makes no
        difference to what is proved of the one that is returned.
        """
        first: Any = self._initial.get(slot, ())
        values = first if slot.per_site else (first,) if slot in self._initial else ()
        begun = [Range(value, value) for value in values]
        found = reduce(Range.hull, begun) if begun else Range(0, 0).within(limits)
        for number in range(2 * _ROUNDS_UNWIDENED):
            stored = self._all_stored(slot, found)
            given = [*begun, *(each.within(limits) for each in stored)]
            following = reduce(Range.hull, given) if given else limits
            if number and following == following.within(found):
                return found
            if number:
                following = following.hull(found)
            if number >= _ROUNDS_UNWIDENED:
                low = found.low if following.low >= found.low else limits.low
                high = found.high if following.high <= found.high else limits.high
                following = Range(low, high)
            found = following
        return limits

    def _stored(self, statement: _Storing) -> Range:
        """Return the range of what a statement stores in its slot."""
        try:
            return self._given(statement)
        except Uncovered as problem:
            raise problem.at(statement.span) from None

    def _given(self, source: _Storing | Let | Fold) -> Range:
        if isinstance(source, Assign | AssignAt | Let):
            return self.of(source.value)
        return self.of_domain(source.domain)

    def _fractions(self, slot: Slot) -> tuple[Range, list[Range]]:
        """Return the widest range for a slot, over a denominator that suits all assigned to it.

        Also return the ranges of these. Raises Uncovered if there is no such denominator.
        """
        denominator = 1
        if slot in self._initial:
            first: Any = self._initial[slot]
            for value in first if slot.per_site else (first,):
                denominator = lcm(denominator, value.denominator)
        for _ in range(_MOST_ROUNDS):
            widest = Range(*_WIDE_FRACTION, denominator)
            stored = self._all_stored(slot, widest)
            denominator = lcm(denominator, *(r.denominator for r in stored))
            if denominator == widest.denominator:
                return widest, stored
        notes = [
            ("What is stored here has a larger denominator each time.", statement.span)
            for statement, found in zip(self._storing[slot], stored, strict=True)
            if widest.denominator % found.denominator
        ]
        problem = Uncovered(f"`{slot.name}`, a fraction without a common denominator", slot.span)
        raise problem.with_notes(*notes)

    # --------------------------------------------------------------- expressions

    def of(self, node: Expression) -> Range:
        """Return the range of an expression's value. Raises Uncovered."""
        return self._memo.of(node, self._checked_range)

    def _checked_range(self, node: Expression) -> Range:
        try:
            found = self._range(node)
            if max(found.low.bit_length(), found.high.bit_length()) > WIDEST:
                raise Uncovered("a number that may grow beyond 4,096 bits")
        except Uncovered as problem:
            raise problem.of(node) from None
        return found

    def _range(self, node: Expression) -> Range:
        match node:
            case Const():
                return _of_value(node.value)
            case Get():
                return self.of_slot(node.slot)
            case GetAt():
                return self.of_slot(node.slot).hull(Range(0, 0))
            case Op():
                return self._op(node)
            case If():
                return self.of(node.then).hull(self.of(node.otherwise))
            case Let():
                return self.of(node.body)
            case Fold():
                return self._fold(node)
            case Times():
                return Range(0, _MOST_TIMES)
            case Select() | Closure() | Can():
                raise TypeError(f"not a number: {node}")
            case _:
                assert_never(node)

    def of_domain(self, domain: Domain) -> Range:
        """Return the range of the numbers in a domain. Raises Uncovered."""
        if isinstance(domain, RangeOf):
            low, high = self.of(domain.low), self.of(domain.high)
            if (low.denominator, high.denominator) != (1, 1):
                raise Uncovered("a range that begins or ends with a fraction")
            return Range(low.low, max(low.low, high.high))
        return Range(0, 0)

    def elements(self, domain: Domain) -> int:
        """Return how many elements a domain has at most."""
        if isinstance(domain, RangeOf):
            low, high = self.of(domain.low), self.of(domain.high)
            return max(0, high.high - low.low + 1)
        return self._size

    def _fold(self, node: Fold) -> Range:
        body = self.of(node.body)
        initial = _of_value(node.initial)
        most = self.elements(node.domain)
        if node.combine == "sum":
            total = Range(min(0, body.low * most), max(0, body.high * most), body.denominator)
            return total.plus(initial)
        if node.combine == "product":
            return product(body, initial, most)
        return body.hull(initial)

    def _op(self, node: Op) -> Range:
        if node.name in ("lookup", "entry"):
            assert isinstance(node.payload, tuple), "there is a table"
            numbers = {*node.payload, *((0,) if node.name == "lookup" else ())}
            return Range(min(numbers), max(numbers))
        if node.name == "count":
            return Range(0, self._size)
        parts = map(self.of, node.arguments)
        return reduce(lambda a, b: combined(node.name, a, b), parts)


def _of_value(value: ConstantValue) -> Range:
    if isinstance(value, bool):
        return Range(0, 1)
    return Range(value.numerator, value.numerator, value.denominator)


PlacesOf = Callable[[Expression], Sequence[Span]]


def uncovered_numbers(
    program: Program, ranges: NumberRanges, places: PlacesOf = lambda _: ()
) -> Iterator[Diagnostic]:
    """Yield what keeps the numbers of a program, with these ranges, from native code.

    Each is told at its innermost expression, if that has `places` in the file; else at the
    statement or clause that it is a part of.
    """
    roots = [(expressions_of(each), each.span) for each in program_statements(program)]
    clauses = [ending for turn in program.turns for ending in turn.clauses]
    roots += [(ending.expressions, ending.span) for ending in clauses]
    seen = Met[Expression]()
    for expressions, span in roots:
        try:
            for node in expressions:
                if node not in seen:
                    _look_at(node, ranges, seen)
        except Uncovered as found:
            known = () if found.node is None else places(found.node)
            told = found.at(span).diagnostic
            yield replace(told, span=known[0]) if known else told


def _look_at(node: Expression, ranges: NumberRanges, seen: Met[Expression]) -> None:
    """Ask for the range of each number in an expression not seen before. Raises Uncovered."""
    for part in node.parts():
        if part not in seen:
            _look_at(part, ranges, seen)
    if node.type in (NUMBER, FRACTION):
        ranges.of(node)
    seen.add(node)
