"""The player in a page: games are clicked, typed, dragged through; links and files carry them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from browser import Opened, needs_browser, opened, page_of
from library_games import FEWEST, deep_games, shipped

from gdl.diagnostic import Source
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.sessions.notation import unspelled
from gdl.interpreter.sessions.saves import read_record
from gdl.load import load_game, load_source, shipped_names
from gdl.model import Game

pytestmark = needs_browser

MOST_PLIES = 400
MOST_CLICKS = 3000
TRIES = 12
MANY, FEW_PLIES = 3000, 30
"""Where there are so many moves, one game is tried, and so many moves of it are clicked at most."""
WALK_SEED = 8
NEVER_AT_RANDOM = {"8-puzzle"}
"""Games that hardly ever end by random moves."""
WITH_CHANCE = {"backgammon", "royal-game-of-ur"}
"""Games in which the page waits before each move that chance makes, for a person to see it."""

CLICK = """(move) => {
  const at = (element) => {
    element.scrollIntoView({ block: "nearest" });
    const box = element.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const cover = document.querySelector("#curtain:not([hidden]) button");
  if (cover) return { ...at(cover), isCover: true };
  const buttons = [...document.querySelectorAll("#choices button")];
  const over = buttons.find((button) => button.textContent.startsWith("Hand over"));
  if (over) return { ...at(over), isCover: true };
  const chosen = (document.getElementById("choices").dataset.chosen || "").split(" ");
  const left = [...move.words];
  for (const word of chosen) {
    const place = left.indexOf(word);
    if (place >= 0) left.splice(place, 1);
  }
  if (left.length) {
    const hit = document.querySelector(`.hit[data-site="${left[0]}"]`);
    if (hit) return { ...at(hit), word: left[0] };
    const named = buttons.find((button) => button.dataset.word === left[0]);
    if (named) return { ...at(named), word: left[0] };
  }
  const spelled = buttons.find((button) => button.textContent === move.spelled);
  const main = spelled ?? document.querySelector("#choices button.main");
  return main ? { ...at(main), word: "" } : null;
}"""

RANDOM_CLICK = """(share) => {
  if (!document.getElementById("ruling").hidden) return { isOver: true };
  const at = (element) => {
    element.scrollIntoView({ block: "nearest" });
    const box = element.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const cover = document.querySelector("#curtain:not([hidden]) button");
  if (cover) return at(cover);
  const hits = [...document.querySelectorAll("[data-offer]")].map(
    (offer) => document.querySelector(`[data-index="${offer.dataset.offer}"]`));
  const buttons = [...document.querySelectorAll("#choices button")].filter(
    (button) => !button.textContent.includes("Esc"));
  const all = [...hits, ...buttons];
  return all.length ? at(all[Math.floor(share * all.length)]) : null;
}"""


def written(game: Game, folder: Path) -> Path:
    file = folder / f"{game.name}.html"
    file.write_text(page_of(game), encoding="utf-8")
    return file


def short_game(game: Game) -> tuple[list[Move], list[Position]]:
    """Return the moves and positions of the shortest of some random games that came to an end."""
    rules = Rules(game, NativeRules(game))
    best: tuple[list[Move], list[Position]] | None = None
    start = rules.start()
    has_many = len(start.play(start.moves()[0]).moves()) > MANY
    for seed in range(1 if has_many else TRIES):
        chance, moves, positions = random.Random(seed), [], [start]
        limit = FEW_PLIES if has_many else MOST_PLIES if best is None else len(best[0]) - 1
        while not positions[-1].over and len(moves) < limit:
            moves.append(chance.choice(positions[-1].moves()))
            positions.append(positions[-1].play(moves[-1]))
        if best is None or positions[-1].over:
            best = moves, positions
    assert best is not None
    return best


def has_chance(game: Game) -> bool:
    return any(phase.by_chance for phase in game.program.phases)


def slow_with_chance(name: Any) -> Any:
    """Return the name of a game, whose test is slow if the page waits before chance moves."""
    text = name if isinstance(name, str) else name.values[0]
    return pytest.param(text, marks=pytest.mark.slow) if text in WITH_CHANCE else name


def click_move(page: Opened, move: Move, spelled: str) -> None:
    """Make a move by clicks on its sites and on buttons."""
    told = {"words": list(move.words), "spelled": spelled}
    ply = page.gdl("gdl.state().ply")
    for _ in range(2 * len(move.words) + 4):
        place = page.tab.evaluate(CLICK, told)
        if place is not None:
            page.tab.mouse.click(place["x"], place["y"])
        if page.gdl("gdl.state().ply") != ply:
            return
    raise AssertionError(f"{move} can't be clicked: {page.tab.inner_text('#message')}")


@pytest.mark.at_night("[go]", "dvonn", "minichess")
@pytest.mark.parametrize("name", [*map(slow_with_chance, deep_games(shipped_names(), FEWEST))])
def test_a_game_is_clicked_through_to_its_end(name: str, tmp_path: Path) -> None:
    game = shipped(name)
    with opened(written(game, tmp_path)) as page:
        if has_chance(game):
            click_at_random(page, random.Random(3))
        else:
            moves, positions = short_game(game)
            for move, before in zip(moves, positions, strict=False):
                click_move(page, move, move.text)
                assert page.gdl("gdl.state().ply") > 0, before
            assert "\n".join(page.gdl("gdl.state().rows")) == positions[-1].rows()
            if not positions[-1].over:
                assert name in NEVER_AT_RANDOM or len(moves) in (FEW_PLIES, MOST_PLIES)
                return
        assert page.tab.is_visible("#ruling .result")
        assert page.gdl("gdl.state().outcome") is not None


def test_what_captions_of_conditions_tell_stands_beside_the_board(tmp_path: Path) -> None:
    with opened(written(shipped("minichess"), tmp_path)) as page:
        for move in ("c2-c3", "e4-e3"):
            page.gdl(f"gdl.play({move!r})")
        assert "in check" not in page.tab.inner_text("#beside")
        page.gdl("gdl.play('c3-d4')")
        assert "Black's King is in check." in page.tab.inner_text("#beside")


def until(page: Opened, expression: str) -> None:
    """Wait until an expression is true; the test's own limit ends what never is."""
    while not page.gdl(expression):
        page.tab.wait_for_timeout(50)


def click_at_random(page: Opened, chance: random.Random) -> None:
    """Click what may be chosen until the game is over."""
    for _ in range(MOST_CLICKS):
        place: Any = page.tab.evaluate(RANDOM_CLICK, chance.random())
        if place is None:
            page.tab.wait_for_timeout(50)
        elif "isOver" in place:
            return
        else:
            page.tab.mouse.click(place["x"], place["y"])
    raise AssertionError("the game does not end")


KEYS = (
    *("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter", "Space", "Escape", "Tab"),
    *("Control+z", "Control+y", "[", "]", "Home", "End", "a", "1", "2", "b", "Backspace"),
    *("Control+b", "?", "Shift+Tab", "x", "-"),
)


def walk(page: Opened, number: int, chance: random.Random) -> None:
    """Click anywhere and press any keys, so many times; dialogs are left by Escape at times."""
    for _ in range(number):
        if chance.random() < 0.6:
            x, y = chance.randrange(1280), chance.randrange(800)
            if chance.random() < 0.15:
                page.tab.mouse.move(x, y)
                page.tab.mouse.down()
                page.tab.mouse.move(chance.randrange(1280), chance.randrange(800), steps=3)
                page.tab.mouse.up()
            else:
                page.tab.mouse.click(x, y)
        else:
            page.tab.keyboard.press(chance.choice(KEYS))
    assert page.gdl("gdl.state().ply") >= 0


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("troll", 60),
        *(
            pytest.param(name, 500, marks=pytest.mark.slow)
            for name in (
                *("hex", "chess", "trellis", "trichet", "taifas", "blocs", "hive", "stratego"),
                *("backgammon", "oware", "goofspiel", "quoridor", "dots-and-boxes", "battleship"),
                *("8-puzzle", "tak", "shogi", "chinese-checkers", "amazons", "quarto"),
            )
        ),
    ],
)
def test_random_clicks_and_keys_do_no_harm(name: str, number: int, tmp_path: Path) -> None:
    with opened(written(load_game(name), tmp_path)) as page:
        walk(page, number, random.Random(f"{name} {WALK_SEED}"))


def test_a_move_is_typed_dragged_and_made_by_keys(tmp_path: Path) -> None:
    with opened(written(shipped("chess"), tmp_path)) as page:
        page.tab.keyboard.type("e2-e4")
        page.tab.keyboard.press("Enter")
        assert page.gdl("gdl.state().pieces.e4") == "White Pawn"
        source = page.tab.locator('.hit[data-site="e7"]').bounding_box()
        target = page.tab.locator('.hit[data-site="e5"]').bounding_box()
        page.tab.mouse.move(source["x"] + 9, source["y"] + 9)
        page.tab.mouse.down()
        page.tab.mouse.move(target["x"] + 9, target["y"] + 9, steps=5)
        page.tab.mouse.up()
        assert page.gdl("gdl.state().pieces.e5") == "Black Pawn"
        page.tab.locator('.hit[data-site="g1"]').focus()
        page.tab.keyboard.press("Enter")
        for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "Enter"):
            page.tab.keyboard.press(key)
        assert page.gdl("gdl.state().pieces.f3") == "White Knight"
        assert "White: g1-f3" in page.tab.inner_text("#announce")
        page.tab.keyboard.press("Control+z")
        assert page.gdl("gdl.state().ply") == 2


def test_an_illegal_move_is_told_with_the_word_that_fails(tmp_path: Path) -> None:
    with opened(written(shipped("chess"), tmp_path)) as page:
        page.tab.fill("#typed", "e2-e5")
        page.tab.press("#typed", "Enter")
        told = page.tab.inner_text("#message")
        assert "After e2, e5 can't be chosen: only e3, e4." in told
        assert page.gdl("gdl.state().ply") == 0


def test_a_link_carries_the_moves_and_a_variation_stays(tmp_path: Path) -> None:
    file = written(shipped("hex"), tmp_path)
    with opened(file, "#m=a1,b2,c3") as page:
        assert page.gdl("gdl.state().ply") == 3
        page.tab.click("#back")
        page.tab.click('.hit[data-site="d4"]')
        until(page, "location.hash === '#m=a1,b2,d4'")
        assert page.tab.locator(".moves .other").all_inner_texts() == ["c3"]
        page.tab.click(".moves .other")
        assert page.gdl("gdl.state().pieces.c3") == "Red Stone"


def test_a_game_is_saved_in_the_page_and_read_by_the_program(tmp_path: Path) -> None:
    game = shipped("troll")
    file = written(game, tmp_path)
    saved = tmp_path / "saved.yaml"
    with opened(file) as page:
        for text in page.gdl("['d4', 'e5', 'c3'].filter((t) => gdl.moves().includes(t))")[:1]:
            page.gdl(f"gdl.play({text!r})")
        page.gdl("gdl.play(gdl.moves()[3])")
        page.tab.click("#share")
        with page.tab.expect_download() as download:
            page.tab.click("text=Save file")
        download.value.save_as(saved)
        state = page.gdl("gdl.state()")
    record = read_record(saved)
    position = Rules(load_game(record.game)).start()
    for text in record.moves:
        position = position.play(unspelled(text, position))
    assert record.digest == game.digest
    assert position.rows() == "\n".join(state["rows"])
    with opened(file) as page:
        page.tab.click("#share")
        page.tab.set_input_files("input[type=file]", saved)
        until(page, f"gdl.state().ply === {state['ply']}")
        assert page.gdl("gdl.state().rows") == state["rows"]


def test_a_game_that_was_given_up_is_kept_so(tmp_path: Path) -> None:
    game = shipped("hex")
    file, saved = written(game, tmp_path), tmp_path / "saved.yaml"
    with opened(file, "#m=a1,b2") as page:
        page.tab.click("text=Resign")
        page.tab.click("dialog >> text=Resign >> nth=-1")
        assert page.tab.inner_text("#ruling .result") == "Blue wins."
        page.tab.click("#share")
        with page.tab.expect_download() as download:
            page.tab.click("text=Save file")
        download.value.save_as(saved)
    record = read_record(saved)
    assert record.result == "Blue wins"
    with opened(file) as page:
        page.tab.click("#share")
        page.tab.set_input_files("input[type=file]", saved)
        until(page, "gdl.state().ply === 2")
        assert "Red gave the game up." in page.tab.inner_text("#ruling")


def test_what_ended_a_game_is_told_and_lit(tmp_path: Path) -> None:
    with opened(written(shipped("tic-tac-toe"), tmp_path)) as page:
        for site in ("a1", "a2", "b1", "b2", "c1"):
            page.tab.click(f'.hit[data-site="{site}"]')
        assert page.tab.locator("circle.lit").count() == 3
        assert "wins" in page.tab.inner_text("#ruling .result")
        assert "line" in page.tab.inner_text("#ruling")


def test_two_people_at_one_screen_do_not_see_what_the_other_has(tmp_path: Path) -> None:
    """The board is covered between them; nothing of the game is in the address or its list."""
    with opened(written(shipped("goofspiel"), tmp_path)) as page:
        page.tab.wait_for_selector("[data-offer]")
        chance = random.Random(1)
        while not page.tab.locator("#choices button.main").count():
            place = page.tab.evaluate(RANDOM_CLICK, chance.random())
            page.tab.mouse.click(place["x"], place["y"])
        page.tab.click("#choices button.main")
        assert page.tab.is_visible("#curtain button")
        assert page.tab.locator("[data-offer]").count() == 0
        assert "m=" not in page.gdl("location.hash")
        assert "?" in page.tab.inner_text(".moves")
        page.tab.click("#curtain button")
        assert page.tab.locator("[data-offer]").count() > 0


def test_sites_are_marked_plainly_after_a_word_as_after_a_site(tmp_path: Path) -> None:
    with opened(written(shipped("taifas"), tmp_path)) as page:
        page.tab.click("#choices button >> text=Black")
        assert page.tab.locator("[data-offer]").count() == 81
        assert page.tab.locator("[data-offer].quiet").count() == 0


WITH_A_BAR = """
game: Bar
players: White, Black
pieces: Man
hands: {Man: 1}
board: square(3, 3)
turn: |
  either as bar
    require hand(mover) > 0
    choose t in empty
    place Man from hand at t
  or as walk
    choose s in own
    choose t in orthogonal(s) & empty
    move s to t
  or as rest
    pass
setup: {White Man: a1, Black Man: c3}
stuck: draw
"""


@pytest.mark.parametrize("display", ["", "display: {places: {hand: left}}\n"])
def test_a_piece_in_a_hand_stands_for_the_word_by_which_it_leaves_that(
    display: str, tmp_path: Path
) -> None:
    game = load_source(Source("bar.yaml", WITH_A_BAR + display))
    place, chosen = (".layer-hits", "circle.chosen") if display else ("#beside", "button.is-chosen")
    with opened(written(game, tmp_path)) as page:
        man = page.tab.locator(f"{place} [data-word]")
        assert man.count() == 1
        for _ in range(2):
            man.click()
            assert page.gdl('document.getElementById("choices").dataset.chosen') == "bar"
            assert page.tab.locator(chosen).count() == 1
            man.press("Enter")
            assert page.gdl('document.getElementById("choices").dataset.chosen') == ""
            assert page.tab.locator(chosen).count() == 0
        man.click()
        page.tab.click('.hit[data-site="b2"]')
        assert page.gdl("gdl.state().ply") == 1


def test_the_engine_plays_a_seat_and_gives_a_hint(tmp_path: Path) -> None:
    with opened(written(shipped("tic-tac-toe"), tmp_path)) as page:
        page.tab.click("#players")
        page.tab.select_option("dialog select >> nth=1", "engine:3")
        page.tab.click("text=Play on")
        page.tab.click('.hit[data-site="b2"]')
        until(page, "gdl.state().ply === 2")
        page.tab.click("#tab-engine")
        page.tab.click("#page-engine >> text=Hint")
        page.tab.wait_for_selector("polygon.advised, circle.advised", timeout=60000)
        assert "Advised" in page.tab.inner_text("#message")
        assert page.tab.is_visible("#value")


def test_threats_are_marked_and_a_game_is_looked_through(tmp_path: Path) -> None:
    with opened(written(shipped("tic-tac-toe"), tmp_path)) as page:
        for site in ("a1", "b2", "b1"):
            page.tab.click(f'.hit[data-site="{site}"]')
        page.tab.click("#tab-engine")
        page.tab.click("#page-engine >> text=Threats")
        until(page, "document.querySelectorAll('circle.threat').length > 0")
        assert "to win by c1" in page.tab.inner_text("#message")
        for site in ("a3", "c1"):
            page.tab.click(f'.hit[data-site="{site}"]')
        page.tab.click("#page-engine >> text=Review")
        until(page, "document.querySelectorAll('.curve').length > 0")
        assert "a3??" in page.tab.inner_text("#page-engine")
        page.tab.click("#tab-moves")
        assert page.tab.locator(".moves .sign").count() > 0


NAMES_ON_CELLS = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map(
    (element) => element.getBoundingClientRect());
  const cells = boxes(".layer-ground .cell");
  const names = [...document.querySelectorAll(".layer-names text")];
  return names.filter((name) => {
    const { left, right, top, bottom } = name.getBoundingClientRect();
    return cells.some((cell) => left < cell.right && right > cell.left
      && top < cell.bottom && bottom > cell.top);
  }).map((name) => name.textContent);
}"""


FAR_NAMES = """() => {
  const middle = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2, right - left];
  };
  const sites = [...document.querySelectorAll(".hit")].map(
    (hit) => [hit.dataset.site.match(/[a-z]+|[0-9]+/g), ...middle(hit)]);
  return [...document.querySelectorAll(".layer-names text")].filter((name) => {
    const [x, y] = middle(name);
    return !sites.some(([parts, cx, cy, width]) => parts.includes(name.textContent)
      && Math.hypot(x - cx, y - cy) < 1.2 * width);
  }).map((name) => name.textContent);
}"""


def test_names_of_slanted_columns_and_their_rows_stand_at_the_ends_of_these(tmp_path: Path) -> None:
    with opened(written(shipped("hive"), tmp_path)) as page:
        for _ in range(3):
            assert page.tab.locator(".layer-names text").count() > 6
            assert page.gdl(FAR_NAMES) == []
            page.gdl("gdl.play(gdl.moves()[0])")


@pytest.mark.slow
def test_names_of_rows_stand_outside_of_the_part_of_a_board_that_is_drawn(tmp_path: Path) -> None:
    with opened(written(shipped("trichet"), tmp_path), width=390, height=844) as page:
        for _ in range(4):
            assert page.tab.locator(".layer-names text").count() > 6
            assert page.gdl(NAMES_ON_CELLS) == []
            page.gdl("gdl.play(gdl.moves()[0])")


def test_what_can_not_be_done_is_not_offered(tmp_path: Path) -> None:
    with opened(written(shipped("tic-tac-toe"), tmp_path)) as page:
        assert page.tab.is_visible("#typing") and page.tab.is_enabled("text=Resign")
        assert page.tab.is_disabled("text=Next variation")
        page.gdl("gdl.load(['a1', 'a2', 'b1', 'b2', 'c1'])")
        assert page.tab.is_hidden("#typing") and page.tab.is_disabled("text=Resign")
        page.tab.click("#back")
        page.tab.click('.hit[data-site="c3"]')
        assert page.tab.is_visible("#typing") and page.tab.is_enabled("text=Next variation")


@pytest.mark.parametrize("width", [320, 390, 3840])
def test_the_board_fits_into_windows_of_any_width(width: int, tmp_path: Path) -> None:
    with opened(written(shipped("troll"), tmp_path), width=width, height=800) as page:
        assert page.gdl("document.documentElement.scrollWidth") <= width
        box = page.tab.locator(".board-picture").bounding_box()
        assert box["width"] > 0.5 * min(width, 800) and box["height"] <= 800
