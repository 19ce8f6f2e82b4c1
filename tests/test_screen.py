"""The full-screen player, played by a pilot: typing, arrow keys, mouse, in every state."""

from __future__ import annotations

import asyncio
import random
import signal
import threading
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest
from textual.geometry import Offset, Region
from textual.pilot import Pilot
from textual.widgets import OptionList, Static
from textual.widgets._footer import FooterKey

from gdl.diagnostic import Diagnostic, GameError
from gdl.load import load_game
from interpreter.library.catalogue import catalogue
from interpreter.positions.meant import Meant
from interpreter.positions.position import Rules
from interpreter.screen.app import Screens, play_on_screen
from interpreter.screen.board import Board
from interpreter.screen.menu import Menu
from interpreter.screen.pages import Choice, Cover, Page, Question
from interpreter.screen.play import PlayScreen
from interpreter.screen.table import Table
from interpreter.sessions.audience import Audience
from interpreter.sessions.clock import Clock, TimeControl
from interpreter.sessions.keeping import FOLDER_VARIABLE, Keeper, folder_of_games, resumed
from interpreter.sessions.record import Record
from interpreter.sessions.replaying import Replay, replay
from interpreter.sessions.saves import read_record
from interpreter.sessions.seats import RandomPlayer, people_at, players_at
from interpreter.sessions.session import Session

Script = Callable[[Pilot[None], Table], Awaitable[None]]


def table_of(
    game: str,
    options: Mapping[str, str] | None = None,
    seats: Mapping[int, str] | None = None,
    seed: int = 1,
    keep: Callable[[Record], None] | None = None,
    as_side: str | None = None,
) -> Table:
    rules = Rules(load_game(game, options or {}))
    chance = random.Random(seed)
    kinds = dict(seats or {})
    session = Session(Replay((rules.start(),), ()), seed, kinds)
    players = players_at(kinds, rules, chance)
    return Table(session, players, chance, keep, Audience(people_at(players, rules), as_side))


def played(table: Table, script: Script, size: tuple[int, int] = (100, 30)) -> Table:
    """Run a script at a table on a screen; return the table as it is left."""

    async def run() -> Table:
        app = Screens(table, again=lambda seats: table_of("hex", {"size": "3"}, seats))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(pilot, table)
            await settled(app)
        return app.table

    return asyncio.run(run())


async def settled(app: Screens) -> None:
    """Wait until no player thinks any more."""
    await app.workers.wait_for_complete()


async def typed(pilot: Pilot[None], text: str) -> None:
    for character in text:
        await pilot.press("space" if character == " " else character)
    await pilot.press("enter")


async def clicked(pilot: Pilot[None], table: Table, name: str) -> None:
    """Click the site of this name."""
    board = pilot.app.screen.query_one(Board)
    site = table.position.rules.game.board.index(name)
    assert site is not None
    row, column = board._picture.sites[site]
    board.bring_in_sight((row, column))
    await pilot.pause()
    sheet = pilot.app.screen.query_one("#sheet")
    await pilot.click(sheet, offset=(column, row))
    await pilot.pause()


def moves_of(table: Table) -> list[str]:
    return [move.text for move in table.session.moves]


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
        offered = {table.position.rules.game.board.sites[s].name for s in table.offers.sites()}
        assert offered == {"h1", "b3", "d3"}
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
        assert table.offers.words() == ("black", "white")
        assert "1 Black, 2 White" in table.message
        await typed(pilot, "white")

    assert moves_of(played(table_of("taifas"), script)) == ["White b2"]


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


def test_what_can_not_be_made_is_explained() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        await clicked(pilot, table, "a1")
        assert table.message == "a1 can't be chosen now. There stands: Red Stone."
        await typed(pilot, "q9")
        assert "`q9` is neither a site of the board nor a word" in table.message
        await typed(pilot, "a1")
        assert "not a legal move" in table.message

    assert len(played(table_of("hex", {"size": "3"}), script).session.moves) == 1


def test_a_player_answers_and_an_answer_that_is_too_late_is_not_made() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        await settled(pilot.app)  # type: ignore[arg-type]
        await pilot.pause()
        assert len(table.session.moves) == 2
        await pilot.press("ctrl+z")
        assert len(table.session.moves) == 0
        await settled(pilot.app)  # type: ignore[arg-type]
        await pilot.pause()
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
        await settled(pilot.app)  # type: ignore[arg-type]
        await pilot.pause()
        assert "This can't be compiled. F10 asks" in table.message
        await pilot.press("a", "1", "ctrl+j")

    table = table_of("hex", {"size": "3"})
    table.players[2] = Unready(random.Random(1))
    assert moves_of(played(table, script))[:1] == ["a1"]
    assert threads and threading.main_thread() not in threads


def test_chance_moves_by_itself() -> None:
    table = played(table_of("royal-game-of-ur"), lambda pilot, table: asyncio.sleep(0))
    assert table.session.moves and "Chance" in table.message


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
    assert played(table, script) is not table


def test_the_screen_shows_why_a_game_is_over() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        for move in ("a1", "b1", "a2"):
            await typed(pilot, move)
        scene = table.scene()
        assert {scene.board.sites[site].name for site in scene.last} == {"a1", "a2"}
        await pilot.press("f3")
        assert isinstance(pilot.app.screen, Page) and "joined" in pilot.app.screen.text
        await pilot.press("escape")
        await pilot.press("home")
        await typed(pilot, "why b1")
        assert isinstance(pilot.app.screen, Page)
        await pilot.press("escape")

    played(table_of("hex", {"size": "2"}), script)


@pytest.mark.parametrize("game", ["troll", "royal-game-of-ur"])
def test_what_the_game_is_about_stands_beside_the_board_while_there_is_room(game: str) -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        about = table.position.rules.game.credits["about"]
        await pilot.pause()
        state = pilot.app.screen.query_one("#state", Static)
        assert about[:20] in str(state.render()) and "? tells the keys" in table.message
        await typed(pilot, table.position.moves()[0].text)
        assert about[:20] in str(state.render()) and "? tells the keys" not in table.message
        await pilot.resize_terminal(100, 12)
        await typed(pilot, table.position.moves()[0].text)
        assert about[:20] not in str(state.render())

    played(table_of(game), script)


def test_the_panel_tells_who_is_on_turn_by_seat_and_how_pieces_look() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "b2")
        state = str(pilot.app.screen.query_one("#state", Static).render())
        black, white = state.splitlines()[:2]
        assert "▶" in white and "▶" not in black and "random" not in state
        assert "●" in black and "○" in white

    played(table_of("trellis", {"size": "4"}, {2: "random"}), script)


def test_pages_open_and_close() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        for key in ("question_mark", "f1"):
            await pilot.press(key)
            assert isinstance(pilot.app.screen, Page)
            await pilot.press("escape")
        for command in ("rules", "moves", "moves a"):
            await typed(pilot, command)
            assert isinstance(pilot.app.screen, Page)
            await pilot.press("escape")

    played(table_of("hex", {"size": "3"}), script)


@pytest.mark.parametrize("size", [(60, 20)])
@pytest.mark.parametrize("game", ["hex", "trellis", "trichet"])
def test_the_cursor_is_in_sight_on_every_screen(game: str, size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        board = pilot.app.screen.query_one(Board)
        for key in ("left", "up", "right", "down"):
            for _ in range(25):
                board.move_cursor(key)
            await pilot.pause()
            assert board.cursor is not None
            row, column = board._picture.sites[board.cursor]
            sheet = pilot.app.screen.query_one("#sheet")
            at = sheet.region.offset + Offset(column, row)
            assert board.region.contains_point(at)

    played(table_of(game), script, size)


def test_the_engine_advises_and_analyses() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await pilot.press("f5")
        await settled(pilot.app)  # type: ignore[arg-type]
        await pilot.pause()
        assert "Red wins in" in table.message and table.advice != Meant()
        await typed(pilot, "eval")
        await settled(pilot.app)  # type: ignore[arg-type]
        await pilot.pause()
        assert table.message.startswith("Red wins in")
        await pilot.press("f6")
        await settled(pilot.app)  # type: ignore[arg-type]
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen) and screen._advice.analysis is not None

    played(table_of("hex", {"size": "2"}), script)


def test_a_clock_ends_the_game_for_who_has_no_time_left() -> None:
    table = table_of("hex", {"size": "3"})
    time = [0.0]
    table.session.clock = Clock(TimeControl(60), now=lambda: time[0])

    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        time[0] = 45
        await pilot.pause(0.3)
        assert "0:15" in str(pilot.app.screen.query_one("#state", Static).render())
        time[0] = 70
        await pilot.pause(0.3)
        assert table.message == "Blue has no time left."
        await typed(pilot, "b1")

    played(table, script)
    assert moves_of(table) == ["a1"] and table.ended() == "Red wins."


def test_leaving_moves_that_are_not_kept_is_asked_about(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        await pilot.press("ctrl+q")
        assert isinstance(pilot.app.screen, Question)
        await pilot.press("n")
        await typed(pilot, f"save {tmp_path / 'game.save'}")
        assert not table.is_unkept
        await typed(pilot, "quit")

    played(table_of("hex", {"size": "3"}), script)


def test_people_hand_over_and_see_their_side_alone_until_the_game_is_over() -> None:
    def marks(table: Table) -> list[str]:
        return [name for name, _ in sorted(table.sight.pieces().items())]

    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "b2")
        assert marks(table) == ["b2"] and "Hand over to O" in table.prompt()
        await clicked(pilot, table, "a1")
        assert moves_of(table) == ["b2"] and not list(table.offers.sites())
        for key in ("f3", "escape", "f4", "f5", "f6", "ctrl+z", "pageup", "home"):
            await pilot.press(key)
            assert len(moves_of(table)) == 1 and not table.threatened and table.advice == Meant()
        await typed(pilot, "moves")
        assert table.message == "These moves are for another person."
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, Cover)
        await pilot.press("escape", "enter")
        assert marks(table) == []
        panel = pilot.app.screen.query_one("#moves", OptionList)
        assert str(panel.get_option_at_index(0).prompt) == "  1 X ?"
        await clicked(pilot, table, "b2")
        assert marks(table) == ["b2"] and not table.sight.must_change
        await typed(pilot, "a1")
        for move in ("b1", "a2", "b3"):
            await pilot.press("enter", "enter")
            await typed(pilot, move)
        assert len(marks(table)) == 5
        await pilot.press("pageup", "f3")
        assert isinstance(pilot.app.screen, Page) and "hidden" not in pilot.app.screen.text
        await pilot.press("escape")

    table = played(table_of("phantom-tic-tac-toe"), script)
    assert moves_of(table) == ["b2", "b2", "a1", "b1", "a2"]


def test_who_plays_against_a_player_sees_one_side_alone() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "b2")
        await settled(pilot.app)  # type: ignore[arg-type]
        await pilot.pause()
        assert len(table.session.moves) >= 2 and table.sight.view is not None
        assert list(table.sight.pieces()) == ["b2"] and not table.sight.must_change
        await pilot.press("f5")
        await settled(pilot.app)  # type: ignore[arg-type]
        await pilot.pause()
        assert "Perhaps" in table.message

    played(table_of("phantom-tic-tac-toe", seats={2: "random"}), script)


def test_threats_are_marked_until_the_next_move() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        for move in ("a1", "b2", "a2"):
            await typed(pilot, move)
        await pilot.press("f4")
        await settled(pilot.app)  # type: ignore[arg-type]
        await pilot.pause()
        assert table.scene().highlights == {table.position.rules.game.board.index("a3"): "x"}
        await typed(pilot, "c3")
        assert not table.threatened

    played(table_of("tic-tac-toe"), script)


def test_variations_are_shown_gone_to_and_kept(tmp_path: Path) -> None:
    save = tmp_path / "game.save"

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


def test_moves_are_typed_in_short_and_commands_go_before() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "c3d4")
        await typed(pilot, "undo")
        assert moves_of(table) == []
        await typed(pilot, "c3d4")
        await typed(pilot, "e5d4")
        assert "not a legal move" in table.message or "neither" in table.message

    assert moves_of(played(table_of("draughts"), script)) == ["c3-d4"]


def test_the_only_move_is_made_by_one_key_and_told() -> None:
    rules = table_of("othello").position.rules
    start = rules.from_rows("\n".join(["XO......", *("........",) * 7]), mover="White")
    assert [move.text for move in start.moves()] == ["pass"]
    stuck = Table(Session(Replay((start,), ())), {}, random.Random(1))

    async def script(pilot: Pilot[None], table: Table) -> None:
        assert "pass" in table.message
        await pilot.press("down", "enter")

    assert moves_of(played(stuck, script)) == ["pass"]


def test_a_game_that_is_over_is_reviewed_and_its_moments_are_gone_to() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await pilot.press("f7")
        assert "when it is over" in table.message
        for move in ("a1", "a2", "b1", "b2", "c2", "b3", "c1"):
            await typed(pilot, move)
        await pilot.press("f7")
        await settled(pilot.app)  # type: ignore[arg-type]
        await pilot.pause()
        assert isinstance(pilot.app.screen, Choice)
        place = next(n for n, text in enumerate(pilot.app.screen.lines) if "c2??" in text)
        await pilot.press(*("down",) * place, "enter")
        assert len(table.session.moves) == 5 and "better c1" in table.message
        panel = pilot.app.screen.query_one("#moves", OptionList)
        assert str(panel.get_option_at_index(4).prompt).endswith("c2??")
        await typed(pilot, "review")
        assert isinstance(pilot.app.screen, Choice)
        await pilot.press("escape")
        assert len(table.session.moves) == 5

    played(table_of("tic-tac-toe"), script)


def test_who_has_resigned_has_when_the_game_is_looked_at_again() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        await typed(pilot, "resign")
        await pilot.press("y", "pageup", "pagedown")
        assert table.ended() == "Red wins."
        await typed(pilot, "b1")
        assert moves_of(table) == ["a1"]

    played(table_of("hex", {"size": "3"}), script)


def test_a_game_is_kept_as_it_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "games"))
    keeper = Keeper.new("hex")

    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "a1")
        await typed(pilot, "b2")

    played(table_of("hex", {"size": "3"}, keep=keeper.keep), script)
    assert folder_of_games() == tmp_path / "games"
    with pytest.raises(Exception, match="no game to go on with"):
        resumed()
    keeper.close()
    record, other = resumed("hex")
    assert record.moves == ("a1", "b2") and other.path == keeper.path
    other.close()
    assert [path.suffix for path in (tmp_path / "games").iterdir()] == [".yaml"]


def test_a_game_is_chosen_from_the_menu() -> None:
    async def run() -> str | None:
        menu = Menu(catalogue())
        async with menu.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            everything = menu.query_one("#games", OptionList).option_count
            await pilot.press(*"rosa")
            await pilot.pause()
            assert 0 < menu.query_one("#games", OptionList).option_count < everything
            await pilot.press("down", "up", "enter")
            await pilot.pause()
        return menu.return_value

    assert asyncio.run(run()) == "troll"


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_game_is_kept_only_where_somebody_keeps_it(
    is_kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))

    def run(app: Screens) -> None:
        app.table.make(app.table.position.moves()[0])
        assert len(list(tmp_path.glob("*.yaml"))) == is_kept

    monkeypatch.setattr(Screens, "run", run)
    rules = Rules(load_game("hex"))
    session = Session(Replay((rules.start(),), ()))
    keeper = Keeper.new("hex") if is_kept else None
    play_on_screen(session, {}, random.Random(1), keeper=keeper)


LOUD = """\
game: "Bad [/x] [red] \\e[31m \\u202e"
about: "See [/b] and [@click=app.quit]this[/] \\e]0;x\\a"
players: Black, White
board: square(2, 2)
stuck: draw
turn: |
  choose s in empty
  place Stone at s
"""


def test_what_a_file_says_is_no_style_and_no_command(tmp_path: Path) -> None:
    path = tmp_path / "loud.yaml"
    path.write_text(LOUD)

    async def read_pages(pilot: Pilot[None], table: Table) -> None:
        for words in ("rules", "why", "why a1", "moves"):
            await typed(pilot, words)
            page = pilot.app.screen
            assert isinstance(page, Page)
            shown = pilot.app.export_screenshot()
            assert "\x1b" not in shown and "\u202e" not in shown
            if words == "rules":
                assert "[/x]" in str(page.query_one(".frame").border_title)
            await pilot.press("escape")

    played(table_of(str(path)), read_pages)


def test_the_rules_are_a_key_away_and_the_footer_tells_how_to_leave() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        assert "ctrl+q" in {key.key for key in pilot.app.screen.query(FooterKey)}
        await pilot.press("f9")
        page = pilot.app.screen
        assert isinstance(page, Page) and "Red" in page.text and "joins the left side" in page.text
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, PlayScreen)

    played(table_of("hex", {"size": "3"}), script, (80, 24))


def test_a_new_game_on_another_board_begins_without_a_cursor() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await pilot.press("up", "right", "right", "ctrl+n")
        await pilot.pause()
        assert pilot.app.screen.query_one(Board).cursor is None
        await pilot.press("enter")

    played(table_of("pente"), script)


def test_what_chance_does_is_listed_in_brackets() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        moves = pilot.app.screen.query_one("#moves", OptionList)
        told = [str(moves.get_option_at_index(n).prompt) for n in range(moves.option_count)]
        assert told and all(line.startswith("    (") for line in told)

    played(table_of("royal-game-of-ur"), script)


def test_a_number_alone_is_told_which_moves_it_can_mean() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "1")
        assert "At 1 there are: a1" in table.message

    played(table_of("trichet"), script)


@pytest.mark.parametrize("game", ["hex", "trellis", "trichet"])
def test_large_boards_are_whole_on_a_small_screen_or_the_cursor_stays_in_sight(game: str) -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        board = pilot.app.screen.query_one(Board)
        for key in ("up", *("right",) * 9, *("down",) * 9, *("left",) * 19, *("up",) * 19):
            await pilot.press(key)
            assert board.cursor is not None
            row, column = board._picture.sites[board.cursor]
            seen = board.scrollable_content_region.size
            assert 0 <= row - board.scroll_offset.y < seen.height
            assert 0 <= column - board.scroll_offset.x < seen.width

    played(table_of(game), script, (80, 24))


def test_enter_at_a_marked_site_goes_on_with_a_move_that_is_legal_as_it_stands() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        board = pilot.app.screen.query_one(Board)
        await clicked(pilot, table, "e4")
        assert "Enter makes the move e4" in table.message
        board.cursor = table.position.rules.game.board.index("e2")
        await pilot.press("left")
        assert table.message == "Enter chooses d2."
        await pilot.press("enter")
        await pilot.pause()
        assert moves_of(table) == ["d2 e4"] or moves_of(table) == ["e4 d2"]
        await clicked(pilot, table, "b2")
        await pilot.press("right")
        assert "Enter makes the move b2" in table.message
        await pilot.press("left", "enter")

    moves = moves_of(played(table_of("trellis", {"size": "5"}), script))
    assert moves[1:] == ["b2"]


@pytest.mark.parametrize("keys", [("2", "enter"), ("enter", "down", "enter"), (*"white", "enter")])
def test_what_is_chosen_and_is_no_site_is_listed(keys: tuple[str, ...]) -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        for move in ("b2", "pass", "pass"):
            await typed(pilot, move)
        assert "1 Black, 2 White" in table.message
        await typed(pilot, "c3")
        assert "1 Black, 2 White" in table.message
        await pilot.press(*keys)
        await pilot.pause()

    assert moves_of(played(table_of("trellis", {"size": "5"}), script))[3:] == ["White"]


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
    assert table.message.startswith("White plays b1-a2 and takes a piece. Chance: ")
    assert {rules.game.board.sites[site].name for site in table.scene().last} == {"b1", "a2"}

    async def script(pilot: Pilot[None], table: Table) -> None:
        panel = pilot.app.screen.query_one("#moves", OptionList)
        assert str(panel.get_option_at_index(1).prompt).startswith("    (")

    played(table, script)


def test_an_exchange_of_sides_is_told() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        for move in ("b2", "pass", "pass", "Black"):
            await typed(pilot, move)
        told = "Seats have exchanged sides: seat 2 plays Black, seat 1 plays White now."
        assert table.message == told

    played(table_of("trellis", {"size": "4"}), script)


def test_who_plays_is_chosen_before_and_during_the_game() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        await pilot.press("f10")
        assert isinstance(pilot.app.screen, Choice) and len(pilot.app.screen.lines) == 9
        await pilot.press("escape")
        await typed(pilot, "a1")
        await pilot.press("f10", "down", "enter")
        await settled(pilot.app)  # type: ignore[arg-type]
        await pilot.pause()
        assert table.session.seats == {2: "engine:1"} and len(moves_of(table)) == 2
        await typed(pilot, "seats")
        await pilot.press("enter")
        assert table.people == {1, 2} and screen.table is table
        await pilot.press("home", "f10", "down", "enter")
        await pilot.pause()
        assert len(moves_of(table)) == 0

    played(table_of("hex", {"size": "3"}), script)


def test_the_menu_asks_who_plays() -> None:
    async def run() -> Mapping[int, str]:
        table = table_of("hex", {"size": "3"})
        app = Screens(
            table, again=lambda seats: table_of("hex", {"size": "3"}, seats), asks_seats=True
        )
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press("down", "enter")
            await pilot.pause()
        return app.table.session.seats

    assert asyncio.run(run()) == {2: "engine:1"}


def test_a_game_that_goes_on_says_where() -> None:
    start = table_of("hex", {"size": "3"}).position
    move = start.parse("a1")
    course = Replay((start, start.play(move)), (move,))
    table = Table(Session(course), {}, random.Random(1))
    table.begin()
    assert table.message == "The game goes on after 1 move. Blue to move."


def test_a_board_that_is_drawn_small_is_made_larger_and_shows_the_last_move() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        board, sheet = pilot.app.screen.query_one(Board), pilot.app.screen.query_one("#sheet")
        assert "Ctrl+L" in table.message
        small = sheet.size
        await pilot.press("ctrl+l")
        await pilot.pause()
        assert sheet.size.height == 2 * small.height - 2 > board.size.height
        for move, row in (("a1", 0), ("a15", 14)):
            await typed(pilot, move)
            await pilot.pause()
            line, _ = board._picture.sites[table.position.rules.game.board.index(move) or 0]
            assert 0 <= line - board.scroll_offset.y < board.size.height, row
        await pilot.press("ctrl+l")
        await pilot.pause()
        assert sheet.size == small

    played(table_of("trellis", seats={}), script, (80, 24))


def test_what_was_typed_is_gone_when_a_page_opens() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "why b2")
        line = pilot.app.screen_stack[-2].query_one("#line", Static)
        assert "why" not in str(line.render())

    played(table_of("hex", {"size": "3"}), script)


def test_a_page_is_folded_to_its_width_with_what_goes_on_indented() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await pilot.press("f9")
        page = pilot.app.screen
        assert isinstance(page, Page)
        room = page.query_one(Static).size.width
        assert room >= max(map(len, page.text.split("\n")))

    for width in (60, 80, 120):
        played(table_of("trellis", {"size": "3"}), script, (width, 24))


def test_a_move_that_asks_for_nothing_leaves_the_question_and_the_phase_is_told() -> None:
    table = table_of("trellis", {"size": "5"})
    assert any(not table.position.sites_of(move) for move in table.choosing.legal)
    assert table.prompt() == "Black (seat 1), drop a stone on, or pass"

    async def script(pilot: Pilot[None], table: Table) -> None:
        assert "The opening" in str(pilot.app.screen.query_one("#state", Static).render())

    played(table, script)


@pytest.mark.parametrize("game", ["hex", "royal-game-of-ur"])
def test_a_game_is_played_without_colours(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def script(pilot: Pilot[None], table: Table) -> None:
        for key in ("down", "right", "enter", "f1", "escape", "f9", "escape"):
            await pilot.press(key)
        shown = pilot.app.screen.query_one(Board)._sheet.render_lines(Region(0, 0, 40, 5))
        assert all(style is not None for strip in shown for _, style, _ in strip)

    played(table_of(game), script)


def test_who_ends_the_program_from_outside_gets_the_terminal_back() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        assert asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        screen.leave()

    played(table_of("hex", {"size": "3"}), script)


def test_what_is_none_as_yet_is_not_told_to_those_who_see_a_part() -> None:
    table = table_of("goofspiel", {"cards": "2"})
    table.begin()
    assert table.sight.view is not None
    lines = table.sight.state_lines()
    assert len(lines) == 1 and lines[0].startswith("the prize is ")
