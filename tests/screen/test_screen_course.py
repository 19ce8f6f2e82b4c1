"""The course of games on the full screen: players, chance, the clock, back and forth, new games."""

from __future__ import annotations

import asyncio
import random
import signal
import threading
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from command_line import gdl
from piloted import moves_of, played, settled, status, table_of, typed
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from gdl.diagnostic import Diagnostic, GameError
from gdl.interpreter.library.catalogue import catalogue
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.screen.app import Screens
from gdl.interpreter.screen.menu import Chosen, Menu, Ways
from gdl.interpreter.screen.pages import Cover, Page, Picker, Question
from gdl.interpreter.screen.play import PlayScreen
from gdl.interpreter.sessions.autosave import FOLDER_VARIABLE, Keeper, folder_of_games, resumed
from gdl.interpreter.sessions.clock import Clock, TimeControl
from gdl.interpreter.sessions.replaying import Replay, replay
from gdl.interpreter.sessions.saves import read_record
from gdl.interpreter.sessions.seats import RandomPlayer
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.table import Table
from gdl.load import load_game


def test_moves_are_taken_back_done_again_and_varied() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        for move in ("a1", "b1", "c1"):
            await typed(pilot, move)
        await pilot.press("ctrl+z")
        assert moves_of(table) == ["a1", "b1"] and len(table.session.later) == 1
        await pilot.press("ctrl+y")
        assert moves_of(table) == ["a1", "b1", "c1"]
        await pilot.press("home")
        assert moves_of(table) == [] and len(table.session.later) == 3
        await pilot.press("pagedown")
        await typed(pilot, "c3")
        assert moves_of(table) == ["a1", "c3"]
        await pilot.press("pageup")
        assert [m.text for m in table.session.variations] == ["b1", "c3"]
        await typed(pilot, "b1")
        await pilot.press("end")

    assert moves_of(played(table_of("hex", {"size": "3"}), script)) == ["a1", "b1", "c1"]


def test_a_player_answers_and_an_answer_that_is_too_late_is_not_made() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        await settled(pilot)
        assert len(table.session.moves) == 2
        await pilot.press("ctrl+z")
        assert len(table.session.moves) == 0
        await settled(pilot)
        assert len(table.session.moves) == 0
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        screen._thinking.answered(table.position.moves()[0], screen._thinking._moment - 1)

    assert not played(table_of("hex", {"size": "3"}, {2: "random"}), script).session.moves


def test_players_get_ready_beside_the_screen_and_what_keeps_them_is_told() -> None:
    threads = []

    class Unready(RandomPlayer):
        def prepare(self) -> None:
            threads.append(threading.current_thread())
            raise GameError([Diagnostic("not-native", "This can't be compiled.")])

    async def script(pilot: Pilot[None], table: Table) -> None:
        await settled(pilot)
        assert "This can't be compiled. F10 asks" in status(pilot)
        await pilot.press("a", "1", "ctrl+j")

    table = table_of("hex", {"size": "3"})
    table.players[2] = Unready(random.Random(1))
    assert moves_of(played(table, script))[:1] == ["a1"]
    assert threads and threading.main_thread() not in threads


def test_chance_moves_by_itself() -> None:
    table = played(table_of("royal-game-of-ur"), lambda pilot, table: asyncio.sleep(0))
    assert table.session.moves and "Chance" in table.snapshot().message


def test_who_takes_a_move_back_meets_the_same_chance_again(tmp_path: Path) -> None:
    rolled = []

    async def script(pilot: Pilot[None], table: Table) -> None:
        for _ in range(4):
            await typed(pilot, "a1")
            rolled.append(moves_of(table))
            await pilot.press("ctrl+z")
            await typed(pilot, "b1")
            assert moves_of(table)[2:] == rolled[0][2:]
            await pilot.press("ctrl+z")

    path = tmp_path / "dice.yaml"
    path.write_text(DICE)
    table = played(table_of(str(path)), script)
    assert len(rolled[0]) == 3 and all(moves == rolled[0] for moves in rolled)
    assert not list(table.session.branches)


DICE = """\
game: Dice
players: A, B
board: square(2, 2)
state: {roll: number in 0..99}
phases:
  throw: {seat: nobody, turn: choose n in 1..99; set roll = n; go to drop}
  drop: {turn: choose s in empty; place Stone at s; go to throw}
end: draw when full
"""


def test_what_another_has_done_is_told_and_stays_marked_when_chance_has_moved() -> None:
    rules = table_of("royal-game-of-ur").position.rules
    rows = ". . . . . .\nO . . O . . . .\nX X . . . ."
    start = rules.from_rows(rows, mover="White", phase="walk", state={"die": "2"})
    chance = random.Random(1)
    table = Table(Session(Replay((start,), ()), 1), {1: RandomPlayer(chance)}, chance)
    table.make(start.parse("b1-a2"))
    told = "White plays b1-a2 and takes a Black Stone on a2. Chance: "
    assert table.snapshot().message.startswith(told)
    last = table.snapshot().scene.last
    assert {rules.game.board.sites[site].name for site in last} == {"b1", "a2"}

    async def script(pilot: Pilot[None], table: Table) -> None:
        panel = pilot.app.screen.query_one("#moves", OptionList)
        assert str(panel.get_option_at_index(1).prompt).startswith("    (")

    played(table, script)


def test_an_exchange_of_sides_is_told() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "b2")
        await pilot.press("enter")
        for move in ("pass", "pass", "Black"):
            await typed(pilot, move)
        told = "Seats have exchanged sides: seat 2 plays Black, seat 1 plays White now."
        assert status(pilot) == told

    played(table_of("trellis", {"size": "4"}), script)


def test_a_clock_ends_the_game_for_who_has_no_time_left() -> None:
    table = table_of("hex", {"size": "3"})
    time = [0.0]
    table.session.clock = Clock(TimeControl(60), now=lambda: time[0])

    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(table, "snapshot", lambda side=None: pytest.fail("not all is drawn"))
            time[0] = 45
            await pilot.pause(0.3)
        assert "0:15" in str(pilot.app.screen.query_one("#state", Static).render())
        time[0] = 70
        await pilot.pause(0.3)
        assert status(pilot) == "Blue has no time left. Red wins."
        await typed(pilot, "b1")

    played(table, script)
    assert moves_of(table) == ["a1"] and table.ended() == "Red wins."


def test_a_clock_is_seen_on_a_small_screen_and_who_wins_when_the_game_is_over() -> None:
    table = table_of("hex", {"size": "2"})
    time = [0.0]
    table.session.clock = Clock(TimeControl(60), now=lambda: time[0])

    async def script(pilot: Pilot[None], table: Table) -> None:
        line = pilot.app.screen.query_one("#line", Static)
        assert str(line.render()).startswith("Red 1:00>")
        time[0] = 45
        await pilot.pause(0.3)
        assert str(line.render()).startswith("Red 0:15>")
        for move in ("a1", "b1", "a2"):
            await typed(pilot, move)
        assert status(pilot).startswith("Red wins")

    played(table, script, size=(60, 20))


def test_who_watches_is_told_who_has_won() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await settled(pilot)
        assert table.ended() in status(pilot) and "plays" in status(pilot)

    played(table_of("hex", {"size": "2"}, {1: "random", 2: "random"}), script)


def test_who_watches_may_pause() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await pilot.press("space")
        number = len(table.session.moves)
        assert status(pilot) == "Paused: Space goes on."
        await settled(pilot)
        assert len(table.session.moves) == number and not table.over
        await pilot.press("home", "space")
        assert not table.looks_back
        await settled(pilot)
        while not table.over:
            await pilot.pause(0.05)

    async def run(table: Table) -> None:
        async with Screens(table, delay=0.02).run_test(size=(80, 24)) as pilot:
            await script(pilot, table)

    asyncio.run(run(table_of("hex", {"size": "3"}, {1: "random", 2: "random"})))


def test_a_hidden_game_that_is_gone_on_with_begins_behind_a_curtain() -> None:
    rules = table_of("phantom-tic-tac-toe").position.rules
    session = Session(Replay((rules.start(),), ()), 1)
    for text in ("b2", "a1"):
        session.play(session.position.parse(text))

    async def script(pilot: Pilot[None], table: Table) -> None:
        assert table.snapshot().is_covered and not table.audience.pieces()
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, Cover) and pilot.app.screen._who == "X"
        await pilot.press("enter")
        assert table.audience.pieces() == {"b2": "X Mark"}

    played(Table(session, {}, random.Random(1)), script)


def test_variations_are_shown_gone_to_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # to type a long path, key by key, takes seconds
    save = Path("game.save")

    async def script(pilot: Pilot[None], table: Table) -> None:
        for move in ("a1", "b1", "c1"):
            await typed(pilot, move)
        await typed(pilot, "go 1")
        assert moves_of(table) == ["a1"]
        await typed(pilot, "c3")
        await pilot.pause()
        panel = pilot.app.screen.query_one("#moves", OptionList)
        shown = [str(panel.get_option_at_index(n).prompt) for n in range(panel.option_count)]
        assert shown == ["  1 Red a1", "  2 Blue c3", "    or b1"]
        await typed(pilot, f"save {save}")
        await pilot.press("f8")
        assert moves_of(table) == ["a1", "b1"] and table.looks_back
        await pilot.press("f8")
        panel.action_cursor_down()
        panel.action_select()
        await pilot.pause()
        assert moves_of(table) == ["a1", "b1"]

    played(table_of("hex", {"size": "3"}), script)
    record = read_record(save)
    assert (record.moves, record.variations) == (("a1", "c3"), (("a1", "b1", "c1"),))
    session = Session(replay(record, save))
    assert [move.text for move in session.moves] == ["a1", "c3"]
    assert list(session.branches) == [(1, session.start.play("a1").parse("b1"))]
    assert session.record().variations == record.variations
    save.write_text(save.read_text().replace("a1; b1; c1", "a1; b1; b1"))
    with pytest.raises(GameError, match="Move 3 of variation 1 can't be made"):
        replay(read_record(save), save)


def test_a_game_that_goes_on_says_where() -> None:
    start = table_of("hex", {"size": "3"}).position
    move = start.parse("a1")
    played = Replay((start, start.play(move)), (move,))
    table = Table(Session(played), {}, random.Random(1))
    table.begin()
    assert table.snapshot().message == "The game goes on after 1 move. Blue to move."


def test_resigning_and_a_new_game_are_asked_about() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        await pilot.press("ctrl+n")
        assert isinstance(pilot.app.screen, Question)
        await pilot.press("n")
        await typed(pilot, "resign")
        assert isinstance(pilot.app.screen, Question)
        await pilot.press("y")
        assert table.ended() == "Red wins."
        await pilot.press("ctrl+n")

    table = table_of("hex", {"size": "3"})
    before = table.session
    assert played(table, script).session is not before


def test_two_keys_at_once_leave_one_page_alone() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "resign")
        question = pilot.app.screen
        for key in ("y", "enter"):
            question.post_message(Key(key, None))
        await pilot.pause()
        assert isinstance(pilot.app.screen, PlayScreen)
        assert table.ended() is not None

    played(table_of("hex", {"size": "3"}), script)


def test_who_has_resigned_has_when_the_game_is_looked_at_again() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        await typed(pilot, "resign")
        await pilot.press("y", "pageup", "pagedown")
        assert table.ended() == "Red wins."
        await typed(pilot, "b1")
        assert moves_of(table) == ["a1"]

    played(table_of("hex", {"size": "3"}), script)


def test_a_resignation_is_taken_back_and_done_again() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        await typed(pilot, "resign")
        await pilot.press("y", "ctrl+z")
        assert moves_of(table) == ["a1"] and not table.over and "`redo`" in status(pilot)
        await pilot.press("ctrl+z", "ctrl+y", "ctrl+y")
        assert moves_of(table) == ["a1"] and table.ended() == "Red wins."
        await pilot.press("ctrl+y")
        assert status(pilot) == "There is nothing to do again. Red wins."
        await pilot.press("ctrl+z")
        await typed(pilot, "b1")
        await pilot.press("ctrl+z", "ctrl+y", "ctrl+y")
        assert moves_of(table) == ["a1", "b1"] and not table.over

    played(table_of("hex", {"size": "3"}), script)


def test_who_plays_is_chosen_before_and_during_the_game() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        await pilot.press("f10")
        assert isinstance(pilot.app.screen, Picker) and len(pilot.app.screen.lines) == 24
        await pilot.press("escape")
        await typed(pilot, "a1")
        await pilot.press("f10", "down", "enter")
        await settled(pilot)
        assert table.session.seats == {2: "engine:1"} and len(moves_of(table)) == 2
        await typed(pilot, "seats")
        await pilot.press("enter")
        assert table.people == {1}
        await typed(pilot, "seats")
        await pilot.press("home", "enter")
        assert table.people == {1, 2} and screen.table is table
        await pilot.press("home", "f10", "down", "enter")
        await pilot.pause()
        assert len(moves_of(table)) == 0

    played(table_of("hex", {"size": "3"}), script)


def test_the_menu_asks_who_plays() -> None:
    async def run() -> Mapping[int, str]:
        table = table_of("hex", {"size": "3"})
        app = Screens(table, asks_seats=True)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press("down", "enter")
            await pilot.pause()
        return table.session.seats

    assert asyncio.run(run()) == {2: "engine:1"}


def test_a_game_is_chosen_from_the_menu() -> None:
    async def run() -> Chosen | None:
        menu = Menu(catalogue())
        async with menu.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            everything = menu.query_one("#games", OptionList).option_count
            await pilot.press(*"rosa")
            await pilot.pause()
            assert 0 < menu.query_one("#games", OptionList).option_count < everything
            await pilot.press("x", "x", "enter")
            await pilot.pause()
            games = menu.query_one("#games", OptionList)
            assert str(games.get_option_at_index(0).prompt) == "No game has all of this."
            await pilot.press("backspace", "backspace", "down", "up", "enter")
            await pilot.pause()
            assert isinstance(menu.screen, Ways)
            await pilot.press("enter")
            await pilot.pause()
        return menu.return_value

    assert asyncio.run(run()) == Chosen("troll")


def test_options_and_variants_are_chosen_from_the_menu() -> None:
    async def run(*keys: str) -> Chosen | None:
        menu = Menu(catalogue(), left="Go on with a game (2 moves)")
        async with menu.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            await pilot.press(*keys)
            await pilot.pause()
        return menu.return_value

    assert asyncio.run(run("enter")) == Chosen("")
    assert asyncio.run(run("escape")) is None
    sized = asyncio.run(run(*"hex", "enter", "down", "left", "left", "right", "up", "enter"))
    assert sized == Chosen("hex", {"size": "10"})
    variant = [*load_game("taifas").all_variants][-1]
    chosen = asyncio.run(run(*"taifas", "enter", "up", "right", "down", "enter"))
    assert chosen == Chosen("taifas", {}, (variant,))


def test_the_picture_in_the_menu_has_the_options_that_are_being_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Chosen] = []
    monkeypatch.setattr(Menu, "_draw", lambda _, entry, chosen, width: seen.append(chosen))

    async def run() -> None:
        menu = Menu(catalogue())
        async with menu.run_test(size=(100, 30)) as pilot:
            await pilot.press(*"arimaa", "enter", "up", "right")
            await pilot.pause()
            assert seen[-1] == Chosen("arimaa", {}, ("ready",))
            await pilot.press("escape")
            await pilot.pause()
            assert seen[-1] == Chosen("arimaa")

    asyncio.run(run())


def test_leaving_moves_that_are_not_kept_is_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        await pilot.press("ctrl+q")
        assert isinstance(pilot.app.screen, Question)
        await pilot.press("n")
        await typed(pilot, "save game.save")
        assert not table.is_unkept
        await typed(pilot, "b1")
        await typed(pilot, "save game.save")
        assert isinstance(pilot.app.screen, PlayScreen), "it keeps this very game"
        (tmp_path / "other").write_text("Dear diary")
        await typed(pilot, "save other")
        await pilot.press("n")
        assert status(pilot) == "Nothing was written."
        await typed(pilot, "quit")

    played(table_of("hex", {"size": "3"}), script)


def test_the_key_to_leave_asks_over_a_page_as_well() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        await pilot.press("f9", "ctrl+q")
        assert isinstance(pilot.app.screen, Question)
        await pilot.press("n")
        assert isinstance(pilot.app.screen, Page)
        await pilot.press("ctrl+q", "y")
        await pilot.pause()
        assert not pilot.app.is_running

    played(table_of("hex", {"size": "3"}), script)


def test_an_interrupt_leaves_and_a_second_one_asks_no_more() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        await pilot.press("ctrl+c")
        assert isinstance(pilot.app.screen, Question)
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert not pilot.app.is_running

    played(table_of("hex", {"size": "3"}), script)


def test_a_game_is_kept_as_it_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "games"))
    keeper = Keeper.new("hex")

    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        await typed(pilot, "b2")

    played(table_of("hex", {"size": "3"}, keeper=keeper), script)
    assert folder_of_games() == tmp_path / "games"
    with pytest.raises(Exception, match="no game to go on with"):
        resumed()
    keeper.close()
    record, other = resumed("hex")
    assert record.moves == ("a1", "b2") and other.path == keeper.path
    other.close()
    assert [path.suffix for path in (tmp_path / "games").iterdir()] == [".yaml"]


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_game_is_kept_only_where_somebody_keeps_it(
    is_kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))

    table = table_of("hex", keeper=Keeper.new("hex") if is_kept else None)
    table.make(table.position.moves()[0])
    assert len(list(tmp_path.glob("*.yaml"))) == is_kept
    assert table.is_unkept != is_kept


def test_a_saved_game_is_gone_on_with_and_the_game_before_stays_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "games"))
    monkeypatch.chdir(tmp_path)
    Path("my save").write_text("game: tic-tac-toe\nmoves: [b2]\n")

    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        before = table.session
        await typed(pilot, "load nowhere")
        assert not isinstance(pilot.app.screen, Question)
        assert table.session is before and status(pilot).startswith("There is no file")
        await typed(pilot, 'load "my save"')
        assert isinstance(pilot.app.screen, Question)
        await pilot.press("n")
        assert table.session is before
        await typed(pilot, 'load "my save"')
        await pilot.press("y")
        await pilot.pause()
        assert table.position.rules.name == pilot.app.screen.title == "Tic-tac-toe"
        await typed(pilot, "a1")
        await pilot.press("ctrl+n", "y")
        await pilot.pause()
        assert table.position.rules.name == "Tic-tac-toe" and not table.session.moves

    keeper = Keeper.new("hex")
    played(table_of("hex", keeper=keeper), script)
    keeper.close()
    kept = [read_record(path) for path in sorted((tmp_path / "games").glob("*.yaml"))]
    assert sorted((one.game, one.moves) for one in kept) == [
        ("hex", ("a1",)),
        ("tic-tac-toe", ("b2", "a1")),
    ]


def test_a_saved_game_is_not_loaded_where_all_is_shown() -> None:
    session = Session(Replay((Rules(load_game("hex")).start(),), ()))
    commands = PlayScreen(Table(session, {}, random.Random(1), is_open=True))._commands
    assert "save" in commands and "load" not in commands


def test_who_ends_the_program_from_outside_gets_the_terminal_back() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        assert asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        screen.leave()

    played(table_of("hex", {"size": "3"}), script)


def test_who_leaves_a_game_of_the_menu_comes_to_the_menu_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    module = import_module("gdl.interpreter.cli.commands.play")
    wanted, seen = ["hex", "tic-tac-toe", ""], list[Screens]()
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.setattr(module, "fits_screen", lambda: True)
    monkeypatch.setattr(
        module, "_chosen", lambda request, _: (replace(request, game=wanted.pop(0)), None)
    )
    monkeypatch.setattr(Screens, "run", lambda screens: seen.append(screens))
    assert gdl("play").exit_code == 0 and wanted == [] and len(seen) == 2
    assert gdl("play", "hex").exit_code == 0 and len(seen) == 3
