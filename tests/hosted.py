"""The engine in a game's WebAssembly module, run by wasmtime: what a page does, in Python.

In: a game. Out: a `HostedAnalyser`, which searches positions by the functions of the module, in
memory that is laid out from data alone. What then holds: what it finds is told by the same code as
what is found natively, so that both can be compared whole.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.native.wasm.module import wasm_code, wasm_module
from gdl.interpreter.native.wasm.target import wasm32
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.search.alpha_beta.deepening import Deepening
from gdl.interpreter.search.analysis import Analysis
from gdl.interpreter.search.binding import Binding
from gdl.interpreter.search.hosted import BY_ADDRESS, PREFIX, HostedEngine, hosted_engine
from gdl.interpreter.search.machine.instructions import ELEMENTS, WORD_BYTES
from gdl.interpreter.search.tree_search.findings import moves_of, payoffs_of, values_of
from gdl.interpreter.search.worth import TREE, Worth

_PAGE = 1 << 16
_ALIGNED = 128
_STACK_KEPT = 1 << 18


class Machine:
    """An instance of a module: its memory, and its functions."""

    def __init__(self, rules: Rules, native: NativeRules, worth: Worth | None, memory: int) -> None:
        import wasmtime

        start = rules.start().state
        self.engine: HostedEngine = hosted_engine(
            rules.game, native.code, start, wasm32(), worth, memory
        )
        code = wasm_code(rules.game)
        self.engine.complete(rules.game, code)
        self.module = wasm_module(code, self.engine.texts, self.engine.exports)
        self._store = wasmtime.Store()
        module = wasmtime.Module(self._store.engine, self.module.code)
        self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        self._memory = self._exports["memory"]
        self._end = self.module.heap_base

    def take(self, size: int) -> int:
        """Return the address of so many bytes that nobody else has."""
        begin = -(-self._end // _ALIGNED) * _ALIGNED
        self._end = begin + size
        missing = self._end - self._memory.data_len(self._store)
        if missing > 0:
            self._memory.grow(self._store, -(-missing // _PAGE))
        return begin

    def view(self, begin: int, size: int) -> memoryview:
        """Return bytes of the memory, as long as it does not grow."""
        data = self._memory.data_ptr(self._store)
        where = ctypes.addressof(data.contents) + begin
        return memoryview((ctypes.c_char * size).from_address(where)).cast("B")

    def word(self, at: int) -> ctypes.c_int64:
        """Return a word of the memory, to be read or written."""
        return ctypes.c_int64.from_buffer(self.view(at, WORD_BYTES))

    def call(self, name: str, *arguments: int) -> int:
        """Call a function; return its result, 0 if it has none."""
        return self._exports[f"{PREFIX}{name}"](self._store, *arguments) or 0


class Laid:
    """Records laid out in a module's memory, as an image tells."""

    def __init__(self, machine: Machine, image: Mapping[str, Any]) -> None:
        self._machine = machine
        self.image = image
        self._begins = [machine.take(size) for size in image["pieces"]]

    def fill(self) -> None:
        """Let all be as the image has it; what is large has nothing."""
        content, begins, machine = bytes.fromhex(self.image["bytes"]), self._begins, self._machine
        for begin, size in zip(begins, self.image["pieces"], strict=True):
            machine.view(begin, size)[:] = bytes(size)
        at = 0
        for piece, offset, size in self.image["filled"]:
            machine.view(begins[piece] + offset, size)[:] = content[at : at + size]
            at += size
        for piece, offset, target, there in self.image["links"]:
            machine.word(begins[piece] + offset).value = begins[target] + there
        for piece, offset, name in self.image["functions"]:
            address = machine.module.functions[f"{BY_ADDRESS}{name}"]
            machine.word(begins[piece] + offset).value = address

    def begin(self, record: str, field: str | None = None) -> int:
        """Return the address of a record, or where a field of it begins."""
        place = self.image["fields"][record][field] if field else self.image["records"][record]
        return int(self._begins[place[0]] + place[1])

    def told(self, record: str) -> SimpleNamespace:
        """Return the fields of a record that the image tells of, and its `address`."""
        found: dict[str, Any] = {"address": self.begin(record)}
        for name, (piece, offset, *more) in self.image["fields"].get(record, {}).items():
            begin = self._begins[piece] + offset
            if not more:
                found[name] = self._machine.word(begin).value
                continue
            kind, step, count = more
            size = ELEMENTS[kind].bytes
            view = self._machine.view(begin, (count - 1) * step + size)
            whole = view[: len(view) // size * size].cast(ELEMENTS[kind].code)
            found[name] = whole[:: step // size]
        return SimpleNamespace(**found)


class Seat:
    """A place with a position in front of it."""

    def __init__(self, machine: Machine, binding: Binding, laid: Laid) -> None:
        self._machine = machine
        self._binding = binding
        self.laid = laid
        self.world = self

    def take(self, position: Position, seed: int, number: int) -> None:
        """Put a position there, and what is remembered of the game; draw by a seed."""
        laid, machine, image = self.laid, self._machine, self.laid.image
        laid.fill()
        native = self._binding.seat(position.state, 0, 0, image["ahead"])
        desk = laid.told("desk")
        desk.position[:] = native.desk.position
        world = laid.begin("desk", "world")
        for n, (past, keys) in enumerate(
            zip(image["pasts"], self._binding.earlier(native), strict=True)
        ):
            assert len(keys) < image["room"] * past["key_bytes"], "there is room"
            machine.view(machine.word(world + past["at"]).value, len(keys))[:] = keys
            desk.remembered[n] = len(keys) // past["key_bytes"]
        state = Chance(seed, number).state
        desk.random[0] = state - (1 << 64) if state >> 63 else state

    @property
    def error(self) -> int:
        """Why the last call failed; 0 if it did not."""
        return self._machine.word(self.laid.begin("desk", "world") + 8).value

    def clear(self) -> None:
        """Forget that a call failed."""
        self._machine.word(self.laid.begin("desk", "world") + 8).value = 0


class HostedAnalyser:
    """Analyses positions of a game by the engine in its module."""

    def __init__(self, rules: Rules, worth: Worth | None, memory: int) -> None:
        """Make the module, and lay out the memory of the engine."""
        self.native = NativeRules(rules.game)
        self.machine = Machine(rules, self.native, worth, memory)
        self.data = self.machine.engine.data
        self._binding = Binding(rules.game, self.native.code)
        images = self.data["images"]
        self._fixed, self._kept, seat = (
            Laid(self.machine, images[name]) for name in ("fixed", "kept", "seat")
        )
        self._fixed.fill()
        stack = self.machine.module.stack_bytes - _STACK_KEPT
        self.machine.word(self._fixed.begin("code", "stack")).value = stack
        self._seat = Seat(self.machine, self._binding, seat)

    def analyse(self, position: Position, seed: int, iterations: int, part: int) -> Analysis:
        """Return what is found within so many iterations, in parts of so many, with no lines."""
        self._kept.fill()
        if self.data["search"] != TREE:
            return _HostedDeepening(self, self._seat).analyse(
                position, seconds=None, iterations=iterations, lines=0
            )
        self._seat.take(position, seed, 0)
        fixed, kept, desk = self._fixed, self._kept, self._seat.laid.begin("desk")
        tree, tally, policy = kept.begin("tree"), kept.begin("tally"), fixed.begin("policy")
        records = (tree, fixed.begin("code"), fixed.begin("fields"), desk)
        records = (*records, policy, fixed.begin("estimate"), tally)
        made = 0
        while made < iterations:
            wanted = min(part, iterations - made)
            found = self.machine.call("search", *records, wanted)
            made += found
            if found < wanted:
                break
        self.machine.call("end_search", tree, desk, policy, tally)
        assert self._seat.error == 0
        told: Any = kept.told("tree")
        told.seats = self.data["seats"]
        moves = tuple(moves_of(told, position, self.native, 0))
        payoffs = payoffs_of(told, position, self._binding.payoff_unit)
        return Analysis(position, made, 0.0, values_of(told, position), moves, payoffs)

    def placed(self, record: str) -> Any:
        """Return a record, with its address and what is told of it."""
        laid = self._kept if record in self._kept.image["records"] else self._fixed
        return laid.told(record)


class _HostedDeepening(Deepening):
    """Alpha-beta, whose compiled functions are those of the module."""

    def __init__(self, host: HostedAnalyser, seat: Seat) -> None:
        self._host = host
        self._native = host.native
        self._walk = host.placed("walk")
        self._walks = [self._walk]
        self._judge = host.placed("judge")
        self._table = host.placed("table")
        self._table.replaced = self._with_mask
        self._state, self._roots = None, []
        self._compiled = self._called  # type: ignore[assignment]
        self._binding = SimpleNamespace(  # type: ignore[assignment]
            seat=self._seat_of,
            code=host.placed("code"),
            fields=host.placed("fields"),
            compiled=SimpleNamespace(users=SimpleNamespace(call=lambda work: work())),
            caller=SimpleNamespace(
                is_short=True, threads=lambda tasks, until=None: [run(w) for w, run in tasks]
            ),
        )
        self._place = seat

    def _called(self, function: Any, *arguments: Any) -> int:
        words = (one if isinstance(one, int) else one.address for one in arguments)
        return self._host.machine.call(function.__name__, *words)

    def _with_mask(self, mask: int) -> Any:
        self._host.machine.word(self._host._kept.begin("table", "mask")).value = mask
        self._table.mask = mask
        return self._table

    def _seat_of(self, state: Any, seed: int, number: int, plies: int) -> Any:
        position = SimpleNamespace(state=state)
        self._place.take(position, seed, number)  # type: ignore[arg-type]
        desk = SimpleNamespace(address=self._place.laid.begin("desk"))
        return SimpleNamespace(desk=desk, world=self._place)
