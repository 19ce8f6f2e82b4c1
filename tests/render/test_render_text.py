"""Positions as text: whole pictures, and what holds for every board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gdl.board.board import Board
from gdl.board.make import BoardSpec, make_board, make_graph_board
from gdl.diagnostic import Source
from gdl.interpreter.render.focus import focus, is_wrapped
from gdl.interpreter.render.labels import border_labels
from gdl.interpreter.render.scene import Mark, Scene
from gdl.interpreter.render.text.text import render_rich, render_text
from gdl.load import load_source

SIDES = ("Black", "White")
DARK, LIGHT = Mark("X", 0, "Stone"), Mark("O", 1, "Stone")

SQUARE = BoardSpec("square", "rectangle", (3, 3))
RHOMBUS = BoardSpec("hexagonal", "rhombus", (3, 3))


def picture(text: str) -> str:
    return dedent(text).strip("\n")


def at(board: Board, marks: Mapping[str, Mark]) -> dict[int, Mark]:
    return {site.index: marks[site.name] for site in board.sites if site.name in marks}


def index_of(board: Board, name: str) -> int:
    index = board.index(name)
    assert index is not None
    return index


def scene(
    spec: BoardSpec, marks: Mapping[str, Mark], last: str = "", style: str = "cells"
) -> Scene:
    board = make_board(spec)
    sites = frozenset(site.index for site in board.sites if site.name == last)
    return Scene(
        board,
        at(board, marks),
        last=sites,
        sides=SIDES,
        style="points" if style == "points" else "cells",
    )


def test_square_cells() -> None:
    drawn = render_text(scene(SQUARE, {"a1": DARK, "b2": LIGHT, "c3": DARK}, last="b2"))
    assert drawn == picture("""
          ┌───┬───┬───┐
        3 │   │   │ ● │
          ├───┼───┼───┤
        2 │   │[○]│   │
          ├───┼───┼───┤
        1 │ ● │   │   │
          └───┴───┴───┘
            a   b   c
    """)


def test_square_cells_in_ascii_with_row_1_at_the_top() -> None:
    spec = BoardSpec("square", "rectangle", (3, 2), top_first=True)
    drawn = render_text(scene(spec, {"a1": DARK, "c2": LIGHT}), ascii=True)
    assert drawn == picture("""
            a   b   c
          +---+---+---+
        1 | X |   |   |
          +---+---+---+
        2 |   |   | O |
          +---+---+---+
    """)


def test_square_cells_where_there_is_little_room() -> None:
    drawn = render_text(scene(SQUARE, {"a1": DARK, "b1": LIGHT, "c3": DARK}, last="a1"), width=9)
    assert drawn == picture("""
        3  · · ●
        2  · · ·
        1 [●]○ ·
           a b c
    """)


def test_brackets_that_meet_are_one_bar() -> None:
    board = make_board(SQUARE)
    marks = at(board, {"a1": DARK, "b1": LIGHT})
    drawn = render_text(Scene(board, marks, last=frozenset(marks), sides=SIDES), width=9)
    assert drawn.splitlines()[2] == "1 [●|○]·"


def test_highlights() -> None:
    board = make_board(SQUARE)
    index = {site.name: site.index for site in board.sites}
    drawn = render_text(
        Scene(
            board,
            at(board, {"a1": DARK, "b2": LIGHT}),
            last=frozenset({index["b2"]}),
            sides=SIDES,
            highlights={index["a1"]: "*", index["b2"]: "*", index["c3"]: "*"},
        )
    )
    rows = drawn.splitlines()
    assert rows[1] == "3 │   │   │ * │"
    assert rows[3] == "2 │   │*○*│   │"
    assert rows[5] == "1 │*●*│   │   │"


def test_marks_of_neighbours_leave_brackets_as_they_are() -> None:
    board = make_board(BoardSpec("square", "rectangle", (5, 1)))
    index = {site.name: site.index for site in board.sites}
    drawn = render_text(
        Scene(
            board,
            at(board, {"a1": DARK, "b1": LIGHT, "c1": DARK, "d1": LIGHT, "e1": LIGHT}),
            last=frozenset({index["a1"]}),
            sides=SIDES,
            highlights={index["b1"]: "+", index["d1"]: "x", index["e1"]: "x"},
        ),
        width=13,
    )
    assert drawn.splitlines()[0] == "1 [●]○+●x○x○"


def test_what_a_site_is_can_be_seen_beside_its_piece() -> None:
    board = make_board(SQUARE)
    a1, b1, c1 = (index_of(board, name) for name in ("a1", "b1", "c1"))
    signs = {a1: "trap", b1: "point", c1: "trap"}
    one = Scene(board, {a1: DARK, b1: LIGHT}, sides=SIDES, signs=signs)
    assert render_text(one).splitlines()[5] == "1 │ ●⊕│ ○ │ ⊕ │"
    assert "[●]" in render_text(replace(one, last=frozenset({a1})))


@pytest.mark.parametrize("style", ["cells", "points"])
@pytest.mark.parametrize("spec", [SQUARE, RHOMBUS, BoardSpec("triangular", "rhombus", (3, 3))])
def test_a_picture_keeps_its_shape_when_the_first_pile_or_flag_comes(
    spec: BoardSpec, style: str
) -> None:
    board, pieces = make_board(spec), {4: DARK, 8: LIGHT}
    for width in (14, 30, 80):
        bare = Scene(board, pieces, sides=SIDES, style="points" if style == "points" else "cells")
        bare = replace(bare, spare=1)
        plain = render_text(bare, width=width)
        for changed, text in ((replace(DARK, count=2), "●2"), (replace(DARK, flag="+"), "+●")):
            drawn = render_text(replace(bare, marks=pieces | {4: changed}), width=width)
            assert text in drawn and drawn.count("\n") == plain.count("\n")
            pairs = zip(drawn.ljust(len(plain)), plain.ljust(len(drawn)), strict=True)
            assert sum(one != other for one, other in pairs) == 1


def test_square_points() -> None:
    drawn = render_text(scene(SQUARE, {"a1": DARK, "b2": LIGHT}, last="b2", style="points"))
    assert drawn == picture("""
        3  ┌───┬───┐
           │   │   │
        2  ├──[○]──┤
           │   │   │
        1  ●───┴───┘
           a   b   c
    """)


def test_square_vertices_where_there_is_little_room() -> None:
    spec = BoardSpec("square", "rectangle", (2, 2), ("vertex",))
    assert render_text(scene(spec, {"b2": DARK}), width=9, ascii=True) == picture("""
        3  +-+-+
        2  +-X-+
        1  +-+-+
           a b c
    """)


def test_edges_show_the_lines_that_are_taken() -> None:
    spec = BoardSpec("square", "rectangle", (2, 1), ("edge",))
    drawn = render_text(scene(spec, {"a1h": DARK, "b1v": LIGHT}))
    assert [row[2:] for row in drawn.splitlines()[:3]] == [
        "+ · + · +",
        "·   ○   ·",
        "+─●─+ · +",
    ]


def test_hexagonal_rhombus() -> None:
    assert render_text(scene(RHOMBUS, {"a1": DARK, "b2": LIGHT}, last="b2")) == picture("""
               ╱ ╲ ╱ ╲ ╱ ╲
            3 │   │   │   │
             ╱ ╲ ╱ ╲ ╱ ╲ ╱
          2 │   │[○]│   │
           ╱ ╲ ╱ ╲ ╱ ╲ ╱
        1 │ ● │   │   │
           ╲ ╱ ╲ ╱ ╲ ╱
          a   b   c
    """)


def test_hexagonal_rhombus_where_there_is_little_room() -> None:
    drawn = render_text(scene(RHOMBUS, {"a1": DARK, "b2": LIGHT}, last="b2"), width=12, ascii=True)
    assert drawn == picture("""
            3  . . .
           2  .[O].
          1  X . .
            a b c
    """)


def test_hexagonal_points() -> None:
    spec = BoardSpec("hexagonal", "rhombus", (2, 2))
    assert render_text(scene(spec, {"b1": DARK}, style="points"), ascii=True) == picture(r"""
          2  +---+
            / \ /
        1  +---X
          a   b
    """)


def test_hexagon_has_its_columns_and_rows_on_different_sides() -> None:
    drawn = render_text(scene(BoardSpec("hexagonal", "hexagon", (2,)), {"b2": DARK}))
    assert drawn == picture("""
           ╱ ╲ ╱ ╲
          │   │   │ 3
         ╱ ╲ ╱ ╲ ╱ ╲
        │   │ ● │   │ 2
         ╲ ╱ ╲ ╱ ╲ ╱
        a │   │   │ 1
           ╲ ╱ ╲ ╱
          b   c
    """)


def test_a_hole_of_a_hexagon_is_filled() -> None:
    board = make_board(BoardSpec("hexagonal", "hexagon", (3,)))
    drawn = render_text(Scene(board.without(1 << index_of(board, "c3")), {}))
    assert drawn == picture("""
             ╱ ╲ ╱ ╲ ╱ ╲
            │   │   │   │ 5
           ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
          │   │   │   │   │ 4
         ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
        │   │   │░░░│   │   │ 3
         ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱
        a │   │   │   │   │ 2
           ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱
          b │   │   │   │ 1
             ╲ ╱ ╲ ╱ ╲ ╱
            c   d   e
    """)


def test_triangles() -> None:
    spec = BoardSpec("triangular", "triangle", (2,))
    drawn = render_text(scene(spec, {"a1u": DARK, "a1d": LIGHT}, last="a1u"))
    assert drawn == picture("""
            +
           ╱ ╲
        2 ╱   ╲
         +─────+
        ╱ ╲ ○ ╱ ╲
     1 ╱[●]╲ ╱   ╲
      +─────+─────+
       a     b
    """)


def test_triangles_with_their_corners() -> None:
    spec = BoardSpec("triangular", "rhombus", (1, 1), ("cell", "vertex"))
    drawn = render_text(scene(spec, {"a1u": DARK, "a1": DARK, "b2": LIGHT}))
    assert drawn == picture("""
          ·─────○  2
         ╱ ╲   ╱
        ╱ ● ╲ ╱
       ●─────·  1
      a     b
    """)


def test_triangular_points() -> None:
    spec = BoardSpec("triangular", "triangle", (2,), ("vertex",))
    assert render_text(scene(spec, {"b2": LIGHT}), ascii=True) == picture(r"""
            3  +
              / \
          2  +---O
            / \ / \
        1  +---+---+
          a   b   c
    """)


def test_of_lines_that_are_sites_those_that_are_taken_are_drawn() -> None:
    points = {"a": (0.0, 2.0), "b": (4.0, 2.0), "c": (4.0, 0.0), "d": (0.0, 0.0)}
    board = make_graph_board(points, [list("abcda"), list("ac")], ("vertex", "edge"))
    marks = at(board, {"ab": DARK, "bc": LIGHT})
    assert render_text(Scene(board, marks, sides=SIDES)) == picture("""
        · a─────● ab────┐ b
                        │
        · ad    · ac    ○ bc
                        │
        · d     · cd    · c
    """)


def test_an_endless_board_is_drawn_in_one_piece_where_pieces_are() -> None:
    board = make_board(BoardSpec("hexagonal", "endless", (9,)))
    marks = at(board, {"i9": DARK, "a9": LIGHT, "a1": DARK, "i1": LIGHT, "b1": DARK})
    drawn = render_text(Scene(board, marks, sides=SIDES)).splitlines()
    assert [row for row in drawn if "●" in row or "○" in row] == [
        "  │   │   │ ○ │ ● │ ● │ 1",
        "│   │   │ ● │ ○ │   │ 9",
    ]


def test_graph_with_slanting_lines() -> None:
    points = {f"{'abc'[x]}{y + 1}": (float(x), float(y)) for x in range(3) for y in range(3)}
    lines = ["a1 b1 c1", "a3 b3 c3", "a1 a2 a3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1"]
    board = make_graph_board(points, [line.split() for line in lines])
    marks = at(board, {"b2": DARK, "c3": LIGHT})
    assert render_text(Scene(board, marks, sides=SIDES)) == picture("""
        3  ┌───·───○
           │ ╲   ╱ │
        2  ·   ●   ·
           │ ╱   ╲ │
        1  └───·───┘
           a   b   c
    """)


def test_points_without_coordinates_have_their_names() -> None:
    board = make_graph_board({"hub": (0, 0), "rim": (1, 0)}, [["hub", "rim"]])
    marks = at(board, {"hub": DARK})
    assert render_text(Scene(board, marks, sides=SIDES), ascii=True) == "X hub---+ rim"


def test_numbers_have_room() -> None:
    board = make_board(BoardSpec("square", "rectangle", (2, 1)))
    marks = {0: Mark("o", None, "Seed", 12), 1: Mark("o", None, "Seed", 4)}
    assert render_text(Scene(board, marks, last=frozenset({0}))).splitlines()[1] == (
        "1  │ [12]│  4  │"
    )


def test_letters_where_there_are_several_kinds() -> None:
    board = make_board(SQUARE)
    king, pawn = Mark("K", 0, "King"), Mark("p", 1, "Pawn")
    marks = at(board, {"a1": king, "b1": pawn})
    kinds = ("King", "Pawn")
    assert render_text(Scene(board, marks, sides=SIDES), width=9).splitlines()[2] == "1  K p ·"
    alone = at(board, {"a1": king})
    drawn = render_text(Scene(board, alone, sides=SIDES, kinds=kinds), width=9)
    assert drawn.splitlines()[2] == "1  K · ·"


def test_the_lighter_of_two_sides_has_the_open_disc() -> None:
    board = make_board(BoardSpec("square", "rectangle", (2, 1)))
    marks = {0: DARK, 1: LIGHT}
    drawn = render_text(Scene(board, marks, sides=("White", "Black")), width=5)
    assert drawn.splitlines()[0] == "1  ○ ●"


def test_an_empty_site_never_looks_like_a_piece() -> None:
    board = make_board(SQUARE)
    marks = at(board, {"a1": Mark(".", 0, "Dot"), "b1": Mark("o", 1, "Ring")})
    drawn = render_text(Scene(board, marks, sides=("Dot", "Ring")), ascii=True, width=9)
    assert drawn.splitlines()[2] == "1  . o +"


@given(
    st.dictionaries(
        st.integers(0, 8),
        st.builds(
            Mark,
            st.characters(codec="utf-8"),
            st.none() | st.integers(0, 3),
            st.sampled_from(["Stone", "King", "Käse"]),
        ),
    ),
    st.booleans(),
)
@settings(max_examples=60)
def test_every_side_and_kind_has_a_text_of_its_own(marks: dict[int, Mark], ascii: bool) -> None:
    from gdl.interpreter.render.text.glyphs import ASCII, UNICODE, lettering

    letters = lettering(Scene(make_board(SQUARE), marks), ASCII if ascii else UNICODE)
    shown = {letters.texts[site]: (mark.side, mark.kind) for site, mark in marks.items()}
    assert len(shown) == len({(mark.side, mark.kind) for mark in marks.values()})
    assert all((mark.side, mark.kind) == shown[letters.texts[s]] for s, mark in marks.items())
    assert letters.empty not in shown
    if ascii:
        assert all(text.isascii() and text.isprintable() for text in shown)


small = st.integers(1, 5)
specs = st.one_of(
    st.builds(
        lambda columns, rows, kinds, top: BoardSpec(
            "square", "rectangle", (columns, rows), kinds, top_first=top
        ),
        small,
        small,
        st.sampled_from(
            [("cell",), ("vertex",), ("edge",), ("cell", "vertex"), ("cell", "vertex", "edge")]
        ),
        st.booleans(),
    ),
    st.builds(
        lambda lattice, shape, size, kinds, top: BoardSpec(
            lattice, shape, (size, size) if shape == "rhombus" else (size,), kinds, top_first=top
        ),
        st.sampled_from(["hexagonal", "triangular"]),
        st.sampled_from(["rhombus", "hexagon", "triangle"]),
        st.integers(1, 4),
        st.sampled_from([("cell",), ("vertex",), ("cell", "vertex"), ("cell", "vertex", "edge")]),
        st.booleans(),
    ),
    st.builds(lambda n: BoardSpec("square", "diamond", (n,)), small),
)


def test_a_piece_of_no_side_has_the_character_of_its_figure_where_no_other_looks_so() -> None:
    burnt = Mark("a", None, "Arrow", figure="cross")
    bar = Mark("w", None, "Bar", figure="wall")
    wall = Mark("W", 0, "Wall", figure="wall")
    board = make_board(SQUARE)
    marks = at(board, {"a1": burnt, "b1": bar, "c1": wall, "a2": LIGHT})
    shown = Scene(board, marks, sides=SIDES, stock=tuple(marks.values()))
    assert "1 │ X │ w │ ▮ │" in render_text(shown)
    assert "1 | a | w | W |" in render_text(shown, ascii=True)


@given(specs, st.sampled_from(["cells", "points"]), st.booleans(), st.sampled_from([None, 10]))
@settings(max_examples=80, deadline=None)
def test_every_site_is_shown_exactly_once(
    spec: BoardSpec, style: str, ascii: bool, width: int | None
) -> None:
    board = make_board(spec)
    marks = {site.index: Mark("o", None, "Seed", 1000 + site.index) for site in board.sites}
    drawn = render_text(
        Scene(board, marks, style="points" if style == "points" else "cells"),
        ascii=ascii,
        width=width,
    )
    numbers = "".join(c if c.isdigit() else " " for c in drawn).split()
    shown = Counter(number for number in numbers if len(number) > 3)
    assert shown == Counter(str(1000 + site.index) for site in board.sites)
    assert not ascii or drawn.isascii()


@given(specs, st.booleans())
@settings(max_examples=40, deadline=None)
def test_every_label_is_shown_outside(spec: BoardSpec, ascii: bool) -> None:
    board = make_board(spec)
    words = Counter(
        "".join(
            c if c.isalnum() else " " for c in render_text(Scene(board, {}), ascii=ascii)
        ).split()
    )
    labels = Counter(text for text, _, _ in (*board.row_labels, *board.column_labels))
    assert all(words[text] >= 1 for text in labels)


@pytest.mark.parametrize("shape", ["hexagon", "rhombus", "triangle", "star"])
@pytest.mark.parametrize("without", ["corners", "none"])
def test_labels_of_slanted_boards_stand_at_ends_of_their_lines(shape: str, without: str) -> None:
    sizes = "6, 6" if shape == "rhombus" else "6"
    left_out = " without corners" if without == "corners" else ""
    text = f"game: T\nplayers: A, B\nboard: hex {shape}({sizes}){left_out}\nturn: pass\n"
    board = border_labels(load_source(Source("labels.yaml", text)).board)
    places = [(round(x, 3), round(y, 3)) for _, x, y in (*board.row_labels, *board.column_labels)]
    assert len(set(places)) == len(places)
    for text, x, y in board.row_labels:
        row = [site for site in board.sites if site.row == int(text)]
        assert row[0].y == pytest.approx(y)
        assert min(abs(site.x - x) for site in row) == pytest.approx(1)


positions = st.dictionaries(
    st.tuples(st.integers(0, 6), st.integers(0, 6)),
    st.from_regex(r"[a-z]{1,4}", fullmatch=True),
    min_size=1,
    max_size=8,
)


@given(positions, st.sampled_from([0.01, 1.0, 250.0]), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_every_point_of_a_graph_is_shown_exactly_once(
    positions: dict[tuple[int, int], str], unit: float, random: object
) -> None:
    points = {
        f"{name}{number}": (unit * x * x, unit * y)
        for number, ((x, y), name) in enumerate(positions.items())
    }
    names = list(points)
    board = make_graph_board(points, [list(pair) for pair in pairwise(names)])
    marks = {site.index: Mark("o", None, "Seed", 1000 + site.index) for site in board.sites}
    drawn = render_text(Scene(board, marks))
    assert all(drawn.count(str(1000 + site.index)) == 1 for site in board.sites)


def test_slanting_lines_of_two_colours_cross_in_two_ways() -> None:
    board = make_board(SQUARE)
    where = {site.name: site.index for site in board.sites}
    crossed = (("a1", "b2", "Black"), ("b1", "a2", "Black"), ("b1", "c2", "White"))
    crossed = (*crossed, ("c1", "b2", "White"), ("a3", "b3", "White"))
    bonds = tuple((where[a], where[b], colour) for a, b, colour in crossed)
    drawn = render_text(Scene(board, {}, sides=SIDES, style="points", bonds=bonds))
    assert drawn == picture("""
        3  ┌───┬───┐
           │   │   │
        2  ├───┼───┤
           │ ╳ │ × │
        1  └───┴───┘
           a   b   c
    """)


@pytest.mark.parametrize("ascii", [False, True])
def test_colour_changes_no_character(ascii: bool) -> None:
    position = scene(RHOMBUS, {"a1": DARK, "b2": LIGHT}, last="b2")
    plain = render_text(position, ascii=ascii)
    styled = render_rich(position, ascii=ascii).plain
    assert picture("\n".join(line.rstrip() for line in styled.splitlines())) == picture(plain)
    coloured = render_text(position, ascii=ascii, colour=True)
    assert "\x1b[" in coloured
    assert "\x1b" not in plain
    assert all(line.endswith("\x1b[0m") for line in coloured.splitlines())


def test_a_board_without_border_is_cut_to_the_part_in_use() -> None:
    spec = BoardSpec(
        "triangular", "rhombus", (30, 30), ("cell", "vertex"), wrap=("columns", "rows")
    )
    position = scene(spec, {"j12u": DARK, "k12": LIGHT}, last="j12u")
    assert is_wrapped(position.board)
    part = focus(position)
    assert part.board.size < 100
    named = {part.board.sites[index].name: mark for index, mark in part.marks.items()}
    assert named == {"j12u": DARK, "k12": LIGHT}
    drawn = render_text(position)
    assert max(map(len, drawn.splitlines())) <= 80
    assert "[●]" in drawn
    assert not is_wrapped(make_board(SQUARE))


def test_a_board_without_border_that_fits_is_whole() -> None:
    spec = BoardSpec("square", "rectangle", (3, 3), wrap=("columns", "rows"))
    assert render_text(scene(spec, {})) == render_text(scene(SQUARE, {}))
