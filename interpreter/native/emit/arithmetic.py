"""Numbers of any width: their registers, and operations on them.

In: numbers, each between its bounds. Out: instructions, and the number that they give. What then
holds: a register has as many words as its bounds need, so nothing overflows; where the divisor
is zero, the result is zero.
"""

from __future__ import annotations

from gdl.analysis import ranges
from gdl.analysis.ranges import IN_A_WORD, Range, Uncovered, multiple
from interpreter.native.emit.ir import Function, width_of
from interpreter.native.emit.values import Number, known_number

_UNDIVIDED = 256
"""Of how many bits LLVM must not know by what they are divided: see `_divisor`."""


def to_range(f: Function, value: Number, wanted: Range) -> str:
    """Return the register of a number over the wider range's denominator."""
    register = widened(f, value, wanted)
    factor = wanted.denominator // value.range.denominator
    if factor == 1:
        return register
    bits = width_of(wanted)
    return f.ins(f"mul i{bits} {register}, {factor}")


def widened(f: Function, value: Number, wanted: Range) -> str:
    """Return a number's register, as wide as a range needs."""
    here, there = width_of(value.range), width_of(wanted)
    if here == there:
        return value.register
    if here > there:
        return f.ins(f"trunc i{here} {value.register} to i{there}")
    if value.register.lstrip("-").isdigit():
        return value.register
    return f.ins(f"sext i{here} {value.register} to i{there}")


def paired(f: Function, a: Number, b: Number) -> tuple[str, str, Range]:
    """Return the registers of two numbers, both in one range, and that range."""
    both = a.range.hull(b.range)
    return to_range(f, a, both), to_range(f, b, both), both


def combined(f: Function, name: str, a: Number, b: Number) -> Number:
    """Write an operation of the core on two numbers."""
    found = ranges.combined(name, a.range, b.range)
    return Number(result(f, name, a, b, found), found)


def result(f: Function, name: str, a: Number, b: Number, found: Range) -> str:
    """Write an operation on two numbers; return the register of its result, in its range."""
    bits = width_of(found)
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
            return _fraction(f, a, b, found)
        case "power":
            return _power(f, a, b, found)
        case "shift_left" | "shift_right" | "low_bits":
            return _of_bits(f, name, a, b, found)
    raise TypeError(f"not an operation on numbers: {name}")


def word(f: Function, value: Number) -> str:
    """Write a whole number as a word (i64); one that is too large is cut off."""
    if width_of(value.range) == 64:
        return value.register
    least, most = known_number(-(2**62)), known_number(2**62)
    cut = combined(f, "minimum", combined(f, "maximum", value, least), most)
    return widened(f, cut, Range(-(2**62), 2**62))


def truncated(f: Function, value: Number) -> str:
    """Write the lowest word (i64) of a whole number."""
    return widened(f, value, IN_A_WORD)


def _fraction(f: Function, a: Number, b: Number, found: Range) -> str:
    """The numerator of a/b over a multiple of every divisor that there can be."""
    scale = multiple(b.range) * b.range.denominator
    wide = max(width_of(found), width_of(Range(-scale, scale)))
    whole = _all_of(wide)
    divisor, zero = _divisor(f, b, wide)
    factor = f.ins(f"sdiv i{wide} {scale}, {divisor}")
    result = f.ins(f"mul i{wide} {widened(f, a, whole)}, {factor}")
    chosen = f.ins(f"select i1 {zero}, i{wide} 0, i{wide} {result}")
    return widened(f, _wide(chosen, wide), found)


def _power(f: Function, a: Number, b: Number, found: Range) -> str:
    """Multiply what the bits of the exponent ask for, from the lowest bit on.

    The square that comes after the last of them may be cut off: nothing is made of it.
    """
    if width_of(b.range) != 64:
        raise Uncovered("an exponent of more than 64 bits")
    type_ = f"i{width_of(found)}"
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
    both = a.range.hull(found)
    bits = width_of(both)
    number = widened(f, a, both)
    counts = Range(0, max(0, b.range.high))
    count = b.register if b.range.low >= 0 else _extreme(f, b, known_number(0), counts, "sge")
    most, wide = str(bits - 1), width_of(counts)
    if b.range.high >= bits:
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
    first, second, both = paired(f, a, b)
    bits = width_of(both)
    first_is = f.ins(f"icmp {test} i{bits} {first}, {second}")
    chosen = f.ins(f"select i1 {first_is}, i{bits} {first}, i{bits} {second}")
    return widened(f, Number(chosen, both), found)


def _floored(f: Function, a: Number, b: Number) -> tuple[int, str, str, str]:
    """Return the width, quotient and remainder rounded down, and whether there is none."""
    both = a.range.hull(b.range).hull(Range(-1, 1))
    bits = width_of(Range(both.low - 1, both.high + 1))
    dividend = widened(f, a, _all_of(bits))
    divisor, zero = _divisor(f, b, bits)
    quotient = f.ins(f"sdiv i{bits} {dividend}, {divisor}")
    remainder = f.ins(f"srem i{bits} {dividend}, {divisor}")
    rest = f.ins(f"icmp ne i{bits} {remainder}, 0")
    signs = f.ins(f"icmp slt i{bits} {f.ins(f'xor i{bits} {remainder}, {divisor}')}, 0")
    lower = f.ins(f"and i1 {rest}, {signs}")
    step = f.ins(f"sext i1 {lower} to i{bits}")
    quotient = f.ins(f"add i{bits} {quotient}, {step}")
    added = f.ins(f"select i1 {lower}, i{bits} {divisor}, i{bits} 0")
    remainder = f.ins(f"add i{bits} {remainder}, {added}")
    return bits, quotient, remainder, zero


def _divisor(f: Function, number: Number, bits: int) -> tuple[str, str]:
    """Return the register of a divisor, with 1 in place of 0, and whether it is 0 (i1).

    LLVM 22 ends the process where 256 bits, and just these, are divided by a power of two; so it
    must not find out what the divisor is.
    """
    divisor = widened(f, number, _all_of(bits))
    zero = f.ins(f"icmp eq i{bits} {divisor}, 0")
    divisor = f.ins(f"select i1 {zero}, i{bits} 1, i{bits} {divisor}")
    if bits == _UNDIVIDED:
        divisor = f.ins(f"load volatile i{bits}, ptr {f.variable(f'i{bits}', divisor)}")
    return divisor, zero


def _all_of(bits: int) -> Range:
    """Return the range of all numbers of a width."""
    return Range(-(1 << bits - 1), (1 << bits - 1) - 1)


def _wide(register: str, bits: int) -> Number:
    return Number(register, _all_of(bits))
