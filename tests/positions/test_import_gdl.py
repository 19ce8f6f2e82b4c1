"""What `import gdl` offers: its names, when they are imported, and what its functions take."""

from __future__ import annotations

import ast
import doctest
import pickle
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import gdl
from gdl import interpreter
from gdl.interpreter import api
from gdl.load import load_game

ROOT = Path(__file__).parents[2]
TEXT = """\
game: Mine
players: Black, White
board: square(size, size)
options:
  size: {default: 3, in: 2..9}
turn: |
  choose s in empty
  place Stone at s
end: |
  mover wins when count own = 3
variants:
  large: {options: {size: {default: 5, in: 2..9}}}
"""
SENTENCES = "game: Sentences\nplayers: A, B\nboard: square(3, 3)\nturn: pss\n"


def names_that_are_typed() -> dict[str, str]:
    """Return the names that a type checker sees in the package, each with its module."""
    tree = ast.parse((ROOT / "gdl" / "__init__.py").read_text("utf-8"))
    (typed,) = (
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    imports = [node for node in typed.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


def test_each_name_is_what_a_type_checker_takes_it_for() -> None:
    typed = names_that_are_typed()
    interfaces = {"gymnasium", "openspiel", "pettingzoo"}
    assert set(typed) == {*gdl.__all__, *interfaces} <= set(dir(gdl))
    for name, module in typed.items():
        if name not in interfaces:
            assert getattr(gdl, name) is getattr(import_module(module), name)
    with pytest.raises(AttributeError, match="has no attribute 'lod'"):
        gdl.lod  # type: ignore[attr-defined]  # noqa: B018


def test_nothing_is_imported_before_it_is_used() -> None:
    asked = "import sys, gdl; print(*(name for name in sys.modules if 'gdl' in name))"
    asked += "; print('interpreter' in sys.modules, 'numpy' in sys.modules, 're' in sys.modules)"
    done = subprocess.run([sys.executable, "-S", "-c", asked], capture_output=True, cwd=ROOT)
    assert done.stdout.split() == [b"gdl", b"False", b"False", b"False"], done.stderr


def test_what_is_documented_has_a_docstring() -> None:
    for name in gdl.__all__:
        found = getattr(gdl, name)
        assert not callable(found) or found.__doc__, name


def test_the_examples_in_docstrings_are_so() -> None:
    for module in (gdl, api):
        assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


def test_an_interface_whose_extra_is_missing_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "gdl.interpreter.learning.pettingzoo", raising=False)
    with pytest.raises(ImportError, match=r"needs pettingzoo.*pip install '.\[rl\]'"):
        gdl.pettingzoo  # noqa: B018


def test_load_is_a_function_whatever_is_imported() -> None:
    module = import_module("gdl.load")
    assert module.load_game is load_game
    assert gdl.load is api.load and pickle.loads(pickle.dumps(gdl.load)) is api.load


def test_names_of_before_are_those_of_today() -> None:
    for name in {*interpreter.__all__} - {"load"}:
        assert getattr(interpreter, name) is getattr(gdl, name)


# ------------------------------------------------------------------------------ loading


def test_options_are_given_by_name() -> None:
    assert gdl.load("hex", size=5).game.digest == load_game("hex", {"size": 5}).digest
    assert gdl.load("hex", {"size": 5}, pie=True).game.digest == (
        load_game("hex", {"size": 5, "pie": "yes"}).digest
    )
    with pytest.raises(gdl.GameError):
        gdl.load("hex", siez=5)


def test_a_text_of_lines_and_a_path_are_files(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(TEXT)
    games = [gdl.load(given, variants="large", size=4) for given in (TEXT, path, str(path))]
    assert len({rules.game.digest for rules in games}) == 1
    assert [len(rules.game.board.sites) for rules in games] == [16] * 3
    with pytest.raises(gdl.GameError) as error:
        gdl.load(SENTENCES)
    (found,) = error.value.diagnostics
    assert found.span is not None and (found.span.source.name, found.span.line) == ("the text", 4)


def test_rules_are_played_natively_where_they_can_be() -> None:
    rules = gdl.load("hex", size=3)
    assert "evaluator" not in vars(rules), "nothing is compiled before it is played"
    assert isinstance(rules.evaluator, gdl.NativeRules)
    by_reference = gdl.load("hex", size=3, evaluator="reference")
    assert isinstance(by_reference.evaluator, gdl.ReferenceRules)
    assert by_reference.start() == rules.start()
    assert by_reference.start().play("b2") == rules.start().play("b2")
    again = pickle.loads(pickle.dumps(rules))
    assert isinstance(again.evaluator, gdl.NativeRules)
    assert again.start().play("b2") == rules.start().play("b2")
    with pytest.raises(ValueError, match="'wasm' is none of auto, native, reference"):
        gdl.load("hex", evaluator="wasm")  # type: ignore[arg-type]


NOT_NATIVE = """\
game: Thirds
players: Black, White
board: square(3, 3)
state: {part: fraction = 1}
turn: |
  choose s in empty
  place Stone at s
  set part = part / 3
stuck: draw
"""


def test_rules_without_native_code_are_played_by_the_reference() -> None:
    rules = gdl.load(NOT_NATIVE)
    assert isinstance(rules.evaluator, gdl.ReferenceRules)
    with pytest.raises(gdl.GameError) as error:
        gdl.load(NOT_NATIVE, evaluator="native").start()
    assert error.value.diagnostics[0].code == "not-native"


# ----------------------------------------------------------------- what rules are asked about


def test_why_is_asked_of_a_position_and_of_moves_after_it() -> None:
    position = gdl.load("tic-tac-toe").start()
    assert gdl.why(position.play("a1"), "a1")[-1].about == "illegal"
    told, _ = gdl.why(position, "b2", after=["a1", position.play("a1").parse("b2")])
    assert (told.about, told.sentence) == ("site", "b2: O Mark, since move 2, `b2`.")
    with pytest.raises(gdl.MoveError):
        gdl.why(position, "b2", after=["z9"])


def test_a_check_finds_the_same_in_a_text_and_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(SENTENCES)
    codes = [[str(found.diagnostic.code) for found in gdl.check(one)] for one in (SENTENCES, path)]
    assert codes[0] == codes[1] and "syntax" in codes[0]


def test_rules_are_compared_and_held_against_games(tmp_path: Path) -> None:
    two, three = (gdl.load("tic-tac-toe", row_of=length, size=4) for length in (2, 3))
    found = gdl.diff(two, three, games=20, seconds=20)
    assert found.difference is not None and len(found.difference.moves) == 3
    path = tmp_path / "games"
    path.write_text("a1, b2, a1\na1, b2\n")
    for games in (path, [("a1", "b2", "a1"), ["a1", "b2"]], [gdl.Recorded(("a1", "b2", "a1"))]):
        wrong = gdl.trace(gdl.load("tic-tac-toe"), games)[0]
        assert wrong is not None and wrong.recorded == "a1"


def test_a_game_is_measured_by_its_text() -> None:
    found = gdl.report(gdl.load(TEXT, size=3), seconds=1)
    assert gdl.report_json(found)["random_games"]["games"] > 0
    assert "Mine" in gdl.report_page(found)


@pytest.mark.parametrize(
    "call",
    [
        *(gdl.symmetries_of, gdl.arrays_of, gdl.actions_of, gdl.rules_in_words),
        *(gdl.NativeRules, gdl.ReferenceRules, gdl.Engine, gdl.engine_for, gdl.Solver),
        lambda game: gdl.Env(game, 1),
        lambda game: gdl.random_games(game, 1),
        lambda game: gdl.NetworkSearch(game, 1, lambda *_: None),
        lambda game: gdl.ForcedWins(game).solve(gdl.load("tic-tac-toe").start(), 1),
        lambda game: gdl.diff(game, game),
        lambda game: gdl.trace(game, [["a1"]]),
        lambda game: gdl.report(game, seconds=0.1),
        lambda game: gdl.tune(game, seconds=0.1),
    ],
)
def test_rules_and_games_are_taken_alike(call: Callable[[object], object]) -> None:
    rules = gdl.load("tic-tac-toe")
    call(rules)
    call(rules.game)
    with pytest.raises(TypeError, match="is wanted, not 'hex'"):
        call("hex")


@pytest.mark.parametrize("seconds", [0, -3, float("nan")])
def test_nothing_is_learned_in_no_time(seconds: float) -> None:
    with pytest.raises(ValueError, match=r"seconds: .* and they must be above 0"):
        gdl.tune(gdl.load("tic-tac-toe"), seconds=seconds)


@pytest.mark.parametrize("game", ["hare-and-hounds", "royal-game-of-ur", "go"])
def test_the_moves_of_random_games_are_told(game: str) -> None:
    rules = gdl.load(game)
    batch, start = rules.native(), rules.start()
    games = batch.playouts(start, 4, seed=7, max_plies=60)
    for number in range(4):
        moves = batch.moves(start, number, seed=7, max_plies=60)
        position = start
        for move in moves:
            position = position.play(move)
        assert (len(moves), position.over) == (games.moves[number], games.finished[number])
        won = [] if position.outcome is None else position.outcome.winners
        assert [side in won for side in rules.sides] == games.won_by_side[number].tolist()


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda rules: gdl.load(None), "a game is named by a text or a path, not by None"),
        (lambda rules: gdl.why(rules, "a1"), "a Position is wanted"),
        (lambda rules: gdl.check(5), "a game is named by a text or a path, not by 5"),
        (lambda rules: gdl.diff("hex", rules), "Rules, as `load` gives them, is wanted, not 'hex'"),
        (lambda rules: gdl.trace("hex", []), "Rules, as `load` gives them, is wanted, not 'hex'"),
        (lambda rules: gdl.trace(rules, 5), "a list of games is wanted, not 5"),
        (lambda rules: gdl.report("hex"), "Rules, as `load` gives them, is wanted, not 'hex'"),
    ],
)
def test_wrong_calls_are_told(call: Callable[[gdl.Rules], object], told: str) -> None:
    with pytest.raises(TypeError, match=told):
        call(gdl.load("tic-tac-toe"))
