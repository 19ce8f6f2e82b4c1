"""What code is written for: another target is another object, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import llvmlite.binding as llvm
import pytest
from doc_pages import ROOT

from gdl.load import load_game
from interpreter.native.emit.target import Target
from interpreter.native.runtime import compiled
from interpreter.native.runtime.machine_code import Compilation, Effort, this_machine
from interpreter.native.runtime.rules import NativeRules

GAMES = ("gomoku", "othello", "chess", "tumbleweed")


def table_inside(name: str, data: memoryview[int]) -> str:
    """Return what a text says of a table that is part of the module."""
    values = "".join(f"\\{byte:02X}" for byte in bytes(data))
    return f'@{name} = internal constant [{len(data)} x i8] c"{values}"'


def written_for(target: Target, name: str, monkeypatch: pytest.MonkeyPatch) -> NativeRules:
    with monkeypatch.context() as patched:
        patched.setattr(compiled, "this_machine", lambda: target)
        return NativeRules(load_game(name))


@pytest.mark.parametrize("name", GAMES)
def test_a_plain_target_with_tables_in_the_module_plays_the_same_games(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = NativeRules(load_game(name))
    plain = replace(this_machine(), features="", table=table_inside)
    rules = written_for(plain, name, monkeypatch)
    assert "external constant" not in rules.code.ir and "pdep" not in rules.code.ir
    assert rules.playouts(rules.start(), 20, 5, 300) == usual.playouts(usual.start(), 20, 5, 300)


@pytest.mark.parametrize("name", GAMES)
def test_code_for_another_processor_is_compiled(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = Target(
        triple="wasm32-unknown-unknown",
        processor="",
        features="+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals",
        address_bytes=4,
        table=table_inside,
        libraries=(),
    )
    rules = written_for(target, name, monkeypatch)
    code = Compilation(rules.code.games.text, target, Effort.FULL).object_code()
    assert code.startswith(b"\0asm")


def test_one_module_alone_asks_llvm() -> None:
    asking = [
        path.relative_to(ROOT).as_posix()
        for folder in ("gdl", "interpreter")
        for path in (ROOT / folder).rglob("*.py")
        if "import llvmlite" in path.read_text("utf-8")
    ]
    assert asking == ["interpreter/native/runtime/machine_code.py"]
