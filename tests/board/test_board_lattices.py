"""What holds for every board cut out of a lattice, and the figures of single shapes."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import pytest

from gdl.board.board import Board, BoardError
from gdl.board.lattice import KINDS, Lattice
from gdl.board.make import ENDLESS, LATTICES, SHAPES, WRAPPING_SHAPES, BoardSpec, make_board
from gdl.board.relation import Relation, bits

OPPOSITE = {
    "north": "south",
    "northeast": "southwest",
    "east": "west",
    "southeast": "northwest",
}
ANGLES = {
    "east": 0,
    "northeast": 45,
    "north": 90,
    "northwest": 135,
    "west": 180,
    "southwest": 225,
    "south": 270,
    "southeast": 315,
}
KIND_CHOICES = (("cell",), ("vertex",), ("edge",), ("cell", "vertex"), KINDS)

SPECS = [
    BoardSpec(lattice, shape, (4, 3)[:sizes], kinds, (), top_first)
    for (lattice, shape), sizes in SHAPES.items()
    if shape not in ("box", ENDLESS)
    for kinds in KIND_CHOICES
    for top_first in (False, True)
]
WRAPPED = [
    BoardSpec(lattice, shape, (5, 4), kinds, wrap)
    for lattice, shape in WRAPPING_SHAPES
    for kinds in (*KIND_CHOICES, ("vertex", "edge"))
    for wrap in (("columns",), ("rows",), ("columns", "rows"))
]


def label(spec: BoardSpec) -> str:
    sizes = "x".join(str(size) for size in spec.sizes)
    words = [spec.lattice, spec.shape, sizes, *spec.kinds, *spec.wrap]
    return "-".join(words + ["top"] * spec.top_first)


every_board = pytest.mark.parametrize("spec", SPECS + WRAPPED, ids=label)
flat_board = pytest.mark.parametrize("spec", SPECS, ids=label)


def square(columns: int, rows: int, **rest: object) -> Board:
    return make_board(BoardSpec("square", "rectangle", (columns, rows), **rest))  # type: ignore[arg-type]


def names(board: Board, sites: int) -> set[str]:
    return {board.sites[i].name for i in bits(sites)}


def around(board: Board, name: str, relation: str = "adjacent") -> set[str]:
    index = board.index(name)
    assert index is not None
    return names(board, board.relations[relation].image(1 << index))


def degrees(relation: Relation) -> set[int]:
    return {targets.bit_count() for targets in relation.successors}


@every_board
def test_parts_fit_together(spec: BoardSpec) -> None:
    board = make_board(spec)
    assert [site.index for site in board.sites] == list(range(board.size))
    assert len({site.name for site in board.sites}) == board.size
    assert {site.kind for site in board.sites} == set(spec.kinds)
    assert all(site.column >= 1 and site.row >= 1 for site in board.sites)
    assert all(relation.size == board.size for relation in board.relations.values())
    assert all(region & ~board.all_sites == 0 for region in board.regions.values())
    assert all(len(values) == board.size for values in board.numbers.values())
    assert len(board.outlines) == board.size
    assert len({(site.x, site.y) for site in board.sites}) == board.size


@every_board
def test_directions_are_functions_with_an_inverse(spec: BoardSpec) -> None:
    board = make_board(spec)
    for direction, opposite in OPPOSITE.items():
        if direction in board.relations:
            assert board.relations[direction].is_function
            assert board.relations[direction].inverse() == board.relations[opposite]
    for family, directions in board.families.items():
        assert set(directions) <= set(ANGLES)
        clockwise = [-ANGLES[direction] for direction in directions]
        turns = [(b - a) % 360 for a, b in itertools.pairwise([*clockwise, clockwise[0]])]
        assert sum(turns) == 360, family
        for i, j in board.relations[family].pairs():
            assert board.sites[i].kind == board.sites[j].kind
            assert any(board.relations[name].image(1 << i) >> j & 1 for name in directions)


@every_board
def test_standard_relations_are_symmetric_and_keep_to_their_kinds(spec: BoardSpec) -> None:
    board = make_board(spec)
    assert ("incident" in board.relations) == (len(spec.kinds) > 1)
    assert ("touching" in board.relations) == ("cell" in spec.kinds)
    for name in {"adjacent", "touching", "incident"} & set(board.relations):
        relation = board.relations[name]
        assert relation.is_symmetric
        for i, j in relation.pairs():
            same_kind = board.sites[i].kind == board.sites[j].kind
            assert same_kind == (name != "incident")
            assert i != j


@flat_board
def test_directions_lead_where_they_say_on_the_drawing(spec: BoardSpec) -> None:
    board = make_board(spec)
    for direction, angle in ANGLES.items():
        for i, j in board.relations.get(direction, Relation.empty(board.size)).pairs():
            one, other = board.sites[i], board.sites[j]
            seen = math.degrees(math.atan2(other.y - one.y, other.x - one.x))
            assert abs((seen - angle + 180) % 360 - 180) <= 15.001


@flat_board
def test_neighbours_are_drawn_at_one_distance_and_share_an_edge(spec: BoardSpec) -> None:
    board = make_board(spec)
    nearest = 2.0
    for i, j in board.relations["adjacent"].pairs():
        one, other = board.sites[i], board.sites[j]
        shared = len(set(board.outlines[i]) & set(board.outlines[j]))
        assert shared == {"cell": 2, "vertex": 0, "edge": 1}[one.kind]
        if one.kind == spec.kinds[0]:
            nearest = min(nearest, math.dist((one.x, one.y), (other.x, other.y)))
    assert nearest == pytest.approx(1)


@flat_board
def test_relations_agree_with_the_outlines(spec: BoardSpec) -> None:
    """Incidence and touching are told by the drawn corners alone."""
    board = make_board(spec)
    corners = [
        set(outline) or {(site.x, site.y)}
        for site, outline in zip(board.sites, board.outlines, strict=True)
    ]
    expected: dict[str, set[tuple[int, int]]] = {"adjacent": set(), "touching": set()}
    expected["incident"] = set()
    for i, j in itertools.permutations(range(board.size), 2):
        shared = len(corners[i] & corners[j])
        kinds = {board.sites[i].kind, board.sites[j].kind}
        if kinds == {"cell"} and shared:
            expected["touching"].add((i, j))
        if len(kinds) == 1 and shared >= {"cell": 2, "edge": 1, "vertex": 9}[min(kinds)]:
            expected["adjacent"].add((i, j))
        if len(kinds) == 2 and shared == min(len(corners[i]), len(corners[j])):
            expected["incident"].add((i, j))
    lines = set(board.lines) | {(b, a) for a, b in board.lines}
    for i, j in itertools.permutations(range(board.size), 2):
        one, other = board.sites[i], board.sites[j]
        if ((one.x, one.y), (other.x, other.y)) in lines and one.kind == other.kind == "vertex":
            expected["adjacent"].add((i, j))
    for name, pairs in expected.items():
        if name in board.relations:
            assert set(board.relations[name].pairs()) == pairs, name


@flat_board
def test_outlines_are_polygons_around_their_cells(spec: BoardSpec) -> None:
    board = make_board(spec)
    for site, outline in zip(board.sites, board.outlines, strict=True):
        if site.kind == "vertex":
            assert outline == ()
            continue
        assert len(outline) == {
            ("cell", "square"): 4,
            ("cell", "hexagonal"): 6,
            ("cell", "triangular"): 3,
        }.get((site.kind, board.lattice), 2)
        centre = [sum(values) / len(outline) for values in zip(*outline, strict=True)]
        assert centre == pytest.approx([site.x, site.y])
        assert len({round(math.dist(point, centre), 6) for point in outline}) == 1


@flat_board
def test_border_and_corners_are_made_of_sides(spec: BoardSpec) -> None:
    board = make_board(spec)
    regions = board.regions
    sides = [name.removeprefix("from_") for name in board.numbers if name.startswith("from_")]
    assert len(sides) in (3, 4, 6)
    border = 0
    for side in sides:
        assert regions[side]
        border |= regions[side]
    if spec.shape == "star":
        border = regions["border"]
    assert regions["border"] == border
    assert regions["interior"] == board.all_sites & ~border
    assert regions["corners"] & ~border == 0
    assert all(min(board.numbers[f"from_{side}"]) == 1 for side in sides)


@flat_board
def test_sides_are_where_they_say_on_the_drawing(spec: BoardSpec) -> None:
    board = make_board(spec)
    middle_x = sum(site.x for site in board.sites) / board.size
    middle_y = sum(site.y for site in board.sites) / board.size
    for side in set(board.regions) & {"top", "bottom", "left", "right"} | {
        name for name in board.regions if name.startswith(("upper_", "lower_"))
    }:
        found = [board.sites[i] for i in bits(board.regions[side])]
        x = sum(site.x for site in found) / len(found) - middle_x
        y = sum(site.y for site in found) / len(found) - middle_y
        assert x > 0 or "right" not in side
        assert x < 0 or "left" not in side
        assert y > 0 or not side.startswith(("top", "upper"))
        assert y < 0 or not side.startswith(("bottom", "lower"))


@flat_board
def test_labels_stand_outside_with_one_for_each_column_and_row(spec: BoardSpec) -> None:
    board = make_board(spec)
    kind = spec.kinds[0]
    counted = [site for site in board.sites if site.kind == kind]
    assert len(board.column_labels) == len({site.column for site in counted})
    assert len(board.row_labels) == len({site.row for site in counted})
    for _, x, y in board.column_labels + board.row_labels:
        assert all(math.dist((x, y), (site.x, site.y)) > 0.4 for site in counted)


@flat_board
def test_upside_down_is_the_mirror_image(spec: BoardSpec) -> None:
    def links(board: Board, relation: str) -> set[tuple[int, int]]:
        return set(board.relations[relation].pairs())

    one = make_board(spec)
    other = make_board(
        BoardSpec(spec.lattice, spec.shape, spec.sizes, spec.kinds, (), not spec.top_first)
    )
    assert [(s.kind, s.column, s.row, s.x) for s in one.sites] == [
        (s.kind, s.column, s.row, s.x) for s in other.sites
    ]
    heights = {round(a.y + b.y, 6) for a, b in zip(one.sites, other.sites, strict=True)}
    assert len(heights) == 1
    assert links(one, "adjacent") == links(other, "adjacent")
    for north, south in (("northeast", "southeast"), ("north", "south")):
        if north in one.relations:
            assert links(one, north) == links(other, south)


@pytest.mark.parametrize("lattice", LATTICES.values(), ids=lambda lattice: lattice.name)
@pytest.mark.parametrize("kinds", [("cell",), ("vertex",), ("edge",), KINDS], ids="-".join)
def test_a_torus_looks_the_same_from_everywhere(lattice: Lattice, kinds: tuple[str, ...]) -> None:
    name = lattice.name
    shape = next(shape for found, shape in WRAPPING_SHAPES if found == name)
    board = make_board(BoardSpec(name, shape, (6, 5), kinds, ("columns", "rows")))
    assert board.regions["border"] == board.regions["corners"] == 0
    expected = {
        "square": {"cell": (4, 30), "vertex": (4, 30), "edge": (6, 60)},
        "hexagonal": {"cell": (6, 30), "vertex": (3, 60), "edge": (4, 90)},
        "triangular": {"cell": (3, 60), "vertex": (6, 30), "edge": (10, 90)},
    }[name]
    counts = Counter(site.kind for site in board.sites)
    for site in board.sites:
        degree, count = expected[site.kind]
        assert board.relations["adjacent"].successors[site.index].bit_count() == degree
        assert counts[site.kind] == count


def test_wrapping_one_way_keeps_the_other_sides() -> None:
    board = square(5, 4, wrap=("columns",))
    assert around(board, "a2", "west") == {"e2"}
    assert around(board, "a1", "southwest") == set()
    assert board.regions["left"] == board.regions["right"] == board.regions["corners"] == 0
    assert names(board, board.regions["top"]) == {"a4", "b4", "c4", "d4", "e4"}
    assert square(5, 4, wrap=("columns",), kinds=("vertex",)).size == 5 * 5


def test_squares_are_ordered_by_row_and_named_by_column_and_row() -> None:
    board = square(28, 2)
    assert [site.name for site in board.sites[:3]] == ["a1", "b1", "c1"]
    assert board.sites[27].name == "ab1"
    assert board.sites[28].name == "a2"
    assert board.index("ab2") == 55
    assert board.index("ac1") is None


def test_square_regions_and_numbers() -> None:
    board = square(4, 3)
    assert names(board, board.regions["top"]) == {"a3", "b3", "c3", "d3"}
    assert names(board, board.regions["left"]) == {"a1", "a2", "a3"}
    assert names(board, board.regions["corners"]) == {"a1", "a3", "d1", "d3"}
    assert names(board, board.regions["interior"]) == {"b2", "c2"}
    assert names(board, board.regions["dark"]) == {"a1", "c1", "b2", "d2", "a3", "c3"}
    assert board.regions["light"] == board.all_sites & ~board.regions["dark"]
    index = board.index("d1")
    assert index is not None
    assert {name: values[index] for name, values in board.numbers.items()} == {
        "row": 1,
        "column": 4,
        "from_top": 3,
        "from_right": 1,
        "from_bottom": 1,
        "from_left": 4,
    }


def test_row_one_at_the_top() -> None:
    board = square(4, 3, top_first=True)
    assert names(board, board.regions["top"]) == {"a1", "b1", "c1", "d1"}
    assert around(board, "b2", "north") == {"b1"}
    two_rows = square(2, 2, top_first=True)
    assert names(two_rows, two_rows.regions["dark"]) == {"a2", "b1"}
    a1 = board.sites[0]
    assert (a1.name, a1.y) == ("a1", max(site.y for site in board.sites))
    assert board.numbers["from_top"][0] == 1


def test_kinds_of_square_sites() -> None:
    assert square(14, 14, kinds=("vertex",)).size == 225
    assert square(3, 2, kinds=("edge",)).size == 17
    board = square(2, 2, kinds=("cell", "vertex", "edge"))
    assert around(board, "b1", "incident") == {
        *("vb1", "vc1", "vb2", "vc2"),
        *("b1h", "b2h", "b1v", "c1v"),
    }
    assert around(board, "b1h", "incident") == {"b1", "vb1", "vc1"}
    assert names(square(2, 1, kinds=("vertex",)), 0b111) == {"a1", "b1", "c1"}


def test_a_single_row_has_its_ends_as_corners() -> None:
    board = square(5, 1)
    assert names(board, board.regions["corners"]) == {"a1", "e1"}
    assert board.regions["border"] == board.all_sites


@pytest.mark.parametrize("size", [1, 2, 5])
def test_counts_of_shapes(size: int) -> None:
    def count(lattice: str, shape: str, *sizes: int, kinds: tuple[str, ...] = ("cell",)) -> int:
        return make_board(BoardSpec(lattice, shape, sizes, kinds)).size

    n = size
    assert count("square", "diamond", n) == n * n + (n - 1) ** 2
    assert count("hexagonal", "hexagon", n) == 3 * n * (n - 1) + 1
    assert count("hexagonal", "hexagon", n, kinds=("vertex",)) == 6 * n * n
    assert count("hexagonal", "triangle", n) == n * (n + 1) // 2
    assert count("hexagonal", "rhombus", n, n + 1) == n * (n + 1)
    assert count("hexagonal", "rectangle", n, n + 1) == n * (n + 1)
    assert count("triangular", "hexagon", n) == 6 * n * n
    assert count("triangular", "hexagon", n, kinds=("vertex",)) == 3 * n * (n + 1) + 1
    assert count("triangular", "triangle", n) == n * n
    assert count("triangular", "rhombus", n, n + 1) == 2 * n * (n + 1)
    assert count("triangular", "rhombus", n, n + 1, kinds=("vertex",)) == (n + 1) * (n + 2)


def test_rhombus_of_hexagons() -> None:
    board = make_board(BoardSpec("hexagonal", "rhombus", (11, 11)))
    assert around(board, "c3") == {"d3", "b3", "c4", "c2", "d2", "b4"}
    assert around(board, "c3", "northwest") == {"b4"}
    assert board.families["hexagonal"] == (
        *("northeast", "east", "southeast"),
        *("southwest", "west", "northwest"),
    )
    assert len(board.relations["adjacent"].offset_classes) == 6
    assert names(board, board.regions["corners"]) == {"a1", "k1", "a11", "k11"}
    assert board.regions["left"].bit_count() == 11
    assert Counter(s.bit_count() for s in board.relations["adjacent"].successors) == {
        2: 2,
        3: 2,
        4: 36,
        6: 81,
    }
    down = make_board(BoardSpec("hexagonal", "rhombus", (11, 11), top_first=True))
    a1, a2 = down.sites[0], down.sites[11]
    assert (a2.name, round(a2.x - a1.x, 6)) == ("a2", 0.5)
    assert a2.y < a1.y


def test_triangle_and_hexagon_of_hexagons() -> None:
    triangle = make_board(BoardSpec("hexagonal", "triangle", (4,)))
    assert names(triangle, triangle.regions["corners"]) == {"a1", "d1", "a4"}
    assert names(triangle, triangle.regions["bottom"]) == {"a1", "b1", "c1", "d1"}
    assert names(triangle, triangle.regions["right"]) == {"d1", "c2", "b3", "a4"}
    assert names(triangle, triangle.regions["interior"]) == {"b2"}
    hexagon = make_board(BoardSpec("hexagonal", "hexagon", (2,)))
    assert [site.name for site in hexagon.sites] == ["b1", "c1", "a2", "b2", "c2", "a3", "b3"]
    assert names(hexagon, hexagon.regions["upper_left"]) == {"a2", "a3"}
    assert names(hexagon, hexagon.regions["lower_right"]) == {"c1", "c2"}
    assert names(hexagon, hexagon.regions["interior"]) == {"b2"}
    assert hexagon.regions["corners"].bit_count() == 6


def test_triangles_and_their_corners() -> None:
    board = make_board(BoardSpec("triangular", "rhombus", (4, 3), ("cell", "vertex")))
    assert around(board, "b2u", "incident") == {"b2", "c2", "b3"}
    assert around(board, "b2d", "incident") == {"c2", "b3", "c3"}
    assert around(board, "b2u") == {"b2d", "a2d", "b1d"}
    assert around(board, "b2") == {"c2", "a2", "b3", "b1", "a3", "c1"}
    assert len(around(board, "b2u", "touching")) == 12
    assert around(board, "b2u", "south") == {"b1d"}
    assert board.regions["up"].bit_count() == board.regions["down"].bit_count() == 12
    assert {name[-1] for name in names(board, board.regions["up"])} == {"u"}
    top_first = make_board(BoardSpec("triangular", "triangle", (3,), top_first=True))
    assert top_first.regions["down"].bit_count() == 6


def test_a_large_wrapping_board_has_few_offset_classes() -> None:
    spec = BoardSpec("triangular", "rhombus", (56, 56), ("cell", "vertex"), ("columns", "rows"))
    board = make_board(spec)
    assert board.size == 9408
    assert degrees(board.relations["adjacent"]) == {3, 6}
    for name in ("adjacent", "touching", "incident"):
        assert len(board.relations[name].offset_classes) < 40


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (BoardSpec("square", "rectangle", (0, 3)), "size 0"),
        (BoardSpec("square", "rectangle", (3,)), "takes 2 sizes, not 1"),
        (BoardSpec("square", "rectangle", (175, 175)), "30,000"),
        (BoardSpec("hexagonal", "hexagon", (10**12,)), "30,000"),
        (BoardSpec("square", "rectangle", (100, 100), KINDS), "30,000"),
        (BoardSpec("square", "box", (1, 1, 10**12)), "10,000"),
        (BoardSpec("square", "rectangle", (2, 9), wrap=("columns",)), "at least 3 columns"),
        (BoardSpec("square", "diamond", (5,), wrap=("rows",)), "cannot wrap"),
        (BoardSpec("square", "rectangle", (5, 5), wrap=("diagonals",)), "`diagonals`"),
        (BoardSpec("square", "rectangle", (5, 5), ("corner",)), "`corner`"),
        (BoardSpec("square", "rectangle", (5, 5), ()), "no kind"),
        (BoardSpec("square", "hexagon", (5,)), "no board of shape square hexagon"),
        (BoardSpec("square", "rectangle", (600, 1), ("cell", "vertex")), "same name"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_impossible_boards(spec: BoardSpec, message: str) -> None:
    with pytest.raises(BoardError, match=message) as caught:
        make_board(spec)
    assert caught.value.hint
    assert caught.value.message == str(caught.value)


def test_the_largest_board_is_made() -> None:
    assert square(200, 150).size == 30_000
    assert make_board(BoardSpec("hexagonal", "rectangle", (1, 2000))).size == 2000


def test_a_star_is_a_hexagon_with_a_triangle_on_each_side() -> None:
    board = make_board(BoardSpec("hexagonal", "star", (4,)))
    sides = [name.removeprefix("from_") for name in board.numbers if name.startswith("from_")]
    points = [board.regions[side] for side in sides]
    assert board.size == 121
    assert [point.bit_count() for point in points] == [10] * 6
    assert board.regions["corners"].bit_count() == 6
    middle = board.all_sites & ~sum(points)
    hexagon = make_board(BoardSpec("hexagonal", "hexagon", (5,)))
    assert middle.bit_count() == hexagon.size
    for side, point in zip(sides, points, strict=True):
        rows = Counter(board.numbers[f"from_{side}"][i] for i in bits(point))
        assert rows == {1: 1, 2: 2, 3: 3, 4: 4}
    around = [board.relations["adjacent"].image(1 << i).bit_count() for i in range(board.size)]
    assert Counter(around) == {2: 6, 4: 36, 5: 6, 6: 73}


def test_levels_lie_above_one_another() -> None:
    board = make_board(BoardSpec("square", "box", (4, 3, 5)))
    names = [site.name for site in board.sites]
    assert board.size == 60
    assert names[:13] == [*(f"{c}{r}a" for r in (1, 2, 3) for c in "abcd"), "a1b"]
    assert Counter(board.numbers["level"]) == dict.fromkeys(range(1, 6), 12)
    assert board.regions["corners"].bit_count() == 8
    assert board.regions["interior"].bit_count() == 2 * 1 * 3
    assert board.regions["floor"].bit_count() == board.regions["ceiling"].bit_count() == 12
    assert len({(site.x, site.y) for site in board.sites}) == 60
    around = [board.relations["adjacent"].image(1 << i).bit_count() for i in range(board.size)]
    assert Counter(around)[3] == 8 and Counter(around)[6] == 6
    assert board.relations["touching"] == board.relations["compass"]
    assert board.relations["adjacent"] == board.relations["orthogonal"]


def test_directions_of_levels_have_opposites_and_coordinates() -> None:
    board = make_board(BoardSpec("square", "box", (3, 3, 3)))
    names = board.families["compass"]
    assert len(names) == len(set(names)) == 26
    places = [(s.column, s.row, board.numbers["level"][s.index]) for s in board.sites]
    steps = set()
    for name, opposite in zip(names, names[13:] + names[:13], strict=True):
        assert board.relations[name].inverse() == board.relations[opposite]
        ways = {
            tuple(b - a for a, b in zip(places[one], places[other], strict=True))
            for one, other in board.relations[name].pairs()
        }
        assert len(ways) == 1
        steps |= ways
        assert {"up": 1, "down": -1}.get(name.partition("_")[0], 0) == next(iter(ways))[2]
    assert len(steps) == 26


def test_sites_in_three_dimensions_are_cells() -> None:
    with pytest.raises(BoardError, match="are its cells"):
        make_board(BoardSpec("square", "box", (2, 2, 2), ("vertex",)))
    with pytest.raises(BoardError, match="cannot wrap"):
        make_board(BoardSpec("square", "box", (4, 4, 4), wrap=("columns",)))


@pytest.mark.parametrize("lattice", LATTICES)
def test_an_endless_board_is_a_window_that_goes_round(lattice: str) -> None:
    board = make_board(BoardSpec(lattice, ENDLESS, (6,)))
    shape = next(shape for found, shape in WRAPPING_SHAPES if found == lattice)
    same = make_board(BoardSpec(lattice, shape, (6, 6), wrap=("columns", "rows")))
    assert board.relations == same.relations
    assert board.endless and not same.endless
    assert board.regions["border"] == 0
    assert {(s.column, s.row) for s in board.sites if board.regions["origin"] >> s.index & 1} == {
        (3, 3)
    }
