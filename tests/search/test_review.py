"""A review: what each move of a game did to its value, in Python, as a command and at the table."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from command_line import gdl

from gdl.interpreter import load
from gdl.interpreter.positions.position import Position
from gdl.interpreter.search.analysis import Analysis, MoveAnalysis
from gdl.interpreter.search.analysis_text import (
    curve,
    judgement_text,
    review_text,
    rows,
    values_text,
)
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.search.review import Judgement, judgements, moments

BLUNDERS = "a1 a2 b1 b2 c2 b3"
"""X has won after a2, gives the win away with c2 instead of c1, and O misses c2's answer."""


def reviewed(name: str, moves: str, iterations: int = 3000) -> list[Judgement]:
    rules = load(name)
    positions: list[Position] = [rules.start()]
    made = []
    for text in moves.split():
        made.append(positions[-1].parse(text))
        positions.append(positions[-1].play(made[-1]))
    engine = Engine(rules, seed=1)
    return list(judgements(positions, made, lambda one: engine.analyse(one, iterations=iterations)))


def test_what_gave_the_game_away_is_told_with_what_was_better() -> None:
    found = reviewed("tic-tac-toe", BLUNDERS)
    assert [one.number for one in found] == [1, 2, 3, 4, 5, 6]
    slip = found[4]
    assert (slip.side, slip.move.text, slip.sign) == ("X", "c2", "??")
    assert slip.better is not None and slip.better.text == "c1"
    assert slip.worth["X"] == 1 and slip.proven == "X wins in 1 move at most"
    assert judgement_text(slip).startswith("5. X c2??: 100 % → ")
    assert slip in moments(found, 2)


def test_a_good_move_has_no_sign() -> None:
    found = reviewed("tic-tac-toe", "a1 a2 b1 b2 c1")
    last = found[-1]
    assert (last.sign, last.better, last.worth_after["X"]) == ("", None, 1)
    assert review_text(found).startswith(f"X {curve(found)}\n")
    assert curve(found)[-1] == "█"


def test_chance_is_praised_by_the_side_that_it_helps_and_never_blamed() -> None:
    start = load("royal-game-of-ur").start()
    first = start.moves()[0].text.replace(" ", "-")
    (thrown,) = reviewed("royal-game-of-ur", first, iterations=200)
    assert thrown.is_chance and thrown.change >= 0 and thrown.sign == ""
    assert "Chance" in judgement_text(thrown) and thrown.to_json()["side"] is None


def test_a_game_without_moves_has_no_review() -> None:
    assert review_text(()) == "There is no move to review."


@pytest.fixture(name="save")
def _save(tmp_path: Path) -> Path:
    path = tmp_path / "game.save"
    assert gdl("new", "tic-tac-toe", "-o", path).exit_code == 0
    for move in (*BLUNDERS.split(), "c1"):
        assert gdl("move", path, move).exit_code == 0
    return path


def test_a_saved_game_is_reviewed(save: Path) -> None:
    asked = ("replay", save, "--review", "--iterations", 2000, "--seed", 1)
    told = gdl(*asked)
    assert told.exit_code == 0 and "5. X c2??: 100 %" in told.stdout
    assert told.stdout == gdl(*asked).stdout
    data = json.loads(gdl(*asked, "--json").stdout)
    assert data["seed"] == 1 and len(data["moves"]) == 7
    assert data["moves"][4]["better"] == "c1" and data["moves"][4]["before"]["X"] == 1


def test_options_of_a_review_ask_for_one(save: Path) -> None:
    result = gdl("replay", save, "--seconds", "1")
    assert result.exit_code == 2 and "--review" in result.stderr


def test_a_game_that_hides_something_is_reviewed_when_it_is_over(tmp_path: Path) -> None:
    path = tmp_path / "game.save"
    assert gdl("new", "goofspiel", "-o", path).exit_code == 0
    result = gdl("replay", path, "--review")
    assert result.exit_code == 2 and "hides something" in result.stderr


def test_line_by_line_a_game_is_reviewed_when_it_is_over() -> None:
    told = gdl("play", "tic-tac-toe", typed="a1\na2\nreview\nb1\nb2\nc1\nreview\nundo\nc3\n").stdout
    assert "A game is reviewed when it is over" in told
    assert "2. O a2" in told and "Took back 1 move." in told


def test_no_move_is_blamed_after_a_search_of_a_few_games() -> None:
    rules = load("trellis")
    engine, start = Engine(rules, seed=1), rules.start()
    move = start.parse("d4")
    (judged,) = judgements(
        (start, start.play(move)), (move,), lambda one: engine.analyse(one, iterations=2)
    )
    assert not judged.is_known and not judged.sign and not moments([judged], 1)


def test_a_move_before_a_proven_position_of_chance_is_known_after_a_short_search() -> None:
    rules = load("goofspiel")
    positions, made = [rules.start()], []
    generator = random.Random(5)
    while not positions[-1].over:
        made.append(generator.choice(positions[-1].moves()))
        positions.append(positions[-1].play(made[-1]))
    engine, begin = Engine(rules, seed=1), -9
    found = judgements(
        positions[begin:], made[begin + 1 :], lambda one: engine.analyse(one, iterations=2000)
    )
    by_chance = [one for one in found if one.is_chance]
    assert by_chance and all(one.is_known for one in by_chance)


def analysed(name: str, *tried: tuple[int, float], value: float, iterations: int = 500) -> Analysis:
    """What a search would say of the first position, with visits and values of its first moves."""
    start = load(name).start()
    moves = tuple(
        MoveAnalysis(move, visits, worth, (0.0, 1.0), None, (move,))
        for move, (visits, worth) in zip(start.moves(), tried, strict=False)
    )
    sides = start.rules.sides
    values = dict(zip(sides, (value, 1 - value), strict=False))
    return Analysis(start, iterations, 1.0, values, moves)


def test_a_move_that_was_hardly_tried_has_no_value() -> None:
    found = analysed("hex", (400, 0.53), (1, 1.0), value=0.53)
    assert [row[2] for row in rows(found, 2)] == ["53 %", "hardly tried"]


@pytest.mark.parametrize(
    ("value", "iterations", "says"),
    [
        (0.88, 500, "Too little was tried to say what it is worth"),
        (0.53, 30, "Too little was tried to say what it is worth"),
        (0.53, 500, "Red 53 %, Blue 47 %"),
    ],
)
def test_a_position_is_worth_nothing_certain_after_a_few_games(
    value: float, iterations: int, says: str
) -> None:
    found = analysed("hex", (3, 0.88), (3, 0.5), value=value, iterations=iterations)
    assert values_text(found).rstrip(".") == says


def test_of_a_puzzle_that_is_seldom_solved_nobody_says_that_it_never_is() -> None:
    assert values_text(analysed("knights-tour", (400, 3e-5), value=3e-5)) == "Solver < 1 %"
    assert "no solution" in values_text(analysed("knights-tour", (400, 0.0), value=0.0)).lower()
