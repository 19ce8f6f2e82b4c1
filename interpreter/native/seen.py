"""The code that shows positions as arrays: planes of bytes, one for each site, and scalars.

In: of each plane and each scalar, where its numbers come from. Out: a function
`NAME(position, world, planes, scalars)`, which fills them and tells whether the last move is told.
What then holds: nothing but what the sources ask for goes into the arrays.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from gdl.core.nodes import Expression, Get, Slot
from gdl.data_classes import dataclass
from gdl.interpreter.native.emit import arithmetic
from gdl.interpreter.native.emit.ir import POSITION, WORD, Function
from gdl.interpreter.native.emit.kinds import (
    DOUBLE,
    FLOAT,
    I1,
    I8,
    I64,
    Address,
    Fraction,
    Integer,
    Type,
    Word,
    integer,
)
from gdl.interpreter.native.emit.values import Flag, Number
from gdl.interpreter.native.expressions.expressions import Expressions
from gdl.interpreter.native.expressions.places import Place

_FLOAT_BYTES = 4


@dataclass(frozen=True)
class Spread:
    """A plane: 1 for each site of a set."""

    sites: Expression


@dataclass(frozen=True)
class BytesOf:
    """Planes: what a slot holds for each site, less the least that it can, byte by byte."""

    slot: Slot
    low: int
    planes: int


@dataclass(frozen=True)
class Levels:
    """Planes: what lies under the uppermost piece of each pile, and then the digits that are left.

    There are as many planes a level as `order` has; the digit d is shown on that with the number
    `order[d]`. The first level is that right under the uppermost piece. `rest` planes have what is
    below the levels, byte by byte.
    """

    height: Slot
    under: Slot
    width: int
    levels: int
    order: tuple[int, ...]
    rest: int


PlaneSource = Spread | BytesOf | Levels


@dataclass(frozen=True)
class Scale:
    """A scalar: a number less `low`, by `size`.

    With `turned`, it is the number of one of so many sides, or -1, as it is counted from the side
    with the number `first`.
    """

    number: Expression
    low: float
    size: float
    turned: int = 0
    first: int = 0


def planes_of(source: PlaneSource) -> int:
    """Return how many planes a source fills."""
    match source:
        case Spread():
            return 1
        case BytesOf():
            return source.planes
        case Levels():
            return source.levels * len(source.order) + source.rest


def write_seen(
    expressions: Expressions,
    name: str,
    planes: Sequence[PlaneSource],
    scalars: Sequence[Scale],
    is_told: Expression,
    blank: tuple[int, int],
) -> None:
    """Write the function with a name; so many planes and scalars at the end are left 0.

    Raises Uncovered.
    """
    sets, bytes_, floats = expressions.sets, Address("%planes"), Address("%scalars")
    parameters = ["ptr %position", "ptr %world", f"ptr {bytes_}", f"ptr {floats}"]
    f = sets.module.function(name, "i64", parameters)
    p, first = Place(f, POSITION), 0
    for source in planes:
        at = f.at(bytes_, first * sets.size)
        first += planes_of(source)
        match source:
            case Spread(sites):
                f.do(f"call void @spread(ptr {_set_at(expressions, p, sites)}, ptr {at})")
            case BytesOf():
                _write_numbers(expressions, p, source, at)
            case Levels():
                f.clear(at, planes_of(source) * sets.size)
                _write_levels(expressions, p, source, at)
    for number, scalar in enumerate(scalars):
        value = _scaled(expressions, p, scalar)
        f.put(FLOAT, value, f.at(floats, _FLOAT_BYTES * number))
    f.clear(f.at(bytes_, first * sets.size), blank[0] * sets.size)
    f.clear(f.at(floats, _FLOAT_BYTES * len(scalars)), _FLOAT_BYTES * blank[1])
    f.give(f"i64 {f.convert('zext', I1, expressions.flag(p, is_told), I64)}")


def _set_at(expressions: Expressions, p: Place, sites: Expression) -> Address:
    """Return where a set stands in memory: a slot's, where it lies in the position."""
    sets, fields = expressions.sets, expressions.layout.fields
    if isinstance(sites, Get) and sites.slot in fields and fields[sites.slot].bits == sets.bits:
        return fields[sites.slot].at(p.f, p.frame)
    return sets.variable(p.f, expressions.sites(p, sites))


def _entry(expressions: Expressions, p: Place, slot: Slot, site: Word) -> tuple[Integer, int]:
    """Return what a slot holds for a site, and of how many bits it is."""
    f, field = p.f, expressions.layout.fields[slot]
    offset = f.binary("mul", I64, site, field.entry_bytes)
    return f.get(field.type, f.at(field.at(f, p.frame), offset)), field.bits


def _write_numbers(expressions: Expressions, p: Place, source: BytesOf, at: Address) -> None:
    f, size = p.f, expressions.sets.size
    with f.rounds(size) as loop:
        number, bits = _entry(expressions, p, source.slot, loop.number)
        above = f.binary("sub", integer(bits), number, source.low)
        for plane in range(source.planes):
            byte = f.binary("lshr", integer(bits), above, 8 * plane) if plane else above
            narrow = f.convert("trunc", integer(bits), byte, I8) if bits > 8 else byte
            f.put(I8, narrow, f.at(f.at(at, plane * size), loop.number))


def _write_levels(expressions: Expressions, p: Place, source: Levels, at: Address) -> None:
    f, sets = p.f, expressions.sets
    table = sets.module.tables.add(array("q", source.order).tobytes())
    kinds = len(source.order)
    with f.rounds(sets.size) as loop:
        high, bits = _entry(expressions, p, source.height, loop.number)
        height = f.convert("sext", integer(bits), high, I64) if bits < WORD else Word(high)
        with f.unless(f.compare("sgt", I64, height, 1)):
            f.jump(loop.head)
        under, bits = _entry(expressions, p, source.under, loop.number)
        type_: Type[Integer] = integer(bits)
        mask = (1 << source.width) - 1
        for level in range(source.levels):
            with f.when(f.compare("sgt", I64, height, level + 1)):
                digit = f.binary("and", type_, _moved(f, under, bits, level * source.width), mask)
                number = _as_word(f, digit, bits)
                with f.when(f.compare("ult", I64, number, kinds)):
                    plane = f.get(I64, f.word_at(table, number))
                    plane = f.binary("add", I64, plane, level * kinds)
                    place = f.binary(
                        "add", I64, f.binary("mul", I64, plane, sets.size), loop.number
                    )
                    f.put(I8, 1, f.at(at, place))
        for nth in range(source.rest):
            moved = source.levels * source.width + 8 * nth
            byte = (
                f.convert("trunc", type_, _moved(f, under, bits, moved), I8) if bits > 8 else under
            )
            plane_at = f.at(at, (source.levels * kinds + nth) * sets.size)
            f.put(I8, byte, f.at(plane_at, loop.number))


def _moved(f: Function, number: Integer, bits: int, places: int) -> Integer:
    if places >= bits:
        return Integer("0")
    return f.binary("lshr", integer(bits), number, places)


def _as_word(f: Function, number: Integer, bits: int) -> Word:
    if bits == WORD:
        return Word(number)
    return f.convert("zext" if bits < WORD else "trunc", integer(bits), number, I64)


def _scaled(expressions: Expressions, p: Place, scalar: Scale) -> Fraction:
    """Return a scalar as a float."""
    f = p.f
    value = expressions.value(p, scalar.number)
    unit = 1
    if isinstance(value, Number):
        word, unit = arithmetic.word(f, value), value.range.denominator
    else:
        assert isinstance(value, Flag), "no scalar is a set"
        word = f.convert("zext", I1, value.register, I64)
    if scalar.turned:
        moved = f.binary("add", I64, word, scalar.turned - scalar.first)
        turned = f.binary("srem", I64, moved, scalar.turned)
        word = f.select(f.compare("slt", I64, word, 0), I64, word, turned)
    fraction = f.convert("sitofp", I64, word, DOUBLE)
    shifted = f.binary("fsub", DOUBLE, fraction, _double(scalar.low * unit))
    scaled = f.binary("fdiv", DOUBLE, shifted, _double(scalar.size * unit))
    return f.convert("fptrunc", DOUBLE, scaled, FLOAT)


def _double(value: float) -> Fraction:
    """Return a constant."""
    bits = int.from_bytes(array("d", (value,)).tobytes(), "little")
    return Fraction(f"0x{bits:016X}")
