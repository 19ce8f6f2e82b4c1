"""Records as people keep them: read as they were found, and told where they are broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import gdl

from gdl import trace
from gdl.diagnostic import GameError
from gdl.interpreter.compare.trace import Held, traced
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.records.files import games_in
from gdl.interpreter.records.following import RulesFor, follow, start_of
from gdl.interpreter.records.quick import QuickFollower
from gdl.interpreter.records.recorded import Recorded
from gdl.interpreter.records.which import game_of_file
from gdl.interpreter.sessions.notation import unspelled
from gdl.load import load_game

FOUND = Path(__file__).parent / "found"


def held(game: str, file: Path) -> tuple[Held, list[object]]:
    told = Held()
    rules = RulesFor(Rules(load_game(game)))
    return told, [one for one in traced(rules, games_in(file), told) if one is not None]


@pytest.mark.parametrize(
    ("file", "game", "moves", "finished", "put_in", "skipped", "early"),
    [
        ("chess-san.pgn", "chess", 84, 0, 0, 1, "White won"),
        ("chess-long-resigned.pgn", "chess", 5, 0, 0, 0, "White won"),
        ("chess-uci.txt", "chess", 8, 0, 0, 0, ""),
        ("go-9x9.sgf", "go", 70, 0, 0, 0, "not finished"),
        ("go-19x19-handicap.sgf", "go", 18, 0, 0, 0, "not finished"),
        ("international-draughts.pdn", "international-draughts", 132, 0, 0, 0, "White won"),
        ("othello-run-together.txt", "othello", 60, 1, 2, 0, ""),
        ("shogi.kif", "shogi", 8, 0, 0, 0, "Black resigned"),
        ("hive-boardspace.txt", "hive", 31, 1, 0, 0, ""),
        ("hive-game-string.txt", "hive", 56, 1, 0, 0, ""),
        ("arimaa-goal.txt", "arimaa", 330, 1, 8, 0, ""),
        ("backgammon.mat", "backgammon", 160, 1, 0, 0, ""),
    ],
)
def test_files_are_read_as_they_were_found(
    file: str, game: str, moves: int, finished: int, put_in: int, skipped: int, early: str
) -> None:
    told, disagreements = held(game, FOUND / file)
    assert disagreements == []
    assert (told.games, told.moves, told.finished) == (1, moves, finished)
    assert (told.put_in, told.skipped) == (put_in, skipped)
    assert list(told.early) == ([early] if early else [])


def test_games_in_native_memory_are_followed_alike(tmp_path: Path) -> None:
    game = load_game("chess")
    file = tmp_path / "games.pgn"
    file.write_text("\n\n".join((FOUND / f).read_text() for f in CHESS) + MORE)
    told = []
    for rules in (Rules(game), Rules(game, NativeRules(game))):
        counts = Held()
        found = [one and (one.kind, one.recorded) for one in traced(rules, games_in(file), counts)]
        told.append((found, counts))
    assert told[0] == told[1]
    assert told[0][1].finished == 1
    follower = QuickFollower.of(Rules(game, NativeRules(game)))
    assert follower is not None
    plain = [follower.follow(one) is not None for one in games_in(file)]
    assert plain == [False, False, True, False, False]  # only what is plain


CHESS = ("chess-san.pgn", "chess-long-resigned.pgn")
MORE = """

[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Result "1-0"]

1. f3 e5 2. g4 Qh4# 1-0

[Result "1-0"]

1. f3 e5 2. g4 Qh5 1-0
"""


def read(text: str | bytes, tmp_path: Path, suffix: str = "pgn") -> list[Recorded]:
    path = tmp_path / f"games.{suffix}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(games_in(path))


GAME = '[Event "é"]\n[Result "0-1"]\n\n1. e4 {good} e5 (1... c5 2. Nf3 (2. c3) d6) 2. Nf3 $1 0-1\n'


@pytest.mark.parametrize(
    "data",
    [
        GAME.encode(),
        GAME.encode("cp1252"),
        b"\xef\xbb\xbf" + GAME.encode(),
        GAME.encode("utf-16"),
        GAME.replace("\n", "\r\n").encode(),
        GAME.replace("\n", "\r").encode(),
    ],
)
def test_encodings_and_line_breaks(data: bytes, tmp_path: Path) -> None:
    (game,) = read(data, tmp_path)
    assert game.moves == ("e4", "e5", "Nf3")
    assert game.tags == {"Event": "é", "Result": "0-1"}
    assert game.variations == (("e4", "c5", "c3"), ("e4", "c5", "Nf3", "d6"))
    assert (game.remarks, game.result) == (((1, "good"),), "0-1")


def test_a_broken_game_among_good_ones_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(f'{GAME}\n[Event "2"]\n\n1. e4 {{no end\n1... e5 *\n\n{GAME}')
    ran = gdl("trace", "chess", file)
    assert ran.exit_code == 1
    assert "Game 2, line 8, column 7, after e2-e4:" in ran.stdout
    assert "The remark that begins here has no end" in ran.stdout
    assert "2 of 3 games agree with the rules, of 7 moves in all." in ran.stdout
    assert "Ended early: Black won (2)." in ran.stdout


def test_several_games_without_headers(tmp_path: Path) -> None:
    first, second = read('[A "b"]\n1. e4 {x} 1-0 1. d4 (1. c4) d5 *', tmp_path)
    assert (first.moves, second.moves) == (("e4",), ("d4", "d5"))


@pytest.mark.parametrize(
    ("text", "early"),
    [
        ('[Termination "Time forfeit"]\n[Result "1-0"]\n\n1. e4 1-0', "Black lost on time"),
        ('[Termination "White resigned"]\n[Result "0-1"]\n\n1. e4 0-1', "White resigned"),
        ('[Result "1/2-1/2"]\n\n1. e4 1/2-1/2', "a draw was agreed"),
        ('[Result "*"]\n\n1. e4 *', "not finished"),
        ('[Termination "adjudication"]\n[Result "1-0"]\n\n1. e4 1-0', "White won, adjudicated"),
    ],
)
def test_ends_of_a_record_are_no_disagreements(text: str, early: str, tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text(text)
    told, disagreements = held("chess", file)
    assert (disagreements, list(told.early)) == ([], [early])


MATE = "1. f3 e5 2. g4 Qh4#"


@pytest.mark.parametrize(
    ("moves", "result", "agrees"),
    [(MATE, "0-1", True), (MATE, "1-0", False), (MATE, "*", True), ("1. f3 e5#", "0-1", False)],
)
def test_a_result_that_the_rules_contradict_is_one(
    moves: str, result: str, agrees: bool, tmp_path: Path
) -> None:
    file = tmp_path / "game.pgn"
    file.write_text(f'[Result "{result}"]\n\n{moves} {result}')
    _, disagreements = held("chess", file)
    assert (not disagreements) is agrees


@pytest.mark.parametrize(
    ("text", "moves", "early"),
    [
        ("(;GM[1]SZ[9]RE[B+R];B[ee];W[])", 2, "White resigned"),
        ("(;GM[1]SZ[9]RE[W+T]AB[aa:bb]PL[W];W[ee](;B[cc])(;B[dd];W[ff]))", 2, "Black lost on time"),
        ("(;FF[4]SZ[9]C[a \\] b]\n;B[ee];B[gg])", 2, "not finished"),
    ],
)
def test_smart_game_format(text: str, moves: int, early: str, tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text(text)
    told, disagreements = held("go", file)
    assert disagreements == []
    assert (told.moves, list(told.early)) == (moves, [early])


@pytest.mark.parametrize("encoding", ["shift_jis", "gb2312", "euc-kr", "utf-8", "cp1252"])
def test_smart_game_format_names_its_encoding(encoding: str, tmp_path: Path) -> None:
    remark = {"shift_jis": "表示ソ", "gb2312": "好棋", "euc-kr": "한국"}.get(encoding, "café")
    said = "UTF-8" if encoding == "utf-8" else "no-such" if encoding == "cp1252" else encoding
    text = f"(;FF[4]GM[1]CA[{said}]SZ[9];B[ee]C[{remark}];W[cc])"
    (game,) = read(text.encode(encoding), tmp_path, "sgf")
    assert (game.remarks, game.moves) == (((1, remark),), ("ee", "cc"))


def test_players_agree_on_the_result_of_go(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[1]SZ[9]KM[5.5]RE[B+3.5];B[ee];W[gc];B[cg];W[];B[])")
    told, disagreements = held("go", file)
    assert (disagreements, list(told.early)) == ([], ["Black won, as was agreed"])


def test_a_header_may_set_an_option_by_its_value(tmp_path: Path) -> None:
    file = tmp_path / "game.pdn"
    file.write_text('[GameType "26,W,8,8"]\n\n1. 22-18 9-13 *\n')
    assert held("international-draughts", file)[1] == []
    assert gdl("replay", file, "--export", copy := tmp_path / "copy.pdn").exit_code == 0
    assert '[GameType "26"]' in copy.read_text()


def test_kifu_format_in_the_older_encoding(tmp_path: Path) -> None:
    file = tmp_path / "game.kif"
    file.write_bytes((FOUND / "shogi.kif").read_text("utf-8").encode("cp932"))
    (game,) = games_in(file)
    assert game.moves[2:5] == ("22角成(88)", "22銀(31)", "45角打")
    assert game.remarks == ((0, "はじめ"), (3, "角交換"))
    assert game.variations == ((*game.moves[:6], "34角(45)", "33角打", "78銀(79)"),)
    assert game.tags["先手"] == "A" and game_of_file(file) == "shogi"


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (("平手", "香落ち"), "line 3, column 1, at the start"),
        (("２二角成", "２三角成"), "line 10, column 6"),
    ],
)
def test_what_is_wrong_with_kifu(changed: tuple[str, str], told: str, tmp_path: Path) -> None:
    file = tmp_path / "game.kif"
    file.write_text((FOUND / "shogi.kif").read_text("utf-8").replace(*changed), "utf-8")
    ran = gdl("trace", "shogi", file)
    assert ran.exit_code == 1
    assert told in ran.stdout


def test_the_headers_set_options(tmp_path: Path) -> None:
    (game,) = read("(;GM[1]SZ[13]KM[0.5];B[aa])", tmp_path, "sgf")
    rules = RulesFor(Rules(load_game("go")))(game)
    assert {o.name: o.value for o in rules.game.options} == {
        "size": "13",
        "komi": "0.5",
        "superko": "yes",
    }


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"a1\na2\x00\x01\x02PNG", "game.sgf:2:3"),
        (b"", "There is no recorded game here."),
        (b"(;GM[1]SZ[9]AB[zz];W[ee])", "`Black zz` is no piece on the board"),
        (b'[Result "*"]\n\n1. e4 e', "line 3, column 7"),
        (b"(;GM[1]SZ[9];B[ee]", "line 1, column 18"),
        (b"(;GM[1]SZ[9];B[ee];W[a", "behind this `[` stands no `]`"),
        (b"V2.2\nPI\n+\n+7776FU\n-3334FU\n", "This is a game in CSA, which is not read."),
        ("先手：山田\n\n▲７六歩 △３四歩\n".encode(), "Moves of KI2 don't say where"),
        ("手合割：二枚落ち\n1 ６二銀(71)\n".encode(), "begins with a handicap"),
        (b"(;GM[1]SZ[9];B[ee]];W[aa])", "is no part of a node"),
        (b"(;GM[1]SZ[99];B[ee])", "99"),
        (b"(;GM[1]SZ[9:13];B[ee])", "Go has one size, and the record, by its `SZ`, is of 9:13."),
        (b'(;GM[1]SZ[9];B[ee])\n\n[Event "a"]\n\n1. e4 *', "Games in another format begin here"),
        (b'["e5"]\n["e5"\n["d4"]', "2 of 3 games agree"),
        (b'[White "a"]\n\n1. e4 Qxh9 *', "neither a site"),
        (b"(;GM[1]SZ[9];B[ee];AW[aa];B[cc])", "Pieces are set up here"),
        (b"(;GM[1]SZ[9];B[ee];W[ee])", "`ee` means `e5`, which is not a legal move of White."),
        (b'[Event "a]\n[Result "*"]\n\n1. e5 *', "The header that begins here has no end"),
        (b"1. " + b"x" * 100_000, "xxx\u2026"),
    ],
)
def test_bad_input_is_told_in_a_sentence(data: bytes, told: str, tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_bytes(data)
    ran = gdl("trace", "go", file)
    assert ran.exit_code == 1
    assert told in ran.output
    assert len(ran.output) < 5000
    assert "Traceback" not in ran.output


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ('[Result "*"]\n\n1. e4 e5\n% 2. Nc3 {\n2. Nf3 *', ["e4 e5 Nf3"]),
        ('[Result "*"]\n\n1.e4 {a}\n% 2. Nc3 {\ne5 2.0-0 *', ["e4 e5 0-0"]),
        ('[Result "*"]\n\n1.e4 e5 2.0-0 *', ["e4 e5 0-0"]),
        ('[GameType "20"]\n\n1. 33-28 07-12 *', ["33-28 7-12"]),
        ('[Result "*"]\n\n1. e4+- e5 = 2. d4!? +/- dxe4!∓ *', ["e4 e5 d4 dxe4"]),
        ("position startpos moves e2e4 e7e5", ["e2e4 e7e5"]),
        ('% a\n; {b\n[Result "*"]\n\n1. e4 *', ["e4"]),
        ("Sent by mail:\n\n(;GM[1]SZ[9];B[ee];W[gc])", ["ee gc"]),
        ('[Event "a "b" c"] [Site "C:\\"]\n[Result "*"]\n\n1. e4 *', ["e4"]),
        ("1. e4 e5\n2. Nf3 1-0\n\n1. d4 d5\n1. c4 c5", ["e4 e5 Nf3", "d4 d5", "c4 c5"]),
    ],
)
def test_games_that_were_written_carelessly(text: str, moves: list[str], tmp_path: Path) -> None:
    games = read(text, tmp_path)
    assert [" ".join(game.moves) for game in games] == moves
    assert not any(game.problem for game in games)


def test_what_an_illegal_move_means_is_told(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text('[Result "*"]\n\n1. e4 e5 2. Ke3 *')
    ran = gdl("trace", "chess", file)
    assert "`Ke3` means `e1 e3`, which is not a legal move of White." in ran.stdout
    assert "union k in kinds of targets(e1, k) when e1 in k is d1, f1, d2, e2, f2" in ran.stdout


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ("k3, swap, d3", "(;FF[4]EV[hex.a]SZ[13];W[kc];B[swap];W[cd];B[resign])"),
        ("k3, swap, d3", "(;GM[11]SZ[13]RE[W+R];B[k3];W[swap-pieces];B[c4])"),
        ("k3, swap, d3", "(;GM[11]SZ[13]RE[B+R];B[k3];W[swap-sides];W[d3])"),
    ],
)
def test_after_a_swap_of_pieces_a_record_is_mirrored(moves: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text(text)
    (game,) = games_in(file)
    assert game_of_file(file) == "hex"
    done = follow(RulesFor(Rules(load_game("hex")))(game), game, unspelled)
    assert ", ".join(map(str, done.moves)) == moves
    assert (done.refused, done.early) == (
        None,
        "Red resigned" if "resign]" in text else "Blue resigned",
    )


def test_two_games_interleaved_are_told(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text('[Event "?"]\n\n1. e4 1. d4 e5 d5 2. Nf3 *')
    ran = gdl("trace", "chess", file, "--json")
    (one,) = json.loads(ran.stdout)["disagreements"]
    assert (one["kind"], one["recorded"], one["played"]) == ("move", "d4", ["e2-e4"])


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="There is no file"):
        list(games_in(tmp_path / "none.pgn"))


def test_draughts_may_begin_at_a_position_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "game.pdn"
    file.write_text(
        '[GameType "20"]\n[FEN "B:WK3,40-42:B8,K12."]\n[Result "*"]\n\n1. 12x1 3x12 *\n'
    )
    told, disagreements = held("international-draughts", file)
    assert told.moves == 1 and len(disagreements) == 1
    (game,) = games_in(file)
    start = start_of(Rules(load_game("international-draughts")), game)
    assert start.mover == "Black"
    assert sorted(start.pieces().values()) == [
        *("Black King", "Black Man", "White King", "White Man", "White Man", "White Man"),
    ]


def test_turns_may_be_taken_back_and_given_up(tmp_path: Path) -> None:
    lines = (FOUND / "arimaa-goal.txt").read_text().splitlines()
    file = tmp_path / "game.txt"
    file.write_text("\n".join((*lines[:3], "2s takeback", "2g Ed2n", "2s resigns", "")))
    told, disagreements = held("arimaa", file)
    assert disagreements == []
    assert (told.games, told.moves, list(told.early)) == (1, 33, ["Silver resigned"])
    assert game_of_file(file) == "arimaa"


MATCH = """ ; [Variation "Backgammon"]
 5 point match

 Game 1
 One : 0                             Other : 2
  1)                                 26: 24/18 13/11
  2) 64: 24/14*                      54: bar/20 24/20
  3)  Doubles => 2                    Drops
      Wins 1 point

 Game 2
 One : 1                             Other : 2
  1) 61: 13/7 8/7                    41: 6/5 24/20
  2) 11: 8/7(2) 6/5(2)               66: 24/12 13/7
"""


def test_games_of_a_match_with_dice(tmp_path: Path) -> None:
    games = read(MATCH, tmp_path, "mat")
    assert [(game.moves[:3], game.result, game.line) for game in games] == [
        (("26", "24/18 13/11", "64"), "White", 4),
        (("61", "13/7 8/7", "41"), "", 11),
    ]
    assert games[0].remarks == ((6, "White doubles to 2. Black drops."),)
    file = tmp_path / "games.mat"
    told, disagreements = held("backgammon", file)
    assert len(disagreements) == 1
    assert list(told.early) == ["White won, the double was refused"]
    assert game_of_file(file) == "backgammon"


@pytest.mark.parametrize(
    ("changed", "told", "column"),
    [
        (("13/7 8/7", "13/7 8/7 ?"), "`?` is not a turn.", 19),
        (("64: 24/14*", "64: 24/13*"), "`24/13*` is not a legal move.", 10),
        (("Wins 1 point", "Wins 1 point Takes"), "`Takes` is not a part of the game", 20),
    ],
)
def test_what_is_wrong_with_a_match(
    changed: tuple[str, str], told: str, column: int, tmp_path: Path
) -> None:
    file = tmp_path / "games.mat"
    file.write_text(MATCH.replace("66: 24/12 13/7", "").replace(*changed), "utf-8")
    ran = gdl("trace", file)
    assert ran.exit_code == 1
    assert told in ran.stdout
    assert f"column {column}" in ran.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Base;InProgress;White[2];wS1;bG1 -wA1", "`bG1 -wA1` is not a legal move."),
        ("Base;WhiteWins;White[2];wS1", "the game goes on"),
    ],
)
def test_what_is_wrong_in_a_game_string_is_told(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(text)
    told, disagreements = held("hive", file)
    if message == "the game goes on":
        assert list(told.early) == ["White won"]
    else:
        assert [one.ruled for one in disagreements] == [message]  # type: ignore[attr-defined]


def test_one_game_of_a_file_is_held_as_the_file_is(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    draw = '[Termination "drawn by agreement"]\n[Result "1/2-1/2"]\n\n1. d4 1/2-1/2\n'
    file.write_text(f'[Result "1-0"]\n\n1. e4 1-0\n\n{draw}')
    for named in (("chess", f"{file}:2"), (f"{file}:2",)):
        ran = gdl("trace", *named)
        assert (ran.exit_code, "Ended early: a draw was agreed.") == (0, ran.stdout.split("\n")[-2])
    assert trace(Rules(load_game("chess")), f"{file}:2") == [None]
    assert "there are only games 1 to 2" in gdl("trace", f"{file}:3").stderr


MIXED = """
[Variant "No such game"]

1. e4 *

[Event "?"]

1. f3 e5 2. g4 Qh4# 0-1

[Variant "King of the Hill"]

1. e4 e5 2. Ke2 Ke7 3. Ke3 Kd6 4. Kd3 Kc5 5. Kc3 Nc6 6. d4+ Kb6 7. d5 f6 8. Kd3 f5 *

[GameType "20"]

1. 33-28 18-23 *
"""


def test_games_of_a_file_are_held_against_the_rules_that_they_name(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(MIXED.lstrip())
    ran = gdl("trace", file, "--json")
    told = json.loads(ran.stdout)
    assert (ran.exit_code, told["disagreements"]) == (1, [])
    assert told["of"] == {"chess": 1, "king-of-the-hill": 1, "international-draughts": 1}
    assert told["left_out"] == {"No such game": 1}
    assert [one["result"] for one in told["results"]] == ["Black wins", *["not finished"] * 2]
    shown = gdl("trace", file).stdout
    assert "By its headers this is chess." in shown
    assert "Left out: 1 game is of `No such game`, by the headers, which no game here is." in shown
    assert "Ended by the rules: Black wins (1)." in shown


def test_why_is_told_of_the_first_disagreement(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text('[Result "1-0"]\n\n1. e4 Qh4 1-0\n\n' * 2)
    shown = gdl("trace", "chess", file).stdout
    assert shown.count("the rules say:") == 2
    assert shown.count("-->") == gdl("trace", "chess", f"{file}:1").stdout.count("-->") > 0


def test_games_of_a_match_say_which_game_they_are_of(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    ran = gdl(
        "match",
        "gomoku",
        "--option",
        "size=7",
        "random",
        "random",
        "-n",
        2,
        "--seed",
        1,
        "-o",
        file,
    )
    assert ran.exit_code == 0
    shown = gdl("trace", file).stdout
    assert shown.startswith("By its headers this is gomoku.\n2 of 2 games agree")
