"""Python functions as machine code: a small part of Python, made into LLVM's instructions.

In: functions marked as `native`, and records. Out: addresses of functions. What then holds: a
native function does what Python would do with it, as long as whole numbers fit into 64 bits, and
what `//` and `%` divide is not negative.

Compiling all of a search takes most of a second, once; then it is kept on disk. A native function
may have whole numbers, fractions, conditions, arrays and records as parameters; its variables have
the type of what they are first given. It may use `if`, `while`, `for … in range(…)`, arithmetic and
comparisons, elements of arrays, what a record has, other native functions, constants of its module,
and the functions below that stand for instructions.
"""

from __future__ import annotations

import ast
import ctypes
import inspect
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.blocks import Loop
from gdl.interpreter.native.emit.ir import Function, Module
from gdl.interpreter.native.emit.kinds import (
    DOUBLE,
    FALSE,
    I1,
    I8,
    I64,
    PTR,
    TRUE,
    Address,
    Bit,
    Type,
    Word,
)
from gdl.interpreter.native.emit.target import Target
from gdl.interpreter.native.runtime.machine_code import MachineCode, this_machine
from gdl.interpreter.search.machine.instructions import (
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

VOID: Type[Any] = Type("void")
_SCALARS: Mapping[str, Type[Any]] = {"int": I64, "float": DOUBLE, "bool": I1, "None": VOID}
_MOST_INLINED = 38
"""How many instructions a function may have that is copied to where it is called."""


@dataclass(frozen=True)
class Operand:
    """A value: its register, of whatever kind its type says; of an array, how its elements are."""

    register: Any
    type: Type[Any]
    record: Any = None
    element: Element | None = None


NOTHING = Operand("", VOID)


class NotNative(TypeError):
    """A function has what can't be compiled."""


class Compiled:
    """Native functions that have been compiled, with all that they call."""

    def __init__(self, *functions: Callable[..., Any]) -> None:
        """Compile functions."""
        self._machine_code = MachineCode(text_of(functions, this_machine()))
        self._functions = {
            function.__name__: self._machine_code.function(
                function.__name__,
                ctypes.c_int64,
                *[ctypes.c_int64] * len(inspect.signature(function).parameters),
            )
            for function in functions
        }

    def __call__(self, function: Callable[..., Any], *arguments: Record | int) -> int:
        """Call one of the functions; other threads go on meanwhile."""
        operands = [a.address if isinstance(a, Record) else a for a in arguments]
        found: int = self._functions[function.__name__](*operands)
        return found

    def address(self, function: Callable[..., Any]) -> int:
        """Return where one of the functions is."""
        return self._machine_code.address(function.__name__)


def text_of(functions: Sequence[Callable[..., Any]], target: Target, prefix: str = "") -> str:
    """Return the text of functions for a target, with all that they call.

    Their names begin with the prefix, so that other code can be linked with theirs.
    """
    module = _Module(target, prefix)
    for function in functions:
        module.add(function, is_entry=True)
    return module.text


class _Module:
    """The functions of a module, for a target; all names begin with the prefix."""

    def __init__(self, target: Target, prefix: str) -> None:
        self.module = Module(target)
        self._prefix = prefix
        self._functions: dict[str, Function | None] = {}

    def add(self, function: Any, *, is_entry: bool = False) -> str:
        """Write a function, unless it is there already; return the name that it has there."""
        name = self._prefix + str(function.__name__)
        if name not in self._functions:
            self._functions[name] = None  # it may call itself
            self._functions[name] = Body(self, function, name, is_entry=is_entry).f
        return name

    @property
    def text(self) -> str:
        """All functions, and what they need of LLVM."""
        texts = (f.text(f.body, is_called_once=False) for f in self._functions.values() if f)
        return "\n\n".join((*self.module.declarations, *texts)) + "\n"


class Body:
    """Writes one function, `f`."""

    def __init__(self, module: _Module, function: Any, name: str, *, is_entry: bool) -> None:
        """Write all of it under a name; who is no entry is called by others of the module only."""
        self._module = module
        self._globals = function.__globals__
        tree = ast.parse(inspect.getsource(function)).body[0]
        assert isinstance(tree, ast.FunctionDef) and tree.returns is not None, function
        self.name = name
        self._variables: dict[str, Operand] = {}
        self._loops: list[Loop] = []
        self._result = _type_of(tree.returns)
        types = {one.arg: _type_of(one.annotation) for one in tree.args.args}
        linkage = "" if is_entry else "internal "
        parameters = [f"{type_} %.{name}" for name, type_ in types.items()]
        self.f = self._module.module.function(self.name, f"{linkage}{self._result}", parameters)
        for one in tree.args.args:
            self._take(one.arg, types[one.arg], one.annotation)
        self._block(tree.body)
        if self._result == VOID:
            self.f.give(VOID)
        elif self.f.is_open:
            self.f.do("unreachable")
        if len(self.f.body) <= _MOST_INLINED:
            self.f.inline()

    def _take(self, name: str, type_: Type[Any], annotation: ast.expr | None) -> None:
        """Make a parameter known: arrays and records as they are, others as variables."""
        if type_ == PTR and annotation is not None:
            self._variables[name] = _behind(f"%.{name}", ast.unparse(annotation), self._globals)
        else:
            self._assign_name(name, Operand(f"%.{name}", type_))

    # --------------------------------------------------------------------- statements

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            if self.f.is_open:
                self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        f = self.f
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
                for part in f.either(self._truth(test), body, orelse):
                    self._block(part)
            case ast.While(test=test, body=body):
                with f.loop() as loop:
                    f.need(self._truth(test), loop.done)
                    self._round(loop, body)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=bounds), body=body):
                self._for(name, [self._word(bound) for bound in bounds], body)
            case ast.Return(value=None):
                f.give(VOID)
            case ast.Return(value=value) if value is not None:
                result = self.cast(self._value(value), self._result)
                f.give(f"{result.type} {result.register}")
            case ast.Break():
                f.jump(self._loops[-1].done)
            case ast.Continue():
                f.jump(self._loops[-1].head)
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
        self.f.put(element.type, self.narrowed(value, element).register, address)

    def _assign_name(self, name: str, value: Operand) -> None:
        if name not in self._variables:
            self._variables[name] = Operand(self.f.variable(value.type), value.type)
        self._put(self._variables[name], value)

    def _put(self, variable: Operand, value: Operand) -> None:
        value = self.cast(value, variable.type)
        self.f.put(variable.type, value.register, variable.register)

    def _round(self, loop: Loop, body: list[ast.stmt]) -> None:
        self._loops.append(loop)
        self._block(body)
        self._loops.pop()

    def _for(self, name: str, bounds: list[Word], body: list[ast.stmt]) -> None:
        f = self.f
        first = bounds[0] if len(bounds) > 1 else 0
        last = bounds[min(1, len(bounds) - 1)]
        step = bounds[2] if len(bounds) > 2 else 1
        next_ = f.variable(I64, first)
        with f.loop() as loop:
            now = f.get(I64, next_)
            self._assign_name(name, Operand(now, I64))
            f.put(I64, f.binary("add", I64, now, step), next_)
            test = "sgt" if str(step).startswith("-") else "slt"
            f.need(f.compare(test, I64, now, last), loop.done)
            self._round(loop, body)

    # -------------------------------------------------------------------- expressions

    def _truth(self, node: ast.expr) -> Bit:
        return Bit(self.cast(self._value(node), I1).register)

    def _word(self, node: ast.expr) -> Word:
        return self.word(self._value(node))

    def _value(self, node: ast.expr) -> Operand:
        match node:
            case ast.Constant(value=value):
                return _constant(value)
            case ast.Name(id=name):
                return self._name(name)
            case ast.Attribute(value=owner, attr=name):
                return self._attribute(self._value(owner), name)
            case ast.Subscript():
                at, element = self._element(node)
                return self.widened(self.f.get(element.type, at), element)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Operand(self.f.is_not(self._truth(operand)), I1)
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
        return self._read(known)

    def _read(self, variable: Operand) -> Operand:
        return Operand(self.f.get(variable.type, variable.register), variable.type)

    def _attribute(self, owner: Operand, name: str) -> Operand:
        fields = list(owner.record.__annotations__)
        kind = owner.record.__annotations__[name]
        at = self.f.at(owner.register, fields.index(name) * WORD_BYTES)
        if kind not in _SCALARS:
            names = vars(sys.modules[owner.record.__module__])
            return _behind(self.f.get(PTR, at), kind, names)
        type_ = _SCALARS[kind]
        stored = I64 if type_ == I1 else type_
        return self.cast(Operand(self.f.get(stored, at), stored), type_)

    def _element(self, node: ast.Subscript) -> tuple[Address, Element]:
        return self.element(self._value(node.value), self._value(node.slice))

    def _binary(self, op: ast.operator, left: Operand, right: Operand) -> Operand:
        name = type(op).__name__
        is_float = name == "Div" or DOUBLE in (left.type, right.type)
        type_: Type[Any] = DOUBLE if is_float else I64
        if left.type == right.type == I1 and name in ("BitAnd", "BitOr"):
            type_ = I1
        operation = (_FLOAT_OPERATIONS if is_float else _OPERATIONS).get(name)
        if operation is None:
            raise NotNative(f"{self.name}: {name}")
        a, b = self.cast(left, type_).register, self.cast(right, type_).register
        return Operand(self.f.binary(operation, type_, a, b), type_)

    def _compare(self, node: ast.Compare) -> Operand:
        values = [self._value(one) for one in (node.left, *node.comparators)]
        tests = [
            self.holds(_COMPARISONS[type(op).__name__], left, right)
            for op, left, right in zip(node.ops, values, values[1:], strict=False)
        ]
        return Operand(self.f.joined("and", I1, tests), I1)

    def _all_or_any(self, values: list[ast.expr], *, is_all: bool) -> Operand:
        f = self.f
        slot = f.variable(I1)
        with f.block() as done:
            for value in values:
                truth = self._truth(value)
                f.put(I1, truth, slot)
                (f.need if is_all else f.leave_if)(truth, done)
        return Operand(f.get(I1, slot), I1)

    def _either(self, test: ast.expr, body: ast.expr, orelse: ast.expr) -> Operand:
        variable = None
        for part in self.f.either(self._truth(test), body, orelse):
            value = self._value(part)
            if variable is None:
                variable = Operand(self.f.variable(value.type), value.type)
            self._put(variable, value)
        assert variable is not None
        return self._read(variable)

    def _call(self, function: Any, nodes: list[ast.expr]) -> Operand:
        operands = [self._value(node) for node in nodes]
        if function in BUILT_IN:
            return BUILT_IN[function](self, operands)
        if not getattr(function, "is_native", False):
            raise NotNative(f"{self.name}: {function}")
        name = self._module.add(function)
        wanted = inspect.signature(function)
        types = [_SCALARS.get(p.annotation, PTR) for p in wanted.parameters.values()]
        operands = [self.cast(value, type_) for value, type_ in zip(operands, types, strict=True)]
        listed = ", ".join(f"{value.type} {value.register}" for value in operands)
        result, called = _SCALARS[wanted.return_annotation], f"@{name}({listed})"
        if result == VOID:
            self.f.do(f"call void {called}")
            return NOTHING
        return Operand(self.f.call(result, called), result)

    # ------------------------------------------------------------------------- values

    def word(self, value: Operand) -> Word:
        """Return the register of a value as a whole number."""
        return Word(self.cast(value, I64).register)

    def cast(self, value: Operand, type_: Type[Any]) -> Operand:
        """Return a value with another type."""
        if value.type == type_:
            return value
        if (value.type, type_) == (I64, I1):
            return Operand(self.f.compare("ne", I64, value.register, 0), I1)
        how = _CONVERSIONS.get((value.type, type_))
        if how is None:
            raise NotNative(f"{self.name}: {value.type} as {type_}")
        return Operand(self.f.convert(how, value.type, value.register, type_), type_)

    def holds(self, test: str, left: Operand, right: Operand) -> Bit:
        """Return whether two values pass a test, by its name for whole numbers."""
        if DOUBLE not in (left.type, right.type):
            return self.f.compare(test, I64, self.word(left), self.word(right))
        a, b = self.cast(left, DOUBLE).register, self.cast(right, DOUBLE).register
        return self.f.ins(f"fcmp {_FLOAT_TESTS[test]} double {a}, {b}", I1)

    def element(self, array: Operand, place: Operand) -> tuple[Address, Element]:
        """Return the address of an element of an array, and how it is."""
        element = array.element
        if element is None:
            raise NotNative(f"{self.name}: {array.register} is no array")
        number = self.word(place)
        if not element.step:
            return self.f.entry(element.type, array.register, number), element
        number = self.f.binary("mul", I64, number, element.step)
        return self.f.entry(I8, array.register, number), element

    def widened(self, value: str, element: Element) -> Operand:
        """Return what stands in an element as the value that it is."""
        if element.widen:
            value = self.f.convert(element.widen, element.type, value, element.wide)
        return Operand(value, element.wide)

    def narrowed(self, value: Operand, element: Element) -> Operand:
        """Return a value as it stands in an element."""
        value = self.cast(value, element.wide)
        if not element.widen:
            return value
        how = "fptrunc" if element.widen == "fpext" else "trunc"
        narrow = self.f.convert(how, element.wide, value.register, element.type)
        return Operand(narrow, element.type)


_OPERATIONS = {
    **{"Add": "add", "Sub": "sub", "Mult": "mul", "FloorDiv": "sdiv", "Mod": "srem"},
    **{"BitAnd": "and", "BitOr": "or", "BitXor": "xor", "LShift": "shl", "RShift": "ashr"},
}
_CONVERSIONS: Mapping[tuple[Type[Any], Type[Any]], str] = {
    (I1, I64): "zext",
    (I1, DOUBLE): "uitofp",
    (I64, DOUBLE): "sitofp",
    (DOUBLE, I64): "fptosi",
}
_FLOAT_OPERATIONS = {"Add": "fadd", "Sub": "fsub", "Mult": "fmul", "Div": "fdiv"}
_COMPARISONS = {"Eq": "eq", "NotEq": "ne", "Lt": "slt", "LtE": "sle", "Gt": "sgt", "GtE": "sge"}


def _behind(register: str, kind: str, names: Mapping[str, Any]) -> Operand:
    """Return what stands at an address: an array, or a record of a class among names."""
    if kind in ELEMENTS:
        return Operand(register, PTR, None, ELEMENTS[kind])
    return Operand(register, PTR, names[kind])


def _type_of(annotation: ast.expr | None) -> Type[Any]:
    return PTR if annotation is None else _SCALARS.get(ast.unparse(annotation), PTR)


def _constant(value: object) -> Operand:
    if isinstance(value, bool):
        return Operand(TRUE if value else FALSE, I1)
    if isinstance(value, int):
        return Operand(str(value), I64)
    if isinstance(value, float):
        bits = ctypes.c_uint64.from_buffer(ctypes.c_double(value)).value
        return Operand(f"0x{bits:016X}", DOUBLE)
    raise NotNative(f"{value!r} is no number")


_FLOAT_TESTS = {"eq": "oeq", "ne": "one", "slt": "olt", "sle": "ole", "sgt": "ogt", "sge": "oge"}
"""LLVM's tests of fractions, by those of whole numbers."""


# ------------------------------------ functions that a compiled function may call and that are none


def address_call(body: Body, operands: list[Operand]) -> Operand:
    """Write a call of a function at an address."""
    address, *arguments = map(body.word, operands)
    return Operand(body.f.call_at(address, arguments), I64)


def memory_copy(body: Body, operands: list[Operand]) -> Operand:
    """Write a copy of bytes."""
    target, source = (
        body.f.convert("inttoptr", I64, body.word(value), PTR) for value in operands[:2]
    )
    body.f.copy(source, target, body.word(operands[2]))
    return NOTHING


def exchange(body: Body, operands: list[Operand]) -> Operand:
    """Write that an element is exchanged at once."""
    at, element = body.element(operands[0], operands[1])
    value = body.narrowed(operands[2], element).register
    text = f"atomicrmw xchg ptr {at}, {element.type} {value} seq_cst"
    return body.widened(body.f.shared(text, element.type), element)


def addition(body: Body, operands: list[Operand]) -> Operand:
    """Write that a number is added to an element at once."""
    at, element = body.element(operands[0], operands[1])
    value = body.narrowed(operands[2], element).register
    how = "fadd" if element.wide == DOUBLE else "add"
    body.f.shared(f"atomicrmw {how} ptr {at}, {element.type} {value} monotonic", element.type)
    return NOTHING


def acquisition(body: Body, operands: list[Operand]) -> Operand:
    """Write that an element is read before what follows."""
    at, element = body.element(operands[0], operands[1])
    text = f"load atomic {element.type}, ptr {at} acquire, align {element.bytes}"
    return body.widened(body.f.shared(text, element.type), element)


def publication(body: Body, operands: list[Operand]) -> Operand:
    """Write that an element is written after what precedes."""
    at, element = body.element(operands[0], operands[1])
    value = body.narrowed(operands[2], element).register
    body.f.do(f"store atomic {element.type} {value}, ptr {at} release, align {element.bytes}")
    return NOTHING


def array_address(body: Body, operands: list[Operand]) -> Operand:
    """Write the address of an array as a number."""
    return Operand(body.f.convert("ptrtoint", PTR, operands[0].register, I64), I64)


def shift(body: Body, operands: list[Operand]) -> Operand:
    """Write that the bits of a word are moved down."""
    return Operand(body.f.binary("lshr", I64, *map(body.word, operands)), I64)


def trailing_zeros(body: Body, operands: list[Operand]) -> Operand:
    """Write how many bits are 0 below the lowest that is set."""
    return Operand(body.f.intrinsic("cttz", I64, body.word(operands[0]), "i1 true"), I64)


def population(body: Body, operands: list[Operand]) -> Operand:
    """Write how many bits are set."""
    return Operand(body.f.intrinsic("ctpop", I64, body.word(operands[0])), I64)


def extreme(body: Body, operands: list[Operand], test: str) -> Operand:
    """Write the least or the greatest of numbers."""
    type_: Type[Any] = DOUBLE if any(value.type == DOUBLE for value in operands) else I64
    result = body.cast(operands[0], type_)
    for value in operands[1:]:
        other = body.cast(value, type_)
        better = body.holds(test, other, result)
        result = Operand(body.f.select(better, type_, other.register, result.register), type_)
    return result


def mathematical(body: Body, name: str, operands: list[Operand]) -> Operand:
    """Write a call of one of LLVM's functions of fractions."""
    return Operand(body.f.intrinsic(name, DOUBLE, body.cast(operands[0], DOUBLE).register), DOUBLE)


BUILT_IN: dict[Any, Callable[[Body, list[Operand]], Operand]] = {
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
    "min": lambda body, operands: extreme(body, operands, "slt"),
    "max": lambda body, operands: extreme(body, operands, "sgt"),
    "int": lambda body, operands: body.cast(operands[0], I64),
    "float": lambda body, operands: body.cast(operands[0], DOUBLE),
    math.sqrt: lambda body, operands: mathematical(body, "sqrt", operands),
    math.exp: lambda body, operands: mathematical(body, "exp", operands),
    math.log: lambda body, operands: mathematical(body, "log", operands),
}
"""What writes them, by the function or its name."""
