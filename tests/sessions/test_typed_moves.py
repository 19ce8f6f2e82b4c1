"""Moves typed run together, cut short, or by a piece's letter; at the table and in commands."""

from __future__ import annotations

from collections import Counter

import pytest
from click.testing import CliRunner
from piloted import moves_of, played, table_of, typed
from reached import after
from textual.pilot import Pilot

from gdl.diagnostic import Source
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.evaluation.moves import AmbiguousMoveError, MoveError
from gdl.interpreter.positions.move_form import has_form_of_move
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.screen.pages import Page
from gdl.interpreter.sessions.choosing import Choosing, asked_next, asked_text
from gdl.interpreter.sessions.table import Table
from gdl.interpreter.sessions.typed import typed_move
from gdl.load import load_source, shipped_names

OPEN = "b1-c3 g8-f6 d2-d3 g7-g6 c1-d2 f8-g7 g2-g3 a7-a6 f1-g2 a6-a5 g1-f3 a5-a4 d1-b1 a4-a3"
"""Short castling is legal here."""
LONG = "b1-c3 g8-f6 d2-d3 g7-g6 c1-e3 f8-g7 d1-d2 a7-a6"
"""Long castling is legal here, and short is not."""


@pytest.mark.parametrize(
    ("game", "moves", "typed", "meant"),
    [
        ("draughts", "", "c3d4", "c3-d4"),
        ("amazons", "", "d1d7g7", "d1-d7 g7"),
        ("taifas", "", "whiteb2", "White b2"),
        ("connect-four", "", "d", "d1"),
        ("connect-four", "d1", "d", "d2"),
        ("chess", "", "e2\N{EN DASH}e4", "e2-e4"),
        ("chess", "", "e2 \N{EM DASH} e4", "e2-e4"),
        ("chess", "", "e2\N{MINUS SIGN}e4", "e2-e4"),
        ("chess", "", "Nc3", "b1-c3"),
        ("chess", "g1-f3 a7-a6", "Ng1", "f3-g1"),
        ("chess", "g1-f3 a7-a6", "Nbc3", "b1-c3"),
        ("chess", "g1-f3 a7-a6", "N1c3", "b1-c3"),
        ("chess", "g1-f3 e7-e5", "Nxe5+", "f3-e5"),
        ("chess", "", "e4", "e2-e4"),
        ("chess", "e2-e4 d7-d5", "exd5", "e4-d5"),
        ("chess", "b2-b4 c7-c5", "bxc5", "b4-c5"),
        ("chess", "e2-e4 d7-d5 e4-d5 c7-c6 d5-c6 d8-d6 c6-b7 d6-d5", "bxa8=Q", "b7-a8 Queen"),
        ("chess", "e2-e4 d7-d5 e4-d5 c7-c6 d5-c6 b8-d7 c6-b7 d7-b6", "bxa8=N+", "b7-a8 Knight"),
        ("chess", f"{OPEN} h2-h3", "O-O", "e8-g8"),
        ("chess", OPEN, "O-O", "e1-g1"),
        ("chess", LONG, "0-0-0", "e1-c1"),
        ("shogi", "c3-c4 g7-g6", "h8=promote", "b2-h8 promote"),
        ("troll", "", "d5", "d5"),
        ("quarto", "", "tall red round solid", "tall_red_round_solid"),
        (
            "quarto",
            "tall_red_round_solid",
            "b2 short blue  cornered hollow",
            "b2 short_blue_cornered_hollow",
        ),
    ],
)
def test_a_short_text_means_the_only_move_that_it_can(
    game: str, moves: str, typed: str, meant: str
) -> None:
    assert typed_move(typed, after(game, moves)).text == meant


@pytest.mark.parametrize(
    ("game", "moves", "typed"),
    [
        ("draughts", "", "c3"),
        ("troll", "", "d"),
        ("chess", "", "Nd2"),
        ("chess", LONG, "O-O"),
        ("chess", OPEN, "O-O-O"),
        ("tic-tac-toe", "", "O-O"),
        ("chess", "", "e"),
        ("amazons", "d1-d8 e9", "d1-d7"),
        ("lines-of-action", "", "b1"),
        ("hex", "a1", "a"),
        ("hex", "a1", "a1"),
        ("hex", "", "x"),
        ("hex", "", ""),
    ],
)
def test_a_short_text_that_could_be_several_moves_is_none(
    game: str, moves: str, typed: str
) -> None:
    with pytest.raises(MoveError):
        typed_move(typed, after(game, moves))


def test_pieces_of_one_letter_are_told_apart() -> None:
    with pytest.raises(AmbiguousMoveError, match="b1-d2, f3-d2"):
        typed_move("Nd2", after("chess", "g1-f3 a7-a6 d2-d4 a6-a5"))


def test_line_by_line_and_in_commands() -> None:
    told = CliRunner().invoke(make_app(), ["play", "chess"], input="Nc3\nd5\n").stdout
    assert "not a legal move" not in told and "8 │ ♜ │ ♞ │" in told
    assert CliRunner().invoke(make_app(), ["show", "chess", "--after", "e2e4, Nf6"]).exit_code == 0


def test_a_command_may_be_asked_and_has_other_names_in_lines_as_on_the_screen() -> None:
    told = CliRunner().invoke(make_app(), ["play", "hex"], input="b2\nBack\nwhy?\nwhy b2?\n").stdout
    assert "Took back 1 move." in told and "The game goes on: Red is to move." in told
    assert "neither a site" not in told and "`b2` is a legal move" in told

    async def script(pilot: Pilot[None], table: Table) -> None:
        for text in ("b2", "back", "c3", "why b2?"):
            await typed(pilot, text)
        page = pilot.app.screen
        assert isinstance(page, Page) and page.text.startswith("`b2` is a legal move")

    assert moves_of(played(table_of("hex"), script)) == ["c3"]


def test_an_x_at_the_beginning_is_a_word() -> None:
    text = """\
game: Letters
players: White, Black
pieces: X, Y
board: square(2, 2)
turn: |
  choose k in kinds
  either
    choose s in empty
    place k at s
  or as deal
    choose j in kinds
    choose s in empty
    place j at s
"""
    position = Rules(load_source(Source("letters.yaml", text))).start()
    assert position.parse("x a1").text == "X a1"
    assert position.parse("Y deal X b1").text == "Y deal X b1"
    assert Choosing(position.moves(), ("x",)).offers == Choosing(position.moves(), ("y",)).offers
    with pytest.raises(MoveError, match="It goes on: X a1"):
        position.parse("X")
    assert has_form_of_move(position.rules.game, "X deal X b1")


def test_a_prompt_names_the_site_that_it_asks_about_and_the_board_marks_it() -> None:
    table = table_of("trichet", {"tiles": "8"})
    move = next(move for move in table.position.moves() if len(move.words) > 2)
    table.read(move.words[0])
    asked = table.snapshot().asked
    about = asked.partition("whose is the corner ")[2].partition(":")[0]
    assert asked == f": {move.words[0]} - whose is the corner {about}: Dot or Oh"
    scene = table.snapshot().scene
    marked = {
        scene.board.sites[site].name for site, mark in scene.highlights.items() if mark == "?"
    }
    assert marked == {about}


def test_what_is_chosen_in_a_turn_is_drawn_before_the_turn_is_over() -> None:
    table = table_of("trichet")
    assert table.read("ac28u Oh")
    now = table.snapshot()
    assert now.pieces["ad28"] == "Oh Corner"
    board = now.scene.board
    assert {"ad28", "ac28"} <= {board.sites[site].name for site in now.scene.marks}
    chosen = [site for site, mark in now.scene.highlights.items() if mark == "*"]
    assert [board.sites[site].name for site in chosen] == ["ac28u"]
    assert "whose is the corner ac29" in now.asked
    table.back()
    assert "ad28" not in table.snapshot().pieces


@pytest.mark.parametrize("game", shipped_names())
def test_after_each_word_of_a_move_it_is_told_what_comes_next(game: str) -> None:
    table = table_of(game)
    table.begin()
    for _ in range(4):
        if table.over:
            return
        move = table.random.choice(table.position.moves())
        made = len(table.session.moves)
        for word in move.words:
            shown = table.snapshot()
            assert shown.message or shown.asked or shown.prompt
            if len(table.session.moves) > made:
                break
            table.read(word)


_LOOP = """game: Loop
players: White, Black
pieces: Man
board: square(3, 1)
turn: |
  choose s in empty
  place Man at s
  for each v in orthogonal(s) & empty
    optionally as fill
      place Man at v
stuck: draw
"""


def test_a_choice_for_a_site_that_no_word_names_is_asked_for_with_its_name() -> None:
    position = Rules(load_source(Source("loop.yaml", _LOOP))).start()
    begun = Choosing(position.moves(), ("b1",))
    assert asked_text(position, begun) == ": b1 - for a1: fill, or Enter again plays it"
    assert asked_next(position, begun).about == {position.rules.game.board.index("a1")}
    begun = Choosing(position.moves(), ("b1", "fill"))
    assert asked_text(position, begun) == ": b1 fill - for c1: fill"
    assert asked_next(position, begun).position.pieces() == {"a1": "White Man", "b1": "White Man"}


def test_who_is_to_name_a_piece_of_their_own_after_a_target_is_asked_which() -> None:
    table = table_of("tzaar", seed=3)
    table.begin()
    ways = Counter(move.words[1] for move in table.position.moves())
    starts = {move.words[0] for move in table.position.moves()}
    target = next(site for site, number in ways.items() if number > 1 and site not in starts)
    table.read(target)
    assert table.snapshot().asked.startswith(f": {target} - with which piece")


def test_several_moves_are_typed_with_commas_between() -> None:
    table = table_of("stratego", variants=("barrage",), seats={2: "random"})
    table.read_short("Flag a1, Bomb b1, Spy c1", ())
    assert moves_of(table) == ["Flag a1", "Bomb b1", "Spy c1"]
    table.read_short("Scout d1, Flag e1, Scout e1", ())
    assert moves_of(table)[3:] == ["Scout d1"] and "Flag e1" in table.said[-1]
    table = table_of("hex", seats={2: "random"})
    table.read_short("a1, b1", ())
    assert moves_of(table) == ["a1"] and table.said[-1] == "The rest was not played: b1."
