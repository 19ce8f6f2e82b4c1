"""What code is written for: another target is another object, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from doc_pages import ROOT

from gdl.interpreter.native.emit.target import Target, table_inside
from gdl.interpreter.native.game_code import WHOLE
from gdl.interpreter.native.runtime import compiled
from gdl.interpreter.native.runtime.machine_code import this_machine
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.native.wasm.module import wasm_code, wasm_module
from gdl.load import load_game

GAMES = ("gomoku", "othello", "chess", "tumbleweed")


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
def test_a_module_for_another_processor_lacks_nothing(name: str) -> None:
    module = wasm_module(wasm_code(load_game(name)))
    assert module.code.startswith(b"\0asm")
    assert sorted(module.functions.values()) == [*range(1, len(WHOLE) + 1)]


def test_one_module_alone_asks_llvm() -> None:
    asking = [
        path.relative_to(ROOT).as_posix()
        for folder in ("gdl", "interpreter")
        for path in (ROOT / folder).rglob("*.py")
        if "import llvmlite" in path.read_text("utf-8")
    ]
    assert asking == ["interpreter/native/runtime/machine_code.py"]
