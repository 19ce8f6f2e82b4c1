"""Native code in the command line: which backend plays, what it tells, what is compiled."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from library_games import deep_games

from gdl.analysis.plan_in_words import plan_in_words
from gdl.core.listing import Names, listing
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.native.game_code import form_of_sets
from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered
from gdl.interpreter.native.wasm.module import wasm_code, wasm_module
from gdl.load import load_game, shipped_names

UNCOVERED = """
game: Halving
players: White, Black
board: square(2, 2)
state: {part: fraction = 1}
turn: |
  choose s in empty
  place Stone at s
  set part = part / 3
stuck: draw
"""


def gdl(*arguments: object) -> Any:
    return CliRunner().invoke(make_app(), [str(argument) for argument in arguments])


def data(*arguments: object) -> Any:
    result = gdl(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture
def uncovered(tmp_path: Path) -> Path:
    path = tmp_path / "halving.yaml"
    path.write_text(UNCOVERED, "utf-8")
    return path


# ---------------------------------------------------------------------------- backends


@pytest.mark.usefixtures("games_loaded_anew")
@pytest.mark.parametrize("command", [("playout", "-n", 5, "--seed", 1), ("perft", 2)])
def test_native_code_plays_unless_asked_otherwise(command: tuple[object, ...]) -> None:
    name, *rest = command
    told = data(name, "tic-tac-toe", *rest)
    by_reference = data(name, "tic-tac-toe", *rest, "--backend", "reference")
    assert (told["backend"], by_reference["backend"]) == ("native", "reference")
    assert set(told["times"]) == {"parse", "check", "lower", "llvm"}
    assert set(by_reference["times"]) == {"parse", "check"}
    for one in (told, by_reference):
        assert all(seconds > 0 for seconds in one["times"].values())
        assert one["compile_seconds"] >= sum(one["times"].values())
    same = {"nodes", "seed", "playouts"}
    assert {k: told[k] for k in same & set(told)} == {k: by_reference[k] for k in same & set(told)}


@pytest.mark.parametrize("command", [("playout", "-n", 5, "--seed", 1), ("perft", 2)])
def test_what_is_not_covered_is_played_by_the_reference(
    uncovered: Path, command: tuple[object, ...]
) -> None:
    name, *rest = command
    result = gdl(name, uncovered, *rest, "--threads", 2, "--json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert (told["backend"], told["threads"]) == ("reference", 1)
    assert "warning[not-native]" in result.stderr and f"{uncovered}:5" in result.stderr


def test_native_code_that_was_asked_for_must_be_had(uncovered: Path) -> None:
    result = gdl("playout", uncovered, "--backend", "native")
    assert result.exit_code == 1 and result.stdout == ""
    assert "error[not-native]" in result.stderr and "--backend reference" in result.stderr


def test_what_is_uncovered_nowhere_stands_at_the_games_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*arguments: object, **named: object) -> None:
        raise Uncovered("anything")

    monkeypatch.setattr(NativeRules, "__init__", refuse)
    result = gdl("perft", "hex", 1, "--backend", "native")
    assert result.exit_code == 1 and "hex.yaml:1" in result.stderr


def test_without_llvmlite_the_reference_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gdl.interpreter.native.runtime.rules", None)
    result = gdl("perft", "tic-tac-toe", 2)
    assert (result.stdout, result.exit_code) == ("72\n", 0) and "no-backend" in result.stderr
    assert gdl("perft", "tic-tac-toe", 2, "--backend", "native").exit_code == 2


def test_threads_share_the_work() -> None:
    alone = data("playout", "othello", "-n", 30, "--seed", 4)
    shared = data("playout", "othello", "-n", 30, "--seed", 4, "--threads", 3)
    assert alone["outcomes"] == shared["outcomes"]
    assert (alone["threads"], shared["threads"]) == (1, 3)
    divided = data("perft", "tic-tac-toe", 3, "--divide", "--threads", 2)
    assert divided["divide"]["b2"] == 56 and divided["nodes"] == 504
    assert data("perft", "tic-tac-toe", 3, "--threads", 2)["nodes"] == 504


def test_checked_code_plays_the_same_games() -> None:
    usual = data("playout", "go", "-n", 5, "--seed", 2, "--max-plies", 100)
    checked = data("playout", "go", "-n", 5, "--seed", 2, "--max-plies", 100, "--checked")
    assert checked["outcomes"] == usual["outcomes"]


# ----------------------------------------------------------------------------- compile


def test_the_core_is_listed() -> None:
    text = gdl("compile", "hex", "--raw").stdout
    assert "phase play, turn of Red\n  choose s in difference(cells, union(" in text
    assert "image[touching]" in text and "end Blue wins when some(" in text
    optimised = gdl("compile", "hex").stdout
    assert optimised.startswith("state\n") and optimised != text


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_every_game_can_be_listed(name: str) -> None:
    result = gdl("compile", name, "--raw")
    assert result.exit_code == 0 and "turn of" in result.stdout
    assert "0x" not in result.stdout and "object at" not in result.stdout


def test_options_and_variants_are_compiled_too() -> None:
    assert "<4 values>" not in gdl("compile", "hex", "--option", "size=2").stdout
    plain, pie = (gdl("compile", "hex", *more).stdout for more in ((), ("--option", "pie=yes")))
    assert "seat of Red" in pie and "seat of Red" not in plain


@pytest.mark.at_night("chess")
@pytest.mark.parametrize("name", ["hex", "chess", "go", "nine-mens-morris"])
def test_what_is_printed_is_what_code_is_written_from(name: str) -> None:
    game = load_game(name)
    plan = NativeRules(game).code.written.shared.plan
    sites = tuple(site.name for site in game.board.sites)
    core = listing(plan.program, Names(sites, game.sides, game.relations, game.regions))
    assert gdl("compile", name).stdout.strip() == core.strip()
    words = plan_in_words(plan, game.sides, form_of_sets(len(sites)))
    assert gdl("compile", name, "--emit", "plan").stdout.strip() == words.strip()


def test_llvms_code_and_machine_code() -> None:
    raw = gdl("compile", "tic-tac-toe", "--emit", "llvm", "--raw").stdout
    optimised = gdl("compile", "tic-tac-toe", "--emit", "llvm").stdout
    assembly = gdl("compile", "tic-tac-toe", "--emit", "asm").stdout
    assert "define i64 @playouts(" in raw and "define" in optimised and raw != optimised
    assert "playouts:" in assembly and "define" not in assembly


def test_raw_code_says_where_in_the_file_it_comes_from(tmp_path: Path) -> None:
    path = tmp_path / "odd\nname.yaml"
    path.write_text(
        "game: Gift\nplayers: White, Black\nboard: square(2, 2)\nturn: |\n"
        "  choose s in empty # @playouts(\n  place Stone at s\n  require some corners - s\n"
        "  optionally\n    choose t in empty\n    place Stone at t\n"
        "end: White wins when count own > 2\nstuck: draw\n",
        "utf-8",
    )
    text = gdl("compile", path, "--emit", "llvm", "--raw").stdout
    told = {line.strip() for line in text.splitlines() if line.lstrip().startswith(";")}
    assert {
        "; odd name.yaml:5:3 choose s in empty",
        "; odd name.yaml:6:3 place Stone at s",
        "; odd name.yaml:7:3 require some corners - s",
        "; odd name.yaml:9:5 choose t in empty",
        "; odd name.yaml:11:6 White wins when count own > 2",
    } <= told
    counting = text.split("define i64 @playouts(")[1].split("\n}")[0]
    assert ";" not in counting


@pytest.mark.parametrize("name", ["hex", "trellis", "nine-mens-morris"])
def test_comments_change_nothing(name: str) -> None:
    code = NativeRules(load_game(name)).code
    lines = [line for line in code.ir.splitlines() if not line.lstrip().startswith(";")]
    assert lines != code.ir.splitlines()
    assert lines == "\n".join((code.games.text, code.calls.text)).splitlines()


def test_a_module_is_written_to_a_file(tmp_path: Path, uncovered: Path) -> None:
    path = tmp_path / "hex.wasm"
    assert gdl("compile", "hex", "--emit", "wasm", "-o", path).exit_code == 0
    assert path.read_bytes() == wasm_module(wasm_code(load_game("hex"))).code
    checked = tmp_path / "checked.wasm"
    assert gdl("compile", "hex", "--emit", "wasm", "--checked", "-o", checked).exit_code == 0
    assert len(checked.read_bytes()) > len(path.read_bytes())
    refused = gdl("compile", uncovered, "--emit", "wasm", "-o", tmp_path / "none")
    assert refused.exit_code == 1 and "error[not-native]" in refused.stderr
    assert f"{uncovered}:5" in refused.stderr and not (tmp_path / "none").exists()


@pytest.mark.parametrize("more", [("--emit", "wasm"), ("-o", "x"), ("--raw", "--emit", "wasm")])
def test_only_a_module_is_written_to_a_file(more: tuple[str, ...]) -> None:
    result = gdl("compile", "hex", *more)
    assert result.exit_code == 2 and "wrong-option" in result.stderr


def test_machine_code_is_not_to_be_had_raw(uncovered: Path) -> None:
    assert gdl("compile", "hex", "--emit", "asm", "--raw").exit_code == 2
    assert gdl("compile", uncovered, "--emit", "llvm").exit_code == 1
    assert gdl("compile", uncovered).exit_code == 0
