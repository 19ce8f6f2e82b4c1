"""Numbers of any width: their registers, and operations on them.

In: numbers, each between its bounds. Out: instructions, and the number that they give. What then
holds: a register has as many words as its bounds need, so nothing overflows; where the divisor
is zero, the result is zero.
"""

from __future__ import annotations

from gdl.analysis.ranges import IN_A_WORD, Range, Ranges, Uncovered
from interpreter.native.emit.ir import Function, width_of
from interpreter.native.emit.values import Number

_UNDIVIDED = 256
"""Of how many bits LLVM must not know by what they are divided: see `_unknown`."""


def number_in(register: str, found: Range) -> Number:
    """Return the number in a register, whose bounds are those of a range."""
    return Number(register, found.low, found.high, found.denominator)


def range_of(value: Number) -> Range:
    """Return the bounds of a number."""
    return Range(value.low, value.high, value.denominator)


def to_range(f: Function, value: Number, wanted: Range) -> str:
    """Return the register of a number over the wider range's denominator."""
    register = widened(f, value, wanted)
    factor = wanted.denominator // value.denominator
    if factor == 1:
        return register
    bits = width_of(wanted.low, wanted.high)
    return f.ins(f"mul i{bits} {register}, {factor}")


def widened(f: Function, value: Number, wanted: Range) -> str:
    """Return a number's register, as wide as a range needs."""
    here, there = width_of(value.low, value.high), width_of(wanted.low, wanted.high)
    if here == there:
        return value.register
    if here > there:
        return f.ins(f"trunc i{here} {value.register} to i{there}")
    if value.register.lstrip("-").isdigit():
        return value.register
    return f.ins(f"sext i{here} {value.register} to i{there}")


def paired(f: Function, a: Number, b: Number) -> tuple[str, str, int]:
    """Return two numbers over one denominator in registers of one width, and that width."""
    both = range_of(a).hull(range_of(b))
    bits = width_of(both.low, both.high)
    return to_range(f, a, both), to_range(f, b, both), bits


class Arithmetic:
    """Writes operations on numbers; `ranges` bounds their results."""

    def __init__(self, ranges: Ranges) -> None:
        self._ranges = ranges

    def combined(self, f: Function, name: str, a: Number, b: Number) -> Number:
        """Write an operation of the core on two numbers."""
        found = self._ranges.combined(name, range_of(a), range_of(b))
        return number_in(self.result(f, name, a, b, found), found)

    def result(self, f: Function, name: str, a: Number, b: Number, found: Range) -> str:
        """Write an operation on two numbers; return the register of its result, in its range."""
        bits = width_of(found.low, found.high)
        match name:
            case "add" | "subtract":
                way = "add" if name == "add" else "sub"
                first, second = to_range(f, a, found), to_range(f, b, found)
                return f.ins(f"{way} i{bits} {first}, {second}")
            case "multiply":
                first, second = widened(f, a, found), widened(f, b, found)
                return f.ins(f"mul i{bits} {first}, {second}")
            case "maximum" | "minimum":
                return _extreme(f, a, b, found, "sge" if name == "maximum" else "sle")
            case "divide" | "modulo":
                wide, quotient, remainder, zero = _floored(f, a, b)
                whole = quotient if name == "divide" else remainder
                chosen = f.ins(f"select i1 {zero}, i{wide} 0, i{wide} {whole}")
                return widened(f, _wide(chosen, wide), found)
            case "fraction":
                return self._fraction(f, a, b, found)
            case "power":
                return _power(f, a, b, found)
            case "shift_left" | "shift_right" | "low_bits":
                return _of_bits(f, name, a, b, found)
        raise TypeError(f"not an operation on numbers: {name}")

    def word(self, f: Function, value: Number) -> str:
        """Write a whole number as a word (i64); one that is too large is cut off."""
        if width_of(value.low, value.high) == 64:
            return value.register
        most = Number(str(2**62), 2**62, 2**62)
        least = Number(str(-(2**62)), -(2**62), -(2**62))
        cut = self.combined(f, "minimum", self.combined(f, "maximum", value, least), most)
        return widened(f, cut, Range(-(2**62), 2**62))

    def truncated(self, f: Function, value: Number) -> str:
        """Write the lowest word (i64) of a whole number."""
        return widened(f, value, IN_A_WORD)

    def _fraction(self, f: Function, a: Number, b: Number, found: Range) -> str:
        """The numerator of a/b over a multiple of every divisor that there can be."""
        multiple = self._ranges.multiple(range_of(b))
        scale = multiple * b.denominator
        wide = max(width_of(found.low, found.high), width_of(-scale, scale))
        whole = _all_of(wide)
        divisor = widened(f, b, whole)
        zero = f.ins(f"icmp eq i{wide} {divisor}, 0")
        safe = _unknown(f, f.ins(f"select i1 {zero}, i{wide} 1, i{wide} {divisor}"), wide)
        factor = f.ins(f"sdiv i{wide} {scale}, {safe}")
        result = f.ins(f"mul i{wide} {widened(f, a, whole)}, {factor}")
        chosen = f.ins(f"select i1 {zero}, i{wide} 0, i{wide} {result}")
        return widened(f, _wide(chosen, wide), found)


def _power(f: Function, a: Number, b: Number, found: Range) -> str:
    """Multiply what the bits of the exponent ask for, from the lowest bit on.

    The square that comes after the last of them may be cut off: nothing is made of it.
    """
    if width_of(b.low, b.high) != 64:
        raise Uncovered("an exponent of more than 64 bits")
    type_ = f"i{width_of(found.low, found.high)}"
    result, square = f.variable(type_, "1"), f.variable(type_, widened(f, a, found))
    left = f.variable("i64", b.register)
    with f.loop(64) as loop:
        now = f.get("i64", left)
        f.need(f.ins(f"icmp sgt i64 {now}, 0"), loop.done)
        factor = f.get(type_, square)
        with f.when(f.ins(f"trunc i64 {now} to i1")):
            f.put(type_, f.ins(f"mul {type_} {f.get(type_, result)}, {factor}"), result)
        f.put(type_, f.ins(f"mul {type_} {factor}, {factor}"), square)
        f.put("i64", f.ins(f"lshr i64 {now}, 1"), left)
    return f.get(type_, result)


def _of_bits(f: Function, name: str, a: Number, b: Number, found: Range) -> str:
    """Write an operation on the bits of a number; what is shifted is never as far as it is wide."""
    both = range_of(a).hull(found)
    bits = width_of(both.low, both.high)
    number = widened(f, a, both)
    counts = Range(0, max(0, b.high))
    count = b.register if b.low >= 0 else _extreme(f, b, Number("0", 0, 0), counts, "sge")
    most, wide = str(bits - 1), width_of(counts.low, counts.high)
    if b.high >= bits:
        above = f.ins(f"icmp sgt i{wide} {count}, {most}")
        count = f.ins(f"select i1 {above}, i{wide} {most}, i{wide} {count}")
    if bits != wide:
        way = "zext" if bits > wide else "trunc"
        count = f.ins(f"{way} i{wide} {count} to i{bits}")
    if name == "shift_left":
        result = f.ins(f"shl i{bits} {number}, {count}")
    elif name == "shift_right":
        result = f.ins(f"ashr i{bits} {number}, {count}")
    else:
        mask = f.ins(f"add i{bits} {f.ins(f'shl i{bits} 1, {count}')}, -1")
        result = f.ins(f"and i{bits} {number}, {mask}")
    return widened(f, _wide(result, bits), found)


def _extreme(f: Function, a: Number, b: Number, found: Range, test: str) -> str:
    first, second, bits = paired(f, a, b)
    first_is = f.ins(f"icmp {test} i{bits} {first}, {second}")
    chosen = f.ins(f"select i1 {first_is}, i{bits} {first}, i{bits} {second}")
    both = range_of(a).hull(range_of(b))
    return widened(f, Number(chosen, both.low, both.high), found)


def _floored(f: Function, a: Number, b: Number) -> tuple[int, str, str, str]:
    """Return the width, quotient and remainder rounded down, and whether there is none."""
    both = range_of(a).hull(range_of(b)).hull(Range(-1, 1))
    bits = width_of(both.low - 1, both.high + 1)
    divisor, quotient, remainder, zero = _divided(f, a, b, bits)
    rest = f.ins(f"icmp ne i{bits} {remainder}, 0")
    signs = f.ins(f"icmp slt i{bits} {f.ins(f'xor i{bits} {remainder}, {divisor}')}, 0")
    lower = f.ins(f"and i1 {rest}, {signs}")
    step = f.ins(f"sext i1 {lower} to i{bits}")
    quotient = f.ins(f"add i{bits} {quotient}, {step}")
    added = f.ins(f"select i1 {lower}, i{bits} {divisor}, i{bits} 0")
    remainder = f.ins(f"add i{bits} {remainder}, {added}")
    return bits, quotient, remainder, zero


def _divided(f: Function, a: Number, b: Number, bits: int) -> tuple[str, str, str, str]:
    """Return divisor (1 for 0), quotient, remainder, and whether the divisor is 0."""
    wide = _all_of(bits)
    dividend, given = widened(f, a, wide), widened(f, b, wide)
    zero = f.ins(f"icmp eq i{bits} {given}, 0")
    divisor = _unknown(f, f.ins(f"select i1 {zero}, i{bits} 1, i{bits} {given}"), bits)
    quotient = f.ins(f"sdiv i{bits} {dividend}, {divisor}")
    remainder = f.ins(f"srem i{bits} {dividend}, {divisor}")
    return divisor, quotient, remainder, zero


def _unknown(f: Function, divisor: str, bits: int) -> str:
    """Return a divisor of which LLVM does not find out what it is, where it must not.

    LLVM 22 ends the process where 256 bits, and just these, are divided by a power of two.
    """
    if bits != _UNDIVIDED:
        return divisor
    return f.ins(f"load volatile i{bits}, ptr {f.variable(f'i{bits}', divisor)}")


def _all_of(bits: int) -> Range:
    """Return the range of all numbers of a width."""
    return Range(-(1 << bits - 1), (1 << bits - 1) - 1)


def _wide(register: str, bits: int) -> Number:
    return number_in(register, _all_of(bits))
