"""Games written in the formats of others, and read again; which game a record is of."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from command_line import gdl
from library_games import ALWAYS, deep_games

from gdl.diagnostic import GameError
from gdl.interpreter.api import load
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.examples import run_examples
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.records.files import games_in
from gdl.interpreter.records.following import RulesFor, follow
from gdl.interpreter.records.pgn import place_of_move
from gdl.interpreter.records.which import game_of_file, games_of_record
from gdl.interpreter.records.writing import Told, text_of, told
from gdl.interpreter.report.played import records_of
from gdl.interpreter.sessions.notation import unspelled
from gdl.interpreter.sessions.replaying import replay
from gdl.interpreter.sessions.saves import read_record
from gdl.interpreter.sessions.session import Session
from gdl.load import load_game, shipped_names

FOUND = Path(__file__).parent / "found"
_MANY = 10_000  # legal moves, of which to tell one takes long


def random_game(rules: Rules, plies: int, seed: int) -> Told:
    draw, positions, moves = random.Random(seed), [rules.start()], list[Move]()
    while len(moves) < plies and not positions[-1].over:
        moves.append(draw.choice(positions[-1].moves()))
        positions.append(positions[-1].play(moves[-1]))
    return told(positions, moves)


def again(text: str, rules: Rules, tmp_path: Path, format: str) -> list[Position]:
    file = tmp_path / f"game.{format}"
    file.write_text(text, "utf-8")
    (game,) = games_in(file)
    done = follow(RulesFor(rules)(game), game, unspelled)
    assert (done.refused, done.put_in, done.skipped) == (None, 0, 0)
    return done.positions


@pytest.mark.at_night(
    "amazons",
    "crazyhouse",
    "xiangqi",
    "shogi",
    "antichess",
    "lines-of-action",
    "makruk",
    "go-pgn",
    "hive",
)
@pytest.mark.parametrize(
    ("game", "format"),
    [
        *((name, "pgn") for name in ("chess", "crazyhouse", "antichess", "minichess", "makruk")),
        *((name, "pgn") for name in ("xiangqi", "shogi", "amazons", "nine-mens-morris", "tak")),
        *((name, "pgn") for name in ("hive", "arimaa")),
        *((name, "pgn") for name in ("othello", "go", "hex", "lines-of-action", "breakthrough")),
        *((name, "pdn") for name in ("draughts", "international-draughts", "russian-draughts")),
        *((name, "pdn") for name in ("frisian-draughts", "turkish-draughts")),
        *((name, "sgf") for name in ("go", "gomoku", "hex", "othello")),
    ],
)
def test_what_is_written_is_read_as_the_same_game(game: str, format: str, tmp_path: Path) -> None:
    rules = Rules(load_game(game))
    for seed in range(2):
        played = random_game(rules, 40, seed)
        assert again(text_of(played, format), rules, tmp_path, format)[-1] == played.positions[-1]


@pytest.mark.parametrize("name", deep_games(shipped_names(), ALWAYS | {"catchup", "kayles"}))
def test_each_shipped_game_reads_back_as_the_same_moves(name: str, tmp_path: Path) -> None:
    rules = load(name)
    native, start = rules.native(), rules.start()
    plies = 3 if native.perft(start.after(start.moves()[0]), 1) > _MANY else 40
    for number in range(2):
        positions, moves = [start], native.moves(start, number, seed=5, max_plies=plies)
        for move in moves:
            positions.append(positions[-1].play(move))
        game = told(positions, moves)
        file = tmp_path / f"{number}.pgn"
        file.write_text(text_of(game, "pgn"), "utf-8")
        (read,) = games_in(file)
        done = follow(rules, read, unspelled)
        assert (done.refused, done.put_in, done.skipped) == (None, 0, 0)
        assert (tuple(done.moves), done.positions[-1]) == (moves, positions[-1])
        assert len(rules.sides) != 2 or read.winner(rules.sides) == game.winner


ONE_OR_TWO = """
game: One or two
players: White, Black
board: square(4, 1)
turn: |
  choose s in empty
  place Stone at s
  optionally
    choose t in empty
    place Stone at t
stuck: draw
"""


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ("a1, b1, c1 d1", "1. a1 1... b1 2. c1 d1 2... 1/2-1/2"),
        ("a1 b1, c1", "1. a1 b1 1... c1 *"),
        ("a1 b1", "1. a1 b1 1... *"),
    ],
)
def test_words_of_a_move_are_told_from_the_next_move(moves: str, text: str, tmp_path: Path) -> None:
    rules = load(ONE_OR_TWO)
    positions = [rules.start()]
    for move in moves.split(", "):
        positions.append(positions[-1].play(move))
    made = [here.parse(move) for here, move in zip(positions, moves.split(", "), strict=False)]
    written = text_of(told(positions, made), "pgn")
    assert written.splitlines()[-1] == text
    assert again(written, rules, tmp_path, "pgn") == positions


def test_words_stay_together_in_variations_and_beside_remarks(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text(
        "1. a1 b1 ( 1. c1 {first} 1... d1 a1 2. b1 2... ) 1... {here} c1 d1 {last} ( 1... d1 ) *"
    )
    (game,) = games_in(file)
    assert game.moves == ("a1 b1", "c1 d1")
    assert game.variations == (("c1", "d1 a1", "b1"), ("a1 b1", "d1"))
    assert (game.remarks, game.asides) == (((1, "here"), (2, "last")), (((1, "first"),), ()))
    assert place_of_move(game, 1) == (1, file.read_text().index("c1 d1") + 1)


KINDS = """
game: Kings and men
players: Black, White
pieces: Man, King
board: square(5, 5)
setup: {Black Man: a1 | b1, White Man: e5, White King: d5}
turn: |
  choose a in own
  choose b in adjacent(a) & empty
  move a to b
stuck: draw
end: draw when turns > 9
notation:
  sgf: {letters: {King: K}, moves: "{first}{last}"}
  pdn: {letters: {King: K}, moves: "{first}-{last}"}
"""


@pytest.mark.parametrize(
    ("format", "written"),
    [("sgf", "AB[c1][Kb2]AW[Ka4]PL[W]"), ("pdn", '[FEN "W:Bc1,Kb2:WKa4"]')],
)
def test_pieces_of_several_kinds_are_set_up(format: str, written: str, tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(KINDS)
    rules = Rules(load_game(str(file)))
    rows = ". . . . . / k . . . . / . . . . . / . K . . . / . . M . ."
    start = rules.from_rows(rows, mover="White")
    move = start.parse("a4-a5")
    text = text_of(told([start, start.play(move)], [move]), format)
    assert written in text
    assert again(text, rules, tmp_path, format)[0] == start


VARIED = """[Event "?"]
[Result "*"]

{The start.} 1. e4 {good} e5 (1... c5 {sharp} 2. Nf3 (2. c3 {quiet} d5) 2... d6) 2. Nf3 *
"""


def test_what_is_said_in_variations_is_kept_and_shown(tmp_path: Path) -> None:
    file, again = tmp_path / "game.pgn", tmp_path / "again.pgn"
    file.write_text(VARIED)
    ran = gdl("replay", file, "--plain")
    assert "The start." in ran.stdout
    assert "or c7-c5, c2-c3 (quiet), d7-d5" in ran.stdout
    assert "or c7-c5 (sharp), g1-f3, d7-d6" in ran.stdout
    gdl("replay", file, "--export", again)
    assert read_record(again).asides == read_record(file).asides == ({3: "quiet"}, {2: "sharp"})
    session = Session(replay(read_record(file)))
    session.go_to(1)
    assert session.remark == "good"
    session.play(session.position.parse("c5"))
    assert session.remark == "sharp"


def test_a_record_is_replayed_up_to_a_turn_that_it_leaves_out(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text('[Result "*"]\n\n1. e4 {good} Z0 2. d4 {better} *')
    record = read_record(file)
    assert record.moves == ("e2-e4",)
    assert record.remarks == {
        1: "good The record leaves out a turn here, by `Z0`, and goes on.",
    }
    ran = gdl("replay", file, "--export", tmp_path / "copy.pgn")
    assert "so the moves that follow are left out: 1." in ran.stderr


def test_very_deep_variations_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    deep = "(1. d4 d5 (1... e5 2. e3 " * 20_000 + "))" * 20_000
    file.write_text(f'[Result "*"]\n\n1. e4 {deep} e5 *')
    (game,) = games_in(file)
    assert game.moves == ("e4", "e5") and len(game.variations) == 100


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("1. 32-28 19-23 2. 28x19 14x23 1-1", "international-draughts"),
        ("1. 11-15 23-19 2. 8-11 22-17 1-0", "draughts"),
    ],
)
def test_where_headers_fit_several_games_the_moves_tell(
    text: str, game: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.pdn"
    file.write_text(f'[Event "?"]\n\n{text}')
    assert game_of_file(file) == game


def test_sgfmill_reads_what_is_written() -> None:
    sgf = pytest.importorskip("sgfmill.sgf")
    rules = Rules(load_game("go", {"komi": "0.5"}))
    played = random_game(rules, 60, 5)
    read = sgf.Sgf_game.from_bytes(text_of(played, "sgf").encode())
    assert (read.get_size(), read.get_komi()) == (9, 0.5)
    made = [node.get_move() for node in read.main_sequence_iter()][1:]
    assert [colour for colour, _ in made] == ["bw"[n % 2] for n in range(len(made))]
    sites = rules.game.board.sites
    names = [
        "pass"
        if point is None
        else next(s.name for s in sites if (s.row - 1, s.column - 1) == point)
        for _, point in made
    ]
    assert names == [move.text for move in played.moves]


def test_a_start_of_its_own_is_written(tmp_path: Path) -> None:
    chess = Rules(load_game("chess"))
    start = chess.from_fen("4k3/P7/8/8/8/8/8/4K2R w K - 0 1")
    moves = [start.parse("O-O")]
    written = text_of(told([start, start.play(moves[0])], moves, "Black wins"), "pgn")
    assert '[FEN "4k3/P7/8/8/8/8/8/4K2R w K - 0 1"]' in written
    assert "1. O-O 0-1" in written
    assert again(written, chess, tmp_path, "pgn")[-1] == start.play("e1-g1")


def test_a_game_without_a_notation_for_a_format_is_refused() -> None:
    played = random_game(Rules(load_game("chess")), 4, 1)
    with pytest.raises(GameError, match="smart game format"):
        text_of(played, "sgf")


def test_variations_and_remarks_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "out.pgn"
    ran = gdl("replay", FOUND / "chess-long-resigned.pgn", "--export", file)
    assert ran.exit_code == 0
    text = file.read_text()
    assert "1. e4 e5 2. Nf3 ( 2. f4 exf4 ) 2... Nc6 {a remark} 3. Bc4 1-0" in text
    record = read_record(file)
    assert record.variations == (("e2-e4", "e7-e5", "f2-f4", "e5-f4"),)
    assert record.remarks == {4: "a remark"}
    assert "a remark" in gdl("replay", file, "--plain").stdout


@pytest.mark.parametrize(
    ("file", "game"),
    [
        ("chess-san.pgn", "chess"),
        ("go-9x9.sgf", "go"),
        ("go-19x19-handicap.sgf", "go"),
        ("international-draughts.pdn", "international-draughts"),
    ],
)
def test_a_file_tells_which_game_it_is_of(file: str, game: str) -> None:
    (one,) = games_in(FOUND / file)
    assert games_of_record(one)[0] == game
    ran = gdl("trace", FOUND / file)
    assert (ran.exit_code, f"By its headers this is {game}." in ran.stdout) == (0, True)


@pytest.mark.parametrize(
    ("headers", "game"),
    [
        ('[Variant "Crazyhouse"]', "crazyhouse"),
        ('[Variant "King of the Hill"]', "king-of-the-hill"),
        ('[Variant "Lines of Action"]', "lines-of-action"),
        ('[GameType "21"]', "draughts"),
        ('[GameType "25,W,8,8,A0,0"]', "russian-draughts"),
        ('[Event "?"]', "chess"),
    ],
)
def test_headers_tell_which_game(headers: str, game: str, tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text(f"{headers}\n\n*\n")
    assert games_of_record(next(iter(games_in(file))))[:1] == [game]


def test_the_side_that_the_headers_name_first_has_the_first_points(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text('[Game "Chinese Chess"]\n[Red "a"]\n[Black "b"]\n\n1. H2-E2 H9-G7 1-0\n')
    assert "By its headers this is xiangqi." in (told := gdl("trace", file).stdout)
    assert "Ended early: Red won." in told


def test_moves_alone_do_not_tell_which_game(tmp_path: Path) -> None:
    ran = gdl("trace", FOUND / "chess-uci.txt")
    assert ran.exit_code != 0 and "says which game it is of" in ran.output
    other = tmp_path / "other.pgn"
    other.write_text('[Variant "Three-check"]\n\n1. e4 *')
    assert "is of `Three-check`, by its headers, and no game" in gdl("trace", other).output


@pytest.mark.parametrize("name", ["chess-san.pgn", "go-9x9.sgf"])
def test_a_check_says_what_a_file_of_games_is(name: str) -> None:
    ran = gdl("check", FOUND / name)
    assert ran.exit_code != 0
    assert "is no file of a game's rules: it has games in" in ran.output
    assert "gdl trace" in ran.output


def test_a_check_says_what_the_file_of_another_program_is(tmp_path: Path) -> None:
    file = tmp_path / "game.zrf"
    file.write_text("(game)")
    assert "it has rules for Zillions of Games" in gdl("check", file).output


def test_one_game_of_several(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    assert (
        gdl("match", "chess", "random", "random", "-n", 2, "--max-plies", 9, "-o", file).exit_code
        == 0
    )
    assert "2 of 2 games agree" in gdl("trace", "chess", file).stdout
    assert gdl("replay", f"{file}:2", "--plain").exit_code == 0
    assert "only games 1 to 2" in gdl("replay", f"{file}:3").output
    assert "has several games: say which" in gdl("replay", file).output
    assert (
        "has something in it already, and no match goes on with it"
        in gdl("match", "chess", "random", "random", "-o", file).output
    )


def test_a_position_may_be_given_in_a_line() -> None:
    ran = gdl("moves", "chess", "--position", "7k/8/8/8/8/8/P7/K7 w - - 0 1")
    assert ran.exit_code == 0 and "a1-b2" in ran.stdout
    assert "is no position of Chess" in gdl("show", "chess", "--position", "8/8 w - - 0 1").output


@pytest.mark.parametrize("file", ["go-9x9.sgf", "othello-run-together.txt", "chess-uci.txt"])
def test_positions_of_a_record_become_examples(file: str, tmp_path: Path) -> None:
    game = file.partition("-")[0]
    ran = gdl("trace", game, FOUND / file, "--examples")
    assert ran.exit_code == 0
    path = tmp_path / "game.yaml"
    path.write_text(f"extends: {game}\n{ran.stdout}")
    results = list(run_examples(load_game(str(path))))
    assert [one for result in results for one in result.diagnostics] == []
    assert ran.stdout.count("- name:") == 3


@pytest.mark.slow
def test_recorded_games_stand_beside_random_ones(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text("\n\n".join(f'[Result "{r}"]\n\n1. e4 e5 2. Nf3 Nc6 {r}' for r in RESULTS))
    found = records_of(file, Rules(load_game("chess")))
    assert (found.games, found.left_out, found.lengths) == (4, 0, (4,) * 4)
    assert {told: share.count for told, share in found.results} == {
        "White": 1,
        "Black": 1,
        "draw": 1,
        "not told": 1,
    }
    (opening,) = found.openings
    assert (opening.moves, opening.games.count, opening.points.count) == ("e4 e5 Nf3 Nc6", 4, 1.5)
    assert opening.points.of == 3  # one is not over
    page = tmp_path / "report.html"
    assert gdl("report", "chess", "--seconds", 1, "--records", file, "-o", page).exit_code in (0, 1)
    assert "<h2>Recorded games</h2><p>4 games of games.pgn." in page.read_text()


RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def test_a_record_of_another_game_is_told() -> None:
    ran = gdl("trace", "chess", FOUND / "go-9x9.sgf")
    assert ran.exit_code == 1
    assert "By its headers this is no record of Chess, but of go." in ran.stdout


def test_headers_of_a_record_are_kept(tmp_path: Path) -> None:
    file, out, tree = tmp_path / "a.pgn", tmp_path / "b.pgn", tmp_path / "c.sgf"
    file.write_text(
        '[Event "Town match"]\n[Site "Bern"]\n[Date "1999.01.02"]\n[Round "3"]\n[White "A"]\n'
        '[Black "B"]\n[Result "1-0"]\n[WhiteElo "1900"]\n[ECO "C20"]\n\n1. e4 e5 1-0\n'
    )
    for _ in range(2):  # what it wrote itself it may write over
        assert gdl("replay", file, "--export", out).exit_code == 0
    (first,), (again,) = list(games_in(file)), list(games_in(out))
    assert dict(again.tags) == {"Software": "gdl", **first.tags}
    file = tmp_path / "d.sgf"
    file.write_text("(;GM[1]SZ[9]PB[A]PW[B]EV[Cup]DT[1999-01-02]RE[B+R];B[ee])")
    assert gdl("replay", file, "--export", tree).exit_code == 0
    (told,) = games_in(tree)
    assert {tag: told.tags[tag] for tag in ("PB", "PW", "EV", "DT")} == {
        "PB": "A",
        "PW": "B",
        "EV": "Cup",
        "DT": "1999-01-02",
    }
    out.unlink()
    assert gdl("replay", file, "--export", out).exit_code == 0
    (told,) = games_in(out)
    assert (told.tags["Event"], told.tags["Black"], told.tags["White"]) == ("Cup", "A", "B")


@pytest.mark.parametrize(
    ("text", "written", "players", "winner"),
    [
        ("GM[1]SZ[9]PB[A]PW[B]RE[B+R];B[ee];W[ec];B[ed]", "E5 E7 2. E6 0-1", "B A", "Black"),
        ("GM[1]SZ[19]KM[0.5];B[pd];W[dp];B[qq]", "Q16 D4 2. R3 *", "? ?", ""),
        ("EV[hex.a]PB[A]PW[B]SZ[13];W[c2];B[swap];W[g7];W[resign]", "2. g7 1-0", "A B", "Red"),
        ("GM[11]PB[A]PW[B]RE[B+R];B[c2];W[swap-pieces];B[g7]", "2. g7 0-1", "B A", "Blue"),
        ("GM[11]PB[A]PW[B];W[a3];B[f6];W[d7];B[resign]", "1. a3 f6 2. d7 1-0", "B A", "Red"),
        ("GM[4]SZ[15];B[jg];W[ii]", "1. K9 J7 *", "? ?", ""),
        ("GM[1]SZ[9]AB[aa]HA[2]PL[W]GN[One];W[ee];B[cc]", "1... E5 2. C7 *", "? ?", ""),
    ],
)
def test_options_players_and_the_winner_stay_in_other_formats(
    text: str, written: str, players: str, winner: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.sgf"
    file.write_text(f"(;FF[4]{text})")
    played = replay(read_record(file))
    for format in ("pgn", "sgf") if "AB" not in text else ("sgf",):
        copy = tmp_path / f"copy.{format}"
        assert gdl("replay", file, "--export", copy).exit_code == 0
        assert format == "sgf" or written in copy.read_text()
        record = read_record(copy)
        again = replay(record)
        assert again.last.state == played.last.state
        assert again.last.rules.game.digest == played.last.rules.game.digest
        assert record.result.split(":")[0] == (f"{winner} wins" if winner else "")
        told = record.headers
        assert f"{told.get('White', '?')} {told.get('Black', '?')}" == players
        if "HA" in text:
            assert (told["Handicap"], told["GameName"]) == ("2", "One")


def test_headers_in_kifu_format_have_names_of_portable_games(tmp_path: Path) -> None:
    file, copy = tmp_path / "a.kif", tmp_path / "copy.pgn"
    said = "開始日時：2024/03/02 10:00:00\n棋戦：Cup\n手合割：平手\n先手：山田\n後手：鈴木\n"
    file.write_text(f"{said}手数----指手\n1 ７六歩(77)\n", "utf-8")
    assert gdl("replay", file, "--export", copy).exit_code == 0
    (told,) = games_in(copy)
    assert [told.tags.get(tag) for tag in ("Event", "Date", "Black", "White", "手合割")] == [
        *("Cup", "2024.03.02", "山田", "鈴木"),
        None,
    ]


def test_where_the_second_side_begins_its_first_move_has_dots(tmp_path: Path) -> None:
    file, copy = tmp_path / "a.pgn", tmp_path / "b.pgn"
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    file.write_text(f'[FEN "{fen}"]\n\n1... e5 2. Nf3 Nc6 *\n')
    assert gdl("replay", file, "--export", copy).exit_code == 0
    assert "1... e5 2. Nf3 Nc6 *" in copy.read_text()


@pytest.mark.at_night("arimaa")
@pytest.mark.parametrize("file", ["hive-game-string.txt", "arimaa-goal.txt"])
def test_game_strings_and_turns_are_replayed(file: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.pgn"
    assert gdl("replay", FOUND / file, "--export", copy).exit_code == 0
    played = replay(read_record(copy))
    assert played.last == replay(read_record(FOUND / file)).last and played.last.over


def test_a_record_that_names_no_game_is_told_from_a_saved_game() -> None:
    ran = gdl("replay", FOUND / "othello-run-together.txt")
    assert "says no game" in ran.stderr and "gdl trace GAME" in ran.stderr
