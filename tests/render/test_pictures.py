"""What pictures of positions show: each thing once, inside of the picture, apart from others."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from library_games import deep_games
from PIL import Image
from svg_geometry import SVG, Element, extent, frame, inside, of_class, overlap, parsed

from gdl.board.make import BoardSpec, make_board
from gdl.diagnostic import Source
from gdl.elaborate.sections.looks import FIGURES, SIGNS
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.positions.position_text import legend, state_lines
from gdl.interpreter.render.image import png_of
from gdl.interpreter.render.palette import Colour, ink_on
from gdl.interpreter.render.scene import Mark, Scene, common_side
from gdl.interpreter.render.svg import figures, render_svg
from gdl.interpreter.render.text.glyphs import ASCII, UNICODE, lettering
from gdl.interpreter.render.text.text import picture, render_text
from gdl.interpreter.render.theme import THEMES, Theme, theme_named
from gdl.interpreter.sessions.record import Record
from gdl.interpreter.sessions.saves import write_record
from gdl.load import load_game, load_source, shipped_names
from gdl.model import COLOURS

PLIES = 6

_FLAGS = """game: Flags
players: White, Black
pieces: Man
board: square(3, 1)
state: {crowned: mark, tired: mark, moved: mark}
setup: {White Man: a1, Black Man: c1}
turn: |
  choose s in own
  choose t in orthogonal(s) & empty
  move s to t
  add t to moved
  if mover = White
    add t to crowned
  else
    add t to tired
stuck: draw
display:
  signs: {star: crowned}
  captions: {tired: "tired, on {}"}
"""


def test_what_is_said_of_a_piece_is_drawn_before_it_and_told_in_the_legend() -> None:
    rules = Rules(load_source(Source("flags.yaml", _FLAGS)))
    start = rules.start()
    position = start.play("a1-b1")
    assert position.render().splitlines()[1] == "1  │ [ ] │[★○] │  ●  │"
    assert position.render(ascii=True).splitlines()[1] == "1  | [ ] |[*X] |  O  |"
    assert legend(position).endswith("crowned ★, tired +")


LONG = ("connect6",)
"""Games whose moves are too many to be listed."""
MANY = 900
"""Sites beyond which a picture is not looked at in all ways."""
FIGURE_SPECS = (
    BoardSpec("square", "rectangle", (5, 4)),
    BoardSpec("hexagonal", "rhombus", (4, 3)),
    BoardSpec("hexagonal", "hexagon", (3,)),
    BoardSpec("triangular", "triangle", (4,)),
    BoardSpec("square", "rectangle", (3, 3), ("vertex",)),
)


@cache
def positions(name: str) -> tuple[Position, ...]:
    """Return the first position of a shipped game and one after some moves."""
    rules = Rules(load_game(name))
    first, chance = rules.start(), Chance(1)
    try:
        position = Position(rules, rules.evaluator.playout(first.state, chance, PLIES).state)
        moves = () if name in LONG else position.moves()
        return (first, position.play(moves[len(moves) // 2]) if moves else position)
    except RuleError:
        return (first, first)


def groups(root: Element) -> dict[str, Element]:
    named = [group for group in root.iter(f"{SVG}g") if "data-site" in group.attrib]
    found = {group.attrib["data-site"]: group for group in named}
    assert len(found) == len(named)
    return found


def check_picture(scene: Scene, picture: str) -> None:
    """Check what holds of the picture of any scene that is shown whole."""
    root = parsed(picture)
    whole, sites = frame(root), groups(root)
    assert set(sites) == {site.name for site in scene.board.sites}
    assert inside(extent(root), whole)
    boxes = {}
    for index, site in enumerate(scene.board.sites):
        pieces = of_class(sites[site.name], "piece")
        has_base = index in scene.bases and scene.bases[index] is not scene.marks.get(index)
        drawn = scene.bases[index].figure != "number" if has_base else False
        expected = 0 if index in scene.tiles else (index in scene.marks) + drawn
        assert len(pieces) == expected, site.name
        if pieces and site.kind != "edge":
            shapes = [piece for piece in pieces if len(piece)]
            if shapes:
                boxes[site.name] = extent(shapes[0])
    for (one, box), (other, its) in combinations(boxes.items(), 2):
        assert not overlap(box, its), (one, other)
    check_links(scene, root)


def check_links(scene: Scene, root: Element) -> None:
    """Check that lines, borders and arrows of the board are there, each once."""
    sites = scene.board.sites
    bordered = [pair for pair in scene.borders if common_side(scene.board, pair[0], pair[1])]
    for name, links in (("link", scene.bonds), ("border", bordered)):
        drawn = [line for group in of_class(root, name) for line in group]
        assert len(drawn) == len(links)
        places = Counter(tuple(sorted(line.attrib.items())) for line in drawn)
        assert not places or max(places.values()) == 1
    assert len(of_class(root, "track")) == len(scene.tracks)
    if not scene.on_points:
        coloured = {sites[i].name for i in scene.areas if sites[i].kind == "cell"}
        told = {n for n, group in groups(root).items() for c in of_class(group, "cell") if areas(c)}
        assert told == coloured


def areas(cell: Element) -> list[str]:
    return cell.attrib["class"].split()[1:]


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_every_shipped_game_is_drawn(name: str) -> None:
    for position in positions(name):
        scene = position.scene()
        picture = render_svg(scene)
        if scene.board.endless or scene.board.size > MANY:
            assert parsed(picture) is not None
            continue
        check_picture(scene, picture)


@pytest.mark.parametrize("name", ["chess", "royal-game-of-ur", "tak", "hex", "nine-mens-morris"])
@pytest.mark.parametrize("turned", [90, 180, 270])
def test_a_turned_picture_shows_the_same(name: str, turned: int) -> None:
    scene = positions(name)[1].scene()
    check_picture(scene, render_svg(scene, turned=turned))
    usual, other = (groups(parsed(render_svg(scene, turned=t))) for t in (0, turned))
    assert {n: g.findtext(f"{SVG}title") for n, g in usual.items()} == {
        n: g.findtext(f"{SVG}title") for n, g in other.items()
    }


@given(st.sampled_from(FIGURE_SPECS), st.data())
@settings(max_examples=40, deadline=None)
def test_figures_and_links_on_any_board(spec: BoardSpec, data: st.DataObject) -> None:
    board = make_board(spec)
    chosen = st.sampled_from(FIGURES)
    marks = {
        site.index: Mark("k", side, "K", data.draw(st.none() | st.integers(1, 12)), (), figure)
        for site in board.sites
        if (figure := data.draw(chosen)) and (side := data.draw(st.sampled_from((None, 0, 1)))) != 9
    }
    adjacent = [(a, b) for a, b in board.relations["adjacent"].pairs() if a < b]
    pairs = tuple((a, b, data.draw(st.sampled_from(("A", "red", "dark")))) for a, b in adjacent)
    scene = Scene(
        board,
        marks,
        sides=("A", "B"),
        signs={site.index: data.draw(st.sampled_from(SIGNS)) for site in board.sites},
        bonds=pairs,
        borders=pairs,
        tracks=pairs,
        last=frozenset({0}),
        changed=frozenset({1}),
        way=(0, 1),
    )
    check_picture(scene, render_svg(scene))


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_stays_in_its_circle(name: str) -> None:
    paint = figures.Paint("#111111", "#222222", "#333333")
    for number in (None, 0, 1, 4, 9, 40):
        shapes = "".join(figures.figure(name, paint, number))
        root = parsed(f'<svg xmlns="http://www.w3.org/2000/svg">{shapes}</svg>')
        if len(root):
            assert inside(extent(root), (-1, -1, 1, 1), 0.001)


def test_a_share_draws_a_figure_smaller() -> None:
    game = load_game("gobblet")
    assert game.looks.figures["White Tiny"] == ("ball-40", "")
    paint = figures.Paint("#111111", "#222222", "#333333")
    usual, small = (list(figures.figure(name, paint)) for name in ("ball", "ball-40"))
    assert small == [one.replace(" ", ' transform="scale(0.4)" ', 1) for one in usual]


def test_the_names_that_the_language_knows_are_drawn() -> None:
    assert set(figures.DRAWN) == set(FIGURES)
    assert all(figures.sign(name, "#000000") for name in SIGNS)
    for characters in (UNICODE, ASCII):
        assert set(characters.signs) == set(SIGNS)


def surfaces(theme: Theme, sides: tuple[str, ...]) -> Iterator[Colour]:
    yield theme.board
    yield from (theme.area(name, sides) for name in (*sides, *COLOURS))


@pytest.mark.parametrize("colour_blind", [False, True])
@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize(
    "sides", [("Black", "White"), ("Red", "Blue"), ("A", "B", "C"), ("Green", "Orange")]
)
def test_pieces_are_seen_on_every_board(
    name: str, colour_blind: bool, sides: tuple[str, ...]
) -> None:
    theme = theme_named(name, colour_blind=colour_blind)
    colours = theme.sides(sides)
    for piece in colours:
        for ground in surfaces(theme, sides):
            seen = max(piece.contrast(ground), theme.rim(piece).contrast(ground))
            assert seen >= 1.6, (piece, ground)
    for one, other in combinations(colours, 2):
        assert one.contrast(other) >= (1.5 if colour_blind else 1.3)


def confused(seen: Colour, weights: tuple[tuple[float, ...], ...]) -> tuple[float, ...]:
    """Return a colour as somebody sees it who lacks one kind of cones."""
    return tuple(sum(w * c for w, c in zip(row, seen, strict=True)) for row in weights)


PROTANOPIA = ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052))
DEUTERANOPIA = ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969))
"""G. M. Machado and others, "A physiologically-based model for simulation of color vision
deficiency", 2009: the matrices of full severity."""


@pytest.mark.parametrize("weights", [PROTANOPIA, DEUTERANOPIA])
@pytest.mark.parametrize("sides", [("Red", "Green"), ("Red", "Blue"), ("A", "B", "C", "D")])
def test_colour_blind_people_tell_the_sides_apart(
    sides: tuple[str, ...], weights: tuple[tuple[float, ...], ...]
) -> None:
    colours = theme_named("light", colour_blind=True).sides(sides)
    for one, other in combinations(colours, 2):
        pairs = zip(confused(one, weights), confused(other, weights), strict=True)
        assert sum((a - b) ** 2 for a, b in pairs) ** 0.5 > 60


def test_a_board_with_names_at_its_points_is_drawn_smaller_where_that_fits() -> None:
    scene = Rules(load_game("sim")).start().scene()
    wide, narrow = (picture(scene, width=width, height=20) for width in (80, 30))
    for drawn, most in ((wide, 80), (narrow, 30)):
        assert len(drawn.rows) <= 20
        assert all(len(line) <= most for line in drawn.text.plain.splitlines())
        points = [site for site in scene.board.sites if site.kind == "vertex"]
        assert all(f" {site.name}" in drawn.text.plain for site in points)
    assert len(wide.rows) > len(narrow.rows)


def test_a_hole_is_unlike_an_empty_square() -> None:
    board = make_board(BoardSpec("square", "rectangle", (3, 3)))
    middle = board.index("b2")
    assert middle is not None
    drawn = render_text(Scene(board.without(1 << middle), {})).splitlines()
    assert "░░░" in drawn[3] and "░" not in drawn[1]
    assert ":::" in render_text(Scene(board.without(1 << middle), {}), ascii=True).splitlines()[3]


@pytest.mark.parametrize(
    ("lattice", "shape", "sizes", "hole"),
    [
        ("hexagonal", "hexagon", (3,), "c3"),
        ("hexagonal", "rhombus", (4, 4), "b2"),
        ("triangular", "rhombus", (4, 4), "b2d"),
        ("square", "diamond", (3,), "c3"),
    ],
)
def test_holes_are_seen_on_every_lattice(
    lattice: str, shape: str, sizes: tuple[int, ...], hole: str
) -> None:
    board = make_board(BoardSpec(lattice, shape, sizes))
    index = board.index(hole)
    assert index is not None
    assert "░" not in render_text(Scene(board, {}))
    assert render_text(Scene(board.without(1 << index), {})).count("░") == 3


def test_what_a_move_changed_is_marked() -> None:
    position = Rules(load_game("othello")).start()
    after = position.play(position.moves()[0])
    scene = after.scene()
    assert len(scene.last) == 1 and len(scene.changed) == 1 and not scene.way
    root = parsed(render_svg(scene))
    assert len(of_class(root, "last")) == 1 and len(of_class(root, "changed")) == 1
    assert "(●)" in render_text(scene)


def test_the_way_of_a_piece_is_an_arrow() -> None:
    after = Rules(load_game("chess")).start().play("g1-f3")
    names = [after.rules.game.board.sites[i].name for i in after.scene().way]
    assert names == ["g1", "f3"]
    assert len(of_class(parsed(render_svg(after.scene())), "way")) == 1
    placed = Rules(load_game("trellis")).start().play("c3 f3")
    assert placed.scene().way == ()


def test_a_picture_has_no_script_and_takes_a_size() -> None:
    scene = replace(positions("chess")[1].scene(), title="<script>alert(1)</script>")
    picture = render_svg(scene, size=200)
    root = parsed(picture)
    assert not list(root.iter(f"{SVG}script"))
    assert max(float(root.attrib["width"]), float(root.attrib["height"])) == 200
    assert not of_class(parsed(render_svg(scene, labels=False)), "label")


def test_figures_in_text_are_told_apart_without_colours() -> None:
    chess = positions("chess")[0].scene()
    drawn = render_text(chess)
    assert all(piece in drawn for piece in "♔♕♖♗♘♙♚♛♜♝♞♟")
    assert "K" in render_text(chess, ascii=True)


def test_a_board_seen_from_the_other_side() -> None:
    lines = render_text(positions("chess")[0].scene(), flip=True).splitlines()
    labelled = [line for line in lines if line[:1].isdigit() or line.rstrip()[-1:].isdigit()]
    assert "♖" in labelled[0] and "♜" in labelled[-1]


def test_ink_is_seen_on_each_figure() -> None:
    for theme in THEMES.values():
        for piece in theme.sides(("Black", "White")):
            assert ink_on(piece).contrast(piece) > 4


def shown(*arguments: str) -> Result:
    return CliRunner().invoke(make_app(), ["show", *arguments], env={"NO_COLOR": "1"})


def test_a_game_is_exported(tmp_path: Path) -> None:
    moves = ("tic-tac-toe", "--after", "a1, b2, c3", "--export")
    film, sheet, images = (tmp_path / f"game.{kind}" for kind in ("svg", "html", "gif"))
    for file in (film, sheet, images):
        assert shown(*moves, str(file), "--size", "120", "--pace", "0.5").exit_code == 0
    root = parsed(film.read_text("utf-8"))
    steps = list(root.iter(f"{SVG}animate"))
    assert len(steps) == 4 and not list(root.iter(f"{SVG}script"))
    assert [step.attrib["keyTimes"].split(";")[1] for step in steps] == sorted(
        step.attrib["keyTimes"].split(";")[1] for step in steps
    )
    page = sheet.read_text("utf-8")
    assert "Content-Security-Policy" in page and 'id="held-played"' in page
    told = [text for text in root.iter(f"{SVG}text") if text.get("font-family") == "sans-serif"]
    assert [text.text for text in told] == ["Tic-tac-toe", "1. X: a1", "2. O: b2", "3. X: c3"]
    with Image.open(images) as gif:
        assert gif.n_frames == 4 and gif.size[0] == 120
    assert "wrong-option" in shown(*moves, str(tmp_path / "game.pdf")).stderr


def test_an_exported_game_tells_who_played_and_who_won(tmp_path: Path) -> None:
    game = Rules(load_game("tic-tac-toe")).start()
    moves = ["a1", "b2", "a2", "c3", "a3"]
    save = tmp_path / "game.yaml"
    write_record(Record.told(game, moves, seats={2: "engine:3"}, result="X wins"), save)
    film, sheet = tmp_path / "game.svg", tmp_path / "game.html"
    for file in (film, sheet):
        assert shown(str(save), "--export", str(file)).exit_code == 0
    texts = [text.text for text in parsed(film.read_text("utf-8")).iter(f"{SVG}text")]
    assert "Tic-tac-toe: O engine:3" in texts and "5. X: a3. X wins." in texts
    assert "<title>Tic-tac-toe: O engine:3. X wins.</title>" in sheet.read_text("utf-8")


def test_a_png_is_as_large_as_asked(tmp_path: Path) -> None:
    file = tmp_path / "hex.png"
    assert shown("hex", "--png", str(file), "--size", "200", "--theme", "dark").exit_code == 0
    with Image.open(file) as png:
        assert max(png.size) == 200
        corner, frame = png.convert("RGB").getpixel((0, 0)), theme_named("dark").frame
        assert all(abs(one - other) <= 2 for one, other in zip(corner, frame, strict=True))


def test_letters_are_seen_in_a_png() -> None:
    scene = replace(positions("shogi")[0].scene(), marks={}, signs={})
    with_labels, without = (png_of(render_svg(scene, labels=on)) for on in (True, False))
    assert len(with_labels) > len(without)


def test_without_the_extra_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    result = shown("hex", "--png", str(tmp_path / "hex.png"))
    assert result.exit_code == 2 and "no-pictures" in result.stderr


def test_a_notebook_shows_a_position() -> None:
    position = positions("tic-tac-toe")[0]
    assert position._repr_svg_() == render_svg(position.scene())


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_state_is_told_by_captions_alone(name: str) -> None:
    game = load_game(name)
    held = {slot for slots in game.hands.values() for slot in slots.values()}
    told = (
        key
        for key, slot in game.state_slots.items()
        if slot in game.program.state and slot not in held and not slot.per_site
    )
    assert [key for key in told if key not in game.looks.captions] == []


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_the_legend_tells_the_characters_of_the_board(name: str) -> None:
    for position in positions(name):
        scene, told = position.scene(), legend(position)
        kinds = {scene.marks[site].kind for site in scene.tiles}
        glyphs = lettering(scene, UNICODE).glyphs
        for mark in scene.marks.values() if told else ():
            assert mark.kind in kinds or glyphs[mark.side, mark.kind] in told.replace(",", " ")


def test_dice_are_told_until_the_game_is_over() -> None:
    rules = Rules(load_game("royal-game-of-ur", {"team": "1"}))
    position, chance = rules.start(), Chance(1)
    told = False
    while not position.over:
        told = told or any("dice" in line for line in state_lines(position))
        moves = position.moves()
        position = position.play(moves[chance.below(len(moves))])
    assert told and not any("dice" in line for line in state_lines(position))


def test_pieces_with_letters_of_their_own_are_written_with_them() -> None:
    text = (
        Rules(load_game("quarto"))
        .start()
        .play("tall_red_round_hollow")
        .play("a1 short_blue_cornered_solid")
    )
    assert "OTR" in text.render() and "to be placed: short blue cornered solid" in state_lines(text)
