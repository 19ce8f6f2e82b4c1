"""What code is written for: a machine, and all that writers and LLVM have to know of it.

In: what is known of a machine. Out: a `Target`. What then holds: whoever writes code asks the
target alone, so that code for another machine is written by giving another object.
"""

from __future__ import annotations

from collections.abc import Callable

from gdl.data_classes import dataclass


@dataclass(frozen=True)
class Target:
    """A machine that code is written for.

    LLVM knows it by its `triple`, which tells how data lies there, by the name of its `processor`
    and by what that has (`features`, as in `+bmi2,-avx512f`). An address takes `address_bytes`; a
    field for one has a whole word. `table` returns what a module's text says of a table, from its
    name and its bytes. In `libraries` are functions that LLVM calls and that the machine's own
    library lacks; others of these are given by `support`, a text. If it `has_parts`, what searches
    and what plays random games are loaded apart; otherwise all code is one module. If it
    `has_wide_products`, it multiplies two words at once to all of their product. The stack has
    `stack_bytes` there; None: as many as are asked for.
    """

    triple: str
    processor: str
    features: str
    address_bytes: int
    table: Callable[[str, memoryview[int]], str]
    libraries: tuple[str, ...] = ()
    support: str = ""
    has_parts: bool = True
    has_wide_products: bool = True
    stack_bytes: int | None = None

    @property
    def has_deposit(self) -> bool:
        """Whether it can place bits into the set bits of a word (x86's BMI2)."""
        return "+bmi2" in self.features.split(",")


def table_outside(name: str, data: memoryview[int]) -> str:
    """Return what a text says of a table in memory outside the module, brought there by its name.

    Large constants in a module's text take long to read; a name does not. Whoever loads the code
    says where what is named lies, so that the code is the same each time.
    """
    return f"@{name} = external constant [{len(data)} x i8], align 1"


def table_inside(name: str, data: memoryview[int]) -> str:
    """Return what a text says of a table that is part of the module."""
    values = "".join(f"\\{byte:02X}" for byte in bytes(data))
    return f'@{name} = internal constant [{len(data)} x i8] c"{values}", align 8'
