"""What a move did is told to those who may know it; a slip that nobody has seen is taken back."""

from __future__ import annotations

from random import Random

import pytest

from gdl.diagnostic import Source
from gdl.interpreter import load
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.positions.view import ALL_SIDES
from gdl.interpreter.sessions.effects import effect_text
from gdl.interpreter.sessions.replaying import Replay
from gdl.interpreter.sessions.seats import players_at
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.table import Table
from gdl.load import load_source

FIGHTS = """\
game: Ranks
players: Red, Blue
pieces: Spy, Guard
board: square(3, 3)
setup: {Red Spy: a1, Red Guard: b1, Blue Spy: c3, Blue Guard: a3}
hands: {Spy: 0, Guard: 0}
state: {shown: sites}
turn: |
  choose s in own
  choose t in orthogonal(s) - own
  if t in empty
    move s to t
  else
    add t | s to shown
    if s in Guard and t in Spy
      move t to hand
      move s to t
    else
      move s to hand
end: draw when turns > 20
sees:
  pieces: all
  kinds: own | shown
  values: hand
  moves: yes
"""
WRITTEN = """\
game: Numbers
players: Maker, Breaker
board: square(3, 1)
state: {code: sites, hits: number}
phases:
  hide: |
    choose s in all
    add s to code
    go to guess
  guess: |
    choose s in all & empty
    place Stone at s
    if s in code
      add 1 to hits
end: draw when turns > 9
sees: {pieces: all, values: hits}
"""


def table_of(text: str) -> Table:
    rules = Rules(load_source(Source("game.yaml", text)))
    return Table(Session(Replay((rules.start(),), ()), 1), {}, Random(1))


def told(table: Table, *texts: str) -> str:
    """Play these moves, each by the person on turn, and return what is said then."""
    for text in texts:
        if table.audience.must_change:
            table.hand_over()
        assert table.read(text), table.said
    return " ".join(table.said)


def test_a_fight_is_told_to_both_sides() -> None:
    table = table_of(FIGHTS)
    assert told(table, "a1-a2") == ""
    table.hand_over()
    assert " ".join(table.said) == "Red plays a1-a2."
    assert told(table, "a3-a2") == "A Blue Guard takes a Red Spy on a2."
    table.hand_over()
    assert " ".join(table.said) == "Blue plays a3-a2. A Blue Guard takes a Red Spy on a2."
    assert told(table, "b1-b2", "c3-b3", "b2-a2") == "A Red Guard falls to a Blue Guard on a2."


def test_a_try_that_is_refused_is_told_to_who_tried() -> None:
    rules = load("dark-hex", {"size": 3})
    table = Table(Session(Replay((rules.start(),), ()), 1), {}, Random(1))
    assert told(table, "b2", "b2") == "Taken: a Red Stone stands on b2."
    assert told(table, "a1") == ""
    table.hand_over()
    assert table.said == ()


@pytest.mark.parametrize(
    ("game", "moves", "effect"),
    [
        ("chess", "e2-e4, d7-d5, e4-d5", "White takes a Black Pawn on d5."),
        ("chess", "e2-e4", ""),
        ("go", "b1, a1, a2", "Black takes a White Stone on a1."),
        ("othello", "d3", "Black turns a White Disc on d4."),
        ("blocs", "White a1, Black b1", ""),
        ("quixo", "d5 east, e2 north", ""),
        ("dvonn", "", ""),
        ("konane", "e5", "A Black Stone on e5 is gone."),
        ("goofspiel", "b2, b1, a3", "A Card of First, a Card of Second and a Prize are gone."),
    ],
)
def test_what_was_taken_or_turned_is_told(game: str, moves: str, effect: str) -> None:
    position = load(game).start()
    for text in moves.split(", ") if moves else ():
        before, move = position, position.parse(text)
        position = before.play(move)
        found = effect_text(before, move, before, position)
    assert not moves or found == effect


def test_a_piece_in_a_pile_is_not_taken() -> None:
    rules, random = load("dvonn"), Random(3)
    position = rules.start()
    while not position.over:
        move = random.choice(position.moves())
        after = position.play(move)
        number = [sum(len(pile) for pile in it.piles().values()) for it in (position, after)]
        assert number[0] > number[1] or not effect_text(position, move, position, after)
        position = after


def test_a_slip_that_nobody_has_seen_is_taken_back() -> None:
    table = table_of(FIGHTS)
    told(table, "b1-b2")
    table.undo()
    assert table.said == ("Took back your last move, which nobody else has seen.",)
    assert not table.session.line and table.position.mover == "Red"
    told(table, "a1-a2")
    table.hand_over()
    table.undo()
    assert len(table.session.moves) == 1 and "nobody goes back" in table.said[0]


def test_nobody_plays_on_where_what_is_hidden_has_been_seen() -> None:
    table = table_of(FIGHTS)
    told(table, "a1-a2")
    table.hand_over()
    table.resign()
    assert table.over
    table.undo()
    assert table.over and "all has been seen" in table.said[0]
    table.go_to(0)
    table.undo()
    assert "all has been seen" in table.said[0]


def test_where_one_was_shot_at_is_told() -> None:
    rules = load("battleship", {"size": 3, "ships": 1})
    table = Table(Session(Replay((rules.start(),), ()), 1), {}, Random(1))
    told(table, "a2 south", "a6 south", "b5")
    table.hand_over()
    assert "Shots at the own sea: b5" in table.snapshot().standing.state


def test_marks_of_a_piece_are_told_where_it_stands() -> None:
    table = table_of("""\
game: Marked
players: White, Black
pieces: Man
board: square(3, 3)
state: {crowned: mark, very_tired: mark}
setup: {White Man: a1, Black Man: c3}
turn: |
  choose s in own
  choose t in adjacent(s) & empty
  move s to t
  add t to crowned
  add t to very_tired
stuck: loses
""")
    assert table.snapshot().marks == {}
    told(table, "a1-a2")
    assert table.snapshot().marks == {"a2": "crowned, very tired"}


def test_players_are_told_reasons_in_words_without_the_file() -> None:
    table = Table(Session(Replay((load("chess").start(),), ()), 1), {}, Random(1))
    ((told_of, _),) = table.audience.reasons("a1-a4")
    assert "a4 is not" in told_of and "-->" not in told_of and "targets(" not in told_of


def test_what_has_told_something_is_not_taken_back() -> None:
    fight = table_of(FIGHTS)
    told(fight, "a1-a2", "a3-a2")
    fight.undo()
    assert len(fight.session.moves) == 2
    guess = table_of(WRITTEN)
    told(guess, "a1", "a1")
    guess.undo()
    assert len(guess.session.moves) == 2
    hidden = Table(Session(Replay((load("dark-hex").start(),), ()), 1), {}, Random(1))
    told(hidden, "b2")
    hidden.undo()
    assert len(hidden.session.moves) == 1


@pytest.mark.parametrize(
    ("game", "moves"),
    [("stratego", ("Flag a1", "Bomb b1")), ("battleship", ("a4 east",))],
)
def test_a_set_up_is_taken_back_piece_by_piece(game: str, moves: tuple[str, ...]) -> None:
    table = Table(Session(Replay((load(game).start(),), ()), 1), {}, Random(1))
    told(table, *moves)
    for left in reversed(range(len(moves))):
        table.undo()
        assert len(table.session.moves) == left and not table.looks_back
    assert told(table, *reversed(moves)) == ""


NEAR = """\
game: Near
players: Red, Blue
pieces: Spy, Guard
board: square(3, 3)
setup: {Red Spy: a1, Red Guard: b1, Blue Spy: c3, Blue Guard: b3}
turn: |
  choose s in own
  choose t in orthogonal(s) - own
  move s to t
end: mover wins when no enemy & Spy
display:
  captions:
    some orthogonal(own & Spy) & enemy: "{own}'s Spy is in danger"
    some own & Spy & c2: a Spy is on c2
"""
LIMITED = "sees: {pieces: own}\n"


def test_what_captions_of_conditions_tell_is_said_when_it_becomes_so_and_marked() -> None:
    table = table_of(NEAR)
    assert told(table, "b1-b2") == ""
    assert told(table, "c3-c2") == "Blue's Spy is in danger. A Spy is on c2."
    standing = table.snapshot().standing
    assert standing.state[:2] == ("Blue's Spy is in danger", "A Spy is on c2")
    board = table.position.rules.game.board
    assert {board.sites[site].name for site in table.scene().last} >= {"b2", "c2"}
    table.undo()
    assert table.position.notices() == () and "c2" not in table.said
    assert told(table, "c3-c2", "a1-a2", "b3-a3") == "Red's Spy is in danger."
    told(table, "b2-c2")
    assert table.over and table.position.notices() == ()


def test_what_captions_of_conditions_tell_is_told_to_those_who_see_what_it_asks() -> None:
    table = table_of(NEAR + LIMITED)
    assert told(table, "b1-b2") == "" and not table.audience.notices()
    position = table.position.play("c3-c2")
    views = {side: position.view(side).notices for side in ("Red", "Blue", ALL_SIDES)}
    assert views == {"Red": (), "Blue": ("a Spy is on c2",), ALL_SIDES: ()}
    listed = table_of(NEAR + "sees: {pieces: own, values: some orthogonal(own & Spy) & enemy}\n")
    after = listed.position.play("b1-b2").play("c3-c2").play("a1-a2")
    assert after.view("Blue").notices == ("Blue's Spy is in danger", "a Spy is on c2")
    assert after.view("Red").notices == ()


def test_check_is_told_in_chess_and_its_kin() -> None:
    for name, moves, wanted in (
        ("chess", "e2-e4, f7-f6, d1-h5", "Black's King is in check"),
        ("antichess", "e2-e4, f7-f6, d1-h5", ""),
        ("crazyhouse", "e2-e4, f7-f6, d1-h5", "Black's King is in check"),
        ("shogi", "g3-g4, c7-c6, c3-c4, a7-a6, b2-g7 promote", "White's King is in check"),
    ):
        position = load(name).start()
        for move in moves.split(", "):
            position = position.play(move)
        assert position.notices() == tuple(filter(None, (wanted,))), name


RUNNING = """\
game: Running
players: Red, Blue
board: square(4, 4)
state: {steps: number = 2}
turn: |
  choose s in empty
  place Stone at s
  add -1 to steps
  if steps > 0
    again
  else
    set steps = 2
end: draw when full
"""


def test_moves_that_a_side_makes_running_are_one_entry_and_marked_together() -> None:
    table = table_of(RUNNING)
    told(table, "a1", "b1", "c1", "d1", "a2")
    listed = [(one.text, one.ply, one.begun, one.number) for one in table.snapshot().standing.moves]
    assert listed == [("a1, b1", 1, 0, 2), ("c1, d1", 3, 2, 4), ("a2", 5, 4, 5)]
    table.go_to(4)
    assert {table.position.rules.game.board.sites[n].name for n in table.scene().last} == {
        "c1",
        "d1",
    }
    table.undo()
    assert table.said[0].endswith("1 more of this turn can be taken back, too.")


def test_what_a_player_makes_running_is_one_sentence() -> None:
    rules = Rules(load_source(Source("game.yaml", RUNNING)))
    session = Session(Replay((rules.start(),), ()), 1, {2: "greedy"})
    table = Table(session, players_at(session.seats, rules, Random(1)), Random(1))
    told(table, "a1", "b1")
    for _ in range(2):
        table.make(table.position.moves()[0])
    assert " ".join(table.said) == "Blue plays c1, d1."


def test_the_list_of_moves_has_the_sign_of_check_of_the_notation() -> None:
    table = Table(Session(Replay((load("chess").start(),), ()), 1), {}, Random(1))
    told(table, "e2-e4", "f7-f6", "d1-h5", "g7-g6", "h5-g6", "h7-g6")
    listed = [one.text for one in table.snapshot().standing.moves]
    assert listed == ["e2-e4", "f7-f6", "d1-h5+", "g7-g6", "h5-g6+", "h7-g6"]


@pytest.mark.parametrize(("row", "is_over"), [("......", True), ("x.....", False)])
def test_a_way_around_a_loop_is_told_unless_the_game_is_over(row: str, is_over: bool) -> None:
    rules = load("surakarta")
    white, black = (mark.symbol for mark in rules.game.layers)
    rows = f"...{black}../....../..{white}.../....../....../{row.replace('x', black)}"
    table = Table(Session(Replay((rules.from_rows(rows, mover="White"),), ()), 1), {}, Random(1))
    said = told(table, "c4-d6")
    assert ("The way: " in said) != is_over and (table.position.over == is_over)
