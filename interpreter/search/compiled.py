"""Python functions as machine code: a small part of Python, made into LLVM's instructions.

In: functions marked as `native`, and records. Out: addresses of functions. What then holds: a
native function does what Python would do with it, as long as whole numbers fit into 64 bits, and
what `//` and `%` divide is not negative.

Compiling all of a search takes a tenth of a second, each time; nothing is kept in files. A native
function may have whole numbers, fractions, conditions and records as parameters; its variables
have the type of what they are first given. It may use `if`, `while`, `for … in range(…)`,
arithmetic and comparisons, elements of a record's arrays, other native functions, constants of its
module, and the functions below that stand for instructions.
"""

from __future__ import annotations

import ast
import ctypes
import inspect
import math
import mmap
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from interpreter.native.runtime.engine import Engine

if TYPE_CHECKING:
    Words: TypeAlias = memoryview[int]
    Shorts: TypeAlias = memoryview[int]
    Signs: TypeAlias = memoryview[int]
    Bytes: TypeAlias = memoryview[int]
    Doubles: TypeAlias = memoryview[float]
    Floats: TypeAlias = memoryview[float]
else:
    Words = Shorts = Signs = Bytes = Doubles = Floats = memoryview
"""Arrays: of whole numbers of 64, 32, 8 bits; of bytes; of fractions of 64 and 32 bits."""


@dataclass(frozen=True)
class _Element:
    """The elements of an array: LLVM's type, Python's code for it, what makes it a wide one."""

    type: str
    code: str
    widen: str


_ELEMENTS = {
    "Words": _Element("i64", "q", ""),
    "Shorts": _Element("i32", "i", "sext"),
    "Signs": _Element("i8", "b", "sext"),
    "Bytes": _Element("i8", "B", "zext"),
    "Doubles": _Element("double", "d", ""),
    "Floats": _Element("float", "f", "fpext"),
}
_SCALARS = {"int": "i64", "float": "double", "bool": "i1", "None": "void"}
_WORD_BYTES = 8
_MOST_INLINED = 40
"""How many instructions a function may have that is copied to where it is called."""

Function = TypeVar("Function", bound=Callable[..., Any])


class Record:
    """Numbers and arrays that native functions get as one: a class with annotated fields.

    A field is a whole number, a fraction or a condition, which stays as it is; or an array.
    """

    def __init__(self, **values: Any) -> None:
        """Take the value of each field."""
        names = list(type(self).__annotations__)
        assert set(names) == set(values), "each field has a value"
        self._memory = (ctypes.c_int64 * len(names))()
        for place, name in enumerate(names):
            value = values[name]
            setattr(self, name, value)
            if isinstance(value, float):
                ctypes.c_double.from_buffer(self._memory, place * _WORD_BYTES).value = value
            else:
                self._memory[place] = _address(value) if isinstance(value, memoryview) else value

    @property
    def address(self) -> int:
        """Where it stands in memory."""
        return ctypes.addressof(self._memory)


def array(kind: str, number: int) -> Any:
    """Return an array of so many zeros; of what is never touched, nothing is taken."""
    code = _ELEMENTS[kind].code
    size = max(1, number) * struct.calcsize(code)
    memory = memoryview(bytearray(size) if size < mmap.PAGESIZE else mmap.mmap(-1, size))
    return memory.cast(code)  # type: ignore[call-overload]


def _address(view: memoryview) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(view)) if view.nbytes else 0


# ------------------------------------------------- functions that stand for instructions


def call(address: int, *arguments: int) -> int:
    """Call a function at an address; of one that gives 32 bits, only these mean something."""
    raise NotImplementedError("there is no such call in Python")


def copy(target: int, source: int, size: int) -> None:
    """Copy bytes from one address to another."""
    ctypes.memmove(target, source, size)


def exchanged(array: memoryview, place: int, value: int) -> int:
    """Put a value into an element of an array of words at once; return the one before."""
    before = int(array[place])
    array[place] = value
    return before


def address(array: memoryview) -> int:
    """Return where an array begins."""
    return _address(array)


def shifted(word: int, places: int) -> int:
    """Return a word's bits, moved down by some places; the upper ones are 0."""
    return word % (1 << 64) >> places


def native(function: Function) -> Function:
    """Mark a function as one that is compiled."""
    function.is_native = True  # type: ignore[attr-defined]
    return function


class Compiled:
    """Native functions that have been compiled, with all that they call."""

    def __init__(self, *functions: Callable[..., Any]) -> None:
        """Compile functions."""
        self._module = _Module()
        for function in functions:
            self._module.add(function, is_entry=True)
        self._engine = Engine(self._module.text)
        self._functions = {
            function.__name__: ctypes.CFUNCTYPE(
                ctypes.c_int64, *[ctypes.c_int64] * len(inspect.signature(function).parameters)
            )(self._engine.address(function.__name__))
            for function in functions
        }

    def __call__(self, function: Callable[..., Any], *arguments: Record | int) -> int:
        """Call one of the functions; other threads go on meanwhile."""
        given = (a.address if isinstance(a, Record) else a for a in arguments)
        return int(self._functions[function.__name__](*given))


# ------------------------------------------------------------------------ the compiler


@dataclass(frozen=True)
class _Value:
    """A value: its register, and its type; of an array, how its elements are."""

    register: str
    type: str
    record: Any = None
    element: _Element | None = None


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
                "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
                *self.texts.values(),
            )
        )


class NotNative(TypeError):
    """A function has what can't be compiled."""


class _Body:
    """Writes one function."""

    def __init__(self, module: _Module, function: Any) -> None:
        self._module = module
        self._globals = function.__globals__
        self._tree = _parsed(function)
        self._lines: list[str] = []
        self._slots: list[str] = []
        self._variables: dict[str, _Value] = {}
        self._count = 0
        self._loops: list[tuple[str, str]] = []
        self._result = self._type(self._tree.returns)

    def text(self, is_entry: bool) -> str:
        """Return the function as LLVM's text."""
        parameters = []
        for argument in self._tree.args.args:
            type_, name = self._type(argument.annotation), argument.arg
            parameters.append(f"{type_} %{name}")
            record = self._record(argument.annotation) if type_ == "ptr" else None
            if record is not None:
                self._variables[name] = _Value(f"%{name}", "ptr", record)
            else:
                self._assign_name(name, _Value(f"%{name}", type_))
        self._block(self._tree.body)
        self._do("ret void" if self._result == "void" else "unreachable")
        linkage = "" if is_entry else "internal "
        is_short = not is_entry and len(self._lines) <= _MOST_INLINED
        inlined = " alwaysinline" if is_short else ""
        head = f"define {linkage}{self._result} @{self._tree.name}({', '.join(parameters)})"
        return "\n".join((f"{head}{inlined} {{", *self._slots, *self._lines, "}\n"))

    def _type(self, annotation: ast.expr) -> str:
        return _SCALARS.get(ast.unparse(annotation), "ptr")

    def _record(self, annotation: ast.expr) -> Any:
        return self._globals[ast.unparse(annotation)]

    # ------------------------------------------------------------------------ writing

    def _do(self, instruction: str) -> None:
        self._lines.append(f"  {instruction}")

    def _new(self) -> str:
        self._count += 1
        return f"%.{self._count}"

    def _ins(self, instruction: str, type_: str) -> _Value:
        register = self._new()
        self._do(f"{register} = {instruction}")
        return _Value(register, type_)

    def _slot(self, type_: str) -> str:
        register = self._new()
        self._slots.append(f"  {register} = alloca {type_}")
        return register

    def _label(self) -> str:
        self._count += 1
        return f"label{self._count}"

    def _at(self, label: str) -> None:
        self._lines.append(f"{label}:")

    def _jump(self, label: str) -> None:
        self._do(f"br label %{label}")

    def _leave(self, instruction: str) -> None:
        """Write an instruction that ends a block; what follows is never reached."""
        self._do(instruction)
        self._at(self._label())

    def _as(self, value: _Value, type_: str) -> _Value:
        """Return a value with another type."""
        if value.type == type_:
            return value
        how = {
            ("i1", "i64"): "zext",
            ("i64", "double"): "sitofp",
            ("double", "i64"): "fptosi",
            ("i1", "double"): "uitofp",
        }.get((value.type, type_))
        if how is not None:
            return self._ins(f"{how} {value.type} {value.register} to {type_}", type_)
        if (value.type, type_) == ("i64", "i1"):
            return self._ins(f"icmp ne i64 {value.register}, 0", "i1")
        raise NotNative(f"{self._tree.name}: {value.type} as {type_}")

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
                head, inside, done = self._label(), self._label(), self._label()
                self._jump(head)
                self._at(head)
                self._branch(test, inside, done)
                self._loop(body, inside, head, done)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=bounds), body=body):
                self._for(name, [self._as(self._value(bound), "i64") for bound in bounds], body)
            case ast.Return(value=None):
                self._leave("ret void")
            case ast.Return(value=value) if value is not None:
                result = self._as(self._value(value), self._result)
                self._leave(f"ret {result.type} {result.register}")
            case ast.Break():
                self._leave(f"br label %{self._loops[-1][1]}")
            case ast.Continue():
                self._leave(f"br label %{self._loops[-1][0]}")
            case _:
                raise NotNative(ast.unparse(statement))

    def _assign_all(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            found = [self._value(one) for one in value.elts]
            for one, result in zip(target.elts, found, strict=True):
                self._assign(one, result)
        else:
            self._assign(target, self._value(value))

    def _assign(self, target: ast.expr, value: _Value) -> None:
        if isinstance(target, ast.Name):
            self._assign_name(target.id, value)
            return
        if not isinstance(target, ast.Subscript):
            raise NotNative(ast.unparse(target))
        address, element = self._element(target)
        register = self._as(
            value, "double" if element.widen == "fpext" else _wide(element)
        ).register
        if element.widen:
            how = "fptrunc" if element.widen == "fpext" else "trunc"
            wide = _wide(element)
            register = self._ins(f"{how} {wide} {register} to {element.type}", "").register
        self._do(f"store {element.type} {register}, ptr {address}")

    def _assign_name(self, name: str, value: _Value) -> None:
        if name not in self._variables:
            self._variables[name] = _Value(self._slot(value.type), value.type)
        slot = self._variables[name]
        value = self._as(value, slot.type)
        self._do(f"store {slot.type} {value.register}, ptr {slot.register}")

    def _if(self, test: ast.expr, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        yes, no, after = self._label(), self._label(), self._label()
        self._branch(test, yes, no)
        self._at(yes)
        then()
        self._jump(after)
        self._at(no)
        otherwise()
        self._jump(after)
        self._at(after)

    def _branch(self, test: ast.expr, yes: str, no: str) -> None:
        condition = self._as(self._value(test), "i1")
        self._do(f"br i1 {condition.register}, label %{yes}, label %{no}")

    def _loop(self, body: list[ast.stmt], inside: str, again: str, done: str) -> None:
        self._loops.append((again, done))
        self._at(inside)
        self._block(body)
        self._jump(again)
        self._loops.pop()
        self._at(done)

    def _for(self, name: str, bounds: list[_Value], body: list[ast.stmt]) -> None:
        first = bounds[0].register if len(bounds) > 1 else "0"
        last = bounds[min(1, len(bounds) - 1)].register
        step = bounds[2].register if len(bounds) > 2 else "1"
        next_ = self._slot("i64")
        self._do(f"store i64 {first}, ptr {next_}")
        head, inside, done = self._label(), self._label(), self._label()
        self._jump(head)
        self._at(head)
        now = self._ins(f"load i64, ptr {next_}", "i64")
        self._assign_name(name, now)
        following = self._ins(f"add i64 {now.register}, {step}", "i64")
        self._do(f"store i64 {following.register}, ptr {next_}")
        test = "sgt" if step.startswith("-") else "slt"
        goes_on = self._ins(f"icmp {test} i64 {now.register}, {last}", "i1").register
        self._do(f"br i1 {goes_on}, label %{inside}, label %{done}")
        self._loop(body, inside, head, done)

    # -------------------------------------------------------------------- expressions

    def _value(self, node: ast.expr) -> _Value:
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
                truth = self._as(self._value(operand), "i1")
                return self._ins(f"xor i1 {truth.register}, true", "i1")
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

    def _name(self, name: str) -> _Value:
        if name not in self._variables:
            return _constant(self._globals[name])
        known = self._variables[name]
        if known.record is not None:
            return known
        return self._ins(f"load {known.type}, ptr {known.register}", known.type)

    def _attribute(self, owner: _Value, name: str) -> _Value:
        fields = list(owner.record.__annotations__)
        kind = owner.record.__annotations__[name]
        place = fields.index(name) * _WORD_BYTES
        at = self._ins(f"getelementptr i8, ptr {owner.register}, i64 {place}", "ptr").register
        if kind in _ELEMENTS:
            found = self._ins(f"load ptr, ptr {at}", "ptr")
            return _Value(found.register, "ptr", None, _ELEMENTS[kind])
        type_ = _SCALARS[kind]
        stored = "i64" if type_ == "i1" else type_
        return self._as(self._ins(f"load {stored}, ptr {at}", stored), type_)

    def _element(self, node: ast.Subscript) -> tuple[str, _Element]:
        owner, place = self._value(node.value), self._as(self._value(node.slice), "i64")
        if owner.element is None:
            raise NotNative(ast.unparse(node))
        type_ = owner.element.type
        at = self._ins(f"getelementptr {type_}, ptr {owner.register}, i64 {place.register}", "ptr")
        return at.register, owner.element

    def _read(self, node: ast.Subscript) -> _Value:
        at, element = self._element(node)
        wide = _wide(element)
        found = self._ins(f"load {element.type}, ptr {at}", wide)
        if not element.widen:
            return found
        return self._ins(f"{element.widen} {element.type} {found.register} to {wide}", wide)

    def _binary(self, op: ast.operator, left: _Value, right: _Value) -> _Value:
        name = type(op).__name__
        is_float = name == "Div" or "double" in (left.type, right.type)
        type_ = "double" if is_float else "i64"
        if left.type == right.type == "i1" and name in ("BitAnd", "BitOr"):
            type_ = "i1"
        operation = (_FLOAT_OPERATIONS if is_float else _OPERATIONS).get(name)
        if operation is None:
            raise NotNative(f"{self._tree.name}: {name}")
        a, b = self._as(left, type_).register, self._as(right, type_).register
        return self._ins(f"{operation} {type_} {a}, {b}", type_)

    def _compare(self, node: ast.Compare) -> _Value:
        result = _Value("true", "i1")
        left = self._value(node.left)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self._value(comparator)
            is_float = "double" in (left.type, right.type)
            type_ = "double" if is_float else "i64"
            a, b = self._as(left, type_).register, self._as(right, type_).register
            test = _COMPARISONS[type(op).__name__]
            how = f"fcmp {_FLOAT_TESTS[test]}" if is_float else f"icmp {test}"
            holds = self._ins(f"{how} {type_} {a}, {b}", "i1")
            result = self._ins(f"and i1 {result.register}, {holds.register}", "i1")
            left = right
        return result

    def _all_or_any(self, values: list[ast.expr], *, is_all: bool) -> _Value:
        slot, done = self._slot("i1"), self._label()
        for value in values:
            truth = self._as(self._value(value), "i1").register
            self._do(f"store i1 {truth}, ptr {slot}")
            more = self._label()
            yes, no = (more, done) if is_all else (done, more)
            self._do(f"br i1 {truth}, label %{yes}, label %{no}")
            self._at(more)
        self._jump(done)
        self._at(done)
        return self._ins(f"load i1, ptr {slot}", "i1")

    def _either(self, test: ast.expr, body: ast.expr, orelse: ast.expr) -> _Value:
        name = self._new()
        self._if(
            test,
            lambda: self._assign_name(name, self._value(body)),
            lambda: self._assign_name(name, self._value(orelse)),
        )
        return self._name(name)

    def _call(self, function: Any, nodes: list[ast.expr]) -> _Value:
        given = [self._value(node) for node in nodes]
        if function in _BUILT_IN:
            return _BUILT_IN[function](self, given)
        if not getattr(function, "is_native", False):
            raise NotNative(f"{self._tree.name}: {function}")
        self._module.add(function)
        wanted = inspect.signature(function)
        types = [_SCALARS.get(p.annotation, "ptr") for p in wanted.parameters.values()]
        given = [self._as(value, type_) for value, type_ in zip(given, types, strict=True)]
        listed = ", ".join(f"{value.type} {value.register}" for value in given)
        result = _SCALARS[wanted.return_annotation]
        if result == "void":
            self._do(f"call void @{function.__name__}({listed})")
            return _Value("", "void")
        return self._ins(f"call {result} @{function.__name__}({listed})", result)

    # ------------------------------------------------------------- built-in functions

    def address_call(self, given: list[_Value]) -> _Value:
        """Write a call of a function at an address."""
        target = self._ins(f"inttoptr i64 {given[0].register} to ptr", "ptr").register
        listed = ", ".join(f"i64 {self._as(value, 'i64').register}" for value in given[1:])
        return self._ins(f"call i64 {target}({listed})", "i64")

    def memory_copy(self, given: list[_Value]) -> _Value:
        """Write a copy of bytes."""
        target, source = (
            self._ins(f"inttoptr i64 {value.register} to ptr", "ptr").register
            for value in given[:2]
        )
        arguments = f"ptr {target}, ptr {source}, i64 {given[2].register}, i1 false"
        self._do(f"call void @llvm.memcpy.p0.p0.i64({arguments})")
        return _Value("", "void")

    def exchange(self, given: list[_Value]) -> _Value:
        """Write that a word in memory is exchanged at once."""
        at = self._ins(
            f"getelementptr i64, ptr {given[0].register}, i64 {given[1].register}", "ptr"
        )
        return self._ins(
            f"atomicrmw xchg ptr {at.register}, i64 {given[2].register} seq_cst", "i64"
        )

    def array_address(self, given: list[_Value]) -> _Value:
        """Write the address of an array as a number."""
        return self._ins(f"ptrtoint ptr {given[0].register} to i64", "i64")

    def shift(self, given: list[_Value]) -> _Value:
        """Write that the bits of a word are moved down."""
        return self._ins(f"lshr i64 {given[0].register}, {given[1].register}", "i64")

    def extreme(self, given: list[_Value], test: str) -> _Value:
        """Write the least or the greatest of numbers."""
        type_ = "double" if any(value.type == "double" for value in given) else "i64"
        result = self._as(given[0], type_)
        for value in given[1:]:
            other = self._as(value, type_)
            how = f"fcmp {_FLOAT_TESTS[test]}" if type_ == "double" else f"icmp {test}"
            better = self._ins(f"{how} {type_} {other.register}, {result.register}", "i1").register
            result = self._ins(
                f"select i1 {better}, {type_} {other.register}, {type_} {result.register}", type_
            )
        return result

    def mathematical(self, name: str, given: list[_Value]) -> _Value:
        """Write a call of one of LLVM's functions of fractions."""
        argument = self._as(given[0], "double").register
        return self._ins(f"call double @llvm.{name}.f64(double {argument})", "double")

    def converted(self, given: list[_Value], type_: str) -> _Value:
        """Write that a value gets another type."""
        return self._as(given[0], type_)


_OPERATIONS = {
    **{"Add": "add", "Sub": "sub", "Mult": "mul", "FloorDiv": "sdiv", "Mod": "srem"},
    **{"BitAnd": "and", "BitOr": "or", "BitXor": "xor", "LShift": "shl", "RShift": "ashr"},
}
_FLOAT_OPERATIONS = {"Add": "fadd", "Sub": "fsub", "Mult": "fmul", "Div": "fdiv"}
_COMPARISONS = {"Eq": "eq", "NotEq": "ne", "Lt": "slt", "LtE": "sle", "Gt": "sgt", "GtE": "sge"}
_FLOAT_TESTS = {"eq": "oeq", "ne": "one", "slt": "olt", "sle": "ole", "sgt": "ogt", "sge": "oge"}
_BUILT_IN: dict[Any, Callable[[_Body, list[_Value]], _Value]] = {
    call: _Body.address_call,
    copy: _Body.memory_copy,
    exchanged: _Body.exchange,
    address: _Body.array_address,
    shifted: _Body.shift,
    "min": lambda body, given: body.extreme(given, "slt"),
    "max": lambda body, given: body.extreme(given, "sgt"),
    "int": lambda body, given: body.converted(given, "i64"),
    "float": lambda body, given: body.converted(given, "double"),
    math.sqrt: lambda body, given: body.mathematical("sqrt", given),
    math.log: lambda body, given: body.mathematical("log", given),
}


def _parsed(function: Callable[..., Any]) -> Any:
    return ast.parse(inspect.getsource(function)).body[0]


def _wide(element: _Element) -> str:
    """Return the type that an element has as a value."""
    return "double" if element.type in ("double", "float") else "i64"


def _constant(value: object) -> _Value:
    if isinstance(value, bool):
        return _Value("true" if value else "false", "i1")
    if isinstance(value, int):
        return _Value(str(value), "i64")
    if isinstance(value, float):
        bits = ctypes.c_uint64.from_buffer(ctypes.c_double(value)).value
        return _Value(f"0x{bits:016X}", "double")
    raise NotNative(f"{value!r} is no number")
