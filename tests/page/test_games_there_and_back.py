"""Games that go from the program to a page and back: in files, in links, in a page of their own."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from browser import Opened, needs_browser, opened, page_of
from command_line import gdl
from library_games import shipped

from gdl.interpreter.page.document import Held, page
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.sessions.notation import all_spelled, spelled
from gdl.interpreter.sessions.record import Record
from gdl.interpreter.sessions.replaying import replay
from gdl.interpreter.sessions.saves import read_record, write_record
from gdl.load import load_game

pytestmark = needs_browser

GAMES = ("hex", "troll", "minichess", "royal-game-of-ur", "quixo", "stratego")


def played(name: str, plies: int, seed: int = 1) -> tuple[Position, list[str], list[Position]]:
    """Return the last position of a random game, its moves' texts, and all positions."""
    chance = random.Random(seed)
    positions, texts = [Rules(shipped(name)).start()], list[str]()
    for _ in range(plies):
        if positions[-1].over:
            break
        move = chance.choice(positions[-1].moves())
        texts.append(spelled(move, positions[-1]))
        positions.append(positions[-1].play(move))
    return positions[-1], texts, positions


def written(text: str, folder: Path) -> Path:
    file = folder / "page.html"
    file.write_text(text, encoding="utf-8")
    return file


def rows(page: Opened) -> str:
    return "\n".join(page.gdl("gdl.state().rows"))


def saved_by(page: Opened, file: Path) -> None:
    """Save the game that a page shows, as a person does."""
    page.tab.click("#share")
    with page.tab.expect_download() as download:
        page.tab.get_by_role("button", name="Save file").click()
    download.value.save_as(file)


def opened_in(page: Opened, file: Path) -> None:
    """Open a saved game in a page, as a person does."""
    page.tab.click("#share")
    page.tab.set_input_files("dialog input[type=file]", file)
    page.tab.wait_for_selector("dialog[open]", state="detached")


def eventually(page: Opened, moves: int) -> None:
    """Wait until a page has a game in which there are so many legal moves."""
    found = 0
    for _ in range(1200):
        found = page.gdl("gdl.moves().length")
        if found == moves:
            break
        page.tab.wait_for_timeout(50)
    assert found == moves


@pytest.mark.at_night("troll", "quixo", "minichess", "hex", "stratego")
@pytest.mark.parametrize("name", GAMES)
def test_a_game_saved_in_a_page_is_read_by_the_program_and_back(name: str, tmp_path: Path) -> None:
    last, texts, positions = played(name, 12)
    theirs, ours = tmp_path / "theirs.yaml", tmp_path / "ours.yaml"
    write_record(Record.told(positions[0], texts, seed=5), ours)
    with opened(written(page_of(shipped(name)), tmp_path)) as page:
        page.gdl("gdl.hold()")
        page.gdl(f"gdl.load({texts!r})")
        assert rows(page) == last.rows()
        saved_by(page, theirs)
        page.gdl("gdl.load([])")
        opened_in(page, ours)
        assert rows(page) == last.rows()
        assert page.gdl("gdl.state().ply") == len(texts)
    record = read_record(theirs)
    assert list(record.moves) == texts
    again = replay(record, theirs)
    assert again.last == last and again.warnings == ()
    shows = ("--as", last.mover) if shipped(name).hides else ()
    assert gdl("show", theirs, *shows).exit_code == 0


def test_a_link_is_a_position(tmp_path: Path) -> None:
    last, texts, _ = played("minichess", 9)
    file = written(page_of(shipped("minichess")), tmp_path)
    with opened(file) as page:
        page.gdl(f"gdl.load({texts!r})")
        page.tab.wait_for_url("**#*")
        address = page.gdl("location.href")
    with opened(file, "#" + address.partition("#")[2]) as page:
        assert rows(page) == last.rows()
        assert page.gdl("gdl.undo().ply") == len(texts) - 1


def test_a_page_of_a_game_that_was_played_shows_it(tmp_path: Path) -> None:
    last, texts, positions = played("troll", 10)
    save, file = tmp_path / "save.yaml", tmp_path / "played.html"
    write_record(Record.told(positions[0], texts), save)
    assert gdl("replay", save, "--export", file).exit_code == 0
    with opened(file) as page:
        page.tab.click("#last")
        assert rows(page) == last.rows()
        assert page.gdl("gdl.state().ply") == len(texts)


@pytest.mark.slow
def test_several_games_are_in_a_page(tmp_path: Path) -> None:
    file = tmp_path / "hex.html"
    sizes = ("--option", "size=5", "--option", "size=7")
    told = gdl("page", "hex", *sizes, "--with-usual", "-o", file)
    assert told.exit_code == 0 and "3 games" in told.stdout
    with opened(file) as page:
        assert page.gdl("gdl.moves().length") == 25
        assert page.tab.locator("#rule-sets option").count() == 3
        page.tab.select_option("#rule-sets", index=1)
        eventually(page, 49)
        page.tab.select_option("#rule-sets", index=2)
        eventually(page, 121)


def test_a_game_that_begins_elsewhere_begins_so_in_a_page(tmp_path: Path) -> None:
    game = load_game("tic-tac-toe")
    start = Rules(game).from_rows("X O X\nO X .\n. . .", mover="O")
    with opened(written(page([Held(game, start)]), tmp_path)) as shown:
        assert rows(shown) == start.rows()
        assert shown.gdl("gdl.moves().length") == len(start.moves())


@pytest.mark.at_night("dvonn", "[go]")
@pytest.mark.parametrize("name", ["minichess", "royal-game-of-ur", "dvonn", "go"])
def test_a_saved_game_that_begins_elsewhere(name: str, tmp_path: Path) -> None:
    """Its first position has numbers, piles, and positions that are remembered."""
    start, _, _ = played(name, 6)
    last, texts = start, list[str]()
    for _ in range(2):
        move = last.moves()[0]
        texts.append(spelled(move, last))
        last = last.play(move)
    theirs, ours = tmp_path / "theirs.yaml", tmp_path / "ours.yaml"
    write_record(Record.told(start, texts), ours)
    with opened(written(page_of(shipped(name)), tmp_path)) as shown:
        shown.gdl("gdl.hold()")
        opened_in(shown, ours)
        assert rows(shown) == last.rows()
        saved_by(shown, theirs)
        shown.gdl("gdl.load([])")
        assert rows(shown) == start.rows()
        assert shown.gdl("gdl.moves()") == list(all_spelled(start))
    again = replay(read_record(theirs), theirs)
    assert again.positions[0] == start and again.last == last
