"""A board as the player of a page draws it: places, outlines, shapes, colours.

In: a game, and the scene of its first position. Out: plain data. What then holds: drawn by it, a
position looks as its SVG picture does; places are pixels, y downwards, and each shape lies in a
circle of radius one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

from gdl.board.board import Board, Point
from gdl.interpreter.positions.drawing import turned
from gdl.interpreter.render.focus import is_cut, period, steps
from gdl.interpreter.render.labels import labelled
from gdl.interpreter.render.palette import Colour, ink_on
from gdl.interpreter.render.scene import Mark, Scene, common_side, side_length
from gdl.interpreter.render.svg import figures, render_svg
from gdl.interpreter.render.svg.document import SILHOUETTES, shade
from gdl.interpreter.render.svg.layout import Layout
from gdl.interpreter.render.theme import THEMES, Theme, theme_named
from gdl.interpreter.render.tiles import corner_sites
from gdl.model import Game, Steps
from gdl.visible import visible_line

_USUAL = ("disc", "tile")
_MOST_NUMBER = 15
_COLOURS = figures.Paint("fill", "rim", "ink")
_BLIND = "-blind"
_SMALL = 160
_LABELLED = 40


def drawing_data(game: Game, scene: Scene) -> dict[str, Any]:
    """Return how a game's board is drawn, whatever stands on it."""
    board = labelled(scene.board)
    layout = Layout(replace(scene, board=board))
    (left, top), (right, bottom) = layout.board_box
    data: dict[str, Any] = {
        "viewBox": _rounded((left, top, right - left, bottom - top)),
        "radius": round(layout.radius, 2),
        "onPoints": scene.on_points,
        "style": game.style,
        "lattice": board.lattice,
        "side": round(side_length(board) * layout.scale, 1),
        "columns": [site.column for site in board.sites],
        "rows": [site.row for site in board.sites],
        "named": layout.is_named,
        "area": round(0.5 * layout.shortest * layout.scale, 2),
        **_sites(layout, board),
        "hull": _ground(layout, scene),
        "links": [
            _rounded((*layout.at(start), *layout.at(end)))
            for start, end in (scene.links if scene.on_points else ())
        ],
        "labels": [
            {"text": visible_line(text), "x": round(x, 1), "y": round(y, 1), "kind": kind}
            for kind, text, (x, y) in layout.labels
        ],
        "fields": {
            index: [shape, *map(_rounded, layout.triangle(index) if scene.is_row(index) else ())]
            for index, shape in scene.fields.items()
        },
        "loops": [[loop.path, loop.name] for loop in layout.loops],
        "boxes": dict(_boxes(layout)),
        "cards": {
            variable: {name: _card(steps) for name, steps in cards.items()}
            for variable, cards in game.looks.cards.items()
        },
        "figures": _figures(game, scene),
        "silhouettes": [name for name in figures.DRAWN if name in SILHOUETTES],
        "signs": _signs(game),
        "themes": dict(_themes(game, scene)),
    }
    if game.style == "arcs" and not board.endless:
        data["corners"] = dict(corner_sites(board, range(board.size)))
    if is_cut(board):
        data["inUse"] = _in_use(layout, board)
    return data


def picture(scene: Scene) -> list[Any]:
    """Return a picture as elements of SVG: name, attributes, and what is in it: text or others."""
    drawn = render_svg(scene, size=_SMALL, labels=scene.board.size <= _LABELLED)
    return _element(ElementTree.fromstring(drawn))


def _element(element: ElementTree.Element) -> list[Any]:
    name = element.tag.rpartition("}")[2]
    inner = [_element(one) for one in element if not one.tag.endswith("title")]
    return [name, dict(element.attrib), inner or (element.text or "").strip()]


def side_between(scene: Scene, first: int, second: int) -> list[float] | None:
    """Return where the side is drawn that the outlines of two cells share; None without one."""
    side = common_side(scene.board, first, second)
    layout = Layout(replace(scene, board=labelled(scene.board)))
    return None if side is None else _rounded((*layout.at(side[0]), *layout.at(side[1])))


def _card(steps: Steps) -> list[Any]:
    """Return the elements of a card, and those of one seen from the other side of the board."""
    return [_elements(figures.card(_COLOURS, way)) for way in (steps, turned(steps))]


def _boxes(layout: Layout) -> Iterator[tuple[str, list[float]]]:
    """Yield each place beside the board with its corner, its width and its height."""
    for place in layout.scene.places:
        box = layout.place_box(place)
        if box is not None:
            (x, y), (end_x, end_y) = box
            yield place, _rounded((min(x, end_x), min(y, end_y), abs(end_x - x), abs(end_y - y)))


def _sites(layout: Layout, board: Board) -> dict[str, Any]:
    """Return the places of sites, and their outlines as shapes around them that many share."""
    shapes: dict[tuple[Point, ...], int] = {}
    sites = []
    for site in board.sites:
        x, y = layout.middle(site)
        outline = tuple(
            (round(px - x, 1), round(py - y, 1)) for px, py in layout.outline(site.index)
        )
        sites.append(
            [round(x, 1), round(y, 1), site.kind[0], shapes.setdefault(outline, len(shapes))]
        )
    return {"sites": sites, "shapes": [[_rounded(point) for point in shape] for shape in shapes]}


def _in_use(layout: Layout, board: Board) -> dict[str, Any]:
    """Return what tells which part of a board without a border is to be drawn.

    `columns` and `rows` are those of the sites; `across` and `up` how far a site is drawn beyond
    the window if it is moved by a whole one of them; `room` how much is shown around pieces.
    """
    data: dict[str, Any] = {"room": round(2.0 * layout.scale, 1), "endless": board.endless}
    if board.endless:
        columns, rows = period(board)
        across, up = steps(board)
        data["period"] = [columns, rows]
        data["across"] = _rounded(_along(layout, across, columns))
        data["up"] = _rounded(_along(layout, up, rows))
    return data


def _along(layout: Layout, step: Point, times: int) -> Point:
    (x, y), (x0, y0) = layout.at(step), layout.at((0.0, 0.0))
    return times * (x - x0), times * (y - y0)


def _ground(layout: Layout, scene: Scene) -> list[list[float]] | None:
    """Return the corners of the wood under a board of points; None where cells are the ground."""
    if not scene.on_points and any(site.kind == "cell" for site in scene.board.sites):
        return None
    return [_rounded(point) for point in layout.ground]


def _rounded(numbers: Iterable[float]) -> list[float]:
    return [round(number, 1) for number in numbers]


# ----------------------------------------------------------------------------- shapes and colours


def _figures(game: Game, scene: Scene) -> dict[str, Any]:
    """Return the elements of each shape that pieces of a game have; of some, for each number."""
    names = dict.fromkeys((*_USUAL, *(name for name, _ in game.looks.figures.values())))
    found: dict[str, Any] = {}
    for name in filter(None, names):
        if name in figures.COUNTED:
            found[name] = [
                _elements(figures.figure(name, _COLOURS, n)) for n in range(_MOST_NUMBER + 1)
            ]
        else:
            found[name] = _elements(figures.figure(name, _COLOURS))
    return found


def _signs(game: Game) -> dict[str, Any]:
    """Return the elements of each mark that lies on sites and has a name."""
    names = dict.fromkeys(text for text, _ in game.looks.signs)
    shapes = ((name, figures.sign(name, "line")) for name in names)
    return {name: _elements([shape]) for name, shape in shapes if shape}


def _elements(written: Iterable[str]) -> list[list[Any]]:
    """Return elements of SVG as names with their attributes."""
    root = ElementTree.fromstring(f"<g>{''.join(written)}</g>")
    return [[element.tag, dict(element.attrib)] for element in root]


def _themes(game: Game, scene: Scene) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in THEMES:
        yield name, _colours(game, scene, theme_named(name))
        yield name + _BLIND, _colours(game, scene, theme_named(name, colour_blind=True))


def _colours(game: Game, scene: Scene, theme: Theme) -> dict[str, Any]:
    """Return the colours of a theme: of the board, of each side, of pieces of nobody, of areas."""
    looks = game.looks
    areas = dict.fromkeys(name for name, _ in looks.colours)
    links = (*looks.lines, *looks.arrows, *looks.borders, *looks.loops)
    lines = dict.fromkeys(name for name, _ in links)
    bars = dict.fromkeys(name for name, _ in looks.bridges)
    nobody = dict.fromkeys(mark.kind for mark in _marks_of_nobody(game, scene))
    plain = ("frame", "board", "line", "label", "last", "advice", "neutral", "dark", "light")
    return {
        **{name: getattr(theme, name).hex for name in plain},
        "sides": [
            {**_paints(theme, colour), "soft": shade(colour).hex}
            for colour in theme.sides(game.sides)
        ],
        "nobody": {kind: _paints(theme, theme.nobody(kind)) for kind in nobody},
        "areas": {name: theme.area(name, game.sides).hex for name in areas},
        "bars": {name: _paints(theme, theme.strong(name, game.sides)) for name in bars},
        "lines": {name: theme.area(name, game.sides, theme.line).hex for name in lines},
    }


def _marks_of_nobody(game: Game, scene: Scene) -> Iterator[Mark]:
    yield Mark("#", None, "")
    yield from (mark for mark in scene.stock if mark.side is None)
    for name in (*game.looks.figures, *game.state_slots):
        yield Mark("#", None, name)


def _paints(theme: Theme, colour: Colour) -> dict[str, str]:
    """Return the colours of a piece: its own, its rim's, what is on it; `edge` of silhouettes."""
    ink = ink_on(colour)
    rim = theme.rim(colour)
    return {
        "fill": colour.hex,
        "rim": rim.hex,
        "beside": theme.rim(colour, theme.frame).hex,
        "edge": (ink if colour.luminance > ink.luminance else rim).hex,
        "ink": ink.hex,
    }
