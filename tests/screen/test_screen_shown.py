"""What the full screen shows: the board in its size, the panel, pages, advice; what it hides."""

from __future__ import annotations

from pathlib import Path

import pytest
from library_games import deep_games, uncaptioned
from piloted import clicked, moves_of, played, settled, status, table_of, typed
from textual.geometry import Offset, Region
from textual.pilot import Pilot
from textual.widgets import OptionList, Static
from textual.widgets._footer import FooterKey

from gdl.diagnostic import Diagnostic, GameError
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.positions.meant import Meant, meant
from gdl.interpreter.screen.board import Board
from gdl.interpreter.screen.pages import Cover, Page, Picker
from gdl.interpreter.screen.panel import Panel
from gdl.interpreter.screen.play import MOST_TOLD, PlayScreen
from gdl.interpreter.sessions.messages import trouble
from gdl.interpreter.sessions.table import Table
from gdl.interpreter.words.rules import told_of_kind
from gdl.load import load_game, shipped_names


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


@pytest.mark.at_night("hex", "trichet")
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


def test_a_board_that_is_drawn_small_is_made_larger_and_shows_the_last_move() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        board, sheet = pilot.app.screen.query_one(Board), pilot.app.screen.query_one("#sheet")
        assert "Ctrl+L" in status(pilot)
        small = sheet.size
        await pilot.press("ctrl+l")
        await pilot.pause()
        assert sheet.size.height == 2 * small.height - 2 > board.size.height
        for move, row in (("a1", 0), ("a15", 14)):
            await typed(pilot, move)
            await pilot.press("enter")
            await pilot.pause()
            line, _ = board._picture.sites[table.position.rules.game.board.index(move) or 0]
            assert 0 <= line - board.scroll_offset.y < board.size.height, row
        await pilot.press("ctrl+l")
        await pilot.pause()
        assert sheet.size == small

    played(table_of("trellis", seats={}), script, (80, 24))


def test_a_board_keeps_its_size_whatever_is_said_below_it() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        board = pilot.app.screen.query_one(Board)
        size = board.size
        for told in ("", "One line.", "Many words. " * 20):
            table.say(told)
            screen = pilot.app.screen
            assert isinstance(screen, PlayScreen)
            screen._draw()
            await pilot.pause()
            assert board.size == size

    played(table_of("shogi"), script, (80, 24))


def test_of_lines_in_several_colours_it_is_told_which_character_has_which() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        assert "with all its lines: ╳ Black, × White." in status(pilot)
        await pilot.press("ctrl+l")
        assert status(pilot).endswith("Lines: ╳ Black, × White.")

    played(table_of("trellis"), script, (80, 24))


@pytest.mark.at_night("battleship")
@pytest.mark.parametrize("game", ["twixt", "battleship"])
def test_of_a_board_that_is_cut_off_it_is_told_how_to_see_the_rest(game: str) -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        board = pilot.app.screen.query_one(Board)
        assert not board.is_whole and "Ctrl+L" not in status(pilot)
        assert status(pilot).endswith(
            "The arrow keys show the rest of the board, F2 gives it more room."
        )
        await pilot.press(*("down",) * 25)
        await pilot.pause()
        labels = len(board._picture.rows) - 1
        assert 0 <= labels - board.scroll_offset.y < board.size.height

    played(table_of(game), script, (80, 24))


def _board_in_sight(pilot: Pilot[None]) -> list[str]:
    """Return the lines of the board that are in sight."""
    board = pilot.app.screen.query_one(Board)
    seen, (left, top) = board.scrollable_content_region.size, board.scroll_offset
    lines = (board._sheet.render_line(top + row) for row in range(seen.height))
    return [line.crop(left, left + seen.width).text for line in lines]


def test_rows_and_columns_are_labelled_wherever_a_board_is_scrolled() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await pilot.press("ctrl+l")
        for key in ("up", "down"):
            await pilot.press(*(key,) * 9, *("right",) * 9)
            await pilot.pause()
            lines = _board_in_sight(pilot)
            rows = [line.split()[0] for line in lines if line.split()[:1] and "│" in line]
            assert rows and all(row.isdecimal() for row in rows)
            (columns,) = [line.split() for line in lines if "│" not in line and line.split()[1:]]
            assert columns[-1] == "i" and "e" in columns

    played(table_of("shogi"), script, (80, 24))


def test_sites_stay_where_they_are_while_a_board_without_end_grows() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        board = pilot.app.screen.query_one(Board)
        site, seen = table.position.rules.game.board.index("ab28u") or 0, set()
        for move in ("aa28u Oh Dot", "ac27d Oh Dot", "ac29u Oh Dot"):
            await pilot.pause()
            row, column = board._picture.sites[site]
            seen.add(board._sheet.region.offset + Offset(column, row))
            await typed(pilot, move)
        assert len(seen) == 1 and len(table.session.moves) == 3

    played(table_of("trichet"), script, (100, 40))


def test_a_move_that_is_advised_is_brought_in_sight() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        screen, far = pilot.app.screen, table.position.parse("w24")
        assert isinstance(screen, PlayScreen)
        board = screen.query_one(Board)
        await pilot.press(*("down",) * 25)
        await pilot.pause()
        site = table.position.rules.game.board.index("w24") or 0
        for _ in range(2):
            row = board._picture.sites[site][0] - board.scroll_offset.y
            is_in_sight = 0 <= row < board.size.height
            assert is_in_sight == bool(table.advice.sites)
            table.advice = meant(table.position, far)
            screen._draw()
            await pilot.pause()

    played(table_of("twixt"), script, (80, 24))


def test_where_a_board_has_one_size_that_is_told() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await pilot.press("ctrl+l")
        assert status(pilot) == "The board has this one size here."

    played(table_of("sim"), script, (160, 50))


def test_a_new_game_on_another_board_begins_without_a_cursor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def script(pilot: Pilot[None], table: Table) -> None:
        Path("save").write_text("game: hex\nmoves: []\n")
        await pilot.press("up", "right", "right")
        await typed(pilot, "load save")
        await pilot.pause()
        assert pilot.app.screen.query_one(Board).cursor is None
        await pilot.press("enter")

    played(table_of("pente"), script)


@pytest.mark.parametrize("game", ["hex", "royal-game-of-ur"])
def test_a_game_is_played_without_colours(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def script(pilot: Pilot[None], table: Table) -> None:
        for key in ("down", "right", "enter", "f1", "escape", "f9", "escape"):
            await pilot.press(key)
        shown = pilot.app.screen.query_one(Board)._sheet.render_lines(Region(0, 0, 40, 5))
        assert all(style is not None for strip in shown for _, style, _ in strip)

    played(table_of(game), script)


@pytest.mark.parametrize("game", ["troll", "royal-game-of-ur"])
def test_what_the_game_is_about_stands_beside_the_board_while_there_is_room(game: str) -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        about = table.position.rules.game.credits["about"]
        await pilot.pause()
        state = pilot.app.screen.query_one("#state", Static)
        assert about[:20] in str(state.render()) and "? tells the keys" in status(pilot)
        await typed(pilot, table.position.moves()[0].text)
        assert about[:20] in str(state.render()) and "? tells the keys" not in status(pilot)
        await pilot.resize_terminal(100, 12)
        await typed(pilot, table.position.moves()[0].text)
        assert about[:20] not in str(state.render())

    played(table_of(game), script)


def test_the_panel_tells_who_is_on_turn_by_seat_and_how_pieces_look() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "b2")
        await pilot.press("enter")
        state = str(pilot.app.screen.query_one("#state", Static).render())
        black, white = state.splitlines()[:2]
        assert "▶" in white and "▶" not in black and "random" not in state
        assert "●" in black and "○" in white

    played(table_of("trellis", {"size": "4"}, {2: "random"}), script)


def test_what_chance_does_is_listed_in_brackets() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        moves = pilot.app.screen.query_one("#moves", OptionList)
        told = [str(moves.get_option_at_index(n).prompt) for n in range(moves.option_count)]
        assert told and all(line.startswith("    (") for line in told)

    played(table_of("royal-game-of-ur"), script)


@pytest.mark.slow
def test_what_is_dealt_first_is_one_entry_and_no_move() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        table.make(table.choosing.legal[0])
        table.make(table.choosing.legal[0])
        moves = table.snapshot().standing.moves
        assert [(move.side, move.ply) for move in moves] == [(None, 0), ("White", 1), ("Black", 2)]
        assert moves[0].text == "60 pieces dealt"
        await typed(pilot, "go 1")
        assert "1 more move was played from here" in table.snapshot().standing.state
        await pilot.press("home", "end")
        assert table.session.ply == 2 and len(table.session.moves) == 62
        await typed(pilot, "undo")
        assert table.said[0].startswith("Took back 1 move.")

    played(table_of("tzaar"), script)


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


def test_the_screen_shows_why_a_game_is_over() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        for move in ("a1", "b1", "a2"):
            await typed(pilot, move)
        scene = table.snapshot().scene
        assert {scene.board.sites[site].name for site in scene.last} == {"a1", "a2"}
        await pilot.press("f3")
        assert isinstance(pilot.app.screen, Page) and "chain" in pilot.app.screen.text
        await pilot.press("escape")
        await pilot.press("home")
        await typed(pilot, "why b1")
        assert isinstance(pilot.app.screen, Page)
        await pilot.press("escape")
        assert "Enter shows the game again" in table.said[-1]

    played(table_of("hex", {"size": "2"}), script)


def test_a_page_that_is_longer_than_the_screen_tells_how_to_read_on() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await pilot.press("f1")
        await pilot.pause()
        frame = pilot.app.screen.query_one(".frame")
        assert frame.border_subtitle == "Down shows more, Esc goes back"
        await pilot.press("down", "down")
        assert frame.scroll_target_y > 0

    played(table_of("hex", {"size": "3"}), script, (80, 24))


def test_the_rules_are_a_key_away_and_the_footer_tells_how_to_leave() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        assert "ctrl+q" in {key.key for key in pilot.app.screen.query(FooterKey)}
        await pilot.press("f9")
        page = pilot.app.screen
        assert isinstance(page, Page) and "Red" in page.text and "joins the left side" in page.text
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, PlayScreen)

    played(table_of("hex", {"size": "3"}), script, (80, 24))


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


def test_the_engine_advises_and_analyses() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await pilot.press("f5")
        await settled(pilot)
        assert "Red wins in" in status(pilot) and table.advice != Meant()
        await typed(pilot, "eval")
        await settled(pilot)
        assert status(pilot).startswith("Red wins in")
        await pilot.press("f6")
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen) and screen._advice.analysis is not None

    played(table_of("hex", {"size": "2"}), script)


@pytest.mark.slow
def test_the_newest_move_stays_in_sight_while_the_engine_says_what_it_thinks() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        screen = pilot.app.screen
        moves = screen.query_one("#moves", OptionList)
        assert isinstance(screen, PlayScreen)
        for number in range(14):
            table.make(table.position.moves()[0])
            screen._show()
            if number == 12:
                await pilot.press("f6")
            await pilot.pause()
        while screen._advice.analysis is None:
            await pilot.pause(0.05)
        await pilot.pause()
        assert moves.highlighted == 13 and moves.size.height < 14
        first = moves.scroll_offset.y
        assert first <= 13 < first + moves.size.height
        await pilot.press("f6")

    played(table_of("hex", {"size": "6"}), script, (80, 24))


def test_what_goes_wrong_is_told_in_sentences() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "save /no/such/folder/x")
        told = "`/no/such/folder/x` can't be written: No such file or directory."
        assert status(pilot) == f"{told} Write to another file."

    played(table_of("hex", {"size": "3"}), script)


def test_of_several_faults_the_first_is_told_and_how_many_more_there_are() -> None:
    found = [
        Diagnostic("a", "It is gone.", None, "Look\nanywhere."),
        Diagnostic("b", "So is that."),
    ]
    assert trouble(GameError(found)) == "It is gone. Look anywhere. And 1 more."
    assert trouble(RuleError(found[1])) == "So is that."


def test_of_a_game_that_was_given_up_nothing_is_analysed() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "resign")
        await pilot.press("y", "f6")
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen) and screen._advice.analysis is None
        assert status(pilot) == "The game is over: Blue wins."

    played(table_of("hex", {"size": "2"}), script)


def test_threats_are_marked_until_the_next_move() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        for move in ("a1", "b2", "a2"):
            await typed(pilot, move)
        await pilot.press("f4")
        await settled(pilot)
        assert table.snapshot().scene.highlights == {
            table.position.rules.game.board.index("a3"): "x"
        }
        await typed(pilot, "c3")
        assert not table.threatened

    played(table_of("tic-tac-toe"), script)


def test_a_hint_is_seen_where_a_threat_was_marked_and_the_other_way_round() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        for move in ("b2", "a1", "c3", "a3"):
            await typed(pilot, move)
        a2 = table.position.rules.game.board.index("a2")
        for key, mark in (("f4", "x"), ("f5", "!"), ("f4", "x")):
            await pilot.press(key)
            await settled(pilot)
            assert table.snapshot().scene.highlights == {a2: mark}

    played(table_of("tic-tac-toe"), script)


def test_what_is_typed_over_a_page_closes_it_and_goes_to_the_line() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await pilot.press("f9")
        assert isinstance(pilot.app.screen, Page)
        await pilot.press("b")
        assert isinstance(pilot.app.screen, PlayScreen)
        await pilot.press("2", "enter")

    assert moves_of(played(table_of("hex", {"size": "3"}), script)) == ["b2"]


def test_a_game_that_is_over_is_reviewed_and_its_moments_are_gone_to() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await pilot.press("f7")
        assert "when it is over" in status(pilot)
        for move in ("a1", "a2", "b1", "b2", "c2", "b3", "c1"):
            await typed(pilot, move)
        await pilot.press("f7")
        await settled(pilot)
        assert isinstance(pilot.app.screen, Picker)
        place = next(n for n, text in enumerate(pilot.app.screen.lines) if "c2??" in text)
        await pilot.press(*("down",) * place, "enter")
        assert len(table.session.moves) == 5 and "better c1" in status(pilot)
        panel = pilot.app.screen.query_one("#moves", OptionList)
        assert str(panel.get_option_at_index(4).prompt).endswith("c2??")
        await typed(pilot, "review")
        assert isinstance(pilot.app.screen, Picker)
        await pilot.press("escape")
        assert len(table.session.moves) == 5

    played(table_of("tic-tac-toe"), script)


def test_people_hand_over_and_see_their_side_alone_until_the_game_is_over() -> None:
    def marks(table: Table) -> list[str]:
        return [name for name, _ in sorted(table.audience.pieces().items())]

    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "b2")
        assert marks(table) == ["b2"] and "Hand over to O" in table.snapshot().prompt
        await clicked(pilot, table, "a1")
        assert moves_of(table) == ["b2"] and table.snapshot().choices is None
        for key in ("f3", "escape", "f4", "f5", "f6", "ctrl+z", "pageup", "home"):
            await pilot.press(key)
            assert len(moves_of(table)) == 1 and not table.threatened and table.advice == Meant()
        await typed(pilot, "moves")
        assert status(pilot) == "These moves are for another person."
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, Cover)
        await pilot.press("escape", "enter")
        assert marks(table) == []
        panel = pilot.app.screen.query_one("#moves", OptionList)
        assert str(panel.get_option_at_index(0).prompt) == "  1 X ?"
        await clicked(pilot, table, "b2")
        assert marks(table) == ["b2"] and not table.audience.must_change
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
        await settled(pilot)
        assert len(table.session.moves) >= 2 and table.audience.view is not None
        assert list(table.audience.pieces()) == ["b2"] and not table.audience.must_change
        await pilot.press("f5")
        await settled(pilot)
        assert "Perhaps" in status(pilot)

    played(table_of("phantom-tic-tac-toe", seats={2: "random"}), script)


def test_what_is_none_as_yet_is_not_told_to_those_who_see_a_part() -> None:
    table = table_of("goofspiel", {"cards": "2"})
    table.begin()
    assert table.audience.view is not None
    lines = table.audience.state_lines()
    assert len(lines) == 1 and lines[0].startswith("the prize is ")


def test_what_the_engine_thinks_is_shown_where_the_panel_was_not() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        panel = pilot.app.screen.query_one(Panel)
        await pilot.press("f2")
        assert not panel.display
        await pilot.press("f6")
        await settled(pilot)
        assert panel.display
        await pilot.press("f6")

    played(table_of("tic-tac-toe"), script)


@pytest.mark.parametrize(
    ("game", "legend", "site", "told"),
    [
        ("chess", "♘2  ♞2  Knight", "b1", "b1: White Knight. Two squares along a row or column"),
        ("breakthrough", "♙16 ♟16 Man", "a2", "a2: White Man. A man steps forward"),
    ],
)
def test_each_piece_is_told_beside_the_board_and_under_the_cursor(
    game: str, legend: str, site: str, told: str
) -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        assert legend in str(pilot.app.screen.query_one("#state", Static).render())
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        board = screen.query_one(Board)
        await pilot.press("up")
        board.cursor = table.position.rules.game.board.index(site)
        await pilot.press("up", "down")
        assert told in status(pilot)
        scene = screen._scene_at_cursor()
        ends = {move.words[1] for move in table.position.moves() if move.words[0] == site}
        assert {scene.board.sites[index].name for index in scene.highlights} == ends
        assert not table.choosing.chosen

    played(table_of(game), script, (80, 24))


def test_pieces_are_told_while_the_game_goes_on_and_instead_of_what_was_said_before() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "Flag b1")
        legend = str(pilot.app.screen.query_one("#state", Static).render())
        assert "Flag" in legend and "Marshal" in legend
        table.say("Something was said.")
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        screen._draw_message()
        assert "Something was said." in status(pilot)
        board = screen.query_one(Board)
        board.cursor = table.position.rules.game.board.index("b1")
        await pilot.press("up", "down")
        assert "b1: Red Flag, unknown to Blue." in status(pilot) and "said" not in status(pilot)

    played(table_of("stratego", seats={2: "random"}), script, size=(80, 24))


def test_what_the_rules_say_of_a_kind_is_found_by_its_name() -> None:
    game = uncaptioned("stratego")
    assert (
        "Then a side moves a piece to a square orthogonally next to it, a Scout any way along a"
        " free line; Bombs and the Flag stay where they are."
    ) in told_of_kind(game, "Scout")[:2]
    assert len(told_of_kind(game, "Major")) > 3
    assert sorted(told_of_kind(game, "Scout")) == sorted(told_of_kind(game, "Major"))


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_what_captions_say_of_pieces_fits_below_the_board_and_leaves_none_out(name: str) -> None:
    game = load_game(name)
    told = {kind: game.looks.captions.get(kind, "") for kind in game.kinds}
    assert not any(told.values()) or all(told.values())
    assert max(map(len, told.values()), default=0) <= MOST_TOLD


def test_of_a_pile_it_is_told_how_high_it_is_and_what_lies_in_it() -> None:
    table = table_of("lasca")
    for move in ("c3-d4", "e5-c3", "d2-b4"):
        table.make(table.position.parse(move))
    assert table.audience.marks() == {"b4": "2 high, above one Black Soldier"}


def test_promoted_pieces_have_a_sign_on_the_board_and_are_counted_in_the_legend() -> None:
    table = table_of("shogi")
    table.read_short("c3-c4, g7-g6, b2-h8 promote", ())
    now = table.snapshot()
    told = [(one.letter, one.side, one.count) for one in now.standing.pieces if one.letter == "+"]
    assert told == [("+", 0, "1"), ("+", 1, "0")]
    board = now.scene.board
    assert [board.sites[i].name for i, mark in now.scene.marks.items() if mark.flag] == ["h8"]


def test_of_pieces_that_are_hidden_the_legend_tells_no_number() -> None:
    def counts(table: Table) -> dict[tuple[str, int | None], tuple[int, bool]]:
        pieces = table.snapshot().standing.pieces
        return {(one.kind, one.side): (one.number, one.may_be_more) for one in pieces}

    table = table_of("dark-chess")
    table.begin()
    found = counts(table)
    assert found["Pawn", 0] == (8, False) and found["Pawn", 1] == (0, True)
    assert counts(table_of("chess"))["Pawn", 1] == (8, False)


def test_what_was_decided_at_the_same_time_is_told_when_all_have() -> None:
    table = table_of("goofspiel", {"cards": "3"}, seats={2: "random"})
    table.begin()
    (prize,) = table.said
    assert table.read("a1") and table.said == ()
    table.make(next(move for move in table.position.moves() if move.text == "b3"))
    worth = "abc".index(prize.split()[1][0]) + 1
    assert table.said[:2] == ("Second plays b3.", f"Score: First 0, Second {worth}.")
    assert table.said[2].startswith("Chance: ")


def test_what_was_said_is_read_again_and_a_review_is_stopped() -> None:
    async def script(pilot: Pilot[None], table: Table) -> None:
        await typed(pilot, "e2-e4")
        await typed(pilot, "d7-d5")
        await typed(pilot, "e4-d5")
        await pilot.press("up", "ctrl+t")
        page = pilot.app.screen
        assert isinstance(page, Page)
        assert table.audience.heard() == ["  3 White takes a Black Pawn on d5."]
        await pilot.press("escape")
        await typed(pilot, "resign")
        await pilot.press("y")
        table.say()
        await typed(pilot, "review")
        assert "Esc stops it." in " ".join(table.said)
        await pilot.press("escape")
        assert table.said == ("The review was stopped.",)

    played(table_of("chess"), script)
