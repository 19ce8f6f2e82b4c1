"""Numbers of any width: their registers, and operations on them.

In: numbers, each between its bounds. Out: instructions, and the number that they give. What then
holds: a register has as many words as its bounds need, so nothing overflows; where the divisor
is zero, the result is zero.
"""

from __future__ import annotations

from gdl.analysis import ranges
from gdl.analysis.ranges import Range, Uncovered, multiple
from gdl.interpreter.native.emit.ir import Function, number_type, width_of
from gdl.interpreter.native.emit.kinds import I1, I64, Bit, Integer, Word, integer
from gdl.interpreter.native.emit.values import Number, known_number

_UNDIVIDED = 256
"""Of how many bits LLVM must not know by what they are divided: see `_divisor`."""


def to_range(f: Function, value: Number, wanted: Range) -> Integer:
    """Return the register of a number over the wider range's denominator."""
    register = widened(f, value, wanted)
    factor = wanted.denominator // value.range.denominator
    return register if factor == 1 else f.binary("mul", number_type(wanted), register, factor)


def widened(f: Function, value: Number, wanted: Range) -> Integer:
    """Return a number's register, as wide as a range needs."""
    return _resized(f, value.register, width_of(value.range), width_of(wanted))


def _resized(f: Function, register: Integer, here: int, there: int) -> Integer:
    """Return a number of so many bits as one of more or fewer of them."""
    if here == there or (here < there and register.lstrip("-").isdigit()):
        return register
    way = "trunc" if here > there else "sext"
    return f.convert(way, integer(here), register, integer(there))


def paired(f: Function, a: Number, b: Number) -> tuple[Integer, Integer, Range]:
    """Return the registers of two numbers, both in one range, and that range."""
    both = a.range.hull(b.range)
    return to_range(f, a, both), to_range(f, b, both), both


def combined(f: Function, name: str, a: Number, b: Number) -> Number:
    """Write an operation of the core on two numbers."""
    found = ranges.combined(name, a.range, b.range)
    return Number(result(f, name, a, b, found), found)


def result(f: Function, name: str, a: Number, b: Number, found: Range) -> Integer:
    """Write an operation on two numbers; return the register of its result, in its range."""
    type_ = number_type(found)
    match name:
        case "add":
            return f.binary("add", type_, to_range(f, a, found), to_range(f, b, found))
        case "subtract":
            return f.binary("sub", type_, to_range(f, a, found), to_range(f, b, found))
        case "multiply":
            return f.binary("mul", type_, widened(f, a, found), widened(f, b, found))
        case "maximum" | "minimum":
            return _extreme(f, a, b, found, "sge" if name == "maximum" else "sle")
        case "divide" | "modulo":
            return _floored(f, name, a, b, found)
        case "fraction":
            return _fraction(f, a, b, found)
        case "power":
            return _power(f, a, b, found)
        case "shift_left" | "shift_right" | "low_bits":
            return _of_bits(f, name, a, b, found)
    raise TypeError(f"not an operation on numbers: {name}")


def word(f: Function, value: Number) -> Word:
    """Write a whole number as a word (i64); one that is too large is cut off."""
    if width_of(value.range) == 64:
        return Word(value.register)
    least, most = known_number(-(2**62)), known_number(2**62)
    cut = combined(f, "minimum", combined(f, "maximum", value, least), most)
    return Word(widened(f, cut, Range(-(2**62), 2**62)))


def _fraction(f: Function, a: Number, b: Number, found: Range) -> Integer:
    """The numerator of a/b over a multiple of every divisor that there can be."""
    scale = multiple(b.range) * b.range.denominator
    wide = max(width_of(found), width_of(Range(-scale, scale)))
    type_ = integer(wide)
    divisor, zero = _divisor(f, b, wide)
    factor = f.binary("sdiv", type_, scale, divisor)
    numerator = _resized(f, a.register, width_of(a.range), wide)
    chosen = f.select(zero, type_, 0, f.binary("mul", type_, numerator, factor))
    return _resized(f, chosen, wide, width_of(found))


def _power(f: Function, a: Number, b: Number, found: Range) -> Integer:
    """Multiply what the bits of the exponent ask for, from the lowest bit on.

    The square that comes after the last of them may be cut off: nothing is made of it.
    """
    if width_of(b.range) != 64:
        raise Uncovered("a power whose exponent may have more than 64 bits")
    type_ = number_type(found)
    result, square = f.variable(type_, 1), f.variable(type_, widened(f, a, found))
    left = f.variable(I64, Word(b.register))
    with f.loop(64) as loop:
        now = f.get(I64, left)
        f.need(f.compare("sgt", I64, now, 0), loop.done)
        factor = f.get(type_, square)
        with f.when(f.convert("trunc", I64, now, I1)):
            f.put(type_, f.binary("mul", type_, f.get(type_, result), factor), result)
        f.put(type_, f.binary("mul", type_, factor, factor), square)
        f.put(I64, f.binary("lshr", I64, now, 1), left)
    return f.get(type_, result)


def _of_bits(f: Function, name: str, a: Number, b: Number, found: Range) -> Integer:
    """Write an operation on the bits of a number; what is shifted is never as far as it is wide."""
    both = a.range.hull(found)
    bits = width_of(both)
    number, type_ = widened(f, a, both), integer(bits)
    counts = Range(0, max(0, b.range.high))
    count = b.register if b.range.low >= 0 else _extreme(f, b, known_number(0), counts, "sge")
    most, wide = bits - 1, width_of(counts)
    if b.range.high >= bits:
        above = f.compare("sgt", integer(wide), count, most)
        count = f.select(above, integer(wide), most, count)
    if bits != wide:
        way = "zext" if bits > wide else "trunc"
        count = f.convert(way, integer(wide), count, type_)
    if name == "shift_left":
        result = f.binary("shl", type_, number, count)
    elif name == "shift_right":
        result = f.binary("ashr", type_, number, count)
    else:
        mask = f.binary("add", type_, f.binary("shl", type_, 1, count), -1)
        result = f.binary("and", type_, number, mask)
    return _resized(f, result, bits, width_of(found))


def _extreme(f: Function, a: Number, b: Number, found: Range, test: str) -> Integer:
    first, second, both = paired(f, a, b)
    first_is = f.compare(test, number_type(both), first, second)
    chosen = f.select(first_is, number_type(both), first, second)
    return widened(f, Number(chosen, both), found)


def _floored(f: Function, name: str, a: Number, b: Number, found: Range) -> Integer:
    """Write the quotient, rounded down, or the remainder that is left then."""
    both = a.range.hull(b.range).hull(Range(-1, 1))
    bits = width_of(Range(both.low - 1, both.high + 1))
    type_ = integer(bits)
    dividend = _resized(f, a.register, width_of(a.range), bits)
    divisor, zero = _divisor(f, b, bits)
    quotient = f.binary("sdiv", type_, dividend, divisor)
    remainder = f.binary("srem", type_, dividend, divisor)
    rest = f.compare("ne", type_, remainder, 0)
    signs = f.compare("slt", type_, f.binary("xor", type_, remainder, divisor), 0)
    lower = f.binary("and", I1, rest, signs)
    quotient = f.binary("add", type_, quotient, f.convert("sext", I1, lower, type_))
    remainder = f.binary("add", type_, remainder, f.select(lower, type_, divisor, 0))
    chosen = f.select(zero, type_, 0, quotient if name == "divide" else remainder)
    return _resized(f, chosen, bits, width_of(found))


def _divisor(f: Function, number: Number, bits: int) -> tuple[Integer, Bit]:
    """Return the register of a divisor, with 1 in place of 0, and whether it is 0 (i1).

    LLVM 22 ends the process where 256 bits, and just these, are divided by a power of two; so it
    must not find out what the divisor is.
    """
    divisor, type_ = _resized(f, number.register, width_of(number.range), bits), integer(bits)
    zero = f.compare("eq", type_, divisor, 0)
    divisor = f.select(zero, type_, 1, divisor)
    if bits == _UNDIVIDED:
        divisor = f.ins(f"load volatile {type_}, ptr {f.variable(type_, divisor)}", type_)
    return divisor, zero
