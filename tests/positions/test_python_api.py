"""What a program hands over and takes: paths, single texts, names of sides, pickles, copies."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gdl
from gdl.interpreter import Engine, ForcedWins, GameError, MoveError, Position, Rules, Solver, load
from gdl.interpreter.compare.compare import Limits, compare
from gdl.interpreter.compare.trace import traced
from gdl.interpreter.explain.answers import why
from gdl.interpreter.learning.network_search import NetworkSearch
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.information import information
from gdl.interpreter.records.recorded import Recorded
from gdl.interpreter.search.worth import Worth
from gdl.interpreter.solve.store import engine_for
from gdl.interpreter.words.rules import rules_in_words
from gdl.load import load_game

GAME = """
game: Mine
players: Black, White
board: square(3, 3)
turn: |
  choose s in empty
  place Stone at s
end:
  - mover wins when count own = 3
  - draw when full
variants:
  large: {board: "square(4, 4)"}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "mine.yaml"
    file.write_text(GAME, "utf-8")
    return file


def code(error: pytest.ExceptionInfo[GameError]) -> str:
    return error.value.diagnostics[0].code


# --------------------------------------------------------------------- what is handed over


def test_a_path_may_be_an_object(path: Path) -> None:
    assert load(path).game.digest == load(str(path)).game.digest
    plain = path.rename(path.with_suffix(""))
    assert load(plain).name == "Mine"


def test_an_object_of_a_path_is_never_a_shipped_game(tmp_path: Path) -> None:
    with pytest.raises(GameError) as error:
        load(Path("hex"))
    assert code(error) == "file-not-found"
    with pytest.raises(GameError) as error:
        load(tmp_path)
    assert code(error) == "not-a-file"


def test_a_single_text_is_one_variant(path: Path) -> None:
    assert load(path, variants="large").game.variants == ("large",)
    with pytest.raises(GameError) as error:
        load(path, variants="lrage")
    assert "`lrage`" in str(error.value)


@pytest.mark.parametrize("options", ["size=3", ["size=3"]])
def test_options_that_are_not_named_one_by_one_are_told(options: object) -> None:
    with pytest.raises(GameError) as error:
        load("hex", options=options)  # type: ignore[arg-type]
    assert code(error) == "wrong-option"


def test_the_file_of_a_shipped_game_is_told_by_its_name() -> None:
    for name in ("hex.yaml", "somewhere/hex.yaml"):
        with pytest.raises(GameError) as error:
            load(name)
        assert code(error) == "file-not-found" and "is called `hex`" in str(error.value)


def test_a_file_whose_ending_was_left_out_is_named(path: Path) -> None:
    for name in (str(path.with_suffix("")), path.with_suffix("")):
        with pytest.raises(GameError, match=f"Did you mean `{path}`"):
            load(name)


def test_a_method_of_solving_that_there_is_not_is_told(path: Path) -> None:
    with pytest.raises(ValueError, match="none of auto, retrograde, proof"):
        Solver(load(path), method="magic")


@pytest.mark.parametrize("before", [{"turns": -1}, {"passed": -2}])
def test_less_than_no_turns_are_refused(before: dict[str, int], path: Path) -> None:
    with pytest.raises(GameError) as error:
        load(path).from_rows(turns=before.get("turns", 0), passed=before.get("passed", 0))
    assert code(error) == "wrong-value"


def test_a_position_of_the_same_game_with_other_options_is_told() -> None:
    small, usual = load("hex", options={"size": 3}), load("hex")
    with pytest.raises(ValueError, match="not of these rules of the same name"):
        small.state_of(usual.start())


def test_a_position_of_a_variant_is_no_position_of_the_game() -> None:
    rules, drawn = load("hey-thats-my-fish"), load("hey-thats-my-fish", variants="drawn")
    position, own = rules.start(), load("hey-thats-my-fish").start()
    for ask in (drawn.native().perft, lambda p, _: drawn.native().step([p], [0])):
        with pytest.raises(ValueError, match="not of these rules"):
            ask(position, 1)
    assert rules.native().perft(own, 1) == 60


def test_a_depth_of_perft_has_no_end(path: Path) -> None:
    rules = load("tic-tac-toe")
    assert rules.native().perft(rules.start(), 2**64 + 1) == 0


def test_one_row_is_told_in_the_singular(path: Path) -> None:
    with pytest.raises(GameError, match="has 1 row, but the board has 3"):
        load(path).position("...")


def test_a_single_text_is_the_moves_of_a_record() -> None:
    assert Recorded("a1, b2").moves == ("a1", "b2")  # type: ignore[arg-type]


@pytest.mark.parametrize("ask", [Position.seat_of, Position.view, Position.tells_moves])
def test_an_unknown_side_is_told_with_those_that_there_are(ask: object, path: Path) -> None:
    start = load(path).start()
    with pytest.raises(GameError) as error:
        ask(start, "Green")  # type: ignore[operator]
    assert "There are: Black, White." in str(error.value)
    with pytest.raises(GameError) as error:
        ask(start, "Whit")  # type: ignore[operator]
    assert "Did you mean `White`?" in str(error.value)


def test_a_side_is_found_in_any_case(path: Path) -> None:
    assert load(path).start().seat_of("white") == 2


# ------------------------------------------------------------------------ pickles and copies


@pytest.mark.parametrize("native", [False, True])
def test_positions_are_pickled_with_their_rules(path: Path, native: bool) -> None:
    game = load_game(path)
    rules = Rules(game, NativeRules(game)) if native else Rules(game)
    first = rules.start().play("a1")
    first.moves()
    second = first.play("b2")
    one, two = pickle.loads(pickle.dumps((first, second)))
    assert (one, two) == (first, second)
    assert one.rules is two.rules and type(one.rules.evaluator) is type(rules.evaluator)
    assert one.play("b2") == second and two.last_sites == second.last_sites


def test_memories_of_positions_are_pickled() -> None:
    position = load("chess").start().play("g1-f3").play("g8-f6").play("f3-g1")
    other = pickle.loads(pickle.dumps(position))
    assert other == position and other.play("f6-g8") == position.play("f6-g8")


def test_a_copy_of_what_does_not_change_is_itself(path: Path) -> None:
    position = load(path).start()
    assert copy.copy(position) is copy.deepcopy(position) is position
    assert copy.copy(position.rules) is copy.deepcopy(position.rules) is position.rules


def test_a_view_is_pickled_without_what_is_not_seen() -> None:
    view = load("phantom-tic-tac-toe").start().play("b2").view("O")
    data = pickle.dumps(view)
    other = pickle.loads(data)
    assert other == view and other.rows() == view.rows() and other.render() == view.render()
    assert b"Position" not in data


def test_an_analysis_is_pickled(path: Path) -> None:
    rules = load(path)
    found = Engine(rules, seed=1).analyse(rules.start(), iterations=50)
    assert pickle.loads(pickle.dumps(found)) == found


def test_errors_are_pickled(path: Path) -> None:
    with pytest.raises(GameError) as error:
        load("nix")
    told = pickle.loads(pickle.dumps(error.value))
    assert told.diagnostics == error.value.diagnostics and str(told) == str(error.value)
    for text in ("zz", "a1 b2", "a1, b2", ""):
        with pytest.raises(MoveError) as wrong:
            load(path).start().play(text)
        again = pickle.loads(pickle.dumps(wrong.value))
        assert type(again) is type(wrong.value) and again.__dict__ == wrong.value.__dict__


def test_a_game_is_told_in_a_few_words() -> None:
    assert repr(load_game("hex")) == "<Game hex>"
    assert repr(load_game("hex", {"size": 5})) == "<Game hex, size 5>"


def test_what_comes_of_games_and_searches_is_told_in_a_few_words(path: Path) -> None:
    rules = load(path)
    engine = Engine(rules, seed=1)
    position = rules.start()
    batch = rules.native()
    assert repr(batch.playouts(position, 10_000)) == "<10,000 games, 10,000 finished>"
    assert repr(batch) == f"<Batch of {rules.name}>" and repr(engine) == f"<Engine of {rules.name}>"
    told = repr(engine.analyse(position, iterations=100))
    assert told.startswith(f"<Analysis of {position!r}: 100 iterations, best ")


def test_what_plays_many_games_is_pickled(path: Path) -> None:
    rules = load(path)
    batch, native = rules.native(), NativeRules(rules.game)
    again, anew = pickle.loads(pickle.dumps((batch, native)))
    assert (again.playouts(rules.start(), 5).moves == batch.playouts(rules.start(), 5).moves).all()
    assert anew.legal(anew.start()) == native.legal(native.start())
    assert [one.rules.game.digest for one in again.step([rules.start()], [0])] == [
        rules.game.digest
    ]


def test_an_engine_is_pickled_as_its_settings(path: Path) -> None:
    """What it has found out stays; a seed that it was given later does not."""
    rules = load(path)
    engine = Engine(rules, seed=1, exploration=0.9, amaf=False)
    engine.begin(7)
    found = engine.analyse(rules.start(), iterations=50)
    again = pickle.loads(pickle.dumps(engine))
    assert again.settings == engine.settings and again.tree is None
    anew = again.analyse(again.rules.start(), iterations=50)
    assert [(str(m.move), m.visits) for m in anew.moves] == [
        (str(m.move), m.visits) for m in found.moves
    ]
    knowing = pickle.loads(pickle.dumps(engine_for(rules, seed=3)))
    assert knowing.wins is not None and knowing.small_games is not None


def test_an_engine_with_a_network_is_no_pickle(path: Path) -> None:
    rules = load(path)

    def knows_nothing(observation: Any, scalars: Any, mask: Any) -> tuple[Any, Any]:
        return np.ones(mask.shape), np.zeros(len(mask))

    engine = Engine(rules, network=NetworkSearch(rules, 1, knows_nothing))
    with pytest.raises(TypeError, match="with a network can be no copy"):
        pickle.dumps(engine)


WRONG_CALLS: list[tuple[Callable[[Rules], object], str]] = [
    (lambda rules: load(None), "a game is named by a text or a path, not by None"),  # type: ignore[arg-type]
    (lambda rules: rules.start().play(None), "a move is a text or a Move"),  # type: ignore[arg-type]
    (lambda rules: rules.start().after("a1"), "`play` reads texts"),  # type: ignore[arg-type]
    (lambda rules: rules.start().view(0), "a side is called by its name"),  # type: ignore[arg-type]
    (lambda rules: Engine("hex"), "as `load` gives them"),  # type: ignore[arg-type]
    (lambda rules: Rules("hex"), "as `load_game` gives it"),  # type: ignore[arg-type]
    (lambda rules: rules.native().playouts(rules, 10), "a Position is wanted"),  # type: ignore[arg-type]
    (lambda rules: rules.native().step(["a1"], [0]), "a Position is wanted"),  # type: ignore[list-item]
    (lambda rules: Engine(rules, seed="x"), "seed: 'x', and it must be a whole number"),  # type: ignore[arg-type]
    (lambda rules: Engine(rules, worth="x"), "a Worth, as `tune` finds one, is wanted, not 'x'"),  # type: ignore[arg-type]
    (lambda rules: Engine(rules, threads=1.5), "threads: 1.5, and it must be a whole number"),  # type: ignore[arg-type]
    (lambda rules: Engine(rules).analyse_known(rules.start()), "as `information` tells it"),  # type: ignore[arg-type]
    (lambda rules: Engine(rules).analyse(rules.start(), slack="x"), "for `slack`, a number"),  # type: ignore[arg-type]
    (lambda rules: load("hex", variants=5), "variants are named by texts, not by 5"),  # type: ignore[arg-type]
    (lambda rules: rules.start().parse(5), "a move's text is wanted, not 5"),  # type: ignore[arg-type]
    (lambda rules: rules.start().sites_of("a1"), "one of `moves()` is wanted"),  # type: ignore[arg-type]
    (lambda rules: Rules(rules.game, "native"), "an Evaluator, such as"),  # type: ignore[arg-type]
    (lambda rules: rules.from_rows(5), "a text of rows is wanted"),  # type: ignore[arg-type]
    (lambda rules: rules.from_rows(state=5), "a mapping from variables to values is wanted"),  # type: ignore[arg-type]
    (lambda rules: rules.from_rows(seats=5), "a mapping from sides to numbers is wanted"),  # type: ignore[arg-type]
    (lambda rules: rules.from_rows(setup="x"), "a section of a file"),  # type: ignore[arg-type]
    (lambda rules: rules.native().playouts(rules.start(), "10"), "count: '10', and it must be"),  # type: ignore[arg-type]
    (lambda rules: rules.native().perfts(5), "a list of positions is wanted, not 5"),  # type: ignore[arg-type]
    (lambda rules: rules.native().step([rules.start()], 0), "a list of numbers"),  # type: ignore[arg-type]
    (lambda rules: Solver("hex"), "Rules, as `load` gives them, is wanted, not 'hex'"),  # type: ignore[arg-type]
    (lambda rules: ForcedWins(None), "Rules, as `load` gives them"),  # type: ignore[arg-type]
    (lambda rules: why(rules.start(), []), "a list of positions is wanted"),  # type: ignore[arg-type]
    (lambda rules: compare(rules, None, Limits(), 1), "Rules, as `load` gives them"),  # type: ignore[arg-type]
    (lambda rules: list(traced(rules, ["a1"])), "a `Recorded` game is wanted, not 'a1'"),  # type: ignore[list-item]
    (lambda rules: information(rules.start(), [], "X"), "a list of positions is wanted"),  # type: ignore[arg-type]
    (lambda rules: rules_in_words("hex"), "a Game, such as `rules.game`, is wanted, not 'hex'"),  # type: ignore[arg-type]
    (lambda rules: engine_for("hex"), "Rules, as `load` gives them, is wanted"),  # type: ignore[arg-type]
    (lambda rules: Worth.of(5), "the text of a file is wanted, not 5"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "told"), WRONG_CALLS)
def test_wrong_calls_are_told(call: Callable[[Rules], object], told: str, path: Path) -> None:
    with pytest.raises(TypeError, match=re.escape(told)):
        call(load(path))


def test_the_package_is_sent_by_its_name() -> None:
    """A program's functions may be sent to other processes with the modules that they use."""
    assert pickle.loads(pickle.dumps(gdl)) is gdl
