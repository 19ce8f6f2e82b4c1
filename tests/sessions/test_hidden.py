"""What is hidden stays so: in views, drawings, play at a terminal, saved games, and in checking."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import gdl
from library_games import games_with
from piloted import table_of

from gdl.diagnostic import Source
from gdl.interpreter import Engine, GameError, load
from gdl.interpreter.check import Effort, check_game
from gdl.interpreter.cli.dialogue import Prompt
from gdl.interpreter.cli.output import clear
from gdl.interpreter.cli.registry import COMMANDS
from gdl.interpreter.positions.information import information, told_moves
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.positions.view import ALL_SIDES, UNSEEN
from gdl.interpreter.reference.machine import Machine
from gdl.interpreter.screen.advice import Advice
from gdl.interpreter.search.hidden import information_sets
from gdl.interpreter.sessions.audience import Audience
from gdl.interpreter.sessions.record import sealed, unsealed
from gdl.interpreter.sessions.replaying import Replay
from gdl.interpreter.sessions.saves import write_record
from gdl.interpreter.sessions.seats import play_chance, players_at
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.table import Table
from gdl.interpreter.solve.solver import Solver
from gdl.load import load_game, load_source

STRATEGO = """\
game: Ranks
players: White, Black
pieces: Spy, Guard
board: square(3, 3)
setup: {White Spy: a1, White Guard: b1, Black Spy: c3, Black Guard: b3}
state: {shown: sites, steps: mark in 0..9}
turn: |
  choose s in own
  choose t in orthogonal(s) - own
  let fights = some t & enemy
  move s to t
  add 1 to steps(t)
  if fights
    add t to shown
end: mover wins when no enemy & Spy
sees:
  pieces: all
  kinds: own | shown
  moves: yes
"""


AGAINST_CHANCE = ("phantom-tic-tac-toe", "--seat", "2=random", "--seed", 4)


def positions_after(rules: Rules, *texts: str) -> list[Position]:
    positions = [rules.start()]
    for text in texts:
        positions.append(positions[-1].play(text))
    return positions


@pytest.fixture
def ranks() -> Rules:
    return Rules(load_source(Source("ranks.yaml", STRATEGO)))


def table_at(rules: Rules, *texts: str) -> Table:
    """Return a table at which White is a person and Black a player, after these moves."""
    session = Session(Replay((rules.start(),), ()), 1, {2: "random"})
    table = Table(session, players_at({2: "random"}, rules, Random(1)), Random(1))
    for text in texts:
        table.make(next(move for move in table.position.moves() if move.text == text))
    return table


# ------------------------------------------------------------------------- views


def test_kinds_may_be_hidden(ranks: Rules) -> None:
    view = ranks.start().view("White")
    assert dict(view.pieces) == {
        "a1": "White Spy",
        "b1": "White Guard",
        "b3": "Black",
        "c3": "Black",
    }
    assert view.rows() == ". # #\n. . .\nS G ."
    after = positions_after(ranks, "b1-b2", "c3-c2", "b2-b3")[-1]
    assert dict(after.view("Black").pieces) == {
        "a1": "White",
        "b3": "White Guard",
        "c2": "Black Spy",
    }


def test_numbers_of_pieces_are_not_drawn(ranks: Rules) -> None:
    position = positions_after(ranks, "b1-b2")[-1]
    assert "1" in position.render(ascii=True).splitlines()[3]
    counts = [mark.count for mark in position.view("Black").scene.marks.values()]
    assert counts == [None] * 4


def test_a_picture_of_a_view_has_no_more(ranks: Rules) -> None:
    seen = ranks.start().view("White").render(ascii=True)
    assert seen.count("#") == 2
    assert "g" not in seen and "s" not in seen


def test_of_how_the_board_looks_a_side_sees_what_it_may_know() -> None:
    rules = Rules(load_game("battleship", {"size": "4", "ships": "1"}))
    position = rules.start()
    for move in ("a1 east", "a5 east", "a5", "b2"):
        position = position.play(position.parse(move))
    scene, whole = position.view("First").scene, position.scene()
    named = {position.rules.game.board.sites[site].name: sign for site, sign in scene.signs.items()}
    assert {site for site, sign in named.items() if sign != UNSEEN} == {"a5", "b2"}
    assert scene.borders == whole.borders != ()
    assert whole.areas and not scene.areas  # which are red where a ship was hit


def test_values_are_told_by_their_captions() -> None:
    text = """\
game: Cards
players: White, Black
board: square(1, 1)
state: {card(players): name in (low, high) = high, bets: number, dealt: flag}
turn: add 1 to bets
sees: {values: "card(own), bets, dealt, bets + 1, bets + 2"}
display:
  captions:
    card: holds {}
    dealt: ""
    bets+1: then {} bets
"""
    view = Rules(load_source(Source("cards.yaml", text))).start().view("White")
    assert view.told == ("holds high", "bets 0", "then 1 bets", "bets + 2 2")
    assert view.values[:3] == (("card(own)", "high"), ("bets", "0"), ("dealt", "no"))


def test_hands_are_drawn_and_told_as_far_as_they_are_seen() -> None:
    text = """\
game: Secret hands
players: White, Black
pieces: Pawn, King
hands: {Pawn: 2, King: 1}
board: square(2, 2)
turn: |
  choose s in empty
  place Pawn from hand at s
sees: {values: "hand(own, Pawn), hand(own, King)"}
"""
    view = Rules(load_source(Source("hands.yaml", text))).start().play("a1").view("White")
    assert view.told == ("In hand: White Pawn 1, King 1",)
    assert [len(line.marks) for line in view.scene.beside] == [2]
    public = text.replace("hand(own, Pawn), hand(own, King)", "hand")
    view = Rules(load_source(Source("hands.yaml", public))).start().play("a1").view("White")
    assert view.told == ("In hand: White Pawn 1, King 1; Black Pawn 2, King 1",)
    assert [len(line.marks) for line in view.scene.beside] == [2, 3]


def test_there_is_no_view_of_a_stranger(ranks: Rules) -> None:
    with pytest.raises(GameError, match="no side called `Red`"):
        ranks.start().view("Red")


def test_moves_are_told_where_the_rules_say_so(ranks: Rules) -> None:
    positions = positions_after(ranks, "b1-b2", "c3-c2")
    moves = [
        before.parse(text) for before, text in zip(positions, ("b1-b2", "c3-c2"), strict=False)
    ]
    assert told_moves(positions, moves, "White") == ("b1-b2", "c3-c2")
    phantom = positions_after(load("phantom-tic-tac-toe"), "b2", "b2")
    tried = [before.parse("b2") for before in phantom[:-1]]
    assert told_moves(phantom, tried, "X") == ("b2", None)
    assert told_moves(phantom, tried, "O") == (None, "b2")


def test_moves_of_a_round_are_told_when_all_have_decided() -> None:
    positions = positions_after(load("goofspiel", {"cards": 2}), "b2", "b1", "a3")
    moves = [p.parse(text) for p, text in zip(positions, ("b2", "b1", "a3"), strict=False)]
    assert told_moves(positions[:3], moves[:2], "Second") == ("b2", None)
    assert told_moves(positions, moves, "Second") == ("b2", "b1", "a3")


def test_time_in_which_nothing_is_seen_does_not_pass() -> None:
    rules = load("phantom-tic-tac-toe")
    known = []
    for tries in (("b2", "a1"), ("b2", "b2", "a1")):
        positions = positions_after(rules, *tries)
        moves = [p.parse(text) for p, text in zip(positions, tries, strict=False)]
        known.append(information(positions, moves, "X"))
    assert known[0] == known[1]


# ---------------------------------------------------------------------- at a terminal


def test_a_person_sees_what_the_side_sees_and_not_how_often_others_try() -> None:
    told = gdl(
        "play",
        "phantom-tic-tac-toe",
        "--seat",
        "2=random",
        "--seed",
        4,
        "--ascii",
        typed="b2\na1\n",
    )
    assert told.exit_code == 0
    assert told.stdout.count("O has played.") == 2
    assert "O plays" not in told.stdout
    assert "undo" not in told.stdout


@pytest.mark.parametrize("command", ["threats", "undo"])
def test_nothing_is_told_by_the_way(command: str) -> None:
    told = gdl("play", *AGAINST_CHANCE, typed=f"b2\n{command}\n")
    assert "hid" in told.stdout.splitlines()[-2] or "not to see" in told.stdout


def test_a_hint_knows_no_more_than_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "analyse", None)
    told = gdl("play", *AGAINST_CHANCE, typed="b2\nhint\n").stdout
    assert "Perhaps" in told


def test_an_analysis_that_goes_on_ends_where_a_game_that_hides_something_begins() -> None:
    position = load("phantom-tic-tac-toe").start()
    audience = SimpleNamespace(is_limited=True)
    table = SimpleNamespace(position=position, audience=audience, player=None, over=False)
    advice = Advice(None, table, lambda: None, lambda: None)  # type: ignore[arg-type]
    advice.is_analysing = True
    advice.look()
    assert not advice.is_analysing


def test_what_stands_on_a_site_is_told_as_it_is_seen() -> None:
    told = gdl("play", "phantom-tic-tac-toe", typed="b2\nb2\nb2\n").stdout
    assert "On b2 stands: X Mark." in told
    told = gdl("play", "goofspiel", "--option", "cards=2", "--variant", "hidden bids", typed="a3\n")
    assert "On a3" not in told.stdout


def test_people_hand_over(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    typed = iter(["b2", "", "", "a1", "", ""])

    def read(prompt: Prompt, question: str) -> str | None:
        asked.append(question)
        return next(typed, None)

    monkeypatch.setattr(Prompt, "is_terminal", property(lambda prompt: True))
    monkeypatch.setattr(Prompt, "read", read)
    told = gdl("play", "phantom-tic-tac-toe", "--ascii").stdout
    assert asked[:4] == [
        "X> ",
        "Hand over to O: press Enter, and the board is hidden.",
        "O, press Enter to see the board.",
        "O> ",
    ]
    hidden = told.split("\x1b[2J")
    assert len(hidden) == 3
    assert "X" in hidden[0].partition("X to")[0] and "| X |" not in hidden[1]


def test_a_side_looks_on() -> None:
    seats = ("--seat", "1=random", "--seat", "2=random", "--seed", 1)
    told = gdl("play", "phantom-tic-tac-toe", *seats, "--as", "O", "--ascii").stdout
    assert "?" in told
    assert gdl("play", "phantom-tic-tac-toe", "--as", "Z").exit_code == 2


def test_a_game_that_hides_nothing_is_played_as_ever() -> None:
    told = gdl("play", "tic-tac-toe", "--seat", "2=random", "--seed", 4, typed="b2\n").stdout
    assert "O plays " in told


# ------------------------------------------------------------------------ saved games


def test_a_file_does_not_give_moves_away(tmp_path: Path) -> None:
    save = tmp_path / "game.yaml"
    assert gdl("new", "phantom-tic-tac-toe", "-o", save, "--seed", 1).exit_code == 0
    shown = [gdl("move", save, text).stdout for text in ("b2", "b2", "a1")]
    moves = save.read_text("utf-8").partition("moves:")[2].split()
    assert "b2" not in moves
    assert len(set(moves) - {"-"}) == 3
    assert "?" in shown[0]
    refused = gdl("show", save)
    assert refused.exit_code != 0
    assert "--as X" in refused.stderr
    for asked in ((), ("b2",), ("--json",)):
        told = gdl("why", save, *asked)
        assert told.exit_code == 2
        assert "b2" not in told.stdout
        assert "--as SIDE" in told.output
    assert json.loads(gdl("show", save, "--as", "O", "--json").stdout)["pieces"] == {
        "a1": "O Mark",
        "b2": "X Mark",
    }


def test_a_file_is_open_when_the_game_is_over(tmp_path: Path) -> None:
    save = tmp_path / "game.yaml"
    gdl("new", "goofspiel", "--option", "cards=2", "-o", save, "--seed", 1)
    for text in ("a1", "b3", "b1", "a3"):
        assert gdl("move", save, text).exit_code == 0
    assert "- b3\n" in save.read_text("utf-8")
    assert gdl("show", save).exit_code == gdl("why", save, "b1").exit_code == 0


SHORTER = {"goofspiel": ("hidden bids",), "stratego": ("duel",)}
"""Variants of games in which the other side moves sooner, or less is told."""
BY_DAY = frozenset({"goofspiel", "phantom-tic-tac-toe"})
HIDING = [
    pytest.param(name, SHORTER.get(name, ()), marks=[] if name in BY_DAY else [pytest.mark.slow])
    for name in games_with("sees", "together")
]
"""All shipped games that hide something."""
FURTHER: dict[str, tuple[object, ...]] = {
    "diff": ("--other-variant", "none"),
    "move": ("no-move",),
    "perft": (1,),
    "playout": ("-n", 1, "--seed", 1),
    "analyse": ("--iterations", 8, "--seed", 1),
    "watch": ("--seat", "1=random", "--seat", "2=random", "--delay", 0, "--seed", 1),
    "play": ("--seed", 1),
    "solve": ("--seconds", 0.1),
    "trace": ("--json",),
    "tune": ("--seconds", 1),
}
"""What else a command needs that takes a saved game, or what has it end soon."""
TIMES = re.compile(r"[\d.,]+ (?:s\b|a second)|\"(?:iterations_per_)?seconds?\": [\d.e-]+")


def secret_games(game: str, variants: tuple[str, ...]) -> list[Session]:
    """Return two games that go on and are alike to the side on turn, but not to the other one."""
    rules = Rules(load_game(game, {}, variants))
    one, other = (Session(Replay((rules.start(),), ()), 1) for _ in range(2))
    for session in (one, other):
        play_chance(session, Random(1))
    first, random = one.position.mover, Random(1)
    (looks,) = set(rules.sides) - {first}
    while one.position.mover == first:
        before = other.position
        one.play(random.choice(one.position.moves()))
        seen = one.position.view(looks)
        alike = [move for move in before.moves() if before.play(move).view(looks) == seen]
        other.play(max(alike, key=lambda move: move != one.moves[-1]))
    known = [information(it.positions, it.moves, looks) for it in (one, other)]
    assert known[0] == known[1] and one.moves != other.moves
    return [one, other]


def ways_to_ask(game: str, save: Path, pictures: tuple[Path, Path], mover: str) -> list[Any]:
    """Return the ways in which the commands that there are can be asked about a saved game."""
    asked: list[tuple[object, ...]] = [
        ("play", save, "--seat", "1=random", "--seat", "2=random", "--seed", 1),
        ("trace", game, save, "--json"),
    ]
    for name in (command.name for command in COMMANDS):
        told, more = gdl(name, "--help").stdout, FURTHER.get(name, ())
        ways: list[tuple[object, ...]] = [(name, game, *more, "--position", save)]
        ways = ways if "--position" in told and name != "new" else []
        if "SAVE" in told and name != "new":
            ways.append((name, save, *more))
            ways += [(*ways[-1], "--as", mover)] * ("--as " in told)
        asked += ways
        for option, values in (("--json", ()), ("--svg", pictures[:1]), ("--export", pictures[1:])):
            asked += [(*way, option, *values) for way in ways if f"{option} " in told]
    return asked


@pytest.mark.at_night("goofspiel")
@pytest.mark.parametrize(("game", "variants"), HIDING)
def test_no_command_tells_apart_what_is_alike_to_who_asks(
    game: str, variants: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(information_sets, "_MOST_GUESSES", 4)  # of its 24, each takes as long
    save, pictures = tmp_path / "game.yaml", (tmp_path / "one.svg", tmp_path / "all.html")
    games = secret_games(game, variants)
    for arguments in ways_to_ask(game, save, pictures, games[0].position.mover):
        told = []
        for one in games:
            save.unlink(missing_ok=True)
            write_record(one.record(), save, is_new=True)
            result = gdl(*arguments, typed="")
            drawn = [path.read_bytes() for path in pictures if path.exists()]
            told.append((TIMES.sub("", result.output), result.exit_code, drawn))
        assert told[0] == told[1], arguments


@pytest.mark.parametrize(("game", "variants"), HIDING)
def test_a_snapshot_has_nothing_that_is_hidden_from_its_viewer(
    game: str, variants: tuple[str, ...]
) -> None:
    tables = [Table(session, {}, Random(1)) for session in secret_games(game, variants)]
    looks = tables[0].position.mover
    (other,) = set(tables[0].position.rules.sides) - {looks}
    own, others = ([table.snapshot(side) for table in tables] for side in (looks, other))
    assert own[0] == own[1] and own[0].choices is not None
    assert others[0] != others[1] and others[0].choices is None and others[0].asked == ""
    for table in tables:
        table.hand_over()
        table.say("This is for who looks.")
    assert tables[0].snapshot().message and not tables[0].snapshot(other).message
    with pytest.raises(GameError, match="no side called `Nobody`"):
        tables[0].snapshot("Nobody")


def test_every_command_that_takes_a_save_is_asked(tmp_path: Path) -> None:
    asked = ways_to_ask("hex", tmp_path / "game.yaml", (tmp_path / "a", tmp_path / "b"), "Red")
    named = {way[0] for way in asked}
    assert {"play", "replay", "show", "moves", "why", "analyse", "trace", "diff"} <= named
    assert not {"new", "key", "list", "serve"} & named


@pytest.mark.parametrize(("game", "variants"), HIDING)
def test_all_these_games_hide_something(game: str, variants: tuple[str, ...]) -> None:
    assert load_game(game, {}, variants).hides


def test_a_game_that_was_left_is_opened_behind_a_curtain() -> None:
    for session in secret_games("stratego", ("duel",)):
        session.play(session.position.moves()[0])
        table = Table(session, {}, Random(1))
        audience = table.audience
        table.begin()
        mover = session.position.mover
        assert audience.side == ALL_SIDES and table.snapshot().prompt.startswith(
            f"Hand over to {mover}"
        )
        assert table.snapshot().scene == session.position.view(ALL_SIDES).scene
        assert {*audience.pieces().values()} == {"Red", "Blue"}
        table.hand_over()
        assert audience.side == mover and f"{mover} " in " ".join(audience.pieces().values())


def test_a_game_that_was_left_is_handed_over_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(Prompt, "is_terminal", property(lambda prompt: True))
    monkeypatch.setattr(Prompt, "read", lambda prompt, question: asked.append(question))
    save = tmp_path / "game.yaml"
    gdl("new", "phantom-tic-tac-toe", "-o", save)
    gdl("move", save, "b2")
    gdl("move", save, "a1")
    told = gdl("play", save, "--ascii").stdout.split("\x1b[2J")
    assert asked[:2] == [
        "Hand over to X: press Enter, and the board is hidden.",
        "X, press Enter to see the board.",
    ]
    assert "| X |" not in told[0] and "| X |" in told[1]


def test_who_waits_for_a_player_looks_on(ranks: Rules) -> None:
    session = Session(Replay((ranks.start(),), ()), 1)
    audience = Audience(session, frozenset({1}))
    session.play(session.position.moves()[0])
    assert session.position.seat == 2
    assert audience.side == "White" and not audience.must_change and not audience.is_on_turn


def test_a_broken_seal_is_told(tmp_path: Path) -> None:
    save = tmp_path / "game.yaml"
    gdl("new", "phantom-tic-tac-toe", "-o", save, "--seed", 1)
    gdl("move", save, "b2")
    text = save.read_text("utf-8")
    save.write_text(text.replace("seed: 1", "seed: 2"), "utf-8")
    told = gdl("show", save, "--as", "X")
    assert "damaged-record" in told.stderr
    assert "its seal is broken" in told.stderr


@pytest.mark.parametrize("text", ["", "c3", "b2 @1,9", "é" * 40])
def test_a_seal_opens_with_its_key_alone(text: str) -> None:
    closed = sealed(text, "key")
    assert unsealed(closed, "key") == text
    assert unsealed(closed, "other") is None
    assert unsealed(closed[:-1], "key") is None


# --------------------------------------------------------------------------- checking


def leaking(tmp_path: Path, choice: str) -> list[str]:
    path = tmp_path / "leaking.yaml"
    path.write_text(
        "game: Leaking\nplayers: X, O\nboard: square(2, 2)\nstate: {found(players): sites}\n"
        f"turn: |\n  choose s in {choice}\n  if s in enemy\n    add s to found(mover)\n"
        "    again\n  else\n    place Stone at s\n"
        "sees: {pieces: own | found(own)}\nend: draw when full\n"
    )
    codes = [finding.diagnostic.code for finding in check_game(str(path), Effort(0.025))]
    return [code for code in codes if code == "leaking-moves"]


def test_moves_that_leak_are_told(tmp_path: Path) -> None:
    assert leaking(tmp_path, "all - own - found(mover)") == []
    assert leaking(tmp_path, "empty") == ["leaking-moves"]


def test_what_has_scrolled_away_is_cleared_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clear()
    assert capsys.readouterr().out == "\x1b[2J\x1b[3J\x1b[H"


def test_a_picture_file_of_a_view_has_no_more(tmp_path: Path) -> None:
    path = tmp_path / "view.svg"
    arguments = ("phantom-tic-tac-toe", "--after", "b2, b2", "--as", "O", "--svg", path)
    assert gdl("show", *arguments).exit_code == 0
    drawn = path.read_text("utf-8")
    assert drawn.count(">?</text>") == 8
    assert "<title>b2: X Mark</title>" in drawn


SEEN = """\
game: Seen
players: White, Black
pieces: Man, King
board: square(3, 3)
hands: {Man: 2}
state: {tries(players): number in 0..9, fixed: number in 0..9 = 3}
turn: |
  choose s in empty
  place Man from hand at s
  add 1 to tries(mover)
end: draw when full
"""


@pytest.mark.parametrize(
    ("sees", "hides"),
    [
        ("{pieces: all, values: 'tries, hand', moves: yes}", False),
        ("{pieces: all, values: 'tries, hand'}", False),
        ("{pieces: own | enemy, kinds: occupied, values: 'tries(own), tries(enemy), hand'}", False),
        ("{pieces: all, values: hand, moves: yes}", True),
        ("{pieces: all, values: tries, moves: yes}", True),
        ("{pieces: all, values: 'tries(own), hand', moves: yes}", True),
        ("{pieces: own, values: 'tries, hand', moves: yes}", True),
        ("{pieces: all, kinds: own, values: 'tries, hand', moves: yes}", True),
        ("{values: 'tries, hand', moves: yes}", True),
    ],
)
def test_what_leaves_nothing_out_hides_nothing(sees: str, hides: bool) -> None:
    game = load_source(Source("seen.yaml", f"{SEEN}sees: {sees}\n"))
    assert game.hides == hides
    rules = Rules(game)
    after = rules.start().play("a1")
    is_whole = after.view("Black").scene.marks == after.scene().marks
    assert is_whole == (not hides or ("pieces: all" in sees and "kinds" not in sees))
    if not hides:
        assert not after.view("White").unseen
        assert {"tries(White)", "tries(Black)"} <= dict(after.view("White").values).keys()
        assert after.tells_moves("Black")


def test_a_pile_is_seen_with_the_kinds_of_all_its_pieces() -> None:
    text = (
        "game: Piles\nplayers: White, Black\npieces: Man\nboard: square(2, 2)\nstacks: 2\n"
        "setup: {White Man: a1, Black Man: b1}\nturn: |\n  choose s in own\n"
        "  choose t in orthogonal(s) where height(t) < 2\n  move s to t\n"
        "stuck: draw\nend: draw when turns > 5\nsees: {pieces: all, kinds: "
    )
    assert not load_source(Source("piles.yaml", f"{text}all}}\n")).hides
    assert load_source(Source("piles.yaml", f"{text}own}}\n")).hides


def test_a_game_in_which_all_is_seen_is_searched_and_solved_as_a_whole() -> None:
    text = (
        "game: Row\nplayers: X, O\nboard: square(3, 3)\nturn: |\n  choose s in empty\n"
        "  place Stone at s\nend:\n  - mover wins when in_a_row(own, 3)\n  - draw when full\n"
    )
    whole = Rules(load_source(Source("row.yaml", text)))
    seen = Rules(load_source(Source("row.yaml", f"{text}sees: {{pieces: all, moves: yes}}\n")))
    found = [Engine(one, search="alpha-beta").search for one in (whole, seen)]
    assert found == ["alpha-beta", "alpha-beta"]
    assert Solver(seen).solve(seen.start()).result == Solver(whole).solve(whole.start()).result


def answered(table: Table, text: str) -> tuple[str, ...]:
    """Return what is said after a player has made a move."""
    table.make(next(move for move in table.position.moves() if move.text == text))
    return table.said


def test_what_a_move_has_come_to_stays_said_while_players_answer() -> None:
    table = table_of("battleship", {"size": "3", "ships": "1"}, {2: "random"})
    table.read("a2 south")
    answered(table, "a6 south")
    table.read("a6")
    assert answered(table, "b2")[0] == "A Ship of Second stands on a6."
    table.read("b5")
    assert "Ship" not in " ".join(answered(table, "b1"))


def test_of_moves_that_are_not_told_captions_tell_what_has_another_value() -> None:
    table = table_of("dark-chess", seats={2: "random"})
    table.read("e2-e4")
    told = "Black has played. Moves without a capture or a move of a pawn: 1."
    assert answered(table, "b8-c6") == (told,)


def test_the_legend_tells_what_is_not_known(ranks: Rules) -> None:
    def counts(table: Table) -> dict[str, str]:
        told: dict[str, str] = {}
        for piece in table.snapshot().standing.pieces:
            told[piece.kind] = told.get(piece.kind, "") + f"{piece.letter}{piece.count} "
        return told

    assert counts(table_at(ranks)) == {"Spy": "S1 s? ", "Guard": "G1 g? ", "kind unknown": "#2 "}
    over = table_at(ranks, "b1-b2", "c3-c2", "b2-c2")
    assert over.session.outcome is not None and "kind unknown" not in counts(over)
    table = table_of("phantom-tic-tac-toe", seats={2: "random"})
    table.read("b2")
    assert counts(table) == {"Mark": "X1 O? ", "not seen": "?8 "}


def test_of_ones_own_pieces_it_is_told_what_others_know(ranks: Rules) -> None:
    known = Rules(load_source(Source("ranks.yaml", f"{STRATEGO}  values: shown\n")))
    table = table_at(known, "b1-b2", "c3-c2", "a1-a2")
    marks = table.snapshot().marks
    assert marks["a2"] == marks["b2"] == "unknown to Black"
    assert marks["c2"] == marks["b3"] == "whose kind you don't know"
    fought = table_at(known, "b1-b2", "b3-a3", "b2-a2", "c3-c2", "a2-a3")
    assert fought.snapshot().marks["a3"] == "known to Black"
    # What the other side sees depends there on what one does not see oneself.
    assert "a1" not in table_at(ranks).snapshot().marks
    assert "e2" not in table_of("dark-chess", seats={2: "random"}).snapshot().marks


def test_fights_are_listed_for_those_who_see_them(ranks: Rules) -> None:
    table = table_at(ranks, "b1-b2", "b3-a3", "b2-a2", "c3-c2", "a2-a3")
    listed = [move.text for move in table.snapshot().standing.moves]
    assert listed == ["b1-b2", "b3-a3", "b2-a2", "c3-c2", "a2-a3 x a piece"]
    table.make(next(move for move in table.position.moves() if move.text == "c2-c3"))
    table.session.resign()
    listed = [move.text for move in table.snapshot().standing.moves]
    assert listed[-2:] == ["a2-a3 x Guard", "c2-c3"]


def test_what_others_did_is_told_until_one_moves(ranks: Rules) -> None:
    table = table_at(ranks, "b1-b2", "b3-a3")
    assert table.said == ("Black plays b3-a3.",)
    table.point(0 if table.position.rules.game.board.sites[0].name == "a1" else 1)
    table.back()
    table.back()
    assert table.said == ("Black plays b3-a3.",)
    table.point(table.position.rules.game.board.index("c3") or 0)
    told = "c3 can't be chosen now. There stands a piece of Black."
    assert table.said == ("Black plays b3-a3.", told)
    table.agree("Type one.")
    assert table.said == ("Black plays b3-a3.", "Type one.")


@pytest.mark.parametrize("variants", [(), ("hidden bids",)])
def test_what_a_side_sees_is_read_by_functions_that_are_made_once(
    variants: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    position = load("goofspiel", variants=variants).start()
    position.view("First")
    monkeypatch.setattr(Machine, "_function", lambda *given: pytest.fail("made anew"))
    for move in position.moves()[:2]:
        assert position.after(move).view("First") != position.view("First")
