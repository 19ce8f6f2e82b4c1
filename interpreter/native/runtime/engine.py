"""LLVM: from a module's text to functions that can be called.

In: text. Out: an `Engine`, or a `Part`, which makes one when it is needed. What then holds: the
code is native to this machine; it is freed with the engine.
"""

from __future__ import annotations

import contextlib
import ctypes
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import llvmlite.binding as llvm

_PASSES = (
    *("always_inliner", "sroa", "simplify_cfg", "instruction_combine"),
    *("loop_simplify", "lcssa", "loop_rotate", "loop_unroll", "sroa", "new_gvn"),
    *("dead_store_elimination", "mem_copy_opt", "sroa", "jump_threading", "simplify_cfg"),
)
"""What LLVM does to a module, by its names.

Its usual passes take several times as long, and the code is no quicker: sets are made of few
instructions already, and whatever is worth being copied to where it is called is marked so.
"""
_CODE_LEVEL = 1
"""How hard LLVM tries when it picks instructions: more takes longer, and is no quicker."""

_lock = threading.RLock()
"""LLVM is used by one thread at a time; code that is freed while other code is compiled may be so
by the collection of garbage, in the same thread."""
_ready = False


def _prepare() -> None:
    global _ready
    if not _ready:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        _find_division()
        _ready = True


def _find_division() -> None:
    """Make division of 128 bits known, which LLVM calls as a function of the compiler's library."""
    with contextlib.suppress(RuntimeError):
        llvm.load_library_permanently("libgcc_s.so.1")


def features() -> dict[str, bool]:
    """Return what the machine's processor can do, by LLVM's names."""
    with _lock:
        _prepare()
    return dict(llvm.get_host_cpu_features())


class Engine:
    """Compiled code. `seconds` is how long LLVM took."""

    def __init__(self, text: str) -> None:
        """Compile the text of a module."""
        with _lock:
            _prepare()
            begun = time.perf_counter()
            target = llvm.Target.from_default_triple()
            self._machine = target.create_target_machine(
                cpu=llvm.get_host_cpu_name(),
                features=llvm.get_host_cpu_features().flatten(),
                opt=_CODE_LEVEL,
                jit=True,
            )
            module = llvm.parse_assembly(text)
            module.triple = llvm.get_default_triple()
            module.data_layout = str(self._machine.target_data)
            self._optimise(module)
            self._module = module
            self._engine: Any = llvm.create_mcjit_compiler(module, self._machine)
            self._engine.finalize_object()
            self.seconds = time.perf_counter() - begun

    def _optimise(self, module: Any) -> None:
        passes = llvm.create_new_module_pass_manager()
        for name in _PASSES:
            getattr(passes, f"add_{name}_pass")()
        options = llvm.create_pipeline_tuning_options()
        passes.run(module, llvm.create_pass_builder(self._machine, options))

    def address(self, name: str) -> int:
        """Return the address of a function."""
        return int(self._engine.get_function_address(name))

    def function(self, name: str, result: Any, *parameters: Any) -> Any:
        """Return a function as something to call; calls let other threads go on."""
        return ctypes.CFUNCTYPE(result, *parameters)(self.address(name))

    @property
    def optimised(self) -> str:
        """The text of the module after optimisation."""
        return str(self._module)

    @property
    def assembly(self) -> str:
        """The machine's instructions, as text."""
        return str(self._machine.emit_assembly(self._module))

    def close(self) -> None:
        """Free the code; none of its functions may be called any more."""
        with _lock:
            self._engine.close()
            self._module.close()
            self._machine.close()


class Part:
    """Functions that are compiled together, as soon as one of them is asked for.

    `seconds` is how long compiling it took so far.
    """

    def __init__(
        self,
        write: Callable[[], str],
        signatures: Mapping[str, Sequence[Any]],
    ) -> None:
        """Take what writes the text, and the types of results and parameters, by function."""
        self.seconds = 0.0
        self._write = write
        self._signatures = signatures
        self._lock = threading.Lock()
        self._functions: dict[str, Any] = {}
        self._engine: Engine | None = None
        self._is_closed = False

    @cached_property
    def text(self) -> str:
        """LLVM's code as it was written."""
        return self._write()

    def __getitem__(self, name: str) -> Any:
        """Return a function as something to call."""
        self.compile()
        return self._functions[name]

    def compile(self) -> None:
        """Make sure that the functions can be called."""
        if not self._functions:
            engine = self.engine
            self._functions = {
                name: engine.function(name, *types) for name, types in self._signatures.items()
            }

    @property
    def engine(self) -> Engine:
        """The compiled code."""
        with self._lock:
            assert not self._is_closed, "the code has been freed"
            if self._engine is None:
                self._engine = Engine(self.text)
                self.seconds = self._engine.seconds
            return self._engine

    @property
    def is_compiled(self) -> bool:
        """Whether a function has been asked for."""
        return self._engine is not None

    def close(self) -> None:
        """Free the code; none of its functions may be called any more."""
        with self._lock:
            self._is_closed = True
            self._functions = {}
            if self._engine is not None:
                self._engine.close()
                self._engine = None
