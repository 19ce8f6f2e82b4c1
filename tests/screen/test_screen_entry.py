"""Moves entered on the full screen: typed, clicked, chosen with the arrow keys, word by word."""

from __future__ import annotations

import random

import pytest
from piloted import clicked, moves_of, played, status, table_of, typed
from textual.app import App
from textual.driver import Driver
from textual.pilot import Pilot
from textual.widgets import Static

from gdl.interpreter.screen.app import Screens
from gdl.interpreter.screen.board import Board
from gdl.interpreter.screen.pages import Picker
from gdl.interpreter.sessions.replaying import Replay
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.table import Table


def test_a_game_is_played_to_its_end_by_typing() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        for move in ("a1", "b1", "A2"):
            await typed(pilot, move)

    table = played(table_of("hex", {"size": "2"}), script)
    assert moves_of(table) == ["a1", "b1", "a2"]
    told = "an unbroken chain of its stones joins the top side and the bottom side."
    assert table.ended() == f"Red wins: {told}"


def test_a_game_is_played_to_its_end_by_mouse() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        for name in ("a1", "b1", "a2"):
            await clicked(pilot, table, name)

    assert played(table_of("hex", {"size": "2"}), script).ended()


def test_the_arrow_keys_lead_to_every_site() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        board = pilot.app.screen.query_one(Board)
        seen = set()
        for key in (
            "left",
            "up",
            *("right",) * 2,
            "down",
            *("left",) * 2,
            "down",
            "right",
            "right",
        ):
            await pilot.press(*((key,) if key not in ("left", "up") else (key,) * 2))
            seen.add(board.cursor)
        assert seen >= {0, 2, 5, 8} and None not in seen
        await pilot.press("enter")

    assert len(played(table_of("tic-tac-toe"), script).session.moves) == 1


def test_a_move_of_several_words_is_chosen_step_by_step_and_taken_back() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await clicked(pilot, table, "b1")
        assert table.choosing.chosen == ("b1",)
        choices = table.snapshot().choices
        assert choices is not None and {*choices.sites} == {"h1", "b3", "d3"}
        await pilot.press("escape")
        assert table.choosing.chosen == ()
        await clicked(pilot, table, "c1")
        await clicked(pilot, table, "c1")
        assert table.choosing.chosen == ()
        await clicked(pilot, table, "b1")
        await clicked(pilot, table, "c1")
        assert table.choosing.chosen == ("c1",)
        await clicked(pilot, table, "c3")

    assert moves_of(played(table_of("lines-of-action"), script)) == ["c1-c3"]


def test_words_that_are_no_sites_can_come_after_the_site() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await clicked(pilot, table, "b2")
        choices = table.snapshot().choices
        assert choices is not None and choices.words == ("black", "white")
        assert "1 Black, 2 White" in status(pilot)
        await typed(pilot, "white")

    assert moves_of(played(table_of("taifas"), script)) == ["White b2"]


def test_what_can_not_be_made_is_explained() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        await clicked(pilot, table, "a1")
        assert status(pilot) == "a1 can't be chosen now. There stands a Red Stone."
        await typed(pilot, "q9")
        assert "`q9` is neither a site of the board nor a word" in status(pilot)
        await typed(pilot, "a1")
        assert "not a legal move" in status(pilot)

    assert len(played(table_of("hex", {"size": "3"}), script).session.moves) == 1


def test_moves_are_typed_in_short_and_commands_go_before() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "c3d4")
        await typed(pilot, "undo")
        assert moves_of(table) == []
        await typed(pilot, "c3d4")
        await typed(pilot, "e5d4")
        assert "not a legal move" in status(pilot) or "neither" in status(pilot)

    assert moves_of(played(table_of("draughts"), script)) == ["c3-d4"]


def test_the_only_move_is_made_by_one_key_and_told() -> None:
    rules = table_of("othello").position.rules
    start = rules.from_rows("\n".join(["XO......", *("........",) * 7]), mover="White")
    assert [move.text for move in start.moves()] == ["pass"]
    stuck = Table(Session(Replay((start,), ())), {}, random.Random(1))

    async def script(pilot: Pilot[None], table: Table) -> None:
        assert "pass" in status(pilot)
        await pilot.press("down", "enter")

    assert moves_of(played(stuck, script)) == ["pass"]


def test_a_number_that_the_drawing_shows_chooses_its_site() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        scene = table.scene()
        (site,) = (site for site, text in scene.highlights.items() if text == "13")
        await typed(pilot, "13")
        assert table.choosing.chosen == (scene.board.sites[site].name,)
        await pilot.press("escape")
        await typed(pilot, "99")
        assert "`99` is not a legal move" in status(pilot)

    played(table_of("trichet"), script)


def test_enter_at_a_marked_site_goes_on_with_a_move_that_is_legal_as_it_stands() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        board = pilot.app.screen.query_one(Board)
        await clicked(pilot, table, "e4")
        assert "Enter again plays e4" in status(pilot)
        board.cursor = table.position.rules.game.board.index("e2")
        await pilot.press("left")
        assert status(pilot) == "Enter chooses d2."
        await pilot.press("enter")
        await pilot.pause()
        assert moves_of(table) == ["d2 e4"] or moves_of(table) == ["e4 d2"]
        await clicked(pilot, table, "b2")
        await pilot.press("right")
        assert "Enter again plays b2" in status(pilot)
        await pilot.press("left", "enter")

    moves = moves_of(played(table_of("trellis", {"size": "5"}), script))
    assert moves[1:] == ["b2"]


def test_what_is_chosen_and_is_no_site_is_listed() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "b2")
        assert not table.session.moves and "Enter again plays b2" in status(pilot)
        await pilot.press("enter")
        for move in ("pass", "pass"):
            await typed(pilot, move)
        assert "1 Black, 2 White" in status(pilot)
        await typed(pilot, "c3")
        for keys in (("2", "enter"), ("enter", "down", "enter"), (*"white", "enter")):
            assert "1 Black, 2 White" in status(pilot)
            await pilot.press(*keys)
            await pilot.pause()
            assert moves_of(table)[3:] == ["White"]
            await pilot.press("ctrl+z")

    played(table_of("trellis", {"size": "5"}), script)


def test_many_names_are_told_as_far_as_there_is_room_and_listed() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        assert "1 tall_red_round_solid, 2" in status(pilot) and "at a site" not in status(pilot)
        for keys, number in (((), 16), (("b", "2", "enter"), 15)):
            await pilot.press(*keys)
            assert ", … Type it; Enter lists them." in status(pilot)
            await pilot.press("enter")
            page = pilot.app.screen
            assert isinstance(page, Picker) and len(page.lines) == number
            await pilot.press("down", "enter")
            await pilot.pause()

    made = moves_of(played(table_of("quarto"), script, (80, 24)))
    assert made == ["tall_red_round_hollow", "b2 tall_red_cornered_solid"]


def test_a_move_that_asks_for_nothing_leaves_the_question_and_the_phase_is_told() -> None:
    table = table_of("trellis", {"size": "5"})
    assert any(not table.position.sites_of(move) for move in table.choosing.legal)
    assert table.snapshot().prompt == "Black (seat 1), drop a stone on, or pass"

    async def script(pilot: Pilot[None], table: Table) -> None:
        assert "The opening" in str(pilot.app.screen.query_one("#state", Static).render())

    played(table, script)


def test_a_beginning_that_is_dropped_is_told() -> None:
    table = table_of("trellis")
    table.point(table.position.rules.game.board.index("h11") or 0)
    table.point(table.position.rules.game.board.index("h2") or 0)
    assert table.said == ("h2 is chosen instead of h11.",)


def test_the_number_of_a_choice_may_begin_a_move() -> None:
    table = table_of("taifas")
    table.read_short("2 b2", ())
    assert moves_of(table) == ["White b2"]
    (listed,) = table.snapshot().standing.moves
    assert (listed.side, listed.text) == ("Black", "White b2")


def test_what_may_be_chosen_beside_sites_and_after_a_word_is_told() -> None:
    table = table_of("shogi")
    for move in ("c3-c4", "g7-g6", "b2-h8 promote", "g9-h8"):
        assert table.read(move)
    assert table.snapshot().prompt == "Black, a site or drop"
    table.read("drop bishop")
    assert table.snapshot().prompt == "Black: drop Bishop - where"


def test_a_word_that_all_moves_begin_with_is_told_with_what_is_asked_for_next() -> None:
    table = table_of("stratego", variants=("barrage",))
    for piece in ("Flag a1", "Bomb b1", "Spy c1", "Scout d1", "Scout e1", "Miner f1"):
        assert table.read(piece)
    assert table.snapshot().prompt == "Red, choose a piece to set up"
    assert table.read("General g1")
    assert table.snapshot().prompt == "Red: Marshal - set it up"
    table.read("h1")
    assert table.snapshot().prompt == "Red: Marshal h1 - Enter plays it"


def test_tab_goes_on_with_what_is_typed() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        line = pilot.app.screen.query_one("#line", Static)
        await pilot.press("h", "i", "tab")
        assert "hint █" in str(line.render())
        await pilot.press("ctrl+u", "e", "2", "-", "tab")
        assert "e2-e█" in str(line.render()) and "Perhaps: e3, e4" in status(pilot)

    played(table_of("chess"), script)


def test_of_a_piece_that_can_not_move_so_it_is_told_what_it_does() -> None:
    table = table_of("minichess")
    table.read_short("a1-a2", ())
    (told,) = table.said
    assert "On a1 stands: White Rook. Any way along a row or column" in told


def test_bytes_that_are_no_text_do_not_end_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = [b"\xe2\x94A", b"ok"]

    class Terminal(Driver):
        def run_input_thread(self) -> None:
            while read:
                read.pop(0).decode()

    monkeypatch.setattr(App, "get_driver_class", lambda _: Terminal)
    driver = Screens(table_of("tic-tac-toe")).get_driver_class()
    monkeypatch.setattr(driver, "__abstractmethods__", frozenset())
    getattr(driver, "run_input_thread")(object.__new__(driver))  # noqa: B009
    assert not read
