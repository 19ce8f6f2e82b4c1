"""The engine of a page finds what the program's own finds: analyses, threats, reviews, levels."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from library_games import FEWEST, deep_games, shipped

from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.page.document import Held, game_data
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.positions.threats import threats
from gdl.interpreter.search.analysis import Analysis
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.search.levels import LEVELS, on_board
from gdl.interpreter.search.review import judgements, moments
from gdl.interpreter.search.worth import ALPHA_BETA, TREE, kept_worth
from gdl.load import shipped_names
from gdl.model import Game

PLAYER = Path(__file__).parents[2] / "interpreter" / "page" / "player"
ANALYSES = Path(__file__).parent / "analyses.mjs"
THINKING = Path(__file__).parent / "thinking.mjs"
ITERATIONS, LINES = 300, 2
PLIES = (0, 6, 15)
_MOST_LOOKED_AT = 400
"""How many moves there may be where threats are looked for by the reference."""

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def courses(rules: Rules) -> Iterator[tuple[list[int], list[Position]]]:
    """Yield some positions of a game: the numbers of the moves there, and all on the way."""
    numbers: list[int] = []
    passed = [rules.start()]
    for ply in range(max(PLIES) + 1):
        if passed[-1].over:
            return
        if ply in PLIES:
            yield list(numbers), list(passed)
        moves = passed[-1].moves()
        numbers.append((ply * 7919 + 13) % len(moves))
        passed.append(passed[-1].play(moves[numbers[-1]]))


def run(name: str, courses_: list[list[int]], folder: Path, iterations: int) -> dict[str, Any]:
    """Return what node finds in these positions of a game."""
    asked = {
        "positions": courses_,
        "iterations": iterations,
        "lines": LINES,
        "levels": list(LEVELS),
    }
    data_file, asked_file = folder / "data.json", folder / "asked.json"
    data_file.write_text(json.dumps(game_data(Held(shipped(name)))), encoding="utf-8")
    asked_file.write_text(json.dumps(asked), encoding="utf-8")
    return node(ANALYSES, PLAYER, data_file, asked_file)


def node(*arguments: Path) -> dict[str, Any]:
    """Return what a script says that node runs."""
    told = subprocess.run(
        ["node", *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr[-2000:]
    found: dict[str, Any] = json.loads(told.stdout)
    return found


def told(found: Analysis, game: Game) -> dict[str, Any]:
    """Return what an analysis tells, as the player has it."""
    sides = [found.value[side] for side in game.sides]
    moves = [
        {
            "text": one.move.text,
            "visits": one.visits,
            "value": pytest.approx(one.value, abs=1e-9),
            "bounds": list(one.bounds),
            "plies": one.plies,
            "line": [move.text for move in one.line],
            "isBound": one.is_bound,
            "depth": one.depth,
        }
        for one in found.moves
    ]
    return {
        "made": found.iterations,
        "sides": pytest.approx(sides, abs=1e-9),
        "moves": moves,
        "payoffs": pytest.approx(list(found.payoffs.values())) if found.payoffs else None,
        "depth": found.depth,
        "verdict": found.verdict,
        "isProven": found.is_proven,
    }


def check_analysis(here: Analysis, there: dict[str, Any], game: Game, what: str) -> None:
    """Hold an analysis of a page against one of the program."""
    wanted = told(here, game)
    for move in there["moves"]:
        assert move.pop("proven") == (move["bounds"][0] == move["bounds"][1])
        assert move.pop("number") >= -1
    assert {key: there[key] for key in wanted} == wanted, what


def check(name: str, folder: Path, iterations: int) -> None:
    """Hold what a page finds in positions of a game against what is found natively."""
    game = shipped(name)
    rules = Rules(game, NativeRules(game))
    passed = list(courses(rules))
    found = run(name, [numbers for numbers, _ in passed], folder, iterations)
    if game.hides:
        assert "guessed" in found["why"]
        return
    worth = kept_worth(game)
    assert found["watched"] == found["analyses"], "what is told meanwhile changes nothing"
    for seed, (there, (_, positions)) in enumerate(zip(found["analyses"], passed, strict=True)):
        engine = Engine(rules, seed=seed, worth=worth)
        here = engine.analyse(positions[-1], iterations=iterations, lines=LINES)
        check_analysis(here, there, game, f"{name} {seed}")
    engine = Engine(rules, seed=1, worth=worth)
    assert found["games"] == (engine.games_in_time if engine.search == TREE else None)
    for place, there in enumerate(found["kept"]):
        here = engine.analyse(passed[-1][1][place], iterations=iterations, lines=LINES)
        check_analysis(here, there, game, f"{name}, position {place} of a game")
    for (_, positions), there in zip(passed, found["threats"], strict=True):
        if len(positions[-1].moves()) <= _MOST_LOOKED_AT:
            check_threats(positions[-1], there)
    is_alpha_beta = worth is not None and worth.search == ALPHA_BETA
    for number, (level, options) in enumerate(zip(LEVELS.values(), found["levels"], strict=True)):
        on_this = on_board(level.iterations, game.board.size)
        searched = level.positions if is_alpha_beta else on_this
        wanted = {"iterations": searched, "seconds": level.seconds, "slack": level.slack}
        assert options == wanted | {"lines": 0}, number


def check_threats(position: Position, there: dict[str, Any]) -> None:
    """Hold threats in a page against those of the program."""
    here = threats(position)
    sides = position.rules.sides
    if not here.is_whole:
        return
    assert [sides[there["onTurn"]], *(sides[side] for side in there["others"])] == [
        here.on_turn,
        *here.others,
    ]
    for name, wanted in (
        ("chances", here.chances),
        ("winning", here.winning),
        ("taking", here.taking),
        ("scoring", here.scoring),
    ):
        assert there[name] == [move.text for move in wanted], name
    for name, sites in (
        ("winningSites", here.winning_sites),
        ("scoringSites", here.scoring_sites),
        ("taken", here.taken),
    ):
        assert sorted(there[name]) == sorted(sites), name
    assert there["mostTaken"] == here.most_taken


@pytest.mark.at_night("dvonn", "[go]", "minichess", "havannah")
@needs_node
@pytest.mark.parametrize("name", deep_games(shipped_names(), FEWEST))
def test_a_page_finds_what_the_program_finds(name: str, tmp_path: Path) -> None:
    check(name, tmp_path, ITERATIONS)


@pytest.mark.slow
@pytest.mark.at_night("othello")
@needs_node
@pytest.mark.parametrize("name", ["connect-four", "othello"])
def test_so_does_a_longer_search_in_parts(name: str, tmp_path: Path) -> None:
    check(name, tmp_path, 50 * ITERATIONS)


@pytest.mark.slow
@needs_node
def test_a_game_is_looked_through_as_the_program_does(tmp_path: Path) -> None:
    game = shipped("tic-tac-toe")
    rules = Rules(game, NativeRules(game))
    passed = list(courses(rules))
    numbers, positions = passed[-1]
    moves = [at.moves()[number] for at, number in zip(positions, numbers, strict=False)]
    found = run("tic-tac-toe", [numbers], tmp_path, ITERATIONS)
    here = list(
        judgements(
            positions,
            moves,
            lambda position: Engine(rules).analyse(position, iterations=ITERATIONS),
        )
    )
    assert len(here) == len(found["review"]) > 3
    for one, there in zip(here, found["review"], strict=True):
        assert there["text"] == one.move.text
        assert there["change"] == pytest.approx(one.change, abs=1e-9)
        assert (there["sign"], there["proven"]) == (one.sign, one.proven)
        assert there["better"] == (None if one.better is None else one.better.text)
    assert found["moments"] == [one.number for one in moments(here, 3)]


@pytest.mark.at_night("hex")
@needs_node
@pytest.mark.parametrize("name", ["hex", "breakthrough"])
def test_a_page_thinks_in_a_worker(name: str, tmp_path: Path) -> None:
    """It tells news, stops when asked, ends a worker that hears nothing, goes on after faults."""
    data_file = tmp_path / "data.json"
    data_file.write_text(json.dumps(game_data(Held(shipped(name)))), encoding="utf-8")
    found = node(THINKING, PLAYER, data_file)
    assert 200 <= found["plain"] == found["after"] < 300
    assert found["endless"] > 500
    assert found["news"] >= 1
    assert found["both"] == [True, True]
    assert found["threats"] is True
    assert found["workers"] == 1
    assert isinstance(found["failed"], str)
    assert found["lost"] is None
    assert found["kept"] == found["plain"]
