"""Boards whose parts are drawn apart: gaps, pits, holes, triangles, loops, bridges, places."""

from __future__ import annotations

import math
import re

import pytest

from gdl.board.make import BoardSpec, make_board
from gdl.diagnostic import Source
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.render.scene import Scene
from gdl.interpreter.render.svg import render_svg
from gdl.interpreter.render.text.text import picture
from gdl.load import load_game, load_source

PARTS = """
game: Parts
players: White, Black
pieces: Man
stacks: 15
board: square(4, 2)
state: {store(players): number}
setup: {rows: "(XOX) . . O/(XXXXXXX) . . O"}
turn: |
  choose s in own
  choose t in empty
  move 1 of s onto t
  add 3 to store(mover)
stuck: draw
display:
  figures: {store: seeds}
  fields: {triangle: columns(1) | columns(4), pit: columns(2), hole: columns(3)}
  gaps: {1.5: east from columns(2)}
  loops: {brown: north from a1}
  places: {store(White): left, store(Black): right}
"""


@pytest.fixture(scope="module")
def start() -> Position:
    return Rules(load_source(Source("parts.yaml", PARTS))).start()


def test_a_gap_moves_what_is_behind_it_and_nothing_else(start: Position) -> None:
    drawn, board = start.scene().board, start.rules.game.board
    assert [site.name for site in drawn.sites] == [site.name for site in board.sites]
    assert drawn.relations is board.relations
    moved = {site.name: site.x - board.sites[site.index].x for site in drawn.sites}
    assert moved == {"a1": 0, "b1": 0, "c1": 1.5, "d1": 1.5, "a2": 0, "b2": 0, "c2": 1.5, "d2": 1.5}


def test_a_pile_is_laid_out_from_the_base_of_its_triangle(start: Position) -> None:
    drawn = render_svg(start.scene())
    men = r'"(?:under|piece) [^"]*" transform="[^,]*,([-\d.]+)'
    sites = re.findall(r'data-site="(..)">(.*?)(?=data-site|</svg>)', drawn, re.DOTALL)
    heights = {name: [float(y) for y in re.findall(men, of)] for name, of in sites}
    assert [len(heights[name]) for name in ("a1", "a2", "d1", "b1")] == [7, 3, 1, 0]
    assert heights["a1"] == sorted(heights["a1"], reverse=True)
    assert heights["a2"] == sorted(heights["a2"])
    assert max(heights["a2"]) < min(heights["a1"])


def test_a_terminal_shows_the_rows_of_men(start: Position) -> None:
    lines = picture(start.scene(), width=60, height=20).text.plain.splitlines()
    assert [line[4] for line in lines[:3]] == list("○●○")
    assert sum("○" in line[:6] for line in lines[5:]) == 5
    assert "○7" in lines[9]
    assert "piles" not in "".join(lines)


def test_all_of_it_is_inside_of_the_picture_with_any_turn(start: Position) -> None:
    scene = start.play(start.moves()[0]).scene()
    for turned in (0, 90, 180, 270):
        drawn = render_svg(scene, turned=turned)
        box = re.search(r'viewBox="([^"]*)"', drawn)
        assert box is not None
        left, top, width, height = map(float, box[1].split())
        places = re.findall(r'class="place (\w+)"><title>(.*?)</title>\n<rect ([^/]*)/>', drawn)
        assert {place: told for place, told, _ in places} == {
            "left": "store(White)",
            "right": "store(Black)",
        }
        for *_, text in places:
            x, y, wide, high = (
                float(found[1])
                for name in ("x", "y", "width", "height")
                if (found := re.search(rf'{name}="([-\d.]+)"', text))
            )
            assert left <= x and x + wide <= left + width
            assert top <= y and y + high <= top + height
        assert drawn.count('class="loop') == 1
        assert drawn.count('class="field"') == 8


def test_loops_go_round_the_corner_of_the_board() -> None:
    scene = Rules(load_game("surakarta")).start().scene()
    drawn = render_svg(scene)
    number = r"([-\d.]+)"
    path = rf'd="M{number},{number} A{number},[\d.]+ 0 1 [01] {number},{number}"'
    paths = re.findall(rf'class="loop [^"]*" {path}', drawn)
    assert len(paths) == 8
    for x, y, radius, end_x, end_y in (map(float, path) for path in paths):
        assert math.isclose(abs(x - end_x), radius, abs_tol=0.2)
        assert math.isclose(abs(y - end_y), radius, abs_tol=0.2)


def test_text_draws_loops_around_corners() -> None:
    scene = Rules(load_game("surakarta")).start().scene()
    large, small = (picture(scene, width=50, height=height).text.plain for height in (20, 15))
    assert large.splitlines()[:5] == [
        "   ┌───────────┐   ┌───────────┐ ",
        "   │ ┌─────┐   │   │   ┌─────┐ │ ",
        " 6 │ │ ●───●───●───●───●───● │ │ ",
        "   │ │ │   │   │   │   │   │ │ │ ",
        " 5 │ └─●───●───●───●───●───●─┘ │ ",
    ]
    assert small.splitlines()[:3] == [
        "   ┌─────┐ ┌─────┐ ",
        "   │┌──┐ │ │ ┌──┐│ ",
        " 6 ││●─●─●─●─●─●││ ",
    ]


@pytest.mark.parametrize(("name", "moves"), [("bridg-it", "a1, b2, a3"), ("twixt", "c3, d5, e4")])
def test_bridges_are_bars_in_the_colour_of_their_side(name: str, moves: str) -> None:
    position = Rules(load_game(name)).start()
    for move in moves.split(", "):
        position = position.play(move)
    for word in ("link", "done") if position.phase == "bridges" else ():
        position = position.play(next(m for m in position.moves() if word in m.text))
    scene = position.scene()
    assert scene.bridges
    assert {name for *_, name in scene.bridges} <= set(scene.sides)
    for first, _, side in scene.bridges:
        assert scene.sides[scene.marks[first].side or 0] == side
    assert render_svg(scene).count('class="bridge') == 2 * len({name for *_, name in scene.bridges})
    assert any(char in picture(scene, width=80).text.plain for char in "┃━╱╲")


def test_columns_that_a_level_has_not_are_not_named_under_it() -> None:
    board = make_board(BoardSpec("square", "box", (3, 3, 2)))
    upper = [site for site in board.sites if board.numbers["level"][site.index] == 2]
    gone = sum(1 << site.index for site in upper if site.column == 3 or site.row == 3)
    lines = picture(Scene(board.without(gone), {}), width=80).text.plain.splitlines()
    assert lines[0].split() == ["level", "a", "level", "b"]
    assert lines[-1].split() == ["a", "b", "c", "a", "b"]


def test_cards_show_where_their_owner_may_go() -> None:
    position = Rules(load_game("onitama")).start()
    for card in ("tiger", "crab", "eel", "boar", "goose"):
        position = position.play(card)
    steps = {line.text: line.marks[0].steps for line in position.scene().beside}
    assert set(steps["Blue has the tiger"]) == {(0, 2), (0, -1)}
    assert {len(of) for of in steps.values()} <= {2, 3, 4}
    assert set(steps["Red has the crab"]) == {(-2, 0), (2, 0), (0, -1)}
    assert set(steps["beside the board lies the goose"]) == {(-1, 0), (1, 0), (-1, 1), (1, -1)}


def test_cards_have_the_number_of_their_column() -> None:
    scene = Rules(load_game("goofspiel")).start().scene()
    for index, mark in scene.marks.items():
        assert mark.count == scene.board.sites[index].column
