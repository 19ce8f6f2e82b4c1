"""`gdl verify`, and what it is for: native code plays every shipped game as the reference does."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner

from gdl.diagnostic import Diagnostic, GameError
from gdl.load import load_game, shipped_names
from gdl.model import Game, OptionInfo
from interpreter.cli.registry import make_app
from interpreter.evaluation.evaluator import State
from interpreter.evaluation.moves import Move
from interpreter.positions.position import Rules
from interpreter.reference.rules import ReferenceRules
from interpreter.verify import Limits, combinations_of, edges_of, verify

# ------------------------------------------------------- native code and the shipped games

BRIEF = Limits(games=1, max_plies=12, seconds=0.5, shrink_seconds=5)
THOROUGH = Limits(games=10, max_plies=300, seconds=60, shrink_seconds=60)


def check(name: str, limits: Limits, *, edges: bool) -> None:
    native = pytest.importorskip("interpreter.native.runtime.rules")
    played = 0
    for combination, game in combinations_of(name, edges=edges):
        try:
            rules = native.NativeRules(game)
        except native.Uncovered:
            continue
        rules.code.compile_searches()
        verdict = verify(ReferenceRules(game), rules, 1, limits)
        assert verdict.difference is None, f"{name} {combination.arguments}: {verdict.difference}"
        played += verdict.plies
    if not played:
        pytest.skip("native code does not cover it")


@pytest.mark.parametrize("name", shipped_names())
def test_native_code_plays_alike(name: str) -> None:
    check(name, BRIEF, edges=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_names())
def test_native_code_plays_alike_for_long(name: str) -> None:
    check(name, THOROUGH, edges=True)


# --------------------------------------------------------------------- the combinations

VARIED = """
game: Varied
players: White, Black
options:
  size: 3 in 2..4
  goal: row in row, full
  bold: no
board: square(size, size)
turn: |
  choose s in empty
  place Stone at s
end:
  - mover wins when goal = row and in_a_row(own, 2) and not bold
  - draw when full
variants:
  misere:
    end:
      - mover loses when in_a_row(own, 2)
      - draw when full
  other:
    end:
      - draw when full
  small:
    options: {size: 2}
"""


def varied(folder: Path) -> str:
    path = folder / "varied.yaml"
    path.write_text(VARIED, "utf-8")
    return str(path)


def test_variants_are_combined_as_far_as_they_can_be(tmp_path: Path) -> None:
    found = [combination.variants for combination, _ in combinations_of(varied(tmp_path))]
    assert found == [
        (),
        ("misere",),
        ("other",),
        ("small",),
        ("misere", "small"),
        ("other", "small"),
    ]


def test_what_is_asked_for_is_all_that_is_combined(tmp_path: Path) -> None:
    ((combination, game),) = combinations_of(varied(tmp_path), ["misere"], {"size": "4"})
    assert combination.arguments == "--variant misere --option size=4"
    assert game.board.size == 16


def test_options_are_tried_at_their_edges(tmp_path: Path) -> None:
    found = [c.options for c, _ in combinations_of(varied(tmp_path), ["misere"], edges=True)]
    assert found == [{}, {"size": "2"}, {"size": "4"}, {"goal": "full"}, {"bold": "yes"}]


def test_a_game_that_cant_be_loaded_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GameError):
        list(combinations_of(varied(tmp_path), ["nix"]))


@pytest.mark.parametrize(
    ("default", "allowed", "edges"),
    [
        ("5", "2..9", ("2", "9")),
        ("2", "2..9", ("9",)),
        ("-1", "-3..-1, 7", ("-3", "7")),
        ("3", "2, 3, 5", ("2", "5")),
        ("3", "", ()),
        ("no", "", ("yes",)),
        ("White", "", ("Black",)),
        ("b", "a, b, c", ("a", "c")),
        ("0.5", "", ()),
        ("..\nX.", "a position in rows", ()),
    ],
)
def test_edges(default: str, allowed: str, edges: tuple[str, ...]) -> None:
    option = OptionInfo("it", default, default, allowed)
    assert edges_of(option, ("White", "Black")) == edges


# -------------------------------------------------------------------------- the command


class Right(ReferenceRules):
    """Plays as the reference does."""


class Wrong(ReferenceRules):
    """Drops the last move where there are two."""

    def legal(self, state: State) -> Sequence[Move]:
        moves = super().legal(state)
        return moves[:1] if len(moves) == 2 else moves


class Uncovered(Exception):
    """A construct can't be compiled."""

    def __init__(self, game: Game) -> None:
        super().__init__("uncovered")
        span = game.program.phases[0].turns[0].program[0].span
        self.diagnostic = Diagnostic("not-native", "This can't be compiled.", span, "", "warning")


def refusing(game: Game) -> None:
    raise Uncovered(game)


def gdl(monkeypatch: pytest.MonkeyPatch, rules: Any, *arguments: object) -> Any:
    """Run `gdl verify` with an evaluator in the place of native code."""
    module = ModuleType("interpreter.native.runtime.rules")
    module.NativeRules = rules  # type: ignore[attr-defined]
    module.Uncovered = Uncovered  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "interpreter.native.runtime.rules", module)
    return CliRunner().invoke(make_app(), ["verify", *map(str, arguments)])


def test_verify_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = varied(tmp_path)
    result = gdl(monkeypatch, Right, file, "-n", 2, "--options")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"{file}: same (2 games, ")
    assert lines[4].startswith(f"{file} --variant misere --variant small: same (2 games, ")
    assert [line.split(":")[0] for line in lines[6:]] == [
        f"{file} --option {option}" for option in ("size=2", "size=4", "goal=full", "bold=yes")
    ]


def test_verify_tells_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = varied(tmp_path)
    result = gdl(monkeypatch, Wrong, file, "--variant", "other", "-n", 3, "--option", "size=2")
    assert result.exit_code == 1
    first, after, reference, native, again = result.stdout.splitlines()
    named = f"{file} --variant other --option size=2"
    assert first.startswith(f"{named}: different (1 game, ")
    assert after.startswith("  moves after: ") and after.endswith("(no shorter game differs)")
    assert reference == "    reference: 2 moves; number 2 is `b2` (decisions 3)"
    assert native == "    native:    1 move"
    assert again == f"  again: gdl verify {named} -n 3 --max-plies 200 --seed 0"
    repeated = gdl(monkeypatch, Wrong, *again.split()[3:])
    assert repeated.stdout == result.stdout


def test_verify_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = varied(tmp_path)
    found = json.loads(gdl(monkeypatch, Wrong, file, "--variant", "other", "--json").stdout)
    assert [(one["file"], one["variants"], one["result"]) for one in found] == [
        (file, ["other"], "different")
    ]
    difference = found[0]["difference"]
    assert difference["kind"] == "moves" and difference["is_shortest"]
    position = Rules(load_game(file, variants=["other"])).start()
    for text in difference["after"]:
        position = position.play(text)
    assert len(position.moves()) == 2


def test_verify_warns_of_what_is_not_native(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = varied(tmp_path)
    result = gdl(monkeypatch, refusing, file, "--variant", "other")
    assert result.exit_code == 0
    assert result.stdout.endswith("other: not native; the reference interpreter plays it\n")
    assert "warning[not-native]" in result.stderr and "choose s in empty" in result.stderr
    (told,) = json.loads(gdl(monkeypatch, refusing, file, "--variant", "other", "--json").stdout)
    assert told["result"] == "not native" and told["diagnostics"][0]["line"] == 10


def test_verify_goes_on_after_a_file_that_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(VARIED.replace("choose s in empty", "choose s in emty"), "utf-8")
    result = gdl(monkeypatch, Right, wrong, varied(tmp_path), "--variant", "other", "-n", 1)
    assert result.exit_code == 1
    assert "unknown-name" in result.stderr and "same (1 game" in result.stdout


def test_verify_needs_native_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "interpreter.native.runtime.rules", None)
    result = CliRunner().invoke(make_app(), ["verify", "tic-tac-toe"])
    assert result.exit_code == 2 and "no-backend" in result.stderr
