"""Positions as SVG, and the colours of sides."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.color import Color, ColorSystem
from svg_geometry import extent, frame, inside

from gdl.board.make import BoardSpec, make_board, make_graph_board
from gdl.interpreter.render.palette import (
    WOOD,
    Colour,
    colour,
    ink_on,
    side_colours,
    terminal_area,
    terminal_colours,
)
from gdl.interpreter.render.scene import Mark, Scene
from gdl.interpreter.render.svg import render_svg
from gdl.model import COLOURS

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ["Black", "White", "Red", "Blue", "Green", "Yellow", "North", "South", "X", "O"]


def sites(picture: str) -> dict[str, ElementTree.Element]:
    groups = [g for g in ElementTree.fromstring(picture).iter(f"{SVG}g") if "data-site" in g.attrib]
    named = {group.attrib["data-site"]: group for group in groups}
    assert len(named) == len(groups)
    return named


def circles(group: ElementTree.Element) -> list[str]:
    return [circle.attrib["fill"] for circle in group.iter(f"{SVG}circle")]


specs = st.one_of(
    st.builds(
        lambda shape, kinds, top: BoardSpec(shape[0], shape[1], shape[2], kinds, top_first=top),
        st.sampled_from(
            [
                ("square", "rectangle", (1, 1)),
                ("square", "rectangle", (4, 3)),
                ("hexagonal", "rhombus", (3, 4)),
                ("hexagonal", "hexagon", (3,)),
                ("hexagonal", "triangle", (3,)),
                ("triangular", "triangle", (3,)),
                ("triangular", "hexagon", (2,)),
            ]
        ),
        st.sampled_from([("cell",), ("vertex",), ("edge",), ("cell", "vertex", "edge")]),
        st.booleans(),
    )
)


@given(specs, st.sampled_from(["cells", "points"]), st.integers(0, 40), st.text(max_size=5))
@settings(max_examples=60, deadline=None)
def test_one_group_a_site_inside_the_frame(
    spec: BoardSpec, style: str, number: int, title: str
) -> None:
    board = make_board(spec)
    marks = {
        site.index: Mark("<", (None, 0, 1, 2)[site.index % 4], "Pawn & King", 3)
        for site in board.sites[:number]
    }
    position = Scene(
        board,
        marks,
        last=frozenset(marks),
        sides=("A", "B", "C"),
        style="points" if style == "points" else "cells",
        highlights={site.index: "*" for site in board.sites},
        areas={site.index: (("A", "red"), ("B",), ())[site.index % 3] for site in board.sites},
        signs={site.index: "<" for site in board.sites},
        bonds=((0, board.size - 1, "A"),) if board.size > 1 else (),
        title=title,
    )
    picture = render_svg(position)
    assert set(sites(picture)) == {site.name for site in board.sites}
    root = ElementTree.fromstring(picture)
    assert inside(extent(root), frame(root))


def test_pieces_in_the_colours_of_their_sides() -> None:
    board = make_board(BoardSpec("square", "rectangle", (3, 1)))
    marks = {0: Mark("X", 0, "Stone"), 1: Mark("O", 1, "Stone"), 2: Mark("#", None, "Wall")}
    groups = sites(render_svg(Scene(board, marks, sides=("White", "Black"))))
    white, black = side_colours(("White", "Black"))
    assert circles(groups["a1"]) == [white.hex]
    assert circles(groups["b1"]) == [black.hex]
    assert circles(groups["c1"]) == []
    assert len(list(groups["c1"].iter(f"{SVG}rect"))) == 1
    titles = [group.findtext(f"{SVG}title") for group in groups.values()]
    assert titles == ["a1: White Stone", "b1: Black Stone", "c1: Wall"]


def test_letters_only_where_there_are_several_kinds() -> None:
    board = make_board(BoardSpec("square", "rectangle", (2, 1)))
    marks = {0: Mark("k", 1, "King")}
    one = sites(render_svg(Scene(board, marks, sides=("A", "B"))))["a1"]
    several = sites(render_svg(Scene(board, marks, sides=("A", "B"), kinds=("King", "Man"))))["a1"]
    assert one.findtext(f"{SVG}text") is None
    assert several.findtext(f"{SVG}text") == "K"


def test_the_last_move_has_a_ring() -> None:
    board = make_board(BoardSpec("hexagonal", "rhombus", (2, 2)))
    groups = sites(render_svg(Scene(board, {0: Mark("X", 0, "Stone")}, last=frozenset({0}))))
    assert circles(groups["a1"])[-1] == "none"
    assert circles(groups["b1"]) == []


def test_a_taken_edge_is_a_bar() -> None:
    board = make_board(BoardSpec("square", "rectangle", (1, 1), ("edge",)))
    index = board.index("a1h")
    assert index is not None
    groups = sites(render_svg(Scene(board, {index: Mark("X", 0, "Wall")}, sides=("Black",))))
    assert len(list(groups["a1h"].iter(f"{SVG}line"))) == 3
    assert len(list(groups["a1v"].iter(f"{SVG}line"))) == 1


def test_names_that_need_escaping() -> None:
    points = {'<"&>': (0.0, 0.0), "far away": (900.0, 0.0), "third": (900.0, 5.0)}
    board = make_graph_board(points, [list(points)])
    picture = render_svg(Scene(board, {}, title="A & B <"))
    assert set(sites(picture)) == set(points)
    assert ElementTree.fromstring(picture).findtext(f"{SVG}title") == "A & B <"
    assert float(ElementTree.fromstring(picture).attrib["width"]) < 3000


def test_a_large_board_without_border_is_cut() -> None:
    spec = BoardSpec(
        "triangular", "rhombus", (25, 25), ("cell", "vertex"), wrap=("columns", "rows")
    )
    board = make_board(spec)
    index = board.index("j12u")
    assert index is not None
    groups = sites(render_svg(Scene(board, {index: Mark("#", None, "Tile")})))
    assert "j12u" in groups
    assert len(groups) < 100


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=7, unique=True))
def test_sides_differ_in_brightness(names: list[str]) -> None:
    colours = side_colours(names)
    assert len(colours) == len(names)
    assert all(
        one.contrast(other) >= 1.3 for index, one in enumerate(colours) for other in colours[:index]
    )


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6, unique=True))
def test_sides_stand_out_from_the_wood_of_a_terminal(names: list[str]) -> None:
    for shown in terminal_colours(names):
        assert shown.contrast(WOOD) >= 1.9


@pytest.mark.parametrize("system", [ColorSystem.STANDARD, ColorSystem.EIGHT_BIT])
@pytest.mark.parametrize(
    "names", [("Black", "White"), ("Red", "Blue"), ("Green", "Orange"), ("A", "B")]
)
def test_sides_stay_visible_where_there_are_few_colours(
    system: ColorSystem, names: tuple[str, str]
) -> None:
    grounds = {Color.parse(wood.hex).downgrade(system).number for wood in (WOOD,)}
    inks = [Color.parse(tone.hex).downgrade(system).number for tone in terminal_colours(names)]
    assert inks[0] != inks[1]
    assert grounds.isdisjoint(inks)


@pytest.mark.parametrize("sides", [("Black", "White"), ("Red", "Blue"), ("A", "B", "C", "D")])
def test_pieces_stand_out_from_areas(sides: tuple[str, ...]) -> None:
    for name in (*sides, *COLOURS):
        ground = terminal_area(name, sides)
        assert all(piece.contrast(ground) >= 1.7 for piece in terminal_colours(sides))
    assert len({terminal_area(side, sides) for side in sides}) == len(sides)


def test_named_sides_have_their_colours() -> None:
    white, black = side_colours(("White", "Black"))
    assert white.luminance > 0.8 > 0.05 > black.luminance
    red, _ = side_colours(("Red", "Blue"))
    assert red.red > 2 * max(red.green, red.blue)


@given(st.builds(Colour, *3 * [st.integers(0, 255)]), st.floats(0, 1))
def test_a_tone_is_as_bright_as_asked(base: Colour, luminance: float) -> None:
    assert base.toned(luminance).luminance == pytest.approx(luminance, abs=0.01)


def test_ink_is_readable_on_either_side() -> None:
    assert ink_on(colour("#000000")).luminance > 0.5 > ink_on(colour("#ffffff")).luminance
