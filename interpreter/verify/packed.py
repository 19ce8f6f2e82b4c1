"""Verifying a game that was sent to a worker.

In: a packed game, where chance begins, limits. Out: the verdict, or why there is none. What then
holds: it is the verdict that this process would come to.
"""

from __future__ import annotations

from collections.abc import Callable

from gdl.diagnostic import Diagnostic
from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify.games import Limits, Verdict, verify
from gdl.interpreter.workers.packed import Packed


def evaluator_of(backend: str) -> type[NativeRules]:
    """Return what plays by `native` code or by `wasm`. Raises ImportError where it is not there."""
    if backend == "native":
        return NativeRules
    from gdl.interpreter.native.wasm.rules import WasmRules

    return WasmRules


def verify_packed(
    backend: str,
    seed: int,
    limits: Limits,
    packed: Packed | None,
    *,
    tell: Callable[[int], None] = lambda number: None,
) -> Verdict | Diagnostic | None:
    """Hold native code of a game against the reference; a diagnostic says why there is none.

    It is told before each game how many have been played, where this process plays them. Nothing
    comes to nothing, so that what can't be loaded keeps its place among other games.
    """
    if packed is None:
        return None
    with packed.opened() as game:
        try:
            return verify(ReferenceRules(game), evaluator_of(backend)(game), seed, limits, tell)
        except Uncovered as reason:
            return reason.diagnostic
