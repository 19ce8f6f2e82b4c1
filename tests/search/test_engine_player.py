"""The engine at the table: seats, levels, hints, and `gdl analyse`."""

from __future__ import annotations

import json
import random
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import gdl
from reached import after

from gdl.analysis.ranges import Uncovered
from gdl.diagnostic import GameError
from gdl.interpreter import load
from gdl.interpreter.search.analysis_text import advice, worth
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.search.levels import LEVELS, Strength
from gdl.interpreter.search.pondering import Pondering
from gdl.interpreter.search.worth import ALPHA_BETA, TREE
from gdl.interpreter.sessions.seats import EnginePlayer, GreedyPlayer, make_player
from gdl.interpreter.solve.solver import Solver
from gdl.interpreter.solve.store import keep_table

# ------------------------------------------------------------------------------- levels


@pytest.mark.parametrize(
    "text",
    ["", "0", "0i", "11", "15", "999", "i", "0s", "-1", "1.5", "fast", "3x", "1e9", "99999999999"],
)
def test_what_is_no_strength(text: str) -> None:
    assert Strength.of(text) is None


def test_higher_levels_search_more_and_choose_more_narrowly() -> None:
    iterations, positions, seconds, slacks = zip(*LEVELS.values(), strict=True)
    assert list(LEVELS) == list(range(1, 11))
    assert all(sorted(set(budget)) == list(budget) for budget in (iterations, positions))
    assert sorted(seconds) == list(seconds)
    assert sorted(slacks, reverse=True) == list(slacks) and slacks[-1] == 0


def test_a_level_has_more_positions_than_random_games() -> None:
    level, plain = Strength.of("4"), Strength.of("500i")
    assert level is not None and plain is not None
    assert level.budget(TREE, 9) == LEVELS[4].iterations < level.budget(ALPHA_BETA, 9)  # type: ignore[operator]
    assert plain.budget(TREE, 9) == plain.budget(ALPHA_BETA, 9) == 500


def test_a_level_has_more_iterations_on_a_larger_board() -> None:
    """As many times as there are more moves to choose among; alpha-beta needs none."""
    level, plain = Strength.of("1"), Strength.of("500i")
    assert level is not None and plain is not None
    few, some, many = (level.budget(TREE, sites) for sites in (9, 100, 225))
    assert few == LEVELS[1].iterations and some == 4 * few and many == 9 * few  # type: ignore[operator]
    assert level.budget(TREE, 10**6) == 16 * few  # type: ignore[operator]
    assert level.budget(ALPHA_BETA, 225) == level.budget(ALPHA_BETA, 9) == LEVELS[1].positions
    assert plain.budget(TREE, 225) == 500


def test_a_weak_player_makes_no_blunder() -> None:
    """It varies its moves, but wins where it can, and leaves alone what it takes for bad."""
    rules = load("tic-tac-toe")
    weak = Strength(iterations=200, slack=0.3)
    chance = random.Random(1)
    analysis = Engine(rules, seed=1).analyse(rules.start(), iterations=200)
    best = analysis.best
    assert best is not None
    chosen = {weak.choose(analysis, chance) for _ in range(100)}
    assert 1 < len(chosen) < 9
    values = {move.move: move.value for move in analysis.moves}
    assert all(move is not None and values[move] >= best.value - 0.3 for move in chosen)
    winning = Engine(rules, seed=1).analyse(after("tic-tac-toe", "a1 a2 b1 b2"), iterations=200)
    assert {weak.choose(winning, chance) for _ in range(20)} == {winning.best_move}


@pytest.mark.parametrize("kind", ["engine:2", "engine:0.05s", "engine:300i", "engine:10"])
def test_every_strength_plays(kind: str) -> None:
    rules = load("tic-tac-toe")
    player = make_player(kind, random.Random(1), rules)
    other = GreedyPlayer(random.Random(2))
    assert player is not None
    position = rules.start()
    while not position.over:
        position = position.play((player if position.seat == 1 else other).choose(position))
    assert position.outcome is not None


def test_a_player_thinks_on_the_time_of_others() -> None:
    rules = load("hex", options={"size": 5})
    player = make_player("engine:50i+ponder", random.Random(1), rules)
    assert isinstance(player, EnginePlayer)
    position = rules.start().play(player.choose(rules.start()))
    pondering = player.pondering
    assert pondering is not None
    while not pondering.has_searched:
        time.sleep(0.01)
    player.choose(position.play(position.moves()[0]))
    assert not pondering.is_searching and player.pondering is not pondering
    player.begin(random.Random(2))
    assert player.pondering is None


def test_a_table_in_the_cache_changes_nothing_for_who_is_to_play_weaker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GDL_TABLES", str(tmp_path))
    rules = load("tic-tac-toe")
    solver = Solver(rules)
    solver.solve(rules.start())
    keep_table(solver)
    for kind, looks_up in (("engine:1", False), ("engine:16i", False), ("engine:10", True)):
        player = make_player(kind, random.Random(1), rules)
        assert isinstance(player, EnginePlayer)
        player.prepare()
        assert (player._engine.known is not None) is looks_up


def test_what_was_pondered_is_known() -> None:
    rules = load("hex", options={"size": 5})
    engine = Engine(rules)
    pondering = Pondering(engine)
    pondering.begin(rules.start())
    while not pondering.has_searched:
        time.sleep(0.01)
    pondering.end()
    found = engine.analyse(rules.start(), iterations=1)
    assert sum(move.visits for move in found.moves) > 1


def test_nothing_is_pondered_when_a_game_is_over() -> None:
    pondering = Pondering(Engine(load("tic-tac-toe")))
    pondering.begin(after("tic-tac-toe", "a1 a2 b1 b2 c1"))
    assert not pondering.is_searching


def test_a_player_goes_on_with_another_game() -> None:
    player = make_player("engine:50i", random.Random(1), load("hex", {"size": 3}))
    assert player is not None
    other = load("hex", {"size": 4}).start()
    assert player.choose(other) in other.moves()


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("genius", "no kind"),
        ("engin", "engine"),
        ("engine:x", "strength"),
        ("engine:3+fast", "strength"),
    ],
)
def test_players_that_there_are_not(kind: str, words: str) -> None:
    with pytest.raises(GameError) as found:
        make_player(kind, random.Random(1), load("tic-tac-toe"))
    assert words in str(found.value) and found.value.diagnostics[0].code == "unknown-player"


# --------------------------------------------------------------------------- in a dialogue


def test_a_game_against_the_engine() -> None:
    result = gdl("play", "tic-tac-toe", "--seat", "1=engine:1", "--seat", "2=engine:200i")
    assert result.exit_code == 0 and "plays" in result.stdout


def test_a_hint_says_why() -> None:
    told = gdl("play", "tic-tac-toe", "--after", "a1, a2, b1, b2", typed="hint\nquit\n").stdout
    assert "\nc1: X wins in 1 move at most." in told


def test_a_position_is_analysed_in_play() -> None:
    told = gdl("play", "tic-tac-toe", "--after", "a1, b1, b2", typed="analyse\nquit\n").stdout
    assert "O loses in 4 moves at most." in told and "loses in 2" in told
    told = gdl("play", "tic-tac-toe", "--after", "a1, b1, b2", typed="eval\nquit\n").stdout
    assert "O loses in 4 moves at most." in told and "loses in 2" not in told


def test_hints_without_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise Uncovered("a construct")

    monkeypatch.setattr("gdl.interpreter.native.runtime.rules.NativeRules", refuse)
    told = gdl("play", "tic-tac-toe", typed="hint\nanalyse\nquit\n").stdout
    assert told.count("no engine for this game") == 2 and "Perhaps " in told
    refused = gdl("play", "tic-tac-toe", "--seat", "2=engine")
    assert refused.exit_code != 0 and "not-native" in refused.stderr


def test_advice_tells_what_is_expected() -> None:
    rules = load("othello")
    analysis = Engine(rules, seed=1).analyse(rules.start(), iterations=2000)
    assert "Black's chances are " in advice(analysis) and " is expected." in advice(analysis)
    assert worth(analysis.moves[0]).endswith(" %")


@pytest.mark.parametrize(
    ("value", "visits", "told"),
    [
        (0.52, 40_000, "are about even (52 %)"),
        (0.58, 100, "are about even (58 %)"),
        (0.61, 600, "are 61 %, give or take 4 %"),
        (0.61, 400_000, "are 61 %"),
        (0.999, 400, "are > 99 %"),
    ],
)
def test_advice_tells_how_sure_it_is(value: float, visits: int, told: str) -> None:
    rules = load("othello")
    found = Engine(rules, seed=1, search="tree").analyse(rules.start(), iterations=50)
    best = replace(found.moves[0], value=value, visits=visits, line=found.moves[0].line[:1])
    assert advice(replace(found, moves=(best,))) == f"Perhaps {best.move}: Black's chances {told}."


# ------------------------------------------------------------------------------- analyse


def analysed(*arguments: object) -> dict[str, Any]:
    result = gdl("analyse", *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_analyse_as_json() -> None:
    found = analysed("tic-tac-toe", "--after", "a1, b1", "--iterations", 20_000, "--seed", 1)
    assert found["value"] == {"X": 1.0, "O": 0.0}
    assert found["verdict"] == "X wins in 5 moves at most"
    assert {"iterations", "seconds", "iterations_per_second"} <= found.keys()
    best = found["moves"][0]
    assert best["bounds"] == [1.0, 1.0] and best["value"] == 1 and best["plies"] == 5
    assert best["line"][0] == best["move"] and len(best["line"]) == 5 and best["visits"] > 0


def test_analyse_finds_the_same_with_the_same_seed() -> None:
    first, second = (analysed("hex", "--iterations", 1500, "--seed", 4) for _ in range(2))
    assert first["moves"] == second["moves"]
    assert first["iterations"] == 1500 and len(first["moves"]) == 121


def test_analyse_as_json_has_as_many_moves_as_are_asked_for_and_who_is_to_move() -> None:
    found = analysed("hex", "--after", "a1", "-n", 2, "--iterations", 200, "--seed", 4)
    assert len(found["moves"]) == 2
    assert found["to_move"] == {"side": "Blue", "seat": 2}


def test_analyse_prints_the_best_moves() -> None:
    result = gdl("analyse", "hex", "--iterations", 500, "-n", 2, "--threads", 2)
    lines = result.stdout.splitlines()
    assert result.exit_code == 0 and len(lines) == 5
    assert lines[0].startswith("Red ") and lines[1].split() == ["move", "visits", "value", "then"]
    assert lines[-1].startswith("500 iterations in ")


def test_a_game_that_is_over_has_no_moves_to_analyse() -> None:
    result = gdl("analyse", "tic-tac-toe", "--after", "a1, a2, b1, b2, c1")
    assert result.exit_code == 0 and result.stdout == ""
    found = analysed("tic-tac-toe", "--after", "a1, a2, b1, b2, c1")
    assert found["moves"] == [] and found["to_move"] is None
