"""The text of one function of LLVM, instruction by instruction.

In: instructions. Out: lines of text. What then holds: each register and each label is given once.
"""

from __future__ import annotations

from typing import Any

from gdl.data_classes import dataclass
from interpreter.search.machine.instructions import Element


@dataclass(frozen=True)
class Operand:
    """A value: its register, and its type; of an array, how its elements are."""

    register: str
    type: str
    record: Any = None
    element: Element | None = None


class NotNative(TypeError):
    """A function has what can't be compiled."""


class Writer:
    """Writes the function of a `name`: its `lines`, before which its `variables` are made."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: list[str] = []
        self.variables: list[str] = []
        self._count = 0

    def do(self, instruction: str) -> None:
        """Write an instruction."""
        self.lines.append(f"  {instruction}")

    def new(self) -> str:
        """Return a register that is not in use."""
        self._count += 1
        return f"%.{self._count}"

    def ins(self, instruction: str, type_: str) -> Operand:
        """Write an instruction, and return its value of a type."""
        register = self.new()
        self.do(f"{register} = {instruction}")
        return Operand(register, type_)

    def variable(self, type_: str) -> str:
        """Return the address of a new variable of a type."""
        register = self.new()
        self.variables.append(f"  {register} = alloca {type_}")
        return register

    def label(self) -> str:
        """Return a label that is not in use."""
        self._count += 1
        return f"label{self._count}"

    def at(self, label: str) -> None:
        """Write that a label stands here."""
        self.lines.append(f"{label}:")

    def jump(self, label: str) -> None:
        """Write a jump to a label."""
        self.do(f"br label %{label}")

    def leave(self, instruction: str) -> None:
        """Write an instruction that ends a block; what follows is never reached."""
        self.do(instruction)
        self.at(self.label())

    def cast(self, value: Operand, type_: str) -> Operand:
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
            return self.ins(f"{how} {value.type} {value.register} to {type_}", type_)
        if (value.type, type_) == ("i64", "i1"):
            return self.ins(f"icmp ne i64 {value.register}, 0", "i1")
        raise NotNative(f"{self.name}: {value.type} as {type_}")

    # ------------------------------------------------------------- elements of arrays

    def element(self, array: Operand, place: Operand) -> tuple[str, Element]:
        """Return the address of an element of an array, and how it is."""
        element = array.element
        if element is None:
            raise NotNative(f"{self.name}: {array.register} is no array")
        number, type_ = self.cast(place, "i64").register, element.type
        if element.step:
            number = self.ins(f"mul i64 {number}, {element.step}", "i64").register
            type_ = "i8"
        at = self.ins(f"getelementptr {type_}, ptr {array.register}, i64 {number}", "ptr")
        return at.register, element

    def widened(self, value: Operand, element: Element) -> Operand:
        """Return what stands in an element as the value that it is."""
        if not element.widen:
            return Operand(value.register, element.wide)
        how = f"{element.widen} {element.type} {value.register} to {element.wide}"
        return self.ins(how, element.wide)

    def narrowed(self, value: Operand, element: Element) -> Operand:
        """Return a value as it stands in an element."""
        value = self.cast(value, element.wide)
        if not element.widen:
            return value
        how = "fptrunc" if element.widen == "fpext" else "trunc"
        return self.ins(f"{how} {element.wide} {value.register} to {element.type}", element.type)
