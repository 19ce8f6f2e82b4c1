"""LLVM: from a module's text to functions that can be called.

In: text. Out: an `Engine`, or a `Part`, which makes one when it is needed. What then holds: the
code is native to this machine; it is freed with the engine. What was compiled before is not
compiled again, if it has been kept (see `kept_code`).
"""

from __future__ import annotations

import contextlib
import ctypes
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from interpreter.native.runtime.apart import apart
from interpreter.native.runtime.kept_code import digest, keep, kept

_PASSES = (
    *("always_inliner", "sroa", "simplify_cfg", "instruction_combine"),
    *("loop_simplify", "lcssa", "loop_rotate", "loop_unroll", "sroa", "new_gvn"),
    *("dead_store_elimination", "mem_copy_opt", "sroa", "jump_threading", "simplify_cfg"),
)
"""What LLVM does to a module, by its names.

Its usual passes take several times as long, and the code is no quicker: sets are made of few
instructions already, and whatever is worth being copied to where it is called is marked so.
"""
_SLOW = "instruction_combine"
_LONG = 150_000
"""A pass that long texts are spared, and from how many characters on a text is long.

It takes up to a quarter of all that LLVM does, and of what is gained by it in some short texts (a
twentieth of the speed) nothing is left in long ones, which are quicker without it.
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


def _machine() -> Any:
    """Return LLVM's idea of this machine."""
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=_CODE_LEVEL,
        jit=True,
    )


def _passes(text: str) -> tuple[str, ...]:
    """Return what LLVM does to the module of a text."""
    return tuple(name for name in _PASSES if name != _SLOW or len(text) < _LONG)


def _digest(text: str) -> str:
    """Return the name of the code of a text: of all that it depends on."""
    return digest(
        str((llvmlite.__version__, llvm.llvm_version_info, _passes(text), _CODE_LEVEL)),
        llvm.get_default_triple(),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
        text,
    )


class Engine:
    """Compiled code. `seconds` is how long LLVM took."""

    def __init__(self, text: str, tables: Mapping[str, int] = MappingProxyType({})) -> None:
        """Compile the text of a module; `tables` are the addresses of those that it names."""
        apart(lambda: self._make(text, tables))

    def _make(self, text: str, tables: Mapping[str, int]) -> None:
        with _lock:
            _prepare()
            begun = time.perf_counter()
            self._text = text
            self._machine = _machine()
            name = _digest(text)
            code = kept(name)
            if code is None:
                code = self._compiled()
                keep(name, code)
            self._engine = self._loaded(code, tables)
            self.seconds = time.perf_counter() - begun

    def _compiled(self) -> bytes:
        with self._optimised() as module:
            return bytes(self._machine.emit_object(module))

    def _loaded(self, code: bytes, tables: Mapping[str, int]) -> Any:
        """Return an engine with the code, to which the tables are made known."""
        named = "\n".join(f"@{name} = external constant i8" for name in tables)
        module = llvm.parse_assembly(named)
        engine: Any = llvm.create_mcjit_compiler(module, _machine())
        for name, address in tables.items():
            engine.add_global_mapping(module.get_global_variable(name), address)
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        return engine

    @contextlib.contextmanager
    def _optimised(self) -> Iterator[Any]:
        """Read the text, and optimise it: the module is closed in the end."""
        module = llvm.parse_assembly(self._text)
        module.triple = llvm.get_default_triple()
        module.data_layout = str(self._machine.target_data)
        passes = llvm.create_new_module_pass_manager()
        for name in _passes(self._text):
            getattr(passes, f"add_{name}_pass")()
        options = llvm.create_pipeline_tuning_options()
        passes.run(module, llvm.create_pass_builder(self._machine, options))
        try:
            yield module
        finally:
            module.close()

    def address(self, name: str) -> int:
        """Return the address of a function."""
        return int(self._engine.get_function_address(name))

    def function(self, name: str, result: Any, *parameters: Any) -> Any:
        """Return a function as something to call; calls let other threads go on."""
        return ctypes.CFUNCTYPE(result, *parameters)(self.address(name))

    @property
    def optimised(self) -> str:
        """The text of the module after optimisation."""
        with _lock, self._optimised() as module:
            return str(module)

    @property
    def assembly(self) -> str:
        """The machine's instructions, as text."""
        with _lock, self._optimised() as module:
            return str(self._machine.emit_assembly(module))

    def close(self) -> None:
        """Free the code; none of its functions may be called any more."""
        with _lock:
            self._engine.close()
            self._machine.close()


class Part:
    """Functions that are compiled together, as soon as one of them is asked for.

    `seconds` is how long compiling it took so far.
    """

    def __init__(
        self,
        write: Callable[[], str],
        signatures: Mapping[str, Sequence[Any]],
        tables: Mapping[str, int],
    ) -> None:
        """Take what writes the text, the types of results and parameters, and the tables."""
        self.seconds = 0.0
        self._write = write
        self._signatures = signatures
        self._tables = tables
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
                self._engine = Engine(self.text, self._tables)
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
