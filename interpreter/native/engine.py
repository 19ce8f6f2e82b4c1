"""LLVM: from a module's text to functions that can be called.

In: text. Out: an `Engine`. What then holds: the code is native to this machine; it is freed with
the engine.
"""

from __future__ import annotations

import contextlib
import ctypes
import threading
import time
from typing import Any

import llvmlite.binding as llvm

SEARCHES = "searches"
"""The attribute of functions that walk through the ways of a turn.

They are most of the code, and the least of the time that random games take.
"""

_CODE_LEVEL = 1
"""How hard LLVM tries when it picks instructions: more takes longer, and is no quicker."""
_MOST_LINES = 6000
"""The length of a module beyond which such functions are optimised only a little."""

_lock = threading.Lock()
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


def _optimise_searches(module: Any, builder: Any) -> None:
    """Optimise the searches of a module a little, and let nothing else be done to them."""
    passes = llvm.create_new_function_pass_manager()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    for function in module.functions:
        attributes = b" ".join(function.attributes)
        if SEARCHES.encode() in attributes and b"alwaysinline" not in attributes:
            passes.run(function, builder)
            function.add_function_attribute("noinline")
            function.add_function_attribute("optnone")


class Engine:
    """Compiled code. `seconds` is how long LLVM took."""

    def __init__(self, text: str, level: int = 2) -> None:
        """Compile the text of a module; `level` is LLVM's level of optimisation."""
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
            options = llvm.create_pipeline_tuning_options(speed_level=level)
            options.loop_vectorization = False
            options.slp_vectorization = False
            builder = llvm.create_pass_builder(self._machine, options)
            if text.count("\n") > _MOST_LINES:
                _optimise_searches(module, builder)
            builder.getModulePassManager().run(module, builder)
            self._module = module
            self._engine: Any = llvm.create_mcjit_compiler(module, self._machine)
            self._engine.finalize_object()
            self.seconds = time.perf_counter() - begun

    def function(self, name: str, result: Any, *parameters: Any) -> Any:
        """Return a function as something to call; calls let other threads go on."""
        address = self._engine.get_function_address(name)
        return ctypes.CFUNCTYPE(result, *parameters)(address)

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
