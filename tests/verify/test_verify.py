"""`gdl verify`, and what it is for: native code plays every shipped game as the reference does."""

from __future__ import annotations

import json
import shlex
import signal
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any
from weakref import finalize

import pytest
from click.testing import CliRunner
from library_games import FEWEST, deep_games

from gdl.diagnostic import Diagnostic, GameError
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import Playout, State
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify import Limits, combinations_of, edges_of, verify
from gdl.interpreter.verify.deadline import TimeUp, limited
from gdl.interpreter.verify.games import RandomGameReplay
from gdl.interpreter.verify.lockstep import Differs
from gdl.interpreter.verify.two_evaluators import TwoEvaluators
from gdl.load import load_game, shipped_names
from gdl.model import Game, OptionInfo
from gdl.resources.budget import Budget, allowed

# ------------------------------------------------------- native code and the shipped games

BRIEF = Limits(games=1, max_plies=12, seconds=0.5)
THOROUGH = Limits(games=10, max_plies=300, seconds=60)


def check(name: str, limits: Limits, *, is_whole: bool) -> None:
    """Hold native code of a game and its variants against the reference; of pairs if `is_whole`."""
    native = pytest.importorskip("gdl.interpreter.native.runtime.rules")
    played = 0
    for combination, game in combinations_of(name, edges=is_whole):
        if len(combination.variants) > 1 and not is_whole:
            continue
        try:
            rules = native.NativeRules(game)
        except native.Uncovered:
            continue
        verdict = verify(ReferenceRules(game), rules, 1, limits)
        assert verdict.difference is None, f"{name} {combination.arguments}: {verdict.difference}"
        assert verdict.failures == ()
        played += verdict.compared.plies
    if not played:
        pytest.skip("native code does not cover it")


@pytest.mark.parametrize("name", deep_games(shipped_names(), FEWEST))
def test_native_code_plays_alike(name: str) -> None:
    check(name, BRIEF, is_whole=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_names())
def test_native_code_plays_alike_for_long(name: str) -> None:
    check(name, THOROUGH, is_whole=True)


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


def test_how_many_games_were_played_is_told() -> None:
    game, told = load_game("tic-tac-toe"), list[int]()
    verify(ReferenceRules(game), ReferenceRules(game), limits=Limits(games=3), tell=told.append)
    assert told == [0, 1, 2]


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


def test_options_of_a_variant_are_tried_with_it(tmp_path: Path) -> None:
    text = VARIED.replace("    options: {size: 2}", "    options: {size: 2, brisk: no}")
    path = tmp_path / "added.yaml"
    path.write_text(text, "utf-8")
    found = [c for c, _ in combinations_of(str(path), edges=True) if "brisk" in c.options]
    assert [(c.variants, c.options) for c in found] == [(("small",), {"brisk": "yes"})]


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
        self.diagnostic = Diagnostic("not-native", "This can't be compiled.", span)


def refusing(game: Game) -> None:
    raise Uncovered(game)


def gdl(monkeypatch: pytest.MonkeyPatch, rules: Any, *arguments: object) -> Any:
    """Run `gdl verify` with an evaluator in the place of native code."""
    module = ModuleType("gdl.interpreter.native.runtime.rules")
    module.NativeRules = rules  # type: ignore[attr-defined]
    module.Uncovered = Uncovered  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gdl.interpreter.native.runtime.rules", module)
    monkeypatch.delitem(sys.modules, "gdl.interpreter.verify.packed", raising=False)
    return CliRunner().invoke(make_app(), ["verify", *map(str, arguments)])


def test_verify_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = varied(tmp_path)
    result = gdl(monkeypatch, Right, file, "-n", 2, "--options")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"{file}: same (2 games with ")
    assert lines[4].startswith(f"{file} --variant misere --variant small: same (2 games with ")
    assert [line.split(":")[0] for line in lines[6:]] == [
        f"{file} --option {option}" for option in ("size=2", "size=4", "goal=full", "bold=yes")
    ]


def test_a_module_is_held_against_the_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["verify", "tic-tac-toe", "-n", "2", "--backend", "wasm"]
    result = CliRunner().invoke(make_app(), command)
    assert result.exit_code == 0 and "same (2 games" in result.stdout
    monkeypatch.setitem(sys.modules, "gdl.interpreter.native.wasm.rules", None)
    result = CliRunner().invoke(make_app(), command)
    assert result.exit_code == 2 and "pip install '.[wasm]'" in result.stderr


def test_a_difference_names_what_is_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("rules")
    module.WasmRules = Wrong  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gdl.interpreter.native.wasm.rules", module)
    file = varied(tmp_path)
    command = ["verify", file, "--variant", "other", "--backend", "wasm"]
    told = CliRunner().invoke(make_app(), command).stdout
    assert "    wasm:      1 move" in told and "--seed 0 --backend wasm" in told
    found = json.loads(CliRunner().invoke(make_app(), [*command, "--json"]).stdout)
    assert found[0]["difference"]["wasm"] == "1 move"


def test_verify_tells_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = varied(tmp_path)
    result = gdl(monkeypatch, Wrong, file, "--variant", "other", "-n", 3, "--option", "size=2")
    assert result.exit_code == 1
    first, after, reference, native, again = result.stdout.splitlines()
    named = f"{file} --variant other --option size=2"
    assert first.startswith(f"{named}: different (1 game with ")
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


HARMLESS_SET_UP = """
game: Placing, then moving
players: A, B
board: square(4, 4)
regions:
  home(A): rows(1)
  home(B): rows(4)
state:
  n: number
phases:
  placing: |
    choose s in home(mover) & empty
    place Stone at s
    if some home(mover) & empty
      again
    else if mover = B
      go to playing
  playing:
    turn: |
      choose s in own
      choose t in adjacent(s) & empty
      move s to t
      add 1 to n
    end: draw when n = 30
    stuck: draw
"""
STRANDING = """
game: Stranding
players: X, O
board: square(3, 3)
turn: |
  choose s in empty
  place Stone at s
"""
FAILING_AT_ONCE = """
game: Growing at once
players: A, B
board: square(3, 3)
state:
  n: number in 0..3
turn: |
  choose s in empty
  set n = row(s) * 2
  place Stone at s
end:
  - draw when full
"""
ENDLESS = """
game: Endless
players: A, B
board: square(2, 2)
turn: |
  choose s in all
  place Stone at s
"""
ENDING_LATE = """
game: Ending now and then
players: A, B
board: square(2, 2)
turn: |
  choose s in all
  place Stone at s
end: draw when Stone = a1 | b2
"""
GOING_WRONG_LATER = """
game: Wrong at the third
players: A, B
board: square(2, 1)
state:
  n: number in 0..2
turn: |
  choose s in all
  add 1 to n
end: draw when turns = 9
"""


def written(folder: Path, text: str) -> str:
    path = folder / "written.yaml"
    path.write_text(text, "utf-8")
    return str(path)


def verified(file: str, *arguments: object) -> tuple[Any, Any]:
    """Return the result of `gdl verify` of native code, and what it tells as JSON."""
    app = make_app()
    command = ["verify", file, *map(str, arguments)]
    result = CliRunner().invoke(app, command)
    (told,) = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)
    assert (result.exit_code == 0) == (told["result"] == "same")
    return result, told


def test_a_side_without_a_move_in_a_set_up_position_ends_no_game(tmp_path: Path) -> None:
    result, told = verified(written(tmp_path, HARMLESS_SET_UP), "-n", 2)
    assert result.exit_code == 0 and result.stderr == ""
    assert (told["games"], told["random_games"], told["finished"]) == (2, 2, 4)
    assert told["plies"] == told["random_plies"] == 2 * 38 and told["positions"] == 4 * 39
    assert told["moves"] > told["positions"] and told["cut"] == 0 and told["stopped_by"] == []
    expected = "same (2 games with 76 plies, 2 random games with 76 plies; 156 positions, "
    assert expected in result.stdout


def test_a_failure_of_the_rules_is_shown_by_its_game(tmp_path: Path) -> None:
    file = written(tmp_path, STRANDING)
    result, told = verified(file, "-n", 2)
    assert result.exit_code == 1
    assert "error[no-move-no-stuck]: O has no legal move" in result.stderr
    assert f"{file}: rules fail (2 games with " in result.stdout
    assert "no game came to its end" in result.stdout
    (failure,) = told["failures"]
    assert len(failure["after"]) == 9 and failure["diagnostic"]["code"] == "no-move-no-stuck"
    (again,) = [line for line in result.stdout.splitlines() if line.startswith("  again: gdl ")]
    replayed = CliRunner().invoke(make_app(), shlex.split(again)[2:])
    assert replayed.exit_code == 1 and "no-move-no-stuck" in replayed.stderr


def test_a_failure_at_the_first_move_is_found(tmp_path: Path) -> None:
    result, told = verified(written(tmp_path, FAILING_AT_ONCE))
    assert result.exit_code == 1 and "error[overflow]" in result.stderr
    assert told["result"] == "rules fail"
    (failure,) = told["failures"]
    assert len(failure["after"]) == 1 and failure["diagnostic"]["line"] == 9


def test_each_failure_is_told_once_by_a_shortest_game(tmp_path: Path) -> None:
    _, told = verified(written(tmp_path, GOING_WRONG_LATER), "-n", 5)
    (failure,) = told["failures"]
    assert len(failure["after"]) == 3


def test_games_without_an_end_are_told(tmp_path: Path) -> None:
    result, told = verified(written(tmp_path, ENDLESS), "-n", 1, "--max-plies", 10)
    assert result.exit_code == 3 and "no end seen" in result.stdout
    assert "left unfinished by `--max-plies 10`: 2 of 2 games" in result.stdout
    assert "warning[no-end-compared]" in result.stderr
    assert told["result"] == "no end seen" and told["stopped_by"] == ["max_plies"]
    assert (told["finished"], told["cut"], told["plies"], told["random_plies"]) == (0, 2, 10, 10)
    (warning,) = told["diagnostics"]
    assert warning["code"] == "no-end-compared" and "--max-plies 10" in warning["hint"]


def test_games_that_the_time_has_stopped_are_told() -> None:
    game = load_game("tic-tac-toe")
    verdict = verify(ReferenceRules(game), Thinks(game), limits=Limits(seconds=0.5))
    assert verdict.stopped_by == ("seconds",) and not verdict.compared.finished


def test_one_end_is_enough(tmp_path: Path) -> None:
    result, told = verified(written(tmp_path, ENDING_LATE), "--max-plies", 3)
    assert result.exit_code == 0 and told["finished"] and told["cut"]
    assert told["finished"] + told["cut"] == told["games"] + told["random_games"]
    assert f"left unfinished by `--max-plies 3`: {told['cut']} of 40 games" in result.stdout


def test_nothing_compared_is_told(tmp_path: Path) -> None:
    result, told = verified(written(tmp_path, ENDLESS), "--seconds", 0)
    assert result.exit_code == 3 and told["stopped_by"] == ["seconds"]
    assert "nothing compared" in result.stdout and "error[nothing-compared]" in result.stderr
    assert told["result"] == "nothing compared" and not told["in_time"]
    assert told["diagnostics"][0]["code"] == "nothing-compared"


class Thinks(ReferenceRules):
    """Needs minutes to list the moves, once there are six."""

    def legal(self, state: State) -> Sequence[Move]:
        moves = super().legal(state)
        if len(moves) == 6:
            time.sleep(300)
        return moves


@pytest.mark.parametrize("evaluators", [(ReferenceRules, Thinks), (Thinks, ReferenceRules)])
def test_the_time_ends_within_a_ply(evaluators: tuple[Any, Any]) -> None:
    game = load_game("tic-tac-toe")
    begun = time.monotonic()
    verdict = verify(*(make(game) for make in evaluators), limits=Limits(seconds=1))
    assert time.monotonic() - begun < 100
    assert not verdict.in_time and verdict.difference is None
    assert verdict.compared.plies == 3 and verdict.compared.positions == 3


class Faulty(ReferenceRules):
    """Goes wrong by itself when the second stone of the board is placed."""

    def apply(self, state: State, move: Move) -> State:
        after = super().apply(state, move)
        if sum(value.bit_count() for value in after.values[:2]) == 2:
            raise ValueError("this is no rule's fault")
        return after


@pytest.mark.parametrize("evaluators", [(Faulty, Right), (Right, Faulty), (Faulty, Faulty)])
def test_a_fault_of_either_evaluator_is_told(evaluators: tuple[Any, Any]) -> None:
    game = load_game("tic-tac-toe")
    verdict = verify(*(make(game) for make in evaluators), limits=Limits(games=1))
    difference = verdict.difference
    assert difference is not None and difference.kind == "state" and len(difference.moves) == 2
    told = [difference.first, difference.second]
    fault = "a fault: ValueError: this is no rule's fault"
    assert told == [fault if make is Faulty else "a state" for make in evaluators]


@pytest.mark.parametrize("evaluators", [(Faulty, Right), (Right, Faulty)])
def test_a_fault_is_told_where_random_games_are_followed(evaluators: tuple[Any, Any]) -> None:
    class Drawing(evaluators[1]):  # type: ignore[misc]
        def playout(self, state: State, chance: Chance, max_plies: int) -> Playout:
            return ReferenceRules(self.game).playout(state, chance, max_plies)

    game = load_game("tic-tac-toe")
    lockstep = TwoEvaluators(evaluators[0](game), Drawing(game))
    with pytest.raises(Differs) as found:
        RandomGameReplay(lockstep, partial(Chance, 0, 0)).follow(9, lambda: None)
    difference = found.value.difference
    assert "a fault: ValueError" in difference.first + difference.second
    assert len(difference.moves) == 2


def test_the_time_of_compiling_is_not_counted() -> None:
    class Prepares(ReferenceRules):
        ready = False

        def compile(self) -> None:
            self.ready = signal.getitimer(signal.ITIMER_REAL) == (0, 0)

    rules = Prepares(load_game("tic-tac-toe"))
    assert verify(ReferenceRules(rules.game), rules, limits=Limits(1, 0)).in_time
    assert rules.ready


def test_verify_warns_of_what_is_not_native(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = varied(tmp_path)
    result = gdl(monkeypatch, refusing, file, "--variant", "other")
    assert result.exit_code == 0
    assert "other: not native, nothing compared; the reference" in result.stdout
    assert "warning[not-native]" in result.stderr and "choose s in empty" in result.stderr
    assert "help: The reference interpreter plays it" in result.stderr
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
    monkeypatch.setitem(sys.modules, "gdl.interpreter.native.runtime.rules", None)
    monkeypatch.delitem(sys.modules, "gdl.interpreter.verify.packed", raising=False)
    result = CliRunner().invoke(make_app(), ["verify", "tic-tac-toe"])
    assert result.exit_code == 2 and "no-backend" in result.stderr


def test_a_turn_that_takes_too_much_work_ends_all_games() -> None:
    file = Path(__file__).parents[1] / "hostile" / "orders.yaml"
    with allowed(Budget(0.02)):
        game = load_game(str(file))
        verdict = verify(ReferenceRules(game), ReferenceRules(game), 1, Limits(games=20))
    assert [failure.diagnostic.code for failure in verdict.failures] == ["too-much-work"]
    assert verdict.compared.games == 1 and verdict.in_time


def busy() -> None:
    end = time.monotonic() + 0.1
    while time.monotonic() < end:
        pass


class Slow:
    def __del__(self) -> None:
        busy()


class KnownWeakly:
    def __init__(self) -> None:
        finalize(self, busy)


@pytest.mark.parametrize("kind", [Slow, KnownWeakly])
def test_the_time_that_ends_while_an_object_is_freed_ends_after_it(
    monkeypatch: pytest.MonkeyPatch, kind: type
) -> None:
    lost: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", lost.append)
    with pytest.raises(TimeUp), limited(0.05):
        kind()
        time.sleep(100)
    assert not lost
