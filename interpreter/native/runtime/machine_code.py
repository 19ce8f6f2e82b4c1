"""LLVM: from a module's text to functions that can be called.

In: text, and how much effort it is worth. Out: `MachineCode`. What then holds: the code is native
to this machine, and is freed when it is closed. What was compiled before is not compiled again, if
it has been kept (see `kept_code`). The main thread, in which interrupts come, asks nothing of
llvmlite by itself: one that came there might leave the lock of llvmlite held for ever.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import llvmlite
import llvmlite.binding as llvm
from llvmlite.binding.newpassmanagers import NewPassManager

from gdl.interpreter.native.emit.target import Target, table_outside
from gdl.interpreter.native.runtime.uninterruptible import apart
from gdl.kept import cache_folder, keep_file, kept_file

_SIMPLIFICATION = "function_simplification"
"""LLVM's usual passes over each function by itself, with little effort."""
_PASSES = (
    *("always_inliner", "simplify_cfg", "sroa"),
    *("loop_simplify", "lcssa", "loop_rotate", "loop_unroll", "sroa", _SIMPLIFICATION),
    *("dead_store_elimination", "mem_copy_opt", "sroa", "jump_threading", "simplify_cfg"),
)
"""What LLVM does to a module, by its names.

Its usual passes take several times as long, and the code is no quicker: sets are made of few
instructions already, and whatever is worth being copied to where it is called is marked so. What
was copied is simplified before variables become registers, too: so branches on what it gives are
no longer there.

What is worked out twice is found by the simplification. LLVM's own numbering of values (NewGVN)
does that in half the time, but ends the process in some programs (LLVM issue 60439).
"""
_LEAST_PASSES = ("sccp", "simplify_cfg")
"""What takes away code that is never reached.

With little effort LLVM does not look for it afterwards, and ends the process if flags of the
processor are copied there.
"""
_FUNCTION = re.compile(r"^define (?!internal|private)\S+ @(\w+)\(", re.MULTILINE)
"""How a function begins that can be called from outside, with its name."""
_MOST_SIMPLIFIED = 700_000
"""How many characters the functions of a text may have to be simplified: longer ones would take
many seconds."""
_LEVEL_OF_SIMPLIFICATION = 1
_CODE_LEVEL = 1
"""How hard LLVM tries when it picks instructions: more takes longer, and is no quicker."""


class Effort(Enum):
    """How much LLVM does.

    With `LITTLE`, it puts one instruction after another into the machine's words as they stand:
    that takes it a third of the time, for code that is half as quick. With `FULL`, it runs more of
    its passes before.
    """

    LITTLE = auto()
    FULL = auto()


_lock = threading.RLock()
"""LLVM is used by one thread at a time; code that is freed while other code is compiled may be so
by the collection of garbage, in the same thread. A process is forked while none uses it, so that
LLVM is whole in the new one."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
    )


@cache
def _prepare() -> None:
    """Make LLVM ready for this machine, once."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


_LIBRARIES = ("libgcc_s.so.1",)
"""Where division of 128 bits is, which LLVM calls as a function of the compiler's library."""


@cache
def this_machine() -> Target:
    """Return this machine, whose code is called in this process."""

    def found() -> Target:
        with _lock:
            _prepare()
            return Target(
                triple=llvm.get_default_triple(),
                processor=llvm.get_host_cpu_name(),
                features=llvm.get_host_cpu_features().flatten(),
                address_bytes=ctypes.sizeof(ctypes.c_void_p),
                table=table_outside,
                libraries=_LIBRARIES,
            )

    return apart(found)


@cache
def prepare_for_all() -> None:
    """Make LLVM ready for every machine that it knows, once."""
    with _lock:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()


@cache
def _bring(library: str) -> None:
    """Let what a library has be known to code in this process, if it is there."""
    with contextlib.suppress(RuntimeError):
        llvm.load_library_permanently(library)


def _machine(target: Target, effort: Effort = Effort.FULL) -> Any:
    """Return LLVM's idea of a target."""
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.processor, features=target.features, opt=_code_level(effort), jit=True
    )


def _code_level(effort: Effort) -> int:
    return _CODE_LEVEL if effort is Effort.FULL else 0


def _passes(text: str, effort: Effort) -> tuple[str, ...]:
    """Return what LLVM does to the module of a text."""
    if effort is Effort.LITTLE:
        return _LEAST_PASSES
    if len(text) - text.find("\ndefine ") < _MOST_SIMPLIFIED:
        return _PASSES
    return tuple(name for name in _PASSES if name != _SIMPLIFICATION)


def _digest(text: str, target: Target, effort: Effort) -> str:
    """Return the name of the code of a text for a target: of all that it depends on."""
    how = (_passes(text, effort), _LEVEL_OF_SIMPLIFICATION, _code_level(effort))
    return digest(
        str((llvmlite.__version__, llvm.llvm_version_info, *how)),
        *(target.triple, target.processor, target.features),
        text,
    )


@contextlib.contextmanager
def _disposed(passes: Any) -> Iterator[Any]:
    """Free a pass manager in the end.

    Its own `close` finds the one of `ObjectRef`, which frees nothing, before that of
    `NewPassManager` (llvmlite 0.50): some 70 KB for each module that is compiled well.
    """
    try:
        yield passes
    finally:
        NewPassManager._dispose(passes)
        passes.detach()


class Compilation:
    """Texts, compiled for a target by LLVM: each optimised by itself, then all made one module."""

    def __init__(self, texts: Sequence[str], target: Target, effort: Effort) -> None:
        self._texts = texts
        self._target = target
        self._effort = effort
        self._machine = _machine(target, effort)

    @classmethod
    def kept_object_code(cls, texts: Sequence[str], target: Target) -> bytes:
        """Return the code of texts, as `object_code` does; what has been kept is not made again."""

        def made() -> bytes:
            with _lock:
                prepare_for_all()
                name = _digest("\0".join(texts) + target.support, target, Effort.FULL)
                code = kept(name)
                if code is None:
                    compilation = cls(texts, target, Effort.FULL)
                    code = compilation.object_code()
                    compilation.close()
                    keep(name, code)
                return code

        return apart(made)

    def object_code(self) -> bytes:
        """Return the code, as a file that is still to be linked."""
        with self.optimised() as module:
            if self._target.support:
                # What LLVM calls is never optimised: it might come to call itself.
                module.link_in(self._parsed(self._target.support))
            return bytes(self._machine.emit_object(module))

    def assembly(self) -> str:
        """Return the instructions, as text."""
        with self.optimised() as module:
            return str(self._machine.emit_assembly(module))

    @contextlib.contextmanager
    def optimised(self) -> Iterator[Any]:
        """Read the texts, and optimise them: the module is closed in the end."""
        module, *others = map(self._optimised, self._texts)
        for other in others:
            module.link_in(other)
        try:
            yield module
        finally:
            module.close()

    def _optimised(self, text: str) -> Any:
        """Return the module of a text, optimised."""
        module = self._parsed(text)
        names = _passes(text, self._effort)
        place = names.index(_SIMPLIFICATION) if _SIMPLIFICATION in names else len(names)
        self._run(names[:place], module)
        if names[place:]:
            self._simplify_functions(module)
            self._run(names[place + 1 :], module)
        return module

    def _parsed(self, text: str) -> Any:
        module = llvm.parse_assembly(text)
        module.triple = self._target.triple
        module.data_layout = str(self._machine.target_data)
        return module

    def _builder(self, **tuning: int) -> Any:
        options = llvm.create_pipeline_tuning_options(**tuning)
        return llvm.create_pass_builder(self._machine, options)

    def _run(self, names: Sequence[str], module: Any) -> None:
        """Let LLVM run passes over a module."""
        with _disposed(llvm.create_new_module_pass_manager()) as passes:
            for name in names:
                getattr(passes, f"add_{name}_pass")()
            passes.run(module, self._builder())

    def _simplify_functions(self, module: Any) -> None:
        builder = self._builder(speed_level=_LEVEL_OF_SIMPLIFICATION)
        with _disposed(builder.getFunctionPassManager()) as passes:
            for function in module.functions:
                if not function.is_declaration:
                    passes.run(function, builder)

    def close(self) -> None:
        """Free what LLVM knows of the target."""
        self._machine.close()


def _loaded(code: bytes, tables: Mapping[str, int], target: Target) -> Any:
    """Return an engine with code for this machine, to which the tables are made known."""
    named = "\n".join(f"@{name} = external constant i8" for name in tables)
    module = llvm.parse_assembly(named)
    for library in target.libraries:
        _bring(library)
    engine: Any = llvm.create_mcjit_compiler(module, _machine(target))
    for name, address in tables.items():
        engine.add_global_mapping(module.get_global_variable(name), address)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


class MachineCode:
    """Compiled code, in this process. `seconds` is how long LLVM took, `effort` how much it did."""

    def __init__(
        self,
        text: str,
        tables: Mapping[str, int] = MappingProxyType({}),
        effort: Effort = Effort.FULL,
    ) -> None:
        """Compile the text of a module; `tables` are the addresses of those that it names.

        With little effort nothing is compiled, either, that was with more and has been kept.
        """
        apart(lambda: self._make(text, tables, effort))

    def _make(self, text: str, tables: Mapping[str, int], effort: Effort) -> None:
        with _lock:
            target = this_machine()
            begun = time.perf_counter()
            code = None
            for self.effort in dict.fromkeys((Effort.FULL, effort)):
                code = kept(_digest(text, target, self.effort))
                if code is not None:
                    break
            self._compilation = Compilation((text,), target, self.effort)
            if code is None:
                code = self._compilation.object_code()
                keep(_digest(text, target, self.effort), code)
            self._engine = _loaded(code, tables, target)
            self._addresses = {
                name: int(self._engine.get_function_address(name))
                for name in _FUNCTION.findall(text)
            }
            self.seconds = time.perf_counter() - begun

    def address(self, name: str) -> int:
        """Return the address of a function."""
        return self._addresses[name]

    def function(self, name: str, result: Any, *parameters: Any) -> Any:
        """Return a function as something to call; calls let other threads go on."""
        return ctypes.CFUNCTYPE(result, *parameters)(self.address(name))

    @property
    def optimised(self) -> str:
        """The text of the module after LLVM's passes."""

        def told() -> str:
            with _lock, self._compilation.optimised() as module:
                return str(module)

        return apart(told)

    @property
    def assembly(self) -> str:
        """The machine's instructions, as text."""

        def told() -> str:
            with _lock:
                return self._compilation.assembly()

        return apart(told)

    def close(self) -> None:
        """Free the code; none of its functions may be called any more."""
        apart(self._free)

    def _free(self) -> None:
        with _lock:
            self._engine.close()
            self._compilation.close()


# ------------------------------------------------------------------------ machine code kept on disk

VARIABLE = "GDL_CODE"
OFF = "off"
"""The environment variable that names the folder, and its value for keeping nothing."""
MOST_BYTES = 64 << 20
"""How much is kept at most."""
_LEFT = 0.75
"""How much of that is left when something had to go."""


def folder() -> Path | None:
    """Return where code is kept: `GDL_CODE`, or a folder in the user's cache; None: nowhere."""
    return None if os.environ.get(VARIABLE) == OFF else cache_folder("code", VARIABLE)


def digest(*parts: str) -> str:
    """Return the name under which the code is kept that was compiled from these parts."""
    found = hashlib.sha256()
    for part in parts:
        data = part.encode()
        found.update(b"%d:" % len(data) + data)
    return found.hexdigest()


def kept(name: str) -> bytes | None:
    """Return the code that is kept under a name, if it is whole and the user's own."""
    place = folder()
    found = None if place is None else kept_file(place / name, name, MOST_BYTES)
    if place is not None and found is not None:
        with contextlib.suppress(OSError):
            os.utime(place / name)
    return found


def keep(name: str, code: bytes) -> None:
    """Keep code under a name, if that is wanted and possible."""
    place = folder()
    if place is not None:
        keep_file(place / name, name, code, _make_room)


_room: dict[Path, int] = {}
"""How many more bytes may be kept in a folder before it is looked through again."""


def _make_room(place: Path, size: int) -> None:
    """Remove what was used longest ago, if there is too much for so many more bytes.

    A folder is looked through when half of the room that was left there has been used: to do so
    each time takes as long as to compile a short text. The other half is for other processes.
    """
    _room[place] = _room.get(place, 0) - size
    if _room[place] >= 0:
        return
    found = [(entry.stat(), entry.path) for entry in os.scandir(place) if entry.is_file()]
    total = size + sum(status.st_size for status, _ in found)
    most = MOST_BYTES if total <= MOST_BYTES else _LEFT * MOST_BYTES
    for status, path in sorted(found, key=lambda one: one[0].st_mtime_ns):
        if total <= most:
            break
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        total -= status.st_size
    _room[place] = (MOST_BYTES - total) // 2
