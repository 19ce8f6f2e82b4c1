"""`gdl trace`: recorded games held against rules."""

import json
from pathlib import Path

import pytest
from command_line import gdl

from gdl.diagnostic import GameError, Source
from gdl.interpreter.compare.trace import traced
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.records.plain import games_of
from gdl.interpreter.records.recorded import Recorded
from gdl.load import load_game

WON = ("a1", "b1", "a2", "b2", "a3")


def rules() -> Rules:
    return Rules(load_game("hex", {"size": 3}))


def read(text: str) -> list[Recorded]:
    return list(games_of(Source("games.txt", text)))


def test_games_are_read_from_lines() -> None:
    found = read('# moves\na1, b1\n\n["a1"]\n{"moves": "a1; b1", "counts": [9, null]}\n')
    assert [(game.moves, game.line) for game in found] == [
        (("a1", "b1"), 2),
        (("a1",), 4),
        (("a1", "b1"), 5),
    ]
    assert found[2].counts == (9, None)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[1]",
        '{"moves": 3}',
        '{"moves": [], "counts": "9"}',
        '{"move": []}',
        '{"moves": [], "result": 1}',
    ],
)
def test_a_line_that_is_no_game_is_told_with_its_place(line: str) -> None:
    with pytest.raises(GameError) as error:
        read(f"a1\n{line}\n")
    (found,) = error.value.diagnostics
    assert found.code == "wrong-recorded-game" and found.span is not None
    assert found.span.line == 2


PORTABLE = """\
[Event "A [match], with \\"names\\""]
[Result "1-0"]

1. e2e4 {a remark; with (this} e7-e5 2. d1h5!? (2. g1f3 (2. b1c3) b8c6) b8c6
3. f1c4 $1 a7a6 ; a slip
4. h5f7# 1-0

[Event "Unfinished"]
[Result "*"]
1. a2a3 *
"""


def test_portable_game_notation_is_read_without_what_is_said_of_it() -> None:
    first, second = read(PORTABLE)
    assert first.moves == ("e2e4", "e7-e5", "d1h5", "b8c6", "f1c4", "a7a6", "h5f7")
    assert (first.result, first.line) == ("1-0", 4)
    assert (second.moves, second.result, second.line) == (("a2a3",), "", 10)


def test_moves_may_be_written_without_anything_between_their_sites() -> None:
    chess = Rules(load_game("chess"))
    assert list(traced(chess, read(PORTABLE))) == [None, None]
    promoted = "a2a4 h7h5 a4a5 h5h4 a5a6 h4h3 a6b7 h3g2 b7a8n g2h1q"
    assert list(traced(chess, read(promoted))) == [None]
    (found,) = traced(chess, read("a2a4 h7h5 a4a6"))
    assert found is not None and found.played == ("a2-a4", "h7-h5")


def test_words_without_commas_make_the_longest_moves_that_are_legal() -> None:
    trellis = Rules(load_game("trellis", {"size": 5}, ["no-pie"]))
    (game,) = read("a1 a4 b2 pass 2-0")
    (found,) = traced(trellis, [game])
    assert found is not None and found.played == ("a1 a4", "b2", "pass")


def test_the_results_of_two_sides_are_told_by_points() -> None:
    games = [Recorded(WON, (), result) for result in ("1-0", "0-1", "draw")]
    told = [one and one.kind for one in traced(rules(), games)]
    assert told == [None, "result", "result"]


@pytest.mark.parametrize("text", ["[Event", '[Event "x"]', '[A "b"]\n[', "{" * 50, "(" * 1000])
def test_what_is_cut_off_is_read_as_far_as_it_goes(text: str) -> None:
    try:
        read(text)
    except GameError as error:
        assert error.diagnostics[0].code == "wrong-recorded-game"


def test_several_saved_games_are_recorded_games(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    played = gdl("match", "tic-tac-toe", "random", "greedy", "-n", 4, "-o", file)
    assert played.exit_code == 0
    ran = gdl("trace", "tic-tac-toe", file)
    assert ran.exit_code == 0 and "4 of 4 games agree with the rules" in ran.stdout


def test_games_that_agree_are_passed() -> None:
    games = [Recorded(WON, (9, 8, 7, 6, 5), "Red wins"), Recorded(WON, (), "Red")]
    assert list(traced(rules(), games)) == [None, None]


def test_an_illegal_move_is_told_with_why() -> None:
    (found,) = traced(rules(), [Recorded(("a1", "a1"), line=7)])
    assert found is not None
    assert (found.kind, found.line, found.played) == ("move", 7, ("a1",))
    assert found.reasons[0].rulings[0].reasons[0].text == "a1 in empty"


def test_another_number_of_moves_is_told() -> None:
    (found,) = traced(rules(), [Recorded(("a1", "b1"), (9, 9))])
    assert found is not None
    assert (found.kind, found.recorded, found.ruled) == ("count", "9 legal moves", "8 legal moves")


@pytest.mark.parametrize(
    ("moves", "result", "ruled"),
    [
        (WON, "Blue wins", "Red wins"),
        (WON, "draw", "Red wins"),
        (WON[:3], "Red", "the game goes on"),
    ],
)
def test_another_result_is_told(moves: tuple[str, ...], result: str, ruled: str) -> None:
    (found,) = traced(rules(), [Recorded(moves, (), result)])
    assert found is not None and (found.kind, found.ruled) == ("result", ruled)


def test_the_command_tells_where(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("a1, b1\na1, a1\n")
    ran = gdl("trace", "hex", file, "--option", "size=3")
    assert ran.exit_code == 1
    assert "Game 2, line 2, after a1:" in ran.stdout
    assert "1 of 2 games agree with the rules, of 4 moves in all." in ran.stdout
    told = json.loads(gdl("trace", "hex", file, "--option", "size=3", "--json").stdout)
    assert told["disagreements"][0]["why"][0]["about"] == "illegal"
    assert (told["moves"], told["finished"]) == (4, 0)


def test_moves_are_counted_that_were_held_against_the_rules(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("a1 b1 a2 c2 a3\na1, a1, b1, b2\n")
    told = json.loads(gdl("trace", "hex", file, "--option", "size=3", "--json").stdout)
    assert (told["games"], told["moves"], told["finished"]) == (2, 7, 1)
    portable = tmp_path / "words.txt"
    portable.write_text("e2 e4 e7 e5\n")
    told = json.loads(gdl("trace", "chess", portable, "--json").stdout)
    assert (told["moves"], told["finished"], told["disagreements"]) == (2, 0, [])


def test_a_saved_game_is_traced(tmp_path: Path) -> None:
    save = tmp_path / "game.save"
    assert gdl("new", "hex", "-o", save, "--option", "size=3").exit_code == 0
    assert gdl("move", save, "a1").exit_code == 0
    assert gdl("trace", "hex", save, "--option", "size=3").exit_code == 0


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        ('{"moves": ["a1", "b1"]}\n', 0, "1 of 1 game agrees with the rules, of 2 moves in all."),
        ('["a1"]\n', 0, "1 of 1 game agrees with the rules, of 1 move in all."),
        ('{"moves": 7}\n', 2, "The moves of a recorded game are a list of texts."),
        ("# nothing\n", 2, "There is no recorded game here."),
    ],
)
def test_a_file_of_one_line_is_traced(tmp_path: Path, text: str, status: int, told: str) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(text)
    ran = gdl("trace", "hex", file, "--option", "size=3")
    assert told in ran.output
    assert (ran.exit_code != 0) == bool(status)
