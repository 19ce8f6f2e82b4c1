"""Python functions as machine code: a small part of Python, made into LLVM's instructions.

In: functions marked as `native`, and records. Out: addresses of functions. What then holds: a
native function does what Python would do with it, as long as whole numbers fit into 64 bits, and
what `//` and `%` divide is not negative.

Compiling all of a search takes a tenth of a second, once. A native
function may have whole numbers, fractions, conditions, arrays and records as parameters; its
variables have the type of what they are first given. It may use `if`, `while`,
`for … in range(…)`, arithmetic and comparisons, elements of arrays, what a record has, other native
functions, constants of its module, and the functions below that stand for instructions.
"""

from __future__ import annotations

import ast
import ctypes
import inspect
import math
import sys
from collections.abc import Callable, Mapping
from typing import Any

from interpreter.native.runtime.machine_code import MachineCode
from interpreter.search.machine.instructions import (
    ELEMENTS,
    WORD_BYTES,
    Element,
    Record,
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
from interpreter.search.machine.writer import NotNative, Operand, Writer

_SCALARS = {"int": "i64", "float": "double", "bool": "i1", "None": "void"}
_MOST_INLINED = 40
"""How many instructions a function may have that is copied to where it is called."""


class Compiled:
    """Native functions that have been compiled, with all that they call."""

    def __init__(self, *functions: Callable[..., Any]) -> None:
        """Compile functions."""
        self._module = _Module()
        for function in functions:
            self._module.add(function, is_entry=True)
        self._machine_code = MachineCode(self._module.text)
        self._functions = {
            function.__name__: ctypes.CFUNCTYPE(
                ctypes.c_int64, *[ctypes.c_int64] * len(inspect.signature(function).parameters)
            )(self._machine_code.address(function.__name__))
            for function in functions
        }

    def __call__(self, function: Callable[..., Any], *arguments: Record | int) -> int:
        """Call one of the functions; other threads go on meanwhile."""
        operands = (a.address if isinstance(a, Record) else a for a in arguments)
        return int(self._functions[function.__name__](*operands))


class _Module:
    """The functions of a module, as text."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def add(self, function: Any, *, is_entry: bool = False) -> None:
        """Write a function, unless it is there already."""
        if function.__name__ not in self.texts:
            self.texts[function.__name__] = ""
            self.texts[function.__name__] = _Body(self, function).text(is_entry)

    @property
    def text(self) -> str:
        """All functions, and what they need of LLVM."""
        return "\n".join(
            (
                "declare double @llvm.sqrt.f64(double)",
                "declare double @llvm.log.f64(double)",
                "declare double @llvm.exp.f64(double)",
                "declare i64 @llvm.cttz.i64(i64, i1)",
                "declare i64 @llvm.ctpop.i64(i64)",
                "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
                *self.texts.values(),
            )
        )


class _Body(Writer):
    """Writes one function."""

    def __init__(self, module: _Module, function: Any) -> None:
        self._module = module
        self._globals = function.__globals__
        self._tree = _parsed(function)
        super().__init__(self._tree.name)
        self._variables: dict[str, Operand] = {}
        self._loops: list[tuple[str, str]] = []
        self._result = self._type(self._tree.returns)

    def text(self, is_entry: bool) -> str:
        """Return the function as LLVM's text."""
        parameters = []
        for argument in self._tree.args.args:
            type_, name = self._type(argument.annotation), argument.arg
            parameters.append(f"{type_} %{name}")
            if type_ == "ptr":
                kind = ast.unparse(argument.annotation)
                self._variables[name] = _behind(f"%{name}", kind, self._globals)
            else:
                self._assign_name(name, Operand(f"%{name}", type_))
        self._block(self._tree.body)
        self.do("ret void" if self._result == "void" else "unreachable")
        linkage = "" if is_entry else "internal "
        is_short = not is_entry and len(self.lines) <= _MOST_INLINED
        inlined = " alwaysinline" if is_short else ""
        head = f"define {linkage}{self._result} @{self.name}({', '.join(parameters)})"
        return "\n".join((f"{head}{inlined} {{", *self.variables, *self.lines, "}\n"))

    def _type(self, annotation: ast.expr) -> str:
        return _SCALARS.get(ast.unparse(annotation), "ptr")

    # --------------------------------------------------------------------- statements

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value=value):
                self._value(value)
            case ast.Assign(targets=[target], value=value):
                self._assign_all(target, value)
            case ast.AugAssign(target=target, op=op, value=value):
                self._assign(target, self._binary(op, self._value(target), self._value(value)))
            case ast.If(test=test, body=body, orelse=orelse):
                self._if(test, lambda: self._block(body), lambda: self._block(orelse))
            case ast.While(test=test, body=body):
                head, inside, done = self.label(), self.label(), self.label()
                self.jump(head)
                self.at(head)
                self._branch(test, inside, done)
                self._loop(body, inside, head, done)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=bounds), body=body):
                self._for(name, [self.cast(self._value(bound), "i64") for bound in bounds], body)
            case ast.Return(value=None):
                self.leave("ret void")
            case ast.Return(value=value) if value is not None:
                result = self.cast(self._value(value), self._result)
                self.leave(f"ret {result.type} {result.register}")
            case ast.Break():
                self.leave(f"br label %{self._loops[-1][1]}")
            case ast.Continue():
                self.leave(f"br label %{self._loops[-1][0]}")
            case _:
                raise NotNative(ast.unparse(statement))

    def _assign_all(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            found = [self._value(one) for one in value.elts]
            for one, result in zip(target.elts, found, strict=True):
                self._assign(one, result)
        else:
            self._assign(target, self._value(value))

    def _assign(self, target: ast.expr, value: Operand) -> None:
        if isinstance(target, ast.Name):
            self._assign_name(target.id, value)
            return
        if not isinstance(target, ast.Subscript):
            raise NotNative(ast.unparse(target))
        address, element = self._element(target)
        self.do(f"store {element.type} {self.narrowed(value, element).register}, ptr {address}")

    def _assign_name(self, name: str, value: Operand) -> None:
        if name not in self._variables:
            self._variables[name] = Operand(self.variable(value.type), value.type)
        slot = self._variables[name]
        value = self.cast(value, slot.type)
        self.do(f"store {slot.type} {value.register}, ptr {slot.register}")

    def _if(self, test: ast.expr, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        yes, no, after = self.label(), self.label(), self.label()
        self._branch(test, yes, no)
        self.at(yes)
        then()
        self.jump(after)
        self.at(no)
        otherwise()
        self.jump(after)
        self.at(after)

    def _branch(self, test: ast.expr, yes: str, no: str) -> None:
        condition = self.cast(self._value(test), "i1")
        self.do(f"br i1 {condition.register}, label %{yes}, label %{no}")

    def _loop(self, body: list[ast.stmt], inside: str, again: str, done: str) -> None:
        self._loops.append((again, done))
        self.at(inside)
        self._block(body)
        self.jump(again)
        self._loops.pop()
        self.at(done)

    def _for(self, name: str, bounds: list[Operand], body: list[ast.stmt]) -> None:
        first = bounds[0].register if len(bounds) > 1 else "0"
        last = bounds[min(1, len(bounds) - 1)].register
        step = bounds[2].register if len(bounds) > 2 else "1"
        next_ = self.variable("i64")
        self.do(f"store i64 {first}, ptr {next_}")
        head, inside, done = self.label(), self.label(), self.label()
        self.jump(head)
        self.at(head)
        now = self.ins(f"load i64, ptr {next_}", "i64")
        self._assign_name(name, now)
        following = self.ins(f"add i64 {now.register}, {step}", "i64")
        self.do(f"store i64 {following.register}, ptr {next_}")
        test = "sgt" if step.startswith("-") else "slt"
        goes_on = self.ins(f"icmp {test} i64 {now.register}, {last}", "i1").register
        self.do(f"br i1 {goes_on}, label %{inside}, label %{done}")
        self._loop(body, inside, head, done)

    # -------------------------------------------------------------------- expressions

    def _value(self, node: ast.expr) -> Operand:
        match node:
            case ast.Constant(value=value):
                return _constant(value)
            case ast.Name(id=name):
                return self._name(name)
            case ast.Attribute(value=owner, attr=name):
                return self._attribute(self._value(owner), name)
            case ast.Subscript():
                return self._read(node)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                truth = self.cast(self._value(operand), "i1")
                return self.ins(f"xor i1 {truth.register}, true", "i1")
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
                return _constant(-value)  # type: ignore[operator]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._binary(ast.Sub(), _constant(0), self._value(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self._value(left), self._value(right))
            case ast.Compare():
                return self._compare(node)
            case ast.BoolOp(op=op, values=values):
                return self._all_or_any(values, is_all=isinstance(op, ast.And))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._either(test, body, orelse)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self._call(self._globals.get(name, name), arguments)
            case _:
                raise NotNative(ast.unparse(node))

    def _name(self, name: str) -> Operand:
        if name not in self._variables:
            return _constant(self._globals[name])
        known = self._variables[name]
        if known.record is not None or known.element is not None:
            return known
        return self.ins(f"load {known.type}, ptr {known.register}", known.type)

    def _attribute(self, owner: Operand, name: str) -> Operand:
        fields = list(owner.record.__annotations__)
        kind = owner.record.__annotations__[name]
        place = fields.index(name) * WORD_BYTES
        at = self.ins(f"getelementptr i8, ptr {owner.register}, i64 {place}", "ptr").register
        if kind not in _SCALARS:
            found = self.ins(f"load ptr, ptr {at}", "ptr")
            return _behind(found.register, kind, vars(sys.modules[owner.record.__module__]))
        type_ = _SCALARS[kind]
        stored = "i64" if type_ == "i1" else type_
        return self.cast(self.ins(f"load {stored}, ptr {at}", stored), type_)

    def _element(self, node: ast.Subscript) -> tuple[str, Element]:
        return self.element(self._value(node.value), self._value(node.slice))

    def _read(self, node: ast.Subscript) -> Operand:
        at, element = self._element(node)
        return self.widened(self.ins(f"load {element.type}, ptr {at}", ""), element)

    def _binary(self, op: ast.operator, left: Operand, right: Operand) -> Operand:
        name = type(op).__name__
        is_float = name == "Div" or "double" in (left.type, right.type)
        type_ = "double" if is_float else "i64"
        if left.type == right.type == "i1" and name in ("BitAnd", "BitOr"):
            type_ = "i1"
        operation = (_FLOAT_OPERATIONS if is_float else _OPERATIONS).get(name)
        if operation is None:
            raise NotNative(f"{self.name}: {name}")
        a, b = self.cast(left, type_).register, self.cast(right, type_).register
        return self.ins(f"{operation} {type_} {a}, {b}", type_)

    def _compare(self, node: ast.Compare) -> Operand:
        result = Operand("true", "i1")
        left = self._value(node.left)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self._value(comparator)
            is_float = "double" in (left.type, right.type)
            type_ = "double" if is_float else "i64"
            a, b = self.cast(left, type_).register, self.cast(right, type_).register
            test = _COMPARISONS[type(op).__name__]
            how = f"fcmp {FLOAT_TESTS[test]}" if is_float else f"icmp {test}"
            holds = self.ins(f"{how} {type_} {a}, {b}", "i1")
            result = self.ins(f"and i1 {result.register}, {holds.register}", "i1")
            left = right
        return result

    def _all_or_any(self, values: list[ast.expr], *, is_all: bool) -> Operand:
        slot, done = self.variable("i1"), self.label()
        for value in values:
            truth = self.cast(self._value(value), "i1").register
            self.do(f"store i1 {truth}, ptr {slot}")
            more = self.label()
            yes, no = (more, done) if is_all else (done, more)
            self.do(f"br i1 {truth}, label %{yes}, label %{no}")
            self.at(more)
        self.jump(done)
        self.at(done)
        return self.ins(f"load i1, ptr {slot}", "i1")

    def _either(self, test: ast.expr, body: ast.expr, orelse: ast.expr) -> Operand:
        name = self.new()
        self._if(
            test,
            lambda: self._assign_name(name, self._value(body)),
            lambda: self._assign_name(name, self._value(orelse)),
        )
        return self._name(name)

    def _call(self, function: Any, nodes: list[ast.expr]) -> Operand:
        operands = [self._value(node) for node in nodes]
        if function in BUILT_IN:
            return BUILT_IN[function](self, operands)
        if not getattr(function, "is_native", False):
            raise NotNative(f"{self.name}: {function}")
        self._module.add(function)
        wanted = inspect.signature(function)
        types = [_SCALARS.get(p.annotation, "ptr") for p in wanted.parameters.values()]
        operands = [self.cast(value, type_) for value, type_ in zip(operands, types, strict=True)]
        listed = ", ".join(f"{value.type} {value.register}" for value in operands)
        result = _SCALARS[wanted.return_annotation]
        if result == "void":
            self.do(f"call void @{function.__name__}({listed})")
            return Operand("", "void")
        return self.ins(f"call {result} @{function.__name__}({listed})", result)


_OPERATIONS = {
    **{"Add": "add", "Sub": "sub", "Mult": "mul", "FloorDiv": "sdiv", "Mod": "srem"},
    **{"BitAnd": "and", "BitOr": "or", "BitXor": "xor", "LShift": "shl", "RShift": "ashr"},
}
_FLOAT_OPERATIONS = {"Add": "fadd", "Sub": "fsub", "Mult": "fmul", "Div": "fdiv"}
_COMPARISONS = {"Eq": "eq", "NotEq": "ne", "Lt": "slt", "LtE": "sle", "Gt": "sgt", "GtE": "sge"}


def _behind(register: str, kind: str, names: Mapping[str, Any]) -> Operand:
    """Return what stands at an address: an array, or a record of a class among names."""
    if kind in ELEMENTS:
        return Operand(register, "ptr", None, ELEMENTS[kind])
    return Operand(register, "ptr", names[kind])


def _parsed(function: Callable[..., Any]) -> Any:
    return ast.parse(inspect.getsource(function)).body[0]


def _constant(value: object) -> Operand:
    if isinstance(value, bool):
        return Operand("true" if value else "false", "i1")
    if isinstance(value, int):
        return Operand(str(value), "i64")
    if isinstance(value, float):
        bits = ctypes.c_uint64.from_buffer(ctypes.c_double(value)).value
        return Operand(f"0x{bits:016X}", "double")
    raise NotNative(f"{value!r} is no number")


# ------------------------------------ functions that a compiled function may call and that are none

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
