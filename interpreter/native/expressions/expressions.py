"""The code of expressions: each node of the core in one place.

In: expressions, the frame that they read. Out: instructions, and where the value is. What then
holds: the value is that of gdl/core/evaluate.py. Expressions are pure and total, so parts that
the reference interpreter would leave out may be worked out all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any, assert_never

from gdl.analysis.number_ranges import NumberRanges
from gdl.analysis.ranges import IN_A_WORD, Uncovered
from gdl.board.relation import Relation
from gdl.core import build
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
    Select,
    Slot,
    Times,
)
from gdl.core.operations import OPERATIONS
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.data_classes import dataclass
from gdl.interpreter.native.emit import arithmetic
from gdl.interpreter.native.emit.arithmetic import paired, to_range
from gdl.interpreter.native.emit.ir import FRAME_BYTES, WORD, Function, number_type, width_of
from gdl.interpreter.native.emit.kinds import (
    FALSE,
    I1,
    I64,
    TRUE,
    Address,
    Bit,
    Integer,
    Mask,
    Word,
)
from gdl.interpreter.native.emit.values import Flag, Number, Sites, Value
from gdl.interpreter.native.expressions.counting import Counters
from gdl.interpreter.native.expressions.folds import FoldWriter
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.memory.frame import FrameLayout
from gdl.interpreter.native.sets import SetCode
from gdl.interpreter.native.sets.arrays import ArraySets
from gdl.interpreter.native.sets.cut_sites import MOST_NEIGHBOURS, whole_without

_COMPARISONS = {"equal": "eq", "less": "slt", "not_more": "sle"}
_TURNED = {"equal": "eq", "less": "sgt", "not_more": "sge"}
_LONG_UNION = 10
"""A union of so many sets that lie evenly spaced in the frame is a loop."""
_WIDEST_AT_ONCE, _FEWEST_AT_ONCE = 16, 16
"""How many bits numbers kept for sites have at most that are compared many at once, and how many
they are at least: the wide load has to wait for narrow stores before it."""
_COSTLY = (Closure, Fold, Select, Times, Can)


class Expressions(FoldWriter):
    """Writes the code of expressions over one program's frames.

    `can` writes the code of a `Can`, `times` that of a `Times`; `choices` are names of ways. Where
    there are `counters`, all is worked out as the reference does it, in the same order.
    """

    def __init__(
        self,
        sets: SetCode,
        layout: FrameLayout,
        ranges: NumberRanges,
        can: Callable[[Place, Can], Flag],
        times: Callable[[Place, Times], Number],
        choices: AbstractSet[str],
        *,
        checked: bool,
        looks_ahead: bool,
        counters: Counters | None = None,
    ) -> None:
        super().__init__(sets, layout, ranges, choices)
        self.counters = counters
        self.looks_ahead = looks_ahead
        self._can_code = can
        self._times_code = times
        self._costly = Memo[Expression, bool]()
        self.checks = Checks(sets, is_on=checked)

    def value(self, p: Place, node: Expression) -> Value:
        """Write the code of an expression."""
        value = self._value(p, node)
        self.checks.value(p, value)
        if self.counters is not None:
            self.counters.value(p, node, value, self.value)
        return value

    def _value(self, p: Place, node: Expression) -> Value:
        """Write the code of an expression, without what tests its value."""
        match node:
            case Const():
                return self._const(node)
            case Get(slot):
                return p.bound[slot] if slot in p.bound else self.read(p, slot)
            case GetAt():
                return self._get_at(p, node)
            case Op():
                return self._op(p, node)
            case If():
                return self._if(p, node)
            case Let():
                return self._let(p, node)
            case Fold():
                return self.fold(p, node)
            case Select():
                return self._select(p, node)
            case Closure():
                return self.closure(p, node)
            case Times():
                return self._times_code(p, node)
            case Can():
                return self._can_code(p, node)
            case _:
                assert_never(node)

    def word(self, p: Place, node: Expression) -> Word:
        """Write the code of a whole number as a word (i64); one that is too large is cut off.

        It serves for bounds of loops and choices, where such numbers are refused anyway.
        """
        return arithmetic.word(p.f, self._whole(p, node))

    def word_within(self, p: Place, node: Expression) -> Word:
        """Write the code of a whole number as a word (i64); where it is none, the call fails."""
        value, f = self._whole(p, node), p.f
        if width_of(value.range) != WORD:
            type_ = number_type(value.range)
            below = f.compare("slt", type_, value.register, -(1 << WORD - 1))
            above = f.compare("sge", type_, value.register, 1 << WORD - 1)
            w.refuse(f, p.world, f.binary("or", I1, below, above), w.LEFT_TO_REFERENCE)
        return Word(arithmetic.widened(f, value, IN_A_WORD))

    def _whole(self, p: Place, node: Expression) -> Number:
        value = self.number(p, node)
        if value.range.denominator != 1:
            raise Uncovered("a fraction where a whole number is wanted")
        return value

    # ----------------------------------------------------------------------- nodes

    def _const(self, node: Const) -> Value:
        value: Any = node.value
        if node.type == SITES:
            return self.sets.constant(value)
        if node.type == FLAG:
            return Flag(TRUE if value else FALSE)
        return Number(Integer(str(value.numerator)), self.ranges.of(node))

    def _get_at(self, p: Place, node: GetAt) -> Value:
        f, field = p.f, self.layout.fields[node.slot]
        site = self.sets.index(f, self.sites(p, node.sites))
        there = f.compare("sge", I64, site, 0)
        offset = f.binary("mul", I64, f.select(there, I64, site, 0), field.entry_bytes)
        address = f.at(p.address(node.slot, field), offset)
        value = self.read_field(f, node.slot, address)
        assert isinstance(value, Number), "only numbers are kept for each site"
        found = self.ranges.of(node)
        register = to_range(f, value, found)
        return Number(f.select(there, number_type(found), register, 0), found)

    def _let(self, p: Place, node: Let) -> Value:
        value = self.value(p, node.value)
        if isinstance(value, Sites):
            value = self.sets.settled(p.f, value)
        return self.value(p.binding(node.slot, value), node.body)

    def _if(self, p: Place, node: If) -> Value:
        f, condition = p.f, self.flag(p, node.condition)
        if not self._is_branched(p, node):
            return self._selected(p, node, condition)
        result = self.variable(f, node)
        for part in f.either(condition, node.then, node.otherwise):
            self.keep(f, node, self.value(p, part), result)
        return self.kept(f, node, result)

    def _is_branched(self, p: Place, node: If) -> bool:
        """Return whether only one of two values is worked out: where that is foreseen or costly."""
        ways = (node.then, node.otherwise)
        if isinstance(node.condition, Get) and node.condition.slot is p.is_later:
            return not all(isinstance(way, Const | Get) for way in ways)
        return any(map(self.is_costly, ways))

    def _selected(self, p: Place, node: If, condition: Bit) -> Value:
        """Write both values, and choose one of them."""
        f, a, b = p.f, self.value(p, node.then), self.value(p, node.otherwise)
        if isinstance(a, Sites) and isinstance(b, Sites):
            return self.sets.choose(f, condition, a, b)
        if isinstance(a, Flag) and isinstance(b, Flag):
            return Flag(f.select(condition, I1, a.register, b.register))
        assert isinstance(a, Number) and isinstance(b, Number), "both have the same type"
        found = self.ranges.of(node)
        first, second = to_range(f, a, found), to_range(f, b, found)
        return Number(f.select(condition, number_type(found), first, second), found)

    def _select(self, p: Place, node: Select) -> Value:
        f, sets = p.f, self.sets
        among = self.sites(p, node.sites)
        if among.site is not None and self.counters is None:
            holds = self.flag(p.binding(node.slot, among), node.condition)
            return sets.choose(f, holds, among, sets.one(Word("-1"), is_there=False))
        where = self._where(p, node.condition, node.slot)
        if where is not None:
            return sets.intersection(f, [among, where])
        result = sets.variable(f, sets.constant(0))
        with (
            sets.each(f, among) as loop,
            f.when(self.flag(p.binding(node.slot, loop.site), node.condition)),
        ):
            sets.include(f, result, loop.site)
        return sets.read(f, result)

    def _where(self, p: Place, condition: Expression, slot: Slot) -> Sites | None:
        """Write where a condition on a site holds, if it compares numbers of sites, as by a table.

        Such are rows, or places on a way round the board, that are compared with a number in play.
        """
        f, sets = p.f, self.sets
        if isinstance(sets, ArraySets) or self.counters is not None:
            return None
        whole = _whole_without(condition, slot)
        if whole is not None:
            return whole_without(sets, f, whole.relation, self.sites(p, whole.among))
        if self._is_costly_where(condition, slot):
            return None
        if slot not in condition.free:
            everywhere = sets.constant((1 << sets.size) - 1)
            return sets.choose(f, self.flag(p, condition), everywhere, sets.constant(0))
        divided = None
        match condition:
            case Op("and" | "or" as name, parts):
                found = all_known([self._where(p, part, slot) for part in parts])
                join = sets.intersection if name == "and" else sets.union
                return None if found is None else join(f, found)
            case Op():
                divided = _divided(condition, slot)
        if divided is not None:
            test, *ways = divided
            found = all_known([self._where(p, way, slot) for way in ways])
            return None if found is None else sets.choose(f, self.flag(p, test), *found)
        kept = self._where_kept(p, condition, slot)
        if kept is not None:
            return kept
        told = _compared(condition, slot, sets.size)
        if told is None:
            return None
        low = f.binary("sub", I64, self.word(p, told.other), told.least)
        place = f.at_most(f.intrinsic("smax", I64, low, "i64 0"), len(told.sites) - 1)
        key = ("where compared", told.sites)
        return sets.by_site(f, key, sets.one(place, is_there=True), chain([0], told.sites))

    def _is_costly_where(self, condition: Expression, slot: Slot) -> bool:
        """Return whether a condition on the site in a slot takes long to work out for all sites."""
        if isinstance(condition, Op) and condition.name in ("and", "or"):
            return any(self._is_costly_where(part, slot) for part in condition.arguments)
        return _whole_without(condition, slot) is None and self.is_costly(condition)

    def _where_kept(self, p: Place, condition: Expression, slot: Slot) -> Sites | None:
        """Write where a number that is kept for each site compares with one that is not of sites.

        Those of many sites are compared at once, as vectors.
        """
        match condition:
            case Op("equal" | "less" | "not_more" as name, (left, right)):
                is_first = isinstance(left, GetAt)
                of_site, other = (left, right) if is_first else (right, left)
            case _:
                return None
        if not isinstance(of_site, GetAt) or of_site.sites != Get(slot) or slot in other.free:
            return None
        f, sets, field = p.f, self.sets, self.layout.fields[of_site.slot]
        found, most = self.ranges.of(other), 1 << field.bits - 1
        fits = found.denominator == 1 and -most <= found.low and found.high < most
        if isinstance(sets, ArraySets) or field.bits > _WIDEST_AT_ONCE or not fits:
            return None
        if sets.size < _FEWEST_AT_ONCE:
            return None
        number = f.convert("trunc", I64, self.word(p, other), field.type)
        test = (_COMPARISONS if is_first else _TURNED)[name]
        address = p.address(of_site.slot, field)
        return sets.where(f, test, field.type, address, number)

    # ------------------------------------------------------------------ operations

    def _op(self, p: Place, node: Op) -> Value:
        f, sets, arguments = p.f, self.sets, node.arguments
        match node.name:
            case "union":
                slots = [part.slot for part in arguments if isinstance(part, Get)]
                is_long = len(slots) == len(arguments) >= _LONG_UNION
                if is_long and (apart := self._spacing(p, slots)) is not None:
                    return self._union_of_slots(p, slots, apart)
                return sets.union(f, [self.sites(p, part) for part in arguments])
            case "intersection":
                return sets.intersection(f, [self.sites(p, part) for part in arguments])
            case "difference":
                result = self.sites(p, arguments[0])
                for part in arguments[1:]:
                    result = sets.difference(f, result, self.sites(p, part))
                return result
            case "some":
                return self._some(p, arguments[0])
            case "count":
                counted = sets.count(f, self.sites(p, arguments[0]))
                return Number(Integer(counted), self.ranges.of(node))
            case "first":
                return sets.first(f, self.sites(p, arguments[0]))
            case "subset":
                a, b = (self.sites(p, part) for part in arguments)
                return Flag(sets.subset(f, a, b))
            case "image":
                assert isinstance(node.payload, Relation), "an image has a relation"
                return sets.image(f, node.payload, self.sites(p, arguments[0]))
            case "lookup" | "entry":
                return self._of_table(p, node)
            case "not":
                return Flag(f.is_not(self.flag(p, arguments[0])))
            case "and" | "or":
                return self._junction(p, node)
            case "equal" | "less" | "not_more":
                return self._comparison(p, node)
        number = self.number(p, arguments[0])
        for part in arguments[1:]:
            number = arithmetic.combined(f, node.name, number, self.number(p, part))
        return number

    def _spacing(self, p: Place, slots: Sequence[Slot]) -> int | None:
        """Return how many bytes registers lie apart, one after the other, if that can be told."""
        fields = [self.layout.fields.get(slot) for slot in slots]
        known = [field for field in fields if field is not None and field.count == 1]
        others = (self.layout.singles, p.bound, p.own)
        is_told = len(known) == len(slots) and not self.sets.are_arrays
        if not is_told or not all(one.keys().isdisjoint(slots) for one in others):
            return None
        if len({p.moved.get(slot) for slot in slots}) > 1:
            return None
        apart = {after.offset - before.offset for before, after in pairwise(known)}
        return apart.pop() if len(apart) == 1 else None

    def _union_of_slots(self, p: Place, slots: Sequence[Slot], apart: int) -> Sites:
        """Write a loop over many sets of the frame: LLVM unrolls it, and has less to read."""
        f, sets = p.f, self.sets
        first = p.address(slots[0], self.layout.fields[slots[0]])
        result = sets.variable(f, sets.constant(0))
        with f.rounds(len(slots)) as loop:
            address = f.at(first, f.binary("mul", I64, loop.number, apart))
            one = self.read_field(f, slots[0], address)
            assert isinstance(one, Sites), "sets are joined"
            sets.write(f, sets.union(f, [sets.read(f, result), one]), result)
        return sets.read(f, result)

    def _some(self, p: Place, of: Expression) -> Value:
        """Return whether a set has a site; whether two sets have one in common is asked at once."""
        f, sets = p.f, self.sets
        if isinstance(of, Op) and of.name == "intersection" and self.counters is None:
            return Flag(sets.meet(f, [self.sites(p, part) for part in of.arguments]))
        return Flag(sets.some(f, self.sites(p, of)))

    def _of_table(self, p: Place, node: Op) -> Value:
        """Return a table's number for a site, or for a number; too large ones have the last."""
        f, table, of = p.f, node.payload, node.arguments[0]
        assert isinstance(table, tuple), "a lookup and an entry have a table"
        if node.name == "lookup":
            place = self.sets.index(f, self.sites(p, of))
        else:
            place = f.at_most(self.word(p, of), len(table) - 1)
        return Number(Integer(self.sets.entry(f, table, place)), self.ranges.of(node))

    def _junction(self, p: Place, node: Op) -> Value:
        """Join conditions; what is costly is only worked out while nothing is decided."""
        f, is_all = p.f, node.name == "and"
        cheap = [part for part in node.arguments if not self.is_costly(part)]
        costly = [part for part in node.arguments if self.is_costly(part)]
        flags = (self.flag(p, part) for part in cheap)
        result = f.joined(node.name, I1, flags) if cheap else None
        if not costly:
            return Flag(result or (TRUE if is_all else FALSE))
        variable = f.variable(I1, FALSE if is_all else TRUE)
        leave = f.need if is_all else f.leave_if
        with f.block() as after:
            for part in costly:
                if result is not None:
                    leave(result, after)
                result = self.flag(p, part)
            f.put(I1, result or FALSE, variable)
        return Flag(f.get(I1, variable))

    def _comparison(self, p: Place, node: Op) -> Value:
        f, left, right = p.f, *node.arguments
        a, b = self.value(p, left), self.value(p, right)
        if isinstance(a, Sites) and isinstance(b, Sites):
            return Flag(self.sets.equal(f, a, b))
        if isinstance(a, Flag) and isinstance(b, Flag):
            return Flag(f.compare("eq", I1, a.register, b.register))
        assert isinstance(a, Number) and isinstance(b, Number), "both have the same type"
        first, second, both = paired(f, a, b)
        return Flag(f.compare(_COMPARISONS[node.name], number_type(both), first, second))

    def is_costly(self, node: Expression) -> bool:
        """Return whether an expression takes long enough to be left out where it can be."""
        return self.counters is not None or self._costly.of(
            node, lambda node: isinstance(node, _COSTLY) or any(map(self.is_costly, node.parts()))
        )


# ----------------------------------------------------------------------- code that watches the code

GUARD_BYTES = 8
_GUARD = 0x6764_6C20_6775_6172


class Checks:
    """Writes tests, if `is_on`; otherwise it writes nothing."""

    def __init__(self, sets: SetCode, *, is_on: bool) -> None:
        self._sets = sets
        self.is_on = is_on

    def value(self, p: Place, value: Value) -> None:
        """Write the tests of a value."""
        if not self.is_on:
            return
        if isinstance(value, Number):
            f = p.f
            type_ = number_type(value.range)
            low = f.compare("sge", type_, value.register, value.range.low)
            high = f.compare("sle", type_, value.register, value.range.high)
            self._must(f, p.world, f.binary("and", I1, low, high))
        elif isinstance(value, Sites):
            self._sites(p, value)

    def _sites(self, p: Place, value: Sites) -> None:
        f, sets = p.f, self._sets
        if value.site is not None:
            low = f.compare("sge", I64, value.site, 0 if value.is_there else -1)
            high = f.compare("slt", I64, value.site, sets.size)
            self._must(f, p.world, f.binary("and", I1, low, high))
        if isinstance(sets, ArraySets):
            if value.within is not None:
                elsewhere = sets.difference(f, value, Sites(known=value.within))
                self._must(f, p.world, f.is_not(sets.some(f, elsewhere)))
        elif value.mask is not None and value.site is None:
            beyond = f.binary("and", sets.type, Mask(value.mask), ~((1 << sets.size) - 1))
            self._must(f, p.world, f.compare("eq", sets.type, beyond, 0))

    def begin(self, f: Function, frame: Address) -> None:
        """Write a mark at the end of a new frame."""
        if self.is_on:
            f.put(I64, _GUARD, self._guard(f, frame))

    def end(self, f: Function, frame: Address, world: Address) -> None:
        """Write the test that the mark is still there."""
        if self.is_on:
            found = f.get(I64, self._guard(f, frame))
            self._must(f, world, f.compare("eq", I64, found, _GUARD))

    def _guard(self, f: Function, frame: Address) -> Address:
        return f.at(frame, Word(f"sub (i64 {FRAME_BYTES}, i64 {GUARD_BYTES})"))

    def _must(self, f: Function, world: Address, condition: Bit) -> None:
        with f.when(f.is_not(condition)):
            w.fail(f, world, w.BROKEN)


# ------------------------------------------------- numbers of sites, compared with a number in play

_MOST_COMPARED = 128
"""How many numbers a table of sets tells apart at most."""


@dataclass(frozen=True)
class _Compared:
    """Where a number of sites compares so with another one: `sites` has sets by that, from `least`.

    Of a lesser one, the first is right; of a greater one, the last.
    """

    other: Expression
    least: int
    sites: tuple[int, ...]


@dataclass(frozen=True)
class _Whole:
    """That a set is one group by a relation that leads back, without the site that is meant."""

    among: Expression
    relation: Relation


def _whole_without(condition: Expression, slot: Slot) -> _Whole | None:
    """Return what a condition says of a set without the site in a slot, if it says just that."""
    match condition:
        case Op("equal", (Fold("sum", _, GroupsOf() as groups, Const(1), 0), Const(1))):
            pass
        case _:
            return None
    match groups.sites, groups.step:
        case Op("difference", (among, Get(site))), Op("image", (Get(source),), _, relation):
            pass
        case _:
            return None
    if site is not slot or slot in among.free or source is not groups.frontier:
        return None
    assert isinstance(relation, Relation), "an image has a relation"
    is_narrow = max(map(int.bit_count, relation.successors)) <= MOST_NEIGHBOURS
    return _Whole(among, relation) if relation.is_symmetric and is_narrow else None


def _divided(node: Op, slot: Slot) -> tuple[Expression, Expression, Expression] | None:
    """Return a test that a site has no bearing on, and what an operation is in both cases."""
    for place, part in enumerate(node.arguments):
        if slot not in part.free:
            continue
        found = None
        if isinstance(part, If) and slot not in part.condition.free:
            found = part.condition, part.then, part.otherwise
        elif isinstance(part, Op):
            found = _divided(part, slot)
        if found is not None:
            test, *ways = found
            first, second = (
                replace(
                    node, arguments=(*node.arguments[:place], way, *node.arguments[place + 1 :])
                )
                for way in ways
            )
            return test, first, second
    return None


def _compared(condition: Expression, slot: Slot, size: int) -> _Compared | None:
    """Return where a comparison holds, if one side is a number of the site in a slot."""
    match condition:
        case Op("equal" | "less" | "not_more" as name, (left, right)) if left.type == NUMBER:
            sides = [left, right]
        case _:
            return None
    while True:
        moving = [slot in side.free for side in sides]
        if sum(moving) != 1:
            return None
        place = moving.index(True)
        match sides[place]:
            case Op("subtract", (fixed, part)) if slot not in fixed.free:
                here, there = build.numeric("subtract", fixed, sides[1 - place]), part
                place = 1 - place
            case Op("subtract", (part, fixed)) if slot not in fixed.free:
                here, there = build.numeric("add", sides[1 - place], fixed), part
            case Op("add", (part, fixed)) if slot not in fixed.free:
                here, there = build.numeric("subtract", sides[1 - place], fixed), part
            case Op("add", (fixed, part)) if slot not in fixed.free:
                here, there = build.numeric("subtract", sides[1 - place], fixed), part
            case _:
                break
        sides[place], sides[1 - place] = there, here
    numbers = build.column(sides[place], slot, range(size))
    if not numbers or not all(isinstance(n, int) for n in numbers):
        return None
    least, most = min(numbers) - 1, max(numbers) + 1
    if most - least >= _MOST_COMPARED:
        return None
    holds = OPERATIONS[name]
    tested = [
        [holds(n, other) if place == 0 else holds(other, n) for n in numbers]
        for other in range(least, most + 1)
    ]
    sets = tuple(sum(1 << site for site, is_so in enumerate(row) if is_so) for row in tested)
    return _Compared(sides[1 - place], least, sets)
