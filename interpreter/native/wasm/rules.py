"""A game as a WebAssembly module, as an evaluator in this process, by wasmtime.

In: a `Game`. Out: the same states, moves and outcomes as machine code's. What then holds: all that
is done with machine code is done with a module, by the same Python: positions are written to and
read from the module's memory, which is part of this process.

One instance of the module is used by one thread at a time, so that more threads are no quicker. A
host stops a call that uses up its own stack: it counts as a turn too deep.
"""

from __future__ import annotations

import ctypes
import threading
import time
import weakref
from collections import defaultdict
from functools import cache, cached_property
from typing import Any

import wasmtime

from gdl.interpreter.native.emit.target import Target
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.runtime.compiled import CALLS, GAMES, CompiledGame, Part
from gdl.interpreter.native.runtime.exchange import Memory, NativeFault
from gdl.interpreter.native.runtime.machine_code import Effort
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.native.runtime.uninterruptible import renew_in_child
from gdl.interpreter.native.wasm.linking import PAGE, WasmModule
from gdl.interpreter.native.wasm.module import wasm_module
from gdl.interpreter.native.wasm.target import wasm32

_HOST_STACK = 1 << 21
"""How many bytes of a thread's stack a call may take: as many as wasmtime allows."""
_LEAST_BLOCK = 128


_RESERVED = (1 << 32, 1 << 28)
"""How many bytes of the process's addresses a memory may get: with all that 32 bits tell apart, no
access has to be tested; less, where the process may not have so many."""


@cache
def _engine(reserved: int) -> wasmtime.Engine:
    """Return what compiles modules; memory never moves, so that arrays in it stay what they are."""
    config = wasmtime.Config()
    config.max_wasm_stack = _HOST_STACK
    config.memory_may_move = False
    config.memory_reservation = reserved
    config.parallel_compilation = False
    return wasmtime.Engine(config)


def _begun(code: bytes) -> tuple[wasmtime.Store, Any]:
    """Return a store with an instance of a module, and what that exports. Raises MemoryError."""
    for reserved in _RESERVED:
        engine = _engine(reserved)
        store = wasmtime.Store(engine)
        try:
            instance = wasmtime.Instance(store, wasmtime.Module(engine, code), [])
        except wasmtime.WasmtimeError:
            continue
        return store, instance.exports(store)
    raise MemoryError


class Instance:
    """A module at work: its functions, called one at a time, and its memory."""

    def __init__(self, module: WasmModule) -> None:
        self._module = module
        self._store, self._exports = _begun(module.code)
        self._memory = self._exports["memory"]
        self.origin = ctypes.addressof(self._memory.data_ptr(self._store).contents)
        self.end = PAGE * module.pages
        self._lock = threading.RLock()
        renew_in_child(self)

    def renew_locks(self) -> None:
        """Let no thread hold the lock, in a process that was forked."""
        self._lock = threading.RLock()

    def grow(self, size: int) -> int:
        """Give the memory so many bytes more, or a few; return where they begin.

        Raises MemoryError.
        """
        pages = -(-size // PAGE)
        with self._lock:
            begin = self.end
            try:
                self._memory.grow(self._store, pages)
            except wasmtime.WasmtimeError:
                raise MemoryError from None
            self.end += PAGE * pages
        return begin

    def call(self, name: str, arguments: tuple[int, ...]) -> int:
        """Call a function; return its result (0: none).

        Raises Trap, after which the stack is empty again.
        """
        with self._lock:
            try:
                found: int | None = self._exports[name](self._store, *arguments)
            except wasmtime.Trap:
                pointer = self._exports["__stack_pointer"]
                pointer.set_value(self._store, self._module.heap_base)
                raise
        return found or 0


class InstanceMemory(Memory):
    """The memory of an instance: blocks of it, each for an array that is there, or free."""

    def __init__(self, instance: Instance) -> None:
        self._known: Instance | None = instance
        self._free: dict[int, list[int]] = defaultdict(list)

    @property
    def _instance(self) -> Instance:
        if self._known is None:
            raise RuntimeError("the code has been freed")
        return self._known

    def close(self) -> None:
        """Give up the instance; who has an array has the instance still."""
        self._known = None

    def bytes(self, size: int) -> Any:
        """Return so many bytes, which are 0."""
        return self._array(ctypes.c_char * size)

    def words(self, count: int) -> Any:
        """Return so many words, which are 0."""
        return self._array(ctypes.c_int64 * count)

    def address(self, array: Any) -> int:
        """Return where an array begins in the memory of the instance."""
        return ctypes.addressof(array) - self._instance.origin

    def within(self, array: Any, offset: int) -> Any:
        """Return the address of a place in an array."""
        return self.address(array) + offset

    def _array(self, type_: Any) -> Any:
        size = max(_LEAST_BLOCK, 1 << (ctypes.sizeof(type_) - 1).bit_length())
        try:
            begin = self._free[size].pop()
        except IndexError:
            begin = self._more(size)
        array = type_.from_address(self._instance.origin + begin)
        ctypes.memset(array, 0, ctypes.sizeof(type_))
        weakref.finalize(array, _give_back, self._free[size], begin, self._instance).atexit = False
        return array

    def _more(self, size: int) -> int:
        """Return a new block, and keep the others that come with it."""
        begin = self._instance.grow(size)
        self._free[size] += range(begin + size, self._instance.end - size + 1, size)
        return begin


def _give_back(free: list[int], begin: int, _: Instance) -> None:
    """Let a block be free; who has the block, has the instance till then."""
    free.append(begin)


class ModulePart(Part):
    """All functions of a game's module."""

    def __init__(self, game: WasmGame) -> None:
        super().__init__(lambda: game.written.whole, {**CALLS, **GAMES}, {})
        self._game = game

    def address(self, name: str) -> int:
        """Return the address of a function: its place in the table."""
        return self._game.module.functions[name]

    def _use(self, effort: Effort) -> None:
        if self._functions:
            return
        begun = time.perf_counter()
        functions = {name: self._function(name) for name in self._signatures}
        self.seconds += time.perf_counter() - begun
        self._functions = functions

    def _function(self, name: str) -> Any:
        """Return a function as something to call with arrays, words, and None for no address."""
        _, *types = self._signatures[name]
        instance, memory = self._game.instance, self._game.memory
        world_at = 0 if name == "prepare" else 1

        def lowered(argument: Any, type_: Any) -> int:
            if type_ is ctypes.c_int64:
                return ctypes.c_int64(argument).value
            is_address = argument is None or isinstance(argument, int)
            address = argument or 0 if is_address else memory.address(argument)
            return ctypes.c_int32(address).value

        def call(*arguments: Any) -> int:
            try:
                return instance.call(name, tuple(map(lowered, arguments, types)))
            except wasmtime.Trap as trap:
                if trap.trap_code is not wasmtime.TrapCode.STACK_OVERFLOW:
                    raise NativeFault(f"`{name}` has failed: {trap.message}") from None
                world = arguments[world_at]
                ctypes.c_int64.from_buffer(world, w.ERROR).value = w.LEFT_TO_REFERENCE
                return 0

        return call

    def close(self) -> None:
        """Let nothing be called any more."""
        self._functions = {}


class WasmGame(CompiledGame):
    """The code of a game as a module, of one part."""

    @property
    def target(self) -> Target:
        """WebAssembly."""
        return wasm32()

    @cached_property
    def module(self) -> WasmModule:
        """The module."""
        return wasm_module(self.written)

    @cached_property
    def instance(self) -> Instance:
        """The module at work."""
        return Instance(self.module)

    @cached_property
    def memory(self) -> InstanceMemory:
        """The memory of the module at work."""
        return InstanceMemory(self.instance)

    def close(self) -> None:
        """Free the module; who has some of its memory keeps that until it is freed, too."""
        super().close()
        if "memory" in self.__dict__:
            self.memory.close()
        self.__dict__.pop("instance", None)

    def _made_parts(self) -> tuple[Part, Part]:
        part = ModulePart(self)
        return part, part


class WasmRules(NativeRules):
    """Plays a game by a WebAssembly module made from its program."""

    compiled = WasmGame
