"""Functions that a compiled function may call and that are none: each is a few instructions.

In: the values that are given. Out: their code. `BUILT_IN` has them all.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from interpreter.search.instructions import (
    add_at_once,
    address,
    call,
    copy,
    exchanged,
    latest,
    lowest_bit,
    ones,
    publish,
    shifted,
)
from interpreter.search.writer import Operand, Writer

FLOAT_TESTS = {"eq": "oeq", "ne": "one", "slt": "olt", "sle": "ole", "sgt": "ogt", "sge": "oge"}
"""LLVM's tests of fractions, by those of whole numbers."""


def address_call(writer: Writer, operands: list[Operand]) -> Operand:
    """Write a call of a function at an address."""
    target = writer.ins(f"inttoptr i64 {operands[0].register} to ptr", "ptr").register
    listed = ", ".join(f"i64 {writer.cast(value, 'i64').register}" for value in operands[1:])
    return writer.ins(f"call i64 {target}({listed})", "i64")


def memory_copy(writer: Writer, operands: list[Operand]) -> Operand:
    """Write a copy of bytes."""
    target, source = (
        writer.ins(f"inttoptr i64 {value.register} to ptr", "ptr").register
        for value in operands[:2]
    )
    arguments = f"ptr {target}, ptr {source}, i64 {operands[2].register}, i1 false"
    writer.do(f"call void @llvm.memcpy.p0.p0.i64({arguments})")
    return Operand("", "void")


def exchange(writer: Writer, operands: list[Operand]) -> Operand:
    """Write that an element is exchanged at once."""
    at, element = writer.element(operands[0], operands[1])
    value = writer.narrowed(operands[2], element).register
    before = writer.ins(f"atomicrmw xchg ptr {at}, {element.type} {value} seq_cst", "")
    return writer.widened(before, element)


def addition(writer: Writer, operands: list[Operand]) -> Operand:
    """Write that a number is added to an element at once."""
    at, element = writer.element(operands[0], operands[1])
    value = writer.narrowed(operands[2], element).register
    how = "fadd" if element.wide == "double" else "add"
    writer.do(f"{writer.new()} = atomicrmw {how} ptr {at}, {element.type} {value} monotonic")
    return Operand("", "void")


def acquisition(writer: Writer, operands: list[Operand]) -> Operand:
    """Write that an element is read before what follows."""
    at, element = writer.element(operands[0], operands[1])
    how = f"load atomic {element.type}, ptr {at} acquire, align {element.bytes}"
    return writer.widened(writer.ins(how, ""), element)


def publication(writer: Writer, operands: list[Operand]) -> Operand:
    """Write that an element is written after what precedes."""
    at, element = writer.element(operands[0], operands[1])
    value = writer.narrowed(operands[2], element).register
    writer.do(f"store atomic {element.type} {value}, ptr {at} release, align {element.bytes}")
    return Operand("", "void")


def array_address(writer: Writer, operands: list[Operand]) -> Operand:
    """Write the address of an array as a number."""
    return writer.ins(f"ptrtoint ptr {operands[0].register} to i64", "i64")


def shift(writer: Writer, operands: list[Operand]) -> Operand:
    """Write that the bits of a word are moved down."""
    return writer.ins(f"lshr i64 {operands[0].register}, {operands[1].register}", "i64")


def trailing_zeros(writer: Writer, operands: list[Operand]) -> Operand:
    """Write how many bits are 0 below the lowest that is set."""
    return writer.ins(f"call i64 @llvm.cttz.i64(i64 {operands[0].register}, i1 true)", "i64")


def population(writer: Writer, operands: list[Operand]) -> Operand:
    """Write how many bits are set."""
    return writer.ins(f"call i64 @llvm.ctpop.i64(i64 {operands[0].register})", "i64")


def extreme(writer: Writer, operands: list[Operand], test: str) -> Operand:
    """Write the least or the greatest of numbers."""
    type_ = "double" if any(value.type == "double" for value in operands) else "i64"
    result = writer.cast(operands[0], type_)
    for value in operands[1:]:
        other = writer.cast(value, type_)
        how = f"fcmp {FLOAT_TESTS[test]}" if type_ == "double" else f"icmp {test}"
        better = writer.ins(f"{how} {type_} {other.register}, {result.register}", "i1").register
        result = writer.ins(
            f"select i1 {better}, {type_} {other.register}, {type_} {result.register}", type_
        )
    return result


def mathematical(writer: Writer, name: str, operands: list[Operand]) -> Operand:
    """Write a call of one of LLVM's functions of fractions."""
    argument = writer.cast(operands[0], "double").register
    return writer.ins(f"call double @llvm.{name}.f64(double {argument})", "double")


def converted(writer: Writer, operands: list[Operand], type_: str) -> Operand:
    """Write that a value gets another type."""
    return writer.cast(operands[0], type_)


BUILT_IN: dict[Any, Callable[[Writer, list[Operand]], Operand]] = {
    call: address_call,
    copy: memory_copy,
    exchanged: exchange,
    add_at_once: addition,
    latest: acquisition,
    publish: publication,
    address: array_address,
    shifted: shift,
    lowest_bit: trailing_zeros,
    ones: population,
    "min": lambda writer, operands: extreme(writer, operands, "slt"),
    "max": lambda writer, operands: extreme(writer, operands, "sgt"),
    "int": lambda writer, operands: converted(writer, operands, "i64"),
    "float": lambda writer, operands: converted(writer, operands, "double"),
    math.sqrt: lambda writer, operands: mathematical(writer, "sqrt", operands),
    math.exp: lambda writer, operands: mathematical(writer, "exp", operands),
    math.log: lambda writer, operands: mathematical(writer, "log", operands),
}
"""What writes them, by the function or its name."""
