"""What is meant on the board: arrows where a piece goes, marks elsewhere; colours in all themes."""

from __future__ import annotations

import asyncio

import pytest
from piloted import table_of

from gdl.interpreter.positions.meant import Meant, meant
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.render.svg import render_svg
from gdl.interpreter.render.text.text import render_text
from gdl.interpreter.render.theme import THEMES, theme_named
from gdl.interpreter.screen.app import Screens
from gdl.interpreter.screen.board import Board
from gdl.load import load_game


def start(game: str) -> Position:
    return Rules(load_game(game)).start()


def test_a_piece_that_goes_is_an_arrow_to_where_it_comes() -> None:
    position = start("chess")
    shown = meant(position, position.parse("e2-e4"))
    index = position.rules.game.board.index
    assert shown == Meant(frozenset({index("e4")}), ((index("e2"), index("e4")),))
    scene = shown.on(position.scene())
    assert render_svg(scene).count('class="arrow"') == 1
    lines = render_text(scene, width=80).split("\n")
    second = next(line for line in lines if line.startswith("2 "))
    fourth = next(line for line in lines if line.startswith("4 "))
    assert second.count("↑") == 1 and fourth.count("!") == 1
    assert "^" in render_text(scene, ascii=True)


def test_a_piece_that_is_placed_is_a_mark_alone() -> None:
    position = start("hex")
    shown = meant(position, position.parse("c3"))
    assert shown.sites == position.sites_of(position.parse("c3")) and not shown.arrows
    assert render_text(shown.on(position.scene())).count("!") == 1


def test_all_jumps_of_one_move_are_arrows_that_follow_each_other() -> None:
    rules = Rules(load_game("draughts"))
    rows = ". . . .\n" * 4 + ". m . .\n. . . .\nm . . .\nM . . ."
    position = rules.from_rows(rows, mover="Black")
    (move,) = position.moves()
    ways = meant(position, move).arrows
    assert len(ways) == 2 and ways[0][1] == ways[1][0]


SIDES = (("Black", "White"), ("Red", "Blue"), ("Dot", "Oh"), ("A", "B", "C", "D"))
KINDS = ("White", "Grey", "Black", "small_red", "big_blue", "Pebble")


@pytest.mark.parametrize("colour_blind", [False, True])
@pytest.mark.parametrize("name", list(THEMES))
def test_pieces_are_seen_on_the_board_and_its_areas_in_every_theme(
    name: str, colour_blind: bool
) -> None:
    theme = theme_named(name, colour_blind=colour_blind)
    for sides in SIDES:
        tones = theme.in_terminal(sides)
        assert len(set(tones)) == len(sides)
        grounds = [theme.wood, *(theme.area_in_terminal(area, sides) for area in (*sides, "gold"))]
        assert min(one.contrast(ground) for one in tones for ground in grounds) >= 1.5
    shown = [theme.nobody_in_terminal(kind) for kind in KINDS]
    assert min(one.contrast(theme.wood) for one in shown) >= 1.5
    marbles = [theme.nobody(kind).luminance for kind in KINDS[:3]]
    assert marbles == sorted(marbles, reverse=True) and len(set(marbles)) == 3


def test_a_screen_has_the_colours_of_its_theme() -> None:
    async def looked_at() -> tuple[str, str]:
        table = table_of("hex", {"size": "3"})
        app = Screens(table, theme=theme_named("paper"))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            _, style = app.screen.query_one(Board)._picture.rows[0][0]
            assert style.bgcolor is not None
            return app.theme, style.bgcolor.name

    assert asyncio.run(looked_at()) == ("textual-light", THEMES["paper"].wood.hex)
