"""Machine code that is kept on disk: found again, bounded, and never taken from anybody else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gdl.interpreter.native.runtime import machine_code
from gdl.interpreter.native.runtime.machine_code import (
    OFF,
    VARIABLE,
    Compilation,
    MachineCode,
    keep,
    kept,
)
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.load import load_game

TEXT = "define i64 @answer() {\n  ret i64 %d\n}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "code"
    monkeypatch.setenv(VARIABLE, str(place))
    return place


def answer(number: int = 42) -> int:
    import ctypes

    made = MachineCode(TEXT % number)
    try:
        return int(made.function("answer", ctypes.c_int64)())
    finally:
        made.close()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def refuse_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    def compiled(self: Compilation) -> bytes:
        raise AssertionError("it was compiled again")

    monkeypatch.setattr(Compilation, "object_code", compiled)


def test_what_was_compiled_once_is_found_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answer() == 42
    assert len(names(folder)) == 1
    refuse_to_compile(monkeypatch)
    assert answer() == 42
    with pytest.raises(AssertionError, match="compiled again"):
        answer(43)


def test_a_game_with_tables_is_played_alike_when_its_code_is_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def played() -> object:
        rules = NativeRules(load_game("antichess"))
        try:
            assert rules.code.written.tables
            rules.compile()
            games = rules.playouts(rules.start(), 20, 7, 200)
            return games, rules.perft(rules.start(), 3)
        finally:
            rules.close()

    first = played()
    refuse_to_compile(monkeypatch)
    assert played() == first


@pytest.mark.parametrize("setting", ["_PASSES", "_CODE_LEVEL"])
def test_code_that_is_made_otherwise_is_other_code(
    folder: Path, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    answer()
    monkeypatch.setattr(machine_code, setting, {"_PASSES": (), "_CODE_LEVEL": 0}[setting])
    answer()
    assert len(names(folder)) == 2


def test_code_of_one_name_is_not_that_of_another(folder: Path) -> None:
    keep("one", b"code")
    (folder / "one").rename(folder / "other")
    assert kept("one") is None
    assert kept("other") is None


def test_nothing_is_kept_where_that_is_switched_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(VARIABLE, OFF)
    assert answer() == 42
    assert list(tmp_path.iterdir()) == []


def test_what_was_used_longest_ago_goes_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_code, "MOST_BYTES", 500)
    for number in range(4):
        keep(f"{number}", bytes(68))
        os.utime(folder / f"{number}", (number, number))
    assert kept("0") == bytes(68)
    keep("4", bytes(130))
    assert names(folder) == ["0", "3", "4"]


def test_a_folder_with_much_room_is_not_looked_through_each_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_code, "MOST_BYTES", 2000)
    looks: list[Path] = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda place: looks.append(place) or scandir(place))
    for number in range(9):
        keep(f"{number}", bytes(100))
    assert len(looks) == 1
    for number in range(9, 40):
        keep(f"{number}", bytes(100))
        assert sum(file.stat().st_size for file in folder.iterdir()) <= 2000
    assert len(looks) < 20
