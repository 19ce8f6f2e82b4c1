"""The code of expressions: each node of the core in one place.

In: expressions, the frame that they read. Out: instructions, and where the value is. What then
holds: the value is that of gdl/core/evaluate.py. Expressions are pure and total, so parts that
the reference interpreter would leave out may be worked out all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import lcm
from typing import Any

from gdl.board.relation import Relation
from gdl.core.nodes import (
    Can,
    Closure,
    Const,
    Domain,
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
    SitesOf,
    Slot,
    Times,
)
from gdl.core.types import FLAG, SITES
from interpreter.native.arrays import ArraySets
from interpreter.native.checks import Checks
from interpreter.native.choices import CHOICES, DOUBLING, MASKS, RAYS
from interpreter.native.code import Function, width_of
from interpreter.native.directions import Direction, Floods, direction_of, origin
from interpreter.native.layout import Field, Layout
from interpreter.native.orbits import relation_that_leads_back
from interpreter.native.outlines import Outlines
from interpreter.native.ranges import Range, Ranges, Uncovered
from interpreter.native.rows import RowCode, RowThrough
from interpreter.native.sets import RegisterSets
from interpreter.native.values import Flag, Number, Sites, Value
from interpreter.native.worklists import flood_by_site

_COMPARISONS = {"equal": "eq", "less": "slt", "not_more": "sle"}
_DEAR = (Closure, Fold, Select, Times, Can)


@dataclass
class Place:
    """Where code is written: a function, the address of its frame, the values bound so far.

    `world` is the address of what all frames of a game share. With `is_blind`, nothing looks a
    turn ahead.
    """

    f: Function
    frame: str
    world: str
    bound: dict[Slot, Value]
    is_blind: bool = False

    def binding(self, slot: Slot, value: Value) -> Place:
        """Return the place with one more value bound."""
        return Place(self.f, self.frame, self.world, {**self.bound, slot: value}, self.is_blind)


class Expressions:
    """Writes the code of expressions over one program's frames.

    `can` writes the code of a `Can`, `times` that of a `Times`; `choices` are names of ways.
    """

    def __init__(
        self,
        sets: RegisterSets,
        layout: Layout,
        ranges: Ranges,
        can: Callable[[Place, Can], Flag],
        times: Callable[[Place, Times], Number],
        choices: AbstractSet[str] = frozenset(CHOICES),
        *,
        checked: bool = False,
    ) -> None:
        self.sets = sets
        self.layout = layout
        self.ranges = ranges
        self._can_code = can
        self._times_code = times
        self.choices = choices
        sets.shares_masks = MASKS in choices
        self._outlines = Outlines(sets.module, self)
        self._flood_names: dict[tuple[Slot, Expression, bool], str] = {}
        self._floods = Floods(sets)
        self._row_code = RowCode(sets)
        self.checks = Checks(sets, is_on=checked)

    def value(self, p: Place, node: Expression) -> Value:
        """Write the code of an expression."""
        if isinstance(self.sets, ArraySets):
            called = self._outlines.value(p, node)
            if called is not None:
                return called
        value = self.in_place(p, node)
        self.checks.value(p, value)
        return value

    def place(self, f: Function, frame: str = "%frame", world: str = "%world") -> Place:
        """Return a place in a function where nothing is bound yet."""
        return Place(f, frame, world, {})

    def in_place(self, p: Place, node: Expression) -> Value:
        """Write the code of an expression where it stands."""
        method: Callable[[Place, Any], Value] = getattr(self, f"_{type(node).__name__.lower()}")
        return method(p, node)

    def sites(self, p: Place, node: Expression) -> Sites:
        """Write the code of a set."""
        value = self.value(p, node)
        assert isinstance(value, Sites), node.type
        return value

    def flag(self, p: Place, node: Expression) -> str:
        """Write the code of a condition; return its register (i1)."""
        value = self.value(p, node)
        assert isinstance(value, Flag), node.type
        return value.register

    def number(self, p: Place, node: Expression) -> Number:
        """Write the code of a number, a fraction or a choice."""
        value = self.value(p, node)
        assert isinstance(value, Number), node.type
        return value

    def word(self, p: Place, node: Expression) -> str:
        """Write the code of a whole number as a word (i64); one that is too large is cut off.

        It serves for bounds of loops and choices, where such numbers are refused anyway.
        """
        value = self.number(p, node)
        if width_of(value.low, value.high) == 64:
            return value.register
        most = Number(str(2**62), 2**62, 2**62)
        least = Number(str(-(2**62)), -(2**62), -(2**62))
        cut = self.combined(p.f, "minimum", self.combined(p.f, "maximum", value, least), most)
        return self.widened(p.f, cut, Range(-(2**62), 2**62))

    # --------------------------------------------------------- numbers of any width

    def to_range(self, f: Function, value: Number, wanted: Range) -> str:
        """Return the register of a number over the wider range's denominator."""
        register = self.widened(f, value, wanted)
        factor = wanted.denominator // value.denominator
        if factor == 1:
            return register
        bits = width_of(wanted.low, wanted.high)
        return f.ins(f"mul i{bits} {register}, {factor}")

    def widened(self, f: Function, value: Number, wanted: Range) -> str:
        """Return a number's register, as wide as a range needs."""
        here, there = width_of(value.low, value.high), width_of(wanted.low, wanted.high)
        if here == there:
            return value.register
        if here > there:
            return f.ins(f"trunc i{here} {value.register} to i{there}")
        if value.register.lstrip("-").isdigit():
            return value.register
        return f.ins(f"sext i{here} {value.register} to i{there}")

    def _ranged(self, register: str, found: Range) -> Number:
        return Number(register, found.low, found.high, found.denominator)

    def _pair(self, f: Function, a: Number, b: Number) -> tuple[str, str, int]:
        """Return two numbers over one denominator in registers of one width, and that width."""
        both = _range(a).hull(_range(b))
        bits = width_of(both.low, both.high)
        return self.to_range(f, a, both), self.to_range(f, b, both), bits

    # ----------------------------------------------------------------------- nodes

    def _const(self, p: Place, node: Const) -> Value:
        value: Any = node.value
        if node.type == SITES:
            return self.sets.constant(value)
        if node.type == FLAG:
            return Flag("true" if value else "false")
        return self._ranged(str(value.numerator), self.ranges.of(node))

    def _get(self, p: Place, node: Get) -> Value:
        if node.slot in p.bound:
            return p.bound[node.slot]
        return self.read(p, node.slot)

    def read(self, p: Place, slot: Slot) -> Value:
        """Write the code that reads a slot of the frame."""
        field = self.layout.fields[slot]
        address = p.f.at(p.frame, field.offset)
        if slot in self.layout.singles:
            index = p.f.ins(f"sext i16 {p.f.get('i16', address)} to i64")
            single = self.sets.one(index, is_there=self.layout.singles[slot])
            if isinstance(self.sets, ArraySets):
                single.within = self.sets.bounds.of_slot(slot)
            return single
        return self.read_field(p, field, slot, address)

    def write(self, p: Place, slot: Slot, value: Value) -> None:
        """Write the code that puts a value, known to fit, into a slot of the frame."""
        field = self.layout.fields[slot]
        address = p.f.at(p.frame, field.offset)
        if isinstance(value, Sites) and slot not in self.layout.singles:
            self.store(p, value, address)
        else:
            self.write_field(p.f, field, slot, value, address)

    def store(self, p: Place, sites: Sites, address: str) -> None:
        """Write the code that puts a set into the frame, so that it can be taken back."""
        if isinstance(self.sets, ArraySets):
            self.sets.trails.store(p.f, p.world, sites, address)
        else:
            self.sets.write(p.f, sites, address)

    def write_field(
        self, f: Function, field: Field, slot: Slot, value: Value, address: str
    ) -> None:
        """Write the code that puts a value into an entry of a slot's field at an address."""
        if isinstance(value, Sites):
            if slot in self.layout.singles:
                index = self.sets.index(f, value)
                f.put("i16", f.ins(f"trunc i64 {index} to i16"), address)
            else:
                self.sets.write(f, value, address)
        elif isinstance(value, Flag):
            f.put("i8", f.ins(f"zext i1 {value.register} to i8"), address)
        else:
            assert field.range is not None, "the field of a number has a range"
            common = lcm(value.denominator, field.range.denominator)
            if common != field.range.denominator:
                raise Uncovered(f"`{slot.name}`, a fraction without a common denominator")
            wide = field.range.scaled(common).hull(_range(value))
            register = self.to_range(f, value, wide)
            bits = width_of(wide.low, wide.high)
            if bits != field.bits:
                way = "trunc" if bits > field.bits else "sext"
                register = f.ins(f"{way} i{bits} {register} to {field.type}")
            f.put(field.type, register, address)

    def read_field(self, p: Place, field: Field, slot: Slot, address: str) -> Value:
        """Write the code that reads an entry of a slot's field at an address."""
        f = p.f
        if slot.type == SITES:
            return self.sets.read(f, address)
        register = f.get(field.type, address)
        if slot.type == FLAG:
            return Flag(f.ins(f"trunc i8 {register} to i1"))
        assert field.range is not None, "the field of a number has a range"
        if field.bits < 64:
            register = f.ins(f"sext {field.type} {register} to i64")
        return self._ranged(register, field.range)

    def _getat(self, p: Place, node: GetAt) -> Value:
        f = p.f
        site = self.sets.index(f, self.sites(p, node.sites))
        there = f.ins(f"icmp sge i64 {site}, 0")
        safe = f.ins(f"select i1 {there}, i64 {site}, i64 0")
        field = self.layout.fields[node.slot]
        offset = f.ins(f"mul i64 {safe}, {field.entry_bytes}")
        address = f.at(f.at(p.frame, field.offset), offset)
        value = self.read_field(p, field, node.slot, address)
        if isinstance(value, Flag):
            return Flag(f.ins(f"and i1 {there}, {value.register}"))
        if isinstance(value, Sites):
            return self.sets.choose(f, there, value, self.sets.constant(0))
        found = self.ranges.of(node)
        register = self.to_range(f, value, found)
        bits = width_of(found.low, found.high)
        chosen = f.ins(f"select i1 {there}, i{bits} {register}, i{bits} 0")
        return self._ranged(chosen, found)

    def _let(self, p: Place, node: Let) -> Value:
        if node.slot.type not in (SITES, FLAG):
            self.ranges.bind(node.slot, self.ranges.of(node.value))
        value = self.value(p, node.value)
        if isinstance(value, Sites):
            value = self.sets.settled(p.f, value)
        return self.value(p.binding(node.slot, value), node.body)

    def _if(self, p: Place, node: If) -> Value:
        condition = self.flag(p, node.condition)
        if not (is_dear(node.then) or is_dear(node.otherwise)):
            then, otherwise = self.value(p, node.then), self.value(p, node.otherwise)
            return self._selected(p, node, condition, then, otherwise)
        return self._branched(
            p,
            node,
            condition,
            lambda: self.value(p, node.then),
            lambda: self.value(p, node.otherwise),
        )

    def _selected(self, p: Place, node: Expression, condition: str, a: Value, b: Value) -> Value:
        f = p.f
        if isinstance(a, Sites) and isinstance(b, Sites):
            return self.sets.choose(f, condition, a, b)
        if isinstance(a, Flag) and isinstance(b, Flag):
            return Flag(f.ins(f"select i1 {condition}, i1 {a.register}, i1 {b.register}"))
        assert isinstance(a, Number) and isinstance(b, Number), "both have the same type"
        found = self.ranges.of(node)
        bits = width_of(found.low, found.high)
        first, second = self.to_range(f, a, found), self.to_range(f, b, found)
        return self._ranged(
            f.ins(f"select i1 {condition}, i{bits} {first}, i{bits} {second}"), found
        )

    def _branched(
        self,
        p: Place,
        node: Expression,
        condition: str,
        then: Callable[[], Value],
        otherwise: Callable[[], Value],
    ) -> Value:
        """Write two ways to a value, of which only one is taken."""
        f = p.f
        first, second, after = f.new_label(), f.new_label(), f.new_label()
        result = self.variable(f, node)
        f.branch(condition, first, second)
        f.label(first)
        self.keep(f, node, then(), result)
        f.jump(after)
        f.label(second)
        self.keep(f, node, otherwise(), result)
        f.label(after)
        return self.kept(f, node, result)

    # ------------------------------------------------------------ variables in code

    def variable(self, f: Function, node: Expression) -> str:
        """Return a variable for an expression's value."""
        if node.type == SITES:
            return self.sets.variable(f)
        if node.type == FLAG:
            return f.variable("i1")
        found = self.ranges.of(node)
        return f.variable(f"i{width_of(found.low, found.high)}")

    def keep(self, f: Function, node: Expression, value: Value, address: str) -> None:
        """Put a value into a variable made for it."""
        if isinstance(value, Sites):
            self.sets.write(f, value, address)
        elif isinstance(value, Flag):
            f.put("i1", value.register, address)
        else:
            found = self.ranges.of(node)
            bits = width_of(found.low, found.high)
            f.put(f"i{bits}", self.to_range(f, value, found), address)

    def kept(self, f: Function, node: Expression, address: str) -> Value:
        """Return the value in a variable."""
        if node.type == SITES:
            return self.sets.read(f, address)
        if node.type == FLAG:
            return Flag(f.get("i1", address))
        found = self.ranges.of(node)
        return self._ranged(f.get(f"i{width_of(found.low, found.high)}", address), found)

    # ------------------------------------------------------------------ operations

    def _op(self, p: Place, node: Op) -> Value:
        method = getattr(self, f"_op_{node.name}", None)
        if method is not None:
            found: Value = method(p, node)
            return found
        if node.name in _COMPARISONS:
            return self._comparison(p, node)
        return self._arithmetic(p, node)

    def _op_union(self, p: Place, node: Op) -> Value:
        return self.sets.union(p.f, [self.sites(p, part) for part in node.arguments])

    def _op_intersection(self, p: Place, node: Op) -> Value:
        images = [isinstance(part, Op) and part.name == "image" for part in node.arguments]
        is_bounded = not all(images) and not self.sets.floods_by_site
        parts = [
            self._loose_image(p, part) if is_image and is_bounded else self.sites(p, part)
            for part, is_image in zip(node.arguments, images, strict=True)
        ]
        return self.sets.intersection(p.f, parts)

    def _loose_image(self, p: Place, node: Expression) -> Sites:
        """Write an image that another set cuts down to the board."""
        assert isinstance(node, Op) and isinstance(node.payload, Relation), "an image"
        return self.sets.loose_image(p.f, node.payload, self.sites(p, node.arguments[0]))

    def _op_difference(self, p: Place, node: Op) -> Value:
        result = self.sites(p, node.arguments[0])
        for part in node.arguments[1:]:
            result = self.sets.difference(p.f, result, self.sites(p, part))
        return result

    def _op_some(self, p: Place, node: Op) -> Value:
        return Flag(self.sets.some(p.f, self.sites(p, node.arguments[0])))

    def _op_count(self, p: Place, node: Op) -> Value:
        counted = self.sets.count(p.f, self.sites(p, node.arguments[0]))
        return self._ranged(counted, self.ranges.of(node))

    def _op_first(self, p: Place, node: Op) -> Value:
        return self.sets.first(p.f, self.sites(p, node.arguments[0]))

    def _op_subset(self, p: Place, node: Op) -> Value:
        a, b = (self.sites(p, part) for part in node.arguments)
        return Flag(self.sets.subset(p.f, a, b))

    def _op_image(self, p: Place, node: Op) -> Value:
        relation: Relation = node.payload  # type: ignore[assignment]
        return self.sets.image(p.f, relation, self.sites(p, node.arguments[0]))

    def _op_lookup(self, p: Place, node: Op) -> Value:
        table = node.payload
        assert isinstance(table, tuple), "a lookup has a table"
        sites = self.sites(p, node.arguments[0])
        return self._ranged(self.sets.number_at(p.f, table, sites), self.ranges.of(node))

    def _op_not(self, p: Place, node: Op) -> Value:
        return Flag(p.f.ins(f"xor i1 {self.flag(p, node.arguments[0])}, true"))

    def _op_and(self, p: Place, node: Op) -> Value:
        return self._junction(p, node, "and", "false")

    def _op_or(self, p: Place, node: Op) -> Value:
        return self._junction(p, node, "or", "true")

    def _junction(self, p: Place, node: Op, name: str, absorbing: str) -> Value:
        """Join conditions; what is dear is only worked out while nothing is decided."""
        f = p.f
        cheap = [part for part in node.arguments if not is_dear(part)]
        dear = [part for part in node.arguments if is_dear(part)]
        result: str | None = None
        for part in cheap:
            here = self.flag(p, part)
            result = here if result is None else f.ins(f"{name} i1 {result}, {here}")
        if not dear:
            return Flag(result or ("true" if name == "and" else "false"))
        variable, after = f.variable("i1"), f.new_label()
        f.put("i1", absorbing, variable)
        for part in dear:
            if result is not None:
                go_on = f.new_label()
                if name == "and":
                    f.branch(result, go_on, after)
                else:
                    f.branch(result, after, go_on)
                f.label(go_on)
            result = self.flag(p, part)
        f.put("i1", result or "false", variable)
        f.label(after)
        return Flag(f.get("i1", variable))

    def _comparison(self, p: Place, node: Op) -> Value:
        left, right = node.arguments
        a, b = self.value(p, left), self.value(p, right)
        f = p.f
        if isinstance(a, Sites) and isinstance(b, Sites):
            return Flag(self.sets.equal(f, a, b))
        if isinstance(a, Flag) and isinstance(b, Flag):
            return Flag(f.ins(f"icmp eq i1 {a.register}, {b.register}"))
        assert isinstance(a, Number) and isinstance(b, Number), "both have the same type"
        first, second, bits = self._pair(f, a, b)
        return Flag(f.ins(f"icmp {_COMPARISONS[node.name]} i{bits} {first}, {second}"))

    def _arithmetic(self, p: Place, node: Op) -> Value:
        result = self.number(p, node.arguments[0])
        for part in node.arguments[1:]:
            result = self.combined(p.f, node.name, result, self.number(p, part))
        return result

    def combined(self, f: Function, name: str, a: Number, b: Number) -> Number:
        """Write an operation on two numbers."""
        found: Range = getattr(self.ranges, f"_{name}")(_range(a), _range(b))
        bits = width_of(found.low, found.high)
        special = getattr(self, f"_numbers_{name}", None)
        if special is not None:
            return self._ranged(special(f, a, b, found, bits), found)
        if name == "multiply":
            first, second = self.widened(f, a, found), self.widened(f, b, found)
            return self._ranged(f.ins(f"mul i{bits} {first}, {second}"), found)
        first, second = self.to_range(f, a, found), self.to_range(f, b, found)
        way = {"add": "add", "subtract": "sub"}[name]
        return self._ranged(f.ins(f"{way} i{bits} {first}, {second}"), found)

    def _numbers_maximum(self, f: Function, a: Number, b: Number, found: Range, bits: int) -> str:
        return self._extreme(f, a, b, found, "sge")

    def _numbers_minimum(self, f: Function, a: Number, b: Number, found: Range, bits: int) -> str:
        return self._extreme(f, a, b, found, "sle")

    def _extreme(self, f: Function, a: Number, b: Number, found: Range, test: str) -> str:
        first, second, bits = self._pair(f, a, b)
        first_is = f.ins(f"icmp {test} i{bits} {first}, {second}")
        chosen = f.ins(f"select i1 {first_is}, i{bits} {first}, i{bits} {second}")
        both = _range(a).hull(_range(b))
        return self.widened(f, Number(chosen, both.low, both.high), found)

    def _divided(
        self, f: Function, a: Number, b: Number, bits: int
    ) -> tuple[str, str, str, str, str]:
        """Return dividend, divisor (1 for 0), quotient, remainder, whether the divisor is 0."""
        wide = Range(-(1 << bits - 1), (1 << bits - 1) - 1)
        dividend, given = self.widened(f, a, wide), self.widened(f, b, wide)
        zero = f.ins(f"icmp eq i{bits} {given}, 0")
        divisor = f.ins(f"select i1 {zero}, i{bits} 1, i{bits} {given}")
        quotient = f.ins(f"sdiv i{bits} {dividend}, {divisor}")
        remainder = f.ins(f"srem i{bits} {dividend}, {divisor}")
        return dividend, divisor, quotient, remainder, zero

    def _floored(self, f: Function, a: Number, b: Number) -> tuple[int, str, str, str]:
        """Return the width, quotient and remainder rounded down, and whether there is none."""
        both = _range(a).hull(_range(b)).hull(Range(-1, 1))
        bits = width_of(both.low - 1, both.high + 1)
        _, divisor, quotient, remainder, zero = self._divided(f, a, b, bits)
        rest = f.ins(f"icmp ne i{bits} {remainder}, 0")
        signs = f.ins(f"icmp slt i{bits} {f.ins(f'xor i{bits} {remainder}, {divisor}')}, 0")
        lower = f.ins(f"and i1 {rest}, {signs}")
        step = f.ins(f"sext i1 {lower} to i{bits}")
        quotient = f.ins(f"add i{bits} {quotient}, {step}")
        added = f.ins(f"select i1 {lower}, i{bits} {divisor}, i{bits} 0")
        remainder = f.ins(f"add i{bits} {remainder}, {added}")
        return bits, quotient, remainder, zero

    def _numbers_divide(self, f: Function, a: Number, b: Number, found: Range, bits: int) -> str:
        wide, quotient, _, zero = self._floored(f, a, b)
        chosen = f.ins(f"select i1 {zero}, i{wide} 0, i{wide} {quotient}")
        return self.widened(f, _wide(chosen, wide), found)

    def _numbers_modulo(self, f: Function, a: Number, b: Number, found: Range, bits: int) -> str:
        wide, _, remainder, zero = self._floored(f, a, b)
        chosen = f.ins(f"select i1 {zero}, i{wide} 0, i{wide} {remainder}")
        return self.widened(f, _wide(chosen, wide), found)

    def _numbers_fraction(self, f: Function, a: Number, b: Number, found: Range, bits: int) -> str:
        """The numerator of a/b over a multiple of every divisor that there can be."""
        multiple = self.ranges.multiple(_range(b))
        scale = multiple * b.denominator
        wide = max(bits, width_of(-scale, scale))
        whole = Range(-(1 << wide - 1), (1 << wide - 1) - 1)
        divisor = self.widened(f, b, whole)
        zero = f.ins(f"icmp eq i{wide} {divisor}, 0")
        safe = f.ins(f"select i1 {zero}, i{wide} 1, i{wide} {divisor}")
        factor = f.ins(f"sdiv i{wide} {scale}, {safe}")
        result = f.ins(f"mul i{wide} {self.widened(f, a, whole)}, {factor}")
        chosen = f.ins(f"select i1 {zero}, i{wide} 0, i{wide} {result}")
        return self.widened(f, _wide(chosen, wide), found)

    def _numbers_power(self, f: Function, a: Number, b: Number, found: Range, bits: int) -> str:
        """Multiply as often as the exponent says."""
        if width_of(b.low, b.high) != 64:
            raise Uncovered("an exponent of more than 64 bits")
        base = self.widened(f, a, found)
        result, left = f.variable(f"i{bits}"), f.variable("i64")
        f.put(f"i{bits}", "1", result)
        f.put("i64", b.register, left)
        head, body, done = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        now = f.get("i64", left)
        f.branch(f.ins(f"icmp sgt i64 {now}, 0"), body, done)
        f.label(body)
        f.put(f"i{bits}", f.ins(f"mul i{bits} {f.get(f'i{bits}', result)}, {base}"), result)
        f.put("i64", f.ins(f"sub i64 {now}, 1"), left)
        f.jump(head)
        f.label(done)
        return f.get(f"i{bits}", result)

    # -------------------------------------------------------------- sets by iteration

    def _closure(self, p: Place, node: Closure) -> Value:
        if isinstance(self.sets, ArraySets):
            relation = relation_that_leads_back(node)
            if relation is not None:
                joined = self.sets.orbits.flood(p.f, relation, self.sites(p, node.seed))
                if joined is not None:
                    return joined
        along = None if self.sets.floods_by_site else direction_of(node, self.sets.size)
        if along is not None:
            found = self._flood_along(p, node, along)
            if found is not None:
                return found
        return self.flood(p, self.sites(p, node.seed), node.frontier, node.step, None)

    def _flood_along(self, p: Place, node: Closure, along: Direction) -> Sites | None:
        """Write a flood in one direction without a loop, as far as that is chosen."""
        f, sets, floods = p.f, self.sets, self._floods

        def path() -> Sites:
            before = [self.sites(p, bound.sites) for bound in along.before]
            after = [self.sites(p, bound.sites) for bound in along.after]
            return floods.path(f, along, before, after)

        if RAYS in self.choices:
            start = origin(node.seed, node)
            site = None if start is None else self.sites(p, start)
            if site is not None and site.site is not None:
                return floods.ray(f, site, along, path())
            seed = self.sites(p, node.seed)
            if seed.site is not None:
                return sets.union(f, [seed, floods.ray(f, seed, along, path())])
        if DOUBLING not in self.choices:
            return None
        return floods.by_doubling(f, self.sites(p, node.seed), along, path())

    def flood(
        self, p: Place, seed: Sites, frontier: Slot, step: Expression, within: Sites | None
    ) -> Sites:
        """Write a loop that adds what a step leads to, within a set, until nothing is new.

        Since a step distributes over union, it may be taken from all that was reached.
        """
        f, sets = p.f, self.sets

        def stepped(here: Sites) -> Sites:
            new = self.sites(p.binding(frontier, here), step)
            return new if within is None else sets.intersection(f, [new, within])

        if isinstance(sets, ArraySets):
            return self._flood_by_site(p, sets, seed, frontier, step, within, stepped)
        reached = sets.variable(f)
        sets.write(f, seed, reached)
        head, done = f.new_label(), f.new_label()
        f.label(head)
        now = sets.read(f, reached)
        new = stepped(now)
        grown = sets.union(f, [now, new])
        sets.write(f, grown, reached)
        f.branch(sets.equal(f, grown, now), done, head)
        f.label(done)
        return sets.read(f, reached)

    def _flood_by_site(
        self,
        p: Place,
        sets: ArraySets,
        seed: Sites,
        frontier: Slot,
        step: Expression,
        within: Sites | None,
        stepped: Callable[[Sites], Sites],
    ) -> Sites:
        """Write a flood as a call of a function, if its step reads nothing but the frame."""
        f, reached = p.f, sets.variable(p.f)
        sets.write(f, seed, reached)
        if not (step.free - {frontier}).isdisjoint(p.bound):
            flood_by_site(sets, f, reached, stepped)
            return sets.read(f, reached)
        key = (frontier, step, within is None)
        if key not in self._flood_names:
            self._flood_names[key] = f"flood_{len(self._flood_names)}"
            g = sets.module.function(
                self._flood_names[key],
                "internal void",
                ["ptr %frame", "ptr %world", "ptr noalias %reached", "ptr %within"],
                "nounwind noinline ",
            )
            q = Place(g, "%frame", "%world", {}, p.is_blind)

            def stepped_apart(here: Sites) -> Sites:
                new = self.sites(q.binding(frontier, here), step)
                limit = [] if within is None else [Sites("%within")]
                return sets.intersection(g, [new, *limit])

            flood_by_site(sets, g, "%reached", stepped_apart)
            g.give("void")
        limit = "null" if within is None else sets.mask(f, within)
        called = f"ptr {p.frame}, ptr {p.world}, ptr {reached}, ptr {limit}"
        f.do(f"call void @{self._flood_names[key]}({called})")
        return sets.read(f, reached)

    def _rowthrough(self, p: Place, node: RowThrough) -> Value:
        f = p.f
        layer = f.at(p.frame, self.layout.fields[node.layer].offset)
        site = self.sets.index(f, self.sites(p, node.newest))
        return Flag(self._row_code.through(f, layer, site, node.families))

    def _select(self, p: Place, node: Select) -> Value:
        f, sets = p.f, self.sets
        among = self.sites(p, node.sites)
        if among.site is not None:
            holds = self.flag(p.binding(node.slot, among), node.condition)
            return sets.choose(f, holds, among, sets.one("-1", is_there=False))
        result = sets.variable(f)
        sets.write(f, sets.constant(0), result)
        loop = sets.each(f, among)
        site = loop.site
        with f.when(self.flag(p.binding(node.slot, site), node.condition)):
            sets.include(f, result, site)
        loop.end()
        return sets.read(f, result)

    def _times(self, p: Place, node: Times) -> Value:
        return self._times_code(p, node)

    def _can(self, p: Place, node: Can) -> Value:
        return self._can_code(p, node)

    # ------------------------------------------------------------------------ folds

    def over(
        self, p: Place, slot: Slot, domain: Domain, body: Callable[[Place, str], None]
    ) -> None:
        """Write a loop over a domain; `body` is given the place and the label of the end."""
        if isinstance(domain, SitesOf):
            self._over_sites(p, slot, domain, body)
        elif isinstance(domain, RangeOf):
            self._over_range(p, slot, domain, body)
        else:
            self._over_groups(p, slot, domain, body)

    def _over_sites(
        self, p: Place, slot: Slot, domain: SitesOf, body: Callable[[Place, str], None]
    ) -> None:
        loop = self.sets.each(p.f, self.sites(p, domain.sites))
        body(p.binding(slot, loop.site), loop.after)
        loop.end()

    def _over_range(
        self, p: Place, slot: Slot, domain: RangeOf, body: Callable[[Place, str], None]
    ) -> None:
        f = p.f
        self.ranges.bind_variable(slot, domain)
        found = self.ranges.of_slot(slot)
        low, high = self.word(p, domain.low), self.word(p, domain.high)
        now = f.variable("i64")
        f.put("i64", low, now)
        head, inside, after = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        value = f.get("i64", now)
        f.branch(f.ins(f"icmp sle i64 {value}, {high}"), inside, after)
        f.label(inside)
        body(p.binding(slot, self._ranged(value, found)), after)
        f.put("i64", f.ins(f"add i64 {value}, 1"), now)
        f.jump(head)
        f.label(after)

    def _over_groups(
        self, p: Place, slot: Slot, domain: GroupsOf, body: Callable[[Place, str], None]
    ) -> None:
        f, sets = p.f, self.sets
        members = self.sites(p, domain.sites)
        if members.site is not None:
            members = Sites(sets.mask(f, members))
        members = sets.settled(f, members)
        rest = sets.variable(f)
        sets.write(f, members, rest)
        head, inside, after = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        left = sets.read(f, rest)
        f.branch(sets.some(f, left), inside, after)
        f.label(inside)
        group = self.flood(p, sets.first(f, left), domain.frontier, domain.step, members)
        sets.write(f, sets.difference(f, left, group), rest)
        body(p.binding(slot, group), after)
        f.jump(head)
        f.label(after)

    def _fold(self, p: Place, node: Fold) -> Value:
        self.ranges.of(node) if node.type not in (SITES, FLAG) else None
        if node.combine in ("or", "and"):
            return self._decided(p, node)
        if node.combine in ("max", "min"):
            return self._most(p, node)
        f = p.f
        result = self.variable(f, node)
        initial = Const(node.initial, node.type)
        self.keep(f, node, self.value(p, initial), result)

        def combine(inner: Place, after: str) -> None:
            now, new = self.kept(f, node, result), self.value(inner, node.body)
            self.keep(f, node, self._joined(f, node, now, new), result)

        self.over(p, node.slot, node.domain, combine)
        return self.kept(f, node, result)

    def _joined(self, f: Function, node: Fold, now: Value, new: Value) -> Value:
        if isinstance(now, Sites) and isinstance(new, Sites):
            way = self.sets.union if node.combine == "union" else self.sets.intersection
            return way(f, [now, new])
        assert isinstance(now, Number) and isinstance(new, Number), "sums are of numbers"
        name = {"sum": "add", "product": "multiply"}[node.combine]
        found = self.ranges.of(node)
        bits = width_of(found.low, found.high)
        first = self.to_range(f, now, found)
        second = self.widened(f, new, found) if name == "multiply" else self.to_range(f, new, found)
        way_of = {"add": "add", "multiply": "mul"}[name]
        return self._ranged(f.ins(f"{way_of} i{bits} {first}, {second}"), found)

    def _decided(self, p: Place, node: Fold) -> Value:
        f = p.f
        wanted = node.combine == "or"
        result = f.variable("i1")
        f.put("i1", "false" if wanted else "true", result)

        def test(inner: Place, after: str) -> None:
            holds = self.flag(inner, node.body)
            decided = holds if wanted else f.ins(f"xor i1 {holds}, true")
            go_on, stop = f.new_label(), f.new_label()
            f.branch(decided, stop, go_on)
            f.label(stop)
            f.put("i1", "true" if wanted else "false", result)
            f.jump(after)
            f.label(go_on)

        self.over(p, node.slot, node.domain, test)
        return Flag(f.get("i1", result))

    def _most(self, p: Place, node: Fold) -> Value:
        f = p.f
        found = self.ranges.of(node)
        bits = width_of(found.low, found.high)
        result, is_first = f.variable(f"i{bits}"), f.variable("i1")
        initial = self.number(p, Const(node.initial, node.type))
        f.put(f"i{bits}", self.to_range(f, initial, found), result)
        f.put("i1", "true", is_first)
        test = "sgt" if node.combine == "max" else "slt"

        def compare(inner: Place, after: str) -> None:
            new = self.to_range(f, self.number(inner, node.body), found)
            better = f.ins(f"icmp {test} i{bits} {new}, {f.get(f'i{bits}', result)}")
            with f.when(f.ins(f"or i1 {better}, {f.get('i1', is_first)}")):
                f.put(f"i{bits}", new, result)
            f.put("i1", "false", is_first)

        self.over(p, node.slot, node.domain, compare)
        return self._ranged(f.get(f"i{bits}", result), found)


def is_dear(node: Expression) -> bool:
    """Return whether an expression takes long enough to be left out where it can be."""
    known = _dear_of.get(id(node))
    if known is not None and known[0] is node:
        return known[1]
    found = isinstance(node, _DEAR) or any(is_dear(part) for part in node.parts())
    if len(_dear_of) > 100_000:
        _dear_of.clear()
    _dear_of[id(node)] = (node, found)
    return found


_dear_of: dict[int, tuple[Expression, bool]] = {}


def _range(value: Number) -> Range:
    return Range(value.low, value.high, value.denominator)


def _wide(register: str, bits: int) -> Number:
    return Number(register, -(1 << bits - 1), (1 << bits - 1) - 1)
