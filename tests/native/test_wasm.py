"""WebAssembly: what a module lacks no more, what it tells its host, and how it is used here."""

from __future__ import annotations

import ctypes
import operator
import pickle
import struct
from collections.abc import Callable
from typing import Any

import pytest
import wasmtime

from gdl.diagnostic import Source
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.runtime.exchange import Exchange
from gdl.interpreter.native.runtime.machine_code import Compilation
from gdl.interpreter.native.wasm import rules as wasm_rules
from gdl.interpreter.native.wasm.linking import NotAlone, linked
from gdl.interpreter.native.wasm.module import wasm_code, wasm_module
from gdl.interpreter.native.wasm.packing import packed
from gdl.interpreter.native.wasm.rules import WasmGame, WasmRules
from gdl.interpreter.native.wasm.target import STACK_BYTES, wasm32
from gdl.load import load_game, load_source


def exports_of(text: str, *names: str) -> tuple[wasmtime.Store, Any]:
    """Return a module at work that a text of LLVM has become."""
    module = linked(Compilation.kept_object_code((text,), wasm32()), names, STACK_BYTES)
    store = wasmtime.Store(wasmtime.Engine())
    instance = wasmtime.Instance(store, wasmtime.Module(store.engine, module.code), [])
    return store, instance.exports(store)


def test_numbers_take_no_more_room_than_they_need() -> None:
    """LLVM writes each address and each number of a function with five bytes."""
    text = """
@table = internal constant [4 x i8] c"abcd"
define internal i32 @item(i32 %n) noinline {
  %base = getelementptr i8, ptr @table, i32 -200
  %at = getelementptr i8, ptr %base, i32 %n
  %byte = load i8, ptr %at
  %item = zext i8 %byte to i32
  ret i32 %item
}
define i32 @both(i32 %n) {
  %one = call i32 @item(i32 %n)
  %next = add i32 %n, 1
  %other = call i32 @item(i32 %next)
  %shifted = shl i32 %other, 8
  %both = or i32 %shifted, %one
  ret i32 %both
}
"""
    store, exports = exports_of(text, "both")
    assert exports["both"](store, 202) == int.from_bytes(b"cd", "little")
    data = Compilation.kept_object_code((text,), wasm32())
    assert b"\x80\x80\x80\x00" in data
    assert b"\x80\x80\x80\x00" not in linked(data, ("both",), STACK_BYTES).code


# ------------------------------------------------------------------------- what LLVM calls

_WORD = 1 << 64
_NUMBERS = (0, 1, 2, 3, 7, 2**31, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**96 + 12345, 2**127 - 1)
_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "mul": operator.mul,
    "udiv": operator.floordiv,
    "urem": operator.mod,
    "sdiv": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "srem": lambda a, b: abs(a) % abs(b) * (1 if a >= 0 else -1),
    "shl": operator.lshift,
    "lshr": operator.rshift,
    "ashr": operator.rshift,
}


@pytest.mark.parametrize("name", _OPERATIONS)
@pytest.mark.parametrize("bits", [128, 256])
def test_wide_numbers_are_worked_with(name: str, bits: int) -> None:
    """Sources: Python's whole numbers; LLVM's manual rounds quotients towards 0."""
    text = f"""
define void @work(ptr %a, ptr %b, ptr %to) {{
  %one = load i{bits}, ptr %a
  %other = load i{bits}, ptr %b
  %result = {name} i{bits} %one, %other
  store i{bits} %result, ptr %to
  ret void
}}
"""
    store, exports = exports_of(text, "work")
    memory, size, heap = exports["memory"], bits // 8, exports["__heap_base"].value(store)
    memory.grow(store, 1)
    is_signed, is_shift = name[0] in "sa" and name != "shl", name in ("shl", "lshr", "ashr")
    whole = 1 << bits
    numbers = [*_NUMBERS, *((-n) % whole for n in _NUMBERS), whole // 3]
    others = [0, 1, 31, 63, 64, 65, 100, 127, bits - 1] if is_shift else numbers

    def meant(number: int) -> int:
        return number - whole if is_signed and number >> bits - 1 else number

    for a in numbers:
        for b in others:
            is_division = "div" in name or "rem" in name
            if is_division and (b == 0 or (is_signed and b == whole - 1)):
                continue
            memory.write(store, a.to_bytes(size, "little"), heap)
            memory.write(store, b.to_bytes(size, "little"), heap + size)
            exports["work"](store, heap, heap + size, heap + 2 * size)
            found = int.from_bytes(memory.read(store, heap + 2 * size, heap + 3 * size), "little")
            expected = _OPERATIONS[name](meant(a), b if is_shift else meant(b)) % whole
            assert found == expected, (name, a, b)


def test_what_is_lacking_is_named() -> None:
    text = "declare double @sine(double)\ndefine double @work(double %a) {\n"
    text += "  %b = call double @sine(double %a)\n  ret double %b\n}\n"
    with pytest.raises(NotAlone, match="sine"):
        exports_of(text, "work")


# ------------------------------------------------------------------------------ the module


@pytest.mark.parametrize("name", ["hex", "gomoku", "kalah"])
def test_functions_have_addresses_and_a_module_imports_nothing(name: str) -> None:
    module = wasm_module(wasm_code(load_game(name)))
    store = wasmtime.Store(wasmtime.Engine())
    compiled = wasmtime.Module(store.engine, module.code)
    assert [*compiled.imports] == []
    exports: Any = wasmtime.Instance(store, compiled, []).exports(store)
    table = exports["__indirect_function_table"]
    for function, address in module.functions.items():
        kinds = [one.type(store) for one in (table.get(store, address), exports[function])]
        assert (
            len({(*map(str, kind.params), "gives", *map(str, kind.results)) for kind in kinds}) == 1
        )
    assert exports["__heap_base"].value(store) == module.heap_base
    assert exports["__stack_pointer"].value(store) == module.heap_base


def test_more_code_is_part_of_a_module() -> None:
    code = wasm_code(load_game("tic-tac-toe"))
    text = 'declare i64 @count(ptr, ptr)\n@table_0 = internal constant [3 x i8] c"abc"\n'
    text += "define i64 @twice(ptr %position, ptr %world, i64 %at) {\n"
    text += "  %here = getelementptr i8, ptr @table_0, i64 %at\n  %byte = load i8, ptr %here\n"
    text += "  %wide = zext i8 %byte to i64\n"
    text += "  %found = call i64 @count(ptr %position, ptr %world)\n"
    text += "  %twice = shl i64 %found, 1\n  %all = add i64 %twice, %wide\n  ret i64 %all\n}\n"
    module = wasm_module(code, [text], ["twice"])
    instance = wasm_rules.Instance(module)
    memory = wasm_rules.InstanceMemory(instance)
    rules = WasmRules(load_game("tic-tac-toe"))
    exchange = Exchange(rules.game, code, memory)
    world, position = exchange.world(), exchange.buffer()
    exchange.write(rules.start(), position, world)
    here, there = memory.address(position), memory.address(world.memory)
    instance.call("prepare", (there, 1 << 20, STACK_BYTES // 2))
    assert instance.call("twice", (here, there, 1)) == 2 * 9 + ord("b")


def unpacked(data: bytes) -> bytes:
    """Return what packed data stand for."""
    words: list[int] = []
    place = 0
    while place < len(data):
        literal, stride, count = struct.unpack_from("<BBH", data, place)
        place += 4
        words += struct.unpack_from(f"<{literal}H", data, place)
        place += 2 * literal
        for _ in range(count):
            words.append((2 * words[-stride] - words[-2 * stride]) % (1 << 16))
    return struct.pack(f"<{len(words)}H", *words)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"a",
        bytes(200_000),
        bytes(range(256)) * 9,
        struct.pack("<900Q", *range(900)),
        b"".join(struct.pack("<5H", n, 7 * n % 65536, 3, n * n % 65536, 0) for n in range(999)),
    ],
)
def test_packed_data_are_the_same(data: bytes) -> None:
    short = packed(data)
    assert unpacked(short) == data + b"\0" * (len(data) % 2)
    assert len(short) <= len(data) + 4 * (len(data) // 510 + 1) + 1


@pytest.mark.parametrize("name", ["gomoku", "hnefatafl"])
def test_tables_are_whole_in_memory(name: str) -> None:
    code = wasm_code(load_game(name))
    instance = wasm_rules.Instance(wasm_module(code))
    memory = bytes((ctypes.c_char * instance.end).from_address(instance.origin))
    tables = code.shared.module.tables
    assert sum(map(len, tables._kept.values())) > 5_000
    assert all(bytes(table) in memory for table in tables._kept.values())


# --------------------------------------------------------------------------- the evaluator


def test_a_turn_too_deep_for_the_hosts_stack_is_left_to_the_reference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = WasmRules(load_game("tic-tac-toe"))
    start = rules.start()
    game = rules.code
    assert isinstance(game, WasmGame)
    usual = game.instance.call

    def call(name: str, arguments: tuple[int, ...]) -> int:
        if name == "listed":
            raise wasmtime.Trap("call stack exhausted")
        return usual(name, arguments)

    monkeypatch.setattr(game.instance, "call", call)
    monkeypatch.setattr(
        wasmtime.Trap, "trap_code", property(lambda trap: wasmtime.TrapCode.STACK_OVERFLOW)
    )
    assert rules.legal(start) == rules.reference.legal(start)
    assert rules._desk.world.error == w.LEFT_TO_REFERENCE


def test_memory_is_used_again_and_outlives_the_rules() -> None:
    rules = WasmRules(load_game("tic-tac-toe"))
    game = rules.code
    assert isinstance(game, WasmGame)
    start = rules.start()
    rules.playouts(start, 2, 1, 20)
    end = game.instance.end
    for seed in range(40):
        rules.playouts(start, 2, seed, 20)
    assert game.instance.end - end < 10 * len(rules.new_world().memory)
    records = rules.records(range(2))
    rules.playouts(start, 2, 1, 20, records=records)
    kept = [*records.memory]
    rules.close()
    assert [*records.memory] == kept
    with pytest.raises(RuntimeError, match="freed"):
        rules.playouts(start, 2, 1, 20)


def test_rules_out_of_a_pickle_and_threads_play_the_same() -> None:
    rules = WasmRules(load_source(Source("x.yaml", _PLAIN)))
    again = pickle.loads(pickle.dumps(rules))
    assert type(again) is WasmRules
    start = rules.start()
    told = [one.playouts(start, 60, 1, 20, threads) for one in (rules, again) for threads in (1, 3)]
    assert all(one == told[0] for one in told)


_PLAIN = """\
game: Plain
players: White, Black
board: square(3, 3)
turn: |
  choose s in empty
  place Stone at s
end: White wins when count own > 3
stuck: draw
"""
