"""Cells in the colours of their corners, divided by arcs: as text and as SVG."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent
from xml.etree import ElementTree

import pytest

from gdl.board.board import Board
from gdl.board.make import BoardSpec, make_board
from gdl.interpreter import load
from gdl.interpreter.positions.examples import example_position
from gdl.interpreter.render.scene import Mark, Scene
from gdl.interpreter.render.svg import render_svg
from gdl.interpreter.render.text.text import picture as picture_of
from gdl.interpreter.render.text.text import render_text
from gdl.interpreter.render.tiles import Tile, corner_sides

KINDS = ("cell", "vertex")
SVG = "{http://www.w3.org/2000/svg}"
SIDES = ("Dot", "Oh")
TILE = Mark("t", None, "Tile")


def picture(text: str) -> str:
    return dedent(text).strip("\n")


def corner(side: int) -> Mark:
    return Mark("XO"[side], side, "Corner")


def tiled(spec: BoardSpec, cells: str, first: str, second: str) -> Scene:
    """Return a scene with tiles on cells, and the two sides' pieces on corners."""
    board = make_board(spec)
    marks = {}
    for names, mark in ((cells, TILE), (first, corner(0)), (second, corner(1))):
        for name in names.split():
            index = board.index(name)
            assert index is not None, name
            marks[index] = mark
    return Scene(board, marks, sides=SIDES, tiles=corner_sides(board, marks))


MIDDLE = r"""
      X-------O-------O-------X-------O-------+  29
     / \...oo/o\ooooo/o\ooo../.\...oo/o\     / \
    /   \ooo/ooo\.../ooo\.../...\ooo/ooo\   /   \
   /     \o/oo...\./.....\./..ooo\o/oo...\ /     \
  +-------O-------X-------X-------O-------X-------+  28
   \     /o\oo.../.\...../.\...oo/o\ooo../.\     /
y   \   /ooo\ooo/...\ooo/...\ooo/ooo\.../...\   /
     \ /...oo\o/ooooo\o/ooooo\o/oo...\./..ooo\ /
""".strip("\n")
PAIR = BoardSpec("triangular", "rhombus", (1, 1), KINDS)


def test_tiles_as_text() -> None:
    assert render_text(tiled(PAIR, "a1u a1d", "a1 b1", "a2 b2"), ascii=True) == picture(r"""
              O-------O  2
             /o\ooooo/
            /ooo\.../
           /.....\./
          X-------X  1

        a       b
    """)


def side_names(board: Board, sides: dict[int, tuple[int | None, ...]]) -> dict[str, str]:
    letters = {0: "D", 1: "O", None: "-"}
    return {
        board.sites[cell].name: "".join(letters[side] for side in around)
        for cell, around in sides.items()
    }


def test_corners_go_as_the_outline_does() -> None:
    scene = tiled(PAIR, "a1u a1d", "a1", "a2 b2")
    assert side_names(scene.board, dict(scene.tiles)) == {"a1u": "D-O", "a1d": "-OO"}


def test_cells_without_a_piece_or_without_corners_are_no_tiles() -> None:
    assert tiled(PAIR, "a1u", "", "b2").tiles == {}
    assert corner_sides(make_board(BoardSpec("square", "rectangle", (2, 2))), {0: TILE}) == {}


@pytest.mark.parametrize("lattice", ["square", "triangular"])
def test_corners_are_found_beyond_a_border_that_wraps(lattice: str) -> None:
    shape = "rectangle" if lattice == "square" else "rhombus"
    board = make_board(BoardSpec(lattice, shape, (3, 4), KINDS, wrap=("columns", "rows")))
    incident = board.relations["incident"]
    cells = [site.index for site in board.sites if site.kind == "cell"]
    for site in board.sites:
        if site.kind == "vertex":
            marks = {**dict.fromkeys(cells, TILE), site.index: corner(0)}
            found = corner_sides(board, marks)
            around = {cell for cell in cells if incident.image(1 << cell) >> site.index & 1}
            assert set(found) == around
            assert all(sides.count(0) == 1 for sides in found.values())


TRIANGLE = ((0.0, 0.0), (1.0, 0.0), (0.5, 0.8660254))


def test_an_arc_goes_through_the_middles_of_sides() -> None:
    tile = Tile(TRIANGLE, (0, 1, 1))
    assert tile.ground == 1
    assert list(tile.cut) == [(0, 0)]
    assert [tile.side_at(point) for point in ((0.49, 0.0), (0.51, 0.0), (0.25, 0.43))] == [0, 1, 0]
    assert tile.covers((0.5, 0.3)) and tile.covers((0.5, 0.0))
    assert not tile.covers((0.5, -0.1)) and not tile.covers((0.0, 0.5))


def test_three_colours_and_corners_of_nobody() -> None:
    assert Tile(TRIANGLE, (2, 0, 1)).ground == 0
    assert list(Tile(TRIANGLE, (2, 0, 1)).cut) == [(0, 2), (2, 1)]
    assert list(Tile(TRIANGLE, (None, 0, 0)).cut) == []
    assert Tile(TRIANGLE, (None, None, None)).side_at((0.5, 0.3)) is None


def test_squares_have_arcs_too() -> None:
    scene = tiled(BoardSpec("square", "rectangle", (1, 1), KINDS), "a1", "va1 vb1 va2", "vb2")
    assert [list(Tile(scene.board.outlines[c], s).cut) for c, s in scene.tiles.items()] != [[]]
    lines = render_text(scene).splitlines()
    assert lines[1] == "  │••••◦◦◦│"
    assert lines[3] == "1 │•••••••│"


def test_a_small_tile_has_one_character_of_the_side_that_has_most_of_it() -> None:
    scene = tiled(BoardSpec("triangular", "rhombus", (2, 1), KINDS), "a1u a1d", "a1 b1", "a2 b2")
    drawn = picture_of(scene, width=20, height=6).text.plain
    assert drawn.count("•") == drawn.count("◦") == 1
    assert drawn.splitlines()[2].strip() == "╱ • ╲ ╱   ╲ ╱"


def test_neighbours_agree_along_their_common_side() -> None:
    rules = load("trichet", {"tiles": 20})
    position = rules.start()
    for _ in range(3):
        position = position.play(position.moves()[-1])
    scene = position.scene()
    tiles = [Tile(scene.board.outlines[cell], sides) for cell, sides in scene.tiles.items()]
    shared = 0
    for one in tiles:
        for other in tiles:
            ends = sorted(
                {(round(x, 6), round(y, 6)) for x, y in one.outline}
                & {(round(x, 6), round(y, 6)) for x, y in other.outline}
            )
            if one is not other and len(ends) == 2:
                shared += 1
                (x1, y1), (x2, y2) = ends
                for share in (0.1, 0.3, 0.45, 0.55, 0.7, 0.9):
                    point = (x1 + share * (x2 - x1), y1 + share * (y2 - y1))
                    assert one.side_at(point) == other.side_at(point)
    assert shared >= 8


def test_a_picture_has_a_part_for_each_arc() -> None:
    root = ElementTree.fromstring(render_svg(tiled(PAIR, "a1u a1d", "a1 b1", "a2 b2")))
    groups = {group.get("data-site"): group for group in root.iter(f"{SVG}g")}
    grounds, arcs = [], []
    for name in ("a1u", "a1d"):
        (path,) = groups[name].iter(f"{SVG}path")
        arcs.append(path.get("fill"))
        grounds.append([part.get("fill") for part in groups[name].iter(f"{SVG}polygon")][1])
    assert arcs == grounds[::-1]
    assert len(set(arcs)) == 2


def test_the_last_move_is_seen_on_a_tile() -> None:
    scene = tiled(PAIR, "a1u a1d", "a1 b1", "a2 b2")
    index = scene.board.index("a1u")
    assert index is not None
    lines = render_text(replace(scene, last=frozenset({index})), ascii=True).splitlines()
    assert lines[3] == r"   /.[.].\./"


def test_the_last_picture_of_the_document() -> None:
    position = example_position(load("trichet").game, "the document's last picture")
    lines = position.render(ascii=True).splitlines()
    assert "\n".join(lines[8:16]) == MIDDLE
