"""`gdl diff`: the shortest game that shows where two sets of rules differ."""

import json
from pathlib import Path

import pytest
from command_line import gdl

from gdl.interpreter.compare.compare import (
    _OF_RANDOM_GAMES,
    Comparison,
    Limits,
    compare,
    play_natively,
    play_random,
)
from gdl.interpreter.compare.guided import head_for
from gdl.interpreter.compare.shorten import shortened
from gdl.interpreter.compare.two_games import TwoGames
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.explain.endings import over
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.verify.deadline import Deadline
from gdl.interpreter.verify.lockstep import Difference
from gdl.load import OptionValue, load_game

QUICK = Limits(positions=2_000, games=40, max_plies=200, seconds=100)


def rules(name: str, *variants: str, **options: OptionValue) -> Rules:
    game = load_game(name, options, variants)
    return Rules(game, NativeRules(game))


def found(first: Rules, second: Rules, limits: Limits = QUICK, seed: int = 0) -> Comparison:
    return compare(first, second, limits, seed)


def position(of: Rules, moves: tuple[str, ...]) -> Position:
    here = Rules(of.game).start()
    for move in moves:
        here = here.play(move)
    return here


def check_it_differs(difference: Difference | None, first: Rules, second: Rules) -> None:
    """The reference interpreter, asked after these moves, says the same of both."""
    assert difference is not None
    legal = [
        {move.text for move in position(of, difference.texts).moves()} for of in (first, second)
    ]
    assert set(difference.only_first) == legal[0] - legal[1]
    assert set(difference.only_second) == legal[1] - legal[0]


def test_an_exception_shows_after_two_moves() -> None:
    first, second = rules("troll"), rules("troll", "no-capture-exception")
    told = found(first, second)
    check_it_differs(told.difference, first, second)
    assert told.is_shortest and told.difference is not None
    assert len(told.difference.moves) == 2 and not told.difference.only_second
    assert [text.part for text in told.texts] == ["define/catch_opens"]


def test_another_first_decision_shows_at_once() -> None:
    told = found(rules("troll"), rules("troll", "choose-edges"))
    assert told.difference is not None and told.difference.moves == ()
    assert told.difference.only_second == ("White", "Black")


@pytest.mark.slow
def test_repetition_shows_in_a_corner() -> None:
    first, second = rules("go", size=3), rules("go", size=3, superko="no")
    told = found(first, second, Limits(positions=100, games=40, max_plies=40, seconds=10))
    check_it_differs(told.difference, first, second)
    assert told.difference is not None and told.difference.kind == "moves"
    assert len(told.difference.moves) == 5


@pytest.mark.slow
def test_what_is_found_amid_the_board_is_moved_to_its_edge() -> None:
    first, second = rules("go", size=5), rules("go", size=5, superko="no")
    two_games = TwoGames(first, second)
    amid = ("b3", "c3", "c2", "d2", "c4", "d4", "pass", "e3", "d3")
    moves = tuple(Move((), text) for text in amid)
    found = Difference("moves", "", "", moves, (), ("c3",))
    shorter = shortened(two_games, found, Deadline(600))
    assert len(shorter.moves) == 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variants", "moves"), [(("no-pie",), 19), pytest.param((), 23, marks=pytest.mark.slow)]
)
def test_ten_turns_that_mirror_are_headed_for(variants: tuple[str, ...], moves: int) -> None:
    """The second to move mirrors nine times; an opening and a choice come before, or nothing."""
    first = rules("trellis", *variants, size=7)
    second = rules("trellis", *variants, "no-mirror-rule", size=7)
    two_games, searches = TwoGames(first, second), 4 if variants else 12
    difference = head_for(two_games, 60, 0, Deadline(600), searches=searches)
    check_it_differs(difference, first, second)
    assert difference is not None and len(difference.moves) == moves


def test_a_side_without_a_move_is_headed_for(tmp_path: Path) -> None:
    """Four kings attack all of 6 x 6, and not each other: one on the middle of each quarter."""
    files = [tmp_path / f"{stuck}.yaml" for stuck in ("draw", "loses")]
    for file in files:
        file.write_text(
            "game: Kings\nplayers: A, B\nboard: square(6, 6)\n"
            "turn: choose s in empty - compass(occupied); place Stone at s\n"
            f"stuck: {file.stem}\n"
        )
    both = [rules(str(file)) for file in files]
    difference = head_for(TwoGames(*both), 60, 0, Deadline(600), searches=20)
    assert difference is not None and difference.kind == "outcome"
    assert len(difference.moves) == 4


def test_an_end_that_is_rare_shows_in_native_games(tmp_path: Path) -> None:
    """One game of 4,096 comes to twelve ones."""
    files = [tmp_path / f"{name}.yaml" for name in ("as-it-is", "other")]
    for file, clause in zip(files, ("draw when ones = 12", "B wins when ones = 12"), strict=True):
        file.write_text(
            "game: Ones\nplayers: A, B\nboard: square(1, 1)\nstate: {ones: number}\n"
            "turn: choose n in 0..1; add n to ones\n"
            f"end:\n  - {clause}\n  - draw when turns >= 12\n"
        )
    both = [rules(str(file)) for file in files]
    two_games, deadline = TwoGames(*both), Deadline(600)
    assert play_random(two_games, 300, 20, 0, deadline).difference is None
    played = play_natively(two_games, 20_000, 20, 0, deadline)
    check_it_differs(played.difference, *both)
    assert played.difference is not None and played.difference.texts == ("1",) * 12


def test_another_start_shows_at_once(tmp_path: Path) -> None:
    other = tmp_path / "turned.yaml"
    other.write_text(
        "extends: othello\ngame: Turned\nsetup: {Black Disc: d4 | e5, White Disc: d5 | e4}\n"
    )
    told = found(rules("othello"), rules(str(other)))
    assert told.difference is not None
    assert (told.difference.kind, told.difference.moves) == ("position", ())
    assert {text.part for text in told.texts} == {"setup/Black Disc", "setup/White Disc"}


@pytest.mark.slow
def test_a_game_that_is_the_same_is_compared_as_a_whole() -> None:
    told = found(rules("tic-tac-toe"), rules("tic-tac-toe"), Limits(positions=10_000, seconds=600))
    assert told.difference is None and told.is_all


def test_much_without_a_difference_is_told_by_numbers() -> None:
    told = found(rules("hex", size=4), rules("hex", size=4), Limits(20, 3, 50, 200))
    assert told.difference is None and not told.is_all
    assert told.positions == 20 and told.depth == 1 and told.games == told.finished == 3
    assert told.stopped_by == ("positions",)


@pytest.mark.parametrize(
    ("limits", "finished", "stopped_by"),
    [
        (Limits(20, 3, max_plies=4, seconds=200), 0, ("max_plies", "positions")),
        (Limits(20, 3, seconds=0), 0, ("seconds",)),
    ],
)
def test_what_ended_a_comparison_is_told(
    limits: Limits, finished: int, stopped_by: tuple[str, ...]
) -> None:
    told = found(rules("hex", size=4), rules("hex", size=4), limits)
    assert told.difference is None and (told.finished, told.stopped_by) == (finished, stopped_by)


def test_seconds_are_not_told_where_all_games_were_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def share(limits: Limits, part: float) -> Deadline:
        return Deadline(0 if part == _OF_RANDOM_GAMES else 600)

    monkeypatch.setattr("gdl.interpreter.compare.compare._share", share)
    told = found(rules("hex", size=4), rules("hex", size=4), Limits(20, 40))
    assert (told.games, told.stopped_by) == (40, ("positions",))


def test_an_end_that_is_another_is_a_difference(tmp_path: Path) -> None:
    other = tmp_path / "misere.yaml"
    other.write_text(
        "extends: tic-tac-toe\ngame: Other\n"
        "end: [mover loses when in_a_row(own, row_of), draw when full]\n"
    )
    first, second = rules("tic-tac-toe"), rules(str(other))
    told = found(first, second, Limits(positions=10_000, seconds=600))
    difference = told.difference
    assert difference is not None and difference.kind == "outcome" and told.is_shortest
    assert len(difference.moves) == 5
    assert (difference.first, difference.second) == ("X wins", "O wins")
    assert over(position(first, difference.texts), None).sentence == "X wins."


ON_THREE_SITES = """\
game: Fails
players: A, B
board: square(3, 1)
state: {{n: number in 0..3}}
turn: |
  choose s in empty
  place Stone at s
  set n = (if {condition} then {number} else 0)
stuck: draw
"""


@pytest.mark.parametrize(
    ("condition", "numbers", "end", "move"),
    [
        ("s = a1", (9, 9), "c1 in occupied", "c1"),
        ("s = b1 and a1 in occupied", (1, 9), "b1 in occupied and not a1 in occupied", "b1"),
    ],
    ids=["of both, of one move alone", "of one, after another difference"],
)
def test_failing_rules_hide_no_shorter_game(
    tmp_path: Path, condition: str, numbers: tuple[int, int], end: str, move: str
) -> None:
    files = [tmp_path / "first.yaml", tmp_path / "second.yaml"]
    for file, number in zip(files, numbers, strict=True):
        file.write_text(ON_THREE_SITES.format(condition=condition, number=number))
    files[1].write_text(f"{files[1].read_text()}end: mover wins when {end}\n")
    told = found(*(rules(str(file)) for file in files))
    assert told.difference is not None and told.is_shortest
    assert (told.difference.kind, told.difference.texts) == ("outcome", (move,))


def test_games_on_other_boards_are_not_played() -> None:
    told = found(rules("hex", size=4), rules("hex", size=5))
    assert told.difference is not None and told.difference.kind == "board"


# ------------------------------------------------------------------------- the command


def test_the_command_tells_the_game_and_why() -> None:
    ran = gdl("diff", "troll", "--other-variant", "no-capture-exception")
    assert ran.exit_code == 1
    assert "They differ after 2 moves: " in ran.stdout
    assert "catch_opens: does not hold" in ran.stdout
    assert "define/catch_opens: no" in ran.stdout


def test_the_command_prints_json() -> None:
    ran = gdl("diff", "hex", "--option", "size=2", "--other-option", "pie=yes", "--json")
    told = json.loads(ran.stdout)
    assert told["differs"] and told["difference"]["only_second"] == ["swap"]
    assert told["difference"]["why"][0]["about"] == "illegal"
    assert told["texts"][0]["part"] == "option pie"


def test_the_command_says_that_nothing_differs(tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text("extends: tic-tac-toe\ngame: Other\n")
    ran = gdl("diff", "tic-tac-toe", other, "--positions", 10000)
    assert ran.exit_code == 0 and "the games are the same" in ran.stdout


def test_the_command_says_that_nothing_was_compared(tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text("extends: hex\ngame: Other\n")
    ran = gdl("diff", "hex", other, "--seconds", 0)
    assert ran.exit_code == 3 and ran.stdout == "Nothing was compared.\n"
    assert "error[nothing-compared]" in ran.stderr and "--seconds 0" in ran.stderr
    told = json.loads(gdl("diff", "hex", other, "--seconds", 0, "--json").stdout)
    assert told["stopped_by"] == ["seconds"] and told["positions"] == 0
    assert told["diagnostics"][0]["code"] == "nothing-compared"


def test_the_command_names_the_limits_that_it_met(tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text("extends: tic-tac-toe\ngame: Other\n")
    ran = gdl("diff", "tic-tac-toe", other, "--positions", 5, "-n", 2)
    assert ran.exit_code == 0
    assert "2 random games of " in ran.stdout and "of which 2 came to their ends" in ran.stdout
    assert "no more short games than `--positions 5` were looked at" in ran.stdout


@pytest.mark.slow
def test_the_command_says_how_sure_it_is_of_the_shortest() -> None:
    ran = gdl(
        *("diff", "go", "--option", "size=3", "--other-option", "superko=no"),
        *("--positions", 20, "--seconds", 5),
    )
    assert "They differ after " in ran.stdout
    assert "A shorter game may differ, but none was found; no game of up to 1 move does." in (
        ran.stdout
    )


@pytest.mark.slow
def test_no_game_leaves_a_side_without_a_drop_sooner() -> None:
    """White may drop on 48 squares at all times: the shortest game has a disc on each of them."""
    first, second = rules("troll"), rules("troll", "stuck-loses")
    told = found(first, second, Limits(games=0, seconds=120))
    check_it_differs(told.difference, first, second)
    assert told.difference is not None and len(told.difference.moves) == 48


def test_rules_without_native_code_are_compared(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.yaml" for number in (5, 7)]
    for file in files:
        file.write_text(
            "game: Powers\nplayers: A, B\nboard: square(3, 3)\nstate: {n: number}\n"
            "turn: |\n  choose s in empty\n  place Stone at s\n"
            f"  set n = 2 ^ n mod {file.stem}\n"
            "end: draw when n = 1 and count occupied > 3\nstuck: draw\n"
        )
    told = json.loads(gdl("diff", *files, "--json", "--seconds", 5).stdout)
    assert told["differs"] and len(told["difference"]["moves"]) == 4


def test_the_same_rules_are_told_at_once() -> None:
    result = gdl("diff", "troll", "--variant", "stuck-loses")
    assert result.exit_code == 2 and "same-rules" in result.stderr
