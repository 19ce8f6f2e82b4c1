"""WebAssembly as a machine that native code is written for.

In: nothing. Out: a `Target`, with the functions that LLVM calls there as text. What then holds:
code for it needs nothing from outside but memory that its host lays out.
"""

from __future__ import annotations

from functools import cache

from gdl.interpreter.native.emit.target import Target, table_inside
from gdl.interpreter.native.wasm.support import SUPPORT

STACK_BYTES = 1 << 20
_FEATURES = ",".join(
    (
        *("+simd128", "+bulk-memory", "+bulk-memory-opt", "+sign-ext", "+nontrapping-fptoint"),
        *("+mutable-globals", "+tail-call"),
    )
)
"""What every browser has (tail calls: Chrome 112, Firefox 121, Safari 18.2)."""


@cache
def wasm32() -> Target:
    """Return the target: all code in one module, on a stack of its own in the module's memory."""
    return Target(
        triple="wasm32-unknown-unknown",
        processor="",
        features=_FEATURES,
        address_bytes=4,
        table=table_inside,
        support=SUPPORT,
        has_parts=False,
        has_wide_products=False,
        stack_bytes=STACK_BYTES,
    )
