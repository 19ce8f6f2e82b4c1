"""The WebAssembly module of a game, for any host: a page, a server, Python.

In: a game, and other code that is to be part of the module. Out: a `WasmModule`: bytes, and what
the host must know. What then holds: it has the functions that `game_code` tells of, which play as
machine code of this processor does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from gdl.analysis.ranges import Uncovered
from gdl.interpreter.native.game_code import GameCode
from gdl.interpreter.native.runtime.compiled import Options, code_of
from gdl.interpreter.native.runtime.machine_code import Compilation
from gdl.interpreter.native.wasm.linking import WasmModule, linked
from gdl.interpreter.native.wasm.target import STACK_BYTES, wasm32
from gdl.model import Game

__all__ = ["Uncovered", "WasmModule", "wasm_code", "wasm_module"]


def wasm_code(game: Game, **options: Unpack[Options]) -> GameCode:
    """Write the code of a game for WebAssembly. Raises Uncovered where there is none."""
    return code_of(game, wasm32(), **options)


def wasm_module(
    code: GameCode, texts: Sequence[str] = (), exports: Sequence[str] = ()
) -> WasmModule:
    """Return the module of a game's code, written for `wasm32`, and of all that was asked of it.

    More `texts` of LLVM become part of it, each optimised by itself; they may name functions of the
    game that are known outside, and one another's. Of theirs, `exports` are known outside, too.
    """
    data = Compilation.kept_object_code((code.whole, *texts), wasm32())
    return linked(data, (*code.names, *exports), STACK_BYTES)
