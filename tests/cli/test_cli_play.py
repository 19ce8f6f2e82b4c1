"""Play in the terminal with input from a pipe, games by correspondence, and players."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from command_line import gdl
from reached import after

from gdl.interpreter.cli import output
from gdl.interpreter.sessions.autosave import FOLDER_VARIABLE, resumed
from gdl.interpreter.sessions.saves import read_record
from gdl.interpreter.sessions.seats import GreedyPlayer, RandomPlayer, make_player, winning_move

DICE = """\
game: Dice
players: A, B
board: square(1, 4)
state: {roll: number in 0..2}
phases:
  throw:
    seat: nobody
    turn: |
      choose n in 1..2
      set roll = n
      go to drop
  drop:
    turn: |
      choose s in empty
      place Stone at s
      go to throw
end: draw when full
"""


def played(typed: str, *arguments: object) -> str:
    result = gdl("play", *arguments, typed=typed)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


# ---------------------------------------------------------------------- the dialogue


def test_a_game_is_played_to_its_end() -> None:
    told = played("a1\nb1\nA2\n", "hex", "--option", "size=2")
    assert told.endswith("Red wins.\n")
    assert "of hex.yaml: Red wins when an unbroken chain" in told


def test_a_side_without_a_move_is_told_by_which_clause_the_game_ends(tmp_path: Path) -> None:
    path = tmp_path / "last.yaml"
    path.write_text(
        "game: Last to move\nplayers: Red, Blue\npieces: Stone\nboard: square(1, 2)\n"
        "turn: |\n  choose s in empty\n  place Stone at s\nstuck: loses\n"
    )
    told = played("a1\na2\n", path)
    assert told.endswith("since Red has no move: A side without a legal move\nloses.\nBlue wins.\n")


def test_a_saved_game_keeps_who_sits_where(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    played(f"a1\nsave {path}\n", "hex", "--option", "size=3", "--seat", "2=random")
    assert "seats:\n  2: random\n" in path.read_text()
    assert "Blue plays" in played("a2\na3\n", path)
    assert "Blue plays" in played(f"load {path}\nc3\na3\n", "hex", "--option", "size=3")


def test_a_save_with_a_seat_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text("game: hex\nseats: {first: random}\nmoves: []\n")
    result = gdl("play", path)
    assert result.exit_code == 1 and "`first` is no seat's number." in result.stderr


def test_the_end_of_input_is_a_clean_end() -> None:
    assert "wins" not in played("a1\n", "hex", "--option", "size=2")
    assert played("", "hex", "--option", "size=2").endswith("> \n")


def test_a_move_that_cannot_be_made_is_explained_and_asked_again() -> None:
    told = played("a1\na1\nq9\nb1\n", "hex", "--option", "size=2")
    assert "`a1` is not a legal move. On a1 stands: Red Stone." in told
    assert "`q9` is neither a site of the board nor a word of a move." in told
    assert told.count("Blue> ") == 3 and told.count("Red> ") == 2


def test_a_move_is_typed_in_steps() -> None:
    told = played("b2\nb3\nboard\nquit\n", "breakthrough")
    assert "b2 - to where? a3 b3 c3> b3\n" in told
    assert "Black> board\n" in told


def test_a_wrong_step_is_asked_again_and_an_empty_line_begins_anew() -> None:
    told = played("b2\nb5\nb3\n,\nb7\n\nquit\n", "breakthrough")
    assert told.count("b2 - to where?") == 2
    assert "b7 - to where?" in told and told.endswith("Black> quit\n")


def test_commands() -> None:
    told = played("help\nmoves\nrules\nhint\nundo\nquit\n", "hex", "--option", "size=2")
    assert "resign" in told and "a1, b1, a2, b2" in told
    assert "Red wins when an unbroken chain" in told and "Red wins in" in told
    assert "There is no move to take back." in told


def test_the_game_introduces_itself() -> None:
    told = played("quit\n", "hex", "--option", "size=2").splitlines()
    assert told[0] == "Hex" and told[1].startswith("Red joins top and bottom")
    assert "Red ●, Blue ○" in told
    assert "White Pawn ♙, Black Pawn ♟" in played("quit\n", "minichess")
    assert "●" not in played("quit\n", "kalah"), "there, numbers are drawn alone"
    assert played("quit\n", "hex", "--ascii", "--option", "size=2").isascii()


def test_many_moves_are_listed_by_their_beginnings() -> None:
    told = played("moves\nmoves h8\nmoves h88\nquit\n", "trellis")
    assert "There are 1314 legal moves. They begin with:\na1, b1, c1, d1, " in told
    assert "`moves a1` lists those that begin with a1" in told
    assert "> moves h8\nh5 h8, g6 h8, i6 h8, " in told
    assert "No legal move begins with `h88`." in told


def test_a_command_that_is_mistyped_is_guessed() -> None:
    told = played("mvoes\n?\nexit\n", "hex", "--option", "size=2")
    assert "Did you mean `moves`?" in told and "leave the game" in told


def test_a_move_in_the_wrong_order_is_guessed() -> None:
    told = played("a1 white\nwhite b9\nwhite b1 b2\nquit\n", "taifas", "--option", "size=2")
    assert "`a1 white` is not a legal move. Did you mean `White a1`?" in told
    assert "`white b1 b2` is not a legal move. `White b1` is a whole move; `b2` is no part" in told


def test_a_part_of_a_move_is_completed_and_a_word_of_the_game_is_no_command() -> None:
    told = played("swap\nb1\nwhite\n", "taifas", "--option", "size=2")
    assert "`swap` is not a legal move. `why swap` tells more.\n" in told
    assert "b1 - Black or White? black white> white\n" in told
    assert "White (seat 2) (Black, White, swap)> " in told


def test_a_number_of_the_drawing_chooses_its_site() -> None:
    told = played("2\nquit\n", "trichet", "--option", "tiles=3")
    assert "Dot: c1u - whose is the corner d1: Dot or Oh?" in told


def test_state_is_told_once_there_is_some() -> None:
    begun = played("quit\n", "trellis", "--variant", "no-pie")
    assert "mirrored" not in begun and "answered" not in begun
    mirrored = played("a1\n\no15\no15\nquit\n", "trellis", "--variant", "no-pie")
    assert "White has mirrored 1 turns" in mirrored and "Black has mirrored" not in mirrored


def test_undo_goes_back_to_a_person() -> None:
    told = played(
        "a1\nundo\nmoves\nquit\n", "hex", "--option", "size=3", "--seat", "2=random", "--seed", "1"
    )
    assert "Took back 2 moves." in told
    assert "a1, b1, c1, a2, b2, c2, a3, b3, c3" in told


def test_what_was_taken_back_is_done_again_until_another_move_is_made() -> None:
    hex3 = ("hex", "--option", "size=3", "--seat", "2=random", "--seed", "1")
    told = played("redo\na1\nundo\nredo\nredo\nquit\n", *hex3)
    assert told.count("There is nothing to do again.") == 2
    assert "`redo` does it again." in told and "Made 2 moves again." in told
    told = played("a1\nb1\nundo\nundo\nredo\nc1\nredo\nmoves\nquit\n", "hex", "--option", "size=3")
    assert told.count("Made 1 move again.") == 1 and "There is nothing to do again." in told
    assert "moves\nb1, a2, " in told


def test_undo_takes_a_resignation_back_and_redo_does_it_again(tmp_path: Path) -> None:
    hex2 = ("hex", "--option", "size=2")
    told = played("resign\nfoo\nundo\na1\nundo\nundo\nquit\n", *hex2)
    assert "`undo` takes the resignation back" in told and "Took back the resignation." in told
    assert told.count("There is no move to take back.") == 1
    save = tmp_path / "game.yaml"
    played(f"a1\nresign\nundo\nb1\nsave {save}\nquit\n", *hex2)
    assert read_record(save).moves == ("a1", "b1") and not read_record(save).result
    told = played("a1\nresign\nundo\nundo\nredo\nredo\nredo\nundo\nb1\nquit\n", *hex2)
    assert told.count("Took back the resignation.") == 2 and told.count("Blue resigns.") == 2
    assert "Made 1 move again." in told and "There is nothing to do again." in told


def test_why_a_game_that_was_given_up_has_ended() -> None:
    told = played("a1\nresign\nwhy\nwhy a1\nundo\nwhy\nquit\n", "hex", "--option", "size=2")
    assert told.count("The game was given up: Red wins.") == 1
    assert "a1" in told.split("The game was given up")[1] and "goes on" in told


def test_a_resignation_that_is_taken_back_is_no_more_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GDL_GAMES", str(tmp_path / "games"))
    played("a1\nresign\nundo\nquit\n", "hex")
    assert "Blue> " in gdl("play", "--resume", typed="quit\n").stdout


def test_what_is_asked_of_a_game_that_is_over_is_answered_so() -> None:
    asked = "hint\neval\nanalyse\nthreats\nmoves\n"
    for ending, told_end in (("a1\nresign", "X wins"), ("a1\na2\nb1\nb2\nc1", "X wins")):
        told = played(f"{ending}\n{asked}quit\n", "tic-tac-toe")
        answer = f"The game is over: {told_end}."
        after = told[told.index("hint\n") :].splitlines()
        assert after == [line for word in asked.split() for line in (word, answer)] + ["quit"]


def test_resigning_ends_the_game() -> None:
    told = played("a1\nresign\n", "hex", "--option", "size=2")
    assert told.endswith("Blue resigns.\nRed wins.\n")


def test_save_and_load(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    played(f"a1\nsave {path}\nquit\n", "hex", "--option", "size=2")
    assert "b1, a2, b2" in played(f"load {path}\nmoves\nquit\n", "hex")
    assert "b1, a2, b2" in played("moves\nquit\n", path)
    refused = played("load /nowhere\nsave /no/folder/x\nsave\nquit\n", "hex")
    assert "There is no file `/nowhere`." in refused and "can't be written" in refused
    assert "Type `save FILE`." in refused


def test_of_no_moves_nothing_is_reviewed() -> None:
    told = played("resign\nreview\nquit\n", "hex", "--option", "size=2")
    assert "There is no move to review." in told and "looks through" not in told


def test_a_file_is_named_as_in_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    hex2 = ("hex", "--option", "size=2")
    told = played('a1\nsave "~/my game"\nsave ~/other\nquit\n', *hex2)
    assert (tmp_path / "my game").exists() and (tmp_path / "other").exists()
    assert f"`gdl play '{tmp_path}/my game'` goes on with it." in told
    assert "b1, a2, b2" in played("load '~/my game'\nmoves\nquit\n", *hex2)


def test_a_game_that_is_loaded_is_kept_beside_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "games"))
    save = tmp_path / "save"
    save.write_text("game: tic-tac-toe\nmoves: [b2]\n")
    played(f"a1\nload {save}\na1\nquit\n", "hex", "--option", "size=2")
    kept = [read_record(path) for path in (tmp_path / "games").glob("*.yaml")]
    assert sorted((one.game, one.moves) for one in kept) == [
        ("hex", ("a1",)),
        ("tic-tac-toe", ("b2", "a1")),
    ]


def test_the_file_of_a_game_is_told_from_a_saved_game(tmp_path: Path) -> None:
    game = tmp_path / "small.yaml"
    game.write_text("game: S\nplayers: A, B\nboard: square(2, 2)\nturn: pass\nstuck: draw\n")
    for told in (played(f"load {game}\nquit\n", "hex"), gdl("replay", game).stderr):
        assert "is the file of a game's rules, not a saved game" in told
        assert "unknown-key" not in told


def test_saving_asks_before_it_writes_over_something_else(tmp_path: Path) -> None:
    diary, kept = tmp_path / "diary", tmp_path / "kept"
    diary.write_text("Dear diary\n")
    hex2 = ("hex", "--option", "size=2")
    for answer in ("no", "", "b1"):
        told = played(f"a1\nsave {diary}\n{answer}\nquit\n", *hex2)
        assert "diary has something else. Write over it?" in told and "Nothing was written." in told
        assert diary.read_text() == "Dear diary\n"
    assert f"Kept in {diary}" in played(f"a1\nsave {diary}\nyes\nquit\n", *hex2)
    told = played(f"a1\nsave {kept}\nb1\nsave {kept}\nquit\n", *hex2)
    assert "Write over it?" not in told and told.count("Kept in") == 2
    assert "Write over it?" not in played(f"a2\nsave {kept}\nquit\n", kept)
    assert "Write over it?" not in played(f"load {kept}\nundo\nsave {kept}\nquit\n", *hex2)
    told = played(f"a1\nsave {kept}\nno\nquit\n", *hex2)
    assert "kept has another game, or other moves. Write over it?" in told


def test_a_save_of_other_rules_stays_one(tmp_path: Path) -> None:
    game, save = tmp_path / "small.yaml", tmp_path / "save"
    rules = "game: S\nplayers: A, B\nboard: square(3, 3)\nstuck: draw\nturn: |\n"
    game.write_text(f"{rules}  choose s in empty\n  place Stone at s\n")
    assert gdl("new", game, "-o", save).exit_code == 0
    digest = [line for line in save.read_text().splitlines() if "digest" in line]
    game.write_text(f"{rules}  choose s in empty - a1\n  place Stone at s\n")
    for text in ("b1", "b2"):
        moved = gdl("move", save, text)
        assert moved.exit_code == 0 and "other-rules" in moved.stderr
    assert [line for line in save.read_text().splitlines() if "digest" in line] == digest
    assert "are not those that this game was saved with" in played(f"load {save}\nquit\n", "hex")


def test_players_play_each_other() -> None:
    seats = ("--seat", "1=random", "--seat", "2=greedy", "--seed", "3")
    told = played("", "tic-tac-toe", *seats)
    assert told.endswith(("X wins.\n", "O wins.\n", "Draw.\n"))
    assert told == played("", "tic-tac-toe", *seats)


def test_after_a_swap_the_seats_are_told() -> None:
    told = played("a1\nswap\nmoves\nquit\n", "hex", "--option", "size=2", "--option", "pie=yes")
    assert "Blue (seat 2), a move or swap> swap" in told and "Blue (seat 1)> moves" in told


# ------------------------------------------------------------------------ players


def test_greedy_wins_at_once() -> None:
    position = after("tic-tac-toe", "a1 a2 b1 b2")
    for seed in range(5):
        assert GreedyPlayer(random.Random(seed)).choose(position).text == "c1"


def test_greedy_prevents_what_wins_at_once() -> None:
    position = after("tic-tac-toe", "a1 c3 b1")
    for seed in range(5):
        assert GreedyPlayer(random.Random(seed)).choose(position).text == "c1"


def test_greedy_moves_even_if_all_is_lost() -> None:
    position = after("tic-tac-toe", "a1 b1 a3 a2 c3")
    assert GreedyPlayer(random.Random(1)).choose(position) in position.moves()


def test_winning_move() -> None:
    assert winning_move(after("tic-tac-toe", "a1 a2")) is None
    won = winning_move(after("tic-tac-toe", "a1 a2 b1 b2"))
    assert won is not None and won.text == "c1"


def test_random_player_draws_from_all_moves() -> None:
    position = after("hex", "", size=2)
    player = RandomPlayer(random.Random(1))
    assert {player.choose(position) for _ in range(100)} == set(position.moves())
    assert make_player("human", random.Random(1), position.rules) is None


# ------------------------------------------------------------------ by correspondence


def test_a_game_by_correspondence(tmp_path: Path) -> None:
    save = tmp_path / "game"
    begun = gdl("new", "hex", "-o", save, "--option", "size=2")
    assert begun.exit_code == 0 and begun.stdout.endswith("Red to move.\n")
    assert gdl("new", "hex", "-o", save).exit_code == 2
    assert gdl("move", save, "a1").stdout.endswith("Blue to move.\n")
    before = save.read_text()
    refused = gdl("move", save, "a1")
    assert refused.exit_code == 2 and "not a legal move" in refused.stderr
    assert save.read_text() == before
    assert json.loads(gdl("show", save, "--json").stdout)["rows"] == ["X .", ". ."]
    assert gdl("move", save, "b1").exit_code == 0
    assert gdl("move", save, "a2").stdout.endswith("Red wins.\n")
    over = gdl("move", save, "b2")
    assert over.exit_code == 2 and "game-over" in over.stderr
    mixed = gdl("show", save, "--option", "size=3")
    assert mixed.exit_code == 2 and "wrong-option" in mixed.stderr


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_chance_is_drawn_by_the_seed(tmp_path: Path, seed: int) -> None:
    game = tmp_path / "dice.yaml"
    game.write_text(DICE)
    saves = [tmp_path / "one", tmp_path / "other"]
    for save in saves:
        assert gdl("new", game, "-o", save, "--seed", seed).exit_code == 0
        assert gdl("move", save, "a1").exit_code == 0
    first, second = (json.loads(gdl("show", save, "--json").stdout) for save in saves)
    assert first == second and first["to_move"] == {"side": "B", "seat": 2}


# ---------------------------------------------------------- kept as it goes, watched, replayed


def test_a_game_that_was_left_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GDL_GAMES", str(tmp_path / "games"))
    game = tmp_path / "mine.yaml"
    game.write_text("extends: hex\ngame: Mine\n")
    monkeypatch.chdir(tmp_path)
    played("a1\nb1\n", "mine.yaml", "--seat", "1=human")
    played("", "hex")
    monkeypatch.chdir("/")
    told = played("c1\nquit\n", "--resume")
    assert "`c1`" not in told and told.count("Red> ") == 1
    assert "Blue> " in played("quit\n", "--resume", str(game))
    nothing = gdl("play", "--resume", "hex")
    assert nothing.exit_code != 0 and "There is no game of hex to go on with" in nothing.stderr
    played("resign\n", "--resume")
    assert "nothing-to-resume" in gdl("play", "--resume").stderr


def test_a_game_that_is_being_played_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GDL_GAMES", str(tmp_path / "games"))
    played("a1\n", "hex")
    record, keeper = resumed()
    assert record.moves == ("a1",)
    assert "nothing-to-resume" in gdl("play", "--resume").stderr
    keeper.close()
    played("quit\n", "--resume")


def test_without_a_game_a_pipe_is_told_what_there_is() -> None:
    result = gdl("play")
    assert result.exit_code != 0 and "gdl list" in result.stderr


def test_sides_play_by_themselves() -> None:
    told = gdl("watch", "tic-tac-toe", "--seat", "1=random", "--seat", "2=greedy", "--delay", "0")
    assert told.exit_code == 0 and "plays" in told.stdout
    assert told.stdout.splitlines()[-1] in ("X wins.", "O wins.", "Draw.")


def test_a_saved_game_is_gone_through(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    played(f"a1\nb2\nsave {path}\n", "hex", "--option", "size=3")
    told = gdl("replay", path)
    assert told.exit_code == 0, told.output
    assert "1. Red: a1\n" in told.stdout and "2. Blue: b2\n" in told.stdout
    assert told.stdout.endswith("Red to move.\n")


def test_another_game_begins_and_seats_are_exchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GDL_GAMES", str(tmp_path / "games"))
    save = tmp_path / "game.yaml"
    seats = ("--seat", "2=random", "--clock", "10m", "--plain")
    told = played(f"a1\nnew\na1\nresign\nexchange\nsave {save}\nquit\n", "hex", *seats)
    assert told.count("Red 10:00> ") == 4
    assert "Blue wins." in told and "Blue 10:00> " in told
    record = read_record(save)
    assert record.seats == {1: "random"} and len(record.moves) == 1
    assert record.clock == "600s" and not record.result
    kept = [read_record(path) for path in (tmp_path / "games").glob("*.yaml")]
    assert sorted(game.result for game in kept) == ["", "", "Blue wins"]


def test_a_game_that_was_given_up_stays_so(tmp_path: Path) -> None:
    save = tmp_path / "game.yaml"
    played(f"a1\nresign\nsave {save}\nquit\n", "hex")
    told = played("quit\n", str(save))
    assert "Red wins." in told and "Blue> " not in told
    assert "Blue> " in played("undo\nb1\nquit\n", str(save))


def test_a_saved_game_keeps_its_seats_levels_and_clock(tmp_path: Path) -> None:
    save, later = tmp_path / "game.yaml", tmp_path / "later.yaml"
    played(f"save {save}\nquit\n", "tic-tac-toe", "--seat", "2=engine:1", "--clock", "1h+5s")
    played(f"b2\nsave {later}\nquit\n", str(save))
    record = read_record(later)
    assert record.seats == {2: "engine:1"} and record.clock == "3600s+5s"
    assert record.left.keys() == {1, 2} and len(record.moves) == 2
    told = played(f"load {later}\nsave {save}\nquit\n", "hex", "--seat", "1=human")
    assert read_record(save).seats == {2: "engine:1"} and "X 1:00:0" in told
    played(f"save {save}\nyes\nquit\n", str(later), "--seat", "2=greedy")
    assert read_record(save).seats == {2: "greedy"}
    watched = gdl("watch", later, "--seat", "1=random", "--delay", "0", "--plain")
    assert watched.exit_code == 0
    assert watched.stdout.splitlines()[-1] in ("X wins.", "O wins.", "Draw.")


def test_what_can_be_chosen_and_is_no_site_stands_in_the_prompt() -> None:
    told = played("b2\n\npass\npass\nWhite\n", "trellis", "--option", "size=4")
    assert "(Black, White)> White" in told and "> b2" in told


def test_each_choice_may_have_a_prompt(tmp_path: Path) -> None:
    path = tmp_path / "asking.yaml"
    path.write_text("""\
game: Asking
players: White, Black
pieces: Stone, King
board: square(3, 3)
state: {bid(players): number}
phases:
  walk: |
    choose k in kinds
    choose r in orthogonal
    choose s in empty where some r(s)
    place k at s
    go to bidding
  bidding:
    together: |
      choose b in 1..3
      set bid(mover) = b
    turn: go to walk
display: {prompts: {k: which piece, r: which way, b: how much}}
""")
    told = played("King\nnorth\na1\n2\n", path, "--seat", "2=human")
    assert "White, which piece" in told and "which way" in told and "Black, how much" in told


def test_who_takes_a_move_back_meets_the_same_chance_again(tmp_path: Path) -> None:
    path = tmp_path / "dice.yaml"
    path.write_text(DICE.replace("in 1..2", "in 1..99").replace("in 0..2", "in 0..99"))
    told = played("a1\nundo\na2\nundo\na1\n", path)
    thrown = [line for line in told.splitlines() if line.startswith("Chance: ")]
    assert len(thrown) == 4 and len(set(thrown[1:])) == 1


@pytest.mark.parametrize(
    ("game", "moves", "typed", "told"),
    [
        ("chess", "e2-e4", "e2-e4", "e2 is empty."),
        ("xiangqi", "h3-e3", "b3-e3", "On b3 stands: Red Cannon. `why b3-e3` tells more."),
        ("hex", "c3", "c3", "On c3 stands: Red Stone."),
        ("shogi", "c3-c4, g7-g6", "b2-h8", "b2 h8 - promote, or Enter again plays it?"),
        ("stratego", "", "a1 b1", "`a1 b1` is not a legal move.\n"),
    ],
)
def test_a_text_that_is_no_move_is_answered(game: str, moves: str, typed: str, told: str) -> None:
    assert told in gdl("play", game, "--after", moves, typed=f"{typed}\n").stdout


def test_moves_of_chance_in_a_row_are_told_together() -> None:
    told = gdl("play", "royal-game-of-ur", "--seed", 3, typed="").stdout
    assert told.count("Chance: ") == 1
    assert told.index("White to enter: 7") < told.index("Chance: ") < told.index("the dice show")
    told = gdl("play", "tzaar", "--seed", 1, typed="").stdout
    assert "Chance: 60 pieces dealt." in told and told.count("Chance: ") == 1


def test_a_line_is_shown_while_a_game_is_loaded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for is_terminal, shown, last in ((True, "Loading …", "\r\x1b[2K"), (False, "", "")):
        monkeypatch.setattr(output, "wants_progress", lambda is_terminal=is_terminal: is_terminal)
        with output.told_meanwhile("Loading …"):
            assert capsys.readouterr().err == shown
        assert capsys.readouterr().err == last
