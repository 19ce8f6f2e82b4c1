"""Kinds of registers, and the types that LLVM has for them.

In: nothing. Out: a kind for what a register holds, so that an address is not taken for a number,
and a `Type` that leads to it. What then holds: a register of any kind is its name, or a constant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NewType, TypeVar

Bit = NewType("Bit", str)
"""Whether something holds: an i1."""
Word = NewType("Word", str)
"""A number of one word: an i64."""
Integer = NewType("Integer", str)
"""A number of another width, or of one that is worked out as code is written."""
Fraction = NewType("Fraction", str)
"""A fraction as the machine has them: a double or a float."""
Address = NewType("Address", str)
"""A place in memory: a ptr."""
Mask = NewType("Mask", str)
"""A bit for each site, of a set or of a part of one."""

Kind = TypeVar("Kind", bound=str)
Other = TypeVar("Other", bound=str)

if TYPE_CHECKING:

    class Type(str, Generic[Kind]):
        """The name of a type, whose registers are of a kind."""

else:
    # A plain string is put into a text sooner than one of a class derived from it.
    Type = str

I1: Type[Bit] = Type("i1")
I8: Type[Integer] = Type("i8")
I16: Type[Integer] = Type("i16")
I32: Type[Integer] = Type("i32")
I64: Type[Word] = Type("i64")
DOUBLE: Type[Fraction] = Type("double")
FLOAT: Type[Fraction] = Type("float")
PTR: Type[Address] = Type("ptr")

TRUE, FALSE = Bit("true"), Bit("false")
NULL = Address("null")


def integer(bits: int) -> Type[Integer]:
    """Return the type of numbers of so many bits."""
    return Type(f"i{bits}")
